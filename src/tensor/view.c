/* Single elements, and tensors made of other tensors' elements. */
#include "tensor/backward.h"
#include "tensor/element.h"
#include "tensor/loop.h"

#include <stdio.h>
#include <string.h>

static ptrdiff_t element(const struct tensor *x, const size_t *index)
{
    ptrdiff_t offset = 0;
    for (int axis = 0; axis < x->rank; axis++)
        offset += (ptrdiff_t)index[axis] * x->stride[axis];
    return offset;
}

static ptrdiff_t element_flat(const struct tensor *x, size_t position)
{
    ptrdiff_t offset = 0;
    for (int axis = x->rank - 1; axis >= 0; axis--) {
        offset += (ptrdiff_t)(position % x->extent[axis]) * x->stride[axis];
        position /= x->extent[axis];
    }
    return offset;
}

float tensor_get(const struct tensor *x, const size_t *index)
{
    return (float)element_at(x, element(x, index));
}

void tensor_set(struct tensor *x, const size_t *index, double value)
{
    element_put(x, element(x, index), value);
}

float tensor_get_flat(const struct tensor *x, size_t position)
{
    return (float)element_at(x, element_flat(x, position));
}

void tensor_set_flat(struct tensor *x, size_t position, double value)
{
    element_put(x, element_flat(x, position), value);
}

static void copy_run(struct tensor *y, size_t first, const struct tensor *x, ptrdiff_t offset,
                     ptrdiff_t stride, size_t n)
{
    if (y->type != TENSOR_FLOAT32 || x->type != TENSOR_FLOAT32) {
        for (size_t i = 0; i < n; i++)
            element_put(y, (ptrdiff_t)(first + i), element_at(x, offset + (ptrdiff_t)i * stride));
        return;
    }
    float *to = y->values + first;
    const float *from = x->values + offset;
    if (stride == 1)
        memcpy(to, from, n * sizeof *to);
    else
        for (size_t i = 0; i < n; i++)
            to[i] = from[(ptrdiff_t)i * stride];
}

/* To y's elements from `first` on. */
static void copy_elements(struct tensor *y, size_t first, const struct tensor *x)
{
    struct loop loop;
    loop_over(&loop, x->rank, x->extent, x->stride);
    if (loop.count == 0)
        return;
    struct loop_place place = {.offset = {0, 0}};
    const size_t run = loop_run(&loop);
    const ptrdiff_t stride = loop_run_stride(&loop, 0);
    do {
        copy_run(y, first, x, place.offset[0], stride, run);
        first += run;
    } while (loop_next(&loop, &place));
}

int tensor_copy(struct tensor **out, const struct tensor *x, struct error *err)
{
    struct tensor *y;
    if (tensor_like(&y, x, x->extent, err) < 0)
        return -1;
    copy_elements(y, 0, x);
    return record_same(out, y, x, false, err);
}

int tensor_rename(struct tensor **out, const struct tensor *x, const char *const *names, struct error *err)
{
    struct tensor *view, renamed = *x;
    if (tensor_name_axes(&renamed, names, err) < 0 || tensor_view(&view, x, err) < 0)
        return -1;
    memcpy(view->name, renamed.name, sizeof view->name);
    return record_same(out, view, x, true, err);
}

int tensor_at(struct tensor **out, const struct tensor *x, size_t index, struct error *err)
{
    if (x->rank == 0)
        return error_set(err, "cannot index a tensor of shape (): it is one number");
    if (index >= x->extent[0])
        return error_set(err, "there is no %s %zu: there are %zu", x->name[0], index + 1, x->extent[0]);
    struct tensor *view;
    if (tensor_view(&view, x, err) < 0)
        return -1;
    element_advance(view, (ptrdiff_t)index * x->stride[0]);
    view->rank--;
    view->count = x->count / x->extent[0];
    for (int axis = 0; axis < view->rank; axis++) {
        view->extent[axis] = x->extent[axis + 1];
        view->stride[axis] = x->stride[axis + 1];
        strcpy(view->name[axis], x->name[axis + 1]);
    }
    return record_at(out, view, x, index, err);
}

/* A name for a new first axis that x does not use yet. */
static void new_axis_name(char name[TENSOR_AXIS_NAME_MAX], const struct tensor *x)
{
    axis_default_name(name, x->rank + 1, 0);
    for (int number = 1; tensor_find_axis(x, name) >= 0; number++)
        snprintf(name, TENSOR_AXIS_NAME_MAX, "axis%d", number);
}

int tensor_stack(struct tensor **out, const struct tensor *const *parts, size_t count, struct error *err)
{
    if (count == 0)
        return error_set(err, "cannot stack no tensors");
    const struct tensor *first = parts[0];
    if (first->rank == TENSOR_RANK_MAX)
        return error_set(err, "cannot stack tensors of %d axes: no more are possible", TENSOR_RANK_MAX);
    for (size_t i = 1; i < count; i++) {
        char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
        if (!tensor_same_shape(first, parts[i]))
            return error_set(err, "cannot stack %s and %s: shapes must be equal",
                             shape_compact(left, first->rank, first->extent),
                             shape_compact(right, parts[i]->rank, parts[i]->extent));
    }
    char name[TENSOR_AXIS_NAME_MAX];
    size_t extents[TENSOR_RANK_MAX] = {count};
    const char *names[TENSOR_RANK_MAX] = {name};
    new_axis_name(name, first);
    for (int axis = 0; axis < first->rank; axis++) {
        extents[axis + 1] = first->extent[axis];
        names[axis + 1] = first->name[axis];
    }
    enum tensor_type type = first->type;
    for (size_t i = 1; i < count; i++)
        type = type_promote(type, parts[i]->type);
    struct tensor *y;
    if (tensor_like_typed(&y, first, type, first->rank + 1, extents, names, err) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        copy_elements(y, i * first->count, parts[i]);
    return record_stack(out, y, parts, count, err);
}
