/* Curves of formulas in one variable; how they ran before the knobs moved is dotted. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/view_parts.h"

enum { SAMPLES = 129 };

struct plot {
    struct drawing *d;
    struct part_plot *out;
    const char *variable;
    size_t first; /* among the lines: the lesson's first as it is now, on which the marks stand */
    int place; /* stack index of a layer of facts that holds the variable, over `env` */
};

static int bad(struct drawing *d, const char *field, const char *what)
{
    return lesson_error(d->engine, lesson_line(d->engine, d->construct, field), "view.plot: `%s` %s", field, what);
}

/* The text at position `i` of the list at `list`, or NULL. */
static const char *text_at(lua_State *L, int list, lua_Integer i)
{
    lua_rawgeti(L, list, i);
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

static double number_at(struct drawing *d, int list, lua_Integer i)
{
    lua_rawgeti(d->engine->L, list, i);
    double value = formula_number(d->engine, d->construct, "over", lua_gettop(d->engine->L), d->env);
    lua_pop(d->engine->L, 1);
    return value;
}

/* The words at `key` of the list, or `when_none`. */
static const char *words_at(struct drawing *d, int list, const char *key, const char *field, const char *when_none)
{
    lua_State *L = d->engine->L;
    const char *words = when_none;
    if (lua_getfield(L, list, key) == LUA_TSTRING)
        words = words_fill(d->engine, d->construct, field, lua_tostring(L, -1), d->env);
    lua_pop(L, 1);
    return words;
}

static const char *label_of(struct drawing *d, int list, const char *field)
{
    return words_at(d, list, "label", field, "");
}

/* __index: a fact of the environment below, kept here: it does not change while a curve is sampled. */
static int read_below(lua_State *L)
{
    lua_pushvalue(L, 2);
    lua_gettable(L, lua_upvalueindex(1));
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 1);
    return 1;
}

/* Pushes an environment over `env` to which the variable can be added. */
static int push_variable_env(lua_State *L, int env)
{
    lua_newtable(L);
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, env);
    lua_pushcclosure(L, read_below, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    return lua_gettop(L);
}

/* What formula_push left at `formula`, at the variable's value s. */
static double value_at(struct plot *plot, const char *field, int formula, bool called, int inner, double s)
{
    struct drawing *d = plot->d;
    lua_State *L = d->engine->L;
    lua_pushnumber(L, s);
    lua_setfield(L, inner, plot->variable);
    lua_pushvalue(L, formula);
    if (called)
        formula_call(d->engine, d->construct, field, inner);
    return formula_take_number(d->engine, d->construct, field);
}

static double position(const struct part_plot *out, double share)
{
    return out->x_log ? out->x_from * pow(out->x_to / out->x_from, share) : out->x_from + (out->x_to - out->x_from) * share;
}

static void sample(struct plot *plot, const char *field, int formula, int env, struct plot_line *line)
{
    lua_State *L = plot->d->engine->L;
    int top = lua_gettop(L), inner = push_variable_env(L, env);
    line->count = SAMPLES;
    line->y = scene_zero(plot->d->engine, SAMPLES, sizeof *line->y);
    bool called = formula_push(plot->d->engine, plot->d->construct, field, formula);
    int pushed = lua_gettop(L);
    for (size_t i = 0; i < SAMPLES; i++)
        line->y[i] = (float)value_at(plot, field, pushed, called, inner, position(plot->out, (double)i / (SAMPLES - 1)));
    lua_settop(L, top);
}

static void read_over(struct plot *plot)
{
    struct drawing *d = plot->d;
    lua_State *L = d->engine->L;
    lua_getfield(L, d->fields, "over");
    int over = lua_gettop(L);
    plot->variable = scene_text(d->engine, text_at(L, over, 1));
    plot->out->x_from = number_at(d, over, 2);
    plot->out->x_to = number_at(d, over, 3);
    lua_getfield(L, over, "log");
    plot->out->x_log = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (!(plot->out->x_from < plot->out->x_to) || !isfinite(plot->out->x_from) || !isfinite(plot->out->x_to) || (plot->out->x_log && plot->out->x_from <= 0))
        bad(d, "over", _("needs two rising ends, above 0 when log"));
    plot->out->x_label = label_of(d, over, "over");
    if (!*plot->out->x_label)
        plot->out->x_label = plot->variable;
    lua_pop(L, 1);
}

static bool same_line(const struct plot_line *a, const struct plot_line *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (!(fabsf(a->y[i] - b->y[i]) <= 1e-6f * (1 + fabsf(a->y[i]))) && !(isnan(a->y[i]) && isnan(b->y[i])))
            return false;
    return true;
}

static void read_lines(struct plot *plot)
{
    struct drawing *d = plot->d;
    lua_State *L = d->engine->L;
    lua_getfield(L, d->fields, "lines");
    int lines = lua_gettop(L);
    size_t count = lua_rawlen(L, lines);
    if (!count || count > 16)
        bad(d, "lines", _("needs 1 to 16 lines: { { \"formula\", label = … } }"));
    struct plot_line *out = scene_zero(d->engine, 2 * count, sizeof *out);
    plot->out->lines = out;
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, lines, (lua_Integer)i);
        int line = lua_gettop(L);
        if (lua_type(L, line) != LUA_TTABLE)
            bad(d, "lines", _("is a list of lists: { { \"formula\", label = … } }"));
        const char *field = field_entry(d->engine, "lines", i), *label = label_of(d, line, field);
        lua_rawgeti(L, line, 1);
        int formula = lua_gettop(L);
        struct plot_line now = { .label = label }, before = { .label = label, .dotted = true };
        if (drawing_hides(d, words_at(d, line, "original", field, label))) {
            now.hidden = true;
            now.y = scene_zero(d->engine, 1, sizeof *now.y);
        } else {
            sample(plot, field, formula, d->env, &now);
            if (!lua_rawequal(L, d->env, d->before_env)) {
                sample(plot, field, formula, d->before_env, &before);
                if (!same_line(&now, &before))
                    out[plot->out->line_count++] = before;
            }
        }
        if (i == 1)
            plot->first = plot->out->line_count;
        out[plot->out->line_count++] = now;
        lua_settop(L, lines);
    }
    plot->out->y_label = out[plot->out->line_count - 1].label;
    lua_pop(L, 1);
}

static void read_marks(struct plot *plot)
{
    struct drawing *d = plot->d;
    lua_State *L = d->engine->L;
    int top = lua_gettop(L);
    if (lua_getfield(L, d->fields, "marks") == LUA_TTABLE) {
        int marks = lua_gettop(L);
        size_t count = lua_rawlen(L, marks);
        plot->out->marks = scene_zero(d->engine, count, sizeof *plot->out->marks);
        lua_getfield(L, d->fields, "lines");
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -1, 1);
        int inner = push_variable_env(L, d->env);
        bool called = formula_push(d->engine, d->construct, "lines.1", inner - 1);
        int formula = lua_gettop(L);
        bool hidden = plot->out->lines[plot->first].hidden;
        for (size_t i = 1; i <= count; i++) {
            struct plot_mark mark = { 0 };
            lua_rawgeti(L, marks, (lua_Integer)i);
            int list = lua_gettop(L);
            if (lua_type(L, list) != LUA_TTABLE)
                bad(d, "marks", _("is a list of lists: { { \"formula\", label = … } }"));
            const char *field = field_entry(d->engine, "marks", i);
            mark.label = label_of(d, list, field);
            lua_rawgeti(L, list, 1);
            mark.x = formula_number(d->engine, d->construct, field, lua_gettop(L), d->env);
            if (!hidden && mark.x >= plot->out->x_from && mark.x <= plot->out->x_to) {
                mark.y = value_at(plot, "lines.1", formula, called, inner, mark.x);
                if (isfinite(mark.y))
                    plot->out->marks[plot->out->mark_count++] = mark;
            }
            lua_settop(L, list - 1);
        }
    }
    lua_settop(L, top);
}

/* The height of the plot: from 0 where the curves come near it, rounded outwards to one digit. */
static void set_height(struct engine *engine, struct part_plot *out)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < out->line_count; i++)
        for (size_t j = 0; j < out->lines[i].count; j++)
            if (isfinite(out->lines[i].y[j])) {
                low = fmin(low, (double)out->lines[i].y[j]);
                high = fmax(high, (double)out->lines[i].y[j]);
            }
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    if (low > 0 && low < 0.5 * high)
        low = 0;
    if (high < 0 && high > 0.5 * low)
        high = 0;
    double unit = pow(10, floor(log10(fmax(fmax(fabs(low), fabs(high)), 1e-30))));
    low = floor(low / unit * (1 - 1e-6)) * unit;
    high = ceil(high / unit * (1 - 1e-6)) * unit;
    if (!(low < high))
        high = low + unit;
    out->y_from = low;
    out->y_to = high;
    char text[NUMBER_TEXT];
    const struct { const char **text; double value; } ends[] = {
        { &out->x_from_text, out->x_from }, { &out->x_to_text, out->x_to }, { &out->y_from_text, low }, { &out->y_to_text, high },
    };
    for (size_t i = 0; i < 4; i++) {
        number_text(text, ends[i].value);
        *ends[i].text = scene_text(engine, text);
    }
}

void view_plot(struct drawing *d, struct view *view)
{
    struct part *part = view_parts(d, view, 1);
    part->kind = PART_PLOT;
    struct plot plot = { .d = d, .out = &part->as.plot };
    read_over(&plot);
    read_lines(&plot);
    read_marks(&plot);
    set_height(d->engine, plot.out);
    if (!*view->alt)
        view->alt = arena_printf(d->engine->scene->arena, _("A curve of %s over %s from %s to %s."), plot.out->y_label, plot.out->x_label,
                                 plot.out->x_from_text, plot.out->x_to_text);
}
