/* Facts: the names that formulas see, and the formulas themselves.

   A layer of facts is a table: [VALUES] names to values, [GIVEN] names to { formula, construct }, [PARENT] the outer layer,
   [CACHE] what givens came to be, [ENV] the environment that reads it all. A given is computed in the innermost layer it is
   asked from, so that it follows a knob that stands there. */
#include <string.h>

#include "engine/internal.h"

enum { VALUES = 1, GIVEN, PARENT, CACHE, ENV };
enum { DRAWS_MAX = 200 };

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

static int find(lua_State *L, int facts, const char *name)
{
    facts = lua_absindex(L, facts);
    lua_pushstring(L, name);
    int place = find_key(L, facts, lua_gettop(L));
    lua_remove(L, place ? -2 : -1);
    return place;
}

bool facts_has(lua_State *L, int facts, const char *name)
{
    bool found = find(L, lua_absindex(L, facts), name) != 0;
    if (found)
        lua_pop(L, 1);
    return found;
}

static void collect_names(lua_State *L, int facts)
{
    int names = lua_gettop(L);
    lua_pushvalue(L, facts);
    while (lua_type(L, -1) == LUA_TTABLE) {
        for (int place = VALUES; place <= GIVEN; place++) {
            lua_rawgeti(L, -1, place);
            lua_pushnil(L);
            while (lua_next(L, -2)) {
                lua_pop(L, 1);
                lua_pushvalue(L, -1);
                lua_pushboolean(L, 1);
                lua_rawset(L, names);
            }
            lua_pop(L, 1);
        }
        lua_rawgeti(L, -1, PARENT);
        lua_remove(L, -2);
    }
    lua_pop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushboolean(L, 1);
        lua_rawset(L, names);
    }
    lua_pop(L, 1);
}

int facts_unknown(lua_State *L, int facts, const char *name)
{
    facts = lua_absindex(L, facts);
    lua_newtable(L);
    collect_names(L, facts);
    return raise_unknown(L, "name", name, lua_gettop(L));
}

void facts_unknown_at(struct engine *engine, const struct construct *where, const char *field, int facts, const char *name)
{
    lua_State *L = engine->L;
    lua_newtable(L);
    collect_names(L, facts);
    const char *near = nearest_key(L, lua_gettop(L), name);
    lesson_error(engine, lesson_line(engine, where, field), "%s%s%s%s: `%s`: unknown name `%s`%s%s%s", construct_name(where->kind),
                 where->id[0] ? " \"" : "", where->id, where->id[0] ? "\"" : "", field, name, near ? "; did you mean `" : "", near ? near : "",
                 near ? "`?" : "");
}

/* Keeps the value at the top under the name that is argument 2 of read_fact. */
static void keep(lua_State *L, int cache)
{
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, cache);
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
        lua_rawgeti(L, -1, 2);
        const struct construct *where = lua_touserdata(L, -1);
        lua_pop(L, 1);
        lua_rawgeti(L, -1, 1);
        int formula = lua_gettop(L);
        lua_pushlightuserdata(L, BUSY);
        keep(L, cache);
        facts_env(L, copy);
        formula_value(engine_of(L), where, name, formula, lua_gettop(L));
        if (lua_isnil(L, -1))
            return luaL_error(L, "`%s` came to nothing (nil)", name);
        tensor_freeze(L, -1);
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
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error that is not a text";
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
        return type == LUA_TFUNCTION;
    }
    if (formula_compile(L, lua_tostring(L, index)) != LUA_OK)
        formula_raise(engine, where, field);
    return true;
}

void formula_call(struct engine *engine, const struct construct *where, const char *field, int env)
{
    lua_State *L = engine->L;
    lua_pushvalue(L, env);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        formula_raise(engine, where, field);
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
        return lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s` must come to a number, not a %s",
                            construct_name(where->kind), where->id, field, luaL_typename(L, -1));
    lua_pop(L, 1);
    return value;
}

bool formula_true(struct engine *engine, const struct construct *where, const char *field, int index, int env)
{
    formula_value(engine, where, field, index, env);
    if (lua_type(engine->L, -1) != LUA_TBOOLEAN)
        lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s` must come to true or false, not a %s",
                     construct_name(where->kind), where->id, field, luaL_typename(engine->L, -1));
    bool yes = lua_toboolean(engine->L, -1);
    lua_pop(engine->L, 1);
    return yes;
}

/* ---- data ---- */

static uint64_t draw_key(const struct engine *engine, uint32_t attempt)
{
    const struct request *request = engine->request;
    uint64_t hash = hash_text(hash_text(HASH_START, request->course), engine->lesson.construct->id);
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (request->seed >> (8 * i) & 0xff)) * 0x100000001b3u;
    for (int i = 0; i < 4; i++)
        hash = (hash ^ (attempt >> (8 * i) & 0xff)) * 0x100000001b3u;
    return hash;
}

/* The table at the top is what `data` returned: its names become facts of the layer at `facts`. */
static void take_data(struct engine *engine, const struct construct *where, int facts)
{
    lua_State *L = engine->L;
    if (lua_type(L, -1) != LUA_TTABLE)
        lesson_error(engine, lesson_line(engine, where, "data"), "%s \"%s\": `data` must return a table of names, not a %s",
                     construct_name(where->kind), where->id, luaL_typename(L, -1));
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            lesson_error(engine, lesson_line(engine, where, "data"), "%s \"%s\": what `data` returns needs names: { x = … }",
                         construct_name(where->kind), where->id);
        check_fact_name(engine, where, "data", lua_tostring(L, -2));
        tensor_freeze(L, -1);
        lua_pushvalue(L, -1);
        facts_set(L, facts, lua_tostring(L, -3));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* One draw of `where`'s data into the layer at `facts`; `random` is at `random`, `env` 0 for a lesson. */
static void draw(struct engine *engine, const struct construct *where, int fields, int random, int facts, int env)
{
    lua_State *L = engine->L;
    if (lua_getfield(L, fields, "data") == LUA_TFUNCTION) {
        lua_pushvalue(L, random);
        if (env)
            lua_pushvalue(L, env);
        if (lua_pcall(L, env ? 2 : 1, 1, 0) != LUA_OK)
            formula_raise(engine, where, "data");
        take_data(engine, where, facts);
    } else {
        lua_pop(L, 1);
    }
    lua_getfield(L, fields, "given");
    facts_given(L, facts, -1, where);
    lua_pop(L, 1);
}

static bool accepted(struct engine *engine, const struct construct *where, int fields, int facts)
{
    lua_State *L = engine->L;
    bool yes = true;
    if (lua_getfield(L, fields, "accept") != LUA_TNIL) {
        facts_env(L, facts);
        yes = formula_true(engine, where, "accept", -2, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return yes;
}

static bool has_data(lua_State *L, const struct step_def *step)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    bool yes = lua_getfield(L, -1, "data") == LUA_TFUNCTION;
    lua_pop(L, 2);
    return yes;
}

/* A step's facts over the lesson's at `outer`; the draw is left to the caller unless the step has none. */
static bool undrawn_step_fits(struct engine *engine, const struct step_def *step, int outer)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts_extend(L, outer);
    int facts = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "given");
    facts_given(L, facts, -1, step->construct);
    facts_env(L, facts);
    bool fits = !question_agrees(engine, step, lua_gettop(L));
    lua_settop(L, top);
    return fits;
}

/* Questions without data of their own depend on the lesson's numbers: all must have mistakes that can be told apart. */
static bool lesson_fits(struct engine *engine, const struct step_def *only, int facts)
{
    for (size_t i = 0; i < engine->lesson.step_count; i++) {
        const struct step_def *step = &engine->lesson.steps[i];
        if ((!only || only == step) && is_question(step->construct->kind) && !has_data(engine->L, step) &&
            !undrawn_step_fits(engine, step, facts))
            return false;
    }
    return true;
}

static int no_draw(struct engine *engine, const struct construct *where)
{
    return lesson_error(engine, where->line, "%s \"%s\": %d draws of `data` and none was fit: `accept` refuses them, or two mistakes "
                        "(or a mistake and the answer) come to the same", construct_name(where->kind), where->id, DRAWS_MAX);
}

/* Pushes what the memo holds under the key; false: nothing pushed. */
static bool recall(struct engine *engine, const char *key)
{
    lua_State *L = engine->L;
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.memo");
    bool found = lua_getfield(L, -1, key) == LUA_TTABLE;
    lua_remove(L, -2);
    if (!found)
        lua_pop(L, 1);
    return found;
}

/* Keeps the layer at the top; the memo is emptied when it has grown. */
static void remember(struct engine *engine, const char *key)
{
    lua_State *L = engine->L;
    enum { KEPT = 16 };
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.memo");
    lua_Integer count = luaL_len(L, -1);
    if (count >= KEPT) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, "normtutor.memo");
        count = 0;
    }
    lua_pushboolean(L, 1);
    lua_rawseti(L, -2, count + 1);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, key);
    lua_pop(L, 1);
}

void facts_lesson(struct engine *engine, const struct step_def *only, uint32_t attempt)
{
    lua_State *L = engine->L;
    const struct construct *where = engine->lesson.construct;
    const char *key = lua_pushfstring(L, "%I/%d/%s", (LUAI_UACINT)engine->request->seed, (int)attempt, attempt && only ? only->construct->id : "");
    int base = lua_gettop(L);
    if (recall(engine, key)) {
        lua_replace(L, base);
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
    int fields = lua_gettop(L);
    facts_extend(L, 0);
    int define = lua_gettop(L);
    if (lua_getfield(L, fields, "define") == LUA_TTABLE) {
        lua_pushnil(L);
        while (lua_next(L, -2))
            facts_set(L, define, lua_tostring(L, -2));
    }
    lua_pop(L, 1);
    bind_random(L, draw_key(engine, attempt), hash_text(HASH_START, ""));
    int random = lua_gettop(L);
    for (int draws = 0; draws < DRAWS_MAX; draws++) {
        lua_settop(L, random);
        facts_extend(L, define);
        int facts = lua_gettop(L);
        draw(engine, where, fields, random, facts, 0);
        if (accepted(engine, where, fields, facts) && lesson_fits(engine, attempt ? only : NULL, facts)) {
            lua_pushvalue(L, facts);
            remember(engine, key);
            lua_replace(L, base);
            lua_settop(L, base);
            return;
        }
    }
    no_draw(engine, where);
}

/* The layer at the top gets the request's changed cells over it. */
static void apply_edits(struct engine *engine, const struct step_def *step)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    int facts = lua_gettop(L), layer = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "edit");
    int names = lua_gettop(L);
    for (size_t i = 0; i < request->edit_count && lua_type(L, names) == LUA_TTABLE; i++) {
        const struct edit *edit = &request->edits[i];
        bool allowed = false;
        for (size_t n = 1; n <= lua_rawlen(L, names) && !allowed; n++) {
            lua_rawgeti(L, names, (lua_Integer)n);
            allowed = !strcmp(lua_tostring(L, -1), edit->name);
            lua_pop(L, 1);
        }
        if (!allowed)
            continue;
        int from = layer ? layer : facts;
        if (find(L, from, edit->name) != VALUES)
            continue;
        const struct tensor *x = tensor_test(L, -1);
        size_t index[TENSOR_RANK_MAX];
        bool fits = x && edit->rank == tensor_rank(x);
        for (int axis = 0; fits && axis < edit->rank; axis++) {
            index[axis] = edit->index[axis] - 1u;
            fits = edit->index[axis] >= 1 && index[axis] < tensor_extent(x, axis);
        }
        if (!fits)
            continue;
        struct error err;
        struct tensor **copy = tensor_push(L);
        if (tensor_copy(copy, x, &err))
            raise_error(L, &err);
        tensor_set(*copy, index, (float)edit->value);
        tensor_freeze(L, -1);
        if (!layer) {
            facts_extend(L, facts);
            lua_insert(L, names + 1);
            layer = names + 1;
        }
        facts_set(L, layer, edit->name);
    }
    if (layer) {
        lua_pushvalue(L, layer);
        lua_replace(L, facts);
    }
    lua_settop(L, facts);
}

void facts_step(struct engine *engine, const struct step_def *step, uint32_t attempt)
{
    lua_State *L = engine->L;
    const struct construct *where = step->construct;
    int base = lua_gettop(L) + 1;
    const char *key = lua_pushfstring(L, "%I/%d/%s/", (LUAI_UACINT)engine->request->seed, (int)attempt, where->id);
    if (!recall(engine, key)) {
        facts_lesson(engine, step, attempt);
        int outer = lua_gettop(L);
        facts_env(L, outer);
        int env = lua_gettop(L);
        lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
        int fields = lua_gettop(L);
        bind_random(L, draw_key(engine, attempt), hash_text(HASH_START, where->id));
        int random = lua_gettop(L);
        bool own = has_data(L, step), fit = false;
        for (int draws = 0; draws < (own ? DRAWS_MAX : 1) && !fit; draws++) {
            lua_settop(L, random);
            facts_extend(L, outer);
            int facts = lua_gettop(L);
            draw(engine, where, fields, random, facts, env);
            fit = !own;
            if (own && accepted(engine, where, fields, facts)) {
                facts_env(L, facts);
                fit = !is_question(where->kind) || !question_agrees(engine, step, lua_gettop(L));
            }
            lua_settop(L, facts);
        }
        if (!fit)
            no_draw(engine, where);
        remember(engine, key);
    }
    lua_replace(L, base);
    lua_settop(L, base);
    apply_edits(engine, step);
}
