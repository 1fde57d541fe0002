/* The way back of functions of one tensor: their slopes, out of x, in double. */
#include "tensor/backward.h"
#include "tensor/functions.h"
#include "tensor/loop.h"

struct function {
    double (*slope)(double x);
    const float *g, *x;
    float *back;
    ptrdiff_t stride;
};

static void visit(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    const struct function *f = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const ptrdiff_t at = (ptrdiff_t)position + i;
        f->back[at] = (float)((double)f->g[at] * f->slope((double)f->x[offset[0] + i * f->stride]));
    }
}

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    const struct tensor *x = node->saved[0];
    struct tensor *back;
    if (node_gradient(&back, g, node, 0, err) < 0)
        return -1;
    struct loop loop;
    loop_over(&loop, x->rank, x->extent, x->stride);
    struct function function = {function_slope(*(const enum tensor_unary *)node->details), g->values,
                                x->values, back->values, loop_run_stride(&loop, 0)};
    loop_each(&loop, visit, &function);
    return node_give(node, 0, back, err);
}

int record_unary(struct tensor **out, struct tensor *y, enum tensor_unary op, const struct tensor *x,
                 struct error *err)
{
    const struct record record = {
        .backward = backward, .operands = {x}, .saved = {x}, .details = &op, .details_size = sizeof op};
    return record_result(out, y, &record, err);
}
