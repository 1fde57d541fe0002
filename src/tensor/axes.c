/* Sets of axes. */
#include "tensor/layout.h"

#include <stdio.h>

tensor_axes tensor_all_axes(const struct tensor *x)
{
    return ((tensor_axes)1 << x->rank) - 1;
}

/* "batch, token, feature" */
static const char *list_axes(char buffer[TENSOR_SHAPE_TEXT], const struct tensor *x)
{
    size_t length = 0;
    buffer[0] = '\0';
    for (int axis = 0; axis < x->rank; axis++)
        length += (size_t)snprintf(buffer + length, TENSOR_SHAPE_TEXT - length, "%s%s", axis ? ", " : "",
                                   x->name[axis]);
    return buffer;
}

static int add(tensor_axes *axes, const struct tensor *x, int axis, struct error *err)
{
    tensor_axes bit = (tensor_axes)1 << axis;
    if (*axes & bit)
        return error_set(err, "axis %s is named twice", x->name[axis]);
    *axes |= bit;
    return 0;
}

int tensor_axes_add_name(tensor_axes *axes, const struct tensor *x, const char *name, struct error *err)
{
    char list[TENSOR_SHAPE_TEXT];
    int axis = tensor_find_axis(x, name);
    if (axis >= 0)
        return add(axes, x, axis, err);
    if (x->rank == 0)
        return error_set(err, "no axis \"%.64s\": a tensor of shape () has none", name);
    return error_set(err, "no axis \"%.64s\": there %s %s", name, x->rank == 1 ? "is" : "are",
                     list_axes(list, x));
}

int tensor_axes_add_index(tensor_axes *axes, const struct tensor *x, long index, struct error *err)
{
    char list[TENSOR_SHAPE_TEXT];
    if (x->rank == 0)
        return error_set(err, "no axis %ld: a tensor of shape () has none", index);
    if (index < -(long)x->rank || index >= x->rank)
        return error_set(err, "no axis %ld: there %s %s, and -1 is the last", index,
                         x->rank == 1 ? "is" : "are", list_axes(list, x));
    if (index >= 0)
        return error_set(err, "axis %ld: axes are counted from the end; PyTorch's dim %ld is %s here, or %ld",
                         index, index, x->name[index], index - x->rank);
    return add(axes, x, x->rank + (int)index, err);
}

int axes_check(const struct tensor *x, tensor_axes axes, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (axes & ~tensor_all_axes(x))
        return error_set(err, "%s has only %d axes", shape_compact(shape, x->rank, x->extent), x->rank);
    return 0;
}

void axes_reduce(size_t extents[TENSOR_RANK_MAX], const struct tensor *x, tensor_axes axes)
{
    for (int axis = 0; axis < x->rank; axis++)
        extents[axis] = axes >> axis & 1 ? 1 : x->extent[axis];
}
