#include <string.h>

#include "base/language.h"
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
        return _("This page says what the lesson is for.");
    if (screen->page == PAGE_END)
        return _("This page says what to take away. Your answers are kept; every step stays open to you.");
    if (screen->scratch)
        return _("You are in the scratchpad: what you type is computed with the numbers of this step, and counts for nothing.");
    switch (screen->focus) {
    case FOCUS_FIELD:
        return _("You are typing an answer. Letters are text here; commands are F-keys. A wrong answer costs "
               "nothing, and the line stays.");
    case FOCUS_CHOICE:
    case FOCUS_SURE:
        if (screen->scene && screen->scene->step && screen->scene->step->kind == STEP_ORDER)
            return _("You are putting pieces in order. Space puts the one pointed at to the end of the order; once there, Space "
                   "takes it up, the arrows carry it, and Space sets it down; carried past the end it is out again. A piece's "
                   "number puts it in or takes it out, Backspace takes the last one back. Enter answers.");
        if (screen->scene && screen->scene->step && screen->scene->step->question && screen->scene->step->question->several)
            return _("You are choosing all that are right, with Space or by their numbers; once more takes one away again. Enter answers.");
        return _("You are choosing an answer, with the arrows or by its number. A prediction is asked once: "
               "say what you expect and how sure you are, then see it happen.");
    case FOCUS_KNOB:
        return _("You are turning a knob. Every number that depends on it follows at once; those that changed "
               "stand between asterisks.");
    case FOCUS_VIEW:
        return _("You are moving the cursor through the data; what you look at is marked everywhere it "
               "appears. "
               "`e` changes the number between brackets; in a view with stages, the one that it began with.");
    case FOCUS_CELL:
        return _("You are changing one number of the data. Everything computed from it follows.");
    case FOCUS_CODE:
        return _("You are writing the program. Letters are text here; commands are F-keys and letters with Ctrl. What "
               "you type is saved as you type it; the probes run on Ctrl-S.");
    case FOCUS_TEXT:
        break;
    }
    if (in_code(screen))
        return _("You are mending a program. It lies in a file of its own, and you change it here or with an editor. "
               "Whenever you save it, it is run on new inputs from outside, and the probes say what came "
               "out. "
               "A program that cannot run does not count.");
    return _("You are reading. Nothing moves on by itself, and going back is always free.");
}

static const char *const review =
    N_("This is a review: questions from before, with new numbers. Your place in the lesson and its numbers "
    "stay as they are. A right answer has the question come back later, a wrong one tomorrow.");

static const char *const typing =
    N_("**What may be typed**\n\n"
    "- numbers and expressions: `2/3`, `1e-5`, `sqrt(25 + 1e-5)`\n"
    "- several numbers with spaces between: `-1.2 0 1.2`, or in brackets: `[-1.2, 0, 1.2]`\n"
    "- `nan` and `inf`, and the names that stand under the line\n\n"
    "What cannot be read never counts.\n");

static const char *const marks = N_("**Signs**\n\n"
                                 "- `*1.2*` has just changed\n"
                                 "- `▸` is where you look; `[1.2]` is the cell under the cursor\n"
                                 "- `…` and `›`: there is more, in a taller or wider window\n"
                                 "- `?` opens once the question is answered\n"
                                 "- `=` shows the number under the cursor with all its digits\n"
                                 "- dotted curves show how it was before\n"
                                 "- `■` is settled, `□` still open\n");

static const char *const program =
    N_("**The program**\n\n"
    "- `i` changes it here; Esc comes out again\n"
    "- `e` opens your file in the editor that `VISUAL` or `EDITOR` names; leave the editor to come back\n"
    "- any other editor will do as well: the file is watched\n"
    "- `p` runs the probes once more, on other inputs\n"
    "- `0` twice puts back what you began with; what you wrote is kept beside it\n"
    "- `>` marks the line at which the program cannot go on\n");

static const char *const pane =
    N_("**In the program**\n\n"
    "- arrows, PgUp and PgDn, Home and End move; with Ctrl, by words, and to the start and the end of the text\n"
    "- Enter keeps the indentation; Tab adds two blanks, Shift-Tab takes them from the start of the line\n"
    "- Ctrl-_ or Ctrl-U undoes, Ctrl-Y does it again\n"
    "- Ctrl-K deletes to the end of the line, Ctrl-W the word before\n"
    "- Ctrl-S runs the probes; Ctrl-E opens your own editor\n"
    "- Ctrl-R twice starts over: what you wrote is kept beside your file, and undo brings it back\n"
    "- what is pasted comes as one change\n");

static const char *const scratchpad =
    N_("**In the scratchpad**\n\n"
    "- expressions: `2/3`, `x:mean()`, `sqrt(25 + 1e-5)`, `nn.layer_norm(x)`, `x[1][2]`\n"
    "- Tab completes a name; the arrows bring back earlier lines; PgUp and PgDn scroll\n"
    "- F5 puts the last result into the answer, where one is asked for\n"
    "- nothing you do here changes the lesson; what a question asks for is not at hand before it is answered\n");

static const char *const everywhere =
    N_("**Everywhere**: F1 help, F2 hint, F3 or `s` the scratchpad, F4 new numbers, Tab the next place, PgUp and PgDn scroll the text, "
    "Ctrl-Z suspends, Ctrl-C leaves safely. Esc goes one layer out.\n");

static bool shows(const struct view *view, enum part_kind kind, int depth)
{
    bool found = false;
    for (size_t i = 0; view && i < view->part_count; i++)
        found |= view->parts[i].kind == kind;
    for (size_t i = 0; view && depth < NESTING_MAX && i < view->child_count; i++)
        found |= shows(&view->children[i], kind, depth + 1);
    return found;
}

static bool is_named(const struct view *view, const char *name, int depth)
{
    bool found = view && strcmp(view->name, name) == 0;
    for (size_t i = 0; view && depth < NESTING_MAX && i < view->child_count; i++)
        found |= is_named(&view->children[i], name, depth + 1);
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
                     _("- `‹1.2›` goes into the same statistic as the number under the cursor\n"
                     "- `░` to `█`: how far a number is from 0\n"));
    if (is_named(step->view, "pipeline", 0))
        markdown_add(sheet, 0, columns,
                     _("- `,` and `.` take the cursor to the stage before and after; all of them are shown between the last and "
                     "the first\n"
                     "- `‹1.2›` goes into the number under the cursor; the line below says how\n"));
    if (step->axis_count > 2)
        markdown_add(sheet, 0, columns,
                     _("- up and down go on from the last row into the next block, and back\n"));
    if (shows(step->view, PART_STACK, 0))
        markdown_add(sheet, 0, columns,
                     _("- `●` is the stream after a layer: its branch has been added\n"
                     "- `○` is a layer whose branch is switched off: the stream passes unchanged\n"));
}

void help_lesson(struct sheet *sheet, const struct lesson_screen *screen, int columns)
{
    struct lesson_screen shown = *screen;
    shown.help = false;
    struct keys keys;
    keys_of_lesson(&keys, &shown, sheet->grid && sheet->grid->ascii);
    sheet_text(sheet, 0, columns, STYLE_ACCENT, _("Help"));
    sheet_gap(sheet);
    if (screen->review_count) {
        markdown_add(sheet, 0, columns, _(review));
        sheet_gap(sheet);
    }
    markdown_add(sheet, 0, columns, where(screen));
    add_keys(sheet, &keys, columns);
    sheet_gap(sheet);
    if (screen->page == PAGE_STEP && screen->focus == FOCUS_FIELD && !screen->scratch) {
        markdown_add(sheet, 0, columns, _(typing));
        sheet_gap(sheet);
    }
    if (screen->scratch) {
        markdown_add(sheet, 0, columns, _(scratchpad));
        sheet_gap(sheet);
    } else if (in_code(screen) && screen->code_path && *screen->code_path) {
        markdown_add(sheet, 0, columns, screen->focus == FOCUS_CODE ? _(pane) : _(program));
        sheet_gap(sheet);
    }
    if (screen->page == PAGE_STEP) {
        markdown_add(sheet, 0, columns, _(marks));
        add_parts(sheet, screen, columns);
        sheet_gap(sheet);
    }
    markdown_add(sheet, 0, columns, _(everywhere));
}

static void add_named(struct sheet *sheet, int columns, enum style style, const char *format, const char *what)
{
    struct strbuf line = {0};
    strbuf_addf(&line, format, what);
    sheet->failed |= line.failed;
    sheet_text(sheet, 0, columns, style, strbuf_string(&line));
    strbuf_free(&line);
}

void about_add(struct sheet *sheet, const struct course_about *about, int columns)
{
    if (*about->rights)
        add_named(sheet, columns, STYLE_PLAIN, _("This course is %s."), about->rights);
    if (*about->report)
        sheet_text(sheet, 0, columns, STYLE_PLAIN, about->report);
    if (*about->place)
        add_named(sheet, columns, STYLE_PLAIN, _("Its files are in %s."), about->place);
    for (size_t i = 0; i < about->sources.count; i++)
        add_named(sheet, columns, STYLE_DIM, _("Source: %s"), about->sources.item[i]);
}

void help_course(struct sheet *sheet, const struct course_screen *screen, int columns)
{
    struct course_screen shown = *screen;
    shown.help = false;
    struct keys keys;
    keys_of_course(&keys, &shown, sheet->grid && sheet->grid->ascii);
    sheet_text(sheet, 0, columns, STYLE_ACCENT, _("Help"));
    sheet_gap(sheet);
    markdown_add(
        sheet, 0, columns,
        _("The lessons of the course. They may be taken in any order; \"after 3\" is advice. The boxes fill as "
        "a lesson's questions are settled: `□` open, `■` settled. A lesson is done when all its steps are "
        "seen "
        "and all its questions settled. It opens where you left it, with the same numbers."));
    sheet_gap(sheet);
    markdown_add(
        sheet, 0, columns,
        _("What you answered wrongly, had shown, or predicted rightly without being certain comes back with new "
        "numbers: `r` asks what is due. Right, it comes back later and later, after 1, 3, 7, 16 and 35 days; "
        "wrong, it begins again with one."));
    sheet_gap(sheet);
    markdown_add(
        sheet, 0, columns,
        _("`n` writes down what you have done, as Markdown: the key points of lessons that you finished, your answers with the "
        "numbers you had, what was said about them, and why. Then it says where the file is."));
    add_keys(sheet, &keys, columns);
    sheet_gap(sheet);
    markdown_add(sheet, 0, columns,
                 _("Ctrl-Z suspends and Ctrl-C leaves safely, everywhere. What you answered is kept."));
    if (screen->about.rights) {
        sheet_gap(sheet);
        about_add(sheet, &screen->about, columns);
    }
}
