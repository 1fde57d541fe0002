/* How a tensor lies in memory. Private to tensor/. */
#ifndef TENSOR_LAYOUT_H
#define TENSOR_LAYOUT_H

#include "tensor/tensor.h"

/* What a tensor and its views share. Counted without atomics: tensors that share storage belong to
   one thread. */
struct storage {
    const struct tensor_memory *memory;
    size_t references, bytes; /* bytes: of this block */
    bool recorded;            /* a record was made with its values: they must not change any more */
    float values[];           /* or halves */
};

struct tensor {
    struct storage *storage;
    float *values;    /* the first element; NULL in a tensor of halves … */
    uint16_t *halves; /* … whose first element is here */
    enum tensor_type type;
    int rank;
    size_t count;
    size_t extent[TENSOR_RANK_MAX];
    ptrdiff_t stride[TENSOR_RANK_MAX]; /* in elements */
    char name[TENSOR_RANK_MAX][TENSOR_AXIS_NAME_MAX];
    struct node *node; /* what made it (record.h); NULL: it is not tracked */
};

/* A contiguous tensor with x's memory, type, rank and axis names. Its elements are not set yet. */
int tensor_like(struct tensor **out, const struct tensor *x, const size_t *extents, struct error *err);
/* The same with any rank and names. */
int tensor_like_named(struct tensor **out, const struct tensor *x, int rank, const size_t *extents,
                      const char *const *names, struct error *err);
/* The same of any type. */
int tensor_like_typed(struct tensor **out, const struct tensor *x, enum tensor_type type, int rank,
                      const size_t *extents, const char *const *names, struct error *err);
/* Another tensor on x's storage, for the caller to narrow. */
int tensor_view(struct tensor **out, const struct tensor *x, struct error *err);
bool tensor_is_contiguous(const struct tensor *x);

/* The type of what comes of two. */
enum tensor_type type_promote(enum tensor_type a, enum tensor_type b);
/* For functions that read float32 alone: x itself, or a copy of halves. type_widened frees the copy; `wide` may
   be NULL. */
int type_widen(const struct tensor **wide, const struct tensor *x, struct error *err);
void type_widened(const struct tensor *wide, const struct tensor *x);
/* The result of such a function becomes one of that type; on failure it is freed. Beside what is computed in
   double this is a second rounding. */
int type_narrow(struct tensor **y, enum tensor_type type, struct error *err);

/* Working memory from where x's comes from; given back with the same size. */
float *scratch_new(const struct tensor *x, size_t count, struct error *err);
void scratch_free(const struct tensor *x, float *scratch, size_t count);

/* Writes the names into x, whose shape stands; NULL: those that axes have when nobody names them. */
int tensor_name_axes(struct tensor *x, const char *const *names, struct error *err);
void axis_default_name(char name[TENSOR_AXIS_NAME_MAX], int rank, int axis);
/* -1 with words when the set holds axes that x has not. */
int axes_check(const struct tensor *x, tensor_axes axes, struct error *err);
/* x's extents, those of the set's axes made 1. */
void axes_reduce(size_t extents[TENSOR_RANK_MAX], const struct tensor *x, tensor_axes axes);
/* "(2,3,4)", as errors write it. Returns buffer. */
char *shape_compact(char buffer[TENSOR_SHAPE_TEXT], int rank, const size_t *extents);

#endif
