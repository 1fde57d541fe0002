#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "ui/chrome.h"
#include "ui/flow.h"
#include "ui/markdown.h"
#include "ui/pane.h"
#include "ui/scratchpad.h"

enum {
    WIDE = 100,     /* columns from which program and view stand side by side */
    PANE_LEAST = 6, /* rows of the program below a view */
    SAID_SHARE = 3  /* what came of the last run takes at most that part of the rows */
};

/* ---- what came of the last run ---- */

static bool open_said(struct flow *flow, const struct lesson_screen *screen, int columns, bool ascii)
{
    *flow = (struct flow){.field_at = 0};
    bool text = sheet_open(&flow->text, columns, ascii), field = sheet_open(&flow->field, columns, ascii);
    if (text && field)
        feedback_add(flow, screen, columns);
    return text && field;
}

/* At the foot of the body; returns the rows that are left above its rule. */
static int draw_said(struct grid *grid, const struct lesson_screen *screen, struct box body, struct drawn *drawn)
{
    struct flow flow;
    int columns = body.columns - 4, rows = 0;
    if (open_said(&flow, screen, columns, grid->ascii))
        rows = flow_rows(&flow);
    rows = rows > body.rows / SAID_SHARE ? body.rows / SAID_SHARE : rows;
    if (rows > 0) {
        flow_show(&flow, grid, (struct box){2, body.row + body.rows - rows, columns, rows}, screen->scroll, drawn);
        rows++;
        chrome_rule(grid, body.row + body.rows - rows);
    }
    flow_close(&flow);
    return body.rows - rows;
}

/* ---- the program ---- */

/* What went wrong, without the place, which the mark shows. */
static void add_error(struct strbuf *out, const struct scene_question *question)
{
    struct strbuf place = {0}, words = {0};
    strbuf_addf(&place, "%s:%u: ", question->code->name, question->code->error_line);
    markdown_plain(&words, question->say);
    bool placed = strncmp(strbuf_string(&words), strbuf_string(&place), place.length) == 0;
    strbuf_add(out, strbuf_string(&words) + (placed ? place.length : 0));
    strbuf_free(&place);
    strbuf_free(&words);
}

static void draw_program(struct grid *grid, const struct lesson_screen *screen, struct box box, struct drawn *drawn)
{
    const struct scene_question *question = screen->scene->step->question;
    const struct scene_code *code = question->code;
    struct strbuf error = {0};
    const char *text = screen->pane->text;
    uint32_t line = question->verdict == VERDICT_UNREAD ? pane_line_now(code->text, text, code->error_line) : 0;
    if (line > 0)
        add_error(&error, question);
    pane_draw(grid, screen->pane, box, code->name, strcmp(code->text, text) != 0, line, strbuf_string(&error), drawn);
    strbuf_free(&error);
}

/* The scratchpad, where it is open, takes the place of the program, or of the text. */
static void draw_written(struct grid *grid, const struct lesson_screen *screen, struct box box, struct drawn *drawn)
{
    if (screen->scratch)
        scratchpad_draw(grid, screen->scratch, (struct box){box.column + 1, box.row, box.columns - 2, box.rows}, drawn);
    else
        draw_program(grid, screen, box, drawn);
}

static int written_rows(const struct grid *grid, const struct lesson_screen *screen, int columns)
{
    return screen->scratch ? scratchpad_rows(grid, screen->scratch, columns - 2) : pane_rows(screen->pane);
}

/* ---- both and the view ---- */

static void draw_lost(struct grid *grid, int lost, int row)
{
    if (lost <= 0)
        return;
    char words[64];
    snprintf(words, sizeof words, _(" … %d more in a taller window "), lost);
    grid_put(grid, grid->columns - 1 - grid_width(grid, words), row, -1, STYLE_DIM, words);
}

static void draw_beside(struct grid *grid, const struct lesson_screen *screen, struct box body, struct drawn *drawn)
{
    const struct view *view = screen->scene->step->view;
    int rule = grid->columns / 2 - 4;
    draw_written(grid, screen, (struct box){1, body.row, (view ? rule : grid->columns) - 2, body.rows}, drawn);
    if (!view)
        return;
    grid_put(grid, rule, body.row - 1, -1, STYLE_RULE, "┬");
    for (int row = body.row; row < body.row + body.rows; row++)
        grid_put(grid, rule, row, -1, STYLE_RULE, "│");
    grid_put(grid, rule, body.row + body.rows, -1, STYLE_RULE, "┴");
    int lost = view_draw(grid, view, (struct box){rule + 2, body.row, grid->columns - rule - 4, body.rows}, false);
    draw_lost(grid, lost, body.row + body.rows);
}

static void draw_above(struct grid *grid, const struct lesson_screen *screen, struct box body, struct drawn *drawn)
{
    const struct view *view = screen->scene->step->view;
    struct box above = {1, body.row, body.columns - 2, 0};
    if (view) {
        struct extent extent = view_extent(grid, view, above.columns);
        int want = written_rows(grid, screen, above.columns), least = want > body.rows / 2 ? body.rows / 2 : want;
        int room = body.rows - 1 - larger(least, PANE_LEAST);
        above.rows = extent.want > room ? room : extent.want;
        if (above.rows < extent.least || above.rows < 2)
            above.rows = 0;
    }
    if (above.rows > 0) {
        above.rows = view_fill(grid, view, above.columns, above.rows);
        int lost = view_draw(grid, view, above, false);
        chrome_rule(grid, body.row + above.rows);
        draw_lost(grid, lost, body.row + above.rows);
        body.row += above.rows + 1;
        body.rows -= above.rows + 1;
    }
    draw_written(grid, screen, (struct box){1, body.row, body.columns - 2, body.rows}, drawn);
}

void pane_page(struct grid *grid, const struct lesson_screen *screen, struct box body, struct drawn *drawn)
{
    if (!screen->scratch)
        body.rows = draw_said(grid, screen, body, drawn);
    if (grid->columns >= WIDE)
        draw_beside(grid, screen, body, drawn);
    else
        draw_above(grid, screen, body, drawn);
}
