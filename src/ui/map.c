#include <math.h>
#include <stdio.h>

#include "base/language.h"
#include "ui/view.h"

enum {
    MARK_COLUMNS = 2,
    SHADE_COLUMNS = 2,
    SHADE_PITCH = 3,
    GAP_MOST = 2,
    BLOCK_GAP = 3,
    SHADES = 5,
    ROOMY = 8 /* rows */
};

/* The cell under the cursor; -1: none. */
struct place {
    int block, row, column;
};

struct layout {
    struct place cursor;
    int blocks, rows, columns;
    bool beside;  /* blocks stand side by side, else below each other */
    bool numbers; /* else shades alone */
    bool block_head, column_head;
    int whole, rest;       /* columns of a number before its point, and from it on */
    int name;              /* columns of the longest name of a block that stands beside another */
    int shade;             /* columns of the shade before a number */
    int label, pitch, gap; /* columns for the rows' labels; from cell to cell; of these, left blank */
    int first, shown;      /* which columns of the map are seen */
};

static int some(size_t count)
{
    return count < 100000 ? (int)count : 100000;
}

static bool has_words(const struct strings *labels)
{
    bool words = false;
    for (size_t i = 0; i < labels->count; i++)
        words |= *labels->item[i] != '\0';
    return words;
}

static const struct cell *cell_of(const struct part_map *map, int block, int row, int column)
{
    return &map->cells[((size_t)block * map->rows.count + (size_t)row) * map->columns.count + (size_t)column];
}

static struct place find_cursor(const struct part_map *map)
{
    size_t columns = map->columns.count, rows = map->rows.count;
    for (size_t i = 0; i < map->blocks.count * rows * columns; i++)
        if (map->cells[i].flags & CELL_CURSOR)
            return (struct place){some(i / columns / rows), some(i / columns % rows), some(i % columns)};
    return (struct place){-1, -1, -1};
}

/* ---- what stands where ---- */

static void measure(const struct grid *grid, const struct part_map *map, struct layout *layout)
{
    for (size_t i = 0; i < map->blocks.count * map->rows.count * map->columns.count; i++) {
        const struct cell *cell = &map->cells[i];
        int point = cell_point(grid, cell);
        layout->whole = larger(layout->whole, point);
        layout->rest = larger(layout->rest, grid_width(grid, cell->text) - point);
    }
    for (size_t c = 0; c < map->columns.count; c++) {
        int head = grid_width(grid, map->columns.item[c]);
        layout->whole = larger(layout->whole, head - layout->rest);
    }
}

/* Below each other, the names of blocks stand where the labels of rows do. */
static void set_beside(const struct grid *grid, const struct part_map *map, struct layout *layout,
                       bool beside, int most)
{
    int label = 0;
    for (size_t r = 0; r < map->rows.count; r++)
        label = larger(label, grid_width(grid, map->rows.item[r]));
    for (size_t b = 0; b < map->blocks.count && !beside; b++)
        label = larger(label, grid_width(grid, map->blocks.item[b]));
    layout->beside = beside;
    layout->name = 0;
    for (size_t b = 0; b < map->blocks.count && beside; b++)
        layout->name = larger(layout->name, grid_width(grid, map->blocks.item[b]) + layout->numbers);
    layout->label = label + MARK_COLUMNS + 1 < most ? label + MARK_COLUMNS + 1 : most;
}

/* Blocks of one row without a name are as good as rows. */
static struct part_map flattened(const struct part_map *map)
{
    struct part_map flat = *map;
    if (map->rows.count == 1 && !*map->rows.item[0]) {
        flat.rows = map->blocks;
        flat.blocks = map->rows;
    }
    return flat;
}

static void set_gap(struct layout *layout, int shade, int gap)
{
    layout->shade = shade;
    layout->gap = layout->numbers ? gap : 0;
    layout->pitch = layout->numbers ? shade + layout->whole + layout->rest + 2 + gap : SHADE_PITCH;
}

/* Columns of one block, its name above it. */
static long block_columns(const struct layout *layout)
{
    long cells = (long)layout->columns * layout->pitch - layout->gap + !layout->numbers;
    return cells < layout->name ? layout->name : cells;
}

static long all_columns(const struct layout *layout)
{
    long blocks = layout->beside ? layout->blocks : 1;
    return layout->label + blocks * block_columns(layout) + (blocks - 1) * BLOCK_GAP;
}

/* A shade keeps its distance from the number before it. */
static bool find_gap(const struct part_map *map, struct layout *layout, int columns)
{
    for (int shade = map->reach > 0 ? SHADE_COLUMNS : 0; shade >= (map->reach > 0); shade--) {
        for (int gap = GAP_MOST; gap >= (map->reach > 0); gap--) {
            set_gap(layout, shade, gap);
            if (all_columns(layout) <= columns)
                return true;
        }
    }
    return false;
}

static bool everything_fits(const struct grid *grid, const struct part_map *map, struct layout *layout,
                            int columns)
{
    for (int shades = 0; shades <= (map->reach > 0); shades++) {
        layout->numbers = !shades;
        for (int below = layout->blocks == 1; below < 2; below++) {
            set_beside(grid, map, layout, !below, columns / 3);
            if (find_gap(map, layout, columns))
                return true;
        }
    }
    return false;
}

static struct layout place(const struct grid *grid, const struct part_map *map, int columns)
{
    struct layout layout = {.cursor = find_cursor(map),
                            .blocks = some(map->blocks.count),
                            .rows = some(map->rows.count),
                            .columns = some(map->columns.count),
                            .block_head = has_words(&map->blocks),
                            .column_head = has_words(&map->columns)};
    measure(grid, map, &layout);
    layout.shown = layout.columns;
    if (!everything_fits(grid, map, &layout, columns)) {
        set_beside(grid, map, &layout, false, columns / 3);
        set_gap(&layout, 0, 0);
        int fit = (columns - layout.label - 2) / layout.pitch;
        cell_slice(layout.columns, larger(fit, 1), layout.cursor.column, &layout.first, &layout.shown);
    }
    return layout;
}

static int head_rows(const struct layout *layout)
{
    if (layout->beside)
        return layout->block_head + layout->column_head;
    return layout->block_head || layout->column_head || layout->shown < layout->columns;
}

static bool has_here(const struct layout *layout)
{
    return !layout->numbers && layout->cursor.block >= 0;
}

int map_columns(const struct grid *grid, const struct part_map *map)
{
    struct part_map flat = flattened(map);
    struct layout layout = place(grid, &flat, grid->columns);
    return all_columns(&layout) < grid->columns ? (int)all_columns(&layout) + 1 : grid->columns;
}

bool map_fits(const struct grid *grid, const struct part_map *map, int columns)
{
    struct part_map flat = flattened(map);
    struct layout layout = place(grid, &flat, columns);
    return layout.shown == layout.columns;
}

bool map_reaches(const struct grid *grid, const struct part_map *map, int columns)
{
    bool reaches = map_fits(grid, map, columns);
    size_t cells = map->blocks.count * map->rows.count * map->columns.count;
    for (size_t i = 0; i < cells && !reaches; i++)
        reaches = (map->cells[i].flags & CELL_CURSOR) != 0;
    return reaches;
}

struct extent map_extent(const struct grid *grid, const struct part_map *map, int columns)
{
    struct part_map flat = flattened(map);
    struct layout layout = place(grid, &flat, columns);
    long rows = head_rows(&layout) + layout.rows, blocks = layout.beside ? 1 : layout.blocks;
    long whole = (*map->title != '\0') + blocks * rows + has_here(&layout), most = whole + blocks - 1;
    int want = whole < 1000 ? (int)whole : 1000, least = want < 6 ? want : 5;
    return (struct extent){
        .least = least, .all = least, .want = want, .most = most < 1000 ? (int)most : 1000};
}

/* ---- drawing ---- */

static const char *shade_of(const struct grid *grid, double share)
{
    static const char *const shades[SHADES] = {"·", "░", "▒", "▓", "█"};
    static const char *const ascii_shades[SHADES] = {".", ":", "o", "%", "#"};
    double step = fmin(fabs(share) * SHADES, SHADES - 1);
    return (grid->ascii ? ascii_shades : shades)[(int)step];
}

static enum style shade_style(double share)
{
    return share < 0 ? STYLE_NEGATIVE : STYLE_POSITIVE;
}

/* Marks before and behind what stands for a cell. */
static void draw_marks(struct grid *grid, const struct cell *cell, int before, int behind, int row, int limit)
{
    enum style style = cell_style(cell, false);
    bool changed = cell->flags & CELL_CHANGED;
    const char *open = changed ? "*" : "", *close = open;
    if (cell->flags & CELL_CURSOR) {
        open = "[";
        close = changed ? "*" : "]";
    } else if (cell->flags & CELL_SET) {
        open = "‹";
        close = changed ? "*" : "›";
    }
    if (*open)
        grid_put(grid, before, row, limit, style, open);
    if (*close)
        grid_put(grid, behind, row, limit, style, close);
}

static void draw_number(struct grid *grid, const struct part_map *map, const struct layout *layout,
                        const struct cell *cell, int column, int row, int limit)
{
    double share = cell->value / map->reach;
    if (map->reach > 0) {
        for (int i = 0; i < layout->shade && !isnan(share); i++)
            grid_put(grid, column + i, row, limit, shade_style(share), shade_of(grid, share));
        column += layout->shade;
    }
    int start = column + 1 + layout->whole - cell_point(grid, cell);
    int end = grid_put_fit(grid, start, row, limit, cell_style(cell, false), cell->text);
    draw_marks(grid, cell, start - 1, end, row, limit);
}

static void draw_shade(struct grid *grid, const struct part_map *map, const struct cell *cell, int column,
                       int row, int limit)
{
    double share = cell->value / map->reach;
    enum style style = cell_style(cell, false);
    if (cell->flags & CELL_HIDDEN) {
        grid_put(grid, column + 2, row, limit, style, "?");
    } else if (isnan(share)) {
        grid_put(grid, column + 2, row, limit, style, "N");
    } else {
        grid_put(grid, column + 1, row, limit, shade_style(share), share < 0 ? "-" : " ");
        grid_put(grid, column + 2, row, limit, shade_style(share), shade_of(grid, share));
    }
    draw_marks(grid, cell, column, column + SHADE_PITCH, row, limit);
}

static void draw_heads(struct grid *grid, const struct part_map *map, const struct layout *layout, int block,
                       int column, int row, int limit)
{
    for (int c = layout->first; c < layout->first + layout->shown; c++, column += layout->pitch) {
        const char *head = map->columns.item[c];
        bool here = block == layout->cursor.block && c == layout->cursor.column;
        int end = column + layout->pitch - layout->gap - layout->numbers, width = grid_width(grid, head);
        if (layout->numbers || width < SHADE_PITCH)
            grid_put(grid, end - width, row, limit, here ? STYLE_CURSOR : STYLE_DIM, head);
        else if (here)
            grid_put_fit(grid, column + 1, row, limit, STYLE_CURSOR, head);
    }
}

/* A row of a block; its label stands before the first of those side by side. */
static void draw_cells(struct grid *grid, const struct part_map *map, const struct layout *layout, int block,
                       int r, int column, int row, int limit)
{
    for (int pass = 0; pass < 2;
         pass++) { /* marks may reach into the next cell: those last that are stronger */
        int at = column;
        for (int c = layout->first; c < layout->first + layout->shown; c++, at += layout->pitch) {
            const struct cell *cell = cell_of(map, block, r, c);
            if (((cell->flags & CELL_CURSOR) != 0) != (pass == 1))
                continue;
            if (layout->numbers)
                draw_number(grid, map, layout, cell, at, row, limit);
            else
                draw_shade(grid, map, cell, at, row, limit);
        }
    }
}

static void draw_label(struct grid *grid, const struct part_map *map, const struct layout *layout, int r,
                       bool here, int column, int row)
{
    if (here)
        grid_put(grid, column, row, -1, STYLE_CURSOR, "▸");
    grid_put_fit(grid, column + MARK_COLUMNS, row, column + layout->label - 1,
                 here ? STYLE_CURSOR : STYLE_PLAIN, map->rows.item[r]);
}

static void draw_sides(struct grid *grid, const struct layout *layout, struct box box, int row)
{
    int right = box.column + box.columns;
    if (layout->first)
        grid_put(grid, box.column, row, right, STYLE_DIM, "‹");
    if (layout->first + layout->shown < layout->columns)
        grid_put(grid, right - 1, row, right, STYLE_DIM, "›");
}

/* Returns the row after. */
static int draw_left_out(struct grid *grid, struct box box, int row, int rows, int blocks)
{
    char mark[96] = "";
    if (row >= box.row + box.rows || (!rows && !blocks))
        return row;
    if (rows && blocks)
        snprintf(mark, sizeof mark, _("… %d more here, %d beyond"), rows, blocks);
    else
        snprintf(mark, sizeof mark, _("… %d more"), rows ? rows : blocks);
    grid_put_fit(grid, box.column + MARK_COLUMNS, row, box.column + box.columns, STYLE_DIM, mark);
    return row + 1;
}

static int draw_beside(struct grid *grid, const struct part_map *map, const struct layout *layout,
                       struct box box)
{
    int row = box.row, start = box.column + layout->label, right = box.column + box.columns, first, shown;
    int step = (int)block_columns(layout) + BLOCK_GAP;
    bool heads = box.rows >= head_rows(layout) + (layout->rows > 1 ? 2 : 1);
    if (layout->block_head && heads) {
        for (int b = 0; b < layout->blocks; b++)
            grid_put_fit(grid, start + b * step + layout->numbers, row, start + (b + 1) * step - 1,
                         b == layout->cursor.block ? STYLE_CURSOR : STYLE_DIM, map->blocks.item[b]);
        row++;
    }
    if (layout->column_head && heads) {
        for (int b = 0; b < layout->blocks; b++)
            draw_heads(grid, map, layout, b, start + b * step, row, right);
        row++;
    }
    cell_window(layout->rows, box.row + box.rows - row, layout->cursor.row, &first, &shown);
    for (int r = first; r < first + shown; r++, row++) {
        draw_label(grid, map, layout, r, r == layout->cursor.row, box.column, row);
        for (int b = 0; b < layout->blocks; b++)
            draw_cells(grid, map, layout, b, r, start + b * step, row, right);
    }
    return draw_left_out(grid, box, row, layout->rows - shown, 0);
}

/* One block with its head, in so many rows. Returns the row after. */
static int draw_block(struct grid *grid, const struct part_map *map, const struct layout *layout,
                      struct box box, int block, int others)
{
    int row = box.row, start = box.column + layout->label, right = box.column + box.columns, first, shown;
    bool here = block == layout->cursor.block;
    if (head_rows(layout) && box.rows > 1) {
        grid_put_fit(grid, box.column + MARK_COLUMNS, row, start - 1, here ? STYLE_CURSOR : STYLE_DIM,
                     map->blocks.item[block]);
        draw_heads(grid, map, layout, block, start, row, right);
        draw_sides(grid, layout, box, row);
        row++;
    }
    cell_window(layout->rows, box.row + box.rows - row, here ? layout->cursor.row : -1, &first, &shown);
    for (int r = first; r < first + shown; r++, row++) {
        draw_label(grid, map, layout, r, here && r == layout->cursor.row, box.column, row);
        draw_cells(grid, map, layout, block, r, start, row, right);
    }
    return shown < layout->rows ? draw_left_out(grid, box, row, layout->rows - shown, others) : row;
}

/* As many blocks as are whole, the cursor's among them; else that one alone, as much of it as there is room
 * for. */
static int draw_below(struct grid *grid, const struct part_map *map, const struct layout *layout,
                      struct box box)
{
    int each = head_rows(layout) + layout->rows, fit = box.rows / each, end = box.row + box.rows;
    int at = larger(layout->cursor.block, 0), first, shown, row = box.row;
    if (fit < layout->blocks)
        fit = larger((box.rows - 1) / each, 1);
    cell_slice(layout->blocks, fit, at, &first, &shown);
    int spare = box.rows - shown * each - (shown < layout->blocks);
    bool whole = true;
    for (int b = first; b < first + shown; b++) {
        int gap = b > first && spare >= shown - 1;
        struct box one = {box.column, row + gap, box.columns, end - row - gap};
        if (shown > 1)
            one.rows = each;
        else if (shown < layout->blocks && one.rows == each)
            one.rows--; /* for the mark */
        whole = one.rows >= each;
        row = draw_block(grid, map, layout, one, b, layout->blocks - shown);
    }
    return whole ? draw_left_out(grid, box, row, 0, layout->blocks - shown) : row;
}

/* Where shades stand alone, the number under the cursor in words. */
static void draw_here(struct grid *grid, const struct part_map *map, const struct layout *layout,
                      struct box box, int row)
{
    const struct cell *cell = cell_of(map, layout->cursor.block, layout->cursor.row, layout->cursor.column);
    int limit = box.column + box.columns;
    int column = grid_put_fit(grid, box.column + MARK_COLUMNS, row, limit, STYLE_DIM, _("here "));
    grid_put_fit(grid, column, row, limit, cell_style(cell, false), cell->text);
}

void map_draw(struct grid *grid, const struct part_map *map, struct box box)
{
    if (box.columns < 8 || box.rows < 1)
        return;
    struct part_map flat = flattened(map);
    struct layout layout = place(grid, &flat, box.columns);
    int want = map_extent(grid, map, box.columns).want;
    if (*map->title && box.rows >= (want < ROOMY ? want : ROOMY)) {
        grid_put_fit(grid, box.column + MARK_COLUMNS, box.row, box.column + box.columns, STYLE_DIM,
                     map->title);
        box.row++;
        box.rows--;
    }
    bool here = has_here(&layout) && box.rows > 2;
    box.rows -= here;
    int row = layout.beside ? draw_beside(grid, &flat, &layout, box) : draw_below(grid, &flat, &layout, box);
    if (here)
        draw_here(grid, &flat, &layout, box, row < box.row + box.rows ? row : box.row + box.rows);
}
