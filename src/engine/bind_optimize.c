/* nn.adam and nn.sgd: what turns parameters and their gradients into the next parameters. */
#include "base/language.h"
#include "engine/bind_nn.h"

/* An optimizer is a function step(parameters, gradients) -> parameters: tables with the same keys, or one tensor each. What it
   keeps from one step to the next is its own: upvalue 1 holds its numbers, upvalue 2 the table of what is kept under each key. */

static double number_option(lua_State *L, int index, const char *what, const char *name, double when_none)
{
    double value = when_none;
    if (lua_getfield(L, index, name) != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TNUMBER)
            luaL_error(L, "%s: `%s` must be a number, not a %s", what, name, luaL_typename(L, -1));
        value = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    return value;
}

struct adam {
    struct tensor_adam numbers;
    size_t steps;
};

/* Pushes the tensor under the key at the top of the table at the index, or nil. */
static const struct tensor *push_kept(lua_State *L, int table, int key, const char *name)
{
    lua_pushvalue(L, key);
    if (lua_rawget(L, table) == LUA_TNIL)
        return NULL;
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    return tensor_test(L, -1);
}

/* The record at the top is kept under the key; the parameter below it becomes the one value above `top`. */
static void keep(lua_State *L, int kept, int key, int top)
{
    lua_pushvalue(L, key);
    lua_insert(L, -2);
    lua_rawset(L, kept);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
}

/* One parameter: its key, itself and its gradient are at `key` and the two after it; pushes its successor. */
static void adam_one(lua_State *L, const struct adam *adam, int key)
{
    struct error err;
    struct tensor_adam_state made;
    int kept = lua_upvalueindex(2), top = lua_gettop(L);
    const struct tensor *mean = push_kept(L, kept, key, "mean"), *square = push_kept(L, kept, key, "square");
    struct tensor **x = tensor_push(L);
    lua_newtable(L);
    struct tensor **next_mean = tensor_push(L);
    lua_setfield(L, -2, "mean");
    struct tensor **next_square = tensor_push(L);
    lua_setfield(L, -2, "square");
    if (tensor_adam(&made, &adam->numbers, adam->steps, tensor_check(L, key + 1), tensor_check(L, key + 2), mean, square, &err))
        raise_error(L, &err);
    *x = made.x;
    *next_mean = made.mean;
    *next_square = made.square;
    keep(L, kept, key, top);
}

static void sgd_one(lua_State *L, const struct tensor_sgd *sgd, int key)
{
    struct error err;
    struct tensor_sgd_state made;
    int kept = lua_upvalueindex(2), top = lua_gettop(L);
    const struct tensor *momentum = push_kept(L, kept, key, "momentum");
    struct tensor **x = tensor_push(L);
    lua_newtable(L);
    struct tensor **next = tensor_push(L);
    lua_setfield(L, -2, "momentum");
    if (tensor_sgd(&made, sgd, tensor_check(L, key + 1), tensor_check(L, key + 2), momentum, &err))
        raise_error(L, &err);
    *x = made.x;
    *next = made.momentum;
    keep(L, kept, key, top);
}

/* ---- all parameters ---- */

enum kind { ADAM, SGD };

/* The parameter and the gradient under the key are the two values at the top; the successor replaces all three. */
static void step_one(lua_State *L, enum kind kind)
{
    int key = lua_gettop(L) - 2;
    for (int i = 1; i <= 2; i++)
        if (!tensor_test(L, key + i)) {
            lua_pushvalue(L, key);
            luaL_error(L, "the %s `%s` of an optimizer's step must be a tensor, not a %s", i == 1 ? "parameter" : _("gradient of"),
                       luaL_tolstring(L, -1, NULL), luaL_typename(L, key + i));
        }
    if (kind == ADAM)
        adam_one(L, lua_touserdata(L, lua_upvalueindex(1)), key);
    else
        sgd_one(L, lua_touserdata(L, lua_upvalueindex(1)), key);
    tensor_leaf(L, -1);
    lua_replace(L, key);
    lua_settop(L, key);
}

static int step(lua_State *L, enum kind kind)
{
    lua_settop(L, 2);
    if (kind == ADAM)
        ((struct adam *)lua_touserdata(L, lua_upvalueindex(1)))->steps++;
    if (tensor_test(L, 1)) {
        lua_pushinteger(L, 1);
        lua_insert(L, 1);
        step_one(L, kind);
        tensor_made(L);
        return 1;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    keys_sorted(L, 1);
    int keys = lua_gettop(L);
    lua_newtable(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        lua_pushvalue(L, -1);
        for (int from = 1; from <= 2; from++) {
            lua_pushvalue(L, keys + 2);
            lua_gettable(L, from);
        }
        step_one(L, kind);
        lua_settable(L, keys + 1);
    }
    tensor_made(L);
    return 1;
}

static int adam_step(lua_State *L) { return step(L, ADAM); }
static int sgd_step(lua_State *L) { return step(L, SGD); }

/* ---- making them ---- */

static void check_between(lua_State *L, const char *what, const char *name, double value, double most)
{
    if (!(value >= 0 && value < most))
        luaL_error(L, "%s: `%s` must be from 0 up to %f, without it: it is %f", what, name, most, value);
}

static void read_betas(lua_State *L, struct tensor_adam *adam)
{
    if (lua_getfield(L, 1, "betas") == LUA_TNIL)
        return;
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawgeti(L, -1, 1) != LUA_TNUMBER || lua_rawgeti(L, -2, 2) != LUA_TNUMBER)
        luaL_error(L, "nn.adam: `betas` must be a list of two numbers");
    adam->beta1 = lua_tonumber(L, -2);
    adam->beta2 = lua_tonumber(L, -1);
    check_between(L, "nn.adam", "betas", adam->beta1, 1);
    check_between(L, "nn.adam", "betas", adam->beta2, 1);
}

/* nn.adam { lr = 1e-3, betas = { 0.9, 0.999 }, eps = 1e-8, weight_decay = 0 }: PyTorch's torch.optim.Adam (Kingma, Ba 2014). */
int nn_adam(lua_State *L)
{
    static const char *const known[] = { "lr", "betas", "eps", "weight_decay" };
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    check_keys(L, 1, "option of nn.adam", known, 4);
    struct tensor_adam numbers = { .beta1 = 0.9, .beta2 = 0.999 };
    numbers.rate = number_option(L, 1, "nn.adam", "lr", 1e-3);
    numbers.eps = number_option(L, 1, "nn.adam", "eps", 1e-8);
    numbers.weight_decay = number_option(L, 1, "nn.adam", "weight_decay", 0);
    read_betas(L, &numbers);
    struct adam *adam = lua_newuserdatauv(L, sizeof *adam, 0);
    *adam = (struct adam){ .numbers = numbers };
    lua_newtable(L);
    lua_pushcclosure(L, adam_step, 2);
    return 1;
}

/* nn.sgd { lr =, momentum = 0, dampening = 0, weight_decay = 0, nesterov = false }: PyTorch's torch.optim.SGD. */
int nn_sgd(lua_State *L)
{
    static const char *const known[] = { "lr", "momentum", "dampening", "weight_decay", "nesterov" };
    lua_settop(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE);
    check_keys(L, 1, "option of nn.sgd", known, 5);
    struct tensor_sgd numbers = { .rate = number_option(L, 1, "nn.sgd", "lr", -1) };
    if (numbers.rate < 0)
        return luaL_error(L, "nn.sgd: `lr` must be given, and not be negative");
    numbers.momentum = number_option(L, 1, "nn.sgd", "momentum", 0);
    numbers.dampening = number_option(L, 1, "nn.sgd", "dampening", 0);
    numbers.weight_decay = number_option(L, 1, "nn.sgd", "weight_decay", 0);
    lua_getfield(L, 1, "nesterov");
    numbers.nesterov = lua_toboolean(L, -1);
    if (numbers.nesterov && (numbers.momentum <= 0 || numbers.dampening != 0))
        return luaL_error(L, "nn.sgd: `nesterov` needs a `momentum`, and no `dampening`");
    struct tensor_sgd *sgd = lua_newuserdatauv(L, sizeof *sgd, 0);
    *sgd = numbers;
    lua_newtable(L);
    lua_pushcclosure(L, sgd_step, 2);
    return 1;
}
