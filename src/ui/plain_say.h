/* Words for a listener. */
#ifndef UI_PLAIN_SAY_H
#define UI_PLAIN_SAY_H

#include "base/strbuf.h"
#include "ui/screen.h"

/* Adds text with control bytes visible and with words for the signs that speech passes over. */
void say_text(struct strbuf *out, const char *text);
void say_view(struct strbuf *out, const struct view *view);
/* A program, line by line as it stands; `spoken` (from 1, or 0) is pointed out. */
void say_code(struct strbuf *out, const char *title, const char *text, uint32_t spoken);

#endif
