/* Single elements, and tensors made of other tensors' elements. */
#include "tensor/layout.h"

#include "tensor/loop.h"

#include <stdio.h>
#include <string.h>

static float *element(const struct tensor *x, const size_t *index)
{
    ptrdiff_t offset = 0;
    for (int axis = 0; axis < x->rank; axis++)
        offset += (ptrdiff_t)index[axis] * x->stride[axis];
    return x->values + offset;
}

static float *element_flat(const struct tensor *x, size_t position)
{
    ptrdiff_t offset = 0;
    for (int axis = x->rank - 1; axis >= 0; axis--) {
        offset += (ptrdiff_t)(position % x->extent[axis]) * x->stride[axis];
        position /= x->extent[axis];
    }
    return x->values + offset;
}

float tensor_get(const struct tensor *x, const size_t *index)
{
    return *element(x, index);
}

void tensor_set(struct tensor *x, const size_t *index, float value)
{
    *element(x, index) = value;
}

float tensor_get_flat(const struct tensor *x, size_t position)
{
    return *element_flat(x, position);
}

void tensor_set_flat(struct tensor *x, size_t position, float value)
{
    *element_flat(x, position) = value;
}

static void copy_elements(float *to, const struct tensor *x)
{
    struct loop loop;
    loop_over(&loop, x->rank, x->extent, x->stride);
    if (loop.count == 0)
        return;
    struct loop_place place = {.offset = {0, 0}};
    const size_t run = loop_run(&loop);
    const ptrdiff_t stride = loop_run_stride(&loop, 0);
    do {
        const float *from = x->values + place.offset[0];
        if (stride == 1)
            memcpy(to, from, run * sizeof *to);
        else
            for (size_t i = 0; i < run; i++)
                to[i] = from[(ptrdiff_t)i * stride];
        to += run;
    } while (loop_next(&loop, &place));
}

int tensor_copy(struct tensor **out, const struct tensor *x, struct error *err)
{
    if (tensor_like(out, x, x->extent, err) < 0)
        return -1;
    copy_elements((*out)->values, x);
    return 0;
}

int tensor_rename(struct tensor **out, const struct tensor *x, const char *const *names, struct error *err)
{
    struct tensor *view, renamed = *x;
    if (tensor_name_axes(&renamed, names, err) < 0 || tensor_view(&view, x, err) < 0)
        return -1;
    memcpy(view->name, renamed.name, sizeof view->name);
    *out = view;
    return 0;
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
    view->values += (ptrdiff_t)index * x->stride[0];
    view->rank--;
    view->count = x->count / x->extent[0];
    for (int axis = 0; axis < view->rank; axis++) {
        view->extent[axis] = x->extent[axis + 1];
        view->stride[axis] = x->stride[axis + 1];
        strcpy(view->name[axis], x->name[axis + 1]);
    }
    *out = view;
    return 0;
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
    if (tensor_like_named(out, first, first->rank + 1, extents, names, err) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        copy_elements((*out)->values + i * first->count, parts[i]);
    return 0;
}
