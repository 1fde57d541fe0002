/* The way back of what only moves elements about. */
#include "tensor/backward.h"

#include <string.h>

static int backward_same(struct node *node, const struct tensor *g, struct error *err)
{
    return node_pass(node, 0, g, err);
}

int record_same(struct tensor **out, struct tensor *y, const struct tensor *x, bool view, struct error *err)
{
    const struct record record = {.backward = backward_same, .operands = {x}};
    return view ? record_view(out, y, &record, err) : record_result(out, y, &record, err);
}

/* ---- one of the first axis, and all of them ---- */

static int backward_at(struct node *node, const struct tensor *g, struct error *err)
{
    float *sum;
    if (node_sum(&sum, node, 0, g, err) < 0)
        return -1;
    sum += *(const size_t *)node->details * g->count;
    for (size_t i = 0; i < g->count; i++)
        sum[i] += g->values[i];
    return 0;
}

int record_at(struct tensor **out, struct tensor *y, const struct tensor *x, size_t index, struct error *err)
{
    const struct record record = {
        .backward = backward_at, .operands = {x}, .details = &index, .details_size = sizeof index};
    return record_view(out, y, &record, err);
}

/* `count` elements of g, from `first` on. */
static int pass_some(struct node *node, size_t operand, const struct tensor *g, size_t first, size_t count,
                     struct error *err)
{
    struct tensor *part;
    if (tensor_view(&part, g, err) < 0)
        return -1;
    part->values += first;
    part->count = count;
    const int status = node_pass(node, operand, part, err);
    tensor_free(part);
    return status;
}

static int backward_stack(struct node *node, const struct tensor *g, struct error *err)
{
    const size_t count = g->count / node->operand_count;
    for (size_t i = 0; i < node->operand_count; i++)
        if (node_wants(node, i) && pass_some(node, i, g, i * count, count, err) < 0)
            return -1;
    return 0;
}

int record_stack(struct tensor **out, struct tensor *y, const struct tensor *const *parts, size_t count,
                 struct error *err)
{
    return record_many(out, y, backward_stack, parts, count, err);
}

/* ---- a part replaced ---- */

struct place {
    size_t first, count;
};

static int backward_with(struct node *node, const struct tensor *g, struct error *err)
{
    const struct place *place = node->details;
    struct tensor *rest;
    if (node_wants(node, 1) && pass_some(node, 1, g, place->first, place->count, err) < 0)
        return -1;
    if (!node_wants(node, 0))
        return 0;
    if (tensor_copy(&rest, g, err) < 0)
        return -1;
    memset(rest->values + place->first, 0, place->count * sizeof(float));
    return node_give(node, 0, rest, err);
}

int record_with(struct tensor **out, struct tensor *y, const struct tensor *x, const struct tensor *part,
                size_t first, size_t count, struct error *err)
{
    const struct place place = {first, count};
    const struct record record = {
        .backward = backward_with, .operands = {x, part}, .details = &place, .details_size = sizeof place};
    return record_result(out, y, &record, err);
}

/* ---- two axes exchanged ---- */

struct exchanged {
    int first, second;
};

static int backward_transpose(struct node *node, const struct tensor *g, struct error *err)
{
    const struct exchanged *axes = node->details;
    struct tensor *view, *back;
    if (tensor_transpose(&view, g, axes->first, axes->second, err) < 0)
        return -1;
    const int status = tensor_copy(&back, view, err);
    tensor_free(view);
    return status < 0 ? -1 : node_give(node, 0, back, err);
}

int record_transpose(struct tensor **out, struct tensor *y, const struct tensor *x, int first, int second,
                     struct error *err)
{
    const struct exchanged axes = {first, second};
    const struct record record = {
        .backward = backward_transpose, .operands = {x}, .details = &axes, .details_size = sizeof axes};
    return record_view(out, y, &record, err);
}
