/* A lesson's constructs, made the engine's own. Lesson code keeps the tables that it wrote its fields into, and may change them, or
   answer for them by a metatable, once they have been checked. So the fields of each construct become a copy, lists and all. */
#include "engine/internal.h"

enum { DEPTH_MAX = 100 };

struct sealing {
    struct engine *engine;
    int done; /* stack index: table -> its copy, construct -> true; false while it is being copied */
    int line; /* of the construct around */
};

static void seal(struct sealing *s, int depth);

/* True: it is in `done`, and what stands there is pushed. */
static bool met(struct sealing *s, int value)
{
    lua_State *L = s->engine->L;
    lua_pushvalue(L, value);
    if (lua_rawget(L, s->done) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1))
        lesson_error(s->engine, s->line, "a %s holds itself", lua_istable(L, value) ? "table" : "construct");
    return true;
}

static void mark(struct sealing *s, int value) /* with what is at the top, popped */
{
    lua_State *L = s->engine->L;
    lua_pushvalue(L, value);
    lua_insert(L, -2);
    lua_rawset(L, s->done);
}

/* Replaces the table at the top by its copy. */
static void seal_table(struct sealing *s, int depth)
{
    lua_State *L = s->engine->L;
    int table = lua_gettop(L);
    if (!met(s, table)) {
        lua_pushboolean(L, 0);
        mark(s, table);
        lua_createtable(L, (int)lua_rawlen(L, table), 0);
        lua_pushnil(L);
        while (lua_next(L, table)) {
            seal(s, depth + 1);
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, table + 1);
        }
        if (shape_test(L, table)) {
            lua_getmetatable(L, table);
            lua_setmetatable(L, table + 1);
        }
        lua_pushvalue(L, table + 1);
        mark(s, table);
    }
    lua_replace(L, table);
    lua_settop(L, table);
}

static void seal_construct(struct sealing *s, const struct construct *construct, int depth)
{
    lua_State *L = s->engine->L;
    int top = lua_gettop(L), line = s->line;
    s->line = construct->line;
    if (!met(s, top)) {
        lua_pushboolean(L, 0);
        mark(s, top);
        lua_getiuservalue(L, top, 1);
        seal(s, depth + 1);
        lua_setiuservalue(L, top, 1);
        lua_pushboolean(L, 1);
        mark(s, top);
    }
    s->line = line;
    lua_settop(L, top);
}

/* The value at the top. */
static void seal(struct sealing *s, int depth)
{
    lua_State *L = s->engine->L;
    const struct construct *construct = construct_test(L, -1);
    if (!construct && !lua_istable(L, -1))
        return;
    if (depth > DEPTH_MAX)
        lesson_error(s->engine, construct ? construct->line : s->line, "this is nested too deep");
    luaL_checkstack(L, 10, NULL);
    if (construct)
        seal_construct(s, construct, depth);
    else
        seal_table(s, depth);
}

void construct_seal(struct engine *engine)
{
    lua_State *L = engine->L;
    const struct construct *construct = construct_test(L, -1);
    luaL_checkstack(L, 10, NULL);
    lua_newtable(L);
    lua_insert(L, -2);
    struct sealing sealing = { engine, lua_gettop(L) - 1, construct ? construct->line : 0 };
    seal(&sealing, 0);
    lua_remove(L, sealing.done);
}
