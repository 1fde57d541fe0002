/* What the terminal side asks of the engine. A request carries everything that its answer depends on: the engine keeps no
   state but a memo, so the same request sent to a fresh worker gives the same scene. Plain data; strings are borrowed. */
#ifndef SCENE_REQUEST_H
#define SCENE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum request_kind {
    REQUEST_COURSE, /* `source` is course.lua: scene.course */
    REQUEST_LESSON, /* load the lesson and say what is in it: scene.lesson */
    REQUEST_FRAME,  /* one step as it stands: scene.lesson, scene.step */
    REQUEST_CHECK,  /* a REQUEST_FRAME, and what stands behind the step: scene.check */
    REQUEST_TRANSLATE, /* how the translation of a lesson or course.lua stands: scene.translation */
    REQUEST_EVAL,   /* run `source` as Lua with tensor and nn at hand: scene.output */
    REQUEST_LINE,   /* the same for what a person types next, with what `lines` left behind: scene.output, scene.typed; of an empty
                       source scene.scratch, with the names that may be typed */
};

/* A module of shared/, by its name without ".lua". */
struct request_shared {
    const char *name, *text;
};

enum { REQUEST_FILES_MAX = 32 };

/* A file that the lesson declares: below files/, opened by whoever asks. */
struct request_file {
    const char *name;
    const char *stamp; /* differs when the content may differ */
    int fd; /* a regular file, to read from any offset; not on the wire, which makes it -1: it travels beside the message */
};

/* What lang/LANGUAGE/ beside the lesson or course.lua has for it. */
struct request_translation {
    const char *language; /* "de" */
    const char *file;     /* how messages name it */
    const char *text;     /* "": there is no such file yet (REQUEST_TRANSLATE alone) */
    size_t length;
};

enum setting_kind { SETTING_NUMBER, SETTING_SWITCH, SETTING_WORD };

/* Where a knob stands. */
struct setting {
    const char *name;
    enum setting_kind kind;
    double number;
    bool on;
    const char *word;
};

enum { INDEX_MAX = 8 };

/* A cell that the learner changed: name[index[0]]...[index[rank-1]], counted from 1. */
struct edit {
    const char *name;
    int rank;
    uint32_t index[INDEX_MAX];
    double value;
};

/* Where the learner looks on a named axis, counted from 1. */
struct cursor {
    const char *axis;
    uint32_t index;
};

struct request {
    uint64_t number; /* the reply bears it */
    enum request_kind kind;
    const char *course; /* id; "" for a lesson that stands alone */
    const char *file;   /* how messages name the file: "lessons/epsilon.lua" */
    const char *source;
    size_t source_length;
    const struct request_shared *shared;
    size_t shared_count;
    const struct request_file *files; /* all that the lesson declares, in its order; none while that is not known */
    size_t file_count;
    const struct request_translation *translation; /* NULL: the lesson's own language */

    /* REQUEST_LINE */
    const char *const *lines; /* what was typed before and left something behind, in its order */
    size_t line_count;

    /* REQUEST_FRAME */
    const char *step;  /* id; NULL or "": the first */
    uint64_t seed;     /* the learner's numbers for this lesson */
    uint32_t attempt;  /* 0: the lesson's numbers; n: the n-th new numbers for this question alone */
    uint32_t stage;    /* of a view with stages; 0: the whole */
    const struct setting *settings;
    size_t setting_count;
    const struct edit *edits;
    size_t edit_count;
    const struct cursor *cursors;
    size_t cursor_count;
    uint64_t off;      /* bit n - 1: the branch of layer n is switched off */
    const char *answer; /* to be judged: the line as typed, for a choice or an order ids or
                           numbers of options, for a program its text; NULL: none yet */
    uint64_t run;      /* of the probes, for a program: another run, other inputs; 0: the seed's own */
    const char *typed;  /* in the field now, only read back as scene.question.echo; NULL: nothing */
    const char *scratch; /* computed with the step's facts, as scene.scratch; "": nothing, but what may be named is told; NULL: no */
    uint32_t sure;      /* with a prediction: 1 a guess, 2 think so, 3 certain; 0: not said */
    uint32_t hints;     /* how many hints are open */
    bool give_up;       /* show the answer and why */
    bool no_view;       /* it is not drawn: only what is said matters */
};

#endif
