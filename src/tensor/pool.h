/* Independent parts of one computation, shared out among threads. A part's result does not depend on the lane
   that computes it, nor on how many lanes there are. Private to tensor/. */
#ifndef TENSOR_POOL_H
#define TENSOR_POOL_H

#include <stddef.h>

enum { POOL_PART_ELEMENTS = 1 << 13 /* a part of fewer is not worth handing over */ };

/* How many lanes work on so many elements in so many parts; at least 1. A lane is one thread at a time: what
   parts need to work in is made beforehand, one for each lane. */
size_t pool_lanes(size_t elements, size_t parts);

/* Calls `part` for 0 … parts - 1, in any order, lanes at once; returns when all are done. On pool threads
   parts must not allocate. */
typedef void pool_part(void *context, size_t lane, size_t part);
void pool_run(size_t parts, size_t lanes, pool_part *part, void *context);

#endif
