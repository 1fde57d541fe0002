#include "tensor/channel.h"

int channel_check(const struct tensor *x, int channel, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (channel < 0 || channel >= x->rank)
        return error_set(err, "%s has only %d axes", shape_compact(shape, x->rank, x->extent), x->rank);
    return 0;
}

int channel_spread(struct tensor **out, const char *what, const struct tensor *v, const struct tensor *x,
                   int channel, struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    const char *names[TENSOR_RANK_MAX];
    size_t extents[TENSOR_RANK_MAX];
    *out = NULL;
    if (!v)
        return 0;
    if (v->rank != 1 || v->extent[0] != x->extent[channel])
        return error_set(err, "%s %s does not fit %s: it needs one number for each of %zu of %s", what,
                         shape_compact(mine, v->rank, v->extent), shape_compact(theirs, x->rank, x->extent),
                         x->extent[channel], x->name[channel]);
    for (int axis = 0; axis < x->rank; axis++) {
        names[axis] = x->name[axis];
        extents[axis] = axis == channel ? x->extent[channel] : 1;
    }
    return tensor_reshape(out, v, x->rank, extents, names, err);
}
