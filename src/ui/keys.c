#include "ui/keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/visible.h"
#include "ui/exact.h"
#include "ui/view.h"

enum { MARGIN = 1, GAP = 3, MINOR = 3, WEIGHT_MOST = 10, NAME_COLUMNS = 40, NAME_BYTES = 160 };

__attribute__((format(printf, 4, 5))) static void add(struct keys *keys, int weight, const char *key,
                                                      const char *what, ...)
{
    if (keys->count == KEYS_MAX)
        return;
    va_list args;
    va_start(args, what);
    vsnprintf(keys->item[keys->count].what, sizeof keys->item->what, _(what), args);
    va_end(args);
    keys->item[keys->count].key = key;
    keys->item[keys->count++].weight = weight;
}

/* A name that a lesson gave: a long one is cut, with a mark. */
static const char *brief(char out[NAME_BYTES], const char *name)
{
    static const char mark[] = "…";
    size_t length = strlen(name), end = 0, most = NAME_BYTES - sizeof mark;
    int columns = 0, room = grid_text_width(name) > NAME_COLUMNS ? NAME_COLUMNS - 1 : NAME_COLUMNS;
    while (end < length) {
        uint32_t rune;
        size_t took = utf8_decode(name + end, length - end, &rune);
        columns += utf8_width(visible_rune(rune));
        if (columns > room || end + took > most)
            break;
        end += took;
    }
    snprintf(out, NAME_BYTES, "%.*s%s", (int)end, name, end < length ? mark : "");
    return out;
}

static bool any_begun(const struct course_screen *screen)
{
    for (size_t i = 0; i < screen->row_count; i++)
        if (screen->rows[i].seen > 0)
            return true;
    return false;
}

void keys_of_course(struct keys *keys, const struct course_screen *screen, bool ascii)
{
    *keys = (struct keys){0};
    if (screen->help) {
        add(keys, 9, "Esc", "back to the list");
        add(keys, 5, ascii ? "Up Down" : "↑↓", "scroll");
        return;
    }
    add(keys, 9, "Enter", "open");
    if (screen->find) {
        add(keys, 8, "Esc", "all lessons");
        add(keys, 7, ascii ? "Up Down" : "↑↓", "choose");
        return;
    }
    if (screen->due)
        add(keys, 8, "r", "review (%zu due)", screen->due);
    add(keys, 6, ascii ? "Up Down" : "↑↓", "choose");
    add(keys, 5, "/", "find");
    if (!screen->due && screen->coming)
        add(keys, 4, "r", "review");
    if (any_begun(screen))
        add(keys, 4, "n", "notes");
    add(keys, 7, "?", "help");
    add(keys, 8, "q", "quit");
}

static bool question_open(const struct scene_step *step)
{
    return step->question && !step->question->final;
}

static void add_hint(struct keys *keys, const struct lesson_screen *screen, const char *key)
{
    const struct scene_question *question = screen->scene->step->question;
    if (!question || question->final || question->predict != PREDICT_NO)
        return;
    if (screen->hints_open < question->hint_total)
        add(keys, 6, key, "hint %u of %u", screen->hints_open + 1, question->hint_total);
    else
        add(keys, 6, key, "show the answer");
}

/* What Tab goes to from here; NULL: there is one focus alone. */
static const char *next_focus(const struct lesson_screen *screen)
{
    const struct scene_step *step = screen->scene->step;
    bool field = question_open(step) && step->kind != STEP_CODE, knobs = step->knob_count && !step->locked,
         view = step->axis_count && !step->locked, program = step->kind == STEP_CODE && screen->pane;
    const char *answer = step->kind == STEP_CHOICE ? _("answers") : step->kind == STEP_ORDER ? _("pieces") : _("answer");
    switch (screen->focus) {
    case FOCUS_FIELD:
    case FOCUS_CHOICE:
    case FOCUS_SURE:
        return knobs ? _("knob") : view ? _("view") : _("text");
    case FOCUS_KNOB:
        return view ? _("view") : _("text");
    case FOCUS_VIEW:
        return _("text");
    default:
        return field ? answer : program ? _("program") : knobs ? _("knob") : view ? _("view") : NULL;
    }
}

static void add_tab(struct keys *keys, const struct lesson_screen *screen)
{
    const char *next = next_focus(screen);
    if (next)
        add(keys, 5, "Tab", "%s", next);
}

static void add_leave(struct keys *keys, const struct lesson_screen *screen)
{
    add(keys, 7, "?", "help");
    if (screen->working)
        add(keys, 9, "Esc", "stop computing");
    else
        add(keys, 8, "Esc", screen->number ? N_("course") : N_("leave"));
}

static void add_back(struct keys *keys, const struct lesson_screen *screen, int weight)
{
    if (!screen->review_count || screen->review_at > 1)
        add(keys, weight, "b", "back");
}

static bool last_of_review(const struct lesson_screen *screen)
{
    return screen->review_count && screen->review_at == screen->review_count;
}

static void field_keys(struct keys *keys, const struct lesson_screen *screen)
{
    bool sure = screen->scene->step->question && screen->scene->step->question->predict != PREDICT_NO;
    add(keys, 10, "Enter", sure ? N_("commit") : N_("answer"));
    add_hint(keys, screen, "F2");
    add(keys, 4, "F3", "scratchpad");
    add(keys, 4, "F4", "new numbers");
    if (sure)
        add(keys, 5, "Tab", "how sure");
    else
        add_tab(keys, screen);
    add(keys, 7, "F1", "help");
    add(keys, 8, "Esc", screen->working ? N_("stop computing") : N_("out of the field"));
}

static void add_stages(struct keys *keys, const struct scene_step *step)
{
    if (view_stages(step->view) == 0)
        return;
    add(keys, 4, _("Space"), "play");
    add(keys, 4, ", .", "stage");
}

/* The learner's program, which is mended in a file of its own. */
static void add_code(struct keys *keys, const struct lesson_screen *screen)
{
    if (!screen->scene->step->question->code || !screen->code_path || !*screen->code_path)
        return;
    if (screen->pane)
        add(keys, 10, "i", "edit");
    add(keys, screen->pane ? 6 : 10, "e", screen->pane ? N_("editor") : N_("edit"));
    add(keys, 9, "p", "probes");
}

static void pane_keys(struct keys *keys, const struct lesson_screen *screen)
{
    add(keys, 10, "Ctrl-S", "run probes");
    add(keys, 4, "Ctrl-E", "editor");
    add(keys, 3, "Ctrl-R", "start over");
    add(keys, 6, "Ctrl-_", "undo");
    add_hint(keys, screen, "F2");
    add(keys, 3, "F3", "scratchpad");
    add(keys, 7, "F1", "help");
    add(keys, 8, "Esc", screen->working ? N_("stop computing") : N_("out of the code"));
}

static void scratch_keys(struct keys *keys, const struct lesson_screen *screen, bool ascii)
{
    add(keys, 10, "Enter", "compute");
    if (screen->scratch->answer)
        add(keys, 9, "F5", "into the answer");
    add(keys, 5, "Tab", "complete");
    add(keys, 4, ascii ? "Up Down" : "↑↓", "earlier lines");
    add(keys, 7, "F1", "help");
    add(keys, 8, "Esc", screen->working ? N_("stop computing") : N_("put it away"));
}

static void add_branches(struct keys *keys, const struct lesson_screen *screen)
{
    const struct scene_step *step = screen->scene->step;
    if (step->branches && !step->locked)
        add(keys, screen->focus == FOCUS_VIEW ? 9 : 4, "x", "branch on/off");
}

static void add_pick(struct keys *keys, const struct lesson_screen *screen)
{
    const struct scene_step *step = screen->scene->step;
    bool picked = screen->picks && picks_have(screen->picks, screen->choice);
    if (step->kind == STEP_ORDER)
        add(keys, 10, _("Space"), screen->held ? N_("set it down") : picked ? N_("take it up") : N_("put it in"));
    else if (step->question && step->question->several)
        add(keys, 10, _("Space"), picked ? N_("not this") : N_("pick"));
}

static void choice_keys(struct keys *keys, const struct lesson_screen *screen, bool ascii)
{
    const struct scene_question *question = screen->scene->step->question;
    bool predict = question && question->predict != PREDICT_NO;
    if (screen->focus == FOCUS_CHOICE)
        add(keys, 9, ascii ? "Up Down" : "↑↓", screen->held ? N_("carry it") : N_("choose"));
    if (screen->focus == FOCUS_CHOICE)
        add_pick(keys, screen);
    if (predict)
        add(keys, 9, ascii ? "<- ->" : "← →", "how sure");
    add(keys, 10, "Enter", predict ? N_("commit") : N_("answer"));
    add_hint(keys, screen, "h");
    add(keys, 2, "n", "new numbers");
    add_tab(keys, screen);
    add_stages(keys, screen->scene->step);
    add_back(keys, screen, 4);
    add(keys, 0, "s", "scratchpad");
    if (screen->focus == FOCUS_CHOICE) {
        add_leave(keys, screen);
        return;
    }
    add(keys, 7, "?", "help");
    add(keys, 8, "Esc", "back to the answer");
}

/* Every view has these; others are called as the lesson calls them. */
static const char *axis_words(const char *axis)
{
    static const char *const known[] = {N_("token"), N_("feature"), N_("layer")};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(axis, known[i]) == 0)
            return _(known[i]);
    return strcmp(axis, "batch") == 0 ? _("sample") : axis;
}

/* An axis that is drawn from left to right. */
static bool runs_across(const char *axis)
{
    return strcmp(axis, "feature") == 0 || strcmp(axis, "layer") == 0;
}

static void add_moves(struct keys *keys, const struct lesson_screen *screen, bool ascii)
{
    const struct scene_step *step = screen->scene->step;
    const char *updown = ascii ? "Up Down" : "↑↓", *leftright = ascii ? "<- ->" : "← →";
    char name[NAME_BYTES];
    switch (screen->focus) {
    case FOCUS_KNOB:
        if (screen->knob < step->knob_count)
            add(keys, 9, leftright, "turn %s", brief(name, step->knobs[screen->knob].label));
        if (step->knob_count > 1)
            add(keys, 6, "[ ]", "other knob");
        if (step->axis_count > 1)
            add(keys, 5, updown, "%s", brief(name, axis_words(step->axes[step->axis_count - 2].name)));
        add(keys, 3, "0", "reset");
        break;
    case FOCUS_VIEW:
        if (step->axis_count > 1)
            add(keys, 9, updown, "%s", brief(name, axis_words(step->axes[step->axis_count - 2].name)));
        if (step->axis_count == 1 && !runs_across(step->axes[0].name))
            add(keys, 9, updown, "%s", brief(name, axis_words(step->axes[0].name)));
        else if (step->axis_count)
            add(keys, 9, leftright, "%s", brief(name, axis_words(step->axes[step->axis_count - 1].name)));
        if (step->axis_count > 2)
            add(keys, 8, "[ ]", "%s", brief(name, axis_words(step->axes[step->axis_count - 3].name)));
        if (step->editable_count) {
            add(keys, 8, "e", "edit cell");
            add(keys, 3, "0", "reset");
        }
        if (exact_count(step->view))
            add(keys, 2, "=", "all digits");
        break;
    default:
        add(keys, 1, updown, "scroll");
    }
}

static void step_keys(struct keys *keys, const struct lesson_screen *screen, bool ascii)
{
    const struct scene_step *step = screen->scene->step;
    if (screen->scratch) {
        scratch_keys(keys, screen, ascii);
        return;
    }
    switch (screen->focus) {
    case FOCUS_CELL:
        add(keys, 10, "Enter", "set the value");
        add(keys, 9, "Esc", "leave it as it was");
        return;
    case FOCUS_FIELD:
        field_keys(keys, screen);
        return;
    case FOCUS_CODE:
        pane_keys(keys, screen);
        return;
    case FOCUS_CHOICE:
    case FOCUS_SURE:
        choice_keys(keys, screen, ascii);
        return;
    default:
        break;
    }
    bool code = step->kind == STEP_CODE && question_open(step);
    if (screen->focus != FOCUS_TEXT)
        add_moves(keys, screen, ascii);
    add_branches(keys, screen);
    if (code) {
        add_code(keys, screen);
        add_hint(keys, screen, "h");
        add(keys, 3, "n", "new numbers");
        if (screen->code_path && *screen->code_path)
            add(keys, 4, "0", "start over");
    }
    add(keys, 10, "Enter", question_open(step) && !code ? N_("leave it for later")
                           : last_of_review(screen)     ? N_("end the review")
                                                        : N_("next"));
    add_tab(keys, screen);
    add_stages(keys, step);
    add_back(keys, screen, 5);
    if (!code) {
        add_hint(keys, screen, "h");
        if (step->question)
            add(keys, 2, "n", "new numbers");
    }
    add(keys, 0, "s", "scratchpad");
    if (screen->focus == FOCUS_TEXT)
        add_moves(keys, screen, ascii);
    add_leave(keys, screen);
}

void keys_of_lesson(struct keys *keys, const struct lesson_screen *screen, bool ascii)
{
    *keys = (struct keys){0};
    if (screen->help) {
        add(keys, 9, "Esc", "back to the lesson");
        add(keys, 5, ascii ? "Up Down" : "↑↓", "scroll");
    } else if (screen->page == PAGE_GOAL) {
        add(keys, 10, "Enter", "begin");
        add_leave(keys, screen);
    } else if (screen->page == PAGE_END) {
        if (screen->next_title && *screen->next_title)
            add(keys, 10, "Enter", "next lesson");
        else
            add(keys, 10, "Enter", screen->number ? N_("course") : N_("leave"));
        add(keys, 6, "b", "back");
        add_leave(keys, screen);
    } else if (screen->scene && screen->scene->step) {
        step_keys(keys, screen, ascii);
    } else {
        add_leave(keys, screen);
    }
}

static int lines_taken(const struct keys *keys, const struct grid *grid)
{
    int lines = 1, column = MARGIN;
    for (int i = 0; i < keys->count; i++) {
        int width = grid_width(grid, keys->item[i].key) + 1 + grid_width(grid, keys->item[i].what);
        if (column > MARGIN && column + width > grid->columns - MARGIN) {
            lines++;
            column = MARGIN;
        }
        column += width + GAP;
    }
    return lines;
}

/* Leaves out what weighs least, up to `weight`, until the rest fits; false: it does not. */
static bool shorten(struct keys *keys, const struct grid *grid, int lines, int weight)
{
    while (lines_taken(keys, grid) > lines) {
        int least = 0;
        for (int i = 1; i < keys->count; i++) {
            if (keys->item[i].weight <= keys->item[least].weight)
                least = i;
        }
        if (keys->count < 2 || keys->item[least].weight > weight)
            return false;
        keys->count--;
        memmove(&keys->item[least], &keys->item[least + 1],
                (size_t)(keys->count - least) * sizeof *keys->item);
    }
    return true;
}

int keys_fit(struct keys *keys, const struct grid *grid, int lines)
{
    struct keys fewer = *keys;
    if (shorten(&fewer, grid, 1, MINOR)) /* a line of their own is too much for the minor ones */
        *keys = fewer;
    else
        shorten(keys, grid, lines, WEIGHT_MOST);
    return lines_taken(keys, grid);
}

void keys_draw(struct grid *grid, const struct keys *keys, int row)
{
    int column = MARGIN;
    for (int i = 0; i < keys->count; i++) {
        int width = grid_width(grid, keys->item[i].key) + 1 + grid_width(grid, keys->item[i].what);
        if (column > MARGIN && column + width > grid->columns - MARGIN) {
            row++;
            column = MARGIN;
        }
        column = grid_put(grid, column, row, -1, STYLE_KEY, keys->item[i].key) + 1;
        column = grid_put_fit(grid, column, row, -1, STYLE_DIM, keys->item[i].what) + GAP;
    }
}
