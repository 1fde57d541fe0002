#include "ui/chrome.h"

#include <stdio.h>

#include "base/language.h"
#include "ui/flow.h"

bool chrome_too_small(struct grid *grid)
{
    if (grid->columns >= LEAST_COLUMNS && grid->rows >= LEAST_ROWS)
        return false;
    char words[96];
    snprintf(words, sizeof words, _("Too small: %dx%d, needs %dx%d."), grid->columns, grid->rows, LEAST_COLUMNS,
             LEAST_ROWS);
    grid_put_fit(grid, 0, 0, -1, STYLE_PLAIN, words);
    return true;
}

void chrome_rule(struct grid *grid, int row)
{
    for (int column = 0; column < grid->columns; column++)
        grid_put(grid, column, row, -1, STYLE_RULE, "─");
}

int chrome_boxes(struct grid *grid, int column, int row, size_t count, const bool *filled, size_t full,
                 int here, bool done)
{
    for (size_t i = 0; i < count; i++) {
        bool box = filled ? filled[i] : i < full;
        enum style style = done ? STYLE_RIGHT : (int)i == here || box ? STYLE_ACCENT : STYLE_DIM;
        column = grid_put(grid, column, row, -1, style, box ? "■" : "□");
    }
    return column;
}

int chrome_bottom(struct grid *grid, struct keys *keys, const char *notice)
{
    int lines = keys_fit(keys, grid, grid->rows >= SPACIOUS_ROWS ? 2 : 1), row = grid->rows - lines;
    keys_draw(grid, keys, row);
    struct sheet sheet;
    if (notice && *notice && sheet_open(&sheet, grid->columns - 4, grid->ascii)) {
        sheet_text(&sheet, 0, grid->columns - 4, STYLE_NOTICE, notice);
        int most = grid->rows >= SPACIOUS_ROWS ? 3 : 1, shown = sheet.rows < most ? sheet.rows : most;
        row -= shown;
        sheet_show(&sheet, 0, shown, grid, 3, row);
        for (int i = 0; i < shown; i++)
            grid_put(grid, 1, row + i, -1, STYLE_NOTICE, "▍");
        if (shown < sheet.rows)
            grid_put(grid, grid->columns - grid_width(grid, "…"), row + shown - 1, -1, STYLE_NOTICE, "…");
        sheet_close(&sheet);
    }
    chrome_rule(grid, --row);
    return row;
}

void chrome_page(struct grid *grid, const struct sheet *sheet, struct box box, int scroll,
                 struct drawn *drawn)
{
    struct flow flow = {.text = *sheet};
    flow_show(&flow, grid, box, scroll < 0 ? 0 : scroll, drawn);
}
