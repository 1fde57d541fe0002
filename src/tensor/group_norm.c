/* Group norm and instance norm: layer norm over a part of the channels, or over none of them. */
#include "tensor/channel.h"
#include "tensor/norm.h"

#include <string.h>

/* ---- instance norm ---- */

int instance_norm(struct tensor_norm *out, const struct tensor *x, int channel,
                  const struct tensor_norm_options *options, struct error *err)
{
    struct tensor *scale = NULL, *bias = NULL;
    struct tensor_norm_options by = *options;
    if (channel_check(x, channel, err) < 0)
        return -1;
    if (options->axes >> channel & 1)
        return error_set(err, "instance norm normalizes each %s by itself, so not over that axis",
                         x->name[channel]);
    int status = channel_spread(&scale, "scale", options->scale, x, channel, err);
    if (status == 0)
        status = channel_spread(&bias, "bias", options->bias, x, channel, err);
    by.scale = scale;
    by.bias = bias;
    if (status == 0)
        status = layer_norm(out, x, &by, err);
    tensor_free(scale);
    tensor_free(bias);
    return status;
}

/* ---- group norm ---- */

/* x's shape with the axis parted into (groups, the rest of it). */
struct parted {
    int rank;
    size_t extents[TENSOR_RANK_MAX];
    const char *names[TENSOR_RANK_MAX];
    char group[TENSOR_AXIS_NAME_MAX];
};

static void part_axis(struct parted *parted, const struct tensor *x, int channel, size_t groups)
{
    parted->rank = x->rank + 1;
    strcpy(parted->group, "group");
    for (char *end = parted->group + strlen(parted->group); tensor_find_axis(x, parted->group) >= 0; end++)
        strcpy(end, "_");
    for (int axis = 0; axis < parted->rank; axis++) {
        const int own = axis > channel ? axis - 1 : axis;
        parted->extents[axis] = axis == channel       ? groups
                                : axis == channel + 1 ? x->extent[channel] / groups
                                                      : x->extent[own];
        parted->names[axis] = axis == channel ? parted->group : x->name[own];
    }
}

/* y in x's axes again, the two made one of that extent; frees what it was. */
static int join_axes(struct tensor **y, const struct tensor *x, int channel, bool whole, struct error *err)
{
    struct tensor *old = *y;
    const char *names[TENSOR_RANK_MAX];
    size_t extents[TENSOR_RANK_MAX];
    *y = NULL;
    if (!old)
        return 0;
    for (int axis = 0; axis < x->rank; axis++) {
        names[axis] = x->name[axis];
        extents[axis] = old->extent[axis > channel ? axis + 1 : axis];
    }
    extents[channel] = whole ? x->extent[channel] : old->extent[channel];
    const int status = tensor_reshape(y, old, x->rank, extents, names, err);
    tensor_free(old);
    return status;
}

static int spread_and_part(struct tensor **out, const char *what, const struct tensor *v,
                           const struct tensor *x, int channel, size_t groups, struct error *err)
{
    struct tensor *spread;
    struct parted parted;
    if (channel_spread(&spread, what, v, x, channel, err) < 0)
        return -1;
    if (!spread)
        return 0;
    part_axis(&parted, spread, channel, groups);
    const int status = tensor_reshape(out, spread, parted.rank, parted.extents, parted.names, err);
    tensor_free(spread);
    return status;
}

static int check(const struct tensor *x, int channel, size_t groups, tensor_axes axes, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (channel_check(x, channel, err) < 0)
        return -1;
    tensor_shape_text(x, shape);
    if (x->rank == TENSOR_RANK_MAX)
        return error_set(err, "group norm needs room for the groups' axis: %s", shape);
    if (!(axes >> channel & 1))
        return error_set(err, "group norm normalizes over %s too: its axes must hold that one",
                         x->name[channel]);
    if (groups == 0 || x->extent[channel] % groups)
        return error_set(err, "axis %s of %s has size %zu, which cannot be shared out among %zu groups", x->name[channel],
                         shape, x->extent[channel], groups);
    return axes_check(x, axes, err);
}

int group_norm(struct tensor_norm *out, const struct tensor *x, int channel, size_t groups,
               const struct tensor_norm_options *options, struct error *err)
{
    struct tensor_norm made = {.y = NULL};
    struct tensor *in = NULL, *scale = NULL, *bias = NULL;
    struct parted parted;
    if (check(x, channel, groups, options->axes, err) < 0)
        return -1;
    part_axis(&parted, x, channel, groups);
    const tensor_axes below = ((tensor_axes)1 << channel) - 1;
    struct tensor_norm_options by = {.eps = options->eps,
                                     .axes = (options->axes & below) | (options->axes & ~below) << 1};
    int status = tensor_reshape(&in, x, parted.rank, parted.extents, parted.names, err);
    if (status == 0)
        status = spread_and_part(&scale, "scale", options->scale, x, channel, groups, err);
    if (status == 0)
        status = spread_and_part(&bias, "bias", options->bias, x, channel, groups, err);
    by.scale = scale;
    by.bias = bias;
    if (status == 0)
        status = layer_norm(&made, in, &by, err);
    tensor_free(in);
    tensor_free(scale);
    tensor_free(bias);
    if (status == 0 && join_axes(&made.y, x, channel, true, err) == 0 &&
        join_axes(&made.mean, x, channel, false, err) == 0 &&
        join_axes(&made.var, x, channel, false, err) == 0 &&
        join_axes(&made.rstd, x, channel, false, err) == 0) {
        *out = made;
        return 0;
    }
    norm_results_free(&made);
    return -1;
}
