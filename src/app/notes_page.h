/* The parts of the learner's notes, each a text in Markdown. */
#ifndef APP_NOTES_PAGE_H
#define APP_NOTES_PAGE_H

#include "app/rows.h"
#include "base/strbuf.h"

void notes_add_course(struct strbuf *out, const struct course *course, const struct rows *rows, int64_t now);
void notes_add_lesson(struct strbuf *out, const struct course_row *row, const char *trouble); /* trouble: why it cannot be shown, or "" */
void notes_add_remember(struct strbuf *out, const struct scene_lesson *lesson);
void notes_add_heading(struct strbuf *out, const char *title);

/* The question with one set of numbers; step NULL: its words are not to be had, `trouble` says why. */
void notes_add_question(struct strbuf *out, const struct store_given *given, bool again, const struct scene_step *step, const char *trouble);
/* One answer to it; `first`: with these numbers; `program`: with the text of one. */
void notes_add_answer(struct strbuf *out, const struct store_given *given, enum step_kind kind, const struct scene_question *question,
                      bool first, bool program);
/* What ends it: the answer, unless `right`, and why. */
void notes_add_end(struct strbuf *out, const struct scene_question *question, bool right);

#endif
