/* What the norms share. Private to tensor/. */
#ifndef TENSOR_NORM_H
#define TENSOR_NORM_H

#include "tensor/layout.h"

/* What every norm asks of its axes and eps. */
int norm_check(const struct tensor *x, const struct tensor_norm_options *options, struct error *err);
/* Tensors for the results, of their types; the elements are not set yet. On failure there are none. */
int norm_results_new(struct tensor_norm *results, const struct tensor *x, const struct tensor_norm_options *options,
                     bool layer, struct error *err);
void norm_results_free(struct tensor_norm *results);

#endif
