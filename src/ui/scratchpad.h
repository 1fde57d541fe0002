/* The scratchpad: what was typed, what came of it, and the line being typed. */
#ifndef UI_SCRATCHPAD_H
#define UI_SCRATCHPAD_H

#include "ui/screen.h"
#include "ui/view.h"

int scratchpad_rows(const struct grid *grid, const struct scratch_screen *scratch, int columns); /* to show all of it */
void scratchpad_draw(struct grid *grid, const struct scratch_screen *scratch, struct box box, struct drawn *drawn);

#endif
