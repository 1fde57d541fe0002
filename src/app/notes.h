/* What the learner has done, as Markdown: for each lesson that was begun its key points once it is finished, and what was answered.
   The store keeps numbers by their seed, so the worker is asked for the words of each question. No terminal, no waiting: data in,
   data out, but for notes_make. */
#ifndef APP_NOTES_H
#define APP_NOTES_H

#include "app/tutor.h"
#include "base/strbuf.h"

struct notes;

struct notes *notes_new(struct tutor *tutor); /* of all its courses; NULL: out of memory */
void notes_free(struct notes *notes); /* NULL is allowed */

/* What is to be asked of the worker next; the request borrows until the next call. False: the notes are written. */
bool notes_next(struct notes *notes, struct request *request);
void notes_take(struct notes *notes, struct scene *scene); /* the answer to it; takes it */
void notes_fail(struct notes *notes, const char *words);   /* no answer comes; the notes go on with what the store has */

struct notes *notes_make(struct tutor *tutor, struct error *err); /* asks, waits, and writes all of them */

bool notes_any(const struct notes *notes); /* was anything begun? */
/* The text, borrowed; -1: out of memory. Its last line, which Markdown does not show, tells the file by. */
int notes_text(struct notes *notes, const struct strbuf **text, struct error *err);

/* Writes them to their usual place; `said`: where that is. */
int notes_keep(struct notes *notes, struct strbuf *said, struct error *err);

#endif
