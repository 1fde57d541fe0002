/* Operations in long double, written as plainly as can be: what gradients are held against, by differences.
 */
#ifndef REFERENCE_HELP_H
#define REFERENCE_HELP_H

#include "tensor_help.h"

#include <stdlib.h>

struct ref {
    int rank;
    size_t extents[TENSOR_RANK_MAX], count;
    long double *v;
};

/* All of a test's references, freed together. */
enum { REFS_MAX = 4096 };
static long double *ref_blocks[REFS_MAX];
static size_t ref_count;

static inline void refs_free(void)
{
    while (ref_count)
        free(ref_blocks[--ref_count]);
}

static inline struct ref ref_new(int rank, const size_t *extents)
{
    struct ref x = {.rank = rank, .count = 1};
    for (int axis = 0; axis < rank; axis++)
        x.count *= x.extents[axis] = extents[axis];
    x.v = calloc(x.count + 1, sizeof *x.v);
    assert_non_null(x.v);
    assert_true(ref_count < REFS_MAX);
    ref_blocks[ref_count++] = x.v;
    return x;
}

static inline struct ref ref_of(const struct tensor *t)
{
    size_t extents[TENSOR_RANK_MAX];
    for (int axis = 0; axis < tensor_rank(t); axis++)
        extents[axis] = tensor_extent(t, axis);
    struct ref x = ref_new(tensor_rank(t), extents);
    for (size_t i = 0; i < x.count; i++)
        x.v[i] = (long double)tensor_get_flat(t, i);
    return x;
}

/* The place in x of the place i in y, a shape that x broadcasts to. */
static inline size_t ref_place(const struct ref *x, const struct ref *y, size_t i)
{
    size_t place = 0, span = 1;
    for (int axis = y->rank - 1; axis >= 0; axis--) {
        const int own = axis - (y->rank - x->rank);
        const size_t index = i % y->extents[axis];
        i /= y->extents[axis];
        if (own < 0)
            continue;
        place += x->extents[own] == 1 ? 0 : index * span;
        span *= x->extents[own];
    }
    return place;
}

static inline long double ref_pair(enum tensor_binary op, long double l, long double r)
{
    switch (op) {
    case TENSOR_ADD:
        return l + r;
    case TENSOR_SUB:
        return l - r;
    case TENSOR_MUL:
        return l * r;
    case TENSOR_DIV:
        return l / r;
    case TENSOR_POW:
        return powl(l, r);
    case TENSOR_MAXIMUM:
        return fmaxl(l, r);
    case TENSOR_MINIMUM:
        return fminl(l, r);
    }
    return (long double)NAN;
}

static inline struct ref ref_binary(enum tensor_binary op, struct ref a, struct ref b)
{
    size_t extents[TENSOR_RANK_MAX];
    int rank;
    assert_true(tensor_broadcast_shape(extents, &rank, a.rank, a.extents, b.rank, b.extents));
    struct ref y = ref_new(rank, extents);
    for (size_t i = 0; i < y.count; i++)
        y.v[i] = ref_pair(op, a.v[ref_place(&a, &y, i)], b.v[ref_place(&b, &y, i)]);
    return y;
}

static inline struct ref ref_number(long double value)
{
    struct ref x = ref_new(0, NULL);
    *x.v = value;
    return x;
}

static inline long double ref_function(enum tensor_unary op, long double x)
{
    switch (op) {
    case TENSOR_NEG:
        return -x;
    case TENSOR_SQRT:
        return sqrtl(x);
    case TENSOR_EXP:
        return expl(x);
    case TENSOR_LOG:
        return logl(x);
    case TENSOR_TANH:
        return tanhl(x);
    case TENSOR_ABS:
        return fabsl(x);
    case TENSOR_GELU:
        return 0.5L * x * (1 + erfl(x / sqrtl(2)));
    case TENSOR_GELU_TANH:
        return 0.5L * x * (1 + tanhl(sqrtl(2 / acosl(-1)) * (x + 0.044715L * powl(x, 3))));
    case TENSOR_RELU:
        return fmaxl(x, 0);
    case TENSOR_SILU:
        return x / (1 + expl(-x));
    }
    return (long double)NAN;
}

static inline struct ref ref_unary(enum tensor_unary op, struct ref x)
{
    struct ref y = ref_new(x.rank, x.extents);
    for (size_t i = 0; i < y.count; i++)
        y.v[i] = ref_function(op, x.v[i]);
    return y;
}

static inline struct ref ref_reduce(enum tensor_reduction op, struct ref x, tensor_axes axes)
{
    size_t extents[TENSOR_RANK_MAX], n = 1;
    for (int axis = 0; axis < x.rank; axis++) {
        extents[axis] = axes >> axis & 1 ? 1 : x.extents[axis];
        n *= axes >> axis & 1 ? x.extents[axis] : 1;
    }
    struct ref y = ref_new(x.rank, extents), mean = ref_new(x.rank, extents);
    for (size_t i = 0; i < x.count; i++)
        mean.v[ref_place(&mean, &x, i)] += x.v[i] / (long double)n;
    for (size_t i = 0; i < y.count; i++)
        y.v[i] = op == TENSOR_MAX ? -(long double)INFINITY : op == TENSOR_MIN ? (long double)INFINITY : 0;
    for (size_t i = 0; i < x.count; i++) {
        long double *to = &y.v[ref_place(&y, &x, i)];
        const long double d = x.v[i] - mean.v[ref_place(&mean, &x, i)];
        const bool unbiased = op == TENSOR_VAR_UNBIASED || op == TENSOR_STD_UNBIASED;
        if (op == TENSOR_SUM)
            *to += x.v[i];
        else if (op == TENSOR_MEAN)
            *to += x.v[i] / (long double)n;
        else if (op == TENSOR_MAX)
            *to = fmaxl(*to, x.v[i]);
        else if (op == TENSOR_MIN)
            *to = fminl(*to, x.v[i]);
        else
            *to += d * d / ((long double)n - (unbiased ? 1 : 0));
    }
    for (size_t i = 0; i < y.count && (op == TENSOR_STD || op == TENSOR_STD_UNBIASED); i++)
        y.v[i] = sqrtl(y.v[i]);
    return y;
}

/* 1 / sqrtl(var + eps), or of the mean of squares. */
static inline struct ref ref_rstd(struct ref x, tensor_axes axes, double eps, bool layer)
{
    struct ref var =
        layer ? ref_reduce(TENSOR_VAR, x, axes) : ref_reduce(TENSOR_MEAN, ref_binary(TENSOR_MUL, x, x), axes);
    return ref_binary(TENSOR_POW, ref_binary(TENSOR_ADD, var, ref_number(eps)), ref_number(-0.5));
}

/* scale, bias: v NULL where there is none. */
static inline struct ref ref_norm(struct ref x, tensor_axes axes, double eps, struct ref scale,
                                  struct ref bias, bool layer)
{
    struct ref y = layer ? ref_binary(TENSOR_SUB, x, ref_reduce(TENSOR_MEAN, x, axes)) : x;
    y = ref_binary(TENSOR_MUL, y, ref_rstd(x, axes, eps, layer));
    if (scale.v)
        y = ref_binary(TENSOR_MUL, y, scale);
    return bias.v ? ref_binary(TENSOR_ADD, y, bias) : y;
}

static inline struct ref ref_softmax(struct ref x, tensor_axes axes)
{
    struct ref e = ref_unary(TENSOR_EXP, x);
    return ref_binary(TENSOR_DIV, e, ref_reduce(TENSOR_SUM, e, axes));
}

static inline struct ref ref_reshape(struct ref x, int rank, const size_t *extents)
{
    struct ref y = ref_new(rank, extents);
    assert_int_equal(x.count, y.count);
    memcpy(y.v, x.v, x.count * sizeof *x.v);
    return y;
}

static inline struct ref ref_transpose(struct ref x, int first, int second)
{
    size_t extents[TENSOR_RANK_MAX], index[TENSOR_RANK_MAX];
    memcpy(extents, x.extents, sizeof extents);
    extents[first] = x.extents[second];
    extents[second] = x.extents[first];
    struct ref y = ref_new(x.rank, extents);
    for (size_t i = 0; i < x.count; i++) {
        size_t left = i, place = 0;
        for (int axis = x.rank - 1; axis >= 0; axis--) {
            index[axis] = left % x.extents[axis];
            left /= x.extents[axis];
        }
        for (int axis = 0; axis < x.rank; axis++)
            place = place * extents[axis] + index[axis == first ? second : axis == second ? first : axis];
        y.v[place] = x.v[i];
    }
    return y;
}

/* By broadcasting: (…, rows, inner, 1) times (…, 1, inner, columns), summed. */
static inline struct ref ref_matmul(struct ref a, struct ref b)
{
    size_t left[TENSOR_RANK_MAX], right[TENSOR_RANK_MAX];
    memcpy(left, a.extents, sizeof left);
    left[a.rank] = 1;
    memcpy(right, b.extents, sizeof right);
    right[b.rank - 2] = 1;
    right[b.rank - 1] = b.extents[b.rank - 2];
    right[b.rank] = b.extents[b.rank - 1];
    struct ref all =
        ref_binary(TENSOR_MUL, ref_reshape(a, a.rank + 1, left), ref_reshape(b, b.rank + 1, right));
    struct ref sum = ref_reduce(TENSOR_SUM, all, (tensor_axes)1 << (all.rank - 2));
    sum.extents[all.rank - 2] = sum.extents[all.rank - 1];
    return ref_reshape(sum, all.rank - 1, sum.extents);
}

static inline struct ref ref_linear(struct ref x, struct ref weight, struct ref bias)
{
    struct ref in = x;
    if (x.rank == 1)
        in = ref_reshape(x, 2, (size_t[]){1, x.extents[0]});
    struct ref y = ref_matmul(in, ref_transpose(weight, 0, 1));
    if (x.rank == 1)
        y = ref_reshape(y, 1, y.extents + 1);
    return bias.v ? ref_binary(TENSOR_ADD, y, bias) : y;
}

/* x[index] of the first axis. */
static inline struct ref ref_at(struct ref x, size_t index)
{
    struct ref y = ref_new(x.rank - 1, x.extents + 1);
    memcpy(y.v, x.v + index * y.count, y.count * sizeof *y.v);
    return y;
}

static inline struct ref ref_stack(const struct ref *parts, size_t count)
{
    size_t extents[TENSOR_RANK_MAX] = {count};
    for (int axis = 0; axis < parts->rank; axis++)
        extents[axis + 1] = parts->extents[axis];
    struct ref y = ref_new(parts->rank + 1, extents);
    for (size_t i = 0; i < count; i++)
        memcpy(y.v + i * parts->count, parts[i].v, parts->count * sizeof *y.v);
    return y;
}

/* q (batch, token, feature), one head after the other. */
static inline struct ref ref_attention(struct ref q, struct ref k, struct ref v, size_t heads, bool causal)
{
    const size_t batch = q.extents[0], n = q.extents[1], m = k.extents[1];
    const size_t size = q.extents[2] / heads, out = v.extents[2] / heads;
    struct ref y = ref_new(3, (size_t[]){batch, n, v.extents[2]});
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < heads; h++)
            for (size_t i = 0; i < n; i++) {
                long double sum = 0;
                for (size_t j = 0; j < m && !(causal && j > i); j++) {
                    long double score = 0;
                    for (size_t f = 0; f < size; f++)
                        score += q.v[(b * n + i) * heads * size + h * size + f] *
                                 k.v[(b * m + j) * heads * size + h * size + f];
                    const long double e = expl(score / sqrtl((long double)size));
                    sum += e;
                    for (size_t f = 0; f < out; f++)
                        y.v[(b * n + i) * heads * out + h * out + f] +=
                            e * v.v[(b * m + j) * heads * out + h * out + f];
                }
                for (size_t f = 0; f < out; f++)
                    y.v[(b * n + i) * heads * out + h * out + f] /= sum;
            }
    return y;
}

#endif
