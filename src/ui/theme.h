/* What a style looks like, without naming a terminal library. */
#ifndef UI_THEME_H
#define UI_THEME_H

#include <stdbool.h>
#include "ui/grid.h"

struct look {
    bool bold, dim, italic;
    int colour; /* of the text, in the palette asked for; -1: the terminal's own. The background is always the
                   terminal's. */
};

/* colours: 0, 8 or 256. */
struct look theme_look(enum style style, int colours);
bool theme_colour_wanted(void); /* NO_COLOR is unset or empty */

#endif
