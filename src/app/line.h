/* One line of text under the learner's hands. */
#ifndef APP_LINE_H
#define APP_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/key.h"

enum { LINE_MAX_BYTES = 1000 };

struct line {
    char text[LINE_MAX_BYTES + 1];
    size_t length, cursor; /* bytes; the cursor stands at the start of a character */
};

void line_set(struct line *line, const char *text); /* the cursor goes to the end; what is too long is cut at a character */
/* Types, deletes or moves; false when the key means nothing here. */
bool line_key(struct line *line, struct key key);
bool line_paste(struct line *line, const char *text); /* what is too long is left out whole; line breaks at its end are */

#endif
