#include "ui/flow.h"
#include "ui/keys.h"
#include "ui/markdown.h"

enum { NESTING_MAX = 8 };

static void add_keys(struct sheet *sheet, const struct keys *keys, int columns)
{
    int widest = 0;
    for (int i = 0; i < keys->count; i++) {
        int width = sheet_width(sheet, keys->item[i].key);
        widest = width > widest ? width : widest;
    }
    sheet_gap(sheet);
    for (int i = 0; i < keys->count; i++) {
        int row = sheet_text(sheet, widest + 4, columns, STYLE_PLAIN, keys->item[i].what);
        sheet_put(sheet, 2, row, STYLE_KEY, keys->item[i].key);
    }
}

static bool in_code(const struct lesson_screen *screen)
{
    return screen->page == PAGE_STEP && screen->scene && screen->scene->step &&
           screen->scene->step->kind == STEP_CODE;
}

static const char *where(const struct lesson_screen *screen)
{
    if (screen->page == PAGE_GOAL)
        return "This page says what the lesson is for.";
    if (screen->page == PAGE_END)
        return "This page says what to take away. Your answers are kept; every step stays open to you.";
    switch (screen->focus) {
    case FOCUS_FIELD:
        return "You are typing an answer. Letters are text here; commands are F-keys. A wrong answer costs "
               "nothing, and the line stays.";
    case FOCUS_CHOICE:
    case FOCUS_SURE:
        return "You are choosing an answer, with the arrows or by its number. A prediction is asked once: "
               "say what you expect and how sure you are, then see it happen.";
    case FOCUS_KNOB:
        return "You are turning a knob. Every number that depends on it follows at once; those that changed "
               "stand between asterisks.";
    case FOCUS_VIEW:
        return "You are moving the cursor through the data; what you look at is marked everywhere it "
               "appears. "
               "The number between brackets is the one that `e` changes.";
    case FOCUS_CELL:
        return "You are changing one number of the data. Everything computed from it follows.";
    case FOCUS_TEXT:
        break;
    }
    if (in_code(screen))
        return "You are mending a program. It lies in a file of its own, and you change it with an editor. "
               "Whenever you save it, it is run on new inputs from outside, and the probes say what came "
               "out. "
               "A program that cannot run does not count.";
    return "You are reading. Nothing moves on by itself, and going back is always free.";
}

static const char *const typing =
    "**What may be typed**\n\n"
    "- numbers and expressions: `2/3`, `1e-5`, `sqrt(25 + 1e-5)`\n"
    "- several numbers with spaces between: `-1.2 0 1.2`, or in brackets: `[-1.2, 0, 1.2]`\n"
    "- `nan` and `inf`, and the names that stand under the line\n\n"
    "What cannot be read never counts.\n";

static const char *const marks = "**Signs**\n\n"
                                 "- `*1.2*` has just changed\n"
                                 "- `▸` is where you look; `[1.2]` is the cell under the cursor\n"
                                 "- `…` and `›`: there is more, in a taller or wider window\n"
                                 "- `?` opens once the question is answered\n"
                                 "- dotted curves show how it was before\n"
                                 "- `■` is settled, `□` still open\n";

static const char *const program =
    "**The program**\n\n"
    "- `e` opens your file in the editor that `VISUAL` or `EDITOR` names; leave the editor to come back\n"
    "- any other editor will do as well: the file is watched\n"
    "- `p` runs the probes once more, on other inputs\n"
    "- `0` puts back what you began with; what you wrote is gone then\n"
    "- `>` marks the line at which the program cannot go on\n";

static const char *const everywhere =
    "**Everywhere**: F1 help, F2 hint, F4 new numbers, Tab the next place, PgUp and PgDn scroll the text, "
    "Ctrl-Z suspends, Ctrl-C leaves safely. Esc goes one layer out.\n";

static bool shows(const struct view *view, enum part_kind kind, int depth)
{
    bool found = false;
    for (size_t i = 0; view && i < view->part_count; i++)
        found |= view->parts[i].kind == kind;
    for (size_t i = 0; view && depth < NESTING_MAX && i < view->child_count; i++)
        found |= shows(&view->children[i], kind, depth + 1);
    return found;
}

/* What is drawn here and nowhere else. */
static void add_parts(struct sheet *sheet, const struct lesson_screen *screen, int columns)
{
    const struct scene_step *step = screen->scene ? screen->scene->step : NULL;
    if (!step)
        return;
    if (shows(step->view, PART_MAP, 0))
        markdown_add(sheet, 0, columns,
                     "- `‹1.2›` goes into the same statistic as the number under the cursor\n"
                     "- `░` to `█`: how far a number is from 0\n");
    if (step->axis_count > 2)
        markdown_add(sheet, 0, columns,
                     "- up and down go on from the last row into the next block, and back\n");
    if (shows(step->view, PART_STACK, 0))
        markdown_add(sheet, 0, columns,
                     "- `●` is the stream after a layer: its branch has been added\n"
                     "- `○` is a layer whose branch is switched off: the stream passes unchanged\n");
}

void help_lesson(struct sheet *sheet, const struct lesson_screen *screen, int columns)
{
    struct lesson_screen shown = *screen;
    shown.help = false;
    struct keys keys;
    keys_of_lesson(&keys, &shown, sheet->grid && sheet->grid->ascii);
    sheet_text(sheet, 0, columns, STYLE_ACCENT, "Help");
    sheet_gap(sheet);
    markdown_add(sheet, 0, columns, where(screen));
    add_keys(sheet, &keys, columns);
    sheet_gap(sheet);
    if (screen->page == PAGE_STEP && screen->focus == FOCUS_FIELD) {
        markdown_add(sheet, 0, columns, typing);
        sheet_gap(sheet);
    }
    if (in_code(screen) && screen->code_path && *screen->code_path) {
        markdown_add(sheet, 0, columns, program);
        sheet_gap(sheet);
    }
    if (screen->page == PAGE_STEP) {
        markdown_add(sheet, 0, columns, marks);
        add_parts(sheet, screen, columns);
        sheet_gap(sheet);
    }
    markdown_add(sheet, 0, columns, everywhere);
}

void help_course(struct sheet *sheet, const struct course_screen *screen, int columns)
{
    struct course_screen shown = *screen;
    shown.help = false;
    struct keys keys;
    keys_of_course(&keys, &shown, sheet->grid && sheet->grid->ascii);
    sheet_text(sheet, 0, columns, STYLE_ACCENT, "Help");
    sheet_gap(sheet);
    markdown_add(
        sheet, 0, columns,
        "The lessons of the course. They may be taken in any order; \"after 3\" is advice. The boxes fill as "
        "a lesson's questions are settled: `□` open, `■` settled. A lesson is done when all its steps are "
        "seen "
        "and all its questions settled. It opens where you left it, with the same numbers.");
    add_keys(sheet, &keys, columns);
    sheet_gap(sheet);
    markdown_add(sheet, 0, columns,
                 "Ctrl-Z suspends and Ctrl-C leaves safely, everywhere. What you answered is kept.");
}
