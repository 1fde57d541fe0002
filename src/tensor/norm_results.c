#include "tensor/norm.h"

#include <math.h>

int norm_check(const struct tensor *x, const struct tensor_norm_options *options, struct error *err)
{
    if (axes_check(x, options->axes, err) < 0)
        return -1;
    if (options->axes == 0)
        return error_set(err, "a norm needs at least one axis to normalize over");
    if (isnan(options->eps) || options->eps < 0)
        return error_set(err, "eps must not be negative or NaN: it is %g", options->eps);
    return 0;
}

static enum tensor_type result_type(const struct tensor *x, const struct tensor_norm_options *options)
{
    enum tensor_type type = x->type;
    if (options->scale)
        type = type_promote(type, options->scale->type);
    if (options->bias)
        type = type_promote(type, options->bias->type);
    return type;
}

int norm_results_new(struct tensor_norm *results, const struct tensor *x, const struct tensor_norm_options *options,
                     bool layer, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    size_t extents[TENSOR_RANK_MAX];
    struct tensor_norm made = {.y = NULL};
    axes_reduce(extents, x, options->axes);
    for (int axis = 0; axis < x->rank; axis++)
        names[axis] = x->name[axis];
    if (tensor_like_typed(&made.y, x, result_type(x, options), x->rank, x->extent, names, err) < 0 ||
        tensor_like_typed(&made.var, x, TENSOR_FLOAT32, x->rank, extents, names, err) < 0 ||
        tensor_like_typed(&made.rstd, x, TENSOR_FLOAT32, x->rank, extents, names, err) < 0 ||
        (layer && tensor_like_typed(&made.mean, x, TENSOR_FLOAT32, x->rank, extents, names, err) < 0)) {
        norm_results_free(&made);
        return -1;
    }
    *results = made;
    return 0;
}

void norm_results_free(struct tensor_norm *results)
{
    tensor_free(results->y);
    tensor_free(results->mean);
    tensor_free(results->var);
    tensor_free(results->rstd);
}
