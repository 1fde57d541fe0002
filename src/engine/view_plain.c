/* Numbers as bars and as a table; lines of a program. */
#include <string.h>

#include "base/language.h"
#include "engine/view_parts.h"

void view_bars(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    struct rows x;
    lua_rawgeti(L, d->fields, 1);
    drawing_rows(d, lua_gettop(L), "show", &x);
    bool hidden = drawing_hides(d, "cells"), editable = drawing_editable(d, x.name);
    uint32_t feature = drawing_cursor(d, "feature", x.width);
    struct part *part = view_parts(d, view, 1);
    struct part_bars *bars = &part->as.bars;
    part->kind = PART_BARS;
    bars->title = "";
    bars->labels = drawing_names(d, x.width, "x");
    bars->cursor_row = (int32_t)feature - 1;
    bars->series_count = x.count;
    bars->series = scene_zero(d->engine, x.count, sizeof *bars->series);
    double *values = scene_zero(d->engine, x.width, sizeof *values);
    for (size_t row = 0; row < x.count; row++) {
        struct bars_series *series = &bars->series[row];
        for (size_t i = 0; i < x.width; i++)
            values[i] = (double)tensor_get_flat(x.tensor, row * x.width + i);
        series->label = x.count > 1 ? arena_printf(d->engine->scene->arena, _("token %zu"), row + 1) : "";
        series->reach = hidden ? 1 : largest_of(values, x.width); /* or it would tell the largest of them */
        series->cells = scene_zero(d->engine, x.width, sizeof *series->cells);
        cells_column(d->engine, series->cells, x.width, 1, 0, values, hidden);
        for (size_t i = 0; i < x.width; i++)
            series->cells[i].flags |= (editable ? CELL_EDITABLE : 0u) | (i + 1 == feature ? CELL_CURSOR : 0u);
    }
    if (!*view->alt)
        view->alt = arena_printf(d->engine->scene->arena, _("%zu numbers as bars around zero."), x.width * x.count);
}

/* One cell: the formula at the top of the stack, popped. */
static void fill_cell(struct drawing *d, struct cell *cell, size_t row, size_t column, bool hidden)
{
    lua_State *L = d->engine->L;
    int top = lua_gettop(L);
    formula_value(d->engine, d->construct, "1", top, d->env);
    if (!value_readable(L, -1))
        lesson_error(d->engine, d->construct->line, "view.table: row %zu, column %zu comes to a %s, which nobody can read: a number, a tensor, a list or a text "
                     "may stand there", row + 1, column + 1, luaL_typename(L, -1));
    const struct tensor *x = tensor_test(L, -1);
    if (hidden) {
        cell_hide(cell);
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        cell_number(d->engine, cell, lua_tonumber(L, -1), lua_isinteger(L, -1) ? 0 : -1);
    } else if (x && tensor_count(x) == 1) {
        cell_number(d->engine, cell, (double)tensor_get_flat(x, 0), -1);
    } else {
        struct strbuf *text = strbuf_push(L);
        value_text(L, -2, NULL, text);
        cell->text = scene_text(d->engine, strbuf_string(text));
        cell->flags |= CELL_WORDS;
    }
    lua_settop(L, top - 1);
}

void view_table(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    size_t rows = lua_rawlen(L, d->fields), columns = 0;
    for (size_t row = 1; row <= rows; row++) {
        lua_rawgeti(L, d->fields, (lua_Integer)row);
        columns = lua_rawlen(L, -1) > columns ? lua_rawlen(L, -1) : columns;
        lua_pop(L, 1);
    }
    bool hidden = drawing_hides(d, "cells");
    struct part *part = view_parts(d, view, 1);
    struct part_table *table = &part->as.table;
    part->kind = PART_TABLE;
    table->corner = "";
    table->head = drawing_words(d, "head", columns, "");
    table->labels = drawing_words(d, "names", rows, "");
    table->cells = scene_zero(d->engine, rows * columns, sizeof *table->cells);
    table->cursor_row = -1;
    for (size_t row = 0; row < rows; row++) {
        lua_rawgeti(L, d->fields, (lua_Integer)row + 1);
        int list = lua_gettop(L);
        size_t filled = lua_rawlen(L, list);
        for (size_t c = 0; c < columns; c++) {
            struct cell *cell = &table->cells[row * columns + c];
            cell->text = "";
            if (c >= filled)
                continue;
            lua_rawgeti(L, list, (lua_Integer)c + 1);
            fill_cell(d, cell, row, c, hidden);
        }
        lua_pop(L, 1);
    }
    if (!*view->alt)
        view->alt = arena_printf(d->engine->scene->arena, columns == 1 ? language_count("A table of %zu row and %zu column.", "A table of %zu rows and %zu column.", rows)
                                                                      : language_count("A table of %zu row and %zu columns.", "A table of %zu rows and %zu columns.", rows),
                                 rows, columns);
}

void view_code(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    lua_rawgeti(L, d->fields, 1);
    formula_value(d->engine, d->construct, "show", lua_gettop(L), d->env);
    if (lua_type(L, -1) != LUA_TSTRING)
        lesson_error(d->engine, d->construct->line, "view.code: its entry must come to a text, not a %s", luaL_typename(L, -1));
    struct part *part = view_parts(d, view, 1);
    part->kind = PART_CODE;
    part->as.code = (struct part_code){ .title = "", .text = scene_text(d->engine, lua_tostring(L, -1)) };
    if (!*view->alt)
        view->alt = _("Lines of a program.");
}
