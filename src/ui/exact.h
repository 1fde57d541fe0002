/* Numbers with all their digits. */
#ifndef UI_EXACT_H
#define UI_EXACT_H

#include "base/strbuf.h"
#include "scene/scene.h"

/* The fewest digits that mean this number and no other, float32 where it is one; and, where that is not all of it, the whole:
   "0.1, exactly 0.100000001490116119384765625". */
void exact_number(struct strbuf *out, double value);

size_t exact_count(const struct view *view); /* open numbers under the cursor, in all parts; view NULL: 0 */
/* "x2, normalized: …" of the n-th of them, from 0. */
void exact_say(struct strbuf *out, const struct view *view, size_t n);

#endif
