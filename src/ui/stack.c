#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "ui/view.h"

enum { BRANCH_MOST = 24, FINAL_ROOMY = 11, SIDE_COLUMNS = 2 /* for the marks of what is left out */ };

/* The rows, the least needed last. */
enum line { LINE_STREAM, LINE_NORM, LINE_BRANCH, LINE_LAYER, LINE_UPDATE, LINE_GRADIENT, LINE_KEPT, LINE_ORDER, LINES };

struct layout {
    char branch[BRANCH_MOST]; /* "F(LN(x))" */
    char after[BRANCH_MOST];  /* "LN": what is done to the sum; or "" */
    int number;               /* columns of the widest number */
    int label, pitch,
        split;         /* columns before it all; from node to node; from a node to where its branch leaves */
    int layers, nodes; /* a node after each layer, and one after the final norm */
    int first, shown;  /* which nodes are seen */
    bool roomy;        /* with longer labels */
    bool lines[LINES];
};

static int layers_of(const struct part_stack *stack)
{
    return stack->layer_count < 100000 ? (int)stack->layer_count : 100000;
}

static int widest(const struct grid *grid, const struct part_stack *stack)
{
    int width = larger(grid_width(grid, stack->start.text), grid_width(grid, stack->end.text));
    width = larger(width, larger(grid_width(grid, stack->start_gradient.text), grid_width(grid, stack->end_gradient.text)));
    for (size_t i = 0; i < stack->layer_count; i++) {
        const struct stack_layer *layer = &stack->layers[i];
        width = larger(width, larger(grid_width(grid, layer->stream.text), grid_width(grid, layer->gradient.text)));
        width =
            larger(width, larger(grid_width(grid, layer->update.text), grid_width(grid, layer->kept.text)));
    }
    return width;
}

static bool has_kept(const struct part_stack *stack)
{
    bool kept = false;
    for (size_t i = 0; i < stack->layer_count; i++)
        kept |= *stack->layers[i].kept.text != '\0';
    return kept;
}

/* "LN(x + F(x))": F(x) is the branch, and LN comes after the sum. */
static void read_order(const char *order, struct layout *layout)
{
    const char *sum = strstr(order, "x + "), *end;
    if (!sum)
        return;
    size_t before = (size_t)(sum - order), length;
    int open = 0;
    for (end = sum + 4; *end && open >= 0; end++)
        open += *end == '(' ? 1 : *end == ')' ? -1 : 0;
    length = (size_t)(end - sum) - 4 - (open < 0);
    if (length < sizeof layout->branch)
        snprintf(layout->branch, sizeof layout->branch, "%.*s", (int)length, sum + 4);
    if (before > 1 && before < sizeof layout->after)
        snprintf(layout->after, sizeof layout->after, "%.*s", (int)before - 1, order);
}

static void choose_lines(const struct part_stack *stack, int rows, struct layout *layout)
{
    for (int line = 0; line < LINES && rows > 0; line++) {
        layout->lines[line] = (line != LINE_KEPT || has_kept(stack)) && (line != LINE_ORDER || *stack->order) &&
                              (line != LINE_GRADIENT || stack->gradients);
        rows -= layout->lines[line];
    }
}

static const char *label_of(enum line line, bool roomy)
{
    switch (line) {
    case LINE_STREAM:
        return _("stream");
    case LINE_NORM:
        return _("length");
    case LINE_BRANCH:
        return _("branch");
    case LINE_LAYER:
        return _("layer");
    case LINE_UPDATE:
        return roomy ? _("update/stream") : _("update");
    case LINE_KEPT:
        return _("kept");
    case LINE_GRADIENT:
        return _("gradient");
    default:
        return "";
    }
}

/* The layer that must be seen: the one a stage is about, else that under the cursor. */
static int staged(const struct part_stack *stack)
{
    for (int i = 0; i < layers_of(stack); i++)
        if ((stack->layers[i].stream.flags | stack->layers[i].gradient.flags) & CELL_STAGE)
            return i;
    return stack->start_gradient.flags & CELL_STAGE ? 0 : stack->cursor;
}

/* Columns but those from node to node. */
static int around(const struct layout *layout)
{
    return layout->label + layout->number / 2 + larger(layout->number / 2 + 1, 3) + 1;
}

static struct layout place(const struct grid *grid, const struct part_stack *stack, int columns, int rows)
{
    struct layout layout = {.number = widest(grid, stack), .layers = layers_of(stack)};
    layout.nodes = layout.layers + stack->final_norm;
    read_order(stack->order, &layout);
    choose_lines(stack, rows, &layout);
    int after = grid_width(grid, layout.after);
    layout.split = 2 + (after ? after + 1 : 0);
    int least = larger(layout.number + 2 + stack->gradients, layout.split + 4);
    int most = larger(larger(least, 8), layout.split + grid_width(grid, layout.branch) + 6);
    for (int roomy = 1; roomy >= 0; roomy--) {
        layout.roomy = roomy;
        layout.label = grid_width(grid, label_of(LINE_UPDATE, roomy)) + 3;
        if (stack->gradients)
            layout.label = larger(layout.label, grid_width(grid, label_of(LINE_GRADIENT, roomy)) + 3);
        layout.pitch = layout.nodes ? (columns - around(&layout)) / layout.nodes : most;
        if (layout.pitch >= least)
            break;
    }
    layout.shown = layout.nodes;
    layout.pitch = layout.pitch > most ? most : layout.pitch;
    if (layout.pitch < least) {
        int seen = staged(stack), cursor = seen + 1 == layout.layers ? layout.nodes - 1 : seen;
        layout.pitch = least;
        cell_slice(layout.nodes, larger((columns - around(&layout) - 2 * SIDE_COLUMNS) / least, 1), cursor,
                   &layout.first, &layout.shown);
    }
    return layout;
}

int stack_columns(const struct grid *grid, const struct part_stack *stack)
{
    struct layout layout = place(grid, stack, grid->columns, LINES);
    int all = around(&layout) + layout.shown * layout.pitch;
    return all < grid->columns ? all : grid->columns;
}

int stack_shown(const struct grid *grid, const struct part_stack *stack, int columns)
{
    return place(grid, stack, columns, LINES).shown;
}

bool stack_fits(const struct grid *grid, const struct part_stack *stack, int columns)
{
    return stack_shown(grid, stack, columns) == layers_of(stack) + stack->final_norm;
}

struct extent stack_extent(const struct part_stack *stack)
{
    struct layout layout = {.number = 0};
    int whole = 0;
    choose_lines(stack, LINES, &layout);
    for (int line = 0; line < LINES; line++)
        whole += layout.lines[line];
    int most = LINE_UPDATE + 1 + stack->gradients, least = whole < most ? whole : most;
    return (struct extent){.least = least, .all = least, .want = whole, .most = whole};
}

/* ---- drawing ---- */

/* Where the stream is after so many of the layers shown. */
static int node(const struct layout *layout, struct box box, int n)
{
    return box.column + layout->label + layout->number / 2 + (layout->first > 0) * SIDE_COLUMNS +
           n * layout->pitch;
}

static void draw_cell(struct grid *grid, const struct cell *cell, bool here, int middle, int row, int right)
{
    int width = grid_width(grid, cell->text), start = middle - (width - 1) / 2;
    enum style style = cell_style(cell, here);
    grid_put_fit(grid, start, row, right, here && style == STYLE_STRONG ? STYLE_CURSOR : style, cell->text);
    if (width && (cell->flags & CELL_CHANGED)) {
        grid_put(grid, start - 1, row, right, style, "*");
        grid_put(grid, start + width, row, right, style, "*");
    }
}

static bool ends(const struct layout *layout)
{
    return layout->first + layout->shown > layout->layers;
}

/* Layers that are seen. */
static int layers_shown(const struct layout *layout)
{
    return layout->shown - ends(layout);
}

static void draw_stream(struct grid *grid, const struct part_stack *stack, const struct layout *layout,
                        struct box box, int row)
{
    int right = box.column + box.columns, from = node(layout, box, 0), end = node(layout, box, layout->shown);
    bool more = layout->first + layout->shown < layout->nodes;
    for (int column = from; column <= end + more * SIDE_COLUMNS; column++)
        grid_put(grid, column, row, right, STYLE_RULE, "─");
    if (layout->first)
        grid_put(grid, from - SIDE_COLUMNS, row, right, STYLE_DIM, "‹─");
    if (more)
        grid_put(grid, end + SIDE_COLUMNS + (int)strlen(layout->after), row, right, STYLE_DIM, "›");
    grid_put(grid, from, row, right, STYLE_STRONG, layout->first ? "●" : "x");
    for (int n = 0; n < layers_shown(layout); n++) {
        const struct stack_layer *layer = &stack->layers[layout->first + n];
        bool here = layout->first + n == stack->cursor;
        int to = node(layout, box, n + 1);
        if (!layer->off)
            grid_put(grid, node(layout, box, n) + layout->split, row, right, here ? STYLE_CURSOR : STYLE_RULE,
                     "┬");
        grid_put(grid, to, row, right, here ? STYLE_CURSOR : STYLE_STRONG, layer->off ? "○" : "●");
        grid_put(grid, to + 1, row, right, STYLE_PLAIN, layout->after);
    }
    if (ends(layout))
        grid_put(grid, end, row, right, STYLE_STRONG, "■");
}

/* "└─ F(x) ─┘": what leaves the stream after one node and joins it at the next. */
static void draw_branch(struct grid *grid, const struct layout *layout, const struct stack_layer *layer,
                        bool here, int from, int to, int row, int right)
{
    enum style style = here ? STYLE_CURSOR : STYLE_PLAIN;
    int room = to - from - 1;
    if (layer->off) {
        const char *words = grid_width(grid, _("✕ off")) <= room ? _("✕ off") : "✕";
        grid_put(grid, from + 1 + (room - grid_width(grid, words)) / 2, row, right,
                 here ? STYLE_CURSOR : STYLE_NOTICE, words);
        return;
    }
    char brief[8] = "";
    snprintf(brief, sizeof brief, "%.*s", (int)strcspn(layout->branch, "("), layout->branch);
    bool whole = grid_width(grid, layout->branch) <= room;
    const char *words = whole ? layout->branch : grid_width(grid, brief) <= room ? brief : "";
    grid_put(grid, from, row, right, here ? STYLE_CURSOR : STYLE_RULE, "└");
    for (int column = from + 1; column < to; column++)
        grid_put(grid, column, row, right, here ? STYLE_CURSOR : STYLE_RULE, "─");
    grid_put(grid, to, row, right, here ? STYLE_CURSOR : STYLE_RULE, "┘");
    int width = grid_width(grid, words), start = from + 1 + (room - width) / 2;
    if (width && width + 4 <= room) {
        grid_put(grid, start - 1, row, right, style, " ");
        grid_put(grid, start + width, row, right, style, " ");
    }
    grid_put(grid, start, row, right, style, words);
}

static void draw_layer_names(struct grid *grid, const struct part_stack *stack, const struct layout *layout,
                             struct box box, int row)
{
    int right = box.column + box.columns;
    for (int n = 0; n < layers_shown(layout); n++) {
        bool here = layout->first + n == stack->cursor;
        char name[24];
        snprintf(name, sizeof name, "%s%d", here ? "▸" : "", layout->first + n + 1);
        grid_put(grid, node(layout, box, n + 1) - grid_width(grid, name) + 1, row, right,
                 here ? STYLE_CURSOR : STYLE_DIM, name);
    }
    if (ends(layout)) {
        const char *words = layout->pitch >= FINAL_ROOMY ? _("final norm") : _("final");
        int start = node(layout, box, layout->shown) + 3 - grid_width(grid, words);
        grid_put(grid, start, row, right, STYLE_DIM, words);
    }
}

/* What the stream is after so many of the layers shown: its norm, or that of the gradient. */
static const struct cell *point(const struct part_stack *stack, const struct layout *layout, int n, bool gradient)
{
    int at = layout->first + n;
    if (at > layout->layers)
        return gradient ? &stack->end_gradient : &stack->end;
    if (at == 0)
        return gradient ? &stack->start_gradient : &stack->start;
    return gradient ? &stack->layers[at - 1].gradient : &stack->layers[at - 1].stream;
}

static void draw_points(struct grid *grid, const struct part_stack *stack, const struct layout *layout,
                        struct box box, int row, bool gradient)
{
    for (int n = 0; n <= layout->shown; n++)
        draw_cell(grid, point(stack, layout, n, gradient), n > 0 && layout->first + n - 1 == stack->cursor,
                  node(layout, box, n), row, box.column + box.columns);
}

/* "◂──" between two numbers: the gradient goes from right to left. */
static void draw_back(struct grid *grid, const struct part_stack *stack, const struct layout *layout,
                      struct box box, int row)
{
    for (int n = 0; n < layout->shown; n++) {
        const char *left = point(stack, layout, n, true)->text, *right = point(stack, layout, n + 1, true)->text;
        int width = grid_width(grid, left), next = grid_width(grid, right);
        int from = node(layout, box, n) - (width - 1) / 2 + width + 1, to = node(layout, box, n + 1) - (next - 1) / 2 - 1;
        for (int column = from; width && next && column < to; column++)
            grid_put(grid, column, row, box.column + box.columns, STYLE_DIM, column == from ? "◂" : "─");
    }
}

static void draw_line(struct grid *grid, const struct part_stack *stack, const struct layout *layout,
                      struct box box, enum line line, int row)
{
    int right = box.column + box.columns;
    grid_put_fit(grid, box.column + 2, row, right, STYLE_DIM, label_of(line, layout->roomy));
    if (line == LINE_STREAM)
        draw_stream(grid, stack, layout, box, row);
    else if (line == LINE_LAYER)
        draw_layer_names(grid, stack, layout, box, row);
    else if (line == LINE_NORM)
        draw_points(grid, stack, layout, box, row, false);
    if (line == LINE_GRADIENT) {
        draw_back(grid, stack, layout, box, row);
        draw_points(grid, stack, layout, box, row, true);
    }
    for (int n = 0; n < layers_shown(layout); n++) {
        const struct stack_layer *layer = &stack->layers[layout->first + n];
        bool here = layout->first + n == stack->cursor;
        int from = node(layout, box, n) + layout->split, to = node(layout, box, n + 1);
        if (line == LINE_BRANCH)
            draw_branch(grid, layout, layer, here, from, to, row, right);
        else if (line == LINE_UPDATE)
            draw_cell(grid, &layer->update, here, (from + to) / 2, row, right);
        else if (line == LINE_KEPT)
            draw_cell(grid, &layer->kept, here, (from + to) / 2, row, right);
    }
}

static void draw_order(struct grid *grid, const struct part_stack *stack, const struct layout *layout,
                       struct box box, int row)
{
    int right = box.column + box.columns;
    int column = grid_put(grid, box.column + 2, row, right, STYLE_DIM, _("each layer: "));
    column = grid_put_fit(grid, column, row, right, STYLE_PLAIN, stack->order);
    if (layers_shown(layout) < layout->layers) {
        char mark[48];
        snprintf(mark, sizeof mark, _("   … %d more"), layout->layers - layers_shown(layout));
        column = grid_put_fit(grid, column, row, right, STYLE_DIM, mark);
    }
    if (stack->final_norm && !ends(layout))
        grid_put_fit(grid, column, row, right, STYLE_DIM, _(", then a final norm"));
}

void stack_draw(struct grid *grid, const struct part_stack *stack, struct box box)
{
    static const enum line from_above[] = {LINE_ORDER,  LINE_LAYER, LINE_STREAM, LINE_BRANCH,
                                           LINE_UPDATE, LINE_KEPT,  LINE_NORM,   LINE_GRADIENT};
    if (box.columns < 8 || box.rows < 1)
        return;
    struct layout layout = place(grid, stack, box.columns, box.rows);
    int row = box.row;
    for (size_t i = 0; i < sizeof from_above / sizeof *from_above; i++) {
        if (!layout.lines[from_above[i]])
            continue;
        if (from_above[i] == LINE_ORDER)
            draw_order(grid, stack, &layout, box, row++);
        else
            draw_line(grid, stack, &layout, box, from_above[i], row++);
    }
}
