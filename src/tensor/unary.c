/* Functions of one tensor, element by element. */
#include "tensor/backward.h"
#include "tensor/element.h"
#include "tensor/functions.h"
#include "tensor/loop.h"

#include <math.h>

typedef void unary_run(float *restrict y, const float *x, ptrdiff_t stride, size_t n);

#define FUNCTION(name, expression)                                                                           \
    static void name##_run(float *restrict y, const float *x, ptrdiff_t stride, size_t n)                    \
    {                                                                                                        \
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {                                                       \
            const float v = x[i * stride];                                                                   \
            y[i] = (expression);                                                                             \
        }                                                                                                    \
    }

/* exp, log and tanh in double: their results are then the nearest float32 all but always, with any libm. */
FUNCTION(negate, -v)
FUNCTION(square_root, sqrtf(v))
FUNCTION(exponential, (float)exp((double)v))
FUNCTION(logarithm, (float)log((double)v))
FUNCTION(hyperbolic_tangent, (float)tanh((double)v))
FUNCTION(absolute, fabsf(v))
FUNCTION(gelu, (float)function_gelu((double)v))
FUNCTION(gelu_tanh, (float)function_gelu_tanh((double)v))
FUNCTION(relu, v < 0 ? 0 : v)
FUNCTION(silu, (float)function_silu((double)v))

static double negate(double v)
{
    return -v;
}

static const struct function_of {
    unary_run *run;
    double (*exact)(double v); /* for halves */
} functions[] = {
    [TENSOR_NEG] = {negate_run, negate},
    [TENSOR_SQRT] = {square_root_run, sqrt},
    [TENSOR_EXP] = {exponential_run, exp},
    [TENSOR_LOG] = {logarithm_run, log},
    [TENSOR_TANH] = {hyperbolic_tangent_run, tanh},
    [TENSOR_ABS] = {absolute_run, fabs},
    [TENSOR_GELU] = {gelu_run, function_gelu},
    [TENSOR_GELU_TANH] = {gelu_tanh_run, function_gelu_tanh},
    [TENSOR_RELU] = {relu_run, function_relu},
    [TENSOR_SILU] = {silu_run, function_silu},
};

struct function {
    unary_run *run;
    float *y;
    const float *x;
    ptrdiff_t stride;
};

static void visit(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct function *f = context;
    f->run(f->y + position, f->x + offset[0], f->stride, n);
}

struct typed {
    double (*exact)(double v);
    struct tensor *y;
    const struct tensor *x;
    ptrdiff_t stride;
};

static void visit_typed(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct typed *t = context;
    for (size_t i = 0; i < n; i++)
        element_put(t->y, (ptrdiff_t)(position + i),
                    t->exact(element_at(t->x, offset[0] + (ptrdiff_t)i * t->stride)));
}

int tensor_unary(struct tensor **out, enum tensor_unary op, const struct tensor *x, struct error *err)
{
    struct tensor *y;
    if (tensor_like(&y, x, x->extent, err) < 0)
        return -1;
    struct loop loop;
    loop_over(&loop, x->rank, x->extent, x->stride);
    const ptrdiff_t stride = loop_run_stride(&loop, 0);
    if (x->type == TENSOR_FLOAT32) {
        struct function function = {functions[op].run, y->values, x->values, stride};
        loop_each(&loop, visit, &function);
    } else {
        struct typed function = {functions[op].exact, y, x, stride};
        loop_each(&loop, visit_typed, &function);
    }
    return record_unary(out, y, op, x, err);
}
