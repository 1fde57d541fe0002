/* Dropout by given numbers. */
#include "tensor/backward.h"
#include "tensor/element.h"
#include "tensor/loop.h"

struct dropout {
    float *y, *mask;
    const float *x, *random;
    ptrdiff_t x_stride, random_stride;
    double rate;
};

static void visit(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct dropout *d = context;
    const float *x = d->x + offset[0], *random = d->random + offset[1];
    for (size_t i = 0; i < n; i++) {
        const double kept = (double)random[(ptrdiff_t)i * d->random_stride] >= d->rate ? 1 : 0;
        d->mask[position + i] = (float)kept;
        d->y[position + i] = (float)((double)x[(ptrdiff_t)i * d->x_stride] * kept / (1 - d->rate));
    }
}

/* Where one of the tensors holds halves. */
struct typed {
    struct tensor *y, *mask;
    const struct tensor *x, *random;
    ptrdiff_t x_stride, random_stride;
    double rate;
};

static void visit_typed(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct typed *d = context;
    for (size_t i = 0; i < n; i++) {
        const double random = element_at(d->random, offset[1] + (ptrdiff_t)i * d->random_stride);
        const double x = element_at(d->x, offset[0] + (ptrdiff_t)i * d->x_stride);
        const double kept = random >= d->rate ? 1 : 0;
        element_put(d->mask, (ptrdiff_t)(position + i), kept);
        element_put(d->y, (ptrdiff_t)(position + i), x * kept / (1 - d->rate));
    }
}

static int check(const struct tensor *x, const struct tensor *random, double rate, struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    if (!(rate >= 0 && rate < 1))
        return error_set(err, "the rate of dropout lies from 0 up to 1, without 1: it is %g", rate);
    if (!tensor_same_shape(x, random))
        return error_set(err, "random has the shape %s, and what is dropped from %s: they must be the same",
                         shape_compact(theirs, random->rank, random->extent),
                         shape_compact(mine, x->rank, x->extent));
    for (size_t i = 0; i < random->count; i++) {
        const double number = (double)tensor_get_flat(random, i);
        if (!(number >= 0 && number <= 1))
            return error_set(err, "random holds numbers from 0 to 1; element %zu is %g", i + 1, number);
    }
    return 0;
}

static int finish(struct tensor_dropout *out, struct tensor *y, struct tensor *mask, const struct tensor *x,
                  double rate, struct error *err)
{
    if (record_dropout(&y, y, x, mask, rate, err) < 0) {
        tensor_free(mask);
        return -1;
    }
    *out = (struct tensor_dropout){y, mask};
    return 0;
}

int tensor_dropout(struct tensor_dropout *out, const struct tensor *x, const struct tensor *random,
                   double rate, struct error *err)
{
    if (check(x, random, rate, err) < 0)
        return -1;
    struct tensor *y, *mask;
    if (tensor_like(&y, x, x->extent, err) < 0)
        return -1;
    if (tensor_like(&mask, x, x->extent, err) < 0) {
        tensor_free(y);
        return -1;
    }
    struct loop loop;
    loop_begin(&loop);
    for (int axis = 0; axis < x->rank; axis++)
        loop_add(&loop, x->extent[axis], x->stride[axis], random->stride[axis]);
    const ptrdiff_t x_stride = loop_run_stride(&loop, 0), random_stride = loop_run_stride(&loop, 1);
    if (x->type == TENSOR_FLOAT32 && random->type == TENSOR_FLOAT32) {
        struct dropout dropout = {y->values, mask->values, x->values, random->values, x_stride, random_stride, rate};
        loop_each(&loop, visit, &dropout);
    } else {
        struct typed dropout = {y, mask, x, random, x_stride, random_stride, rate};
        loop_each(&loop, visit_typed, &dropout);
    }
    return finish(out, y, mask, x, rate, err);
}
