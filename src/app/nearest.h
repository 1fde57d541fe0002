/* "Did you mean": the known name that is nearest to a mistyped one. */
#ifndef APP_NEAREST_H
#define APP_NEAREST_H

#include <stddef.h>

/* Offers one known name after the other; `best` is the nearest that is near enough, or NULL (borrowed from the caller). */
struct nearest {
    const char *wanted, *best;
    size_t distance;
};

void nearest_offer(struct nearest *nearest, const char *known);

#endif
