/* What a lesson shows, as plain data: the reply to a request. Everything in a scene lives in its arena; arrays are
   (pointer, count); strings are UTF-8, never NULL unless said, and may hold any byte a lesson wrote: whoever puts them on a
   terminal makes control bytes visible (base/visible.h). *Words* are Markdown whose holes are filled. */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "scene/request.h"

struct strings {
    const char **item;
    size_t count;
};

struct scene_course {
    const char *id, *title, *author, *licence, *version, *language; /* "" where not given */
    struct strings lessons; /* file names without .lua, in order */
    struct strings sources;
    const char *report;     /* what to do about a mistake in it, or "" */
};

enum step_kind { STEP_TELL, STEP_NUMBER, STEP_TENSOR, STEP_SHAPE, STEP_CHOICE, STEP_ORDER, STEP_CODE };

struct scene_outline_step {
    const char *id, *title;
    enum step_kind kind; /* all but STEP_TELL are questions */
    const char *renamed_from; /* the id it had before, or "" */
};

struct scene_lesson {
    const char *id, *title, *about; /* about: one plain line for the course list, or "" */
    const char *renamed_from;       /* the id it had before, or "" */
    const char *goal, *remember;    /* words, or "" */
    double minutes;                 /* 0: not said */
    struct strings needs, sources, files;
    uint32_t files_line; /* where they are declared */
    struct scene_outline_step *steps;
    size_t step_count;
};

enum knob_kind { KNOB_LOG, KNOB_LINEAR, KNOB_INT, KNOB_SWITCH, KNOB_PICK };

struct scene_knob {
    const char *name, *label; /* label: what to show, the name where the lesson gives none */
    enum knob_kind kind;
    double from, to, at, value; /* numbers: ends, start, now. A switch: at and value are 0 or 1. A pick: index of the option, from 0 */
    uint32_t stops;             /* log and linear: positions from end to end; a turn moves by one */
    const char *value_text;     /* the value as it is to be read: "1e-5", "on", the option's name */
    struct strings options, option_names; /* a pick's */
};

/* A number on the screen. `text` is ready to print ("-1.225", "3.65e-7", "nan", "?"). */
struct cell {
    const char *text;
    double value; /* NaN when hidden */
    uint32_t flags;
};
enum {
    CELL_HIDDEN = 1,   /* shows "?" until answered; the value is not in the scene */
    CELL_CURSOR = 2,   /* the learner looks here */
    CELL_EDITABLE = 4, /* `e` changes it */
    CELL_CHANGED = 8,  /* set by the terminal side: differs from the frame before */
    CELL_WORDS = 16,   /* text is not a number: left-aligned */
    CELL_STAGE = 32,   /* belongs to the stage shown now */
    CELL_SET = 64,     /* goes into the same statistic as the one under the cursor, or into that number itself */
    CELL_PASSES = 128, /* a check that holds, … */
    CELL_FAILS = 256,  /* … and one that does not: the text says it too */
};

enum part_kind { PART_TABLE, PART_BARS, PART_PLOT, PART_MAP, PART_STACK, PART_LEAK, PART_CODE };

/* Rows and columns of numbers; columns are aligned at the decimal point. */
struct part_table {
    const char *corner;   /* above the row labels, or "" */
    struct strings head;  /* a label a column; count = columns */
    struct strings labels; /* a label a row; count = rows; all "" when the rows bear none */
    struct cell *cells;   /* rows * columns */
    int32_t cursor_row;   /* from 0; -1: none */
    const char *note;     /* how the number under the cursor was computed, or NULL */
};

/* Bars around zero, one row a label, series side by side ("before", "after"), each series on its own scale. */
struct bars_series {
    const char *label;
    struct cell *cells; /* one a row */
    double reach;       /* the largest magnitude that the full width stands for; > 0 */
};
struct part_bars {
    const char *title; /* or "" */
    struct strings labels;
    struct bars_series *series;
    size_t series_count;
    int32_t cursor_row;
};

/* Curves. y is sampled at evenly spaced positions between x_from and x_to (evenly in log x when x_log); NaN: no point there. */
struct plot_line {
    const char *label;
    float *y;
    size_t count;
    bool dotted; /* how it was before the knobs moved */
    bool hidden; /* y is not in the scene (count 0) */
};
struct plot_mark {
    const char *label;
    double x, y;
};
struct part_plot {
    const char *x_label, *y_label;
    double x_from, x_to, y_from, y_to;
    const char *x_from_text, *x_to_text, *y_from_text, *y_to_text;
    bool x_log;
    struct plot_line *lines;
    size_t line_count;
    struct plot_mark *marks;
    size_t mark_count;
};

/* A tensor cell by cell: blocks (one an index of the outermost of three axes) of rows and columns. */
struct part_map {
    const char *title;                    /* or "" */
    struct strings blocks, rows, columns; /* labels, "" where there is nothing to tell apart; none of the three is empty */
    struct cell *cells;                   /* blocks * rows * columns */
    double reach;                         /* the magnitude of the strongest shade; 0: no shades */
};

/* A residual stream from left to right, the branch that each layer adds to it, and the gradient of a loss on its way back. Norms
   are the root of the mean over tokens of the sum of squares. */
struct stack_layer {
    bool off;           /* its branch is switched off */
    struct cell stream; /* the stream's norm after this layer */
    struct cell update; /* the update's norm over that of the stream it joins */
    struct cell kept;   /* the share of the update's features that dropout kept; text "" without dropout */
    struct cell gradient; /* the length of the gradient there; text "" where none is asked for */
};
struct part_stack {
    const char *order; /* "x + F(LN(x))": what one layer does */
    struct cell start, start_gradient; /* before the first layer */
    struct stack_layer *layers;
    size_t layer_count;
    bool final_norm;
    struct cell end, end_gradient; /* after the final norm; texts "" without one */
    bool gradients;    /* they are there, though perhaps at a later stage */
    int32_t cursor;    /* a layer, from 0; -1: none */
};

/* Which tokens of which samples move one token's output. */
enum leak {
    LEAK_HIDDEN,
    LEAK_ITSELF, /* its own input: always */
    LEAK_NONE,
    LEAK_SAME, /* one feature there moves the same feature here alone */
    LEAK_MORE, /* one feature there moves other features here */
};
struct part_leak {
    uint32_t samples, tokens;
    uint32_t sample, token; /* whose output, from 1 */
    enum leak *cells;       /* samples * tokens */
};

/* Lines of a program. */
struct part_code {
    const char *title; /* a file's name, or "" */
    const char *text;
    uint32_t line; /* the one that is spoken of, from 1; 0: none */
};

struct part {
    enum part_kind kind;
    union {
        struct part_table table;
        struct part_bars bars;
        struct part_plot plot;
        struct part_map map;
        struct part_stack stack;
        struct part_leak leak;
        struct part_code code;
    } as;
};

enum view_kind { VIEW_PARTS, VIEW_ROW, VIEW_COLUMN };

/* A view is parts, the most important first (a small screen drops from the end), or views in a row or a column. */
struct view {
    enum view_kind kind;
    const char *name; /* "tokens", "pipeline", "bars", …: as lessons call it */
    const char *alt;  /* a sentence that says what is to be seen: words without Markdown */
    struct part *parts;
    size_t part_count;
    struct part *spoken; /* read out besides, where there is no screen to move a cursor on */
    size_t spoken_count;
    struct view *children;
    size_t child_count;
    uint32_t stages; /* 0: none; the request's stage runs from 1 to this */
};

/* An axis that the cursor moves along. */
struct scene_axis {
    const char *name;
    uint32_t size, index; /* index from 1 */
};

/* Data whose cells may be edited, as they are now. */
struct scene_editable {
    const char *name;
    int rank;
    uint32_t extents[INDEX_MAX];
    struct strings axes;  /* names */
    struct cell *cells;   /* row-major */
};

enum { OPTIONS_MAX = 32 /* of a question whose answer may hold several of them */ };

enum verdict { VERDICT_NONE, VERDICT_RIGHT, VERDICT_WRONG, VERDICT_UNREAD };

struct scene_option {
    const char *id, *text; /* words */
};

enum predict_kind { PREDICT_NO, PREDICT_HIDDEN, PREDICT_TRAVEL };

/* What STEP_CODE asks for: a program, which the learner mends in a file of their own. */
struct scene_code {
    const char *name;     /* of the file: "layer_norm.lua" */
    const char *start;    /* what the learner begins with */
    const char *text;     /* what was probed: the request's answer, else `start`; the solution once it was given */
    uint32_t error_line;  /* of `text`: where it cannot go on; 0: it can */
};

struct scene_question {
    const char *expects;    /* "three numbers, three decimals" */
    struct strings allow;   /* names that may be typed, with their numbers: "n (16)" */
    struct scene_option *options; /* a choice's, or the pieces to be put in order; in the order shown */
    size_t option_count;
    bool several; /* a choice: more than one may be picked. The answer then is their ids, as STEP_ORDER's, with blanks between */
    enum predict_kind predict;
    struct setting *travel_from, *travel_to; /* PREDICT_TRAVEL: where the knobs start and end */
    size_t travel_from_count, travel_to_count;
    uint32_t hint_total;
    struct strings hints;   /* those open, words */
    const char *echo;       /* what `typed` was read as: "= -1.070 -0.270 1.340"; "" when there is nothing to say */
    bool echo_unread;       /* echo is a complaint instead */
    enum verdict verdict;   /* of request.answer */
    const char *say;        /* words about a wrong or unread answer, "" otherwise */
    const char *mistake;    /* id of the mistake recognised, or "" */
    const char *said;       /* the answer as it was understood: the option's words, the numbers read */
    const char *yours, *asked; /* two lines of comparison under a wrong answer, or "" */
    bool final;             /* nothing more to answer: right, given up, or predicted */
    const char *answer, *why; /* once final: the answer as text, and words; "" before */
    struct scene_code *code;  /* STEP_CODE alone, else NULL */
};

struct scene_step {
    size_t index; /* in lesson.steps, from 0 */
    const char *id, *title, *text; /* text: words */
    enum step_kind kind;
    uint32_t attempt; /* as asked */
    struct scene_knob *knobs;
    size_t knob_count;
    bool locked; /* a prediction is open: knobs, cells and cursor do not move */
    struct view *view; /* NULL: none */
    struct scene_axis *axes;
    size_t axis_count;
    struct scene_editable *editables;
    size_t editable_count;
    uint32_t branches; /* layers whose branches can be switched off, under the cursor on the axis "layer"; 0: none */
    struct scene_question *question; /* NULL for STEP_TELL */
};

/* An answer that the lesson declares, as a learner would type it. */
struct scene_declared {
    const char *id; /* of the mistake or the option; "": it is right */
    const char *typed;
};

/* Where something is written. */
struct scene_place {
    const char *of; /* a field ("text"), a part by its id ("sum"), or a part's field ("sum.say") */
    uint32_t line;
};

/* How many draws it took until the numbers were fit. */
struct scene_draws {
    uint32_t all;     /* 0: nothing is drawn */
    uint32_t refused; /* by `accept` */
    uint32_t alike;   /* two mistakes, or a mistake and the answer, came to the same */
    const char *pair; /* which two it was first, in words, or "" */
};

/* What is amiss with a lesson or a translation of it. */
struct scene_fault {
    const char *file; /* the translation's, or the lesson's */
    uint32_t line;    /* 0: of the file as a whole */
    const char *what;
    bool advice;      /* of a translation: the lesson's own words are shown instead */
};

/* What stands behind a step, for whoever checks its lesson. */
struct scene_check {
    uint32_t lesson_line, step_line;
    struct scene_place *lesson_places, *places; /* of what the lesson says for itself, and the step */
    size_t lesson_place_count, place_count;
    struct scene_draws lesson_draws, draws;     /* of the lesson's data, and the step's own */
    struct scene_declared *declared;
    size_t declared_count;
    const char *reread;     /* the answer that comes of the numbers as the text prints them, as it is typed; "": of the same numbers */
    struct strings rounded; /* what the text prints with fewer digits than it has: "x", "x[1]" */
    struct strings shown;   /* where the view shows what is asked before it is answered: "view.tokens, var", … */
    struct strings drawn;   /* … and those of them that show one of several numbers that were drawn: perhaps it is to be found there */
    struct strings printed; /* holes of the question's text that come to what is asked: "x:mean()", … */
    struct strings chance;  /* … and those of them with a number so short that it may be by chance */
    struct scene_fault *faults; /* what was seen while the step was made and keeps no learner out */
    size_t fault_count;
};

/* What came of request.scratch. */
struct scene_scratch {
    const char *output;   /* what was printed, its results last */
    const char *error;    /* why it came to nothing, in one line; "": it did not */
    const char *value;    /* the result as it may be typed as an answer, with more digits; "" */
    struct strings names; /* of an empty one: what may be typed: "x", "sqrt", "tensor.zeros", ":mean" (of a tensor), sorted, … */
    struct strings facts; /* … and those of them that are the step's */
};

/* How a translation stands. */
struct scene_translation {
    const char *text; /* the file, brought in step with the lesson: what translators have written is all in it */
    uint32_t fresh;   /* texts new in it, … */
    uint32_t changed; /* … those whose originals are others since they were translated, … */
    uint32_t kept;    /* … translated and in step, … */
    uint32_t moved;   /* … among these, found under another key, … */
    uint32_t empty;   /* … known, and not translated yet, … */
    uint32_t gone;    /* … and those the lesson has no longer: comments at its end */
    struct scene_fault *faults; /* all that keeps it from being complete and in step, by place in the lesson */
    size_t fault_count;
};

/* What became of a REQUEST_LINE. */
enum scene_typed {
    TYPED_LOST, /* it left nothing behind: it ran out of time or memory, or there was none */
    TYPED_KEPT, /* what it did is there for the next, whether it ended in an error or not */
    TYPED_OPEN, /* it is not complete, and was not run */
    TYPED_COLD, /* it was not run: the lines before it took all the time; one by one they might not */
};

struct scene {
    struct arena *arena;
    uint64_t number;            /* of the request */
    const char *error;          /* NULL, or "file:line: what": then what could not be made is missing */
    const char *output;         /* REQUEST_EVAL, REQUEST_LINE: what was printed, or NULL */
    enum scene_typed typed;
    struct scene_course *course; /* or NULL */
    struct scene_lesson *lesson; /* or NULL */
    struct scene_step *step;     /* or NULL */
    struct scene_check *check;       /* or NULL */
    struct scene_scratch *scratch; /* or NULL */
    struct scene_translation *translation; /* or NULL */
};

bool scene_travels(const struct scene_step *step, const struct scene_knob *knob); /* does the knob move after the prediction? */

void scene_free(struct scene *scene); /* the arena and everything in it; NULL is allowed */

#endif
