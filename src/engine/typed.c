#include "engine/typed.h"

/* Pushes a function, or a message: a status of Lua. The expression is no tail call, and its end stays on its line: so an error
   keeps its line. */
static int load(lua_State *L, const char *text, size_t length, const char *chunk)
{
    static const char *const ends[] = { ")", "\n)" /* after a comment */ };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        lua_pushliteral(L, "return (function(...) return ... end)(");
        lua_pushlstring(L, text, length);
        lua_pushstring(L, ends[i]);
        lua_concat(L, 3);
        size_t whole;
        const char *expression = lua_tolstring(L, -1, &whole);
        int status = luaL_loadbufferx(L, expression, whole, chunk, "t");
        lua_remove(L, -2);
        if (status == LUA_OK)
            return LUA_OK;
        lua_pop(L, 1);
    }
    return luaL_loadbufferx(L, text, length, chunk, "t");
}

int typed_run(lua_State *L, const char *text, size_t length, const char *chunk, int env, int print)
{
    int top = lua_gettop(L);
    if (load(L, text, length, chunk) != LUA_OK)
        lua_error(L);
    lua_pushvalue(L, env);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, LUA_MULTRET);
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
