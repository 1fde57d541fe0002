/* The compute core: float32 tensors with shape, strides and named axes, and what is computed on them.
   Plain C11; no Lua, no files, no terminal. This is the whole public interface of build/libtensor.a.

   Every function that can fail returns 0, or -1 with words in `err`; on failure `*out` is untouched.
   Results are new tensors that the caller frees. Tensors share storage where one is a view of another, and
   then belong to one thread. Axes are written in memory order, the last one contiguous: (batch, token,
   feature). Indices and extents here count from 0; whatever a person reads counts elements from 1. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { TENSOR_RANK_MAX = 8, TENSOR_AXIS_NAME_MAX = 24 /* bytes, with the NUL */, TENSOR_SHAPE_TEXT = 256 };

/* Where all of a tensor's memory comes from: its header, its elements and what functions need while they work
   on it; results get theirs where their first operand did. `resize` is realloc with the old size told: block
   NULL makes, new_size 0 frees. NULL for the whole pointer means malloc. A tensor keeps the pointer: it must
   outlive the tensor. */
struct tensor_memory {
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
};

struct tensor;

/* Making. `names` may be NULL: the last axes of (batch, token, feature), a rank above 3 gets axis1, axis2 …
   in front of them. A repeated, empty or too long name, a rank above TENSOR_RANK_MAX and a size that
   overflows are errors. An extent of 0 is allowed (an empty tensor). Elements start at 0. */
int tensor_new(struct tensor **out, const struct tensor_memory *memory, int rank, const size_t *extents,
               const char *const *names, struct error *err);
/* One number, of rank 0. */
int tensor_scalar(struct tensor **out, const struct tensor_memory *memory, float value, struct error *err);
/* Contiguous. */
int tensor_copy(struct tensor **out, const struct tensor *x, struct error *err);
/* A view with other names. */
int tensor_rename(struct tensor **out, const struct tensor *x, const char *const *names, struct error *err);
/* A view of x[index] on the first axis. */
int tensor_at(struct tensor **out, const struct tensor *x, size_t index, struct error *err);
/* Tensors of one shape along a new first axis, which gets the name it would have by default, or if x has that
   already the first free one of axis1, axis2 … */
int tensor_stack(struct tensor **out, const struct tensor *const *parts, size_t count, struct error *err);
void tensor_free(struct tensor *x); /* NULL is allowed */

/* Looking. */
int tensor_rank(const struct tensor *x);
size_t tensor_extent(const struct tensor *x, int axis);
ptrdiff_t tensor_stride(const struct tensor *x, int axis);           /* in elements */
const char *tensor_axis_name(const struct tensor *x, int axis);      /* borrowed */
int tensor_find_axis(const struct tensor *x, const char *name);      /* -1: no such axis */
size_t tensor_count(const struct tensor *x);                         /* of elements; 1 at rank 0 */
float tensor_get(const struct tensor *x, const size_t *index);       /* within extents: the caller checks */
void tensor_set(struct tensor *x, const size_t *index, float value); /* writes through views */
float tensor_get_flat(const struct tensor *x, size_t position);      /* in row-major order */
void tensor_set_flat(struct tensor *x, size_t position, float value);
bool tensor_same_shape(const struct tensor *a, const struct tensor *b); /* extents only */
/* "(2, 3, 4)", "()" at rank 0, "(3,)" at rank 1 as in Python. Returns buffer. */
char *tensor_shape_text(const struct tensor *x, char buffer[TENSOR_SHAPE_TEXT]);

/* Element by element. Broadcasting is NumPy's: shapes are aligned at the last axis, extents are equal or one
   of them is 1. Two named axes that are aligned but bear different names take the left one's, unless that
   would use a name twice: then the right one's. An impossible pair is an error such as "cannot add (2,3,3) to
   (2,3,4): feature is 3, not 4". NaN and infinity follow IEEE 754; the maximum and the minimum of NaN and a
   number are NaN. */
enum tensor_binary {
    TENSOR_ADD,
    TENSOR_SUB,
    TENSOR_MUL,
    TENSOR_DIV,
    TENSOR_POW,
    TENSOR_MAXIMUM,
    TENSOR_MINIMUM
};
enum tensor_unary { TENSOR_NEG, TENSOR_SQRT, TENSOR_EXP, TENSOR_LOG, TENSOR_TANH, TENSOR_ABS };
int tensor_binary(struct tensor **out, enum tensor_binary op, const struct tensor *a, const struct tensor *b,
                  struct error *err);
/* The same with a number, kept in double until the result is rounded; `number_first`: number op x. */
int tensor_binary_number(struct tensor **out, enum tensor_binary op, const struct tensor *x, double number,
                         bool number_first, struct error *err);
int tensor_unary(struct tensor **out, enum tensor_unary op, const struct tensor *x, struct error *err);
/* The shape that two shapes broadcast to; false when they do not. */
bool tensor_broadcast_shape(size_t extents[TENSOR_RANK_MAX], int *rank, int a_rank, const size_t *a,
                            int b_rank, const size_t *b);

/* Sets of axes, a bit an axis (bit 0: the first). */
typedef uint32_t tensor_axes;
tensor_axes tensor_all_axes(const struct tensor *x);
/* One more axis into the set, by name or counted from the end as PyTorch's dim (-1: the last). A count from
   the front (0, 1, …) is an error that names the axis meant; an unknown name is an error that lists the axes
   there are; an axis that the set has already is an error. */
int tensor_axes_add_name(tensor_axes *axes, const struct tensor *x, const char *name, struct error *err);
int tensor_axes_add_index(tensor_axes *axes, const struct tensor *x, long index, struct error *err);

/* Reductions keep each reduced axis at extent 1. Sums are taken in double, the variance in two passes. `var`
   is biased (divides by n), `var_unbiased` divides by n - 1 (n = 1: NaN). Over no elements: sum 0, mean and
   var NaN, max and min an error. NaN among the elements gives NaN. */
enum tensor_reduction {
    TENSOR_SUM,
    TENSOR_MEAN,
    TENSOR_VAR,
    TENSOR_VAR_UNBIASED,
    TENSOR_STD,
    TENSOR_STD_UNBIASED,
    TENSOR_MAX,
    TENSOR_MIN
};
int tensor_reduce(struct tensor **out, enum tensor_reduction op, const struct tensor *x, tensor_axes axes,
                  struct error *err);
/* Over all axes, not rounded to float32. */
int tensor_reduce_all(double *out, enum tensor_reduction op, const struct tensor *x, struct error *err);

/* Normalization over any non-empty set of axes. The statistics keep those axes at extent 1.
     layer_norm: y = (x - mean) * rstd * scale + bias, var biased, rstd = 1/sqrt(var + eps)
                 (Ba, Kiros, Hinton 2016)
     rms_norm:   y = x * rstd * scale + bias, rstd = 1/sqrt(mean(x^2) + eps)  (Zhang, Sennrich 2019)

   scale and bias: NULL, or tensors that broadcast to x without enlarging it. eps must not be negative or NaN;
   eps = 0 is allowed, and a constant row is then 0/0 = NaN on purpose. A constant row with eps > 0 gives
   exactly the bias. NaN or infinity in a row makes that row NaN and no other. All is computed in double, so
   that no mean and no size of x costs accuracy, and rounded once; a statistic that no float32 holds is
   returned as infinity or 0. */
struct tensor_norm_options {
    tensor_axes axes;
    double eps;
    const struct tensor *scale, *bias;
};
struct tensor_norm {
    /* The caller frees each. rms_norm's mean is NULL and its var holds mean(x^2). */
    struct tensor *y, *mean, *var, *rstd;
};
int layer_norm(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
               struct error *err);
int rms_norm(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
             struct error *err);

/* Inverted dropout (Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov 2014; scaled while training, as
   PyTorch does): an element is kept where its number in `random` is not below `rate`, so that on the same
   numbers a higher rate drops what a lower one drops, and more. y = x * mask / (1 - rate), computed in double
   and rounded once: NaN and infinity stay NaN when they are dropped. mask: 1 kept, 0 dropped. `random` has x's
   very shape and holds numbers from 0 to 1; 0 <= rate < 1. */
struct tensor_dropout {
    struct tensor *y, *mask; /* the caller frees both */
};
int tensor_dropout(struct tensor_dropout *out, const struct tensor *x, const struct tensor *random,
                   double rate, struct error *err);

/* Random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011), a counter-based generator, so that the
   same key and stream give the same bits on every machine. Normals use no libm. */
struct random_stream {
    uint32_t key[2], stream[2];
    uint64_t counter;
    uint32_t block[4];
    unsigned used; /* of block; 4: draw the next */
};
void philox4x32_10(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);
void random_start(struct random_stream *random, uint64_t key, uint64_t stream);
uint32_t random_bits(struct random_stream *random);
double random_uniform(struct random_stream *random); /* [0, 1), 53 bits */
double random_normal(struct random_stream *random);  /* mean 0, deviation 1 */
/* Both ends included, without bias; from <= to. */
int64_t random_integer(struct random_stream *random, int64_t from, int64_t to);

/* Threads. Until they are started, and again once they are stopped, all is computed on the caller's thread;
   results are the same bits either way. Start and stop are for one thread, while nothing is computed. `count`
   includes the caller; 0: as many as the process may use processors, at most 8. Idle threads sleep, all have
   every signal blocked, and a forked child begins without them. Start returns when each one runs: from then on
   they need no system call but futex, and to be stopped madvise and exit. On failure there are none. */
enum { TENSOR_THREADS_MAX = 64 };
int tensor_threads_start(int count, struct error *err);
void tensor_threads_stop(void);

/* One line for a bug report: which arithmetic path the processor gets, "plain C" until there are several. */
const char *tensor_processor_path(void);

#endif
