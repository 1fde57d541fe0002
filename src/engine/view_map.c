/* A tensor cell by cell: which elements share a statistic, and how large each is. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/view_parts.h"

enum { MEANS_SHOWN = 24 };

/* ---- what maps share ---- */

void drawing_map(struct drawing *d, int index, struct rows *out)
{
    char shape[TENSOR_SHAPE_TEXT];
    drawing_rows(d, index, "show", out);
    if (tensor_rank(out->tensor) > MAP_AXES_MAX)
        lesson_error(d->engine, d->construct->line, "%s shows a tensor of 1 to %d axes; this is one of %d: %s", construct_name(d->construct->kind),
                     MAP_AXES_MAX, tensor_rank(out->tensor), tensor_shape_text(out->tensor, shape));
}

const char *map_axis_name(const struct tensor *x, int axis)
{
    const char *name = tensor_axis_name(x, axis);
    return !strcmp(name, "batch") ? _("sample") : !strcmp(name, "token") ? _("token") : !strcmp(name, "feature") ? _("feature") : name;
}

/* "sample 1", "token 2" along an axis of x; features are x1, x2 as everywhere; "" where there is one alone or no such axis. */
static struct strings axis_labels(struct drawing *d, const struct tensor *x, int axis)
{
    size_t count = axis < 0 ? 1 : tensor_extent(x, axis);
    struct strings labels = { scene_zero(d->engine, count, sizeof(char *)), count };
    for (size_t i = 0; i < count; i++) {
        const char *name = axis < 0 ? "" : map_axis_name(x, axis);
        labels.item[i] = count == 1 ? "" : arena_printf(d->engine->scene->arena, axis >= 0 && strcmp(tensor_axis_name(x, axis), "feature") ? "%s %zu" : "x%.0s%zu", name, i + 1);
    }
    return labels;
}

void map_fill(struct drawing *d, struct part *part, const struct tensor *shape, const double *values, const char *title, bool hidden)
{
    struct part_map *map = &part->as.map;
    int rank = tensor_rank(shape);
    part->kind = PART_MAP;
    map->title = title;
    map->blocks = axis_labels(d, shape, rank - 3);
    map->rows = axis_labels(d, shape, rank - 2);
    map->columns = axis_labels(d, shape, rank - 1);
    map->cells = scene_zero(d->engine, tensor_count(shape), sizeof *map->cells);
    cells_column(d->engine, map->cells, tensor_count(shape), 1, 0, values, hidden);
}

void map_cursor(struct drawing *d, const struct tensor *x, size_t index[MAP_AXES_MAX])
{
    for (int axis = 0; axis < tensor_rank(x); axis++)
        index[axis] = tensor_extent(x, axis) > 1 ? drawing_cursor(d, tensor_axis_name(x, axis), tensor_extent(x, axis)) - 1 : 0;
}

size_t map_position(const struct tensor *x, const size_t *index)
{
    size_t position = 0;
    for (int axis = 0; axis < tensor_rank(x); axis++)
        position = position * tensor_extent(x, axis) + index[axis];
    return position;
}

static double *all_numbers(struct drawing *d, const struct tensor *x)
{
    double *values = scene_zero(d->engine, tensor_count(x), sizeof *values);
    for (size_t i = 0; i < tensor_count(x); i++)
        values[i] = (double)tensor_get_flat(x, i);
    return values;
}

static void mark(struct cell *cells, size_t count, uint32_t flag)
{
    for (size_t i = 0; i < count; i++)
        cells[i].flags |= flag;
}

/* The map of the view's tensor, its cursor and what may be edited; `more` ends its title. */
static void fill_own_map(struct drawing *d, struct part *part, const struct rows *x, const double *values, bool hidden, const char *more,
                         size_t cursor[MAP_AXES_MAX])
{
    char shape[TENSOR_SHAPE_TEXT];
    const char *title = arena_printf(d->engine->scene->arena, "%s%s%s%s", x->name ? x->name : "", x->name ? " " : "",
                                     tensor_shape_text(x->tensor, shape), more);
    map_fill(d, part, x->tensor, values, title, hidden);
    map_cursor(d, x->tensor, cursor);
    part->as.map.cells[map_position(x->tensor, cursor)].flags |= CELL_CURSOR;
    if (drawing_editable(d, x->name))
        mark(part->as.map.cells, tensor_count(x->tensor), CELL_EDITABLE);
}

/* ---- axes ---- */

struct axes_read {
    const struct tensor *x;
    tensor_axes axes;
};

/* Arguments: a struct axes_read, the value. */
static int read_axes(lua_State *L)
{
    struct axes_read *read = lua_touserdata(L, 1);
    if (lua_isnil(L, 2))
        return luaL_error(L, "it must come to an axis, a list of axes or \"all\", not to nil");
    read->axes = axes_argument(L, 2, read->x, 0);
    if (!read->axes)
        return luaL_error(L, "it names no axis");
    return 0;
}

/* Arguments: an environment, a name. */
static int look_up(lua_State *L)
{
    lua_gettable(L, 1);
    return 1;
}

/* Is the text at the index a name that no fact has? */
static bool no_fact(lua_State *L, int index, int env)
{
    if (!is_name(lua_tostring(L, index)))
        return false;
    lua_pushcfunction(L, look_up);
    lua_pushvalue(L, env);
    lua_pushvalue(L, index);
    bool none = lua_pcall(L, 2, 1, 0) != LUA_OK;
    lua_pop(L, 1);
    return none;
}

/* A word that is an axis of x, or `all`, or means one; a list; else a formula that comes to one of these. */
static tensor_axes over_axes(struct drawing *d, const struct tensor *x)
{
    lua_State *L = d->engine->L;
    struct axes_read read = { x, 0 };
    int top = lua_gettop(L);
    bool word = lua_getfield(L, d->fields, "over") == LUA_TSTRING &&
                (!strcmp(lua_tostring(L, -1), "all") || tensor_find_axis(x, lua_tostring(L, -1)) >= 0 || no_fact(L, top + 1, d->env));
    if (!word)
        formula_value(d->engine, d->construct, "over", top + 1, d->env);
    lua_pushcfunction(L, read_axes);
    lua_pushlightuserdata(L, &read);
    lua_pushvalue(L, -3);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK)
        formula_raise(d->engine, d->construct, "over");
    lua_settop(L, top);
    return read.axes;
}

/* "feature", "batch and token", "all axes" */
static const char *axes_words(struct drawing *d, const struct tensor *x, tensor_axes axes)
{
    const char *words = "";
    if (axes == tensor_all_axes(x) && tensor_rank(x) > 1)
        return _("all axes");
    for (int axis = 0; axis < tensor_rank(x); axis++)
        if (axes >> axis & 1)
            words = arena_printf(d->engine->scene->arena, "%s%s%s", words, *words ? _(" and ") : "", _(tensor_axis_name(x, axis)));
    return words;
}

/* Marks the elements of x that go into the same mean as the one at `cursor`; how many they are. */
static size_t mark_set(struct cell *cells, const struct tensor *x, tensor_axes over, const size_t *cursor)
{
    size_t members = 0;
    for (size_t i = 0; i < tensor_count(x); i++) {
        bool member = true;
        size_t rest = i;
        for (int axis = tensor_rank(x) - 1; axis >= 0; axis--) {
            member = member && (over >> axis & 1 || rest % tensor_extent(x, axis) == cursor[axis]);
            rest /= tensor_extent(x, axis);
        }
        cells[i].flags |= member ? CELL_SET : 0u;
        members += member;
    }
    return members;
}

/* One row: the shape of the means, how many they are, the one of the marked numbers. */
static void fill_facts(struct drawing *d, struct part *part, const struct tensor *means, double mean)
{
    static const char *const heads[] = { N_("shape of mean"), N_("means"), N_("this mean") };
    enum { SHAPE, COUNT, MEAN, COLUMNS };
    char shape[TENSOR_SHAPE_TEXT];
    struct part_table *table = &part->as.table;
    part->kind = PART_TABLE;
    table->corner = "";
    table->labels = (struct strings){ scene_zero(d->engine, 1, sizeof(char *)), 1 };
    table->labels.item[0] = "";
    table->head = (struct strings){ scene_zero(d->engine, COLUMNS, sizeof(char *)), COLUMNS };
    for (int c = 0; c < COLUMNS; c++)
        table->head.item[c] = _(heads[c]);
    table->cells = scene_zero(d->engine, COLUMNS, sizeof *table->cells);
    table->cursor_row = -1;
    table->cells[SHAPE] = (struct cell){ scene_text(d->engine, tensor_shape_text(means, shape)), (double)NAN, CELL_WORDS };
    cell_number(d->engine, &table->cells[COUNT], (double)tensor_count(means), 0);
    cell_number(d->engine, &table->cells[MEAN], mean, -1);
    for (int c = 0; c < COLUMNS; c++)
        if (drawing_hides(d, c == MEAN ? "statistic" : "shape"))
            cell_hide(&table->cells[c]);
}

void view_axes(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    struct rows x;
    struct error err;
    lua_rawgeti(L, d->fields, 1);
    drawing_map(d, lua_gettop(L), &x);
    tensor_axes over = over_axes(d, x.tensor);
    struct tensor **means = tensor_push(L);
    if (tensor_reduce(means, TENSOR_MEAN, x.tensor, over, &err))
        raise_error(L, &err);
    bool shape_hidden = drawing_hides(d, "shape");
    size_t count = tensor_count(*means), cursor[MAP_AXES_MAX], own[MAP_AXES_MAX];
    bool listed = count > 1 && count <= MEANS_SHOWN && !shape_hidden; /* all the means, cell by cell, would tell their shape */

    struct part *parts = view_parts(d, view, listed ? 3 : 2);
    const char *words = axes_words(d, x.tensor, over);
    fill_own_map(d, &parts[0], &x, all_numbers(d, x.tensor), false, arena_printf(d->engine->scene->arena, _(" over %s"), words), cursor);
    size_t members = mark_set(parts[0].as.map.cells, x.tensor, over, cursor);
    for (int axis = 0; axis < tensor_rank(x.tensor); axis++)
        own[axis] = over >> axis & 1 ? 0 : cursor[axis];
    fill_facts(d, &parts[1], *means, (double)tensor_get(*means, own));
    if (listed) {
        map_fill(d, &parts[2], *means, all_numbers(d, *means), _("the means"), drawing_hides(d, "statistic"));
        parts[2].as.map.cells[map_position(*means, own)].flags |= CELL_CURSOR;
    }
    if (!*view->alt) {
        char shape[TENSOR_SHAPE_TEXT], kept[TENSOR_SHAPE_TEXT];
        const char *about = arena_printf(d->engine->scene->arena, _("A %s tensor averaged over %s"), tensor_shape_text(x.tensor, shape), words);
        view->alt = shape_hidden ? arena_printf(d->engine->scene->arena, _("%s; the numbers that share the mean of the one under the cursor are marked."), about)
                                 : arena_printf(d->engine->scene->arena, _("%s: %zu mean%s, shape %s; the %zu number%s in the mean of the one under the cursor "
                                                "are marked."), about, count, count == 1 ? "" : "s", tensor_shape_text(*means, kept), members,
                                                members == 1 ? "" : "s");
    }
}

/* ---- heat ---- */

void view_heat(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    struct rows x;
    lua_rawgeti(L, d->fields, 1);
    drawing_map(d, lua_gettop(L), &x);
    bool hidden = drawing_hides(d, "cells");
    size_t cursor[MAP_AXES_MAX], count = tensor_count(x.tensor);
    const double *values = all_numbers(d, x.tensor);
    struct part *part = view_parts(d, view, 1);
    fill_own_map(d, part, &x, values, hidden, "", cursor);
    part->as.map.reach = hidden ? 1 : largest_of(values, count); /* or it would tell the largest of them */
    if (drawing_has(d, "names"))
        part->as.map.columns = drawing_names(d, x.width, "x");
    if (!*view->alt) {
        char shape[TENSOR_SHAPE_TEXT], least[NUMBER_TEXT], most[NUMBER_TEXT];
        double from = (double)INFINITY, to = -(double)INFINITY;
        for (size_t i = 0; i < count; i++) {
            from = fmin(from, values[i]);
            to = fmax(to, values[i]);
        }
        number_text(least, from);
        number_text(most, to);
        view->alt = arena_printf(d->engine->scene->arena, hidden ? _("A %s tensor, shaded by magnitude.") : _("A %s tensor, shaded by magnitude: from %s to %s."),
                                 tensor_shape_text(x.tensor, shape), least, most);
    }
}
