/* Between read_answer.c and answer_line.c. */
#ifndef ENGINE_ANSWER_LINE_H
#define ENGINE_ANSWER_LINE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"

int answer_line(struct strbuf *out, const char *text, struct error *err); /* minus signs, blanks, roots … as ASCII has them */
const char *answer_comma(const char *text); /* the first comma between two digits, or NULL */
bool answer_mixed(const char *text);        /* are there such commas, and others that part numbers? */
bool answer_parted(const char *text);       /* are there numbers parted by blanks or semicolons? */
int answer_ask_comma(const char *text, const char *comma, bool many, struct error *err); /* -1, with a question in words */

#endif
