/* Frames at 80x24, in Unicode and in ASCII: does everything fit, can everything be read, is every view told in words? */
#include <string.h>

#include "base/visible.h"
#include "check/internal.h"
#include "ui/flow.h"
#include "ui/knobs.h"
#include "ui/markdown.h"
#include "ui/view.h"

enum {
    COLUMNS = 80, ROWS = 24,
    TEXT_COLUMNS = COLUMNS - 4, VIEW_COLUMNS = COLUMNS - 2, /* as draw_lesson leaves them */
    HINT_INDENT = 8, SAID_INDENT = 2, OPTION_INDENT = 7
};

struct frame {
    struct check *check;
    struct job *job;
    const struct scene *scene;
    const struct scene_check *places;
};

/* ---- words ---- */

static bool can_be_read(uint32_t rune, char next, bool lines)
{
    if (lines && (rune == '\n' || rune == '\t'))
        return true;
    return visible_rune(rune) == rune && (rune < 0x80 || utf8_width(rune) == 0 || glyph_stand_in(rune, next));
}

/* The first character that a terminal cannot show, or that ASCII has nothing for. */
static void check_letters(const struct frame *frame, uint32_t line, const char *field, const char *text, bool lines)
{
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t rune;
        size_t took = utf8_decode(text, left, &rune);
        if (!can_be_read(rune, left > took ? text[took] : '\0', lines)) {
            if (visible_rune(rune) != rune || rune == 0xFFFD)
                note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, line,
                     "`%s` holds a byte that is no letter (0x%02x): leave it out", field,
                     (unsigned char)*text);
            else
                note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, line,
                     "`%s`: ASCII has nothing for %.*s: say it in letters", field, (int)took, text);
            return;
        }
        text += took;
        left -= took;
    }
}

/* A name in braces is a hole that was never filled: in a block of code, or behind a doubled brace. */
static void check_holes(const struct frame *frame, uint32_t line, const char *field, const char *words)
{
    for (const char *brace = strchr(words, '{'); brace; brace = strchr(brace + 1, '{')) {
        size_t length = strspn(brace + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (length == 0 || brace[1 + length] != '}' || (brace[1] >= '0' && brace[1] <= '9'))
            continue;
        note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, line, "`%s` prints {%.*s} as it is, a hole that is not "
             "filled: neither {{ nor a block of code begins one. Where the braces are meant, part them from the name with "
             "blanks", field, (int)length, brace + 1);
        return;
    }
}

static void check_words(const struct frame *frame, uint32_t line, const char *field, const char *words, int columns)
{
    if (markdown_broken(words, columns, false) || markdown_broken(words, columns, true))
        note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, line, "`%s`: something in it is wider than the %d columns "
             "that it has at 80x24: shorten that line of code, table or word", field, columns);
    check_letters(frame, line, field, words, true);
    check_holes(frame, line, field, words);
}

static uint32_t part_line(const struct frame *frame, const char *id, const char *field)
{
    struct strbuf of = {0};
    strbuf_addf(&of, "%s.%s", id, field);
    uint32_t line = line_of(frame->places, id);
    for (size_t i = 0; i < frame->places->place_count; i++)
        if (strcmp(frame->places->places[i].of, strbuf_string(&of)) == 0)
            line = frame->places->places[i].line;
    strbuf_free(&of);
    return line;
}

static void check_question(const struct frame *frame, const struct scene_question *question)
{
    for (size_t i = 0; i < question->option_count; i++)
        check_words(frame, line_of(frame->places, question->options[i].id), question->options[i].id, question->options[i].text,
                    TEXT_COLUMNS - OPTION_INDENT);
    for (size_t i = 0; i < question->hints.count; i++)
        check_words(frame, line_of(frame->places, "hints"), "hints", question->hints.item[i], TEXT_COLUMNS - HINT_INDENT);
    check_words(frame, line_of(frame->places, "why"), "why", question->why, TEXT_COLUMNS - SAID_INDENT);
    if (*question->mistake)
        check_words(frame, part_line(frame, question->mistake, "say"), "say", question->say, TEXT_COLUMNS - SAID_INDENT);
}

/* Two that nobody can tell apart. */
static void check_options(const struct frame *frame, const struct scene_question *question)
{
    for (size_t i = 0; i < question->option_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(question->options[i].text, question->options[j].text) == 0) {
                uint32_t one = line_of(frame->places, question->options[i].id), other = line_of(frame->places, question->options[j].id);
                bool later = one > other;
                note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, later ? one : other,
                     "\"%s\" reads the same as \"%s\": nobody can tell them apart; say what is different",
                     question->options[later ? i : j].id, question->options[later ? j : i].id);
            }
}

/* ---- views ---- */

static void check_label(const struct frame *frame, uint32_t line, const char *text)
{
    check_letters(frame, line, "show", text, false);
}

static void check_labels(const struct frame *frame, uint32_t line, const struct strings *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        check_label(frame, line, labels->item[i]);
}

static void check_part(const struct frame *frame, uint32_t line, const struct part *part)
{
    switch (part->kind) {
    case PART_TABLE:
        check_labels(frame, line, &part->as.table.head);
        check_labels(frame, line, &part->as.table.labels);
        for (size_t i = 0; i < part->as.table.head.count * part->as.table.labels.count; i++)
            check_label(frame, line, part->as.table.cells[i].text);
        break;
    case PART_BARS:
        check_labels(frame, line, &part->as.bars.labels);
        break;
    case PART_PLOT:
        check_label(frame, line, part->as.plot.x_label);
        for (size_t i = 0; i < part->as.plot.line_count; i++)
            check_label(frame, line, part->as.plot.lines[i].label);
        for (size_t i = 0; i < part->as.plot.mark_count; i++)
            check_label(frame, line, part->as.plot.marks[i].label);
        break;
    case PART_MAP:
        check_label(frame, line, part->as.map.title);
        check_labels(frame, line, &part->as.map.rows);
        check_labels(frame, line, &part->as.map.columns);
        break;
    case PART_CODE:
        check_letters(frame, line, "show", part->as.code.text, true);
        break;
    case PART_STACK:
    case PART_LEAK: break;
    }
}

static void check_view(const struct frame *frame, uint32_t line, const struct view *view)
{
    if (!view->alt[strspn(view->alt, " \t\n")])
        note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, line, "view.%s says nothing to those who do not see it: "
             "give it an `alt`", view->name);
    check_letters(frame, line, "alt", view->alt, false);
    for (size_t i = 0; i < view->part_count; i++)
        check_part(frame, line, &view->parts[i]);
    for (size_t i = 0; i < view->child_count; i++)
        check_view(frame, line, &view->children[i]);
}

static void check_width(const struct frame *frame, const struct grid *grid, uint32_t line)
{
    const struct scene_step *step = frame->scene->step;
    const struct view *cut = step->view ? view_cut(grid, step->view, VIEW_COLUMNS) : NULL;
    if (cut)
        note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, line, "view.%s is wider than the columns that it has at "
             "80x24: fewer or shorter columns, or views below each other", cut->name);
    for (size_t i = 0; i < step->knob_count; i++)
        if (grid_width(grid, step->knobs[i].label) > VIEW_COLUMNS / KNOBS_LABEL_SHARE)
            note(frame->check, frame->job, FINDING_FAULT, SCOPE_FRAMES, line_of(frame->places, "knobs"),
                 "the label of the knob `%s` is wider than %d columns, all that it has at 80x24: shorten it",
                 step->knobs[i].name, VIEW_COLUMNS / KNOBS_LABEL_SHARE);
}

/* ---- the frame as a whole ---- */

static void check_title(const struct frame *frame, const struct grid *grid)
{
    struct strbuf lines = {0}, title = {0};
    const char *words = frame->scene->lesson->title;
    grid_write(grid, false, &lines);
    if (grid->ascii)
        plain_ascii(&title, words);
    else
        strbuf_add(&title, words);
    char *end = lines.text ? strchr(lines.text, '\n') : NULL;
    if (end)
        *end = '\0';
    if (!strstr(strbuf_string(&lines), strbuf_string(&title)))
        note(frame->check, frame->job, FINDING_FAULT, SCOPE_ALL, line_of_lesson(frame->places, "title"),
             "the lesson's `title` is wider than the head line has room for at 80x24: shorten it");
    strbuf_free(&lines);
    strbuf_free(&title);
}

static void draw(const struct frame *frame, struct grid *grid)
{
    const struct scene_step *step = frame->scene->step;
    bool moves = step->axis_count > 0 && !step->locked;
    struct lesson_screen screen = {.number = 1, .page = PAGE_STEP, .scene = frame->scene, .focus = moves ? FOCUS_VIEW : FOCUS_TEXT,
                                   .choice = NO_CHOICE, .sure = 2, .field = {"", 0}, .cell = {"", 0}, .scroll = -1, .notice = "",
                                   .next_title = "", .code_path = step->kind == STEP_CODE ? "~" : NULL};
    struct drawn drawn;
    draw_lesson(grid, &screen, &drawn);
    frame->check->counts.frames++;
    check_width(frame, grid, line_of(frame->places, "show"));
}

static struct frame frame_of(struct check *check, struct job *job, const struct scene *scene)
{
    return (struct frame){check, job, scene, job->base->check};
}

void frame_take(struct check *check, struct job *job, const struct scene *scene)
{
    struct frame frame = frame_of(check, job, scene);
    const struct scene_step *step = scene->step;
    for (int i = 0; i < 2; i++)
        draw(&frame, check->grids[i]);
    check_words(&frame, line_of(frame.places, "text"), "text", step->text, TEXT_COLUMNS);
    check_letters(&frame, line_of(frame.places, "title"), "title", step->title, false);
    for (size_t i = 0; i < step->knob_count; i++)
        check_letters(&frame, line_of(frame.places, "knobs"), "knobs", step->knobs[i].label, false);
    if (step->view)
        check_view(&frame, line_of(frame.places, "show"), step->view);
    if (step->question)
        check_question(&frame, step->question);
    if (step->question && job->tries[job->at].kind == TRY_STEP)
        check_options(&frame, step->question);
}

void page_take(struct check *check, struct job *job, const struct scene *scene)
{
    struct frame frame = frame_of(check, job, scene);
    const struct scene_lesson *lesson = scene->lesson;
    check_words(&frame, line_of_lesson(frame.places, "goal"), "goal", lesson->goal, TEXT_COLUMNS);
    check_words(&frame, line_of_lesson(frame.places, "remember"), "remember", lesson->remember, TEXT_COLUMNS);
    check_letters(&frame, line_of_lesson(frame.places, "title"), "title", lesson->title, false);
    check_letters(&frame, line_of_lesson(frame.places, "about"), "about", lesson->about, false);
    for (int i = 0; i < 2; i++)
        check_title(&frame, check->grids[i]);
}
