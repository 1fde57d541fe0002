/* Norms that the float32 path does not compute: of halves, and step by step. Private to tensor/. */
#ifndef TENSOR_NORM_TYPED_H
#define TENSOR_NORM_TYPED_H

#include "tensor/layout.h"

/* Whether these are such. */
bool norm_is_typed(const struct tensor *x, const struct tensor_norm_options *options);
/* rms_norm, or layer_norm; x and the options have been checked, but for scale and bias. */
int norm_typed(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
               bool rms, struct error *err);

#endif
