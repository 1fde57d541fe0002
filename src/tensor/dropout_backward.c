/* The way back of dropout: what was dropped gets nothing, what was kept is scaled as on the way there. */
#include "tensor/backward.h"

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    const double kept = 1 - *(const double *)node->details;
    const struct tensor *mask = node->saved[0];
    struct tensor *back;
    if (node_gradient(&back, g, node, 0, err) < 0)
        return -1;
    for (size_t i = 0; i < back->count; i++)
        back->values[i] = (float)((double)g->values[i] * (double)mask->values[i] / kept);
    return node_give(node, 0, back, err);
}

int record_dropout(struct tensor **out, struct tensor *y, const struct tensor *x, const struct tensor *mask,
                   double rate, struct error *err)
{
    const struct record record = {.backward = backward,
                                  .operands = {x},
                                  .saved = {mask},
                                  .details = &rate,
                                  .details_size = sizeof rate};
    return record_result(out, y, &record, err);
}
