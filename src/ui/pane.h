/* The editor's pane: a program with its line numbers and colours, the caret, and the line at which it cannot go on. */
#ifndef UI_PANE_H
#define UI_PANE_H

#include "ui/screen.h"
#include "ui/view.h"

int pane_rows(const struct code_pane *pane); /* to show all of it */
/* `error` stands below the line `error_line` (from 1; 0: none); `edited`: it is not what the view beside it is about. */
void pane_draw(struct grid *grid, const struct code_pane *pane, struct box box, const char *name, bool edited,
               uint32_t error_line, const char *error, struct drawn *drawn);
/* Which line of `now` the line of `before` has become; 0: it was changed. */
uint32_t pane_line_now(const char *before, const char *now, uint32_t line);

/* The page with the pane: program, view, and what came of the last run; or with the scratchpad: that and the view. */
void pane_page(struct grid *grid, const struct lesson_screen *screen, struct box body, struct drawn *drawn);

#endif
