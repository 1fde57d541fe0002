/* "NAME VALUE" as a person writes it: a knob, x[2][3], cursor.token, stage, off. */
#ifndef APP_ASSIGN_H
#define APP_ASSIGN_H

#include "app/inputs.h"
#include "app/words.h"

/* -1 with words: no such name in this step (the nearest known one is said), or a value that it cannot take. */
int assign(struct inputs *inputs, struct words *words, const struct scene_step *step, const char *name, const char *value,
           struct error *err);
/* The step has something of that name: `assign` may still refuse the value. */
bool assign_knows(const struct scene_step *step, const char *name);

/* A number and nothing else; a Unicode minus is a minus. */
bool number_read(const char *text, double *number);
bool place_read(const char *text, size_t count, size_t *place); /* a whole number from 1 to `count` */

#endif
