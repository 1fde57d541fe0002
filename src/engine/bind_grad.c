/* Gradients in Lua, and tensors rearranged. */
#include "engine/bind_tensor.h"

/* ---- grad ---- */

static const struct tensor *loss_argument(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TNUMBER)
        luaL_error(L, "the loss of grad is a number, of which nothing more is known; x:sum(\"all\") and its like keep a tensor");
    return tensor_check(L, 1);
}

/* The keys of the table at 2, sorted, are pushed; raises unless tensors stand there. */
static size_t push_keys(lua_State *L)
{
    keys_sorted(L, 2);
    int keys = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        lua_pushvalue(L, -1);
        lua_gettable(L, 2);
        if (!tensor_test(L, -1))
            luaL_error(L, "grad is asked with respect to tensors: `%s` is a %s", luaL_tolstring(L, -2, NULL), luaL_typename(L, -2));
        lua_settop(L, keys);
    }
    return lua_rawlen(L, keys);
}

/* Of `count` inputs, the values from stack index `from` on; pushes as many tensors, fresh leaves. */
static void push_gradients(lua_State *L, const struct tensor *loss, int from, int count)
{
    struct error err;
    luaL_checkstack(L, 2 * count + 10, "grad of too many tensors at once");
    const struct tensor **inputs = lua_newuserdatauv(L, (size_t)count * sizeof *inputs, 0);
    struct tensor **found = lua_newuserdatauv(L, (size_t)count * sizeof *found, 0);
    int top = lua_gettop(L);
    for (int i = 0; i < count; i++)
        inputs[i] = tensor_test(L, from + i);
    for (int i = 0; i < count; i++)
        tensor_push(L);
    if (tensor_grad(found, loss, inputs, (size_t)count, &err))
        raise_error(L, &err);
    for (int i = 0; i < count; i++)
        *tensor_slot(L, top + 1 + i) = found[i];
    for (int i = 0; i < count; i++)
        tensor_leaf(L, top + 1 + i);
}

/* grad(loss, x) is the gradient of the loss with respect to the tensor x, of x's shape; grad(loss, { x, w }) and
   grad(loss, { w = w }) are tables of them under the same keys. The loss is a tensor of one element; where it does not depend
   on a tensor the gradient is 0. */
static int gradient(lua_State *L)
{
    lua_settop(L, 2);
    const struct tensor *loss = loss_argument(L);
    if (tensor_test(L, 2)) {
        push_gradients(L, loss, 2, 1);
        tensor_made(L);
        return 1;
    }
    if (lua_type(L, 2) != LUA_TTABLE)
        return luaL_error(L, "grad needs a tensor or a table of tensors, not a %s", luaL_typename(L, 2));
    int count = (int)push_keys(L), keys = lua_gettop(L);
    luaL_checkstack(L, count + 10, "grad of too many tensors at once");
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, keys, i);
        lua_gettable(L, 2);
    }
    push_gradients(L, loss, keys + 1, count);
    int first = lua_gettop(L) - count + 1;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, keys, i + 1);
        lua_pushvalue(L, first + i);
        lua_settable(L, -3);
    }
    tensor_made(L);
    return 1;
}

/* ---- methods ---- */

/* x:detach(): the same elements, without the way they came. */
static int detach(lua_State *L)
{
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    struct tensor **out = tensor_push(L);
    if (tensor_detach(out, x, &err))
        return raise_error(L, &err);
    if (tensor_frozen(L, 1))
        tensor_freeze(L, -1);
    tensor_leaf(L, -1);
    return 1;
}

static int axis_argument(lua_State *L, int index, const struct tensor *x, int when_none)
{
    tensor_axes axes = axes_argument(L, index, x, (tensor_axes)1 << when_none);
    for (int axis = 0; axis < tensor_rank(x); axis++)
        if (axes == (tensor_axes)1 << axis)
            return axis;
    return luaL_error(L, "one axis is needed here");
}

/* x:transpose(first, second): a view of x with two axes exchanged, the last two unless others are named. */
static int transpose(lua_State *L)
{
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    int rank = tensor_rank(x);
    lua_settop(L, 3);
    if (rank < 2)
        return luaL_error(L, "a tensor with %d axes has no two to exchange", rank);
    int first = axis_argument(L, 2, x, rank - 2), second = axis_argument(L, 3, x, rank - 1);
    struct tensor **out = tensor_push(L);
    if (tensor_transpose(out, x, first, second, &err))
        return raise_error(L, &err);
    if (tensor_frozen(L, 1))
        tensor_freeze(L, -1);
    return 1;
}

/* a:matmul(b), tensor.matmul(a, b): matrices in the last two axes, (…, rows, inner) times (…, inner, columns). */
int tensor_times(lua_State *L)
{
    struct error err;
    const struct tensor *a = tensor_check(L, 1), *b = tensor_check(L, 2);
    struct tensor **out = tensor_push(L);
    return tensor_done(L, tensor_matmul(out, a, b, &err), &err);
}

const luaL_Reg tensor_rearrangings[] = { { "detach", detach }, { "transpose", transpose }, { "matmul", tensor_times }, { NULL, NULL } };

void bind_grad(lua_State *L, int globals)
{
    lua_pushcfunction(L, gradient);
    lua_setfield(L, globals, "grad");
}
