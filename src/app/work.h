/* The program that a code question asks for: its file, and what of it the session has been told. */
#ifndef APP_WORK_H
#define APP_WORK_H

#include "app/session.h"
#include "app/work_file.h"

struct work;

/* WORK_SEND: the session has a request to make; WORK_SAY: `err` has words for the learner. */
enum work_news { WORK_NOTHING, WORK_SEND, WORK_SAY };

/* After a scene: opens the file where the step asks for a program and none is open yet. `root` is the folder of all learners'
   programs, or NULL. A file that cannot be had is said once, and each time that it is wanted. */
enum work_news work_open(struct work **work, const char *root, struct session *session, int64_t now, struct error *err);
void work_close(struct work **work); /* another step, or other numbers */

const char *work_path(const struct work *work);  /* NULL: there is no file */
const char *work_shown(const struct work *work); /* the path as to be read; "": there is no file; NULL: there is no work */

/* The file's text as it was last read or written; NULL: none has been. Borrowed until the next call with this work. */
const char *work_text(const struct work *work);
bool work_gone(const struct work *work); /* there is a place for it, and no file */
/* Puts the text into the file. 0, with words in `err` when another text was found there and put aside; -1: it could not be. */
int work_save(struct work *work, const char *text, struct error *err);

/* Watching: all of it does nothing without a work. */
int work_fd(const struct work *work);       /* to wait on for reading; -1: none */
void work_take(struct work *work, int64_t now); /* it can be read */
int64_t work_due(const struct work *work);  /* when to call work_look; INT64_MAX: never */
enum work_news work_look(struct work *work, struct session *session, int64_t now, struct error *err);

/* Probes the file as it is; only_changed: if it is not what was probed last. */
enum work_news work_probe(struct work *work, struct session *session, bool only_changed, struct error *err);
/* The file as at the start; what was in it lies beside it. `err` says where, or what went wrong. */
enum work_news work_start_over(struct work *work, struct session *session, struct error *err);

#endif
