#include "engine/typed.h"

#include <string.h>

/* ---- running ---- */

/* Pushes a function of parts that are put together, or a message: a status of Lua. */
static int load_parts(lua_State *L, const char *before, const char *text, size_t length, const char *after, const char *chunk)
{
    size_t whole;
    lua_pushstring(L, before);
    lua_pushlstring(L, text, length);
    lua_pushstring(L, after);
    lua_concat(L, 3);
    const char *code = lua_tolstring(L, -1, &whole);
    int status = luaL_loadbufferx(L, code, whole, chunk, "t");
    lua_remove(L, -2);
    return status;
}

/* The expression is no tail call, and its end stays on its line: so an error keeps its line. `keeper`: statements call the function
   that is their argument last. */
static int load(lua_State *L, const char *text, size_t length, const char *chunk, bool keeper)
{
    static const char *const ends[] = { ")", "\n)" /* after a comment */ };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (load_parts(L, "return (function(...) return ... end)(", text, length, ends[i], chunk) == LUA_OK)
            return LUA_OK;
        lua_pop(L, 1);
    }
    if (keeper && load_parts(L, "", text, length, "\n;(...)()", chunk) == LUA_OK)
        return LUA_OK;
    if (keeper)
        lua_pop(L, 1);
    return luaL_loadbufferx(L, text, length, chunk, "t");
}

/* Puts the locals of its caller into the table of upvalue 1. */
static int keep_locals(lua_State *L)
{
    lua_Debug ar;
    const char *name;
    if (!lua_getstack(L, 1, &ar))
        return 0;
    for (int i = 1; (name = lua_getlocal(L, &ar, i)); i++)
        if (name[0] == '(') /* Lua's own */
            lua_pop(L, 1);
        else
            lua_setfield(L, lua_upvalueindex(1), name);
    return 0;
}

int typed_run(lua_State *L, const char *text, size_t length, const char *chunk, int env, int print, int keep)
{
    int top = lua_gettop(L);
    if (load(L, text, length, chunk, keep != 0) != LUA_OK)
        lua_error(L);
    lua_pushvalue(L, env);
    lua_setupvalue(L, -2, 1);
    if (keep) {
        lua_pushvalue(L, keep);
        lua_pushcclosure(L, keep_locals, 1);
    }
    lua_call(L, keep ? 1 : 0, LUA_MULTRET);
    int results = lua_gettop(L) - top;
    if (results == 0)
        return 0;
    luaL_checkstack(L, results + 1, "too many results");
    lua_pushvalue(L, print);
    for (int i = 1; i <= results; i++)
        lua_pushvalue(L, top + i);
    lua_call(L, results, 0);
    return results;
}

bool typed_is_open(lua_State *L, const char *text, size_t length)
{
    static const char *const begins[] = { "", "return " };
    static const char end[] = "<eof>";
    bool open = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t said;
        bool good = load_parts(L, begins[i], text, length, "", "=typed") == LUA_OK;
        const char *words = good ? NULL : lua_tolstring(L, -1, &said);
        open = open || (words && said >= sizeof end - 1 && !strcmp(words + said - (sizeof end - 1), end) &&
                        !strstr(words, ": unfinished string") /* in quotes, it does not go on */);
        lua_pop(L, 1);
        if (good)
            return false;
    }
    return open;
}

/* ---- names ---- */

void typed_add_keys(lua_State *L, int names, const char *prefix)
{
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            continue;
        lua_pushfstring(L, "%s%s", prefix, lua_tostring(L, -1));
        lua_pushboolean(L, 1);
        lua_rawset(L, names);
    }
    lua_settop(L, table - 1);
}

/* Adds the methods of the userdata at the top, popped. */
static void add_methods(lua_State *L, int names)
{
    int top = lua_gettop(L);
    if (luaL_getmetafield(L, top, "__index") == LUA_TFUNCTION && lua_getupvalue(L, -1, 1))
        typed_add_keys(L, names, ":");
    lua_settop(L, top - 1);
}

void typed_push_names(lua_State *L, int globals)
{
    static const char *const libraries[] = { "math", "nn", "string", "table", "tensor", "utf8" }, *const fields[] = { ".shape", ".type" };
    globals = lua_absindex(L, globals);
    lua_newtable(L);
    int names = lua_gettop(L);
    lua_pushvalue(L, globals);
    typed_add_keys(L, names, "");
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        char prefix[16];
        strcat(strcpy(prefix, libraries[i]), ".");
        lua_pushstring(L, libraries[i]);
        if (lua_rawget(L, globals) == LUA_TTABLE)
            typed_add_keys(L, names, prefix);
        else
            lua_pop(L, 1);
    }
    tensor_push(L);
    add_methods(L, names);
    lua_pushliteral(L, "random");
    lua_rawget(L, globals);
    if (random_test(L, -1))
        add_methods(L, names);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushboolean(L, 1);
        lua_setfield(L, names, fields[i]);
    }
    lua_settop(L, names);
}

void typed_take_names(struct engine *engine, struct strings *out)
{
    lua_State *L = engine->L;
    keys_sorted(L, -1);
    size_t count = lua_rawlen(L, -1);
    out->item = scene_zero(engine, count, sizeof *out->item);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        out->item[out->count++] = scene_text(engine, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
}
