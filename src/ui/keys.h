/* The keys that work now, for the last lines and for the help page. */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include "ui/screen.h"

enum { KEYS_MAX = 24 };

struct keys {
    struct {
        const char *key;
        char what[192];
        int weight; /* the smallest are left out first */
    } item[KEYS_MAX];
    int count;
};

void keys_of_course(struct keys *keys, const struct course_screen *screen, bool ascii);
void keys_of_lesson(struct keys *keys, const struct lesson_screen *screen, bool ascii);
/* Leaves out until the rest fits on so many lines; returns the lines it takes. */
int keys_fit(struct keys *keys, const struct grid *grid, int lines);
void keys_draw(struct grid *grid, const struct keys *keys, int row);

#endif
