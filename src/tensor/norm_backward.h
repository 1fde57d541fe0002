/* The way back of a norm, as the record asks for it. Private to tensor/. */
#ifndef TENSOR_NORM_BACKWARD_H
#define TENSOR_NORM_BACKWARD_H

#include "tensor/layout.h"

enum { NORM_DX = 1, NORM_DSCALE = 2, NORM_DBIAS = 4 };

/* Of each row, where they do not come from x. */
struct norm_given {
    const float *mean, *var;
};

/* Those gradients that are wanted; of float32 tensors, dy in x's shape, scale and bias as the norm took them.
   `more`: what is added to dx, one number an element, in order; or NULL. */
int norm_backward(struct tensor_norm_gradients *out, bool layer, const struct tensor *dy,
                  const struct tensor *x, const struct tensor_norm_options *options,
                  const struct norm_given *given /* or NULL */, const float *more, unsigned wanted,
                  struct error *err);
/* The same of a norm that kernel_takes(); dy is contiguous. */
int norm_backward_rows(struct tensor_norm_gradients *out, const struct norm_rows *job, const struct tensor *dy,
                       const struct tensor *x, const struct tensor_norm_options *options, const float *more,
                       unsigned wanted, struct error *err);

#endif
