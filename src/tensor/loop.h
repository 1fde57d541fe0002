/* A nest of loops over the elements of up to LOOP_TENSORS tensors: axes of extent 1 are left out, and neighbours that
   run on in memory are merged, so that the innermost run is as long as can be. Private to tensor/. */
#ifndef TENSOR_LOOP_H
#define TENSOR_LOOP_H

#include "tensor/tensor.h"

enum { LOOP_TENSORS = 4 };
struct loop {
    int rank;
    size_t count; /* of positions; 1 at rank 0 */
    size_t extent[TENSOR_RANK_MAX];
    ptrdiff_t stride[TENSOR_RANK_MAX][LOOP_TENSORS]; /* of each tensor; a stride of 0 repeats */
};

/* Where a walk through the nest's runs stands; all zeros at its start. */
struct loop_place {
    size_t index[TENSOR_RANK_MAX];
    ptrdiff_t offset[LOOP_TENSORS];
};

void loop_begin(struct loop *loop);
/* One more axis, inside the others. */
void loop_add(struct loop *loop, size_t extent, ptrdiff_t stride0, ptrdiff_t stride1);
void loop_add_all(struct loop *loop, size_t extent, const ptrdiff_t strides[LOOP_TENSORS]);
/* All axes of one tensor. */
void loop_over(struct loop *loop, int rank, const size_t *extents, const ptrdiff_t *strides);
size_t loop_run(const struct loop *loop); /* length of the innermost run */
ptrdiff_t loop_run_stride(const struct loop *loop, int tensor);
/* To the next run; false after the last. */
bool loop_next(const struct loop *loop, struct loop_place *place);
/* Calls `visit` for stretches that are together all of the nest, each within one run: `position` in row-major
   order, the offset of each tensor there, and the length. On several threads when there are many elements. */
typedef void loop_visit(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n);
void loop_each(const struct loop *loop, loop_visit *visit, void *context);
/* The same on the caller's thread, in order. */
void loop_in_order(const struct loop *loop, loop_visit *visit, void *context);
/* Where a position in row-major order is. */
ptrdiff_t loop_offset(const struct loop *loop, size_t position, int tensor);

#endif
