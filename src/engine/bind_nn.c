/* nn: normalization and dropout in Lua. */
#include <string.h>

#include "engine/bind_nn.h"
#include "engine/bind_precision.h"

static const double EPS_DEFAULT = 1e-5;

const struct tensor *tensor_option(lua_State *L, int index, const char *name)
{
    if (lua_getfield(L, index, name) == LUA_TNIL)
        return NULL;
    const struct tensor *x = tensor_test(L, -1); /* stays on the stack, and so alive */
    if (!x)
        luaL_error(L, "%s must be a tensor, not a %s", name, luaL_typename(L, -1));
    return x;
}

/* The options under the index, or those by default where there are none; leaves the tensors that they name on the stack. */
static void read_options(lua_State *L, int index, const struct tensor *x, bool layer, struct tensor_norm_options *options, struct tensor_steps *steps)
{
    static const char *const known[] = { "axes", "eps", "scale", "bias", "accumulate", "method" };
    int rank = tensor_rank(x);
    if (rank == 0)
        luaL_error(L, "a tensor without axes cannot be normalized");
    *options = (struct tensor_norm_options){ .axes = (tensor_axes)1 << (rank - 1), .eps = EPS_DEFAULT };
    lua_settop(L, index);
    if (lua_isnil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    check_keys(L, index, "option", known, layer ? 6 : 5);
    lua_getfield(L, index, "axes");
    options->axes = axes_argument(L, -1, x, options->axes);
    if (lua_getfield(L, index, "eps") != LUA_TNIL)
        options->eps = luaL_checknumber(L, -1);
    options->scale = tensor_option(L, index, "scale");
    options->bias = tensor_option(L, index, "bias");
    if (steps_read(L, index, steps))
        options->steps = steps;
}

/* Boxes for a result, a sum and the statistics: pushed before anything is computed, so that nothing is lost when Lua raises. */
enum { BOX_Y, BOX_SUM, BOX_MEAN, BOX_VAR, BOX_RSTD, BOXES };

/* nn.layer_norm(x, { axes = the last one, eps = 1e-5, scale =, bias =, accumulate =, method = }), nn.rms_norm without `method`.
   Returns the result and { mean, var, rstd }, which keep those axes at extent 1; RMS norm has no mean, and as var mean(x^2).
   nn.add_layer_norm(x, update, options), nn.add_rms_norm: the same of x + update, which is returned in between: norm, sum,
   statistics. update has x's shape, or one that broadcasts to it; both ways are differentiable. */
static int normalize(lua_State *L, bool layer, bool add)
{
    const struct tensor *x = tensor_check(L, 1), *update = add ? tensor_check(L, 2) : NULL;
    struct tensor_norm_options options;
    struct tensor_steps steps;
    struct tensor_add_norm out = { 0 };
    struct error err;
    read_options(L, add ? 3 : 2, x, layer, &options, &steps);
    int first = lua_gettop(L) + 1;
    for (int i = 0; i < BOXES; i++)
        tensor_push(L);
    lua_newtable(L);
    if (add ? (layer ? add_layer_norm : add_rms_norm)(&out, x, update, &options, &err)
            : (layer ? layer_norm : rms_norm)(&out.norm, x, &options, &err))
        return raise_error(L, &err);
    struct tensor *const made[BOXES] = { out.norm.y, out.sum, out.norm.mean, out.norm.var, out.norm.rstd };
    static const char *const names[BOXES] = { [BOX_MEAN] = "mean", [BOX_VAR] = "var", [BOX_RSTD] = "rstd" };
    for (int i = 0; i < BOXES; i++)
        *tensor_slot(L, first + i) = made[i];
    for (int i = BOX_MEAN; i < BOXES; i++) {
        lua_pushvalue(L, first + i);
        if (made[i])
            lua_setfield(L, -2, names[i]);
        else
            lua_pop(L, 1);
    }
    lua_pushvalue(L, first + BOX_Y);
    if (add)
        lua_pushvalue(L, first + BOX_SUM);
    lua_pushvalue(L, first + BOXES);
    tensor_made(L);
    return add ? 3 : 2;
}

static int norm_layer(lua_State *L) { return normalize(L, true, false); }
static int norm_rms(lua_State *L) { return normalize(L, false, false); }
static int norm_add_layer(lua_State *L) { return normalize(L, true, true); }
static int norm_add_rms(lua_State *L) { return normalize(L, false, true); }

void nn_push_normed(lua_State *L, const struct tensor *x, bool rms, double eps, const struct tensor *scale, const struct tensor *bias)
{
    struct tensor_norm_options options = { .axes = (tensor_axes)1 << (tensor_rank(x) - 1), .eps = eps, .scale = scale, .bias = bias };
    struct tensor_norm norm;
    struct error err;
    struct tensor **y = tensor_push(L);
    if ((rms ? rms_norm : layer_norm)(&norm, x, &options, &err))
        raise_error(L, &err);
    *y = norm.y;
    tensor_free(norm.mean);
    tensor_free(norm.var);
    tensor_free(norm.rstd);
    tensor_made(L);
}

/* ---- dropout ---- */

void dropout_read(lua_State *L, int index, struct dropout *out)
{
    static const char *const known[] = { "rate", "random" };
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE)
        luaL_error(L, "dropout needs { rate = …, random = … }, not a %s", luaL_typename(L, index));
    check_keys(L, index, "option of dropout", known, 2);
    if (lua_getfield(L, index, "rate") != LUA_TNUMBER)
        luaL_error(L, "the rate of dropout must be a number, not a %s", luaL_typename(L, -1));
    out->rate = lua_tonumber(L, -1);
    lua_pop(L, 1);
    lua_getfield(L, index, "random");
    out->numbers = tensor_test(L, -1);
    out->stream = random_test(L, -1);
    if (!out->numbers && !out->stream)
        luaL_error(L, "random must be the `random` of `data`, or a tensor of numbers from 0 to 1, not a %s", luaL_typename(L, -1));
}

/* Pushes numbers of the stream, one for each element of x. */
static const struct tensor *push_numbers(lua_State *L, const struct tensor *x, struct random_stream *stream)
{
    size_t extents[TENSOR_RANK_MAX], count = tensor_count(x);
    struct error err;
    for (int axis = 0; axis < tensor_rank(x); axis++)
        extents[axis] = tensor_extent(x, axis);
    struct tensor **out = tensor_push(L);
    if (tensor_new(out, &engine_of(L)->memory, tensor_rank(x), extents, NULL, &err))
        raise_error(L, &err);
    for (size_t i = 0; i < count; i++)
        tensor_set_flat(*out, i, (float)random_uniform(stream));
    return *out;
}

void dropout_push(lua_State *L, const struct tensor *x, const struct dropout *dropout)
{
    int top = lua_gettop(L);
    struct tensor **y = tensor_push(L), **mask = tensor_push(L);
    struct tensor_dropout out;
    struct error err;
    const struct tensor *numbers = dropout->stream ? push_numbers(L, x, dropout->stream) : dropout->numbers;
    if (tensor_dropout(&out, x, numbers, dropout->rate, &err))
        raise_error(L, &err);
    *y = out.y;
    *mask = out.mask;
    lua_settop(L, top + 2);
    tensor_made(L);
}

static int nn_dropout(lua_State *L) /* nn.dropout(x, { rate =, random = }) */
{
    const struct tensor *x = tensor_check(L, 1);
    struct dropout dropout;
    lua_settop(L, 2);
    dropout_read(L, 2, &dropout);
    dropout_push(L, x, &dropout);
    return 2;
}

void bind_nn(lua_State *L)
{
    static const luaL_Reg functions[] = { { "layer_norm", norm_layer }, { "rms_norm", norm_rms }, { "add_layer_norm", norm_add_layer },
                                          { "add_rms_norm", norm_add_rms }, { "dropout", nn_dropout }, { "stack", nn_stack },
                                          { "batch_norm", nn_batch_norm }, { "group_norm", nn_group_norm },
                                          { "instance_norm", nn_instance_norm }, { "adam", nn_adam }, { "sgd", nn_sgd },
                                          { NULL, NULL } };
    luaL_newlib(L, functions);
    luaL_setfuncs(L, nn_layers, 0);
}
