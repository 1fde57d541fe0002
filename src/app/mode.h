/* Inside the full-screen tutor: what the loop and its screens share. A screen is a mode: a table of functions. */
#ifndef APP_MODE_H
#define APP_MODE_H

#include "app/app.h"
#include "app/desk.h"
#include "app/editor_pane.h"
#include "app/reload.h"
#include "app/rows.h"
#include "app/scratchpad.h"
#include "app/work.h"
#include "ui/key.h"
#include "ui/tty.h"

struct app;

struct mode {
    bool shows_work; /* the learner sees that the worker is busy, and Esc gives that up */
    void (*draw)(struct app *app);
    void (*key)(struct app *app, struct key key);
    void (*scene)(struct app *app, struct scene *scene); /* takes it */
    void (*failed)(struct app *app, const char *words);  /* no reply comes */
    int64_t (*due)(const struct app *app);               /* when `tick` has something to do; NEVER */
    void (*tick)(struct app *app);
};

extern const struct mode list_mode, lesson_mode;

#define NEVER INT64_MAX
enum { HOLD_MS = 50, WORKING_MS = 100, SPIN_MS = 120, MARKS_MS = 1000, TRAVEL_MS = 40, PLAY_MS = 700 };

struct list {
    struct course *course;
    struct rows rows;
    size_t selected;
    bool placed; /* `selected` has been chosen */
    bool help;
    int help_scroll;
    bool refused; /* the worker may not or cannot be asked: not again while this list stands */
    bool finding;
    struct line find;
    struct course_row *found; /* while finding: the rows that match, … */
    size_t *found_at;         /* … where they are in `rows`, … */
    size_t found_count, found_selected;
    int64_t patience; /* a course seen for the first time is waited for until then, so that its list does not flicker */
    bool reviewing; /* a review is wanted as soon as the course is known */
    bool asking;
    long asked;
    uint64_t asked_number;
    struct notes *notes; /* that are being written, or NULL */
    bool noting;         /* what is asked is for them */
};

/* What the same key, pressed once more, does. */
enum offered { OFFERED_NOTHING, OFFERED_ANSWER /* shows it */, OFFERED_START_OVER, OFFERED_LEAVE /* without what cannot be saved */ };

struct lesson {
    bool open;
    struct session session;
    struct desk desk;
    struct work *work; /* NULL: the step asks for no program */
    struct editor_pane pane;
    struct scratchpad scratch;
    enum offered offered;
    bool settling; /* the next scene is the same step put right: nothing in it is a change */
    bool reloaded; /* the next scene is the step as its author has changed it */
    bool hasty;    /* Enter came before the lesson was there, which begins as soon as it is */
    int64_t marks_until, travel_at, play_at; /* 0: not now */
};

struct app {
    struct tutor *tutor;
    struct tty *tty;
    struct grid *grid;
    struct drawn drawn;
    const struct mode *mode;
    bool quit;
    int status;

    int64_t now;        /* milliseconds of a clock that only goes on */
    bool dirty, shown;  /* something is to be drawn; something has been */
    int64_t hold_until; /* a reply is about to come: redraw then */
    int64_t busy_since, spun; /* 0: the worker is free */
    bool working;       /* the spinner is shown */
    int spinner;
    char notice[1024];  /* until the next key */

    struct list list;
    struct lesson lesson;
    struct review review; /* the round that the lesson is in, while its session is a review */
    struct reload *reload; /* NULL: no files are watched */
};

__attribute__((format(printf, 2, 3))) void app_notice(struct app *app, const char *format, ...);
/* Sends to the worker, which is spawned when there is none; 0 with a notice when that fails. */
uint64_t app_send(struct app *app, const struct request *request);
const char *app_words(const struct app *app); /* what there is to tell: the notice, or what is wrong with the files that are watched */
/* What is in flight is wanted no longer. */
void app_drop(struct app *app);

void list_enter(struct app *app, struct course *course);
void list_leave(struct app *app);
void list_refresh(struct app *app); /* the store may know more */
void list_reloaded(struct app *app); /* the courses have changed */
/* From the list or from a lesson; on failure a notice says why, and the mode stays. */
bool lesson_enter(struct app *app, struct course *course, size_t lesson);
/* The questions that are due, one after the other. */
void review_enter(struct app *app); /* from the list */
void review_go(struct app *app, int by); /* to the next one (1) or the one before (-1) */
/* The learner's notes. */
void notes_begin(struct app *app); /* from the list */
void notes_stop(struct app *app);
void notes_ask(struct app *app);
void notes_answered(struct app *app, struct scene *scene, const char *words); /* takes the scene; NULL: no reply came, for that reason */
bool notes_key(struct app *app, struct key key); /* while they are being written; false: it is the list's */
void lesson_show(struct app *app, const struct session *session); /* takes it: a lesson, or a question in review */
void lesson_leave(struct app *app); /* to the course list; a lesson alone is the whole of the tutor */
void lesson_close(struct app *app);
void lesson_send(struct app *app);    /* something has changed: the step is wanted anew */
void lesson_refresh(struct app *app); /* a page has opened */
void lesson_reloaded(struct app *app, const char *step); /* so has the session, which stood at that step */
void lesson_key(struct app *app, struct key key);

/* With a step that asks for a program. */
void lesson_open_work(struct app *app); /* after a scene */
void lesson_look_at_work(struct app *app); /* the file may have changed */
void lesson_edit_work(struct app *app);
void lesson_probe_work(struct app *app);
void lesson_start_over(struct app *app);
void lesson_save_work(struct app *app); /* what stands in the editor, if it is not in the file yet */
void lesson_type_work(struct app *app, struct key key); /* into the editor */
bool lesson_work_is_safe(struct app *app); /* saved, or nothing is to be saved */

#endif
