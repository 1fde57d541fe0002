/* What frames every page: rules, notices, keys, the message for a window that is too small. */
#ifndef UI_CHROME_H
#define UI_CHROME_H

#include "ui/keys.h"
#include "ui/sheet.h"
#include "ui/view.h"

enum { LEAST_COLUMNS = 40, LEAST_ROWS = 12, SPACIOUS_ROWS = 18 /* from here on every group has its rule */ };

bool chrome_too_small(struct grid *grid); /* says so on the grid */
void chrome_rule(struct grid *grid, int row);
/* A row of boxes, the first `full` filled (or those flagged in `filled`); `here` is marked (-1: none).
 * Returns the column after. */
int chrome_boxes(struct grid *grid, int column, int row, size_t count, const bool *filled, size_t full,
                 int here, bool done);
/* Keys and notice at the bottom; returns the first row they take, rule included. */
int chrome_bottom(struct grid *grid, struct keys *keys, const char *notice);
/* A sheet that fills the page. */
void chrome_page(struct grid *grid, const struct sheet *sheet, struct box box, int scroll,
                 struct drawn *drawn);

#endif
