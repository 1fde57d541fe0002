/* How words are parsed, whatever is made of them. */
#ifndef UI_MARKDOWN_PARSE_H
#define UI_MARKDOWN_PARSE_H

#include <md4c.h>
#include <stdbool.h>

enum { MARKDOWN_MAX = 1 << 20 }; /* bytes of words */

/* Calls the callbacks with `data`: tables are known, HTML is not. False: too many words, a callback refused, or memory is out. */
bool markdown_parse(const char *words, MD_PARSER callbacks, void *data);

#endif
