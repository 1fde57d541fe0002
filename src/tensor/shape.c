#include "tensor/layout.h"

#include <stdio.h>
#include <string.h>

int tensor_rank(const struct tensor *x)
{
    return x->rank;
}

size_t tensor_extent(const struct tensor *x, int axis)
{
    return x->extent[axis];
}

ptrdiff_t tensor_stride(const struct tensor *x, int axis)
{
    return x->stride[axis];
}

const char *tensor_axis_name(const struct tensor *x, int axis)
{
    return x->name[axis];
}

int tensor_find_axis(const struct tensor *x, const char *name)
{
    for (int axis = 0; axis < x->rank; axis++)
        if (strcmp(x->name[axis], name) == 0)
            return axis;
    return -1;
}

size_t tensor_count(const struct tensor *x)
{
    return x->count;
}

bool tensor_same_shape(const struct tensor *a, const struct tensor *b)
{
    if (a->rank != b->rank)
        return false;
    for (int axis = 0; axis < a->rank; axis++)
        if (a->extent[axis] != b->extent[axis])
            return false;
    return true;
}

bool tensor_is_contiguous(const struct tensor *x)
{
    size_t span = 1;
    for (int axis = x->rank - 1; axis >= 0; axis--) {
        if (x->extent[axis] != 1 && x->stride[axis] != (ptrdiff_t)span)
            return false;
        span *= x->extent[axis] ? x->extent[axis] : 1;
    }
    return true;
}

void axis_default_name(char name[TENSOR_AXIS_NAME_MAX], int rank, int axis)
{
    static const char *const from_the_end[] = {"feature", "token", "batch"};
    int left = rank - 1 - axis;
    if (left < 3)
        strcpy(name, from_the_end[left]);
    else
        snprintf(name, TENSOR_AXIS_NAME_MAX, "axis%d", axis + 1);
}

int tensor_name_axes(struct tensor *x, const char *const *names, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    for (int axis = 0; axis < x->rank; axis++) {
        if (!names) {
            axis_default_name(x->name[axis], x->rank, axis);
            continue;
        }
        if (!names[axis] || !*names[axis])
            return error_set(err, "an axis of %s has an empty name",
                             shape_compact(shape, x->rank, x->extent));
        if (strlen(names[axis]) >= TENSOR_AXIS_NAME_MAX)
            return error_set(err, "an axis name has at most %d bytes: \"%.64s\" is too long",
                             TENSOR_AXIS_NAME_MAX - 1, names[axis]);
        strcpy(x->name[axis], names[axis]);
        for (int other = 0; other < axis; other++)
            if (strcmp(x->name[axis], x->name[other]) == 0)
                return error_set(err, "two axes are named \"%s\"", x->name[axis]);
    }
    return 0;
}

static char *write_shape(char buffer[TENSOR_SHAPE_TEXT], int rank, const size_t *extents, const char *between)
{
    size_t length = 1;
    buffer[0] = '(';
    for (int axis = 0; axis < rank; axis++)
        length += (size_t)snprintf(buffer + length, TENSOR_SHAPE_TEXT - length, "%s%zu", axis ? between : "",
                                   extents[axis]);
    strcpy(buffer + length, rank == 1 ? ",)" : ")");
    return buffer;
}

char *tensor_shape_text(const struct tensor *x, char buffer[TENSOR_SHAPE_TEXT])
{
    return write_shape(buffer, x->rank, x->extent, ", ");
}

char *shape_compact(char buffer[TENSOR_SHAPE_TEXT], int rank, const size_t *extents)
{
    return write_shape(buffer, rank, extents, ",");
}
