/* Between check.c and what checks a part of a lesson as it is written. `table`: the stack index of the construct's fields. */
#ifndef ENGINE_CHECK_H
#define ENGINE_CHECK_H

#include "engine/internal.h"

int bad_sort(struct engine *engine, const struct construct *construct, const char *field, enum sort sort, int index); /* raises */
void check_knob(struct engine *engine, const struct construct *construct, int table);
void precision_check(struct engine *engine, const struct construct *view, int table); /* view_precision.c */
void check_travel(struct engine *engine, const struct step_def *step, int table); /* travel.c */
void check_question(struct engine *engine, const struct step_def *step, int table);
void check_hide(struct engine *engine, const struct step_def *step, int table);

#endif
