/* What operations hand over to be recorded: each the last step of its operation, as record_result says.
   Private to tensor/. */
#ifndef TENSOR_BACKWARD_H
#define TENSOR_BACKWARD_H

#include "tensor/record.h"

int record_binary(struct tensor **out, struct tensor *y, enum tensor_binary op, const struct tensor *a,
                  const struct tensor *b, struct error *err);
int record_number(struct tensor **out, struct tensor *y, enum tensor_binary op, const struct tensor *x,
                  double number, bool number_first, struct error *err);
int record_unary(struct tensor **out, struct tensor *y, enum tensor_unary op, const struct tensor *x,
                 struct error *err);
int record_reduce(struct tensor **out, struct tensor *y, enum tensor_reduction op, const struct tensor *x,
                  tensor_axes axes, struct error *err);
/* x's elements in the same order: copies, casts, other shapes (`view`: on x's own storage). */
int record_same(struct tensor **out, struct tensor *y, const struct tensor *x, bool view, struct error *err);
int record_at(struct tensor **out, struct tensor *y, const struct tensor *x, size_t index, struct error *err);
int record_transpose(struct tensor **out, struct tensor *y, const struct tensor *x, int first, int second,
                     struct error *err);
int record_stack(struct tensor **out, struct tensor *y, const struct tensor *const *parts, size_t count,
                 struct error *err);
/* y has `part`, or numbers where that is NULL, where x had others: `count` elements from `first` on. */
int record_with(struct tensor **out, struct tensor *y, const struct tensor *x, const struct tensor *part,
                size_t first, size_t count, struct error *err);
int record_dropout(struct tensor **out, struct tensor *y, const struct tensor *x, const struct tensor *mask,
                   double rate, struct error *err);
/* The result and its statistics, all of which depend on x. On failure all are freed. */
int record_norm(struct tensor_norm *out, struct tensor_norm *made, bool layer, const struct tensor *x,
                const struct tensor_norm_options *options, struct error *err);

/* The result of a norm by given statistics, one of each row. */
int record_norm_given(struct tensor **out, struct tensor *y, const struct tensor *x,
                      const struct tensor *mean, const struct tensor *var,
                      const struct tensor_norm_options *options, struct error *err);

/* Strides by which a contiguous tensor of these extents is read as the shape that it broadcasts to. */
void spread_strides(ptrdiff_t strides[TENSOR_RANK_MAX], int rank, const size_t *extents, int to_rank);

#endif
