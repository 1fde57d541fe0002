/* What no norm can beat: the same bytes moved and nothing computed. */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include <stddef.h>

enum { PLAIN_WAYS = 4 };

/* Way `way` of y = x, or of z = x + y (a triad). False: this processor has no such way. */
int plain_copy(int way, float *y, const float *x, size_t n);
int plain_triad(int way, float *z, const float *x, const float *y, size_t n);

#endif
