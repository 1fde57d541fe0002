/* What the tensor tests share. */
#ifndef TENSOR_HELP_H
#define TENSOR_HELP_H

#include "tensor/tensor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define EXTENTS(...)                                                                                         \
    (sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t)), (const size_t[])                                     \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define NAMES(...) ((const char *const[]){__VA_ARGS__})

/* Must succeed. */
#define ok(call)                                                                                             \
    do {                                                                                                     \
        struct error ok_error = {""};                                                                        \
        struct error *const err = &ok_error;                                                                 \
        if ((call) != 0)                                                                                     \
            fail_msg("%s", ok_error.text);                                                                   \
    } while (0)

/* Must fail, with these words. */
#define refused(words, call)                                                                                 \
    do {                                                                                                     \
        struct error refused_error = {""};                                                                   \
        struct error *const err = &refused_error;                                                            \
        assert_int_equal(call, -1);                                                                          \
        assert_string_equal(refused_error.text, words);                                                      \
    } while (0)

static inline struct tensor *zeros(size_t rank, const size_t *extents)
{
    struct tensor *x = NULL;
    ok(tensor_new(&x, NULL, (int)rank, extents, NULL, err));
    return x;
}

/* With these elements in row-major order. */
static inline struct tensor *filled(size_t rank, const size_t *extents, const float *values)
{
    struct tensor *x = zeros(rank, extents);
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(x, i, values[i]);
    return x;
}

#define row_of(...)                                                                                          \
    filled(1, (size_t[]){sizeof((float[]){__VA_ARGS__}) / sizeof(float)}, (float[]){__VA_ARGS__})

/* 0, 1, 2 … */
static inline struct tensor *counting(size_t rank, const size_t *extents)
{
    struct tensor *x = zeros(rank, extents);
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(x, i, (float)i);
    return x;
}

static inline struct tensor *normals(size_t rank, const size_t *extents, uint64_t seed, double mean,
                                     double deviation)
{
    struct random_stream random;
    random_start(&random, seed, 0);
    struct tensor *x = zeros(rank, extents);
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(x, i, (float)(mean + deviation * random_normal(&random)));
    return x;
}

static inline void free_norm(struct tensor_norm *norm)
{
    tensor_free(norm->y);
    tensor_free(norm->mean);
    tensor_free(norm->var);
    tensor_free(norm->rstd);
}

/* The same bits, or both NaN. */
static inline bool same_float(float a, float b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* How far `got` is from the right answer, in units in the last place of max(least, |want|) as a float32;
   infinite where only one of them is finite or the infinities differ. */
static inline double ulps(float got, long double want, double least)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : (double)INFINITY;
    const float rounded = (float)want;
    if (isinf(rounded) || isinf(got))
        return same_float(rounded, got) ? 0 : (double)INFINITY;
    const double size = fmax(least, fabs((double)want));
    int exponent;
    frexp(size, &exponent);
    const double unit = ldexp(1, exponent - 24 < -149 ? -149 : exponent - 24);
    return (double)(fabsl((long double)got - want) / (long double)unit);
}

#endif
