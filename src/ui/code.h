/* The lines of a program, as listings number them. */
#ifndef UI_CODE_H
#define UI_CODE_H

#include <stdbool.h>

#include "base/strbuf.h"

enum { CODE_MARK_COLUMNS = 2 /* before a line's number */ };

/* The next line, its tabs as blanks; false: no more. */
bool code_next(const char **at, struct strbuf *line);
int code_lines(const char *text);
int code_margin(const char *text); /* columns before the lines: mark and number */

#endif
