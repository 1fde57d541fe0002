#include <stdio.h>

#include "base/language.h"
#include "ui/markdown.h"
#include "ui/chrome.h"
#include "ui/flow.h"

enum { BOXES = 5, TITLE_COLUMN = 9, TITLE_MOST = 40, STATE_WIDTH = 11, INFO_WIDTH = 10 };

/* Where the columns of the list stand; 0: left out. */
struct layout {
    int title_end, boxes, state, info;
};

static struct layout arrange(const struct grid *grid, const struct course_screen *screen)
{
    int widest = 0, room = grid->columns - TITLE_COLUMN - 1;
    for (size_t i = 0; i < screen->row_count; i++) {
        int width = grid_width(grid, screen->rows[i].title);
        widest = width > widest ? width : widest;
    }
    widest = widest > TITLE_MOST ? TITLE_MOST : widest;
    bool boxes = room >= 24 + BOXES + STATE_WIDTH, info = room >= 24 + BOXES + STATE_WIDTH + INFO_WIDTH + 8;
    int others = STATE_WIDTH + 2 + (boxes ? BOXES + 3 : 0) + (info ? INFO_WIDTH + 2 : 0);
    int title = widest + 4 < room - others ? widest + 4 : room - others;
    struct layout layout = {.title_end = TITLE_COLUMN + title};
    int column = layout.title_end + 2;
    if (boxes) {
        layout.boxes = column;
        column += BOXES + 3;
    }
    layout.state = column;
    if (info)
        layout.info = column + STATE_WIDTH + 2;
    return layout;
}

static void draw_row(struct grid *grid, const struct course_row *row, const struct layout *layout, int at,
                     bool selected)
{
    char words[64];
    if (selected)
        grid_put(grid, 2, at, -1, STYLE_ACCENT, "▸");
    snprintf(words, sizeof words, "%2d", row->number);
    grid_put(grid, TITLE_COLUMN - 2 - grid_width(grid, words), at, -1, selected ? STYLE_ACCENT : STYLE_DIM,
             words);
    grid_put_fit(grid, TITLE_COLUMN, at, layout->title_end, selected ? STYLE_SELECTED : STYLE_PLAIN,
                 row->title);
    if (row->error) {
        grid_put_fit(grid, layout->boxes ? layout->boxes : layout->state, at, -1, STYLE_WRONG,
                     _("✗ cannot be loaded"));
        return;
    }
    size_t boxes = row->questions < BOXES ? row->questions : BOXES;
    size_t full = row->questions ? row->settled * boxes / row->questions : 0;
    if (layout->boxes)
        chrome_boxes(grid, layout->boxes, at, boxes, NULL, full, -1, row->done);
    if (row->done)
        grid_put(grid, layout->state, at, -1, STYLE_RIGHT, _("done"));
    else if (row->settled || row->seen) {
        snprintf(words, sizeof words, _("%zu of %zu"), row->settled, row->questions);
        grid_put(grid, layout->state, at, layout->info ? layout->info - 1 : -1, STYLE_PLAIN, words);
    }
    if (!layout->info)
        return;
    if (row->due)
        grid_put_fit(grid, layout->info, at, -1, STYLE_NOTICE, _("review due"));
    else if (row->needs && *row->needs)
        grid_put_fit(grid, layout->info, at, -1, STYLE_DIM, row->needs);
    else if (row->minutes > 0 && !row->done) {
        snprintf(words, sizeof words, _("%.0f min"), row->minutes);
        grid_put_fit(grid, layout->info, at, -1, STYLE_DIM, words);
    }
}

static void draw_list(struct grid *grid, const struct course_screen *screen, struct box box)
{
    struct layout layout = arrange(grid, screen);
    size_t rows = box.rows > 0 ? (size_t)box.rows : 0, first = 0, shown = screen->row_count;
    if (shown > rows) {
        size_t half = rows / 2;
        first = screen->selected > half ? screen->selected - half : 0;
        first = first + rows > screen->row_count ? screen->row_count - rows : first;
        shown = rows;
    }
    for (size_t i = 0; i < shown; i++)
        draw_row(grid, &screen->rows[first + i], &layout, box.row + (int)i, first + i == screen->selected);
    if (first)
        grid_put(grid, grid->columns - 2, box.row, -1, STYLE_NOTICE, "↑");
    if (first + shown < screen->row_count)
        grid_put(grid, grid->columns - 2, box.row + (int)shown - 1, -1, STYLE_NOTICE, "↓");
    if (!screen->row_count)
        grid_put(grid, TITLE_COLUMN, box.row, -1, STYLE_DIM,
                 screen->find ? _("No lesson has that in its title.") : _("This course has no lessons."));
}

/* What is said about the lesson pointed at. */
static void add_details(struct sheet *sheet, const struct course_screen *screen, int columns)
{
    if (screen->selected >= screen->row_count)
        return;
    const struct course_row *row = &screen->rows[screen->selected];
    if (row->error) {
        int at = sheet_text(sheet, 2, columns, STYLE_PLAIN, row->error);
        sheet_put(sheet, 0, at, STYLE_WRONG, "✗");
        return;
    }
    if (row->about && *row->about)
        sheet_text(sheet, 0, columns, STYLE_PLAIN, row->about);
    if (row->seen || row->settled) {
        char words[160], due[48] = "";
        if (row->due)
            snprintf(due, sizeof due, _(", %zu due for review"), row->due);
        snprintf(words, sizeof words, _("%zu of %zu steps seen, %zu of %zu questions settled%s."), row->seen,
                 row->steps, row->settled, row->questions, due);
        sheet_text(sheet, 0, columns, STYLE_DIM, words);
    }
    if (row->last_said && *row->last_said && row->settled < row->questions) {
        const char *when = _("Last time");
        int at = markdown_add(sheet, sheet_width(sheet, when) + 2, columns, row->last_said);
        sheet_put(sheet, 0, at, STYLE_DIM, when);
    }
}

static int draw_find(struct grid *grid, const struct course_screen *screen, int bottom)
{
    int row = bottom - 1, column = grid_put(grid, 1, row, -1, STYLE_ACCENT, "/") + 1;
    int width = grid_width(grid, screen->find), room = grid->columns - column - 2;
    if (width > room)
        column = grid_put(grid, column, row, -1, STYLE_DIM, "‹");
    size_t skip = 0;
    while (width > room && screen->find[skip]) {
        skip++;
        while ((screen->find[skip] & 0xC0) == 0x80)
            skip++;
        width = grid_width(grid, screen->find + skip) + 1;
    }
    column = grid_put(grid, column, row, -1, STYLE_STRONG, screen->find + skip);
    grid->cursor_column = column < grid->columns ? column : grid->columns - 1;
    grid->cursor_row = row;
    return row;
}

static void draw_header(struct grid *grid, const struct course_screen *screen)
{
    size_t done = 0;
    for (size_t i = 0; i < screen->row_count; i++)
        done += screen->rows[i].done;
    char words[64];
    snprintf(words, sizeof words, _("%zu of %zu done"), done, screen->row_count);
    int right = grid->columns - 1 - grid_width(grid, words), column = 1;
    if (!screen->find)
        grid_put(grid, right, 0, -1, STYLE_DIM, words);
    column = grid_put(grid, column, 0, -1, STYLE_ACCENT, "normtutor") + 2;
    grid_put_fit(grid, column, 0, right - 2, STYLE_TITLE, screen->title);
    if (screen->origin && *screen->origin)
        grid_put_fit(grid, column, 1, grid->columns - 2, STYLE_DIM, screen->origin);
}

void draw_course(struct grid *grid, const struct course_screen *screen, struct drawn *drawn)
{
    grid_clear(grid);
    *drawn = (struct drawn){.too_small = chrome_too_small(grid)};
    if (drawn->too_small)
        return;
    struct keys keys;
    keys_of_course(&keys, screen, grid->ascii);
    draw_header(grid, screen);
    int bottom = chrome_bottom(grid, &keys, screen->notice), columns = grid->columns - 4;
    struct sheet sheet;
    if (!sheet_open(&sheet, columns, grid->ascii))
        return;
    if (screen->help) {
        help_course(&sheet, screen, columns);
        chrome_page(grid, &sheet, (struct box){2, 2, columns, bottom - 2}, screen->help_scroll, drawn);
        sheet_close(&sheet);
        return;
    }
    if (screen->find)
        bottom = draw_find(grid, screen, bottom);
    add_details(&sheet, screen, columns);
    int rows = grid->rows >= SPACIOUS_ROWS ? 4 : 2, shown = sheet.rows < rows ? sheet.rows : rows;
    int list = bottom - 2 - rows - 1;
    sheet_show(&sheet, 0, shown, grid, 2, bottom - rows);
    if (shown < sheet.rows)
        grid_put(grid, grid->columns - grid_width(grid, "…"), bottom - rows + shown - 1, -1, STYLE_NOTICE,
                 "…");
    chrome_rule(grid, bottom - rows - 1);
    draw_list(grid, screen, (struct box){0, 2, grid->columns, list});
    sheet_close(&sheet);
}
