/* random: the numbers of a lesson, from its own stream. */
#include <math.h>
#include <string.h>

#include "engine/internal.h"

static const char RANDOM[] = "random";
enum { DISTINCT_MAX = 1000, EXACT_MAX = 1 << 24 /* float32 holds every whole number up to here */ };

static struct random_stream *check(lua_State *L)
{
    return luaL_checkudata(L, 1, RANDOM);
}

struct random_stream *random_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, RANDOM);
}

/* The sizes, given without keys, of the table that is argument 2. */
static int read_sizes(lua_State *L, size_t *extents)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t rank = lua_rawlen(L, 2);
    if (rank < 1 || rank > TENSOR_RANK_MAX)
        return luaL_error(L, "sizes first: random:normal { 4, std = 2 }");
    for (size_t i = 0; i < rank; i++) {
        int whole;
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        lua_Integer n = lua_tointegerx(L, -1, &whole);
        if (!whole || n < 1)
            return luaL_error(L, "size %d is not a whole number from 1 on", (int)i + 1);
        extents[i] = (size_t)n;
        lua_pop(L, 1);
    }
    return (int)rank;
}

static double number_field(lua_State *L, const char *name, double when_none)
{
    if (lua_getfield(L, 2, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return when_none;
    }
    int number;
    double value = lua_tonumberx(L, -1, &number);
    if (!number)
        luaL_error(L, "%s must be a number, not a %s", name, luaL_typename(L, -1));
    lua_pop(L, 1);
    return value;
}

static double rounded(double value, int places)
{
    double unit = pow(10, places);
    return places < 0 ? value : round(value * unit) / unit;
}

static struct tensor *make(lua_State *L, size_t *count)
{
    size_t extents[TENSOR_RANK_MAX];
    struct error err;
    int rank = read_sizes(L, extents);
    struct tensor **out = tensor_push(L);
    if (tensor_new(out, &engine_of(L)->memory, rank, extents, NULL, &err))
        raise_error(L, &err);
    *count = tensor_count(*out);
    return *out;
}

static int normal(lua_State *L) /* random:normal { sizes, mean =, std =, places = } */
{
    static const char *const keys[] = { "mean", "std", "places" };
    struct random_stream *random = check(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    check_keys(L, 2, "key", keys, 3);
    double mean = number_field(L, "mean", 0), std = number_field(L, "std", 1);
    int places = (int)number_field(L, "places", -1);
    size_t count;
    struct tensor *x = make(L, &count);
    for (size_t i = 0; i < count; i++)
        tensor_set_flat(x, i, (float)rounded(mean + std * random_normal(random), places));
    tensor_leaf(L, -1);
    tensor_made(L);
    return 1;
}

static int uniform(lua_State *L) /* random:uniform { sizes, from =, to =, places = } */
{
    static const char *const keys[] = { "from", "to", "places" };
    struct random_stream *random = check(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    check_keys(L, 2, "key", keys, 3);
    double from = number_field(L, "from", 0), to = number_field(L, "to", 1);
    int places = (int)number_field(L, "places", -1);
    size_t count;
    struct tensor *x = make(L, &count);
    for (size_t i = 0; i < count; i++)
        tensor_set_flat(x, i, (float)rounded(from + (to - from) * random_uniform(random), places));
    tensor_leaf(L, -1);
    tensor_made(L);
    return 1;
}

static void check_range(lua_State *L, double from, double to)
{
    if (!(from <= to) || from != floor(from) || to != floor(to) || fabs(from) > 1e15 || fabs(to) > 1e15)
        luaL_error(L, "`from` and `to` must be whole numbers, `from` not above `to`");
}

static int integers(lua_State *L) /* random:integers { sizes, from =, to =, distinct = } */
{
    static const char *const keys[] = { "from", "to", "distinct" };
    struct random_stream *random = check(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    check_keys(L, 2, "key", keys, 3);
    double from = number_field(L, "from", 0), to = number_field(L, "to", 9);
    check_range(L, from, to);
    lua_getfield(L, 2, "distinct");
    bool distinct = lua_toboolean(L, -1);
    lua_pop(L, 1);
    size_t count;
    struct tensor *x = make(L, &count);
    if (distinct && (fabs(from) > EXACT_MAX || fabs(to) > EXACT_MAX || count > DISTINCT_MAX))
        return luaL_error(L, "distinct numbers lie between -%d and %d, and are %d at most", EXACT_MAX, EXACT_MAX, DISTINCT_MAX);
    if (distinct && to - from + 1 < (double)count)
        return luaL_error(L, "there are not %d distinct numbers from %d to %d", (int)count, (int)from, (int)to);
    for (size_t i = 0; i < count; i++) {
        bool repeated;
        float value;
        do {
            value = (float)random_integer(random, (int64_t)from, (int64_t)to);
            repeated = false;
            for (size_t j = 0; distinct && j < i; j++)
                repeated = repeated || tensor_get_flat(x, j) == value;
        } while (repeated);
        tensor_set_flat(x, i, value);
    }
    tensor_leaf(L, -1);
    tensor_made(L);
    return 1;
}

static int integer(lua_State *L) /* random:integer(a, b) */
{
    struct random_stream *random = check(L);
    double from = luaL_checknumber(L, 2), to = luaL_checknumber(L, 3);
    check_range(L, from, to);
    lua_pushinteger(L, (lua_Integer)random_integer(random, (int64_t)from, (int64_t)to));
    return 1;
}

static int pick(lua_State *L) /* random:pick { … } */
{
    struct random_stream *random = check(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    if (count < 1)
        return luaL_error(L, "random:pick needs a list with something in it");
    lua_rawgeti(L, 2, (lua_Integer)random_integer(random, 1, count));
    return 1;
}

static int shuffle(lua_State *L) /* random:shuffle { … }: a new list (Fisher-Yates) */
{
    struct random_stream *random = check(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    lua_createtable(L, (int)count, 0);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        lua_rawseti(L, -2, i);
    }
    for (lua_Integer i = count; i > 1; i--) {
        lua_Integer j = (lua_Integer)random_integer(random, 1, i);
        lua_rawgeti(L, -1, i);
        lua_rawgeti(L, -2, j);
        lua_rawseti(L, -3, i);
        lua_rawseti(L, -2, j);
    }
    return 1;
}

static int unknown(lua_State *L)
{
    const char *key = luaL_checkstring(L, 2);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    if (lua_isnil(L, -1))
        return raise_unknown(L, "method of random", key, lua_upvalueindex(1));
    return 1;
}

void bind_random(lua_State *L, uint64_t key, uint64_t stream)
{
    static const luaL_Reg methods[] = { { "normal", normal }, { "uniform", uniform }, { "integers", integers },
                                        { "integer", integer }, { "pick", pick }, { "shuffle", shuffle }, { NULL, NULL } };
    struct random_stream *random = lua_newuserdatauv(L, sizeof *random, 0);
    random_start(random, key, stream);
    if (luaL_newmetatable(L, RANDOM)) {
        luaL_newlib(L, methods);
        lua_pushcclosure(L, unknown, 1);
        lua_setfield(L, -2, "__index");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
}
