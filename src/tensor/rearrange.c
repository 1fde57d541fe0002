/* The same elements in other places. */
#include "tensor/backward.h"
#include "tensor/element.h"

#include <string.h>

static void swap_axes(struct tensor *x, int first, int second)
{
    char name[TENSOR_AXIS_NAME_MAX];
    const size_t extent = x->extent[first];
    const ptrdiff_t stride = x->stride[first];
    x->extent[first] = x->extent[second];
    x->stride[first] = x->stride[second];
    x->extent[second] = extent;
    x->stride[second] = stride;
    memcpy(name, x->name[first], sizeof name);
    memcpy(x->name[first], x->name[second], sizeof name);
    memcpy(x->name[second], name, sizeof name);
}

int tensor_transpose(struct tensor **out, const struct tensor *x, int first, int second, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (first < 0 || second < 0 || first >= x->rank || second >= x->rank)
        return error_set(err, "%s has only %d axes", shape_compact(shape, x->rank, x->extent), x->rank);
    struct tensor *view;
    if (tensor_view(&view, x, err) < 0)
        return -1;
    swap_axes(view, first, second);
    return record_transpose(out, view, x, first, second, err);
}

int tensor_reshape(struct tensor **out, const struct tensor *x, int rank, const size_t *extents,
                   const char *const *names, struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    if (rank < 0 || rank > TENSOR_RANK_MAX)
        return error_set(err, "a tensor has 0 to %d axes, not %d", TENSOR_RANK_MAX, rank);
    struct tensor draft = {.rank = rank};
    size_t count = 1;
    bool fits = true;
    for (int axis = rank - 1; axis >= 0; axis--) {
        draft.extent[axis] = extents[axis];
        draft.stride[axis] = (ptrdiff_t)(count ? count : 1);
        fits = fits && (!extents[axis] || count <= x->count / extents[axis] || !x->count);
        count = fits ? count * extents[axis] : 0;
    }
    if (!fits || count != x->count)
        return error_set(err, "%s cannot be read as %s: it has another number of elements",
                         shape_compact(mine, x->rank, x->extent), shape_compact(theirs, rank, extents));
    if (tensor_name_axes(&draft, names, err) < 0)
        return -1;
    const bool view = tensor_is_contiguous(x);
    struct tensor *whole, *y;
    if (tensor_view(&whole, x, err) < 0)
        return -1;
    y = whole;
    if (!view && tensor_copy(&y, whole, err) < 0) {
        tensor_free(whole);
        return -1;
    }
    if (!view)
        tensor_free(whole);
    y->rank = rank;
    memcpy(y->extent, draft.extent, sizeof y->extent);
    memcpy(y->stride, draft.stride, sizeof y->stride);
    memcpy(y->name, draft.name, sizeof y->name);
    return record_same(out, y, x, view, err);
}

int tensor_with(struct tensor **out, const struct tensor *x, const size_t *index, int count,
                const struct tensor *part, double number, struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    size_t first = 0, size = x->count;
    if (count > x->rank)
        return error_set(err, "%d indices for a tensor with %d axes", count, x->rank);
    for (int axis = 0; axis < count; axis++) {
        if (index[axis] >= x->extent[axis])
            return error_set(err, "there is no %s %zu: there are %zu", x->name[axis], index[axis] + 1,
                             x->extent[axis]);
        size /= x->extent[axis];
        first += index[axis] * size;
    }
    if (part) {
        bool same = part->rank == x->rank - count;
        for (int axis = 0; same && axis < part->rank; axis++)
            same = part->extent[axis] == x->extent[axis + count];
        if (!same)
            return error_set(err, "cannot put %s where %s stands",
                             shape_compact(mine, part->rank, part->extent),
                             shape_compact(theirs, x->rank - count, x->extent + count));
    }
    struct tensor *whole, *y;
    if (tensor_view(&whole, x, err) < 0)
        return -1;
    const int status = tensor_copy(&y, whole, err);
    tensor_free(whole);
    if (status < 0)
        return -1;
    for (size_t i = 0; i < size; i++)
        element_put(y, (ptrdiff_t)(first + i), part ? (double)tensor_get_flat(part, i) : number);
    return record_with(out, y, x, part, first, size, err);
}
