/* What the parts of a program in Lua are, for its colours. They carry no meaning: a text half typed is read as far as it goes. */
#ifndef UI_HIGHLIGHT_H
#define UI_HIGHLIGHT_H

#include <stddef.h>
#include <stdint.h>

/* One of enum style for each byte. */
void highlight_lua(uint8_t *styles, const char *text, size_t length);

#endif
