/* Functions of one tensor, element by element. */
#include "tensor/layout.h"
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

static unary_run *const runs[] = {
    [TENSOR_NEG] = negate_run,    [TENSOR_SQRT] = square_root_run,        [TENSOR_EXP] = exponential_run,
    [TENSOR_LOG] = logarithm_run, [TENSOR_TANH] = hyperbolic_tangent_run, [TENSOR_ABS] = absolute_run,
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

int tensor_unary(struct tensor **out, enum tensor_unary op, const struct tensor *x, struct error *err)
{
    struct tensor *y;
    if (tensor_like(&y, x, x->extent, err) < 0)
        return -1;
    struct loop loop;
    loop_over(&loop, x->rank, x->extent, x->stride);
    struct function function = {runs[op], y->values, x->values, loop_run_stride(&loop, 0)};
    loop_each(&loop, visit, &function);
    *out = y;
    return 0;
}
