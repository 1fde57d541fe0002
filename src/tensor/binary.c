/* Arithmetic on two tensors, or on a tensor and a number. */
#include "tensor/backward.h"
#include "tensor/broadcast.h"
#include "tensor/element.h"
#include "tensor/loop.h"

#include <math.h>

typedef void pair_run(float *restrict y, const float *a, ptrdiff_t a_stride, const float *b,
                      ptrdiff_t b_stride, size_t n);
typedef void number_run(float *restrict y, const float *x, ptrdiff_t stride, double number, bool number_first,
                        size_t n);

/* An operation as two inner loops, on pairs in `type` and with a number in double, and for one pair in double. */
#define OPERATION(name, type, expression)                                                                    \
    static inline type name(type l, type r)                                                                  \
    {                                                                                                        \
        return (expression);                                                                                 \
    }                                                                                                        \
    static void name##_pairs(float *restrict y, const float *a, ptrdiff_t a_stride, const float *b,          \
                             ptrdiff_t b_stride, size_t n)                                                   \
    {                                                                                                        \
        if (a_stride == 1 && b_stride == 1)                                                                  \
            for (size_t i = 0; i < n; i++)                                                                   \
                y[i] = (float)name(a[i], b[i]);                                                              \
        else if (a_stride == 1 && b_stride == 0)                                                             \
            for (size_t i = 0; i < n; i++)                                                                   \
                y[i] = (float)name(a[i], *b);                                                                \
        else                                                                                                 \
            for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)                                                     \
                y[i] = (float)name(a[i * a_stride], b[i * b_stride]);                                        \
    }                                                                                                        \
    static void name##_number(float *restrict y, const float *x, ptrdiff_t stride, double number,            \
                              bool number_first, size_t n)                                                   \
    {                                                                                                        \
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {                                                       \
            const double v = (double)x[i * stride];                                                          \
            const double l = number_first ? number : v, r = number_first ? v : number;                       \
            y[i] = (float)(expression);                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    static double name##_exact(double l, double r)                                                           \
    {                                                                                                        \
        return (expression);                                                                                 \
    }

OPERATION(add, float, l + r)
OPERATION(subtract, float, l - r)
OPERATION(multiply, float, (l * r))
OPERATION(divide, float, l / r)
OPERATION(power, double, pow(l, r))
OPERATION(maximum, float, l > r || isnan(l) ? l : r)
OPERATION(minimum, float, l < r || isnan(l) ? l : r)

static const struct operation {
    pair_run *pairs;
    number_run *number;
    double (*exact)(double l, double r);
    struct broadcast_words words;
} operations[] = {
    [TENSOR_ADD] = {add_pairs, add_number, add_exact, {"cannot add", "to", true}},
    [TENSOR_SUB] = {subtract_pairs, subtract_number, subtract_exact, {"cannot subtract", "from", true}},
    [TENSOR_MUL] = {multiply_pairs, multiply_number, multiply_exact, {"cannot multiply", "by", false}},
    [TENSOR_DIV] = {divide_pairs, divide_number, divide_exact, {"cannot divide", "by", false}},
    [TENSOR_POW] = {power_pairs, power_number, power_exact, {"cannot raise", "to the power", false}},
    [TENSOR_MAXIMUM] = {maximum_pairs, maximum_number, maximum_exact, {"cannot take the maximum of", "and", false}},
    [TENSOR_MINIMUM] = {minimum_pairs, minimum_number, minimum_exact, {"cannot take the minimum of", "and", false}},
};

struct pairs {
    pair_run *run;
    float *y;
    const float *a, *b;
    ptrdiff_t a_stride, b_stride;
};

static void visit_pairs(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct pairs *p = context;
    p->run(p->y + position, p->a + offset[0], p->a_stride, p->b + offset[1], p->b_stride, n);
}

/* Where one of the tensors holds halves: all is exact, or computed in double, until it is rounded. */
struct typed_pairs {
    double (*exact)(double l, double r);
    struct tensor *y;
    const struct tensor *a, *b; /* b NULL: the number */
    ptrdiff_t a_stride, b_stride;
    double number;
    bool number_first;
};

static void visit_typed(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct typed_pairs *p = context;
    for (size_t i = 0; i < n; i++) {
        const double a = element_at(p->a, offset[0] + (ptrdiff_t)i * p->a_stride);
        const double b = p->b ? element_at(p->b, offset[1] + (ptrdiff_t)i * p->b_stride) : p->number;
        element_put(p->y, (ptrdiff_t)(position + i), p->number_first ? p->exact(b, a) : p->exact(a, b));
    }
}

int tensor_binary(struct tensor **out, enum tensor_binary op, const struct tensor *a, const struct tensor *b,
                  struct error *err)
{
    const struct operation *operation = &operations[op];
    struct tensor *y;
    if (broadcast_new(&y, a, b, &operation->words, err) < 0)
        return -1;
    ptrdiff_t a_strides[TENSOR_RANK_MAX], b_strides[TENSOR_RANK_MAX];
    broadcast_strides(a_strides, a, y->rank);
    broadcast_strides(b_strides, b, y->rank);
    struct loop loop;
    loop_begin(&loop);
    for (int axis = 0; axis < y->rank; axis++)
        loop_add(&loop, y->extent[axis], a_strides[axis], b_strides[axis]);
    const ptrdiff_t a_stride = loop_run_stride(&loop, 0), b_stride = loop_run_stride(&loop, 1);
    if (a->type == TENSOR_FLOAT32 && b->type == TENSOR_FLOAT32) {
        struct pairs pairs = {operation->pairs, y->values, a->values, b->values, a_stride, b_stride};
        loop_each(&loop, visit_pairs, &pairs);
    } else {
        struct typed_pairs pairs = {operation->exact, y, a, b, a_stride, b_stride, 0, false};
        loop_each(&loop, visit_typed, &pairs);
    }
    return record_binary(out, y, op, a, b, err);
}

struct with_number {
    number_run *run;
    float *y;
    const float *x;
    ptrdiff_t stride;
    double number;
    bool number_first;
};

static void visit_with_number(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct with_number *w = context;
    w->run(w->y + position, w->x + offset[0], w->stride, w->number, w->number_first, n);
}

int tensor_binary_number(struct tensor **out, enum tensor_binary op, const struct tensor *x, double number,
                         bool number_first, struct error *err)
{
    struct tensor *y;
    if (tensor_like(&y, x, x->extent, err) < 0)
        return -1;
    struct loop loop;
    loop_over(&loop, x->rank, x->extent, x->stride);
    const ptrdiff_t stride = loop_run_stride(&loop, 0);
    if (x->type == TENSOR_FLOAT32) {
        struct with_number with = {operations[op].number, y->values, x->values, stride, number, number_first};
        loop_each(&loop, visit_with_number, &with);
    } else {
        struct typed_pairs with = {operations[op].exact, y, x, NULL, stride, 0, number, number_first};
        loop_each(&loop, visit_typed, &with);
    }
    return record_number(out, y, op, x, number, number_first, err);
}
