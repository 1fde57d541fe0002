#include <stdio.h>
#include <stdlib.h>

#include "base/language.h"
#include "ui/view.h"

enum { MARK_COLUMNS = 2 /* before a row's label */, GAP_MOST = 3 };

/* A column: numbers stand so that their points are below each other. */
struct column {
    int whole, rest; /* columns before the point, and from it on */
    int words;       /* the widest left-aligned text */
    int head;
    bool numbers;
};

static int column_width(const struct column *column)
{
    return larger(larger(column->whole + column->rest, column->words), column->head);
}

/* Words begin at the left, and numbers among them. */
static bool stands_right(const struct column *column)
{
    return column->numbers && !column->words;
}

static struct column measure(const struct grid *grid, const struct part_table *table, size_t c)
{
    struct column column = {.head = grid_width(grid, table->head.item[c])};
    for (size_t r = 0; r < table->labels.count; r++) {
        const struct cell *cell = &table->cells[r * table->head.count + c];
        int sign = grid_width(grid, cell_sign(cell)), width = sign + grid_width(grid, cell->text);
        if (cell->flags & CELL_WORDS) {
            column.words = larger(column.words, width);
            continue;
        }
        int point = sign + cell_point(grid, cell);
        column.numbers |= width > 0;
        column.whole = larger(column.whole, point);
        column.rest = larger(column.rest, width - point);
    }
    return column;
}

static int label_width(const struct grid *grid, const struct part_table *table)
{
    int width = grid_width(grid, table->corner);
    for (size_t r = 0; r < table->labels.count; r++)
        width = larger(width, grid_width(grid, table->labels.item[r]));
    return width + MARK_COLUMNS;
}

static bool has_head(const struct part_table *table)
{
    bool words = *table->corner;
    for (size_t c = 0; c < table->head.count; c++)
        words |= *table->head.item[c] != '\0';
    return words;
}

struct extent table_extent(const struct part_table *table)
{
    int rows = table->labels.count < 1000 ? (int)table->labels.count : 1000;
    int whole = rows + has_head(table), want = whole + (table->note != NULL);
    int least = whole < 5 ? whole : 4;
    return (struct extent){.least = least, .all = least, .want = want, .most = want};
}

int table_columns(const struct grid *grid, const struct part_table *table)
{
    int width = label_width(grid, table);
    for (size_t c = 0; c < table->head.count; c++) {
        struct column column = measure(grid, table, c);
        width += GAP_MOST + column_width(&column);
    }
    return width + 1;
}

/* Which columns stand where. */
struct layout {
    struct column *columns;
    int *start; /* of each column shown */
    size_t first, end;
    int gap, label;
};

/* Stage after stage, a table stays where it stands as a whole, when the whole row is marked. */
static bool has_stage(const struct part_table *table)
{
    bool stage = false;
    for (size_t i = 0; i < table->labels.count * table->head.count; i++)
        stage |= (table->cells[i].flags & CELL_STAGE) != 0;
    return stage;
}

static size_t cursor_column(const struct part_table *table, size_t *marked)
{
    size_t at = 0;
    *marked = 0;
    for (size_t i = 0; i < table->labels.count * table->head.count; i++) {
        if (table->cells[i].flags & CELL_CURSOR) {
            at = i % table->head.count;
            ++*marked;
        }
    }
    return at;
}

/* How many columns from `first` on fit. */
static size_t fitting(const struct layout *layout, size_t first, size_t count, int room)
{
    size_t end = first;
    int used = layout->label + 1;
    while (end < count) {
        used += layout->gap + column_width(&layout->columns[end]);
        int mark = end + 1 < count || first ? 2 : 0;
        if (used + mark > room)
            break;
        end++;
    }
    return end > first || first >= count ? end : first + 1;
}

static void place(const struct grid *grid, const struct part_table *table, struct box box,
                  struct layout *layout)
{
    size_t count = table->head.count, marked;
    layout->label = label_width(grid, table);
    if (layout->label > box.columns / 2)
        layout->label = box.columns / 2;
    for (layout->gap = GAP_MOST; layout->gap > 1; layout->gap--) {
        if (fitting(layout, 0, count, box.columns) == count)
            break;
    }
    size_t cursor = cursor_column(table, &marked);
    layout->end = fitting(layout, layout->first, count, box.columns);
    while (marked == 1 && cursor >= layout->end && layout->first < cursor)
        layout->end = fitting(layout, ++layout->first, count, box.columns);
    int column = box.column + layout->label;
    for (size_t c = layout->first; c < layout->end; c++) {
        column += layout->gap;
        layout->start[c] = column;
        column += column_width(&layout->columns[c]);
    }
}

static void draw_head(struct grid *grid, const struct part_table *table, struct box box,
                      const struct layout *layout)
{
    int right = box.column + box.columns;
    grid_put_fit(grid, box.column + MARK_COLUMNS, box.row, box.column + layout->label, STYLE_DIM,
                 table->corner);
    for (size_t c = layout->first; c < layout->end; c++) {
        const struct column *column = &layout->columns[c];
        int start = layout->start[c];
        if (stands_right(column))
            start += column_width(column) - column->head;
        bool stage = false;
        for (size_t r = 0; r < table->labels.count; r++)
            stage |= (table->cells[r * table->head.count + c].flags & CELL_STAGE) != 0;
        grid_put_fit(grid, start, box.row, right, stage ? STYLE_STRONG : STYLE_DIM, table->head.item[c]);
    }
    if (layout->first)
        grid_put(grid, box.column, box.row, right, STYLE_DIM, "‹");
    if (layout->end < table->head.count)
        grid_put(grid, right - 1, box.row, right, STYLE_DIM, "›");
}

static void draw_cell(struct grid *grid, const struct cell *cell, const struct column *column, int start,
                      int row, int right, bool strong, bool bracket, bool roomy)
{
    int sign = grid_width(grid, cell_sign(cell)), width = sign + grid_width(grid, cell->text);
    if (!*cell->text)
        return;
    if (!(cell->flags & CELL_WORDS))
        start += (stands_right(column) ? column_width(column) - column->rest : column->whole) - sign -
                 cell_point(grid, cell);
    enum style style = cell_style(cell, strong);
    bool set = cell->flags & CELL_SET;
    grid_put_fit(grid, grid_put(grid, start, row, right, style, cell_sign(cell)), row, right, style,
                 cell->text);
    if (!bracket && !(cell->flags & (CELL_CHANGED | CELL_SET)))
        return;
    grid_put(grid, start - 1, row, right, style, bracket ? "[" : set ? "‹" : "*");
    if (bracket || set || roomy)
        grid_put(grid, start + width, row, right, style, bracket ? "]" : set ? "›" : "*");
}

bool table_reaches(const struct grid *grid, const struct part_table *table, int columns)
{
    int label = label_width(grid, table), used = label + 1;
    size_t marked;
    for (size_t c = 0; c < table->head.count; c++) {
        struct column column = measure(grid, table, c);
        used += 1 + column_width(&column);
    }
    cursor_column(table, &marked);
    return label <= columns / 2 && (used <= columns || (marked == 1 && !has_stage(table)));
}

void table_draw(struct grid *grid, const struct part_table *table, struct box box, bool focused)
{
    size_t count = table->head.count, marked;
    struct layout layout = {.columns = calloc(count + 1, sizeof *layout.columns),
                            .start = calloc(count + 1, sizeof *layout.start)};
    if (layout.columns && layout.start && box.columns > MARK_COLUMNS && box.rows > 0) {
        for (size_t c = 0; c < count; c++)
            layout.columns[c] = measure(grid, table, c);
        place(grid, table, box, &layout);
        cursor_column(table, &marked);
        int row = box.row, right = box.column + box.columns, first, shown;
        if (has_head(table) && box.rows > 1)
            draw_head(grid, table, (struct box){box.column, row++, box.columns, 1}, &layout);
        cell_window((int)table->labels.count, box.row + box.rows - row, table->cursor_row, &first, &shown);
        for (int r = first; r < first + shown; r++, row++) {
            bool here = r == table->cursor_row;
            if (here)
                grid_put(grid, box.column, row, right, STYLE_CURSOR, "▸");
            grid_put_fit(grid, box.column + MARK_COLUMNS, row, box.column + layout.label,
                         here ? STYLE_CURSOR : STYLE_PLAIN, table->labels.item[r]);
            for (size_t c = layout.first; c < layout.end; c++) {
                const struct cell *cell = &table->cells[(size_t)r * count + c];
                bool bracket = (focused || (cell->flags & CELL_STAGE)) && cell_pointed(cell, marked);
                draw_cell(grid, cell, &layout.columns[c], layout.start[c], row, right, here, bracket,
                          layout.gap > 1);
            }
        }
        if (shown < (int)table->labels.count && row < box.row + box.rows) {
            char mark[48];
            snprintf(mark, sizeof mark, _("… %d more"), (int)table->labels.count - shown);
            grid_put_fit(grid, box.column + MARK_COLUMNS, row++, right, STYLE_DIM, mark);
        }
        if (table->note && row < box.row + box.rows)
            grid_put_fit(grid, box.column + MARK_COLUMNS, row, right, STYLE_PLAIN, table->note);
    }
    free(layout.columns);
    free(layout.start);
}
