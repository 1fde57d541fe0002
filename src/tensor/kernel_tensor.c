/* Which norms of tensors the kernels can have. */
#include "tensor/kernel.h"
#include "tensor/layout.h"

/* All of x's axes from the first one of the set on, empty ones apart; the row's elements. */
static bool is_tail(size_t *features, const struct tensor *x, tensor_axes axes)
{
    bool within = false;
    *features = 1;
    for (int axis = 0; axis < x->rank; axis++) {
        const bool in_set = axes >> axis & 1;
        if (x->extent[axis] == 1)
            continue;
        if (within && !in_set)
            return false;
        within = in_set;
        if (in_set)
            *features *= x->extent[axis];
    }
    return true;
}

/* One row, in order, for all rows of x. */
static bool is_row(const struct tensor *factor, const struct tensor *x, tensor_axes axes)
{
    if (!factor)
        return true;
    for (int axis = 0; axis < x->rank; axis++) {
        const int own = axis - (x->rank - factor->rank);
        if ((own < 0 ? 1 : factor->extent[own]) != (axes >> axis & 1 ? x->extent[axis] : 1))
            return false;
    }
    return factor->type == TENSOR_FLOAT32 && tensor_is_contiguous(factor);
}

bool kernel_takes(struct norm_rows *job, bool layer, const struct tensor *x,
                  const struct tensor_norm_options *options)
{
    size_t features;
    if (x->type != TENSOR_FLOAT32 || x->count == 0 || !tensor_is_contiguous(x) ||
        !is_tail(&features, x, options->axes) || features < KERNEL_LEAST ||
        !is_row(options->scale, x, options->axes) || !is_row(options->bias, x, options->axes))
        return false;
    *job = (struct norm_rows){
        .rms = !layer,
        .rows = x->count / features,
        .features = features,
        .eps = options->eps,
        .x = x->values,
        .scale = options->scale ? options->scale->values : NULL,
        .bias = options->bias ? options->bias->values : NULL,
    };
    return true;
}
