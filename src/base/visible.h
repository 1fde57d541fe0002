/* Control bytes made visible, so that no lesson, learner or file can steer the terminal. */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/strbuf.h"

/* Decodes one code point; returns the bytes it took (at least 1 while length > 0); malformed bytes give U+FFFD. */
size_t utf8_decode(const char *text, size_t length, uint32_t *rune);
size_t utf8_encode(char out[4], uint32_t rune);
int utf8_width(uint32_t rune); /* columns: 0, 1 or 2; locale-independent */
/* What to show for C0, C1, DEL and bidirectional controls (␛, ␇, …); the rune itself otherwise. */
uint32_t visible_rune(uint32_t rune);
/* Appends `text` with such runes replaced; newlines and tabs stay when `lines`. */
void visible_add(struct strbuf *out, const char *text, bool lines);

#endif
