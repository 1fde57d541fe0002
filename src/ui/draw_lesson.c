#include <stdio.h>

#include "base/language.h"
#include "ui/chrome.h"
#include "ui/flow.h"
#include "ui/knobs.h"
#include "ui/pane.h"

enum {
    WIDE = 100,     /* columns from which text and view stand side by side */
    TEXT_WIDE = 46, /* columns of the text then */
    BESIDE = TEXT_WIDE + 6, /* the column where a view beside it begins */
    TEXT_MOST = 76, /* of a text that stands alone */
    TEXT_BELOW = 96, /* of a text below a view, at most */
    TEXT_LEAST = 5, /* rows of the text below a view */
    TEXT_ENOUGH = 10, /* rows of it below a stack that could stand beside it */
    SLACK = 4,      /* rows left below the text before a view grows past what it wants */
    BOXES_MOST = 24,
};

/* ---- the header ---- */

static void draw_spinner(struct grid *grid, const struct lesson_screen *screen, int right)
{
    static const char *const turns[] = {"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"};
    static const char *const ascii_turns[] = {"|", "/", "-", "\\"};
    unsigned phase = (unsigned)screen->spinner;
    const char *turn = grid->ascii ? ascii_turns[phase % 4] : turns[phase % 6];
    const char *words = _("computing");
    int column = right - grid_width(grid, words) - 3;
    grid_put(grid, column, 0, right, STYLE_NOTICE, turn);
    grid_put(grid, column + 2, 0, right, STYLE_NOTICE, words);
}

/* "step 2 of 6  ■■□□□□", right-aligned; returns where it begins. */
static int draw_progress(struct grid *grid, const struct lesson_screen *screen)
{
    const struct scene *scene = screen->scene;
    int right = grid->columns - 1;
    if (screen->review_count) {
        char words[64];
        snprintf(words, sizeof words, _("review %zu of %zu"), screen->review_at, screen->review_count);
        right -= grid_width(grid, words);
        grid_put(grid, right, 0, -1, STYLE_ACCENT, words);
        return right;
    }
    if (!scene || !scene->lesson || !scene->lesson->step_count)
        return right;
    size_t count = scene->lesson->step_count;
    bool step = screen->page == PAGE_STEP && scene->step;
    if (count <= BOXES_MOST && grid->columns >= 60) {
        right -= (int)count;
        int here = step ? (int)scene->step->index : -1;
        chrome_boxes(grid, right, 0, count, screen->settled, step ? scene->step->index + 1 : 0, here, false);
        right -= 3;
    }
    if (step) {
        char words[64];
        snprintf(words, sizeof words, grid->columns >= 60 ? _("step %zu of %zu") : _("%zu of %zu"),
                 scene->step->index + 1, count);
        right -= grid_width(grid, words);
        grid_put(grid, right, 0, -1, STYLE_DIM, words);
    }
    return right;
}

/* `titled`: with the step's title. */
static void draw_header(struct grid *grid, const struct lesson_screen *screen, bool titled)
{
    int right = draw_progress(grid, screen) - 2, column = 1;
    if (screen->working) {
        draw_spinner(grid, screen, right);
        right -= 14;
    }
    if (grid->columns >= WIDE)
        column = grid_put(grid, column, 0, right, STYLE_DIM, "normtutor") + 2;
    if (screen->number) {
        char number[24];
        snprintf(number, sizeof number, "%d", screen->number);
        column = grid_put(grid, column, 0, right, STYLE_ACCENT, number) + 1;
    }
    if (!screen->scene || !screen->scene->lesson)
        return;
    column = grid_put_fit(grid, column, 0, right, STYLE_TITLE, screen->scene->lesson->title);
    const char *title = screen->page == PAGE_STEP && titled ? flow_step_title(screen->scene) : "";
    if (*title && column + 3 + grid_width(grid, title) <= right) {
        column = grid_put(grid, column, 0, right, STYLE_DIM, " · ");
        grid_put(grid, column, 0, right, STYLE_PLAIN, title);
    }
}

/* ---- knobs and the cell editor, above the keys ---- */

static void draw_cell_editor(struct grid *grid, const struct lesson_screen *screen, int row)
{
    struct sheet line;
    if (!sheet_open(&line, grid->columns - 2, grid->ascii))
        return;
    sheet_row(&line);
    int column = sheet_put(&line, 0, 0, STYLE_ACCENT, screen->cell_name ? screen->cell_name : "");
    column = sheet_put(&line, column, 0, STYLE_DIM, " = ");
    field_line(&line, column, 0, grid->columns - 2, &screen->cell, true);
    sheet_show(&line, 0, 1, grid, 1, row);
    sheet_close(&line);
}

/* Returns the first row taken, rule included. */
static int draw_controls(struct grid *grid, const struct lesson_screen *screen, int bottom)
{
    const struct scene_step *step = screen->scene->step;
    bool editor = screen->focus == FOCUS_CELL, spacious = grid->rows >= SPACIOUS_ROWS;
    int knobs = step ? knobs_rows(step, grid->rows) : 0;
    if (!knobs && !editor)
        return bottom;
    if (!spacious) { /* the rule above the keys goes, one stands for both */
        for (int column = 0; column < grid->columns; column++)
            grid_put(grid, column, bottom, -1, STYLE_PLAIN, " ");
        bottom++;
    }
    int row = bottom - knobs - editor;
    if (editor)
        draw_cell_editor(grid, screen, row);
    if (knobs)
        knobs_draw(grid, screen, (struct box){1, row + editor, grid->columns - 2, knobs});
    chrome_rule(grid, row - 1);
    return row - 1;
}

/* ---- text and view ---- */

static void draw_lost(struct grid *grid, const struct lesson_screen *screen, int lost, int right, int row)
{
    if (!lost)
        return;
    char words[64];
    bool by_tab = grid->columns < WIDE && screen->focus != FOCUS_VIEW && screen->scene->step->axis_count &&
                  !screen->scene->step->locked;
    snprintf(words, sizeof words, by_tab ? _(" … %d more: Tab to the view ") : _(" … %d more in a taller window "),
             lost);
    grid_put(grid, right - 1 - grid_width(grid, words), row, right, STYLE_DIM, words);
}

/* What the learner predicted, or what the probes of the program say, is to be seen now. */
static bool is_watching(const struct lesson_screen *screen)
{
    const struct scene_question *question = screen->scene->step->question;
    if (!question)
        return false;
    if (question->code)
        return question->verdict == VERDICT_RIGHT || question->verdict == VERDICT_WRONG;
    return question->final && question->predict != PREDICT_NO;
}

/* Rows for a view above a text: it shrinks before the text does, down to its first part. */
static int rows_above(const struct lesson_screen *screen, struct extent extent, int text, int room)
{
    bool inside = screen->focus == FOCUS_VIEW || screen->focus == FOCUS_CELL;
    int least = inside || is_watching(screen) ? TEXT_LEAST - 1 : TEXT_LEAST,
        short_text = text < least ? text : least;
    int most = room - short_text > 1 ? room - short_text : 1;
    int rows = room - text;
    if (inside)
        rows = extent.want > rows ? extent.want : rows;
    if (is_watching(screen))
        rows = extent.all > rows ? extent.all : rows;
    if (rows > extent.want)
        rows = rows - SLACK > extent.want ? rows - SLACK : extent.want;
    rows = rows > extent.most ? extent.most : rows;
    rows = rows < extent.least ? extent.least : rows;
    return rows > most ? most : rows;
}

static void draw_above(struct grid *grid, const struct lesson_screen *screen, struct box body,
                       struct drawn *drawn)
{
    const struct view *view = screen->scene->step ? screen->scene->step->view : NULL;
    struct flow flow;
    struct box text = {2, body.row, body.columns - 4 < TEXT_BELOW ? body.columns - 4 : TEXT_BELOW, body.rows};
    flow_step(&flow, screen, text.columns, grid->ascii, FLOW_WHOLE);
    if (view && body.rows >= 4) {
        struct box above = {1, body.row, body.columns - 2, 0};
        struct extent extent = view_extent(grid, view, above.columns);
        if (flow_rows(&flow) + 1 + extent.want > body.rows) {
            flow_close(&flow);
            flow_step(&flow, screen, text.columns, grid->ascii, FLOW_BRIEF);
        }
        above.rows = rows_above(screen, extent, flow_rows(&flow), body.rows - 1);
        above.rows = view_fill(grid, view, above.columns, above.rows);
        int lost = view_draw(grid, view, above, screen->focus == FOCUS_VIEW || screen->focus == FOCUS_CELL);
        chrome_rule(grid, body.row + above.rows);
        draw_lost(grid, screen, lost, grid->columns, body.row + above.rows);
        text.row += above.rows + 1;
        text.rows -= above.rows + 1;
    }
    flow_show(&flow, grid, text, screen->scroll, drawn);
    flow_close(&flow);
}

/* A view that would be cut beside the text stands above it, if that helps; so does a stack of which more layers are seen there,
   unless that leaves little to the text. */
static bool goes_beside(const struct grid *grid, const struct lesson_screen *screen, int rows)
{
    const struct view *view = screen->scene->step ? screen->scene->step->view : NULL;
    int beside = grid->columns - BESIDE - 2, above = grid->columns - 2;
    if (grid->columns < WIDE)
        return false;
    if (!view)
        return true;
    if (view_cut(grid, view, beside) && !view_cut(grid, view, above))
        return false;
    return view_layers(grid, view, beside) >= view_layers(grid, view, above) ||
           view_extent(grid, view, above).want + 1 + TEXT_ENOUGH > rows;
}

static void draw_beside(struct grid *grid, const struct lesson_screen *screen, struct box body,
                        struct drawn *drawn)
{
    const struct view *view = screen->scene->step ? screen->scene->step->view : NULL;
    struct flow flow;
    struct box text = {2, body.row + 1, view ? TEXT_WIDE : TEXT_MOST, body.rows - 1};
    flow_step(&flow, screen, text.columns, grid->ascii, FLOW_TITLED);
    if (flow_rows(&flow) > text.rows) { /* every row counts */
        text.row--;
        text.rows++;
    }
    flow_show(&flow, grid, text, screen->scroll, drawn);
    flow_close(&flow);
    if (!view)
        return;
    int rule = BESIDE - 2;
    grid_put(grid, rule, body.row - 1, -1, STYLE_RULE, "┬");
    for (int row = body.row; row < body.row + body.rows; row++)
        grid_put(grid, rule, row, -1, STYLE_RULE, "│");
    grid_put(grid, rule, body.row + body.rows, -1, STYLE_RULE, "┴");
    struct box beside = {BESIDE, body.row, grid->columns - BESIDE - 2, body.rows};
    struct extent extent = view_extent(grid, view, beside.columns);
    if (extent.want < beside.rows) {
        beside.row++;
        beside.rows--;
    }
    int lost = view_draw(grid, view, beside, screen->focus == FOCUS_VIEW || screen->focus == FOCUS_CELL);
    draw_lost(grid, screen, lost, grid->columns, body.row + body.rows);
}

/* ---- the page ---- */

static void draw_help(struct grid *grid, const struct lesson_screen *screen, struct box body,
                      struct drawn *drawn)
{
    struct sheet sheet;
    int columns = body.columns - 4 > TEXT_MOST ? TEXT_MOST : body.columns - 4;
    if (!sheet_open(&sheet, columns, grid->ascii))
        return;
    help_lesson(&sheet, screen, columns);
    chrome_page(grid, &sheet, (struct box){2, body.row, columns, body.rows}, screen->help_scroll, drawn);
    sheet_close(&sheet);
}

static void draw_page(struct grid *grid, const struct lesson_screen *screen, struct box body,
                      struct drawn *drawn)
{
    struct flow flow;
    int columns = body.columns - 4 > TEXT_MOST ? TEXT_MOST : body.columns - 4;
    if (screen->page == PAGE_GOAL)
        flow_goal(&flow, screen, columns, grid->ascii);
    else
        flow_end(&flow, screen, columns, grid->ascii);
    int inset = flow_rows(&flow) < body.rows;
    flow_show(&flow, grid, (struct box){2, body.row + inset, columns, body.rows - inset}, screen->scroll,
              drawn);
    flow_close(&flow);
}

/* Returns whether the header is to have the step's title. */
static bool draw_body(struct grid *grid, const struct lesson_screen *screen, struct box body, struct drawn *drawn)
{
    bool narrow = grid->columns < WIDE;
    if (screen->help) {
        draw_help(grid, screen, body, drawn);
        return narrow;
    }
    if (!screen->scene) {
        grid_put(grid, 2, body.row, -1, STYLE_DIM, _("The lesson is being loaded …"));
        return narrow;
    }
    if (screen->page != PAGE_STEP) {
        draw_page(grid, screen, body, drawn);
        return narrow;
    }
    body.rows = draw_controls(grid, screen, body.row + body.rows) - body.row;
    if (screen->scratch || (screen->focus == FOCUS_CODE && screen->pane)) {
        pane_page(grid, screen, body, drawn);
        return narrow;
    }
    if (goes_beside(grid, screen, body.rows)) {
        draw_beside(grid, screen, body, drawn);
        return false;
    }
    draw_above(grid, screen, body, drawn);
    return true;
}

void draw_lesson(struct grid *grid, const struct lesson_screen *screen, struct drawn *drawn)
{
    grid_clear(grid);
    *drawn = (struct drawn){.too_small = chrome_too_small(grid)};
    if (drawn->too_small)
        return;
    struct keys keys;
    keys_of_lesson(&keys, screen, grid->ascii);
    chrome_rule(grid, 1);
    int bottom = chrome_bottom(grid, &keys, screen->notice);
    bool titled = draw_body(grid, screen, (struct box){0, 2, grid->columns, bottom - 2}, drawn);
    draw_header(grid, screen, titled);
}
