/* Views: from what a lesson says to plain data, by kind; rows and columns of views. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/view_parts.h"

enum { DEPTH_MAX = 8 };

/* ---- what the kinds share ---- */

static bool in_list(lua_State *L, const struct step_def *step, const char *field, const char *name)
{
    bool found = false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    if (lua_getfield(L, -1, field) == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, -1) && !found; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i);
            found = !strcmp(lua_tostring(L, -1), name);
            lua_pop(L, 1);
        }
    lua_pop(L, 2);
    return found;
}

bool drawing_hides(struct drawing *d, const char *quantity)
{
    return !d->open && in_list(d->engine->L, d->step, "hide", quantity);
}

bool drawing_editable(struct drawing *d, const char *name)
{
    return name && d->editable && in_list(d->engine->L, d->step, "edit", name);
}

bool drawing_has(struct drawing *d, const char *field)
{
    bool there = lua_getfield(d->engine->L, d->fields, field) != LUA_TNIL;
    lua_pop(d->engine->L, 1);
    return there;
}

bool is_name(const char *text)
{
    return text[0] && !strchr("0123456789", text[0]) &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(text);
}

void drawing_rows(struct drawing *d, int index, const char *field, struct rows *out)
{
    lua_State *L = d->engine->L;
    const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    *out = (struct rows){ .name = text && is_name(text) ? scene_text(d->engine, text) : NULL };
    formula_value(d->engine, d->construct, field, index, d->env);
    if (tensor_of_list(L) != LUA_OK)
        formula_raise(d->engine, d->construct, field);
    out->tensor = tensor_test(L, -1);
    int rank = out->tensor ? tensor_rank(out->tensor) : 0;
    if (rank < 1 || tensor_count(out->tensor) == 0)
        lesson_error(d->engine, d->construct->line, "%s: its entry must come to a tensor with elements, not a %s",
                     construct_name(d->construct->kind), out->tensor ? _("tensor without") : luaL_typename(L, -1));
    out->width = tensor_extent(out->tensor, rank - 1);
    out->count = tensor_count(out->tensor) / out->width;
}

double drawing_number(struct drawing *d, const char *field, double when_none)
{
    lua_State *L = d->engine->L;
    double value = when_none;
    if (lua_getfield(L, d->fields, field) != LUA_TNIL)
        value = formula_number(d->engine, d->construct, field, lua_gettop(L), d->env);
    lua_pop(L, 1);
    return value;
}

const struct tensor *drawing_tensor(struct drawing *d, const char *field)
{
    lua_State *L = d->engine->L;
    if (lua_getfield(L, d->fields, field) == LUA_TNIL) {
        lua_pop(L, 1);
        return NULL;
    }
    formula_value(d->engine, d->construct, field, lua_gettop(L), d->env);
    lua_remove(L, -2);
    if (lua_type(L, -1) == LUA_TNUMBER) {
        struct error err;
        float value = (float)lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (tensor_scalar(tensor_push(L), &d->engine->memory, value, &err))
            raise_error(L, &err);
    }
    const struct tensor *x = tensor_test(L, -1);
    if (!x)
        lesson_error(d->engine, lesson_line(d->engine, d->construct, field), "%s: `%s` must come to a tensor or a number, not a %s",
                     construct_name(d->construct->kind), field, luaL_typename(L, -1));
    return x;
}

struct strings drawing_words(struct drawing *d, const char *field, size_t count, const char *pattern)
{
    lua_State *L = d->engine->L;
    struct strings words = { scene_zero(d->engine, count, sizeof(char *)), count };
    lua_getfield(L, d->fields, field);
    for (size_t i = 0; i < count; i++) {
        words.item[i] = NULL;
        if (lua_type(L, -1) == LUA_TTABLE) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            if (lua_type(L, -1) == LUA_TSTRING)
                words.item[i] = words_fill(d->engine, d->construct, field, lua_tostring(L, -1), d->env);
            lua_pop(L, 1);
        }
        if (!words.item[i]) {
            char number[24];
            snprintf(number, sizeof number, "%zu", i + 1);
            words.item[i] = *pattern ? arena_printf(d->engine->scene->arena, "%s%s", pattern, number) : "";
        }
    }
    lua_pop(L, 1);
    return words;
}

struct strings drawing_names(struct drawing *d, size_t count, const char *pattern)
{
    lua_State *L = d->engine->L;
    size_t there = lua_getfield(L, d->fields, "names") == LUA_TTABLE ? lua_rawlen(L, -1) : count;
    lua_pop(L, 1);
    if (there < count || (there > count && !d->out->knob_count)) /* a knob may bring more numbers */
        examine_fault(d->engine, lesson_line(d->engine, d->construct, "names"), false, "%s: `names` has %zu for %zu to be named",
                      construct_name(d->construct->kind), there, count);
    return drawing_words(d, "names", count, pattern);
}

/* Axes stand as in a tensor's shape, whichever view asks first. */
static int axis_place(const char *axis)
{
    static const char *const places[] = { "batch", "token", "feature" };
    int place = 0;
    while (place < 3 && strcmp(places[place], axis))
        place++;
    return place;
}

uint32_t drawing_cursor(struct drawing *d, const char *axis, size_t size)
{
    lua_State *L = d->engine->L;
    struct scene_step *out = d->out;
    uint32_t limit = (uint32_t)(size < UINT32_MAX ? size : UINT32_MAX), index = 1;
    for (size_t i = 0; i < out->axis_count; i++)
        if (!strcmp(out->axes[i].name, axis)) {
            if (limit > out->axes[i].size)
                out->axes[i].size = limit;
            return out->axes[i].index <= limit ? out->axes[i].index : limit;
        }
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->step->ref);
    if (lua_getfield(L, -1, "cursor") == LUA_TTABLE) {
        lua_getfield(L, -1, axis);
        if (lua_isinteger(L, -1))
            index = (uint32_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    const struct request *request = d->engine->request;
    for (size_t i = 0; i < request->cursor_count && !out->locked; i++)
        if (!strcmp(request->cursors[i].axis, axis))
            index = request->cursors[i].index;
    index = index < 1 ? 1 : index > limit ? limit : index;
    struct scene_axis *axes = scene_zero(d->engine, out->axis_count + 1, sizeof *axes);
    size_t at = 0;
    while (at < out->axis_count && axis_place(out->axes[at].name) <= axis_place(axis))
        at++;
    for (size_t i = 0; i < out->axis_count; i++)
        axes[i + (i >= at)] = out->axes[i];
    axes[at] = (struct scene_axis){ scene_text(d->engine, axis), limit, index };
    out->axes = axes;
    out->axis_count++;
    return index;
}

struct part *view_parts(struct drawing *d, struct view *view, size_t count)
{
    view->parts = scene_zero(d->engine, count, sizeof *view->parts);
    view->part_count = count;
    return view->parts;
}

void cell_number(struct engine *engine, struct cell *cell, double value, int places)
{
    char text[NUMBER_TEXT];
    if (places < 0)
        number_text(text, value);
    else
        number_places(text, value, places);
    cell->text = scene_text(engine, text);
    cell->value = value;
}

void cell_hide(struct cell *cell)
{
    cell->text = "?";
    cell->value = (double)NAN;
    cell->flags |= CELL_HIDDEN;
}

static const double ROUNDED_AWAY = 0.015; /* of a number, at most, for the sake of its column */

/* The places of a column; -1 where one form for all would cost a number its digits. */
int column_places(const double *values, size_t count)
{
    int places = number_common_places(values, count);
    for (size_t i = 0; i < count && places >= 0; i++) {
        char text[NUMBER_TEXT];
        number_places(text, values[i], places);
        if (isfinite(values[i]) && fabs(strtod(text, NULL) - values[i]) > ROUNDED_AWAY * fabs(values[i]))
            return -1;
    }
    return places;
}

void cells_column(struct engine *engine, struct cell *cells, size_t rows, size_t columns, size_t column, const double *values, bool hidden)
{
    int places = column_places(values, rows);
    for (size_t row = 0; row < rows; row++) {
        struct cell *cell = &cells[row * columns + column];
        if (hidden)
            cell_hide(cell);
        else
            cell_number(engine, cell, values[row], places);
    }
}

double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]) && fabs(values[i]) > largest)
            largest = fabs(values[i]);
    return largest > 0 ? largest : 1;
}

/* ---- a view and its children ---- */

static void build(struct drawing *outer, int index, struct view *view, int depth);

static void build_group(struct drawing *d, struct view *view, int depth)
{
    lua_State *L = d->engine->L;
    view->kind = d->construct->kind == K_VIEW_ROW ? VIEW_ROW : VIEW_COLUMN;
    view->child_count = lua_rawlen(L, d->fields);
    view->children = scene_zero(d->engine, view->child_count, sizeof *view->children);
    struct strbuf *alt = strbuf_push(L);
    for (size_t i = 0; i < view->child_count; i++) {
        lua_rawgeti(L, d->fields, (lua_Integer)i + 1);
        build(d, lua_gettop(L), &view->children[i], depth + 1);
        lua_pop(L, 1);
        strbuf_addf(alt, "%s%s", i ? " " : "", view->children[i].alt);
        if (view->children[i].stages > view->stages)
            view->stages = view->children[i].stages;
    }
    if (!*view->alt)
        view->alt = scene_text(d->engine, strbuf_string(alt));
    lua_pop(L, 1);
}

/* The construct at `index`. */
static void build(struct drawing *outer, int index, struct view *view, int depth)
{
    lua_State *L = outer->engine->L;
    int top = lua_gettop(L);
    struct construct *construct = construct_test(L, index);
    if (!construct || !is_view(construct->kind))
        lesson_error(outer->engine, lesson_line(outer->engine, outer->step->construct, "show"), "`show` must come to a view, not a %s",
                     luaL_typename(L, index));
    if (depth > DEPTH_MAX)
        lesson_error(outer->engine, construct->line, "views are nested too deep");
    luaL_checkstack(L, 40, "views nested too deep");
    struct drawing d = *outer;
    d.construct = construct;
    lua_getiuservalue(L, index, 1);
    d.fields = lua_gettop(L);
    view->name = strchr(construct_name(construct->kind), '.') + 1;
    view->alt = "";
    if (lua_getfield(L, d.fields, "alt") == LUA_TSTRING)
        view->alt = words_fill(d.engine, construct, "alt", lua_tostring(L, -1), d.env);
    lua_pop(L, 1);
    switch (construct->kind) {
    case K_VIEW_TOKENS: view_tokens(&d, view); break;
    case K_VIEW_PIPELINE: view_pipeline(&d, view); break;
    case K_VIEW_AXES: view_axes(&d, view); break;
    case K_VIEW_HEAT: view_heat(&d, view); break;
    case K_VIEW_BARS: view_bars(&d, view); break;
    case K_VIEW_TABLE: view_table(&d, view); break;
    case K_VIEW_PLOT: view_plot(&d, view); break;
    case K_VIEW_COMPARE: view_compare(&d, view); break;
    case K_VIEW_BLOCK: view_block(&d, view); break;
    case K_VIEW_STACK: view_stack(&d, view); break;
    case K_VIEW_LEAK: view_leak(&d, view); break;
    case K_VIEW_PROBES: view_probes(&d, view); break;
    case K_VIEW_PRECISION: view_precision(&d, view); break;
    case K_VIEW_CODE: view_code(&d, view); break;
    default: build_group(&d, view, depth);
    }
    lua_settop(L, top);
}

static void fill_editables(struct drawing *d)
{
    lua_State *L = d->engine->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->step->ref);
    if (lua_getfield(L, -1, "edit") != LUA_TTABLE || !d->editable) {
        lua_pop(L, 2);
        return;
    }
    int list = lua_gettop(L);
    size_t count = lua_rawlen(L, list);
    d->out->editables = scene_zero(d->engine, count, sizeof *d->out->editables);
    d->out->editable_count = count;
    for (size_t i = 0; i < count; i++) {
        struct scene_editable *editable = &d->out->editables[i];
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        editable->name = scene_text(d->engine, lua_tostring(L, -1));
        lua_gettable(L, d->env);
        const struct tensor *x = tensor_test(L, -1);
        if (!x)
            lesson_error(d->engine, lesson_line(d->engine, d->step->construct, "edit"), "`edit`: `%s` is not a tensor but a %s", editable->name,
                         luaL_typename(L, -1));
        editable->rank = tensor_rank(x);
        editable->axes = (struct strings){ scene_zero(d->engine, (size_t)editable->rank, sizeof(char *)), (size_t)editable->rank };
        for (int axis = 0; axis < editable->rank; axis++) {
            editable->extents[axis] = (uint32_t)tensor_extent(x, axis);
            editable->axes.item[axis] = scene_text(d->engine, tensor_axis_name(x, axis));
        }
        size_t elements = tensor_count(x);
        editable->cells = scene_zero(d->engine, elements, sizeof *editable->cells);
        for (size_t e = 0; e < elements; e++)
            cell_number(d->engine, &editable->cells[e], (double)tensor_get_flat(x, e), -1);
        lua_settop(L, list);
    }
    lua_settop(L, list - 2);
}

/* Where the step has the mark begin, but it cannot. */
static void check_cursor(struct drawing *d)
{
    lua_State *L = d->engine->L;
    int top = lua_gettop(L);
    const struct construct *where = d->step->construct;
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->step->ref);
    if (lua_getfield(L, -1, "cursor") != LUA_TTABLE) {
        lua_settop(L, top);
        return;
    }
    keys_sorted(L, top + 2);
    for (size_t i = 1; i <= lua_rawlen(L, top + 3); i++) {
        size_t axis = 0;
        lua_rawgeti(L, top + 3, (lua_Integer)i);
        const char *name = lua_tostring(L, -1);
        lua_Integer place = lua_getfield(L, top + 2, name) == LUA_TNUMBER ? lua_tointeger(L, -1) : 1;
        int line = name_line(d->engine, where, "cursor", name);
        while (axis < d->out->axis_count && strcmp(d->out->axes[axis].name, name))
            axis++;
        if (axis == d->out->axis_count)
            examine_fault(d->engine, line, false, "%s \"%s\": `cursor`: no mark goes along `%s` in its view", construct_name(where->kind), where->id, name);
        else if (place > d->out->axes[axis].size)
            examine_fault(d->engine, line, false, "%s \"%s\": `cursor`: %s = %lld is beyond the %u that its view has", construct_name(where->kind),
                          where->id, name, (long long)place, d->out->axes[axis].size);
        lua_settop(L, top + 3);
    }
    lua_settop(L, top);
}

void show_fill(struct engine *engine, const struct step_def *step, int env, int before_env, struct scene_step *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct scene_question *question = out->question;
    struct drawing d = { .engine = engine, .step = step, .env = lua_absindex(L, env), .before_env = lua_absindex(L, before_env), .out = out,
                         .open = !question || question->final,
                         .editable = !question || question->final == (question->predict != PREDICT_NO) };
    const struct step_def *shown = shown_step(engine, step);
    lua_rawgeti(L, LUA_REGISTRYINDEX, shown->ref);
    int type = lua_getfield(L, -1, "show");
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, d.env);
        if (lua_pcall(L, 1, 1, 0) != LUA_OK)
            formula_raise(engine, shown->construct, "show");
        check_made_view(engine, lua_gettop(L));
    }
    if (type != LUA_TNIL && type != LUA_TSTRING) {
        out->view = scene_zero(engine, 1, sizeof *out->view);
        build(&d, lua_gettop(L), out->view, 0);
    }
    fill_editables(&d);
    check_cursor(&d);
    lua_settop(L, top);
}
