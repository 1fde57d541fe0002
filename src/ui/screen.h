/* The screens, as data, and their drawing. The app fills a model; drawing is a pure function of model and grid size. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/picks.h"
#include "scene/scene.h"
#include "ui/grid.h"

/* ---- the course list ---- */
struct course_row {
    int number;               /* from 1 */
    const char *title, *about;
    size_t questions, settled; /* questions in the lesson; those answered right, predicted or given up */
    size_t steps, seen;
    const char *open;         /* the steps not seen, or whose questions are not settled: "3, 5", or "" */
    size_t due;               /* questions that are to be reviewed now */
    double minutes;
    bool done;                /* every step seen and every question settled */
    const char *needs;        /* "after 3", or "" */
    const char *last_said;    /* what the learner was told last time, or "" */
    const char *error;        /* the lesson cannot be loaded: "file:line: what", or NULL */
};
/* Whose it is, and where to turn. */
struct course_about {
    const char *rights;  /* "by A. Author, MIT", or "" */
    struct strings sources;
    const char *report;  /* what to do about a mistake in it, or "" */
    const char *place;   /* the folder of its files, as to be read, or "" */
};
struct course_screen {
    const char *title;
    const char *origin; /* whose it is: one line, "" for the built-in course */
    struct course_row *rows;
    size_t row_count, selected;
    size_t due;         /* questions of the course that are to be reviewed now */
    bool coming;        /* there are others, for later */
    const char *notice; /* one line, or "" */
    struct course_about about;
    const char *find;   /* what is typed after "/", or NULL when not finding */
    bool help;
    int help_scroll;
};

/* ---- a lesson ---- */
enum lesson_page { PAGE_GOAL, PAGE_STEP, PAGE_END };
enum focus {
    FOCUS_TEXT, FOCUS_KNOB, FOCUS_VIEW /* cursor */, FOCUS_FIELD, FOCUS_CHOICE, FOCUS_SURE, FOCUS_CELL /* the cell editor */,
    FOCUS_CODE /* the program is being edited */
};

struct field {
    const char *text; /* UTF-8 */
    size_t cursor;    /* byte offset of the caret */
};

enum { NO_CHOICE = INT32_MAX };

/* The learner's program under their hands. */
struct code_pane {
    const char *text;  /* any bytes but NUL, read as UTF-8 */
    size_t cursor;     /* byte offset of the caret */
    int top;           /* the line that was the first one shown, from 0 */
    bool unsaved;      /* it cannot be saved */
};

/* ---- the scratchpad ---- */
enum scratch_sort { SCRATCH_TYPED, SCRATCH_RESULT, SCRATCH_TROUBLE, SCRATCH_NAMES /* that complete what was typed */ };
struct scratch_row {
    enum scratch_sort sort;
    const char *text;
};
struct scratch_screen {
    const struct scratch_row *rows;
    size_t row_count;
    struct field line;
    const char *facts; /* "x, eps", or "" */
    bool computing;
    bool answer;       /* the last result can be sent into the answer */
    int scroll;        /* the first line shown; -1: the end */
};

struct lesson_screen {
    int number;                /* of the lesson in its course; 0: stands alone */
    size_t review_at, review_count; /* in review: the how-manyth of how many; 0: a lesson */
    enum lesson_page page;
    const struct scene *scene; /* borrowed; NULL while the first is awaited */
    enum focus focus;
    size_t knob;               /* which knob has the arrows */
    size_t choice;             /* which option is pointed at; NO_CHOICE: none yet */
    const struct picks *picks; /* several options, or pieces in order: those picked; NULL: none */
    bool held;                 /* the piece pointed at goes where the arrows go */
    uint32_t sure;             /* 1..3, with a prediction */
    struct field field;        /* the answer */
    struct field cell;         /* FOCUS_CELL: the new value */
    const char *cell_name;     /* "x[2][3]" */
    uint32_t hints_open;
    const bool *settled;       /* a flag a step of the lesson, for the progress bar; NULL: none */
    int scroll;                /* first line of text shown, clamped by drawing; -1: so that what matters now is in sight (the
                                  option pointed at, else the feedback, else the top) */
    const char *notice;        /* one line, or "" */
    bool working;              /* the spinner */
    int spinner;               /* its phase */
    bool help;
    int help_scroll;
    const char *next_title;    /* PAGE_END: what comes next, or "" */
    struct course_about about; /* of the last lesson's course; rights NULL: another lesson's */
    const char *code_path;     /* STEP_CODE: where the learner's program lies, as to be read ("~/.local/state/…"); "" where no file
                                  can be had; NULL: no program is asked for */
    const struct code_pane *pane; /* STEP_CODE: what is in the editor; NULL: nothing, the program cannot be changed here */
    const struct scratch_screen *scratch; /* open, in the place of the text or the program; NULL: it is not */
};

/* What drawing found out, for the app to act on. */
struct drawn {
    int scroll;        /* the first line of text that is shown: where PgUp and PgDn start from */
    int scroll_max;    /* the largest useful `scroll` */
    int page_lines;    /* lines of text visible */
    bool too_small;
    int pane_top, pane_lines; /* FOCUS_CODE: the first line of the program that is shown, and for how many there is room */
};

void draw_course(struct grid *grid, const struct course_screen *screen, struct drawn *drawn);
void draw_lesson(struct grid *grid, const struct lesson_screen *screen, struct drawn *drawn);

/* Marks in `now` (CELL_CHANGED) the cells whose text differs from `before` in the same step and place; false: none does. */
bool scene_mark_changes(struct scene *now, const struct scene *before);
void scene_clear_changes(struct scene *now);

/* ---- plain lines: the same scene for pipes, dumb terminals and screen readers ---- */
void plain_course(struct strbuf *out, const struct course_screen *screen);
void plain_about(struct strbuf *out, const struct course_about *about);
/* Heading, text, view in words, knobs, question, feedback; wrapped at no width. */
void plain_lesson(struct strbuf *out, const struct lesson_screen *screen);
/* Only the view and the knobs: after a knob turned. */
void plain_seen(struct strbuf *out, const struct lesson_screen *screen);
/* The same on demand; for the probes of a program that does not run, why it does not. */
void plain_view(struct strbuf *out, const struct lesson_screen *screen);
void plain_view_all(struct strbuf *out, const struct lesson_screen *screen); /* long views to their end */
void plain_feedback(struct strbuf *out, const struct lesson_screen *screen); /* the verdict, hints, why */
void plain_verdict(struct strbuf *out, const struct lesson_screen *screen);  /* after an answer: no hints, and the program given */
void plain_hint(struct strbuf *out, const struct lesson_screen *screen);     /* the one opened last */
void plain_hints(struct strbuf *out, const struct lesson_screen *screen);
/* Text for a terminal or a pipe that knows only ASCII: "eps" for ε, "sqrt" for √, "->" for arrows, "?" where nothing stands in. */
void plain_ascii(struct strbuf *out, const char *text);

#endif
