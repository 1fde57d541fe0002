/* One learner in one lesson: where they are and what they have set. It makes the requests, takes the scenes, and stores each
   answer before its verdict may be shown. No terminal, no worker: data in, data out. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/course.h"
#include "app/inputs.h"
#include "app/words.h"
#include "store/store.h"
#include "ui/screen.h"

enum { TRAVEL_FRAMES = 12, ANSWERS_KEPT = 5 /* one more than there are to point at one */ };

struct session {
    const struct course *course; /* borrowed */
    size_t lesson;
    struct store *store; /* borrowed; NULL: nothing is remembered */
    struct lesson_text text;
    struct words *words;
    char *answers[ANSWERS_KEPT]; /* what the inputs point at */

    bool review; /* one question, asked again with numbers of its own; the lesson stays as the learner left it */
    enum lesson_page page;
    const char *step; /* id, kept in `words`; "": the first */
    uint64_t seed;
    uint32_t attempt;
    struct inputs inputs;
    bool *settled; /* a flag a step; NULL while the lesson is not known */
    size_t settled_count;

    struct scene *scene; /* what is shown; NULL while the first one of this step is awaited */

    struct inputs sent, good; /* as in the last request; as in the scene shown */
    uint64_t sent_number, floor; /* replies before `floor` belong to something else */
    struct turning {
        const char *knob; /* the last that was turned, kept in `words`; NULL: what is shown followed it */
        double value;     /* where to */
        int by;
        bool failed;      /* there is nothing to show there: the next turn that way goes on from it */
    } turning;
    bool turned_away;  /* the next request starts something else: it sets the floor */
    bool unjudged;     /* the answer (or giving up) is new: its verdict is to be stored */
    uint64_t answer_number; /* the first request that carried it; 0: not sent yet */
    const char *stored;     /* the answer that was stored last, one of `answers`, or NULL */
    enum store_verdict stored_verdict;
    bool seen_stored;
    bool carried; /* what was known under former ids has been looked for */
    bool files_opened; /* by session_files: the request is due again, with them */

    bool travelled; /* the knobs of this prediction are the learner's */
    struct inputs travel_from, travel_to; /* only the settings count */
    int travel_frame; /* 0: not travelling; else up to TRAVEL_FRAMES */
};

/* Opens the lesson where the learner left it. -1: the file cannot be read. */
int session_open(struct session *session, const struct course *course, size_t lesson, struct store *store, struct error *err);
/* Opens that step alone, in review; `anew`: with numbers that are not answered yet. */
int session_open_review(struct session *session, const struct course *course, size_t lesson, const char *step, bool anew,
                        struct store *store, struct error *err);
void session_close(struct session *session);

/* The course has been read anew: `lesson` is the lesson's place in it, and `text`, which is taken, goes into the next request, which
   is due. Numbers and all that is set stay, and so does the step: by its id, else by its place. */
void session_reload(struct session *session, size_t lesson, struct lesson_text *text);
/* The step that stands for the learner's in that outline, or their own where it has no steps. */
const char *session_step_in(const struct session *session, const struct scene_lesson *outline);

/* What to show now: the step as it stands, or the lesson's outline. Borrows from the session. */
void session_request(const struct session *session, struct request *request);
void session_sent(struct session *session, uint64_t number); /* the request has gone out under this number */

/* First of all with a scene, before its `error` is read: opens the files that the lesson declares when others were sent; then
   session_take says SESSION_AGAIN. One that cannot be opened is the scene's error. */
void session_files(struct session *session, struct scene *scene);

enum session_took {
    SESSION_STALE, /* not for what is shown now: dropped */
    SESSION_SHOW,  /* it is session->scene now */
    SESSION_AGAIN, /* something follows from it: make a request before showing anything */
};
/* Takes the scene; scene->error is for the caller to have read. A scene without its step (an error) does not replace one with it:
   the session goes back as session_failed does. `before`, when not NULL, receives the scene it replaces if that was the same step
   with the same numbers (the caller frees it). */
enum session_took session_take(struct session *session, struct scene *scene, struct scene **before);
void session_failed(struct session *session); /* no reply comes: back to what the scene shown stands for */

const struct scene_lesson *session_lesson(const struct session *session); /* NULL: not known yet */
const struct scene_step *session_step(const struct session *session);     /* of the scene shown on a step's page, or NULL */
const struct scene_question *session_question(const struct session *session); /* its question, or NULL */
bool session_open_question(const struct session *session); /* a question is there and not final */

/* Where to. They return false when there is nothing in that direction, as in review. A new page needs a new request. */
bool session_next(struct session *session);
bool session_back(struct session *session);
bool session_goto(struct session *session, const char *step); /* by id; false: unknown */

/* The text, kept as long as an input points at it; NULL: out of memory. */
const char *session_keep_answer(struct session *session, const char *text);

/* What the learner does. True or 0: a new request is due. */
int session_answer(struct session *session, const char *text, uint32_t sure, struct error *err);
/* An option's number is as good as its id: the id, or the ids, that `text` means, else `text`. Borrowed from the session, the scene
   shown, or the caller. */
const char *session_option(const struct session *session, const char *text);
bool session_judged(const struct session *session, const char *text); /* that very answer has its verdict already */
bool session_judging(const struct session *session); /* an answer's verdict is awaited */
/* The program's text is the answer, probed on fresh inputs; the newest replaces one that is still being judged. */
int session_probe(struct session *session, const char *program, struct error *err);
bool session_begin_anew(struct session *session); /* the program is the one to begin with again: no answer yet */
int session_turn(struct session *session, size_t knob, int by, struct error *err); /* as knob_turned */
bool session_reset_knob(struct session *session, size_t knob);
bool session_reset_view(struct session *session); /* cells and branches */
bool session_reset(struct session *session);      /* knobs, cells, cursor, stage and branches */
bool session_look(struct session *session, size_t axis, int by);
/* One step along `axis`; past an end it goes on in the next index of `outer` (-1: there is none). */
bool session_look_through(struct session *session, size_t axis, int outer, int by);
bool session_switch(struct session *session, uint32_t layer); /* its branch off, or on again; layers count from 1 */
bool session_is_off(const struct session *session, uint32_t layer);
bool session_stage(struct session *session, int by); /* round through 0 (the whole), 1 … */
int session_edit(struct session *session, const struct edit *edit, struct error *err);
int session_assign(struct session *session, const char *name, const char *value, struct error *err);
int session_new_numbers(struct session *session, struct error *err);
void session_set_seed(struct session *session, uint64_t seed);

enum session_hint { HINT_OPENED, HINT_LAST /* none left: once more gives the answer */, HINT_NONE /* no question to help with */ };
enum session_hint session_hint(struct session *session);
bool session_give_up(struct session *session);

/* A committed prediction: its knobs go to where the lesson sends them. */
bool session_travel_step(struct session *session); /* one frame on; false: there is none left */
void session_travel_end(struct session *session);

#endif
