#include "tensor/record.h"

#include <stdalign.h>
#include <string.h>

/* ---- making ---- */

struct parts {
    rule_backward *backward;
    const struct tensor *const *operands, *const *saved;
    size_t operand_count, saved_count;
    const void *details;
    size_t details_size;
};

static size_t details_offset(size_t pointers, int rank)
{
    const size_t before = sizeof(struct node) + pointers * sizeof(void *) + (size_t)rank * sizeof(size_t);
    return (before + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
}

/* float32, and no part of the record itself. */
static int save(struct tensor **out, const struct tensor *x, struct error *err)
{
    struct tensor *view;
    if (tensor_view(&view, x, err) < 0)
        return -1;
    x->storage->recorded = true;
    *out = view;
    if (x->type == TENSOR_FLOAT32)
        return 0;
    const int status = tensor_cast(out, view, TENSOR_FLOAT32, err);
    tensor_free(view);
    return status;
}

static struct node *node_new(const struct tensor *y, const struct parts *parts, struct error *err)
{
    const struct tensor_memory *memory = y->storage->memory;
    const size_t pointers = parts->operand_count + parts->saved_count;
    const size_t details = details_offset(pointers, y->rank), bytes = details + parts->details_size;
    struct node *node = memory->resize(memory->context, NULL, 0, bytes);
    if (!node) {
        error_set(err, "out of memory");
        return NULL;
    }
    memset(node, 0, bytes);
    node->memory = memory;
    node->references = 1;
    node->bytes = bytes;
    node->backward = parts->backward;
    node->operands = (struct node **)(node + 1);
    node->saved = (struct tensor **)(node->operands + parts->operand_count);
    node->extents = (size_t *)(node->saved + parts->saved_count);
    node->details = (char *)node + details;
    node->rank = y->rank;
    memcpy(node->extents, y->extent, (size_t)y->rank * sizeof *y->extent);
    if (parts->details_size)
        memcpy(node->details, parts->details, parts->details_size);
    for (; node->operand_count < parts->operand_count; node->operand_count++) {
        const struct tensor *operand = parts->operands[node->operand_count];
        if (!operand || !operand->node)
            continue;
        node->operands[node->operand_count] = operand->node;
        operand->node->references++;
    }
    for (; node->saved_count < parts->saved_count; node->saved_count++) {
        const struct tensor *x = parts->saved[node->saved_count];
        if (x && save(&node->saved[node->saved_count], x, err) < 0) {
            node->saved[node->saved_count] = NULL;
            node_release(node);
            return NULL;
        }
    }
    return node;
}

int tensor_track(struct tensor *x, struct error *err)
{
    if (!x->node)
        x->node = node_new(x, &(struct parts){.backward = NULL}, err);
    return x->node ? 0 : -1;
}

bool tensor_tracked(const struct tensor *x)
{
    return x->node != NULL;
}

bool tensor_recorded(const struct tensor *x)
{
    return x->storage->recorded;
}

int tensor_detach(struct tensor **out, const struct tensor *x, struct error *err)
{
    return tensor_view(out, x, err);
}

static bool any_tracked(const struct tensor *const *operands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (operands[i] && operands[i]->node)
            return true;
    return false;
}

bool record_wanted(const struct record *record)
{
    return any_tracked(record->operands, RECORD_OPERANDS);
}

static int finish(struct tensor **out, struct tensor *y, const struct parts *parts, bool view,
                  struct error *err)
{
    if (any_tracked(parts->operands, parts->operand_count)) {
        y->node = node_new(y, parts, err);
        if (!y->node) {
            tensor_free(y);
            return -1;
        }
        for (size_t i = 0; i < parts->operand_count && !view; i++)
            if (parts->operands[i])
                parts->operands[i]->storage->recorded = true;
        y->storage->recorded = y->storage->recorded || !view;
    }
    *out = y;
    return 0;
}

static struct parts parts_of(const struct record *record)
{
    return (struct parts){record->backward, record->operands, record->saved,       RECORD_OPERANDS,
                          RECORD_SAVED,     record->details,  record->details_size};
}

int record_result(struct tensor **out, struct tensor *y, const struct record *record, struct error *err)
{
    const struct parts parts = parts_of(record);
    return finish(out, y, &parts, false, err);
}

int record_view(struct tensor **out, struct tensor *y, const struct record *record, struct error *err)
{
    const struct parts parts = parts_of(record);
    return finish(out, y, &parts, true, err);
}

int record_many(struct tensor **out, struct tensor *y, rule_backward *backward,
                const struct tensor *const *operands, size_t count, struct error *err)
{
    return finish(out, y, &(struct parts){.backward = backward, .operands = operands, .operand_count = count},
                  false, err);
}

/* What nobody refers to any more forms a list, so that no depth of the record is a depth of calls. */
void node_release(struct node *node)
{
    if (!node || --node->references)
        return;
    node->link = NULL;
    while (node) {
        struct node *dead = node;
        node = dead->link;
        for (size_t i = 0; i < dead->operand_count; i++) {
            struct node *operand = dead->operands[i];
            if (operand && --operand->references == 0) {
                operand->link = node;
                node = operand;
            }
        }
        for (size_t i = 0; i < dead->saved_count; i++)
            tensor_free(dead->saved[i]);
        dead->memory->resize(dead->memory->context, dead, dead->bytes, 0);
    }
}

/* ---- gradients of operands ---- */

bool node_wants(const struct node *node, size_t operand)
{
    return node->operands[operand] && node->operands[operand]->wanted;
}

int node_gradient(struct tensor **out, const struct tensor *g, const struct node *node, size_t operand,
                  struct error *err)
{
    const struct node *of = node->operands[operand];
    return tensor_like_typed(out, g, TENSOR_FLOAT32, of->rank, of->extents, NULL, err);
}

/* The node's gradient, made its own alone. */
static int own(struct node *node, struct error *err)
{
    struct tensor *copy;
    if (node->gradient->storage->references == 1)
        return 0;
    if (tensor_copy(&copy, node->gradient, err) < 0)
        return -1;
    tensor_free(node->gradient);
    node->gradient = copy;
    return 0;
}

int node_give(struct node *node, size_t operand, struct tensor *gradient, struct error *err)
{
    struct node *to = node->operands[operand];
    if (!to->gradient) {
        to->gradient = gradient;
        return 0;
    }
    const int status = own(to, err);
    if (status == 0) {
        float *restrict sum = to->gradient->values;
        const float *restrict more = gradient->values;
        for (size_t i = 0; i < gradient->count; i++)
            sum[i] += more[i];
    }
    tensor_free(gradient);
    return status;
}

struct tensor *node_take(struct node *node, size_t operand)
{
    struct node *to = node->operands[operand];
    struct tensor *gradient = to->gradient;
    to->gradient = NULL;
    return gradient;
}

int node_pass(struct node *node, size_t operand, const struct tensor *g, struct error *err)
{
    const struct node *to = node->operands[operand];
    struct tensor *view;
    if (tensor_view(&view, g, err) < 0)
        return -1;
    view->rank = to->rank;
    ptrdiff_t span = 1;
    for (int axis = to->rank - 1; axis >= 0; axis--) {
        view->extent[axis] = to->extents[axis];
        view->stride[axis] = span;
        span *= (ptrdiff_t)(to->extents[axis] ? to->extents[axis] : 1);
    }
    for (int axis = 0; axis < to->rank; axis++)
        axis_default_name(view->name[axis], to->rank, axis);
    return node_give(node, operand, view, err);
}

int node_sum(float **out, struct node *node, size_t operand, const struct tensor *g, struct error *err)
{
    struct node *to = node->operands[operand];
    if (!to->gradient) {
        if (node_gradient(&to->gradient, g, node, operand, err) < 0)
            return -1;
        memset(to->gradient->values, 0, to->gradient->count * sizeof(float));
    }
    if (own(to, err) < 0)
        return -1;
    *out = to->gradient->values;
    return 0;
}

double *sums_new(const struct tensor *x, size_t count, struct error *err)
{
    const struct tensor_memory *memory = x->storage->memory;
    const size_t bytes = (count + 1) * sizeof(double); /* count elements of float32 there are: it fits */
    double *sums = memory->resize(memory->context, NULL, 0, bytes);
    if (!sums)
        error_set(err, "out of memory");
    else
        memset(sums, 0, bytes);
    return sums;
}

void sums_free(const struct tensor *x, double *sums, size_t count)
{
    const struct tensor_memory *memory = x->storage->memory;
    if (sums)
        memory->resize(memory->context, sums, (count + 1) * sizeof(double), 0);
}

void sums_round(float *to, const double *sums, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float)sums[i];
}
