/* The words a lesson file is written in: course, lesson, step, ask.…, mistake, option, knob.…, view.… */
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

static const char CONSTRUCT[] = "construct";

static const char *const NAMES[K_COUNT] = {
    [K_COURSE] = "course", [K_LESSON] = "lesson", [K_STEP] = "step", [K_NUMBER] = "ask.number", [K_TENSOR] = "ask.tensor",
    [K_SHAPE] = "ask.shape", [K_CHOICE] = "ask.choice", [K_ORDER] = "ask.order", [K_CODE] = "ask.code", [K_MISTAKE] = "mistake",
    [K_OPTION] = "option", [K_PIECE] = "piece", [K_CODE_MISTAKE] = "mistake", [K_ORDER_MISTAKE] = "mistake", [K_PROBE] = "probe", [K_REPLACE] = "replace", [K_KNOB_LOG] = "knob.log",
    [K_KNOB_LINEAR] = "knob.linear", [K_KNOB_INT] = "knob.int", [K_KNOB_SWITCH] = "knob.switch", [K_KNOB_PICK] = "knob.pick",
    [K_VIEW_TOKENS] = "view.tokens", [K_VIEW_PIPELINE] = "view.pipeline", [K_VIEW_BARS] = "view.bars", [K_VIEW_PLOT] = "view.plot",
    [K_VIEW_AXES] = "view.axes", [K_VIEW_HEAT] = "view.heat", [K_VIEW_TABLE] = "view.table", [K_VIEW_COMPARE] = "view.compare",
    [K_VIEW_BLOCK] = "view.block", [K_VIEW_STACK] = "view.stack", [K_VIEW_LEAK] = "view.leak", [K_VIEW_PROBES] = "view.probes",
    [K_VIEW_PRECISION] = "view.precision", [K_VIEW_CODE] = "view.code", [K_VIEW_ROW] = "view.row", [K_VIEW_COLUMN] = "view.column",
};

const char *construct_name(enum construct_kind kind)
{
    return NAMES[kind];
}

const char *title_of(lua_State *L, const struct construct *construct)
{
    const char *name = NAMES[construct->kind];
    return construct->id[0] ? lua_pushfstring(L, "%s \"%s\"", name, construct->id) : lua_pushstring(L, name);
}

bool is_question(enum construct_kind kind)
{
    return kind >= K_NUMBER && kind <= K_CODE;
}

bool is_knob(enum construct_kind kind)
{
    return kind >= K_KNOB_LOG && kind <= K_KNOB_PICK;
}

bool is_view(enum construct_kind kind)
{
    return kind >= K_VIEW_TOKENS && kind <= K_VIEW_COLUMN;
}

struct construct *construct_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, CONSTRUCT);
}

static int caller_line(lua_State *L)
{
    lua_Debug ar;
    if (!lua_getstack(L, 1, &ar))
        return 0;
    lua_getinfo(L, "l", &ar);
    return ar.currentline > 0 ? ar.currentline : 0;
}

/* Wraps the table at `fields`. */
static int wrap(lua_State *L, enum construct_kind kind, const char *id, int fields)
{
    if (lua_type(L, fields) != LUA_TTABLE)
        return luaL_error(L, "%s%s%s%s needs braces: { … }", NAMES[kind], id ? " \"" : "", id ? id : "", id ? "\"" : "");
    struct construct *construct = lua_newuserdatauv(L, sizeof *construct, 1);
    *construct = (struct construct){ .kind = kind, .line = caller_line(L) };
    if (id)
        memcpy(construct->id, id, strlen(id) + 1);
    luaL_setmetatable(L, CONSTRUCT);
    lua_pushvalue(L, fields);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

static int with_fields(lua_State *L)
{
    enum construct_kind kind = (enum construct_kind)lua_tointeger(L, lua_upvalueindex(1));
    return wrap(L, kind, lua_tostring(L, lua_upvalueindex(2)), 1);
}

static int lua_name(const char *id)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return id[0] && strchr(letters, id[0]) && strspn(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(id);
}

/* kind "id": waits for the braces. */
static int with_id(lua_State *L)
{
    enum construct_kind kind = (enum construct_kind)lua_tointeger(L, lua_upvalueindex(1));
    if (lua_type(L, 1) == LUA_TTABLE)
        return luaL_error(L, "%s needs an id before its braces: %s \"some-id\" { … }", NAMES[kind], NAMES[kind]);
    if (lua_type(L, 1) != LUA_TSTRING)
        return luaL_error(L, "the id of %s is a string, not a %s", NAMES[kind], luaL_typename(L, 1));
    size_t length;
    const char *id = lua_tolstring(L, 1, &length);
    if (length >= ID_MAX)
        return luaL_error(L, "the id of %s is longer than %d bytes", NAMES[kind], ID_MAX - 1);
    if (is_knob(kind) ? !lua_name(id) : !length || strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != length)
        return luaL_error(L, is_knob(kind) ? N_("the id \"%s\" of %s is not a name in Lua") : N_("the id \"%s\" of %s may have only a-z, 0-9 and -"),
                          id, NAMES[kind]);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, with_fields, 2);
    return 1;
}

static int without_id(lua_State *L)
{
    enum construct_kind kind = (enum construct_kind)lua_tointeger(L, lua_upvalueindex(1));
    return wrap(L, kind, NULL, 1);
}

static int unknown_kind(lua_State *L)
{
    const char *family = lua_tostring(L, lua_upvalueindex(1));
    return raise_unknown(L, family, lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?", 1);
}

/* The table `ask`, `knob` or `view`. */
static void bind_family(lua_State *L, int globals, const char *family, enum construct_kind from, enum construct_kind to,
                        lua_CFunction function)
{
    lua_newtable(L);
    for (int kind = (int)from; kind <= (int)to; kind++) {
        lua_pushinteger(L, kind);
        lua_pushcclosure(L, function, 1);
        lua_setfield(L, -2, strchr(NAMES[kind], '.') + 1);
    }
    lua_newtable(L);
    lua_pushfstring(L, "kind of %s", family);
    lua_pushcclosure(L, unknown_kind, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_setfield(L, globals, family);
}

void bind_constructors(lua_State *L, int globals)
{
    static const enum construct_kind single[] = { K_COURSE, K_LESSON, K_STEP, K_MISTAKE, K_OPTION, K_PIECE, K_PROBE };
    if (luaL_newmetatable(L, CONSTRUCT)) {
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
    }
    lua_pop(L, 1);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        lua_pushinteger(L, single[i]);
        lua_pushcclosure(L, with_id, 1);
        lua_setfield(L, globals, NAMES[single[i]]);
    }
    lua_pushinteger(L, K_REPLACE);
    lua_pushcclosure(L, without_id, 1);
    lua_setfield(L, globals, NAMES[K_REPLACE]);
    bind_family(L, globals, "ask", K_NUMBER, K_CODE, with_id);
    bind_family(L, globals, "knob", K_KNOB_LOG, K_KNOB_PICK, with_id);
    bind_family(L, globals, "view", K_VIEW_TOKENS, K_VIEW_COLUMN, without_id);
}
