/* The compute core: tensors with shape, strides and named axes, and what is computed on them.
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

/* What an element is kept as. float16 has 5 bits of exponent and 10 of fraction, bfloat16 8 and 7. No tensor
   is kept in float64: it is for computing. Zero is float32, the type of every tensor that says no other. */
enum tensor_type { TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_BFLOAT16, TENSOR_FLOAT64 };

/* Making. `names` may be NULL: the last axes of (batch, token, feature), a rank above 3 gets axis1, axis2 …
   in front of them. A repeated, empty or too long name, a rank above TENSOR_RANK_MAX and a size that
   overflows are errors. An extent of 0 is allowed (an empty tensor). Elements start at 0. */
int tensor_new(struct tensor **out, const struct tensor_memory *memory, int rank, const size_t *extents,
               const char *const *names, struct error *err);
/* The same of any type but float64. */
int tensor_new_typed(struct tensor **out, const struct tensor_memory *memory, enum tensor_type type, int rank,
                     const size_t *extents, const char *const *names, struct error *err);
/* One number, of rank 0. */
int tensor_scalar(struct tensor **out, const struct tensor_memory *memory, float value, struct error *err);
/* Contiguous, of x's type. */
int tensor_copy(struct tensor **out, const struct tensor *x, struct error *err);
/* A view with other names. */
int tensor_rename(struct tensor **out, const struct tensor *x, const char *const *names, struct error *err);
/* A view of x[index] on the first axis. */
int tensor_at(struct tensor **out, const struct tensor *x, size_t index, struct error *err);
/* Tensors of one shape along a new first axis, which gets the name it would have by default, or if x has that
   already the first free one of axis1, axis2 … Types promote as in arithmetic. */
int tensor_stack(struct tensor **out, const struct tensor *const *parts, size_t count, struct error *err);
void tensor_free(struct tensor *x); /* NULL is allowed */

/* Looking. */
int tensor_rank(const struct tensor *x);
size_t tensor_extent(const struct tensor *x, int axis);
ptrdiff_t tensor_stride(const struct tensor *x, int axis);            /* in elements */
const char *tensor_axis_name(const struct tensor *x, int axis);       /* borrowed */
int tensor_find_axis(const struct tensor *x, const char *name);       /* -1: no such axis */
size_t tensor_count(const struct tensor *x);                          /* of elements; 1 at rank 0 */
float tensor_get(const struct tensor *x, const size_t *index);        /* within extents: the caller checks */
void tensor_set(struct tensor *x, const size_t *index, double value); /* rounded once; through views */
float tensor_get_flat(const struct tensor *x, size_t position);       /* in row-major order */
void tensor_set_flat(struct tensor *x, size_t position, double value);
bool tensor_same_shape(const struct tensor *a, const struct tensor *b); /* extents only */
/* "(2, 3, 4)", "()" at rank 0, "(3,)" at rank 1 as in Python. Returns buffer. */
char *tensor_shape_text(const struct tensor *x, char buffer[TENSOR_SHAPE_TEXT]);

/* Types. A number becomes a half by one rounding: to the nearest, ties to even, with subnormals; what is too
   large becomes infinity, a zero keeps its sign, NaN stays NaN (sign and the upper bits of its payload kept, and
   quiet). An operation on halves takes exact values, computes what it computes on float32 in double, and
   rounds the result once, from the double. The result has the operands' type; where they differ it is float32.
   A number beside a tensor does not count. */
enum tensor_type tensor_type(const struct tensor *x);
const char *tensor_type_name(enum tensor_type type); /* "float32", … */
/* An error that lists the types when there is none of that name. */
int tensor_type_find(enum tensor_type *out, const char *name, struct error *err);
/* A contiguous copy of another type, or of the same. */
int tensor_cast(struct tensor **out, const struct tensor *x, enum tensor_type type, struct error *err);
/* The nearest number of that type, rounded as said above. */
double tensor_round(double value, enum tensor_type type);

/* The array that a .npy file holds, from the file's bytes: versions 1 to 3, both orders of bytes and of axes, the
   types f2, f4, f8, i1 to i8, u1 to u8 and b1 (True is 1). f2 is kept as float16; all else becomes float32: a
   number of f8 and an integer beyond 24 bits is rounded to the nearest, one beyond float32 to infinity. Axes have
   their default names. An error reads on from "the file is …": "cut short: …", "of type <c8: …", "no .npy file". */
int tensor_from_npy(struct tensor **out, const struct tensor_memory *memory, const void *bytes, size_t size,
                    struct error *err);

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
enum tensor_unary {
    TENSOR_NEG,
    TENSOR_SQRT,
    TENSOR_EXP,
    TENSOR_LOG,
    TENSOR_TANH,
    TENSOR_ABS,
    TENSOR_GELU,      /* x * P(X <= x) for a standard normal X (Hendrycks, Gimpel 2016) */
    TENSOR_GELU_TANH, /* their approximation: x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))) */
    TENSOR_RELU,      /* max(x, 0) */
    TENSOR_SILU       /* x / (1 + e^-x) (Elfwing, Uchibe, Doya 2017) */
};
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

/* Arithmetic step by step, to show what a narrow type really does. Elements, counts and eps are rounded to `type`
   first; then every sum, difference, product, quotient and root is, with no fused multiply-add, in row-major
   order into one running sum. So 4096 ones in float16 come to 2048, since 2048 + 1 is 2048 there. The variance:
     two-pass  mean((x - mean)^2)
     one-pass  mean(x^2) - mean(x)^2, which may come out negative, and its root NaN; unbiased, times n / (n - 1)
     Welford   mean += (x - mean) / k, squares += (x - mean before) * (x - mean after)  (Welford 1962)
   Its gradient is that of the formula, as if nothing had been rounded. */
enum tensor_method { TENSOR_TWO_PASS, TENSOR_ONE_PASS, TENSOR_WELFORD };
struct tensor_steps {
    enum tensor_type type;
    enum tensor_method method; /* of variance; sum and mean ask for none */
};
/* The result has x's type. The extremes add nothing up: an error. */
int tensor_reduce_steps(struct tensor **out, enum tensor_reduction op, const struct tensor *x, tensor_axes axes,
                        const struct tensor_steps *steps, struct error *err);
int tensor_reduce_all_steps(double *out, enum tensor_reduction op, const struct tensor *x,
                            const struct tensor_steps *steps, struct error *err);

/* Normalization over any non-empty set of axes. The statistics keep those axes at extent 1.
     layer_norm: y = (x - mean) * rstd * scale + bias, var biased, rstd = 1/sqrt(var + eps)
                 (Ba, Kiros, Hinton 2016)
     rms_norm:   y = x * rstd * scale + bias, rstd = 1/sqrt(mean(x^2) + eps)  (Zhang, Sennrich 2019)

   scale and bias: NULL, or tensors that broadcast to x without enlarging it. eps must not be negative or NaN;
   eps = 0 is allowed, and a constant row is then 0/0 = NaN on purpose. A constant row with eps > 0 gives
   exactly the bias. NaN or infinity in a row makes that row NaN and no other. All is computed in double, so
   that no mean and no size of x costs accuracy, and rounded once; a statistic that no float32 holds is
   returned as infinity or 0. The statistics are float32 whatever x is; y's type is x's, or what it, scale and
   bias promote to. With `steps` all is computed in that arithmetic instead, and whatever it gives is returned:
   there [300, 100, -200, 50] has the RMS norm 0 in float16, whose 300^2 is infinite.
   Beside its results a norm of contiguous float32 rows takes no memory while it works; one of halves or over other
   axes than the last has room for up to 16 rows, at most 2 MiB unless two rows are longer, on each thread. For a
   thousand rows of a thousand elements that is at most 128 KiB, and for their gradients 64 KiB. */
struct tensor_norm_options {
    tensor_axes axes;
    double eps;
    const struct tensor *scale, *bias;
    const struct tensor_steps *steps; /* NULL: none */
};
struct tensor_norm {
    /* The caller frees each. rms_norm's mean is NULL and its var holds mean(x^2). */
    struct tensor *y, *mean, *var, *rstd;
};
int layer_norm(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
               struct error *err);
int rms_norm(struct tensor_norm *out, const struct tensor *x, const struct tensor_norm_options *options,
             struct error *err);

/* A residual add fused with the norm: sum = x + update as tensor_binary gives it, and the norm of that, to the bit
   what the two give one after the other, but for large tensors with one pass over memory less. update has x's
   shape, or one that broadcasts to it without enlarging it. */
struct tensor_add_norm {
    struct tensor *sum; /* the caller frees it too */
    struct tensor_norm norm;
};
int add_layer_norm(struct tensor_add_norm *out, const struct tensor *x, const struct tensor *update,
                   const struct tensor_norm_options *options, struct error *err);
int add_rms_norm(struct tensor_add_norm *out, const struct tensor *x, const struct tensor *update,
                 const struct tensor_norm_options *options, struct error *err);

/* The same norms on plain memory, as fast as it allows: rows of contiguous float32, one behind the other. What
   is the same there as above, accuracy included, is not said again. A row's result has the same bits alone or among others, with any number of threads, on every processor. Nothing
   overlaps but what is said to. */
struct norm_rows {
    bool rms; /* rms_norm, else layer_norm */
    size_t rows, features;
    double eps;
    const float *x, *residual; /* residual or NULL: what is normalized is x + residual, written to `sum` */
    const float *scale, *bias; /* of `features`, or NULL */
    float *y, *sum;            /* y may be x, or NULL: statistics alone; sum may be x or residual */
    float *mean, *var, *rstd;  /* one a row, each may be NULL */
    float *kept;               /* three a row for the way back, or NULL */
};
void norm_rows_forward(const struct norm_rows *job);

/* dx = rstd * (g - mean(g) - z * mean(g * z)) + dsum, with g = dy * scale and z = x normalized; rms_norm has no
   mean(g). dscale and dbias are sums over rows, in chunks of rows whatever the number of threads. */
struct norm_rows_backward {
    bool rms;
    size_t rows, features;
    double eps;
    const float *dy, *x; /* x: what was normalized, so `sum` where there was a residual */
    const float *scale;  /* or NULL */
    const float *dsum;   /* or NULL: the gradient that comes to `sum` by other ways */
    const float *kept;   /* as norm_rows_forward left it */
    float *dx;
    float *dscale, *dbias; /* NULL: not wanted */
    float *scratch;        /* norm_rows_scratch() elements; NULL when neither is wanted */
};
size_t norm_rows_scratch(size_t rows, size_t features);
void norm_rows_backward(const struct norm_rows_backward *job);

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

/* Gradients, by reverse mode. A tensor that is tracked is what one may ask for: a leaf after tensor_track, and
   whatever an operation above or below makes of a tracked one. Such an operation records itself: it keeps alive
   what its way back needs, until the last tensor that depends on it is freed. Where no operand is tracked nothing
   is recorded and nothing costs more. The way back is computed in double, as the way there; a gradient is
   float32, whatever its input's type, and rounded at each operation. Beside gradients it takes at most 8 bytes
   for each element of an operation's operands, and 40 for each row of a norm or softmax.

   NaN and infinity follow the formulas. At a kink: |x| and relu(x) have the slope 0 at 0; of a maximum or minimum
   of equals each gets an equal share; a deviation of 0 gives 0; a power of 0 has the slope 0, and so has 0 to a
   power that is not negative, in its exponent. These are PyTorch's choices. */
int tensor_track(struct tensor *x, struct error *err);
bool tensor_tracked(const struct tensor *x);
/* A view that is not tracked. */
int tensor_detach(struct tensor **out, const struct tensor *x, struct error *err);
/* Whether a record was made with x's elements, or those of a view of it: who changes them (tensor_set) makes
   gradients wrong. */
bool tensor_recorded(const struct tensor *x);
/* The gradients of the loss, a tensor of one element, with respect to `count` inputs, of their shapes and axis
   names; zeros where the loss does not depend on an input, or the input is not tracked. They are not tracked
   themselves. Time and memory are linear in what was recorded, on no deeper stack; what comes to a tensor by
   several ways is added in an order that the record alone decides. On failure no out[i] is to be freed, but may
   have been set to NULL. */
int tensor_grad(struct tensor *out[], const struct tensor *loss, const struct tensor *const inputs[], size_t count,
                struct error *err);
/* The gradients of a norm alone, as float32, out of dy, that of its result, and of what the norm was given; NULL
   where there was no scale or bias. The caller frees each. */
struct tensor_norm_gradients {
    struct tensor *dx, *dscale, *dbias;
};
int layer_norm_backward(struct tensor_norm_gradients *out, const struct tensor *dy, const struct tensor *x,
                        const struct tensor_norm_options *options, struct error *err);
int rms_norm_backward(struct tensor_norm_gradients *out, const struct tensor *dy, const struct tensor *x,
                      const struct tensor_norm_options *options, struct error *err);

/* Rearranging. A view of x with two axes exchanged, names and all. */
int tensor_transpose(struct tensor **out, const struct tensor *x, int first, int second, struct error *err);
/* x's elements in row-major order as another shape, of as many elements; names as in tensor_new. A view where x
   is contiguous, else a copy. */
int tensor_reshape(struct tensor **out, const struct tensor *x, int rank, const size_t *extents,
                   const char *const *names, struct error *err);
/* A copy in which x[index[0]][index[1]] … (`count` of them) is `part`, of the shape that stands there, or if
   that is NULL, `number` throughout. */
int tensor_with(struct tensor **out, const struct tensor *x, const size_t *index, int count,
                const struct tensor *part, double number, struct error *err);

/* Layers.
   matmul: matrices in the last two axes, the axes in front broadcast as in arithmetic; (…, rows, inner) times
   (…, inner, columns). The result has the left one's names where it has the axis, and the right one's last; a
   name that would be used twice becomes the one by default, or the first of axis1, axis2 … Sums are taken in
   double and rounded once.
   linear: y = x weight^T + bias in the last axis, weight (out, in) as PyTorch has it, bias (out,) or NULL; y has
   x's axis names.
   softmax: e^(x - max) over the sum of them, over a set of axes. */
int tensor_matmul(struct tensor **out, const struct tensor *a, const struct tensor *b, struct error *err);
int tensor_linear(struct tensor **out, const struct tensor *x, const struct tensor *weight, const struct tensor *bias,
                  struct error *err);
int tensor_softmax(struct tensor **out, const struct tensor *x, tensor_axes axes, struct error *err);
/* Scaled dot-product attention (Vaswani et al. 2017): query (…, token, feature), key and value with the same axes
   in front; each of `heads` has its own run of features. causal: a token looks at itself and those before it. */
struct tensor_attention {
    struct tensor *y;       /* in query's shape, with value's features */
    struct tensor *weights; /* (…, head, query, key), for looking at: not tracked */
};
int tensor_attention(struct tensor_attention *out, const struct tensor *query, const struct tensor *key,
                     const struct tensor *value, size_t heads, bool causal, struct error *err);

/* batch_norm (Ioffe, Szegedy 2015): each channel over all other axes. While training it normalizes by the
   statistics of x, var biased, and returns what the running ones become, if they are given: (1 - momentum) old +
   momentum new, the new variance unbiased, as PyTorch keeps it; a channel of one element is then an error. In
   evaluation it normalizes by the running ones, which must be given, and returns copies of them, and as mean, var
   and rstd what it used. scale, bias, running_mean, running_var: (channels,) or NULL.
   group_norm (Wu, He 2018): each group of neighbouring channels together with the other axes of `axes`, which
   holds the channels' too. Statistics have the extent `groups` on that axis.
   instance_norm (Ulyanov, Vedaldi, Lempitsky 2016): each channel over `axes`, which do not hold its own.
   scale and bias of both: (channels,) or NULL. What is said of NaN, eps and accuracy above holds here too. */
struct tensor_batch_norm_options {
    int channel; /* the axis */
    double eps, momentum;
    bool training;
    const struct tensor *scale, *bias, *running_mean, *running_var;
};
struct tensor_batch_norm {
    struct tensor_norm norm;
    struct tensor *running_mean, *running_var; /* NULL where none were given; the caller frees all */
};
int batch_norm(struct tensor_batch_norm *out, const struct tensor *x, const struct tensor_batch_norm_options *options,
               struct error *err);
int group_norm(struct tensor_norm *out, const struct tensor *x, int channel, size_t groups,
               const struct tensor_norm_options *options, struct error *err);
int instance_norm(struct tensor_norm *out, const struct tensor *x, int channel,
                  const struct tensor_norm_options *options, struct error *err);

/* One step of an optimizer: the new parameter and what the next step is given, none of them tracked. Formulas as
   in PyTorch: Adam (Kingma, Ba 2014) with weight_decay added to the gradient, `step` counts from 1, the states
   NULL in the first; SGD whose first momentum is the gradient itself. */
struct tensor_adam {
    double rate, beta1, beta2, eps, weight_decay; /* PyTorch: 1e-3, 0.9, 0.999, 1e-8, 0 */
};
struct tensor_adam_state {
    struct tensor *x, *mean, *square;
};
int tensor_adam(struct tensor_adam_state *out, const struct tensor_adam *adam, size_t step, const struct tensor *x,
                const struct tensor *gradient, const struct tensor *mean, const struct tensor *square,
                struct error *err);
struct tensor_sgd {
    double rate, momentum, dampening, weight_decay; /* all but the rate 0 in PyTorch */
    bool nesterov;
};
struct tensor_sgd_state {
    struct tensor *x, *momentum;
};
int tensor_sgd(struct tensor_sgd_state *out, const struct tensor_sgd *sgd, const struct tensor *x,
               const struct tensor *gradient, const struct tensor *momentum, struct error *err);

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

/* One line for a bug report: which arithmetic path the processor gets: "AVX-512", "AVX2" or "plain C". */
const char *tensor_processor_path(void);

#endif
