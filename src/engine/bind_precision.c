/* Types of tensors, and the type and the method that are computed with, in Lua. */
#include <string.h>

#include "engine/bind_precision.h"
#include "engine/bind_tensor.h"

static enum tensor_type type_argument(lua_State *L, int index, const char *what)
{
    enum tensor_type type;
    struct error err;
    if (lua_type(L, index) != LUA_TSTRING)
        luaL_error(L, "%s is the name of a type, \"float16\", and not a %s", what, luaL_typename(L, index));
    if (tensor_type_find(&type, lua_tostring(L, index), &err))
        raise_error(L, &err);
    return type;
}

static const char *const methods[] = { [TENSOR_TWO_PASS] = "two-pass", [TENSOR_ONE_PASS] = "one-pass", [TENSOR_WELFORD] = "welford" };

int method_find(enum tensor_method *out, const char *name, struct error *err)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(methods[i], name)) {
            *out = (enum tensor_method)i;
            return 0;
        }
    return error_set(err, "no method \"%s\": there are two-pass, one-pass and welford", name);
}

const char *method_name(enum tensor_method method)
{
    return methods[method];
}

static enum tensor_method method_argument(lua_State *L, int index)
{
    enum tensor_method method = TENSOR_TWO_PASS;
    struct error err;
    if (lua_type(L, index) != LUA_TSTRING)
        luaL_error(L, "method is \"two-pass\", \"one-pass\" or \"welford\", and not a %s", luaL_typename(L, index));
    if (method_find(&method, lua_tostring(L, index), &err))
        raise_error(L, &err);
    return method;
}

bool steps_read(lua_State *L, int index, struct tensor_steps *out)
{
    index = lua_absindex(L, index);
    *out = (struct tensor_steps){ .type = TENSOR_FLOAT64 };
    bool type = lua_getfield(L, index, "accumulate") != LUA_TNIL;
    if (type)
        out->type = type_argument(L, -1, "accumulate");
    bool method = lua_getfield(L, index, "method") != LUA_TNIL;
    if (method)
        out->method = method_argument(L, -1);
    lua_pop(L, 2);
    return type || method;
}

int tensor_to_type(lua_State *L)
{
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    enum tensor_type type = type_argument(L, 2, "what a tensor is cast to");
    struct tensor **out = tensor_push(L);
    return tensor_done(L, tensor_cast(out, x, type, &err), &err);
}
