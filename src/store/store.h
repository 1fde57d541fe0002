/* Progress, in SQLite. A store never stops the tutor: where the file cannot be opened, written or trusted, it goes on in memory
   and says so once, in words. What was stored before is never overwritten by that. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* `path` NULL: $XDG_STATE_HOME/normtutor/progress.db (or ~/.local/state/…), its folders made. Returns NULL only when memory is out. */
struct store *store_open(const char *path);
void store_close(struct store *store);
/* The next thing to tell the learner, once each, or NULL. Borrowed until the next call. */
const char *store_trouble(struct store *store);

enum store_verdict { STORE_RIGHT = 1, STORE_WRONG = 2, STORE_GIVEN_UP = 3 };

/* How the other functions are to name a course: by its id, unless another author's course has had that id before. A course without an
   author keeps its key when one is named under the same title. The caller frees; NULL: no memory. */
char *store_course(struct store *store, const char *id, const char *author, const char *title);
/* A lesson, or a step of it, has another id: all that is known of it goes on under that. */
void store_move_lesson(struct store *store, const char *course, const char *from, const char *to);
void store_move_step(struct store *store, const char *course, const char *lesson, const char *from, const char *to);

/* One answer. Times are seconds since 1970. */
struct store_answer {
    const char *course, *lesson, *step;
    uint64_t seed;
    uint32_t attempt; /* which numbers: 0 the lesson's, n the n-th new ones */
    const char *answer;
    enum store_verdict verdict;
    const char *mistake; /* id or "" */
    const char *said;    /* the words the learner got about a wrong answer, or "" */
    uint32_t sure;       /* 0: not asked */
    int64_t time;        /* 0: now */
};
/* On disk (synchronous FULL) when it returns 0; -1: kept in memory only, and store_trouble says why. */
int store_add_answer(struct store *store, const struct store_answer *answer);

/* The learner's place in a lesson; strings are the caller's to free with store_place_free. */
struct store_place {
    uint64_t seed;
    char *step;       /* id; "" before the first step */
    int page;         /* 0 goal, 1 step, 2 end: enum lesson_page of ui/screen.h */
    int64_t time;
};
/* Makes the place, with a seed drawn from the system's randomness, when there is none: returns 0 always. */
int store_lesson_place(struct store *store, const char *course, const char *lesson, struct store_place *out);
void store_place_free(struct store_place *place);
int store_set_place(struct store *store, const char *course, const char *lesson, const char *step, int page);
/* Another seed means other numbers everywhere: each step of the lesson stands at attempt 0 again, with no hints open. */
int store_set_seed(struct store *store, const char *course, const char *lesson, uint64_t seed);
/* The lesson that store_set_place named last in this course, or NULL; caller frees. */
char *store_last_lesson(struct store *store, const char *course);

/* What is known of one step. */
struct store_step {
    char *step;
    bool seen, right, predicted; /* right: ever answered right; a given-up answer is not */
    bool settled;                /* right, or given up, or a prediction made: nothing more is owed */
    uint32_t attempt;            /* the numbers it stands at */
    uint32_t tries;              /* answers right or wrong, to any numbers */
    uint32_t hints;              /* opened at this attempt */
    char *last_answer;           /* to the numbers it stands at (the place's seed, this attempt), or "" */
    enum store_verdict last_verdict; /* 0: none */
    uint32_t last_sure;
    char *last_said;             /* the words about the last wrong answer in this step, or "" */
    int64_t last_time;
};
int store_steps(struct store *store, const char *course, const char *lesson, struct store_step **out, size_t *count);
void store_steps_free(struct store_step *steps, size_t count);
int store_set_seen(struct store *store, const char *course, const char *lesson, const char *step);
int store_set_attempt(struct store *store, const char *course, const char *lesson, const char *step, uint32_t attempt); /* new numbers */
int store_set_hints(struct store *store, const char *course, const char *lesson, const char *step, uint32_t hints);

/* Everything that was answered in the course, the steps in order, each one's answers in theirs. */
struct store_past {
    char *lesson, *step;
    uint64_t seed;
    uint32_t attempt;
    enum store_verdict verdict;
    uint32_t sure;
    int64_t time;
};
int store_past(struct store *store, const char *course, struct store_past **out, size_t *count);
void store_past_free(struct store_past *past, size_t count);

/* The answers to the questions of one lesson, in words, as they came. */
struct store_given {
    char *step, *answer, *said;
    uint64_t seed;
    uint32_t attempt;
    enum store_verdict verdict;
    uint32_t sure;
    int64_t time;
};
int store_given(struct store *store, const char *course, const char *lesson, struct store_given **out, size_t *count);
void store_given_free(struct store_given *given, size_t count);

/* A review asks a step's question with numbers of its own: attempts from STORE_REVIEW on. What store_steps and
   store_lesson_place tell is the lesson's alone: no review changes it. */
#define STORE_REVIEW UINT32_C(0x80000000)
struct store_review {
    uint32_t attempt; /* the numbers it stands at; 0: never reviewed */
    uint32_t hints;   /* opened at this attempt */
    char *last_answer; /* to these numbers, or "" */
    enum store_verdict last_verdict; /* 0: none */
    uint32_t last_sure;
};
int store_review(struct store *store, const char *course, const char *lesson, const char *step, uint64_t seed,
                 struct store_review *out);
void store_review_free(struct store_review *review);
int store_set_review(struct store *store, const char *course, const char *lesson, const char *step, uint32_t attempt);
int store_set_review_hints(struct store *store, const char *course, const char *lesson, const char *step, uint32_t hints);

/* The catalogue: outlines (a message of scene/wire.h, opaque here) of files, so that the course list is drawn without the worker.
   `stamp` is the file's size and times as text: another stamp, another outline. Caller frees *bytes. 0 found, 1 not there. */
int store_catalogue_get(struct store *store, const char *path, const char *stamp, void **bytes, size_t *length);
int store_catalogue_put(struct store *store, const char *path, const char *stamp, const void *bytes, size_t length);

const char *store_version(void); /* "SQLite 3.40.1" */

#endif
