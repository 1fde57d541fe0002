/* How the translations of a lesson stand. */
#ifndef APP_TRANSLATE_H
#define APP_TRANSLATE_H

#include "app/tutor.h"

enum { TRANSLATE_COURSE = -1 /* course.lua itself */ };

/* Asks the worker about the translation of a lesson of the course, or of its course.lua, into that language: *out is a scene with
   `translation`, the caller's to free. The course's files have been learnt. -1 with words: the lesson or the translation is broken. */
int translate_ask(struct tutor *tutor, const struct course *course, long what, const char *language, struct scene **out, struct error *err);

/* For `check`: all that keeps the translations of it, into the languages that there are, from being complete and in step.
   `say` gets each fault, by language and place; a translation that cannot be read is one, too. -1: memory is out. */
int translate_check(struct tutor *tutor, const struct course *course, long what, void (*say)(void *payload, const struct scene_fault *fault),
                    void *payload, struct error *err);

/* Brings the file in step; `counts` is the scene that tells what there was to do, the caller's to free. */
int translate_renew(struct tutor *tutor, const struct course *course, long what, const char *language, struct scene **counts, struct error *err);

#endif
