/* Steps of optimizers: PyTorch's formulas, element by element in double, each result rounded once. */
#include "tensor/backward.h"
#include "tensor/element.h"

#include <math.h>

static int check(const struct tensor *x, const struct tensor *other, const char *what, struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    if (!other || tensor_same_shape(x, other))
        return 0;
    return error_set(err, "the %s of a parameter of %s has the shape %s: they must be the same", what,
                     shape_compact(mine, x->rank, x->extent),
                     shape_compact(theirs, other->rank, other->extent));
}

static double element(const struct tensor *x, size_t i)
{
    return x ? (double)tensor_get_flat(x, i) : 0;
}

static void free_all(struct tensor **made, int count)
{
    while (count > 0)
        tensor_free(made[--count]);
}

/* The parameter's successor, and `count` - 1 states of float32. */
static int make_all(struct tensor **made, int count, const struct tensor *x, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        names[axis] = x->name[axis];
    for (int i = 0; i < count; i++)
        if (tensor_like_typed(&made[i], x, i == 0 ? x->type : TENSOR_FLOAT32, x->rank, x->extent, names,
                              err) < 0) {
            free_all(made, i);
            return -1;
        }
    return 0;
}

int tensor_adam(struct tensor_adam_state *out, const struct tensor_adam *adam, size_t step,
                const struct tensor *x, const struct tensor *gradient, const struct tensor *mean,
                const struct tensor *square, struct error *err)
{
    struct tensor *made[3];
    if (check(x, gradient, "gradient", err) < 0 || check(x, mean, "mean", err) < 0 ||
        check(x, square, "square", err) < 0 || make_all(made, 3, x, err) < 0)
        return -1;
    const double mean_part = 1 - pow(adam->beta1, (double)step),
                 square_part = 1 - pow(adam->beta2, (double)step);
    for (size_t i = 0; i < x->count; i++) {
        const double value = element(x, i), g = element(gradient, i) + adam->weight_decay * value;
        const double m = adam->beta1 * element(mean, i) + (1 - adam->beta1) * g;
        const double s = adam->beta2 * element(square, i) + (1 - adam->beta2) * g * g;
        const double size = sqrt(s) / sqrt(square_part) + adam->eps;
        element_put(made[0], (ptrdiff_t)i, value - adam->rate / mean_part * m / size);
        element_put(made[1], (ptrdiff_t)i, m);
        element_put(made[2], (ptrdiff_t)i, s);
    }
    *out = (struct tensor_adam_state){made[0], made[1], made[2]};
    return 0;
}

int tensor_sgd(struct tensor_sgd_state *out, const struct tensor_sgd *sgd, const struct tensor *x,
               const struct tensor *gradient, const struct tensor *momentum, struct error *err)
{
    struct tensor *made[2];
    if (check(x, gradient, "gradient", err) < 0 || check(x, momentum, "momentum", err) < 0 ||
        make_all(made, 2, x, err) < 0)
        return -1;
    for (size_t i = 0; i < x->count; i++) {
        const double value = element(x, i), g = element(gradient, i) + sgd->weight_decay * value;
        const double kept = momentum ? sgd->momentum * element(momentum, i) + (1 - sgd->dampening) * g : g;
        const double by = sgd->momentum == 0 ? g : sgd->nesterov ? g + sgd->momentum * kept : kept;
        element_put(made[0], (ptrdiff_t)i, value - sgd->rate * by);
        element_put(made[1], (ptrdiff_t)i, kept);
    }
    *out = (struct tensor_sgd_state){made[0], made[1]};
    return 0;
}
