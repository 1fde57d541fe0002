/* How two shapes become one. Private to tensor/. */
#ifndef TENSOR_BROADCAST_H
#define TENSOR_BROADCAST_H

#include "tensor/layout.h"

/* The new tensor for what a and b broadcast to, with its axis names. `before`, `between`: the words for an
   impossible pair, "cannot add (2,3,3) to (2,3,4): …". `swap`: b is spoken of first. */
struct broadcast_words {
    const char *before, *between;
    bool swap;
};
int broadcast_new(struct tensor **out, const struct tensor *a, const struct tensor *b,
                  const struct broadcast_words *words, struct error *err);

/* x's strides when it is read as that shape; -1 with words when it would have to be enlarged to fit.
   `role` is what the error calls x. */
int broadcast_into(ptrdiff_t strides[TENSOR_RANK_MAX], const struct tensor *x, const struct tensor *shape,
                   const char *role, struct error *err);

/* x's strides when it is read as a shape that it broadcasts to. */
void broadcast_strides(ptrdiff_t strides[TENSOR_RANK_MAX], const struct tensor *x, int rank);

#endif
