/* What the files of check/ share. */
#ifndef CHECK_INTERNAL_H
#define CHECK_INTERNAL_H

#include "app/inputs.h"
#include "check/check.h"
#include "ui/grid.h"

/* What the seeds have shown of a step so far. */
struct tally {
    bool stopped;         /* something there took its time, or killed the worker: it is not tried again */
    int64_t wasted;       /* milliseconds, on what came to nothing */
    size_t seeds;         /* that were tried */
    uint64_t first[2];    /* fingerprints under one of them: as the step is found, and once it is answered; 0: none yet */
    bool differs;         /* another seed has another */
    bool own_data, edits; /* it draws numbers for itself; they can be edited */
    uint32_t line, text_line, data_line, accept_line, hide_line, answer_line;
    uint64_t draws, refused, alike;
    char *pair;           /* two mistakes that came to the same in some draw, or NULL */
    struct shown {        /* what its view shows of the answer */
        char *where;
        size_t seeds, drawn; /* in how many; in how many of them it is one of the numbers drawn */
    } *shown, *printed;      /* what its text prints of it; `drawn`: in how many it may be by chance */
    size_t shown_count, printed_count;
    struct counted {      /* its mistakes, and under how many seeds they count */
        char *id;
        uint32_t line;
        size_t seeds;
    } *mistakes;
    size_t mistake_count;
    size_t endless;         /* seeds whose answer has a nan or an infinity in it, … */
    uint64_t endless_seed;  /* … and the lowest of them */
    bool view;
};

/* A lesson being checked. */
struct target {
    struct course *course; /* the tutor's */
    size_t index, rank;
    struct lesson_text text;
    bool begun, ready, stopped; /* its text is read; its outline is known; no seed more of it is tried */
    struct scene *outline;
    uint32_t former_line; /* of `renamed_from` */
    uint64_t next_seed;
    size_t done;    /* seeds */
    struct tally *steps, whole; /* a step each; of the lesson's own data */
};

enum try_kind {
    TRY_LOAD,   /* the lesson under this seed */
    TRY_STEP,   /* the step as a learner finds it, and what stands behind it */
    TRY_ANSWER, /* one of the answers that are known */
    TRY_REREAD, /* the answer as it comes of the numbers printed */
    TRY_WORDS,  /* every hint, and why */
    TRY_KNOB,   /* one knob at an end */
    TRY_BETWEEN, /* … or between its ends */
    TRY_LOW,    /* all knobs at their lower ends, … */
    TRY_HIGH,   /* … at their upper ones */
    TRY_TRAVEL, /* the knobs where a prediction sends them */
    TRY_EDIT,   /* a cell of what can be edited, made 0 */
    TRY_FAR,    /* the cursor at the far end of each axis */
    TRY_STAGE,  /* one stage of the view */
    TRY_OFF,    /* the branches off, all of them */
};

struct try {
    enum try_kind kind;
    size_t which;  /* the answer, the knob, or what can be edited */
    double value;  /* of the knob */
    uint32_t stage;
};

/* One lesson under one seed, as a worker goes through it. */
struct job {
    struct target *target;
    uint64_t seed;
    size_t step;
    struct scene *base;   /* of its TRY_STEP, or NULL */
    struct try *tries;    /* of this step, TRY_STEP the first */
    size_t try_count, at;
    bool frames;          /* frames are drawn for this seed */
    struct inputs inputs; /* of the try that is under way */
};

struct check {
    struct check_options options;
    struct tutor tutor;
    struct target *targets;
    size_t target_count, ranks;
    struct findings findings;
    struct check_counts counts;
    struct grid *grids[2]; /* 80x24, in Unicode and in ASCII */
};

const char *target_file(const struct target *target);
const struct scene_outline_step *job_outline(const struct job *job); /* of the step it is at */

/* ---- findings ---- */

/* At a line of the lesson. */
__attribute__((format(printf, 6, 7))) void note(struct check *check, const struct job *job, enum finding_kind kind, enum finding_scope scope, uint32_t line,
                                                const char *format, ...);
/* Words that may begin with their own place, "file:line: "; `context` stands behind them. */
void note_words(struct check *check, const struct job *job, enum finding_scope scope, uint32_t line, const char *words, const char *context);
/* Of a course, or of a lesson that cannot even be read. */
void note_alone(struct check *check, enum finding_kind kind, size_t rank, const char *lesson, const char *file, const char *words);
uint32_t line_of(const struct scene_check *check, const char *of);         /* in the step; its own line where there is none */
uint32_t line_of_lesson(const struct scene_check *check, const char *of);

/* translations.c: of a lesson of the course, or of course.lua (-1) */
void check_translations(struct check *check, size_t rank, const struct course *course, long what);

/* ---- target.c ---- */

bool target_begin(struct check *check, struct target *target); /* reads its text. False: that is a finding, and it is stopped */
/* Opens the files that it declares, where others are open. False: there is nothing to open, or it is stopped. */
bool target_open_files(struct check *check, struct target *target, const struct scene_lesson *outline);
bool target_know(struct target *target, struct scene *outline); /* takes the scene. False: out of memory */
/* What is to be said of the lesson as a whole, beside its steps: once, with the first step that came. */
void target_whole(struct check *check, struct target *target, const struct scene *scene);
void target_former(struct check *check, const struct target *target); /* its `renamed_from`, once all outlines are known */
void target_free(struct target *target);

/* ---- steps.c ---- */

bool job_plan(struct job *job); /* after its TRY_STEP: what follows from it. False: out of memory */
void job_request(struct job *job, struct request *request); /* for the try that is next; borrows from the job */
void job_context(const struct job *job, char *out, size_t size); /* " with `eps` at 1e-12", or "" */

/* ---- what comes of a try ---- */

void answers_take(struct check *check, struct job *job, const struct scene *scene); /* TRY_ANSWER, TRY_REREAD */
void frame_take(struct check *check, struct job *job, const struct scene *scene);   /* any frame, for a seed whose frames are drawn */
void page_take(struct check *check, struct job *job, const struct scene *scene);    /* the same of a first step: the lesson's own pages */

/* ---- tally.c ---- */

void tally_take(struct check *check, struct job *job, const struct scene *scene); /* TRY_STEP */
void tally_open(struct job *job, const struct scene *scene);                      /* TRY_WORDS */
void tally_judge(struct check *check, struct target *target); /* once all seeds are tried */
void tally_free(struct tally *tally);

#endif
