/* Arithmetic, reductions and functions of tensors in Lua. */
#include <math.h>
#include <string.h>

#include "engine/bind_precision.h"
#include "engine/bind_tensor.h"

/* ---- arithmetic ---- */

static int arithmetic(lua_State *L, enum tensor_binary op)
{
    struct error err;
    const struct tensor *a = tensor_test(L, 1), *b = tensor_test(L, 2);
    struct tensor **out = tensor_push(L);
    if (a && b)
        return tensor_done(L, tensor_binary(out, op, a, b, &err), &err);
    int other = a ? 2 : 1;
    if (lua_type(L, other) != LUA_TNUMBER)
        return luaL_error(L, "cannot compute with a tensor and a %s", luaL_typename(L, other));
    return tensor_done(L, tensor_binary_number(out, op, a ? a : b, lua_tonumber(L, other), !a, &err), &err);
}

static int add(lua_State *L) { return arithmetic(L, TENSOR_ADD); }
static int subtract(lua_State *L) { return arithmetic(L, TENSOR_SUB); }
static int multiply(lua_State *L) { return arithmetic(L, TENSOR_MUL); }
static int divide(lua_State *L) { return arithmetic(L, TENSOR_DIV); }
static int power(lua_State *L) { return arithmetic(L, TENSOR_POW); }

static int unary(lua_State *L, enum tensor_unary op)
{
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    struct tensor **out = tensor_push(L);
    return tensor_done(L, tensor_unary(out, op, x, &err), &err);
}

static int negate(lua_State *L) { return unary(L, TENSOR_NEG); }

/* ---- reductions ---- */

static void add_axis(lua_State *L, int index, const struct tensor *x, tensor_axes *axes)
{
    struct error err;
    int status;
    if (lua_type(L, index) == LUA_TSTRING) {
        status = tensor_axes_add_name(axes, x, lua_tostring(L, index), &err);
    } else {
        int whole;
        lua_Integer i = lua_tointegerx(L, index, &whole);
        if (!whole)
            luaL_error(L, "an axis is a name or a whole number, not a %s", luaL_typename(L, index));
        status = tensor_axes_add_index(axes, x, (long)i, &err);
    }
    if (status)
        raise_error(L, &err);
}

tensor_axes axes_argument(lua_State *L, int index, const struct tensor *x, tensor_axes when_none)
{
    tensor_axes axes = 0;
    index = lua_absindex(L, index);
    if (lua_isnoneornil(L, index))
        return when_none;
    if (lua_type(L, index) == LUA_TSTRING && !strcmp(lua_tostring(L, index), "all"))
        return tensor_all_axes(x);
    if (lua_type(L, index) != LUA_TTABLE) {
        add_axis(L, index, x, &axes);
        return axes;
    }
    size_t count = lua_rawlen(L, index);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        if (lua_type(L, -2) != LUA_TNUMBER)
            luaL_error(L, "axes are a list of names; options come after them: x:var(axes, { unbiased = true })");
    for (size_t i = 1; i <= count && i <= 2 * TENSOR_RANK_MAX; i++) {
        lua_rawgeti(L, index, (lua_Integer)i);
        add_axis(L, -1, x, &axes);
        lua_pop(L, 1);
    }
    return axes;
}

static int reduce(lua_State *L, enum tensor_reduction op, const struct tensor_steps *steps)
{
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    if (lua_isnoneornil(L, 2)) {
        double value;
        if (steps ? tensor_reduce_all_steps(&value, op, x, steps, &err) : tensor_reduce_all(&value, op, x, &err))
            return raise_error(L, &err);
        lua_pushnumber(L, value);
        return 1;
    }
    tensor_axes axes = axes_argument(L, 2, x, 0);
    struct tensor **out = tensor_push(L);
    return tensor_done(L, steps ? tensor_reduce_steps(out, op, x, axes, steps, &err) : tensor_reduce(out, op, x, axes, &err), &err);
}

static int add_up(lua_State *L, enum tensor_reduction op)
{
    struct tensor_steps steps;
    if (lua_isnoneornil(L, 3))
        return reduce(L, op, NULL);
    luaL_checktype(L, 3, LUA_TTABLE);
    check_keys(L, 3, "option of a sum or mean", (const char *const[]){ "accumulate" }, 1);
    return reduce(L, op, steps_read(L, 3, &steps) ? &steps : NULL);
}

static int spread(lua_State *L, enum tensor_reduction biased, enum tensor_reduction unbiased)
{
    struct tensor_steps steps;
    if (lua_isnoneornil(L, 3))
        return reduce(L, biased, NULL);
    luaL_checktype(L, 3, LUA_TTABLE);
    check_keys(L, 3, "option of a variance", (const char *const[]){ "accumulate", "method", "unbiased" }, 3);
    lua_getfield(L, 3, "unbiased");
    enum tensor_reduction op = lua_toboolean(L, -1) ? unbiased : biased;
    lua_pop(L, 1);
    return reduce(L, op, steps_read(L, 3, &steps) ? &steps : NULL);
}

static int sum(lua_State *L) { return add_up(L, TENSOR_SUM); }
static int mean(lua_State *L) { return add_up(L, TENSOR_MEAN); }
static int largest(lua_State *L) { return reduce(L, TENSOR_MAX, NULL); }
static int smallest(lua_State *L) { return reduce(L, TENSOR_MIN, NULL); }
static int variance(lua_State *L) { return spread(L, TENSOR_VAR, TENSOR_VAR_UNBIASED); }
static int deviation(lua_State *L) { return spread(L, TENSOR_STD, TENSOR_STD_UNBIASED); }

const luaL_Reg tensor_operators[] = { { "__add", add }, { "__sub", subtract }, { "__mul", multiply }, { "__div", divide },
                                      { "__pow", power }, { "__unm", negate }, { NULL, NULL } };
const luaL_Reg tensor_reductions[] = { { "sum", sum }, { "mean", mean }, { "max", largest }, { "min", smallest }, { "var", variance },
                                       { "std", deviation }, { NULL, NULL } };

/* ---- sqrt, exp, … of a number or a tensor ---- */

static int function_of(lua_State *L, enum tensor_unary op, double (*number)(double))
{
    if (lua_type(L, 1) == LUA_TNUMBER) {
        lua_pushnumber(L, number(lua_tonumber(L, 1)));
        return 1;
    }
    if (!tensor_test(L, 1))
        return luaL_error(L, "a number or a tensor is needed, not a %s", luaL_typename(L, 1));
    return unary(L, op);
}

static int root(lua_State *L) { return function_of(L, TENSOR_SQRT, sqrt); }
static int exponential(lua_State *L) { return function_of(L, TENSOR_EXP, exp); }
static int logarithm(lua_State *L) { return function_of(L, TENSOR_LOG, log); }
static int tangent(lua_State *L) { return function_of(L, TENSOR_TANH, tanh); }
static int magnitude(lua_State *L) { return function_of(L, TENSOR_ABS, fabs); }

static int pair_max(lua_State *L) { return arithmetic(L, TENSOR_MAXIMUM); }
static int pair_min(lua_State *L) { return arithmetic(L, TENSOR_MINIMUM); }

/* max(x) of a tensor; max(a, b, …) of numbers and tensors, element by element. */
static int extreme(lua_State *L, lua_CFunction pair, enum tensor_reduction all)
{
    int count = lua_gettop(L);
    if (count == 1 && tensor_test(L, 1))
        return reduce(L, all, NULL);
    for (int i = 1; i <= count; i++)
        if (lua_type(L, i) != LUA_TNUMBER && !tensor_test(L, i))
            return luaL_error(L, "a number or a tensor is needed, not a %s", luaL_typename(L, i));
    if (count < 1)
        return luaL_error(L, "a number or a tensor is needed");
    lua_pushvalue(L, 1);
    for (int i = 2; i <= count; i++) {
        if (lua_type(L, -1) == LUA_TNUMBER && lua_type(L, i) == LUA_TNUMBER) {
            if (lua_compare(L, -1, i, LUA_OPLT) == (pair == pair_max)) {
                lua_pop(L, 1);
                lua_pushvalue(L, i);
            }
            continue;
        }
        lua_pushcfunction(L, pair);
        lua_insert(L, -2);
        lua_pushvalue(L, i);
        lua_call(L, 2, 1);
    }
    return 1;
}

static int maximum(lua_State *L) { return extreme(L, pair_max, TENSOR_MAX); }
static int minimum(lua_State *L) { return extreme(L, pair_min, TENSOR_MIN); }

void bind_functions(lua_State *L, int globals)
{
    static const luaL_Reg functions[] = { { "sqrt", root }, { "exp", exponential }, { "log", logarithm }, { "tanh", tangent },
                                          { "abs", magnitude }, { "max", maximum }, { "min", minimum }, { NULL, NULL } };
    lua_pushvalue(L, globals);
    luaL_setfuncs(L, functions, 0);
    lua_pushnumber(L, 3.14159265358979323846);
    lua_setfield(L, -2, "pi");
    lua_pushnumber(L, INFINITY);
    lua_setfield(L, -2, "inf");
    lua_pushnumber(L, NAN);
    lua_setfield(L, -2, "nan");
    lua_pop(L, 1);
}
