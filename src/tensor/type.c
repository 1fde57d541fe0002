/* A tensor's type, and the way from one to another. */
#include "tensor/backward.h"
#include "tensor/element.h"
#include "tensor/loop.h"

#include <string.h>

static const char *const names[] = {
    [TENSOR_FLOAT32] = "float32",
    [TENSOR_FLOAT16] = "float16",
    [TENSOR_BFLOAT16] = "bfloat16",
    [TENSOR_FLOAT64] = "float64",
};

enum tensor_type tensor_type(const struct tensor *x)
{
    return x->type;
}

const char *tensor_type_name(enum tensor_type type)
{
    return names[type];
}

int tensor_type_find(enum tensor_type *out, const char *name, struct error *err)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (enum tensor_type)i;
            return 0;
        }
    return error_set(err, "no type \"%.64s\": there are float32, float16, bfloat16 and float64", name);
}

enum tensor_type type_promote(enum tensor_type a, enum tensor_type b)
{
    return a == b ? a : TENSOR_FLOAT32;
}

struct cast {
    struct tensor *y;
    const struct tensor *x;
    ptrdiff_t stride;
};

static void visit(void *context, size_t position, const ptrdiff_t offset[2], size_t n)
{
    const struct cast *c = context;
    for (size_t i = 0; i < n; i++)
        element_put(c->y, (ptrdiff_t)(position + i), element_at(c->x, offset[0] + (ptrdiff_t)i * c->stride));
}

int tensor_cast(struct tensor **out, const struct tensor *x, enum tensor_type type, struct error *err)
{
    if (type == x->type)
        return tensor_copy(out, x, err);
    const char *axes[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        axes[axis] = x->name[axis];
    struct tensor *y;
    if (tensor_like_typed(&y, x, type, x->rank, x->extent, axes, err) < 0)
        return -1;
    struct loop loop;
    loop_over(&loop, x->rank, x->extent, x->stride);
    struct cast cast = {y, x, loop_run_stride(&loop, 0)};
    loop_each(&loop, visit, &cast);
    return record_same(out, y, x, false, err);
}

int type_widen(const struct tensor **wide, const struct tensor *x, struct error *err)
{
    struct tensor *copy;
    *wide = x;
    if (x->type == TENSOR_FLOAT32)
        return 0;
    if (tensor_cast(&copy, x, TENSOR_FLOAT32, err) < 0)
        return -1;
    *wide = copy;
    return 0;
}

void type_widened(const struct tensor *wide, const struct tensor *x)
{
    if (wide != x)
        tensor_free((struct tensor *)wide);
}

int type_narrow(struct tensor **y, enum tensor_type type, struct error *err)
{
    struct tensor *wide = *y;
    if (wide->type == type)
        return 0;
    const int status = tensor_cast(y, wide, type, err);
    tensor_free(wide);
    if (status < 0)
        *y = NULL;
    return status;
}
