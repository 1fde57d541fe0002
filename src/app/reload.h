/* A lesson that its author is writing: its files are watched, and what was saved takes the place of what is shown, if it can be
   shown. Until then what is shown stays, and can be used. */
#ifndef APP_RELOAD_H
#define APP_RELOAD_H

#include "app/session.h"
#include "app/tutor.h"

struct reload;

/* Watches all files of the course, which is borrowed. */
int reload_open(struct reload **out, struct course *course, int64_t now, struct error *err);
void reload_close(struct reload *reload); /* NULL is allowed, here and below: then nothing is watched */

int reload_fd(const struct reload *reload); /* to wait on for reading; -1: none */
void reload_take(struct reload *reload, int64_t now); /* it can be read */
int64_t reload_due(const struct reload *reload); /* when to call reload_look; INT64_MAX: never */

enum reload_news { RELOAD_NOTHING, RELOAD_DONE, RELOAD_FAILED };
/* Asks the worker, and waits. The course becomes what is in its files, and with a session so does its lesson: what was borrowed of the
   course is gone after RELOAD_DONE, and a request is due. Session NULL: the course alone. */
enum reload_news reload_look(struct reload *reload, struct tutor *tutor, struct session *session, int64_t now);

const char *reload_trouble(const struct reload *reload); /* why what is in the files is not shown, "file:line: what", or "" */

#endif
