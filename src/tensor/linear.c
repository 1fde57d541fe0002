/* The linear layer. */
#include "tensor/backward.h"
#include "tensor/matrix.h"

#include <string.h>

static int check(const struct tensor *x, const struct tensor *weight, const struct tensor *bias,
                 struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    if (x->rank == 0)
        return error_set(err, "a linear layer needs an axis to act on: x has the shape ()");
    shape_compact(mine, x->rank, x->extent);
    shape_compact(theirs, weight->rank, weight->extent);
    if (weight->rank != 2)
        return error_set(err, "a weight has two axes, what comes out and what goes in: it is %s", theirs);
    if (weight->extent[1] != x->extent[x->rank - 1])
        return error_set(err, "the weight %s does not fit x %s: %s is %zu, %s is %zu", theirs, mine,
                         weight->name[1], weight->extent[1], x->name[x->rank - 1], x->extent[x->rank - 1]);
    if (bias && (bias->rank != 1 || bias->extent[0] != weight->extent[0]))
        return error_set(err, "the bias %s does not fit the weight %s: it needs one number for each of %zu",
                         shape_compact(mine, bias->rank, bias->extent), theirs, weight->extent[0]);
    return 0;
}

/* A contiguous copy of float32 in untracked memory; NULL gives NULL. */
static int plain(struct tensor **out, const struct tensor *x, struct error *err)
{
    struct tensor *view, *wide;
    *out = NULL;
    if (!x)
        return 0;
    if (tensor_detach(&view, x, err) < 0)
        return -1;
    if (view->type == TENSOR_FLOAT32 && tensor_is_contiguous(view)) {
        *out = view;
        return 0;
    }
    const int status = tensor_cast(&wide, view, TENSOR_FLOAT32, err);
    tensor_free(view);
    if (status == 0)
        *out = wide;
    return status;
}

enum { BLOCK = 16 }; /* rows and columns that are turned at once: lines of the cache are whole when they leave it */

static void turn_block(float *y, const float *x, size_t rows, size_t columns, size_t row, size_t column)
{
    const size_t row_end = rows - row < BLOCK ? rows : row + BLOCK;
    const size_t column_end = columns - column < BLOCK ? columns : column + BLOCK;
    for (size_t j = column; j < column_end; j++)
        for (size_t i = row; i < row_end; i++)
            y[j * rows + i] = x[i * columns + j];
}

/* The same of the transposed matrix; in front of the last axis all are one. */
static int turned(struct tensor **out, const struct tensor *x, struct error *err)
{
    struct tensor *straight;
    if (plain(&straight, x, err) < 0)
        return -1;
    const size_t columns = x->extent[x->rank - 1], rows = columns ? x->count / columns : 0;
    const int status =
        tensor_like_typed(out, straight, TENSOR_FLOAT32, 2, (const size_t[]){columns, rows}, NULL, err);
    for (size_t row = 0; status == 0 && row < rows; row += BLOCK)
        for (size_t column = 0; column < columns; column += BLOCK)
            turn_block((*out)->values, straight->values, rows, columns, row, column);
    tensor_free(straight);
    return status;
}

static int forward(struct tensor **out, const struct tensor *x, const struct tensor *weight,
                   const struct tensor *bias, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    size_t extents[TENSOR_RANK_MAX];
    struct tensor *left = NULL, *right = NULL, *add = NULL;
    for (int axis = 0; axis < x->rank; axis++) {
        names[axis] = x->name[axis];
        extents[axis] = x->extent[axis];
    }
    extents[x->rank - 1] = weight->extent[0];
    const enum tensor_type type = type_promote(x->type, weight->type);
    int status = -1;
    const bool few = x->count < weight->count; /* the smaller one is turned */
    if (plain(&left, few ? weight : x, err) == 0 && turned(&right, few ? x : weight, err) == 0 &&
        plain(&add, bias, err) == 0 &&
        tensor_like_typed(out, x, bias ? type_promote(type, bias->type) : type, x->rank, extents, names,
                          err) == 0) {
        const size_t inner = weight->extent[1], features = weight->extent[0];
        const size_t tokens = features ? (*out)->count / features : 0;
        matrix_multiply(&(struct matrix_product){.rows = few ? features : tokens,
                                                 .inner = inner,
                                                 .columns = few ? tokens : features,
                                                 .a = left->values,
                                                 .a_row = (ptrdiff_t)inner,
                                                 .a_column = 1,
                                                 .b = right->values,
                                                 .b_row = (ptrdiff_t)(few ? tokens : features),
                                                 .bias = add ? add->values : NULL,
                                                 .y = *out,
                                                 .turned = few});
        status = 0;
    }
    tensor_free(left);
    tensor_free(right);
    tensor_free(add);
    return status;
}

/* ---- the way back: dx = g weight, dweight = g^T x, dbias = the sum of g over all tokens ---- */

static int back_to_x(struct node *node, const struct tensor *g, const struct tensor *weight,
                     struct error *err)
{
    struct tensor *dx, *w;
    if (plain(&w, weight, err) < 0)
        return -1;
    if (node_gradient(&dx, g, node, 0, err) < 0) {
        tensor_free(w);
        return -1;
    }
    const size_t out = weight->extent[0], in = weight->extent[1];
    matrix_multiply(&(struct matrix_product){.rows = in ? dx->count / in : 0,
                                             .inner = out,
                                             .columns = in,
                                             .a = g->values,
                                             .a_row = (ptrdiff_t)out,
                                             .a_column = 1,
                                             .b = w->values,
                                             .b_row = (ptrdiff_t)in,
                                             .y = dx});
    tensor_free(w);
    return node_give(node, 0, dx, err);
}

static int back_to_weight(struct node *node, const struct tensor *g, const struct tensor *x,
                          struct error *err)
{
    struct tensor *dweight, *in;
    if (plain(&in, x, err) < 0)
        return -1;
    if (node_gradient(&dweight, g, node, 1, err) < 0) {
        tensor_free(in);
        return -1;
    }
    const size_t rows = dweight->extent[0], columns = dweight->extent[1];
    matrix_multiply(&(struct matrix_product){.rows = rows,
                                             .inner = rows ? g->count / rows : 0,
                                             .columns = columns,
                                             .a = g->values,
                                             .a_row = 1,
                                             .a_column = (ptrdiff_t)rows,
                                             .b = in->values,
                                             .b_row = (ptrdiff_t)columns,
                                             .y = dweight});
    tensor_free(in);
    return node_give(node, 1, dweight, err);
}

static int back_to_bias(struct node *node, const struct tensor *g, struct error *err)
{
    struct tensor *dbias;
    if (node_gradient(&dbias, g, node, 2, err) < 0)
        return -1;
    double *sums = sums_new(g, dbias->count, err);
    if (!sums) {
        tensor_free(dbias);
        return -1;
    }
    for (size_t i = 0; i < g->count; i += dbias->count)
        for (size_t j = 0; j < dbias->count; j++)
            sums[j] += (double)g->values[i + j];
    sums_round(dbias->values, sums, dbias->count);
    sums_free(g, sums, dbias->count);
    return node_give(node, 2, dbias, err);
}

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    if (node_wants(node, 0) && back_to_x(node, g, node->saved[1], err) < 0)
        return -1;
    if (node_wants(node, 1) && back_to_weight(node, g, node->saved[0], err) < 0)
        return -1;
    return node_wants(node, 2) ? back_to_bias(node, g, err) : 0;
}

int tensor_linear(struct tensor **out, const struct tensor *x, const struct tensor *weight,
                  const struct tensor *bias, struct error *err)
{
    struct tensor *y;
    if (check(x, weight, bias, err) < 0 || forward(&y, x, weight, bias, err) < 0)
        return -1;
    return record_result(out, y,
                         &(struct record){.backward = backward,
                                          .operands = {x, weight, bias},
                                          .saved = {weight->node ? x : NULL, x->node ? weight : NULL}},
                         err);
}
