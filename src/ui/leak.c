#include <stdio.h>

#include "base/language.h"
#include "ui/view.h"

enum { MARK_COLUMNS = 2, PITCH = 4, LEGEND_GAP = 3, KINDS = LEAK_MORE + 1 };

static const struct {
    const char *sign, *ascii;
    const char *words;
    enum style style;
} signs[KINDS] = {
    [LEAK_HIDDEN] = {"?", "?", N_("opens with the answer"), STYLE_HIDDEN},
    [LEAK_ITSELF] = {"■", "#", N_("itself (always)"), STYLE_ACCENT},
    [LEAK_NONE] = {"·", ".", N_("does not move it"), STYLE_DIM},
    [LEAK_SAME] = {"▣", "+", N_("moves it: same feature only"), STYLE_WRONG},
    [LEAK_MORE] = {"◆", "X", N_("moves it: other features too"), STYLE_WRONG},
};

static const char *sign_of(const struct grid *grid, enum leak leak)
{
    return grid->ascii ? signs[leak].ascii : signs[leak].sign;
}

static int some(uint32_t count)
{
    return count < 100000 ? (int)count : 100000;
}

static int legend_rows(const struct part_leak *leak, bool occurs[KINDS])
{
    int rows = 0;
    for (size_t i = 0; i < (size_t)leak->samples * leak->tokens; i++)
        occurs[leak->cells[i]] = true;
    for (int kind = 0; kind < KINDS; kind++)
        rows += occurs[kind];
    return rows;
}

static int legend_columns(const struct grid *grid, const bool occurs[KINDS])
{
    int width = 0;
    for (int kind = 0; kind < KINDS; kind++)
        if (occurs[kind])
            width = larger(width, grid_width(grid, _(signs[kind].words)) + 2);
    return width;
}

static void name_sample(char out[32], int sample)
{
    snprintf(out, 32, _("sample %d"), sample + 1);
}

static int label_columns(const struct part_leak *leak)
{
    char name[32];
    name_sample(name, some(leak->samples) - 1);
    return MARK_COLUMNS + grid_text_width(name);
}

static int table_width(const struct part_leak *leak)
{
    return label_columns(leak) + some(leak->tokens) * PITCH + 1;
}

static bool legend_beside(const struct grid *grid, const struct part_leak *leak, int columns)
{
    bool occurs[KINDS] = {false};
    legend_rows(leak, occurs);
    return table_width(leak) + LEGEND_GAP + legend_columns(grid, occurs) <= columns;
}

int leak_columns(const struct grid *grid, const struct part_leak *leak)
{
    bool occurs[KINDS] = {false};
    legend_rows(leak, occurs);
    return table_width(leak) + LEGEND_GAP + legend_columns(grid, occurs);
}

struct extent leak_extent(const struct grid *grid, const struct part_leak *leak, int columns)
{
    bool occurs[KINDS] = {false};
    int legend = legend_rows(leak, occurs), rows = leak->samples < 1000 ? some(leak->samples) : 1000;
    int want = 2 + (legend_beside(grid, leak, columns) ? larger(rows, legend - 1) : rows + legend);
    int least = want < 5 ? want : 5;
    return (struct extent){.least = least, .all = least, .want = want, .most = want};
}

static void draw_legend(struct grid *grid, const bool occurs[KINDS], struct box box)
{
    int right = box.column + box.columns, row = box.row;
    for (int kind = 0; kind < KINDS && row < box.row + box.rows; kind++) {
        if (!occurs[kind])
            continue;
        grid_put(grid, box.column, row, right, signs[kind].style, sign_of(grid, (enum leak)kind));
        grid_put_fit(grid, box.column + 2, row++, right, STYLE_DIM, _(signs[kind].words));
    }
}

/* Returns the row after. */
static int draw_table(struct grid *grid, const struct part_leak *leak, struct box box)
{
    int label = label_columns(leak), right = box.column + box.columns, row = box.row, first, shown, from,
        seen;
    int tokens = some(leak->tokens), fit = (box.columns - label - 1) / PITCH;
    cell_slice(tokens, larger(fit, 1), (int)leak->token - 1, &from, &seen);
    if (box.rows > 2) {
        grid_put_fit(grid, box.column + MARK_COLUMNS, row, box.column + label, STYLE_DIM, _("token"));
        for (int t = from; t < from + seen; t++) {
            char number[16];
            snprintf(number, sizeof number, "%d", t + 1);
            int at = box.column + label + (t - from) * PITCH + 3 - grid_width(grid, number);
            grid_put(grid, at, row, right, t + 1 == (int)leak->token ? STYLE_CURSOR : STYLE_DIM, number);
        }
        if (from)
            grid_put(grid, box.column, row, right, STYLE_DIM, "‹");
        if (from + seen < tokens)
            grid_put(grid, right - 1, row, right, STYLE_DIM, "›");
        row++;
    }
    cell_window(some(leak->samples), box.row + box.rows - row, (int)leak->sample - 1, &first, &shown);
    for (int s = first; s < first + shown; s++, row++) {
        char name[32];
        bool here = s + 1 == (int)leak->sample;
        name_sample(name, s);
        if (here)
            grid_put(grid, box.column, row, right, STYLE_CURSOR, "▸");
        grid_put_fit(grid, box.column + MARK_COLUMNS, row, box.column + label,
                     here ? STYLE_CURSOR : STYLE_PLAIN, name);
        for (int t = from; t < from + seen; t++) {
            enum leak cell = leak->cells[(size_t)s * leak->tokens + (size_t)t];
            int at = box.column + label + (t - from) * PITCH + 2;
            grid_put(grid, at, row, right, signs[cell].style, sign_of(grid, cell));
            if (here && t + 1 == (int)leak->token) {
                grid_put(grid, at - 1, row, right, STYLE_CURSOR, "[");
                grid_put(grid, at + 1, row, right, STYLE_CURSOR, "]");
            }
        }
    }
    if (shown < some(leak->samples) && row < box.row + box.rows) {
        char mark[48];
        snprintf(mark, sizeof mark, _("… %d more"), some(leak->samples) - shown);
        grid_put_fit(grid, box.column + MARK_COLUMNS, row++, right, STYLE_DIM, mark);
    }
    return row;
}

void leak_draw(struct grid *grid, const struct part_leak *leak, struct box box)
{
    if (box.columns < 12 || box.rows < 1)
        return;
    bool occurs[KINDS] = {false}, beside = legend_beside(grid, leak, box.columns);
    int legend = legend_rows(leak, occurs), end = box.row + box.rows;
    if (box.rows > larger(2, some(leak->samples) < 5 ? some(leak->samples) + 1 : 4)) {
        char title[64];
        snprintf(title, sizeof title, _("who moves token (%u, %u)?"), leak->sample, leak->token);
        grid_put_fit(grid, box.column + MARK_COLUMNS, box.row++, box.column + box.columns, STYLE_DIM, title);
    }
    struct box table = {box.column, box.row, box.columns, end - box.row};
    if (beside) {
        int start = box.column + table_width(leak) + LEGEND_GAP;
        draw_legend(grid, occurs,
                    (struct box){start, box.row + (table.rows > legend), box.columns, table.rows});
        table.columns = table_width(leak) + 1;
        draw_table(grid, leak, table);
        return;
    }
    if (table.rows - legend >= 3 && table.rows >= some(leak->samples))
        table.rows = larger(table.rows - legend, 3);
    int row = draw_table(grid, leak, table);
    draw_legend(grid, occurs,
                (struct box){box.column + MARK_COLUMNS, row, box.columns - MARK_COLUMNS, end - row});
}
