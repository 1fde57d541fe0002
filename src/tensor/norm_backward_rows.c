/* The way back of norms that the kernels can have. */
#include "tensor/backward.h"
#include "tensor/kernel.h"
#include "tensor/norm_backward.h"

static int like(struct tensor **out, const struct tensor *x, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        names[axis] = x->name[axis];
    return tensor_like_typed(out, x, TENSOR_FLOAT32, x->rank, x->extent, names, err);
}

int norm_backward_rows(struct tensor_norm_gradients *out, const struct norm_rows *job,
                       const struct tensor *dy, const struct tensor *x,
                       const struct tensor_norm_options *options, const float *more, unsigned wanted,
                       struct error *err)
{
    struct tensor_norm_gradients made = {.dx = NULL};
    const size_t kept = 3 * job->rows, scratch_count = kept + norm_rows_scratch(job->rows, job->features);
    float *scratch = scratch_new(x, scratch_count, err);
    int status = scratch ? like(&made.dx, x, err) : -1;
    if (status == 0 && wanted & NORM_DSCALE)
        status = like(&made.dscale, options->scale, err);
    if (status == 0 && wanted & NORM_DBIAS)
        status = like(&made.dbias, options->bias, err);
    if (status == 0) {
        struct norm_rows forward = *job;
        forward.kept = scratch;
        norm_rows_forward(&forward);
        norm_rows_backward(&(struct norm_rows_backward){
            .rms = job->rms,
            .rows = job->rows,
            .features = job->features,
            .eps = job->eps,
            .dy = dy->values,
            .x = job->x,
            .scale = job->scale,
            .dsum = more,
            .kept = scratch,
            .dx = made.dx->values,
            .dscale = made.dscale ? made.dscale->values : NULL,
            .dbias = made.dbias ? made.dbias->values : NULL,
            .scratch = scratch + kept,
        });
    }
    scratch_free(x, scratch, scratch_count);
    if (status < 0 || !(wanted & NORM_DX)) {
        tensor_free(made.dx);
        made.dx = NULL;
    }
    if (status < 0) {
        tensor_free(made.dscale);
        tensor_free(made.dbias);
        return -1;
    }
    *out = made;
    return 0;
}
