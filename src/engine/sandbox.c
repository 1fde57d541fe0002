/* The globals that lesson and learner code may use: an allow-list, made deterministic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lualib.h>

#include "base/language.h"
#include "engine/internal.h"

enum {
    NAME_COMPARED = 40,
    NAMES_LISTED = 16,
    FAR = 1 << 20, /* a distance that is never near */
    TEXT_REPEATED_MAX = 1 << 20,
    TEXT_LONG = 1 << 14, LIST_LONG = 1 << 10, /* the clock is looked at after work on more */
    LIST_SORTED_MAX = 1 << 16,
};

/* Edits to turn one name into the other, two neighbours changing places among them (Damerau 1964); names longer
   than NAME_COMPARED are never near. */
static int distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_COMPARED || m > NAME_COMPARED)
        return FAR;
    int rows[3][NAME_COMPARED + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int change = above[j - 1] + (a[i - 1] != b[j - 1]);
            int least = above[j] < row[j - 1] ? above[j] + 1 : row[j - 1] + 1;
            row[j] = change < least ? change : least;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && twice_above[j - 2] + 1 < row[j])
                row[j] = twice_above[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

const char *nearest_name(const char *name, const char *const *names, size_t count)
{
    const char *best = NULL;
    int limit = name[0] && name[1] ? 1 + (int)strlen(name) / 3 : 0, least = limit + 1; /* of one letter any would be near */
    for (size_t i = 0; i < count; i++) {
        int d = distance(name, names[i]);
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}

const char *nearest_key(lua_State *L, int index, const char *name)
{
    const char *best = NULL;
    int least = 2 + (int)strlen(name) / 3;
    if (!name[0] || !name[1])
        return NULL;
    index = lua_absindex(L, index);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            continue;
        const char *key = lua_tostring(L, -1);
        int d = strlen(key) > 1 || strlen(name) == 2 ? distance(name, key) : FAR;
        if (d < least || (d == least && best && strcmp(key, best) < 0)) {
            least = d;
            best = key;
        }
    }
    return best;
}

const char *meant_name(lua_State *L, int index, int globals, const char *name)
{
    static const char *const libraries[] = { "nn", "math", "tensor", "string", "table" };
    index = lua_absindex(L, index);
    globals = lua_absindex(L, globals);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        int top = lua_gettop(L);
        lua_pushstring(L, libraries[i]);
        if (lua_rawget(L, globals) == LUA_TTABLE) {
            lua_pushstring(L, name);
            if (lua_rawget(L, -2) != LUA_TNIL)
                return lua_pushfstring(L, "%s.%s", libraries[i], name);
        }
        lua_settop(L, top);
    }
    return nearest_key(L, index, name);
}

const char *list_joined(lua_State *L, int list)
{
    luaL_Buffer joined;
    list = lua_absindex(L, list);
    luaL_buffinit(L, &joined);
    for (size_t i = 1; i <= lua_rawlen(L, list); i++) {
        luaL_addstring(&joined, i > 1 ? ", " : "");
        lua_rawgeti(L, list, (lua_Integer)i);
        luaL_addvalue(&joined);
    }
    luaL_pushresult(&joined);
    return lua_tostring(L, -1);
}

const char *names_joined(lua_State *L, const char *const *names, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return list_joined(L, -1);
}

int raise_unknown(lua_State *L, const char *what, const char *name, int index)
{
    const char *near = meant_name(L, index, index, name);
    if (near)
        return luaL_error(L, "unknown %s `%s`; did you mean `%s`?", what, name, near);
    keys_sorted(L, index);
    if (lua_rawlen(L, -1) > NAMES_LISTED)
        return luaL_error(L, "unknown %s `%s`", what, name);
    return luaL_error(L, "unknown %s `%s`; there are %s", what, name, list_joined(L, -1));
}

/* ---- pairs in sorted order ---- */

/* Numbers before strings before booleans. */
static int key_before(lua_State *L, int a, int b)
{
    int ta = lua_type(L, a), tb = lua_type(L, b);
    if (ta != tb) {
        int ra = ta == LUA_TNUMBER ? 0 : ta == LUA_TSTRING ? 1 : 2;
        int rb = tb == LUA_TNUMBER ? 0 : tb == LUA_TSTRING ? 1 : 2;
        return ra < rb;
    }
    if (ta == LUA_TBOOLEAN)
        return lua_toboolean(L, a) < lua_toboolean(L, b);
    return lua_compare(L, a, b, LUA_OPLT);
}

static int compare_keys(lua_State *L)
{
    lua_pushboolean(L, key_before(L, 1, 2));
    return 1;
}

static int next_sorted(lua_State *L)
{
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(2)) + 1;
    lua_pushinteger(L, at);
    lua_replace(L, lua_upvalueindex(2));
    lua_geti(L, lua_upvalueindex(1), at);
    if (lua_isnil(L, -1))
        return 1;
    lua_pushvalue(L, -1);
    lua_gettable(L, 1);
    return 2;
}

void keys_sorted(lua_State *L, int index)
{
    luaL_checkstack(L, 5, NULL);
    index = lua_absindex(L, index);
    lua_newtable(L);
    int keys = lua_gettop(L);
    lua_Integer count = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        int type = lua_type(L, -1);
        if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
            luaL_error(L, "a table is gone through by keys that have an order, not by a %s", lua_typename(L, type));
        lua_pushvalue(L, -1);
        lua_rawseti(L, keys, ++count);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.sort");
    lua_pushvalue(L, keys);
    lua_pushcfunction(L, compare_keys);
    lua_call(L, 2, 0);
}

void check_keys(lua_State *L, int index, const char *what, const char *const *known, size_t count)
{
    keys_sorted(L, index);
    int keys = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
        if (lua_rawgeti(L, keys, (lua_Integer)i) == LUA_TSTRING) {
            const char *key = lua_tostring(L, -1), *near = nearest_name(key, known, count);
            if (!near)
                luaL_error(L, count == 1 ? N_("unknown %s `%s`; there is %s") : N_("unknown %s `%s`; there are %s"), what, key, names_joined(L, known, count));
            if (strcmp(near, key))
                luaL_error(L, "unknown %s `%s`; did you mean `%s`?", what, key, near);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int pairs_sorted(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    keys_sorted(L, 1);
    if (lua_rawlen(L, -1) > LIST_LONG)
        state_look(L);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_sorted, 2);
    lua_pushvalue(L, 1);
    return 2;
}

/* ---- text without addresses ---- */

static int tostring_plain(lua_State *L)
{
    luaL_checkany(L, 1);
    struct strbuf *text = strbuf_push(L);
    value_text(L, 1, NULL, text);
    lua_pushlstring(L, strbuf_string(text), text->length);
    return 1;
}

static int format_plain(lua_State *L)
{
    size_t length;
    const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
    for (const char *at = format; (at = memchr(at, '%', (size_t)(end - at)));) {
        at += 1 + strspn(at + 1, "-+ #0123456789.");
        if (*at == 'p')
            return luaL_error(L, "string.format knows no %%p here");
        at += at < end;
    }
    if (length > TEXT_LONG || lua_gettop(L) > LIST_LONG)
        state_look(L);
    int count = lua_gettop(L);
    for (int i = 2; i <= count; i++) {
        int type = lua_type(L, i);
        if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TNIL)
            continue;
        lua_pushcfunction(L, tostring_plain);
        lua_pushvalue(L, i);
        lua_call(L, 1, 1);
        lua_replace(L, i);
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L); /* in this very call, so that its errors have their place */
}

static int repeat_bounded(lua_State *L)
{
    size_t length, separator = 0;
    luaL_checklstring(L, 1, &length);
    lua_Integer n = luaL_checkinteger(L, 2);
    if (!lua_isnoneornil(L, 3))
        luaL_checklstring(L, 3, &separator);
    if (n > TEXT_REPEATED_MAX || (n > 0 && (length + separator) > (size_t)TEXT_REPEATED_MAX / (size_t)n))
        return luaL_error(L, "string.rep would make more than %d bytes", TEXT_REPEATED_MAX);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* The functions of `table` ask a metatable for the length and for each element: no instruction of Lua may come between
   2^60 of them. */
static int list_plain(lua_State *L)
{
    static const char *const asked[] = { "__len", "__index", "__newindex" };
    luaL_checktype(L, 1, LUA_TTABLE);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (luaL_getmetafield(L, 1, asked[i]) != LUA_TNIL)
            return luaL_error(L, "the functions of `table` take a list without %s", asked[i]);
    if (lua_rawlen(L, 1) > LIST_LONG)
        state_look(L);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* A comparator in C is nothing that could be stopped either. */
static int sort_bounded(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_rawlen(L, 1) > LIST_SORTED_MAX)
        return luaL_error(L, "table.sort sorts no more than %d elements", LIST_SORTED_MAX);
    return list_plain(L);
}

static int setmetatable_checked(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    if (!lua_isnil(L, 2)) {
        luaL_checktype(L, 2, LUA_TTABLE);
        static const char *const refused[] = { "__gc", "__mode" };
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            if (lua_getfield(L, 2, refused[i]) != LUA_TNIL)
                return luaL_error(L, "setmetatable allows no %s here", refused[i]);
            lua_pop(L, 1);
        }
    }
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "this metatable cannot be changed");
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

static int print_output(lua_State *L)
{
    struct engine *engine = engine_of(L);
    int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            strbuf_add(&engine->output, "\t");
        value_text(L, i, NULL, &engine->output);
        if (engine->output.length > engine->limits.output) {
            engine->output.length = engine->limits.output;
            return luaL_error(L, "more than %d KiB were printed; stopped there", (int)(engine->limits.output >> 10));
        }
    }
    strbuf_add(&engine->output, "\n");
    return 0;
}

/* A name of Lua's that lessons do not have. */
static bool name_elsewhere(const char *name)
{
    static const char *const names[] = { "collectgarbage", "coroutine", "debug", "dofile", "io", "load", "loadfile", "next", "os", "package",
                                         "print", "rawset", "require", "warn", "xpcall" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static int unknown_global(lua_State *L)
{
    const struct engine *engine = engine_of(L);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    if (lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.drawn") == LUA_TTABLE && facts_has(L, -1, name))
        return luaL_error(L, "unknown name `%s`; a fact of the lesson is in the second argument of `data`: function(random, d) … d.%s", name, name);
    bool outside = lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals") == LUA_TTABLE && lua_rawequal(L, -1, 1) && !engine->lesson.construct;
    if (outside && !name_elsewhere(name) && !meant_name(L, 1, 1, name))
        return luaL_error(L, "unknown name `%s`; a formula is a string: put it in quotes", name);
    return raise_unknown(L, "name", name, 1);
}

/* Copies `names` of the library at the top of the stack into a new table that replaces it. */
static void choose(lua_State *L, const char *const *names)
{
    lua_newtable(L);
    for (; *names; names++) {
        lua_getfield(L, -2, *names);
        lua_setfield(L, -2, *names);
    }
    lua_remove(L, -2);
}

static void wrap(lua_State *L, const char *name, lua_CFunction function)
{
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

/* The table at the top answers an unknown key with an error; a metatable it has is kept. */
static void unknown_member(lua_State *L)
{
    if (!lua_getmetatable(L, -1))
        lua_newtable(L);
    lua_pushcfunction(L, unknown_global);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

void sandbox_open(lua_State *L)
{
    static const char *const base[] = { "assert", "error", "getmetatable", "ipairs", "pcall", "rawequal", "rawlen",
                                        "select", "tonumber", "type", NULL };
    static const char *const string[] = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower",
                                          "match", "rep", "reverse", "sub", "upper", NULL };
    static const char *const table[] = { "concat", "insert", "pack", "remove", "sort", "unpack", NULL };
    static const char *const lists[] = { "concat", "insert", "remove", "unpack" };
    static const char *const mathematics[] = { "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod",
                                               "huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi",
                                               "rad", "sin", "sqrt", "tan", "tointeger", "type", "ult", NULL };

    luaL_requiref(L, "_G", luaopen_base, 0);
    choose(L, base);
    int globals = lua_gettop(L);
    lua_pushcfunction(L, pairs_sorted);
    lua_setfield(L, globals, "pairs");
    lua_pushcfunction(L, tostring_plain);
    lua_setfield(L, globals, "tostring");
    lua_pushcfunction(L, setmetatable_checked);
    lua_setfield(L, globals, "setmetatable");
    lua_pushcfunction(L, print_output);
    lua_setfield(L, globals, "print");
    lua_pushliteral(L, LUA_VERSION);
    lua_setfield(L, globals, "_VERSION");

    luaL_requiref(L, "string", luaopen_string, 0);
    lua_getfield(L, -1, "format");
    lua_setfield(L, LUA_REGISTRYINDEX, "normtutor.format");
    choose(L, string);
    wrap(L, "format", format_plain);
    wrap(L, "rep", repeat_bounded);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index"); /* or ("x"):rep would reach the library's own */
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
    unknown_member(L);
    lua_setfield(L, globals, "string");

    luaL_requiref(L, "table", luaopen_table, 0);
    lua_getfield(L, -1, "sort");
    lua_setfield(L, LUA_REGISTRYINDEX, "normtutor.sort");
    choose(L, table);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        wrap(L, lists[i], list_plain);
    wrap(L, "sort", sort_bounded);
    unknown_member(L);
    lua_setfield(L, globals, "table");

    luaL_requiref(L, "math", luaopen_math, 0);
    choose(L, mathematics);
    unknown_member(L);
    lua_setfield(L, globals, "math");

    luaL_requiref(L, "utf8", luaopen_utf8, 0);
    unknown_member(L);
    lua_setfield(L, globals, "utf8");

    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);

    bind_tensor(L);
    unknown_member(L);
    lua_setfield(L, globals, "tensor");
    bind_functions(L, globals);
    bind_grad(L, globals);
    bind_nn(L);
    unknown_member(L);
    lua_setfield(L, globals, "nn");
    unknown_member(L);
}

static int no_nn(lua_State *L)
{
    return luaL_error(L, "`nn` is not at hand here: write the formula itself");
}

static int no_print(lua_State *L)
{
    return luaL_error(L, "`print` shows nothing in a program: what it returns is probed. In the scratchpad (F3) you can compute and print");
}

void sandbox_open_program(lua_State *L)
{
    static const char *const without[] = { "utf8", "pcall", "grad" }, *const unstoppable[] = { "find", "gmatch", "gsub", "match" };
    sandbox_open(L);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, without[i]);
    }
    lua_pushcfunction(L, no_print);
    lua_setfield(L, -2, "print");
    lua_getfield(L, -1, "string");
    for (size_t i = 0; i < sizeof unstoppable / sizeof *unstoppable; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, unstoppable[i]);
    }
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushcfunction(L, no_nn);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "nn");
}
