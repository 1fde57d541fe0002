/* A residual add and the norm of its result. The kernels do both in one pass over memory. */
#include "tensor/backward.h"
#include "tensor/broadcast.h"
#include "tensor/kernel.h"
#include "tensor/norm.h"
#include "tensor/norm_typed.h"

static int at_once(struct tensor_add_norm *made, struct norm_rows *job, const struct tensor *x,
                   const struct tensor *update, const struct tensor_norm_options *options, bool layer,
                   struct error *err)
{
    struct tensor_norm results;
    struct tensor *sum;
    if (tensor_like(&sum, x, x->extent, err) < 0)
        return -1;
    if (norm_results_new(&results, x, options, layer, err) < 0) {
        tensor_free(sum);
        return -1;
    }
    job->residual = update->values;
    job->sum = sum->values;
    job->y = results.y->values;
    job->mean = layer ? results.mean->values : NULL;
    job->var = results.var->values;
    job->rstd = results.rstd->values;
    norm_rows_forward(job);
    if (record_binary(&made->sum, sum, TENSOR_ADD, x, update, err) < 0) {
        norm_results_free(&results);
        return -1;
    }
    return record_norm(&made->norm, &results, layer, made->sum, options, err);
}

static int add_norm(struct tensor_add_norm *out, const struct tensor *x, const struct tensor *update,
                    const struct tensor_norm_options *options, bool layer, struct error *err)
{
    ptrdiff_t ignored[TENSOR_RANK_MAX];
    struct tensor_add_norm made = {.sum = NULL};
    struct norm_rows job;
    int status;
    if (norm_check(x, options, err) < 0 || broadcast_into(ignored, update, x, "update", err) < 0)
        return -1;
    if (!norm_is_typed(x, options) && update->type == TENSOR_FLOAT32 && tensor_same_shape(x, update) &&
        tensor_is_contiguous(update) && kernel_takes(&job, layer, x, options)) {
        status = at_once(&made, &job, x, update, options, layer, err);
    } else {
        status = tensor_binary(&made.sum, TENSOR_ADD, x, update, err);
        if (status == 0)
            status = (layer ? layer_norm : rms_norm)(&made.norm, made.sum, options, err);
    }
    if (status < 0)
        tensor_free(made.sum);
    else
        *out = made;
    return status;
}

int add_layer_norm(struct tensor_add_norm *out, const struct tensor *x, const struct tensor *update,
                   const struct tensor_norm_options *options, struct error *err)
{
    return add_norm(out, x, update, options, true, err);
}

int add_rms_norm(struct tensor_add_norm *out, const struct tensor *x, const struct tensor *update,
                 const struct tensor_norm_options *options, struct error *err)
{
    return add_norm(out, x, update, options, false, err);
}
