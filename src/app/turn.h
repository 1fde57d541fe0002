/* Where a knob stands, and where it stands after a turn. Positions are numbers: a switch's 0 or 1, a pick's index from 0. */
#ifndef APP_TURN_H
#define APP_TURN_H

#include "app/inputs.h"
#include "app/words.h"

const struct scene_knob *knob_named(const struct scene_step *step, const char *name); /* NULL: the step has none */
double knob_value(const struct scene_knob *knob, const struct inputs *inputs); /* as set, else as the scene has it */
double knob_setting_value(const struct scene_knob *knob, const struct setting *setting);
/* The next stop in the direction of `by` (-1, 1), or an end (-2: `from`, 2: `to`). */
double knob_turned(const struct scene_knob *knob, double value, int by);
/* On the way between two values, `part` from 0 to 1: evenly in the logarithm for a log knob; exact at both ends. */
double knob_between(const struct scene_knob *knob, double from, double to, double part);
int knob_put(struct inputs *inputs, struct words *words, const struct scene_knob *knob, double value, struct error *err);

#endif
