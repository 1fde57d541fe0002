/* Inside the tutor in plain lines. */
#ifndef APP_PLAIN_H
#define APP_PLAIN_H

#include "app/app.h"
#include "app/command.h"
#include "app/desk.h"
#include "app/reload.h"
#include "app/review.h"
#include "app/work.h"

struct plain {
    struct tutor *tutor;
    FILE *in, *out;
    struct course *course;
    size_t selected;
    bool in_lesson, quit;
    enum verb offered; /* what the same command, said once more, does: a hint shows the answer, starting over does so */
    struct session session;
    struct review review; /* the round that the session is in, while it is a review */
    struct desk desk;
    struct work *work; /* NULL: the step asks for no program */
    struct reload *reload; /* NULL: no files are watched */
};

void plain_say(struct plain *plain, const char *text); /* a line, or lines */
typedef void (*plain_writer)(struct strbuf *, const struct lesson_screen *);
void plain_say_scene(struct plain *plain, plain_writer write);
void plain_write_scene(struct plain *plain, struct strbuf *out, plain_writer write);
bool plain_refresh(struct plain *plain); /* asks the worker until there is a scene to show; false: it has said why there is none */

void plain_show(struct plain *plain, const struct session *session); /* takes it: a lesson, or a question in review */
void plain_open_page(struct plain *plain);
void plain_list(struct plain *plain); /* out of the lesson */

void plain_begin_review(struct plain *plain);
void plain_notes(struct plain *plain); /* writes them and says where */
void plain_go_review(struct plain *plain, int by); /* to the next question of the round (1) or the one before (-1) */

int plain_watch(struct plain *plain, struct error *err); /* the course's files, from now on */
void plain_wait(struct plain *plain); /* until there is something to read; meanwhile what is saved is loaded again */

void plain_compute(struct plain *plain, const char *text); /* with the facts of this step */

/* After a scene: the step's program, if it asks for one. True: another request is due. */
bool plain_open_work(struct plain *plain);
void plain_do_program(struct plain *plain, enum verb verb);

/* After an answer or a new program: asks for its verdict, says it, and the view where that has changed. False: as plain_refresh. */
bool plain_judged(struct plain *plain);
void plain_answer(struct plain *plain, const char *text);
void plain_give_up(struct plain *plain);
void plain_hint_more(struct plain *plain);
void plain_hints_open(struct plain *plain); /* says them all */
void plain_sure(struct plain *plain, const char *text);
/* As session_option, and an option's words mean it too. */
const char *plain_option(struct plain *plain, const char *text);

void plain_other(struct plain *plain, const struct command *command); /* something to set or to ask about, else an answer */
void plain_reset(struct plain *plain);
void plain_switch_branch(struct plain *plain, const char *text, bool off); /* in a step that has branches */

#endif
