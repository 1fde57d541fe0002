/* Knob lines: name, value, slider. */
#ifndef UI_KNOBS_H
#define UI_KNOBS_H

#include "ui/screen.h"
#include "ui/view.h"

enum { KNOBS_LABEL_SHARE = 4 /* of the columns, at most one in so many is for a label */ };

/* Lines for the knobs of a step in a window of so many rows: all, or those around the focused one. */
int knobs_rows(const struct scene_step *step, int window_rows);
void knobs_draw(struct grid *grid, const struct lesson_screen *screen, struct box box);
/* "1e-12": a knob's end in the style of all numbers. */
void knobs_number(char out[32], double value);

#endif
