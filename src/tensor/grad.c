/* Gradients by reverse mode: from the loss back along the record. */
#include "tensor/record.h"

#include <string.h>

/* All that the loss depends on, each node after those that it is an operand of; and whether a gradient is
   wanted of it: it is asked for, or it is on the way to one that is. */
static struct node *order(struct node *root)
{
    struct node *list = NULL, *node = root;
    node->met = true;
    node->link = NULL;
    while (node) {
        if (node->looked_at < node->operand_count) {
            struct node *operand = node->operands[node->looked_at++];
            if (operand && !operand->met) {
                operand->met = true;
                operand->link = node;
                node = operand;
            }
            continue;
        }
        struct node *back = node->link;
        node->wanted = node->asked;
        for (size_t i = 0; i < node->operand_count && !node->wanted; i++)
            node->wanted = node_wants(node, i);
        node->link = list;
        list = node;
        node = back;
    }
    return list;
}

static void drop_gradient(struct node *node)
{
    tensor_free(node->gradient);
    node->gradient = NULL;
}

static void forget(struct node *list)
{
    while (list) {
        struct node *node = list;
        list = node->link;
        drop_gradient(node);
        node->link = NULL;
        node->looked_at = 0;
        node->met = node->wanted = false;
    }
}

static bool operand_wanted(const struct node *node)
{
    for (size_t i = 0; i < node->operand_count; i++)
        if (node_wants(node, i))
            return true;
    return false;
}

static int go_back(struct node *list, struct error *err)
{
    for (struct node *node = list; node; node = node->link) {
        if (!node->gradient)
            continue;
        if (operand_wanted(node) && node->backward(node, node->gradient, err) < 0)
            return -1;
        if (!node->asked)
            drop_gradient(node);
    }
    return 0;
}

/* The gradient that was found, or zeros, with the input's axis names. */
static int result(struct tensor **out, const struct tensor *input, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    for (int axis = 0; axis < input->rank; axis++)
        names[axis] = input->name[axis];
    struct tensor *y;
    if (tensor_like_typed(&y, input, TENSOR_FLOAT32, input->rank, input->extent, names, err) < 0)
        return -1;
    const struct tensor *found = input->node ? input->node->gradient : NULL;
    if (found)
        memcpy(y->values, found->values, y->count * sizeof(float));
    else
        memset(y->values, 0, y->count * sizeof(float));
    *out = y;
    return 0;
}

static int results(struct tensor *out[], const struct tensor *const inputs[], size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (result(&out[i], inputs[i], err) < 0) {
            while (i > 0) {
                tensor_free(out[--i]);
                out[i] = NULL;
            }
            return -1;
        }
    return 0;
}

static void ask(const struct tensor *const inputs[], size_t count, bool asked)
{
    for (size_t i = 0; i < count; i++)
        if (inputs[i]->node)
            inputs[i]->node->asked = asked;
}

int tensor_grad(struct tensor *out[], const struct tensor *loss, const struct tensor *const inputs[],
                size_t count, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (loss->count != 1)
        return error_set(err, "a gradient is that of one number: the loss has the shape %s; sum it first",
                         shape_compact(shape, loss->rank, loss->extent));
    if (!loss->node)
        return results(out, inputs, count, err);
    ask(inputs, count, true);
    struct node *list = order(loss->node);
    int status =
        tensor_like_typed(&loss->node->gradient, loss, TENSOR_FLOAT32, loss->rank, loss->extent, NULL, err);
    if (status == 0) {
        loss->node->gradient->values[0] = 1;
        status = go_back(list, err);
    }
    if (status == 0)
        status = results(out, inputs, count, err);
    ask(inputs, count, false);
    forget(list);
    return status;
}
