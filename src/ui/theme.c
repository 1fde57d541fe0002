#include "ui/theme.h"

#include <stdlib.h>

/* Every colour of the 256 keeps a contrast of at least 3.5 on black and on white; blue and orange stand for
   signs, which the common kinds of colour blindness tell apart. */
enum { GREY = 243, BLUE = 32, ORANGE = 166, GREEN = 29, RED = 167, AMBER = 130, TEAL = 30 };
enum { RED8 = 1, GREEN8 = 2, YELLOW8 = 3, BLUE8 = 4, MAGENTA8 = 5, CYAN8 = 6 };

struct entry {
    bool bold, dim, italic;
    int of256, of8;
};

static const struct entry entries[STYLE_COUNT] = {
    [STYLE_PLAIN] = {.of256 = -1, .of8 = -1},
    [STYLE_DIM] = {.dim = true, .of256 = GREY, .of8 = -1},
    [STYLE_STRONG] = {.bold = true, .of256 = -1, .of8 = -1},
    [STYLE_EMPHASIS] = {.italic = true, .of256 = -1, .of8 = -1},
    [STYLE_CODE] = {.of256 = TEAL, .of8 = CYAN8},
    [STYLE_TITLE] = {.bold = true, .of256 = -1, .of8 = -1},
    [STYLE_ACCENT] = {.bold = true, .of256 = BLUE, .of8 = BLUE8},
    [STYLE_RULE] = {.dim = true, .of256 = GREY, .of8 = -1},
    [STYLE_KEY] = {.bold = true, .of256 = -1, .of8 = -1},
    [STYLE_RIGHT] = {.bold = true, .of256 = GREEN, .of8 = GREEN8},
    [STYLE_WRONG] = {.bold = true, .of256 = RED, .of8 = RED8},
    [STYLE_NOTICE] = {.bold = true, .of256 = AMBER, .of8 = MAGENTA8},
    [STYLE_CURSOR] = {.bold = true, .of256 = BLUE, .of8 = BLUE8},
    [STYLE_CHANGED] = {.bold = true, .of256 = ORANGE, .of8 = RED8},
    [STYLE_POSITIVE] = {.of256 = ORANGE, .of8 = RED8},
    [STYLE_NEGATIVE] = {.of256 = BLUE, .of8 = BLUE8},
    [STYLE_BEFORE] = {.dim = true, .of256 = GREY, .of8 = -1},
    [STYLE_HIDDEN] = {.bold = true, .of256 = GREY, .of8 = -1},
    [STYLE_SELECTED] = {.bold = true, .of256 = -1, .of8 = -1},
    [STYLE_SET] = {.bold = true, .of256 = AMBER, .of8 = MAGENTA8},
    [STYLE_KEYWORD] = {.bold = true, .of256 = TEAL, .of8 = CYAN8},
    [STYLE_STRING] = {.of256 = GREEN, .of8 = GREEN8},
    [STYLE_NUMBER] = {.of256 = ORANGE, .of8 = RED8},
    [STYLE_COMMENT] = {.dim = true, .italic = true, .of256 = GREY, .of8 = -1},
};

struct look theme_look(enum style style, int colours)
{
    const struct entry *entry = &entries[style < STYLE_COUNT ? style : STYLE_PLAIN];
    int colour = colours >= 256 ? entry->of256 : colours >= 8 ? entry->of8 : -1;
    return (struct look){.bold = entry->bold,
                         .dim = entry->dim && colour < 0, /* grey instead of faint, where there is a grey */
                         .italic = entry->italic,
                         .colour = colour};
}

bool theme_colour_wanted(void)
{
    const char *value = getenv("NO_COLOR");
    return !value || !*value;
}
