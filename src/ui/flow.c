#include "ui/flow.h"

#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "ui/markdown.h"

enum {
    ECHO_BESIDE = 60 /* columns from which the echo may stand beside the line */,
    OPTION_INDENT = 5,
    FIELD_LEAVES = 4 /* rows for the text */
};

int said_length(const char *said)
{
    size_t length = strlen(said);
    bool stop = length > 1 && said[length - 1] == '.' && said[length - 2] != '.';
    return (int)(stop ? length - 1 : length);
}

const char *const sure_words[4] = {"", N_("a guess"), N_("I think so"), N_("certain")};

const char *flow_step_title(const struct scene *scene)
{
    const struct scene_step *step = scene->step;
    return step && strcmp(step->title, step->id) != 0 ? step->title : "";
}

static bool begin(struct flow *flow, int columns, bool ascii)
{
    *flow = (struct flow){.field_at = 0};
    bool text = sheet_open(&flow->text, columns, ascii), field = sheet_open(&flow->field, columns, ascii);
    return text && field;
}

void flow_close(struct flow *flow)
{
    sheet_close(&flow->text);
    sheet_close(&flow->field);
}

int flow_rows(const struct flow *flow)
{
    return flow->text.rows + flow->field.rows;
}

/* Beside the end of the question where there is room, else below it. */
static void add_expects(struct flow *flow, const char *expects, int columns)
{
    if (!*expects || flow->text.failed)
        return;
    int row = flow->text.rows - 1, end = row < 0 ? columns : grid_used(flow->text.grid, row);
    if (end + 2 + sheet_width(&flow->text, expects) <= columns && end > 0)
        sheet_put(&flow->text, end + 2, row, STYLE_DIM, expects);
    else
        sheet_text(&flow->text, 0, columns, STYLE_DIM, expects);
}

/* ---- the answer's line ---- */

void field_line(struct sheet *sheet, int column, int row, int limit, const struct field *field, bool focused)
{
    struct glyphs all = {0}, before = {0};
    if (sheet->failed)
        return;
    bool ascii = sheet->grid->ascii;
    size_t length = strlen(field->text), cursor = field->cursor < length ? field->cursor : length;
    glyphs_add(&all, ascii, STYLE_PLAIN, field->text, length);
    glyphs_add(&before, ascii, STYLE_PLAIN, field->text, cursor);
    int caret = 0, skipped = 0, width = limit - column - 1;
    for (size_t i = 0; i < before.count; i++)
        caret += before.item[i].width;
    size_t first = 0;
    while (first < all.count && caret - skipped > width - (first > 0))
        skipped += all.item[first++].width;
    int at = column;
    if (first) {
        at = grid_put(sheet->grid, at, row, limit, STYLE_DIM, "‹");
        skipped -= 1;
    }
    size_t i = first;
    for (; i < all.count && at + all.item[i].width <= limit - 1; i++)
        at = grid_put(sheet->grid, at, row, limit, focused ? STYLE_STRONG : STYLE_PLAIN, all.item[i].text);
    if (i < all.count)
        grid_put(sheet->grid, limit - 1, row, limit, STYLE_DIM, "›");
    if (focused) {
        sheet->grid->cursor_column = column + caret - skipped;
        sheet->grid->cursor_row = row;
    }
    glyphs_free(&all);
    glyphs_free(&before);
}

static void add_echo(struct flow *flow, const struct lesson_screen *screen, int row, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    enum style style = question->echo_unread ? STYLE_NOTICE : STYLE_DIM;
    struct strbuf words = {0};
    markdown_plain(&words, question->echo);
    const char *echo = strbuf_string(&words);
    int typed = 2 + sheet_width(&flow->field, screen->field.text) + 4,
        width = sheet_width(&flow->field, echo);
    if (columns >= ECHO_BESIDE && typed + width <= columns)
        sheet_put(&flow->field, columns - width - 1 > typed + 24 ? typed + 24 : columns - width, row, style,
                  echo);
    else if (*echo)
        sheet_text(&flow->field, 2, columns, style, echo);
    else if (columns < ECHO_BESIDE)
        sheet_row(&flow->field); /* its place, so that nothing jumps when it comes */
    flow->text.failed |= words.failed;
    strbuf_free(&words);
}

static void add_allow(struct flow *flow, const struct scene_question *question, int columns)
{
    struct strbuf words = {0};
    for (size_t i = 0; i < question->allow.count; i++)
        strbuf_addf(&words, "%s%s", i ? ", " : "", question->allow.item[i]);
    if (words.length) {
        struct strbuf line = {0};
        strbuf_addf(&line, language_count("You may use the name %s.", "You may use the names %s.", question->allow.count),
                    strbuf_string(&words));
        sheet_text(&flow->field, 2, columns, STYLE_DIM, strbuf_string(&line));
        flow->text.failed |= line.failed;
        strbuf_free(&line);
    }
    strbuf_free(&words);
}

static void add_sure(struct sheet *sheet, const struct lesson_screen *screen, int columns)
{
    int gap = columns >= 56 ? 3 : 1, row = sheet_row(sheet), column = 0;
    bool focused = screen->focus == FOCUS_SURE || screen->focus == FOCUS_CHOICE;
    column = sheet_put(sheet, column, row, STYLE_PLAIN, columns >= 44 ? _("How sure?") : _("Sure?")) + gap;
    for (uint32_t i = 1; i <= 3; i++) {
        bool here = i == screen->sure;
        enum style style = here ? (focused ? STYLE_ACCENT : STYLE_STRONG) : STYLE_DIM;
        if (here)
            sheet_put(sheet, column, row, style, "‹");
        column = sheet_put(sheet, column + 2, row, style, _(sure_words[i])) + 1;
        if (here)
            sheet_put(sheet, column, row, style, "›");
        column += gap;
    }
}

static void add_field(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    bool focused = screen->focus == FOCUS_FIELD && !question->final;
    flow->field_at = flow->text.rows;
    if (question->final && !*screen->field.text)
        return;
    int row = sheet_row(&flow->field);
    sheet_put(&flow->field, 0, row, focused ? STYLE_ACCENT : STYLE_DIM, "›");
    field_line(&flow->field, 2, row, columns, &screen->field, focused);
    if (!question->final) {
        add_echo(flow, screen, row, columns);
        add_allow(flow, question, columns);
        if (question->predict != PREDICT_NO) {
            sheet_row(&flow->field);
            add_sure(&flow->field, screen, columns);
        }
    }
}

/* ---- a choice ---- */

static void follow(struct flow *flow, int from)
{
    flow->follow_from = from;
    flow->follow_to = flow->text.rows;
}

/* One option or piece as a line: what marks it, its number, its words. */
static void add_option(struct flow *flow, const struct lesson_screen *screen, size_t i, int columns, const char *box)
{
    const struct scene_question *question = screen->scene->step->question;
    bool focused = screen->focus == FOCUS_CHOICE || screen->focus == FOCUS_SURE, here = i == screen->choice && !question->final;
    bool picks = question->several || screen->scene->step->kind == STEP_ORDER;
    char number[24];
    enum style style = here ? (focused ? STYLE_ACCENT : STYLE_STRONG) : STYLE_DIM;
    snprintf(number, sizeof number, "%2zu", i + 1);
    int row = markdown_add(&flow->text, OPTION_INDENT + 2 * (*box != '\0'), columns, question->options[i].text);
    if (row >= flow->text.rows)
        row = sheet_row(&flow->text);
    if (i == screen->choice && (here || !picks))
        sheet_put(&flow->text, 0, row, style, screen->held ? "↕" : "›");
    sheet_put(&flow->text, 1, row, style, number);
    sheet_put(&flow->text, OPTION_INDENT - 1, row, style, box);
    if (here)
        follow(flow, row);
}

/* The pieces in their order so far, then those that are left. */
static void add_pieces(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    static const struct picks none = {0};
    const struct picks *picks = screen->picks ? screen->picks : &none;
    const struct scene_question *question = screen->scene->step->question;
    sheet_gap(&flow->text);
    if (picks->count > 0 || !question->final)
        sheet_text(&flow->text, 0, columns, STYLE_DIM, _("In order, from the first on:"));
    for (size_t row = 0; row < question->option_count; row++) {
        if (row == picks->count) {
            if (row == 0 && !question->final)
                sheet_text(&flow->text, OPTION_INDENT, columns, STYLE_DIM, _("nothing yet"));
            sheet_text(&flow->text, 0, columns, STYLE_DIM, _("Not used:"));
        }
        add_option(flow, screen, picks_at(picks, row), columns, "");
    }
}

static void add_options(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    sheet_gap(&flow->text);
    for (size_t i = 0; i < question->option_count; i++) {
        bool picked = screen->picks && picks_have(screen->picks, i);
        add_option(flow, screen, i, columns, !question->several ? "" : picked ? "■" : "□");
    }
}

/* How sure the learner is, below what they choose. */
static void add_prediction(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    if (question->predict == PREDICT_NO || question->final)
        return;
    sheet_gap(&flow->text);
    add_sure(&flow->text, screen, columns);
    if (screen->focus == FOCUS_SURE || screen->choice + 1 == question->option_count)
        flow->follow_to = flow->text.rows;
    sheet_gap(&flow->text);
    sheet_text(&flow->text, 0, columns, STYLE_DIM,
               question->predict == PREDICT_TRAVEL ? _("(your answer, then the view moves)")
                                                   : _("(your answer, then the view opens)"));
}

/* ---- pages ---- */

static void add_error(struct flow *flow, const char *error, int columns)
{
    if (!error)
        return;
    sheet_gap(&flow->text);
    int row = sheet_text(&flow->text, 2, columns, STYLE_PLAIN, error);
    sheet_put(&flow->text, 0, row, STYLE_WRONG, "✗");
}

void flow_step(struct flow *flow, const struct lesson_screen *screen, int columns, bool ascii,
               enum flow_size size)
{
    if (!begin(flow, columns, ascii))
        return;
    const struct scene *scene = screen->scene;
    const struct scene_step *step = scene->step;
    add_error(flow, scene->error, columns);
    if (!step)
        return;
    const char *title = size == FLOW_TITLED ? flow_step_title(scene) : "";
    if (*title) {
        sheet_gap(&flow->text);
        sheet_text(&flow->text, 0, columns, STYLE_ACCENT, title);
    }
    sheet_gap(&flow->text);
    markdown_add(&flow->text, 0, columns, step->text);
    if (!step->question)
        return;
    if (step->kind == STEP_CHOICE) {
        if (size != FLOW_BRIEF || !step->question->final)
            add_options(flow, screen, columns);
        add_prediction(flow, screen, columns);
    } else if (step->kind == STEP_ORDER) {
        if (size != FLOW_BRIEF || !step->question->final)
            add_pieces(flow, screen, columns);
        add_prediction(flow, screen, columns);
    } else if (step->kind == STEP_CODE) {
        flow_code_add(flow, screen, columns);
    } else {
        add_expects(flow, step->question->expects, columns);
        sheet_gap(&flow->text);
        add_field(flow, screen, columns);
    }
    feedback_add(flow, screen, columns);
}

static void add_line(struct flow *flow, int columns, enum style style, const char *name, const char *what)
{
    struct strbuf line = {0};
    strbuf_addf(&line, "%s%s", name, what);
    flow->text.failed |= line.failed;
    sheet_text(&flow->text, 0, columns, style, strbuf_string(&line));
    strbuf_free(&line);
}

static void add_outline(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_lesson *lesson = screen->scene->lesson;
    if (!screen->settled || !lesson->step_count)
        return;
    sheet_gap(&flow->text);
    for (size_t i = 0; i < lesson->step_count; i++) {
        const struct scene_outline_step *step = &lesson->steps[i];
        bool settled = screen->settled[i];
        char untitled[32];
        snprintf(untitled, sizeof untitled, "%s %zu", step->kind == STEP_TELL ? _("step") : _("question"), i + 1);
        const char *title = strcmp(step->title, step->id) == 0 ? untitled : step->title;
        int row = sheet_text(&flow->text, 4, columns, settled ? STYLE_PLAIN : STYLE_DIM, title);
        sheet_put(&flow->text, 2, row, settled ? STYLE_RIGHT : STYLE_DIM, settled ? "■" : "□");
    }
}

void flow_goal(struct flow *flow, const struct lesson_screen *screen, int columns, bool ascii)
{
    if (!begin(flow, columns, ascii))
        return;
    const struct scene_lesson *lesson = screen->scene->lesson;
    add_error(flow, screen->scene->error, columns);
    if (!lesson)
        return;
    sheet_gap(&flow->text);
    sheet_text(&flow->text, 0, columns, STYLE_ACCENT, lesson->title);
    sheet_gap(&flow->text);
    markdown_add(&flow->text, 0, columns, *lesson->goal ? lesson->goal : lesson->about);
    size_t questions = 0;
    for (size_t i = 0; i < lesson->step_count; i++)
        questions += lesson->steps[i].kind != STEP_TELL;
    sheet_gap(&flow->text);
    char line[128];
    int used = snprintf(line, sizeof line, language_count("%zu step, ", "%zu steps, ", lesson->step_count), lesson->step_count);
    used += snprintf(line + used, sizeof line - (size_t)used, language_count("%zu question", "%zu questions", questions), questions);
    if (lesson->minutes > 0)
        snprintf(line + used, sizeof line - (size_t)used, _(", about %.0f minutes"), lesson->minutes);
    add_line(flow, columns, STYLE_DIM, line, ".");
    add_outline(flow, screen, columns);
    sheet_gap(&flow->text);
    add_line(flow, columns, STYLE_STRONG, _("Enter"), _(" begins."));
}

void flow_end(struct flow *flow, const struct lesson_screen *screen, int columns, bool ascii)
{
    if (!begin(flow, columns, ascii))
        return;
    const struct scene_lesson *lesson = screen->scene->lesson;
    add_error(flow, screen->scene->error, columns);
    if (!lesson)
        return;
    sheet_text(&flow->text, 0, columns, STYLE_ACCENT,
               *lesson->remember ? _("What to remember") : _("The end of this lesson"));
    sheet_gap(&flow->text);
    markdown_add(&flow->text, 0, columns, lesson->remember);
    add_outline(flow, screen, columns);
    if (lesson->sources.count) {
        sheet_gap(&flow->text);
        for (size_t i = 0; i < lesson->sources.count; i++)
            add_line(flow, columns, STYLE_DIM, _("Source: "), lesson->sources.item[i]);
    }
    if (screen->about.rights) {
        sheet_gap(&flow->text);
        about_add(&flow->text, &screen->about, columns);
    }
    if (screen->next_title && *screen->next_title) {
        sheet_gap(&flow->text);
        add_line(flow, columns, STYLE_STRONG, _("Next: "), screen->next_title);
    }
}

/* ---- the window ---- */

static void draw_more(struct grid *grid, struct box box, int above, int below)
{
    char mark[96] = "";
    if (above && below)
        snprintf(mark, sizeof mark, _("more above ↑ (%d), below ↓ (%d)"), above, below);
    else if (below)
        snprintf(mark, sizeof mark, language_count("more below ↓ (%d line)", "more below ↓ (%d lines)", (size_t)below), below);
    else if (above)
        snprintf(mark, sizeof mark, language_count("more above ↑ (%d line)", "more above ↑ (%d lines)", (size_t)above), above);
    int width = grid_width(grid, mark), column = box.column + box.columns - width;
    grid_put_fit(grid, column < box.column ? box.column : column, box.row + box.rows - 1,
                 box.column + box.columns, STYLE_DIM, mark);
}

void flow_show(const struct flow *flow, struct grid *grid, struct box box, int scroll, struct drawn *drawn)
{
    int spare = box.rows > FIELD_LEAVES ? box.rows - FIELD_LEAVES : 1;
    int field = flow->field.rows, total = flow->text.rows;
    if (field + total > box.rows && field > spare)
        field = spare;
    int room = box.rows - field;
    bool marked = total > room && box.rows > field + 1;
    room -= marked;
    int most = total > room ? total - room : 0;
    if (scroll < 0) {
        scroll = flow->follow_to > room ? flow->follow_to - room : 0;
        if (scroll > flow->follow_from)
            scroll = flow->follow_from;
    }
    scroll = scroll > most ? most : scroll;
    int before = flow->field_at - scroll;
    before = !field || before > room ? room : before < 0 ? 0 : before;
    sheet_show(&flow->text, scroll, before, grid, box.column, box.row);
    sheet_show(&flow->field, 0, field, grid, box.column, box.row + before);
    sheet_show(&flow->text, scroll + before, room - before, grid, box.column, box.row + before + field);
    if (marked)
        draw_more(grid, box, scroll, most - scroll);
    drawn->scroll = scroll;
    drawn->scroll_max = most;
    drawn->page_lines = room;
}
