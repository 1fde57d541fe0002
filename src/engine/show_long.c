/* A value in lines of its own: a tensor as rows under the names of its axes, a table with its keys. */
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

enum { ROW_PLAIN = 16 /* elements of a row without a head */, BLOCKS = 8, ROWS = 16, COLUMNS = 12, KEYS = 40 }; /* as many are shown */

struct grid {
    size_t rows, columns;    /* of a block */
    size_t shown_rows, shown_columns;
    int places;              /* -1: each number by itself */
    int width;
};

static void number(char out[NUMBER_TEXT], double value, const struct grid *grid)
{
    if (grid->places < 0)
        number_text(out, value);
    else
        number_places(out, value, grid->places);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* "batch 2, token 3, feature 4" */
static void add_head(const struct tensor *x, struct strbuf *out)
{
    for (int axis = 0; axis < tensor_rank(x); axis++)
        strbuf_addf(out, "%s%s %zu", axis ? ", " : "", tensor_axis_name(x, axis), tensor_extent(x, axis));
    if (tensor_type(x) != TENSOR_FLOAT32)
        strbuf_addf(out, ", %s", tensor_type_name(tensor_type(x)));
}

/* "batch 1:" of the block, which is the index of all axes but the last two. */
static void add_block_name(const struct tensor *x, size_t block, struct strbuf *out)
{
    size_t index[TENSOR_RANK_MAX];
    int axes = tensor_rank(x) - 2;
    for (int axis = axes - 1; axis >= 0; axis--) {
        index[axis] = block % tensor_extent(x, axis);
        block /= tensor_extent(x, axis);
    }
    for (int axis = 0; axis < axes; axis++)
        strbuf_addf(out, "%s%s %zu", axis ? ", " : "\n", tensor_axis_name(x, axis), index[axis] + 1);
}

static void measure(const struct tensor *x, size_t blocks, struct grid *grid)
{
    double values[BLOCKS * ROWS * COLUMNS] = { 0 };
    char text[NUMBER_TEXT];
    size_t count = 0;
    for (size_t block = 0; block < blocks; block++)
        for (size_t row = 0; row < grid->shown_rows; row++)
            for (size_t column = 0; column < grid->shown_columns; column++)
                values[count++] = (double)tensor_get_flat(x, (block * grid->rows + row) * grid->columns + column);
    grid->places = number_common_places(values, count);
    grid->width = 0;
    for (size_t i = 0; i < count; i++) {
        number(text, values[i], grid);
        if ((int)strlen(text) > grid->width)
            grid->width = (int)strlen(text);
    }
}

static void add_rows(const struct tensor *x, size_t block, const struct grid *grid, struct strbuf *out)
{
    char text[NUMBER_TEXT];
    for (size_t row = 0; row < grid->shown_rows; row++) {
        strbuf_add(out, "\n");
        for (size_t column = 0; column < grid->shown_columns; column++) {
            number(text, (double)tensor_get_flat(x, (block * grid->rows + row) * grid->columns + column), grid);
            strbuf_addf(out, "  %*s", grid->width, text);
        }
        strbuf_add(out, grid->shown_columns < grid->columns ? "  …" : "");
    }
    if (grid->shown_rows < grid->rows)
        strbuf_add(out, "\n  …");
}

static void add_tensor(const struct tensor *x, struct strbuf *out)
{
    int rank = tensor_rank(x);
    size_t columns = tensor_extent(x, rank - 1), rows = rank > 1 ? tensor_extent(x, rank - 2) : 1;
    size_t all = tensor_count(x) / (rows * columns), blocks = least(all, BLOCKS);
    struct grid grid = { .rows = rows, .columns = columns, .shown_rows = least(rows, ROWS), .shown_columns = least(columns, COLUMNS) };
    measure(x, blocks, &grid);
    add_head(x, out);
    for (size_t block = 0; block < blocks; block++) {
        if (rank > 2)
            add_block_name(x, block, out);
        add_rows(x, block, &grid, out);
    }
    if (blocks < all)
        strbuf_addf(out, _("\n… %zu more"), all - blocks);
}

/* Of a table without a list in it. */
static void add_table(lua_State *L, int index, struct strbuf *out)
{
    keys_sorted(L, index);
    int keys = lua_gettop(L);
    size_t count = lua_rawlen(L, keys), shown = least(count, KEYS);
    for (size_t i = 1; i <= shown; i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        strbuf_add(out, i > 1 ? "\n" : "");
        value_text(L, keys + 1, NULL, out);
        strbuf_add(out, " = ");
        lua_rawget(L, index);
        value_text(L, keys + 1, NULL, out);
        lua_settop(L, keys);
    }
    if (shown < count)
        strbuf_addf(out, _("\n… %zu more"), count - shown);
    lua_settop(L, keys - 1);
}

static bool keyed_table(lua_State *L, int index)
{
    int top = lua_gettop(L);
    if (!lua_istable(L, index) || lua_rawlen(L, index) > 0)
        return false;
    lua_pushnil(L);
    bool keyed = lua_next(L, index) && !lua_getmetatable(L, index);
    lua_settop(L, top);
    return keyed;
}

void value_lines(lua_State *L, int index, struct strbuf *out)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 10, NULL);
    const struct tensor *x = tensor_test(L, index);
    if (x && tensor_count(x) > 0 && (tensor_rank(x) > 1 || tensor_count(x) > ROW_PLAIN))
        add_tensor(x, out);
    else if (keyed_table(L, index))
        add_table(L, index, out);
    else
        value_text(L, index, NULL, out);
}
