/* One block around a sublayer, stage by stage. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/view_parts.h"

static const double EPS_DEFAULT = 1e-5;

/* ---- the orders ---- */

enum { BLOCK_STAGES = 5 };
enum rule { INPUT, SUBLAYER, NORM, ADD }; /* what makes a stage of the one before; ADD: what the block began with is added */

struct stage {
    const char *name;
    enum rule rule;
};

static const struct block_order {
    const char *word;
    struct stage stages[BLOCK_STAGES];
} orders[] = {
    { "post", { { "x", INPUT }, { "F(x)", SUBLAYER }, { "x + F(x)", ADD }, { "LN(x + F(x))", NORM } } },
    { "pre", { { "x", INPUT }, { "LN(x)", NORM }, { "F(LN(x))", SUBLAYER }, { "x + F(LN(x))", ADD } } },
    { "output", { { "x", INPUT }, { "F(x)", SUBLAYER }, { "LN(F(x))", NORM }, { "x + LN(F(x))", ADD } } },
    { "sandwich", { { "x", INPUT }, { "LN(x)", NORM }, { "F(LN(x))", SUBLAYER }, { "LN(F(LN(x)))", NORM }, { "x + LN(F(LN(x)))", ADD } } },
    { "none", { { "x", INPUT }, { "F(x)", SUBLAYER }, { "x + F(x)", ADD } } },
};
enum { ORDERS = sizeof orders / sizeof *orders };

const char *const block_stages[] = { "x", "F(x)", "x + F(x)", "LN(x + F(x))", "LN(x)", "F(LN(x))", "x + F(LN(x))",
                                     "LN(F(x))", "x + LN(F(x))", "LN(F(LN(x)))", "x + LN(F(LN(x)))", NULL };

static const struct block_order *find_order(const char *word)
{
    for (size_t i = 0; i < ORDERS; i++)
        if (!strcmp(orders[i].word, word))
            return &orders[i];
    return NULL;
}

bool block_order_word(const char *word)
{
    return find_order(word);
}

static const struct block_order *take_order(struct drawing *d)
{
    lua_State *L = d->engine->L;
    int top = lua_gettop(L);
    const struct block_order *order = &orders[0];
    if (lua_getfield(L, d->fields, "order") == LUA_TSTRING && !(order = find_order(lua_tostring(L, -1)))) {
        formula_value(d->engine, d->construct, "order", lua_gettop(L), d->env);
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        order = find_order(word);
        if (!order)
            lesson_error(d->engine, lesson_line(d->engine, d->construct, "order"),
                         "view.block: `order` is \"post\", \"pre\", \"output\", \"sandwich\" or \"none\", not \"%s\"", word);
    }
    lua_settop(L, top);
    return order;
}

/* ---- the stages ---- */

static const struct tensor *push_norm(struct drawing *d, const struct tensor *x, double eps)
{
    lua_State *L = d->engine->L;
    struct tensor **y = tensor_push(L), **mean = tensor_push(L), **var = tensor_push(L), **rstd = tensor_push(L);
    struct tensor_norm_options options = { .axes = (tensor_axes)1 << (tensor_rank(x) - 1), .eps = eps };
    struct tensor_norm norm = { 0 };
    struct error err;
    if (layer_norm(&norm, x, &options, &err))
        lesson_error(d->engine, d->construct->line, "view.block: %s", err.text);
    *y = norm.y;
    *mean = norm.mean;
    *var = norm.var;
    *rstd = norm.rstd;
    lua_pop(L, 3);
    return *y;
}

static const struct tensor *push_sum(struct drawing *d, const struct tensor *x, const struct tensor *update)
{
    struct error err;
    struct tensor **sum = tensor_push(d->engine->L);
    if (tensor_binary(sum, TENSOR_ADD, x, update, &err))
        raise_error(d->engine->L, &err);
    return *sum;
}

/* The function `sublayer` of the tensor at `x`, which must give one of the same shape. */
static const struct tensor *push_sublayer(struct drawing *d, int function, int x)
{
    lua_State *L = d->engine->L;
    lua_pushvalue(L, function);
    lua_pushvalue(L, x);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK || tensor_of_list(L) != LUA_OK)
        formula_raise(d->engine, d->construct, "sublayer");
    const struct tensor *in = tensor_test(L, x), *out = tensor_test(L, -1);
    bool same = out && tensor_rank(out) == tensor_rank(in);
    for (int axis = 0; same && axis < tensor_rank(in); axis++)
        same = tensor_extent(out, axis) == tensor_extent(in, axis);
    if (!same)
        lesson_error(d->engine, lesson_line(d->engine, d->construct, "sublayer"),
                     "view.block: `sublayer` must return a tensor of the shape that it was given, or nothing can be added");
    return out;
}

static int push_function(struct drawing *d)
{
    lua_State *L = d->engine->L;
    lua_getfield(L, d->fields, "sublayer");
    if (lua_type(L, -1) != LUA_TFUNCTION)
        formula_value(d->engine, d->construct, "sublayer", lua_gettop(L), d->env);
    if (lua_type(L, -1) != LUA_TFUNCTION)
        lesson_error(d->engine, lesson_line(d->engine, d->construct, "sublayer"), "view.block: `sublayer` must come to a function, not a %s",
                     luaL_typename(L, -1));
    return lua_gettop(L);
}

struct stages {
    size_t count;
    const char *name[BLOCK_STAGES];
    const struct tensor *value[BLOCK_STAGES];
};

static void push_stages(struct drawing *d, const struct block_order *order, const struct tensor *x, int at, double eps, struct stages *out)
{
    lua_State *L = d->engine->L;
    int function = push_function(d);
    for (out->count = 0; out->count < BLOCK_STAGES && order->stages[out->count].name; out->count++) {
        const struct stage *stage = &order->stages[out->count];
        const struct tensor *before = out->count ? out->value[out->count - 1] : x, **value = &out->value[out->count];
        int last = out->count ? lua_gettop(L) : at;
        out->name[out->count] = stage->name;
        switch (stage->rule) {
        case INPUT: lua_pushvalue(L, at); *value = x; break;
        case SUBLAYER: *value = push_sublayer(d, function, last); break;
        case NORM: *value = push_norm(d, before, eps); break;
        case ADD: *value = push_sum(d, x, before); break;
        }
    }
}

/* ---- the view ---- */

/* One stage of the row under the cursor, its mean and variance below. */
static void fill_column(struct drawing *d, struct part_table *table, size_t column, const double *values, size_t n, bool blank, bool hidden)
{
    size_t columns = table->head.count;
    int places = column_places(values, n);
    double deviation = deviation_of(values, n);
    for (size_t row = 0; row < n + 2; row++) {
        struct cell *cell = &table->cells[row * columns + column];
        cell->text = "";
        cell->value = (double)NAN;
        if (blank)
            continue;
        if (hidden)
            cell_hide(cell);
        else if (row < n)
            cell_number(d->engine, cell, values[row], places);
        else
            cell_number(d->engine, cell, row == n ? without_noise(mean_of(values, n), values, n) : deviation * deviation, -1);
    }
}

void view_block(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    struct rows x;
    struct stages stages;
    struct arena *arena = d->engine->scene->arena;
    luaL_checkstack(L, 20, NULL);
    lua_rawgeti(L, d->fields, 1);
    drawing_rows(d, lua_gettop(L), "show", &x);
    int at = lua_gettop(L);
    const struct block_order *order = take_order(d);
    push_stages(d, order, x.tensor, at, drawing_number(d, "eps", EPS_DEFAULT), &stages);
    size_t n = x.width, columns = stages.count;
    uint32_t token = x.count > 1 ? drawing_cursor(d, "token", x.count) : 1, feature = drawing_cursor(d, "feature", n), now = d->engine->request->stage;
    now = now > columns ? (uint32_t)columns : now;
    view->stages = (uint32_t)columns;

    struct part *parts = view_parts(d, view, 2);
    struct part_table *table = &parts[0].as.table;
    parts[0].kind = PART_TABLE;
    table->corner = x.count > 1 ? arena_printf(arena, _("token %u"), token) : "";
    table->labels = (struct strings){ scene_zero(d->engine, n + 2, sizeof(char *)), n + 2 };
    for (size_t i = 0; i < n; i++)
        table->labels.item[i] = arena_printf(arena, "x%zu", i + 1);
    table->labels.item[n] = _("mean");
    table->labels.item[n + 1] = _("variance");
    table->head = (struct strings){ scene_zero(d->engine, columns, sizeof(char *)), columns };
    table->cells = scene_zero(d->engine, (n + 2) * columns, sizeof *table->cells);
    table->cursor_row = (int32_t)feature - 1;
    double *values = scene_zero(d->engine, columns * n, sizeof *values);
    for (size_t c = 0; c < columns; c++) {
        table->head.item[c] = stages.name[c];
        for (size_t i = 0; i < n; i++)
            values[c * n + i] = (double)tensor_get_flat(stages.value[c], (token - 1) * n + i);
        fill_column(d, table, c, values + c * n, n, now && c >= now, drawing_hides(d, stages.name[c]));
        table->cells[(feature - 1) * columns + c].flags |= CELL_CURSOR;
        for (size_t row = 0; row < n + 2 && c + 1 == now; row++)
            table->cells[row * columns + c].flags |= CELL_STAGE;
        for (size_t row = 0; row < n && c == 0 && drawing_editable(d, x.name); row++)
            table->cells[row * columns].flags |= CELL_EDITABLE;
    }

    size_t last = now ? now - 1 : columns - 1;
    struct part_bars *bars = &parts[1].as.bars;
    parts[1].kind = PART_BARS;
    bars->title = "";
    bars->labels = (struct strings){ table->labels.item, n };
    bars->cursor_row = (int32_t)feature - 1;
    bars->series_count = last > 0 ? 2 : 1;
    bars->series = scene_zero(d->engine, 2, sizeof *bars->series);
    fill_series(d, &bars->series[0], "x", values, n, largest_of(values, n), drawing_hides(d, "x"));
    fill_series(d, &bars->series[1], stages.name[last], values + last * n, n, largest_of(values + last * n, n), drawing_hides(d, stages.name[last]));
    if (!*view->alt)
        view->alt = arena_printf(arena, _("One token of %zu features through a block, stage by stage: %s."), n, stages.name[columns - 1]);
}
