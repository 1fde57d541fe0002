/* nn.batch_norm, nn.group_norm, nn.instance_norm. */
#include "engine/bind_nn.h"

static const double EPS_DEFAULT = 1e-5, MOMENTUM_DEFAULT = 0.1;

/* What the three have in common. */
struct options {
    int channel;
    tensor_axes axes;
    double eps;
    const struct tensor *scale, *bias;
};

static double number_option(lua_State *L, const char *name, double when_none)
{
    if (lua_getfield(L, 2, name) == LUA_TNIL)
        return when_none;
    if (lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "%s must be a number, not a %s", name, luaL_typename(L, -1));
    return lua_tonumber(L, -1);
}

/* Leaves the tensors that it names on the stack. */
static void read_options(lua_State *L, const char *what, const char *const *known, size_t count, const struct tensor *x,
                         struct options *out)
{
    int rank = tensor_rank(x);
    if (rank == 0)
        luaL_error(L, "a tensor without axes cannot be normalized");
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_newtable(L);
        lua_replace(L, 2);
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    check_keys(L, 2, what, known, count);
    lua_getfield(L, 2, "channel");
    tensor_axes channel = axes_argument(L, -1, x, (tensor_axes)1 << (rank - 1));
    for (out->channel = 0; (tensor_axes)1 << out->channel != channel;)
        if (++out->channel == rank)
            luaL_error(L, "`channel` must be one axis");
    out->eps = number_option(L, "eps", EPS_DEFAULT);
    out->scale = tensor_option(L, 2, "scale");
    out->bias = tensor_option(L, 2, "bias");
}

/* The axes under the key, or all but the first one and those of `without`. */
static tensor_axes pooled_axes(lua_State *L, const struct tensor *x, tensor_axes without, tensor_axes with)
{
    tensor_axes all = tensor_all_axes(x), usual = ((tensor_rank(x) > 1 ? all & ~(tensor_axes)1 : all) & ~without) | with;
    lua_getfield(L, 2, "axes");
    return axes_argument(L, -1, x, usual);
}

/* Boxes for a result and its statistics: pushed before anything is computed, so that nothing is lost when Lua raises. */
enum { BOX_Y, BOX_MEAN, BOX_VAR, BOX_RSTD, BOX_RUNNING_MEAN, BOX_RUNNING_VAR, BOXES };

static int push_boxes(lua_State *L)
{
    int first = lua_gettop(L) + 1;
    for (int i = 0; i < BOXES; i++)
        tensor_push(L);
    return first;
}

static int push_results(lua_State *L, int first, const struct tensor_batch_norm *out)
{
    static const char *const names[BOXES] = { NULL, "mean", "var", "rstd", "running_mean", "running_var" };
    struct tensor *const made[BOXES] = { out->norm.y, out->norm.mean, out->norm.var, out->norm.rstd, out->running_mean, out->running_var };
    for (int i = 0; i < BOXES; i++)
        *tensor_slot(L, first + i) = made[i];
    lua_pushvalue(L, first);
    lua_newtable(L);
    for (int i = 1; i < BOXES; i++) {
        if (!made[i])
            continue;
        if (i >= BOX_RUNNING_MEAN)
            tensor_leaf(L, first + i);
        lua_pushvalue(L, first + i);
        lua_setfield(L, -2, names[i]);
    }
    tensor_made(L);
    return 2;
}

/* nn.batch_norm(x, { channel = the last axis, eps = 1e-5, momentum = 0.1, training = true, scale =, bias =, running_mean =,
   running_var = }): each channel over all other axes (Ioffe, Szegedy 2015). Returns the result and { mean, var, rstd,
   running_mean, running_var }; the running ones are what they become, and there only if they were given. With training = false
   x is normalized by the running ones. scale and its like: one number a channel. */
int nn_batch_norm(lua_State *L)
{
    static const char *const known[] = { "channel", "eps", "momentum", "training", "scale", "bias", "running_mean", "running_var" };
    const struct tensor *x = tensor_check(L, 1);
    struct options options;
    struct tensor_batch_norm out;
    struct error err;
    read_options(L, "option of nn.batch_norm", known, 8, x, &options);
    struct tensor_batch_norm_options by = { .channel = options.channel, .eps = options.eps, .scale = options.scale, .bias = options.bias };
    by.momentum = number_option(L, "momentum", MOMENTUM_DEFAULT);
    by.training = lua_getfield(L, 2, "training") == LUA_TNIL || lua_toboolean(L, -1);
    by.running_mean = tensor_option(L, 2, "running_mean");
    by.running_var = tensor_option(L, 2, "running_var");
    int boxes = push_boxes(L);
    if (batch_norm(&out, x, &by, &err))
        return raise_error(L, &err);
    return push_results(L, boxes, &out);
}

/* nn.group_norm(x, { groups =, channel = the last axis, axes = all but the first, eps = 1e-5, scale =, bias = }): each group of
   neighbouring channels, together with the other axes (Wu, He 2018). Returns the result and { mean, var, rstd }. */
int nn_group_norm(lua_State *L)
{
    static const char *const known[] = { "groups", "channel", "axes", "eps", "scale", "bias" };
    const struct tensor *x = tensor_check(L, 1);
    struct options options;
    struct tensor_batch_norm out = { 0 };
    struct error err;
    int whole;
    read_options(L, "option of nn.group_norm", known, 6, x, &options);
    lua_getfield(L, 2, "groups");
    lua_Integer groups = lua_tointegerx(L, -1, &whole);
    if (!whole || groups < 1)
        return luaL_error(L, "nn.group_norm: `groups` must be a whole number from 1 on");
    struct tensor_norm_options by = { .eps = options.eps, .scale = options.scale, .bias = options.bias };
    by.axes = pooled_axes(L, x, 0, (tensor_axes)1 << options.channel);
    int boxes = push_boxes(L);
    if (group_norm(&out.norm, x, options.channel, (size_t)groups, &by, &err))
        return raise_error(L, &err);
    return push_results(L, boxes, &out);
}

/* nn.instance_norm(x, { channel = the last axis, axes = all but the first and the channels', eps = 1e-5, scale =, bias = }): each
   channel by itself (Ulyanov, Vedaldi, Lempitsky 2016). Returns the result and { mean, var, rstd }. */
int nn_instance_norm(lua_State *L)
{
    static const char *const known[] = { "channel", "axes", "eps", "scale", "bias" };
    const struct tensor *x = tensor_check(L, 1);
    struct options options;
    struct tensor_batch_norm out = { 0 };
    struct error err;
    read_options(L, "option of nn.instance_norm", known, 5, x, &options);
    struct tensor_norm_options by = { .eps = options.eps, .scale = options.scale, .bias = options.bias };
    by.axes = pooled_axes(L, x, (tensor_axes)1 << options.channel, 0);
    int boxes = push_boxes(L);
    if (instance_norm(&out.norm, x, options.channel, &by, &err))
        return raise_error(L, &err);
    return push_results(L, boxes, &out);
}
