/* Words for a listener. */
#ifndef UI_PLAIN_SAY_H
#define UI_PLAIN_SAY_H

#include "base/strbuf.h"
#include "ui/screen.h"

/* Adds text with control bytes visible and with words for the signs that speech passes over. */
void say_text(struct strbuf *out, const char *text);
void say_words(struct strbuf *out, const char *words); /* the same without their Markdown */
void say_view(struct strbuf *out, const struct view *view, bool all); /* all: long ones to their end */
void say_stage_name(struct strbuf *out, const struct view *view); /* what the stage shown is about; nothing where that is not known */
void say_knob(struct strbuf *out, const struct scene_step *step, const struct scene_knob *knob);
void say_knobs(struct strbuf *out, const struct scene_step *step);
/* A program, line by line as it stands; `spoken` (from 1, or 0) is pointed out. */
void say_code(struct strbuf *out, const char *title, const char *text, uint32_t spoken);

#endif
