/* The residual stream of a trace. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/bind_nn.h"
#include "engine/view_parts.h"

struct trace {
    int depth;
    const char *formula;
    bool switches; /* it was told which branches are off */
    double norms[STACK_DEPTH_MAX + 2]; /* of the stream: before, after each layer, after the final norm */
    double gradients[STACK_DEPTH_MAX + 2]; /* there; NaN where none was asked for */
    bool final_norm, goes_back;
    struct traced {
        bool off;
        double share, kept; /* kept: NaN without dropout */
    } layers[STACK_DEPTH_MAX];
};

static int raise_not_a_trace(struct drawing *d)
{
    return lesson_error(d->engine, d->construct->line, "view.stack: its entry must come to a trace as nn.stack returns it");
}

/* A number of the table at the top. */
static double trace_number(struct drawing *d, const char *name, bool must)
{
    lua_State *L = d->engine->L;
    bool there = lua_getfield(L, -1, name) == LUA_TNUMBER;
    double value = there ? lua_tonumber(L, -1) : (double)NAN;
    if (!there && (must || !lua_isnil(L, -1)))
        raise_not_a_trace(d);
    lua_pop(L, 1);
    return value;
}

/* The stream's norm in the tensor under the name, of the table at the top. */
static double trace_norm(struct drawing *d, const char *name)
{
    lua_State *L = d->engine->L;
    lua_getfield(L, -1, name);
    const struct tensor *x = tensor_test(L, -1);
    if (!x || tensor_rank(x) == 0 || tensor_count(x) == 0)
        raise_not_a_trace(d);
    double norm = stream_norm(x);
    lua_pop(L, 1);
    return norm;
}

/* The value at the top. */
static void read_trace(struct drawing *d, struct trace *out)
{
    lua_State *L = d->engine->L;
    size_t order = 0;
    if (lua_type(L, -1) != LUA_TTABLE)
        raise_not_a_trace(d);
    const char *name = lua_getfield(L, -1, "order") == LUA_TSTRING ? lua_tostring(L, -1) : "";
    while (stack_orders[order] && strcmp(stack_orders[order], name))
        order++;
    if (!stack_orders[order])
        raise_not_a_trace(d);
    out->formula = stack_formulas[order];
    lua_pop(L, 1);
    out->switches = lua_getfield(L, -1, "off") != LUA_TNIL;
    lua_pop(L, 1);
    lua_getfield(L, -1, "final_norm");
    out->final_norm = lua_toboolean(L, -1);
    lua_pop(L, 1);
    lua_getfield(L, -1, "loss");
    out->goes_back = !lua_isnil(L, -1);
    lua_pop(L, 1);
    out->norms[0] = trace_norm(d, "x");
    out->gradients[0] = trace_number(d, "gradient", out->goes_back);
    if (lua_getfield(L, -1, "layers") != LUA_TTABLE || lua_rawlen(L, -1) < 1 || lua_rawlen(L, -1) > STACK_DEPTH_MAX)
        raise_not_a_trace(d);
    out->depth = (int)lua_rawlen(L, -1);
    for (int i = 0; i < out->depth; i++) {
        if (lua_rawgeti(L, -1, i + 1) != LUA_TTABLE)
            raise_not_a_trace(d);
        out->norms[i + 1] = trace_number(d, "norm", true);
        out->layers[i].share = trace_number(d, "share", true);
        out->layers[i].kept = trace_number(d, "kept", false);
        out->gradients[i + 1] = trace_number(d, "gradient", out->goes_back);
        lua_getfield(L, -1, "off");
        out->layers[i].off = lua_toboolean(L, -1);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    out->norms[out->depth + 1] = trace_norm(d, "out");
    out->gradients[out->depth + 1] = trace_number(d, "out_gradient", out->goes_back);
}

/* Writes a number, unless it is still to come at this stage or hidden. */
static void fill_cell(struct drawing *d, struct cell *cell, bool shown, bool hidden, double value, int places)
{
    cell->text = "";
    cell->value = (double)NAN;
    if (shown && hidden)
        cell_hide(cell);
    else if (shown)
        cell_number(d->engine, cell, value, places);
}

static void fill_layer(struct drawing *d, struct stack_layer *out, const struct traced *layer, bool shown, int places)
{
    bool hidden = drawing_hides(d, "update");
    out->off = layer->off;
    fill_cell(d, &out->update, shown, hidden || drawing_hides(d, "share"), layer->share, places);
    fill_cell(d, &out->kept, shown && !isnan(layer->kept), hidden, layer->kept, -1);
    if (*out->kept.text && !hidden) {
        char percent[NUMBER_TEXT];
        number_digits(percent, 100 * layer->kept, 3);
        out->kept.text = arena_printf(d->engine->scene->arena, "%s %%", percent);
    }
}

static const char *sentence(struct drawing *d, const struct trace *trace)
{
    struct arena *arena = d->engine->scene->arena;
    char from[NUMBER_TEXT], to[NUMBER_TEXT];
    number_text(from, trace->norms[0]);
    number_text(to, trace->norms[trace->depth]);
    const char *text = arena_printf(arena, language_count("A residual stream through %d layer, each %s", "A residual stream through %d layers, each %s", (size_t)trace->depth), trace->depth, trace->formula);
    if (trace->final_norm)
        text = arena_printf(arena, _("%s, with a final norm"), text);
    if (!drawing_hides(d, "stream"))
        text = arena_printf(arena, _("%s: its length goes from %s to %s"), text, from, to);
    if (trace->goes_back && !drawing_hides(d, "gradient")) {
        number_text(from, trace->gradients[trace->depth + 1]);
        number_text(to, trace->gradients[0]);
        text = arena_printf(arena, _("%s; going back, that of the gradient goes from %s to %s"), text, from, to);
    }
    const char *off = "";
    int count = 0;
    for (int i = 0; i < trace->depth; i++)
        if (trace->layers[i].off)
            off = arena_printf(arena, "%s%s%d", off, count++ ? ", " : "", i + 1);
    return count ? arena_printf(arena, _("%s; switched off: %s."), text, off) : arena_printf(arena, "%s.", text);
}

/* How far it has come at a stage: first the layers, one by one, then the gradient's way back from behind the last. */
struct reach {
    uint32_t forward; /* layers whose numbers are known */
    uint32_t back;    /* the gradient is known from this point on, 0 before the first layer; beyond the last: nowhere */
    int32_t layer, gradient; /* which layer, and which point of the gradient, the stage is about; -1: none */
};

static struct reach reach_of(uint32_t stage, uint32_t depth, bool goes_back)
{
    struct reach reach = { .forward = depth, .back = goes_back ? 0 : depth + 2, .layer = -1, .gradient = -1 };
    if (stage > 0 && stage <= depth) {
        reach.forward = stage;
        reach.back = depth + 2;
        reach.layer = (int32_t)stage - 1;
    } else if (stage > depth) {
        reach.back = 2 * depth + 1 - stage;
        reach.gradient = (int32_t)reach.back;
    }
    return reach;
}

/* The norms along the stream: of itself, or of the gradient. */
static void fill_points(struct drawing *d, struct part_stack *stack, const struct trace *trace, const struct reach *reach, bool gradient)
{
    uint32_t depth = (uint32_t)trace->depth;
    const double *values = gradient ? trace->gradients : trace->norms;
    bool hidden = drawing_hides(d, gradient ? "gradient" : "stream");
    int places = column_places(values, depth + 1 + trace->final_norm);
    for (uint32_t i = 0; i < depth + 2; i++) {
        bool known = gradient ? i >= reach->back : i <= reach->forward || (i > depth && reach->forward == depth);
        struct cell *cell = i == 0      ? gradient ? &stack->start_gradient : &stack->start
                            : i > depth ? gradient ? &stack->end_gradient : &stack->end
                            : gradient  ? &stack->layers[i - 1].gradient : &stack->layers[i - 1].stream;
        fill_cell(d, cell, known && (i <= depth || trace->final_norm), hidden, values[i], places);
        if (gradient && reach->gradient == (int32_t)i)
            cell->flags |= CELL_STAGE;
    }
}

void view_stack(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    struct trace trace = { .depth = 0 };
    lua_rawgeti(L, d->fields, 1);
    formula_value(d->engine, d->construct, "show", lua_gettop(L), d->env);
    read_trace(d, &trace);
    uint32_t depth = (uint32_t)trace.depth, stage = d->engine->request->stage;
    view->stages = depth + (trace.goes_back ? depth + 1 : 0);
    struct reach reach = reach_of(stage < view->stages ? stage : stage ? view->stages : 0, depth, trace.goes_back);
    if (trace.switches && d->out->branches < depth)
        d->out->branches = depth;

    struct part *part = view_parts(d, view, 1);
    struct part_stack *stack = &part->as.stack;
    part->kind = PART_STACK;
    stack->order = trace.formula;
    stack->final_norm = trace.final_norm;
    stack->gradients = trace.goes_back;
    stack->cursor = (int32_t)drawing_cursor(d, "layer", depth) - 1;
    stack->layer_count = depth;
    stack->layers = scene_zero(d->engine, depth, sizeof *stack->layers);
    fill_points(d, stack, &trace, &reach, false);
    fill_points(d, stack, &trace, &reach, true);
    double shares[STACK_DEPTH_MAX];
    for (uint32_t i = 0; i < depth; i++)
        shares[i] = trace.layers[i].share;
    int share_places = column_places(shares, depth);
    for (uint32_t i = 0; i < depth; i++) {
        struct stack_layer *layer = &stack->layers[i];
        fill_layer(d, layer, &trace.layers[i], i < reach.forward, share_places);
        uint32_t flags = ((int32_t)i == reach.layer ? CELL_STAGE : 0u) | ((int32_t)i == stack->cursor ? CELL_CURSOR : 0u);
        layer->stream.flags |= flags;
        layer->update.flags |= flags;
        layer->kept.flags |= flags;
        layer->gradient.flags |= flags & CELL_CURSOR;
    }
    if (!*view->alt)
        view->alt = sentence(d, &trace);
}
