/* Facts: the names that formulas see, and the formulas themselves.

   A layer of facts is a table: [VALUES] names to values, [GIVEN] names to { formula, construct }, [PARENT] the outer layer,
   [CACHE] what givens came to be, [ENV] the environment that reads it all. A given is computed in the innermost layer it is
   asked from, so that it follows a knob that stands there. */
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

enum { VALUES = 1, GIVEN, PARENT, CACHE, ENV };

static void *const BUSY = (void *)&BUSY; /* in CACHE: being computed */

/* ---- layers ---- */

void facts_extend(lua_State *L, int facts)
{
    if (facts)
        facts = lua_absindex(L, facts);
    lua_createtable(L, ENV, 0);
    lua_newtable(L);
    lua_rawseti(L, -2, VALUES);
    lua_newtable(L);
    lua_rawseti(L, -2, GIVEN);
    if (facts)
        lua_pushvalue(L, facts);
    else
        lua_pushboolean(L, 0);
    lua_rawseti(L, -2, PARENT);
    lua_newtable(L);
    lua_rawseti(L, -2, CACHE);
}

void facts_set(lua_State *L, int facts, const char *name)
{
    facts = lua_absindex(L, facts);
    lua_rawgeti(L, facts, CACHE);
    lua_pushnil(L);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
    lua_rawgeti(L, facts, VALUES);
    lua_insert(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

static void add_given(lua_State *L, int facts, const char *name, const struct construct *where)
{
    facts = lua_absindex(L, facts);
    lua_createtable(L, 2, 0);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 1);
    lua_pushlightuserdata(L, (void *)where);
    lua_rawseti(L, -2, 2);
    lua_rawgeti(L, facts, GIVEN);
    lua_insert(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

void facts_given(lua_State *L, int facts, int given, const struct construct *where)
{
    facts = lua_absindex(L, facts);
    given = lua_absindex(L, given);
    if (lua_type(L, given) != LUA_TTABLE)
        return;
    lua_pushnil(L);
    while (lua_next(L, given)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            lua_pushvalue(L, -1);
            add_given(L, facts, lua_tostring(L, -3), where);
        }
        lua_pop(L, 1);
    }
}

/* Pushes the value or the given of the name at `name` from the nearest layer: VALUES, GIVEN, or 0 with nothing pushed. */
static int find_key(lua_State *L, int facts, int name)
{
    lua_pushvalue(L, facts);
    while (lua_type(L, -1) == LUA_TTABLE) {
        for (int place = VALUES; place <= GIVEN; place++) {
            lua_rawgeti(L, -1, place);
            lua_pushvalue(L, name);
            if (lua_rawget(L, -2) != LUA_TNIL) {
                lua_replace(L, -3);
                lua_pop(L, 1);
                return place;
            }
            lua_pop(L, 2);
        }
        lua_rawgeti(L, -1, PARENT);
        lua_remove(L, -2);
    }
    lua_pop(L, 1);
    return 0;
}

enum facts_place facts_find(lua_State *L, int facts, const char *name)
{
    facts = lua_absindex(L, facts);
    lua_pushstring(L, name);
    int place = find_key(L, facts, lua_gettop(L));
    lua_remove(L, place ? -2 : -1);
    return place == VALUES ? FACT_VALUE : place == GIVEN ? FACT_GIVEN : FACT_NONE;
}

bool facts_has(lua_State *L, int facts, const char *name)
{
    bool found = facts_find(L, facts, name) != FACT_NONE;
    if (found)
        lua_pop(L, 1);
    return found;
}

/* The keys of the table at the top, popped, into the set at `names`. */
static void add_keys(lua_State *L, int names)
{
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushboolean(L, 1);
        lua_rawset(L, names);
    }
    lua_pop(L, 1);
}

void facts_names(lua_State *L, int facts)
{
    facts = lua_absindex(L, facts);
    lua_newtable(L);
    int names = lua_gettop(L);
    lua_pushvalue(L, facts);
    while (lua_type(L, -1) == LUA_TTABLE) {
        for (int place = VALUES; place <= GIVEN; place++) {
            lua_rawgeti(L, -1, place);
            add_keys(L, names);
        }
        lua_rawgeti(L, -1, PARENT);
        lua_remove(L, -2);
    }
    lua_pop(L, 1);
}

/* What the author may have meant by a name: a fact, or what formulas are made of; on the stack, or NULL. */
static const char *meant_in_formula(lua_State *L, int facts, const char *name)
{
    static const char *const names[] = { "abs", "exp", "grad", "inf", "log", "max", "min", "nan", "pi", "sqrt", "tanh", "tensor" };
    facts_names(L, facts);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, names[i]);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    return meant_name(L, -2, -1, name);
}

/* Pushes "; did you mean `other`?", or what else there is to say. */
static const char *unknown_hint(lua_State *L, int facts, const char *name)
{
    static const struct { const char *name, *place; } elsewhere[] = { { "answer", "why" }, { "got", "say" }, { "at", "say" } };
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (!strcmp(elsewhere[i].name, name))
            return lua_pushfstring(L, _("; it is a fact in `%s` alone"), elsewhere[i].place);
    const char *near = meant_in_formula(L, facts, name);
    return near ? lua_pushfstring(L, _("; did you mean `%s`?"), near) : lua_pushstring(L, "");
}

static int facts_unknown(lua_State *L, int facts, const char *name)
{
    return luaL_error(L, "unknown name `%s`%s", name, unknown_hint(L, facts, name));
}

void facts_unknown_at(struct engine *engine, const struct construct *where, const char *field, int facts, const char *name)
{
    lua_State *L = engine->L;
    lesson_error(engine, lesson_line(engine, where, field), "%s: `%s`: unknown name `%s`%s", title_of(L, where), field, name,
                 unknown_hint(L, facts, name));
}

/* Keeps the value at the top under the name that is argument 2 of read_fact. */
static void keep(lua_State *L, int cache)
{
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, cache);
}

/* Arguments: the construct, the name, the formula, the environment. */
static int compute_given(lua_State *L)
{
    struct engine *engine = engine_of(L);
    const struct construct *where = lua_touserdata(L, 1);
    const char *name = lua_tostring(L, 2);
    formula_value(engine, where, name, 3, 4);
    if (lua_isnil(L, -1))
        lesson_error(engine, name_line(engine, where, "given", name), "%s \"%s\": `%s` came to nothing (nil)",
                     construct_name(where->kind), where->id, name);
    tensor_freeze(L, -1);
    return 1;
}

/* __index of an environment; upvalue 1: its facts. */
static int read_fact(lua_State *L)
{
    int facts = lua_upvalueindex(1);
    lua_settop(L, 2);
    lua_rawgeti(L, facts, CACHE);
    int cache = 3;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, cache) != LUA_TNIL) {
        if (lua_touserdata(L, -1) == BUSY && lua_islightuserdata(L, -1))
            return luaL_error(L, "`%s` is computed from itself", lua_tostring(L, 2));
        return 1;
    }
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    lua_pushvalue(L, facts);
    int copy = lua_gettop(L);
    int place = find_key(L, copy, 2);
    if (place == GIVEN) {
        int given = lua_gettop(L);
        lua_pushlightuserdata(L, BUSY);
        keep(L, cache);
        lua_pushcfunction(L, compute_given);
        lua_rawgeti(L, given, 2);
        lua_pushvalue(L, 2);
        lua_rawgeti(L, given, 1);
        facts_env(L, copy);
        if (lua_pcall(L, 4, 1, 0) != LUA_OK) {
            lua_pushnil(L); /* the next to ask is told the same */
            keep(L, cache);
            lua_pop(L, 1);
            return lua_error(L);
        }
    } else if (place == 0) {
        lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
        lua_pushvalue(L, 2);
        if (lua_rawget(L, -2) == LUA_TNIL)
            return facts_unknown(L, copy, name);
    }
    keep(L, cache);
    return 1;
}

static int refuse_write(lua_State *L)
{
    return luaL_error(L, "facts are read-only; `%s` cannot be set here", lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
}

void facts_env(lua_State *L, int facts)
{
    facts = lua_absindex(L, facts);
    if (lua_rawgeti(L, facts, ENV) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, facts);
    lua_pushcclosure(L, read_fact, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawseti(L, facts, ENV);
}

/* ---- formulas ---- */

/* Pushes the function of a formula's text, compiled once. */
int formula_compile(lua_State *L, const char *text)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.compiled");
    if (lua_getfield(L, -1, text) != LUA_TNIL) {
        lua_remove(L, -2);
        return LUA_OK;
    }
    lua_pop(L, 1);
    lua_pushfstring(L, "local _ENV = ... return %s\n", text);
    size_t length;
    const char *chunk = lua_tolstring(L, -1, &length);
    int status = luaL_loadbufferx(L, chunk, length, "=" FORMULA_MARK, "t");
    lua_remove(L, -2);
    const char *hint = status == LUA_ERRSYNTAX ? formula_hint(lua_tostring(L, -1)) : NULL;
    if (hint) {
        lua_pushfstring(L, "%s; %s", lua_tostring(L, -1), hint);
        lua_remove(L, -2);
    }
    if (status == LUA_OK) {
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, text);
    }
    lua_remove(L, -2);
    return status;
}

/* Raises the message at the top: one without a place gets the field's. */
int formula_raise(struct engine *engine, const struct construct *where, const char *field)
{
    lua_State *L = engine->L;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : _("an error that is not a text");
    static const char mark[] = FORMULA_MARK ":";
    bool placed = strncmp(text, mark, strlen(mark)) != 0 && strstr(text, ": ");
    if (placed && (strstr(text, FILE_MARK ":") || !strncmp(text, "shared/", 7) || !strncmp(text, engine->request->file, strlen(engine->request->file))))
        return lua_error(L);
    while (!strncmp(text, mark, strlen(mark))) {
        const char *words = strstr(text, ": ");
        if (!words)
            break;
        text = words + 2;
    }
    if (where->id[0])
        return lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s`: %s", construct_name(where->kind), where->id, field, text);
    return lesson_error(engine, lesson_line(engine, where, field), "%s: `%s`: %s", construct_name(where->kind), field, text);
}

bool formula_push(struct engine *engine, const struct construct *where, const char *field, int index)
{
    lua_State *L = engine->L;
    luaL_checkstack(L, 20, "formulas nested too deep");
    index = lua_absindex(L, index);
    int type = lua_type(L, index);
    if (type != LUA_TSTRING) {
        lua_pushvalue(L, index);
        file_settle(engine, where, field);
        return type == LUA_TFUNCTION;
    }
    if (formula_compile(L, lua_tostring(L, index)) != LUA_OK)
        formula_raise(engine, where, field);
    return true;
}

void formula_call(struct engine *engine, const struct construct *where, const char *field, int env)
{
    lua_State *L = engine->L;
    engine->line = where->line;
    lua_pushvalue(L, env);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        formula_raise(engine, where, field);
    file_settle(engine, where, field);
}

void formula_value(struct engine *engine, const struct construct *where, const char *field, int index, int env)
{
    env = lua_absindex(engine->L, env);
    if (formula_push(engine, where, field, index))
        formula_call(engine, where, field, env);
}

double formula_number(struct engine *engine, const struct construct *where, const char *field, int index, int env)
{
    formula_value(engine, where, field, index, env);
    return formula_take_number(engine, where, field);
}

static const char *shaped(lua_State *L, const struct tensor *x)
{
    char shape[TENSOR_SHAPE_TEXT];
    return lua_pushfstring(L, _("tensor of shape %s"), tensor_shape_text(x, shape));
}

double formula_take_number(struct engine *engine, const struct construct *where, const char *field)
{
    lua_State *L = engine->L;
    double value;
    const struct tensor *x = tensor_test(L, -1);
    if (lua_type(L, -1) == LUA_TNUMBER)
        value = lua_tonumber(L, -1);
    else if (x && tensor_count(x) == 1)
        value = (double)tensor_get_flat(x, 0);
    else
        return lesson_error(engine, lesson_line(engine, where, field), "%s: `%s` must come to a number, not a %s", title_of(L, where), field,
                            x ? shaped(L, x) : luaL_typename(L, -1));
    lua_pop(L, 1);
    return value;
}

bool formula_true(struct engine *engine, const struct construct *where, const char *field, int index, int env)
{
    formula_value(engine, where, field, index, env);
    if (lua_type(engine->L, -1) != LUA_TBOOLEAN)
        lesson_error(engine, lesson_line(engine, where, field), "%s: `%s` must come to true or false, not a %s", title_of(engine->L, where), field,
                     luaL_typename(engine->L, -1));
    bool yes = lua_toboolean(engine->L, -1);
    lua_pop(engine->L, 1);
    return yes;
}

/* ---- a layer as it is written ---- */

bool facts_editable(lua_State *L, int facts, const char *name)
{
    enum facts_place place = facts_find(L, facts, name);
    bool editable = place == FACT_VALUE && tensor_test(L, -1);
    lua_pop(L, place != FACT_NONE);
    return editable;
}

/* The line of a name of the layers outside `facts`: a given's, or else one of the lesson's data or define. */
static int outer_line(struct engine *engine, int facts, const char *name)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct construct *where = engine->lesson.construct;
    const char *field = "data";
    if (facts_find(L, facts, name) == FACT_GIVEN) {
        lua_rawgeti(L, -1, 2);
        where = lua_touserdata(L, -1);
        field = "given";
    } else {
        lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
        if (lua_getfield(L, -1, "define") == LUA_TTABLE && lua_getfield(L, -1, name) != LUA_TNIL)
            field = "define";
    }
    lua_settop(L, top);
    return name_line(engine, where, field, name);
}

void facts_check(struct engine *engine, const struct construct *where, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    luaL_checkstack(L, 20, NULL);
    facts = lua_absindex(L, facts);
    lua_rawgeti(L, facts, VALUES);
    lua_rawgeti(L, facts, PARENT);
    int values = top + 1, outer = top + 2;
    for (int place = VALUES; place <= GIVEN; place++) {
        lua_rawgeti(L, facts, place);
        keys_sorted(L, -1);
        int keys = lua_gettop(L);
        for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
            lua_rawgeti(L, keys, (lua_Integer)i);
            const char *name = lua_tostring(L, -1), *field = place == VALUES ? "data" : "given";
            bool outside = lua_type(L, outer) == LUA_TTABLE && facts_has(L, outer, name);
            bool beside = place == GIVEN && lua_getfield(L, values, name) != LUA_TNIL;
            if (outside || beside)
                lesson_error(engine, name_line(engine, where, field, name), "%s \"%s\": the name `%s` is used twice, also on line %d; call one of them something else",
                             construct_name(where->kind), where->id, name,
                             outside ? outer_line(engine, outer, name) : name_line(engine, where, "data", name));
            lua_settop(L, keys);
        }
        facts_env(L, facts);
        for (size_t i = 1; place == GIVEN && i <= lua_rawlen(L, keys); i++) {
            lua_rawgeti(L, keys, (lua_Integer)i);
            lua_gettable(L, keys + 1);
            lua_settop(L, keys + 1);
        }
        lua_settop(L, outer);
    }
    lua_settop(L, top);
}
