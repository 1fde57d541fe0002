/* Products of matrices in the last two axes. */
#include "tensor/backward.h"
#include "tensor/broadcast.h"
#include "tensor/loop.h"
#include "tensor/matrix.h"

#include <stdio.h>
#include <string.h>

/* ---- shapes and names ---- */

struct product_shape {
    int rank;
    size_t extents[TENSOR_RANK_MAX];
    char names[TENSOR_RANK_MAX][TENSOR_AXIS_NAME_MAX];
};

static bool used_before(const struct product_shape *shape, int axis, const char *name)
{
    for (int i = 0; i < axis; i++)
        if (strcmp(shape->names[i], name) == 0)
            return true;
    return false;
}

/* The name, or if an axis in front has it the one by default, or the first of axis1, axis2 … */
static void name_axis(struct product_shape *shape, int axis, const char *name)
{
    char other[TENSOR_AXIS_NAME_MAX];
    strcpy(other, name);
    if (used_before(shape, axis, other))
        axis_default_name(other, shape->rank, axis);
    for (int number = 1; used_before(shape, axis, other); number++)
        snprintf(other, sizeof other, "axis%d", number);
    strcpy(shape->names[axis], other);
}

static int refuse(struct error *err, const struct tensor *a, int i, const struct tensor *b, int j)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    return error_set(err, "cannot multiply the matrices of %s by those of %s: %s is %zu, %s is %zu",
                     shape_compact(left, a->rank, a->extent), shape_compact(right, b->rank, b->extent),
                     a->name[i], a->extent[i], b->name[j], b->extent[j]);
}

static int join(struct product_shape *shape, const struct tensor *a, const struct tensor *b,
                struct error *err)
{
    char text[TENSOR_SHAPE_TEXT];
    const struct tensor *flat = a->rank < 2 ? a : b;
    if (flat->rank < 2)
        return error_set(err, "a matrix has two axes: %s is none",
                         shape_compact(text, flat->rank, flat->extent));
    if (a->extent[a->rank - 1] != b->extent[b->rank - 2])
        return refuse(err, a, a->rank - 1, b, b->rank - 2);
    shape->rank = a->rank > b->rank ? a->rank : b->rank;
    for (int axis = 0; axis < shape->rank - 2; axis++) {
        const int i = axis - (shape->rank - a->rank), j = axis - (shape->rank - b->rank);
        const size_t left = i < 0 ? 1 : a->extent[i], right = j < 0 ? 1 : b->extent[j];
        if (left != right && left != 1 && right != 1)
            return refuse(err, a, i, b, j);
        shape->extents[axis] = left == 1 ? right : left;
        name_axis(shape, axis, i < 0 ? b->name[j] : a->name[i]);
    }
    shape->extents[shape->rank - 2] = a->extent[a->rank - 2];
    shape->extents[shape->rank - 1] = b->extent[b->rank - 1];
    name_axis(shape, shape->rank - 2, a->name[a->rank - 2]);
    name_axis(shape, shape->rank - 1, b->name[b->rank - 1]);
    return 0;
}

static int new_result(struct tensor **out, const struct product_shape *shape, const struct tensor *a,
                      const struct tensor *b, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    for (int axis = 0; axis < shape->rank; axis++)
        names[axis] = shape->names[axis];
    return tensor_like_typed(out, a, type_promote(a->type, b->type), shape->rank, shape->extents, names, err);
}

/* ---- products ---- */

/* float32, with contiguous rows if `rows`; x itself where it is so, else the caller's copy. */
static int readable(const struct tensor **out, const struct tensor *x, bool rows, struct error *err)
{
    struct tensor *plain, *copy;
    *out = x;
    if (x->type == TENSOR_FLOAT32 && (!rows || x->extent[x->rank - 1] <= 1 || x->stride[x->rank - 1] == 1))
        return 0;
    if (tensor_detach(&plain, x, err) < 0)
        return -1;
    const int status = tensor_cast(&copy, plain, TENSOR_FLOAT32, err);
    tensor_free(plain);
    if (status == 0)
        *out = copy;
    return status;
}

/* The products of all pairs of matrices that shape's axes in front pair; each has its place in y, or is added
   to its place in `sums`, by their strides. */
static void multiply(const struct product_shape *shape, const struct tensor *a, const struct tensor *b,
                     struct tensor *y, double *sums, const ptrdiff_t *places)
{
    ptrdiff_t strides[2][TENSOR_RANK_MAX];
    struct loop batch;
    broadcast_strides(strides[0], a, shape->rank);
    broadcast_strides(strides[1], b, shape->rank);
    loop_begin(&batch);
    for (int axis = 0; axis < shape->rank - 2; axis++)
        loop_add_all(&batch, shape->extents[axis],
                     (const ptrdiff_t[LOOP_TENSORS]){strides[0][axis], strides[1][axis], places[axis]});
    struct matrix_product product = {.rows = shape->extents[shape->rank - 2],
                                     .inner = a->extent[a->rank - 1],
                                     .columns = shape->extents[shape->rank - 1],
                                     .a_row = a->stride[a->rank - 2],
                                     .a_column = a->stride[a->rank - 1],
                                     .b_row = b->stride[b->rank - 2],
                                     .y = y,
                                     .sums = sums};
    for (size_t i = 0; i < batch.count; i++) {
        product.a = a->values + loop_offset(&batch, i, 0);
        product.b = b->values + loop_offset(&batch, i, 1);
        product.first = (size_t)loop_offset(&batch, i, 2);
        matrix_multiply(&product);
    }
}

/* Both readable; the caller frees what are copies (type_widened), also on failure. */
static int both_readable(const struct tensor **left, const struct tensor **right, const struct tensor *a,
                         const struct tensor *b, struct error *err)
{
    *left = a;
    *right = b;
    return readable(left, a, false, err) < 0 || readable(right, b, true, err) < 0 ? -1 : 0;
}

/* ---- the way back: da = g b^T, db = a^T g, summed over what was broadcast ---- */

static int back_to(struct node *node, size_t operand, const struct tensor *g, const struct tensor *a,
                   const struct tensor *b, struct error *err)
{
    const struct node *to = node->operands[operand];
    const struct tensor *left, *right;
    ptrdiff_t places[TENSOR_RANK_MAX];
    struct product_shape shape;
    struct tensor *back;
    double *sums = NULL;
    if (join(&shape, a, b, err) < 0 || node_gradient(&back, g, node, operand, err) < 0)
        return -1;
    spread_strides(places, to->rank, to->extents, shape.rank);
    const int status = both_readable(&left, &right, a, b, err);
    if (status == 0 && (sums = sums_new(g, back->count, err))) {
        multiply(&shape, left, right, NULL, sums, places);
        sums_round(back->values, sums, back->count);
    }
    type_widened(left, a);
    type_widened(right, b);
    if (!sums) {
        tensor_free(back);
        return -1;
    }
    sums_free(g, sums, back->count);
    return node_give(node, operand, back, err);
}

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    const struct tensor *saved[2] = {node->saved[1], node->saved[0]};
    for (size_t i = 0; i < 2; i++) {
        struct tensor *turned;
        if (!node_wants(node, i))
            continue;
        const struct tensor *other = saved[i];
        if (tensor_transpose(&turned, other, other->rank - 2, other->rank - 1, err) < 0)
            return -1;
        const int status = i == 0 ? back_to(node, 0, g, g, turned, err) : back_to(node, 1, g, turned, g, err);
        tensor_free(turned);
        if (status < 0)
            return -1;
    }
    return 0;
}

int tensor_matmul(struct tensor **out, const struct tensor *a, const struct tensor *b, struct error *err)
{
    struct product_shape shape;
    ptrdiff_t places[TENSOR_RANK_MAX];
    const struct tensor *left, *right;
    struct tensor *y;
    if (join(&shape, a, b, err) < 0)
        return -1;
    int status = both_readable(&left, &right, a, b, err);
    if (status == 0 && (status = new_result(&y, &shape, a, b, err)) == 0) {
        spread_strides(places, shape.rank, shape.extents, shape.rank);
        multiply(&shape, left, right, y, NULL, places);
    }
    type_widened(left, a);
    type_widened(right, b);
    if (status < 0)
        return -1;
    return record_result(out, y,
                         &(struct record){.backward = backward,
                                          .operands = {a, b},
                                          .saved = {b->node ? a : NULL, a->node ? b : NULL}},
                         err);
}
