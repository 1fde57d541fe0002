/* Data: drawn from the learner's seed until the numbers are fit, and the cells that the learner changed. */
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

enum { DRAWS_MAX = 200 };

static uint64_t draw_key(const struct engine *engine, uint32_t attempt)
{
    const struct request *request = engine->request;
    uint64_t hash = hash_text(hash_text(HASH_START, request->course), construct_origin(engine->lesson.construct));
    return hash_number(hash_number(hash, request->seed, 8), attempt, 4);
}

/* The table at the top is what `data` returned: its names become facts of the layer at `facts`. */
static void take_data(struct engine *engine, const struct construct *where, int facts)
{
    lua_State *L = engine->L;
    if (lua_type(L, -1) != LUA_TTABLE)
        lesson_error(engine, lesson_line(engine, where, "data"), "%s \"%s\": `data` must return a table of names, not a %s",
                     construct_name(where->kind), where->id, luaL_typename(L, -1));
    int data = lua_gettop(L);
    keys_sorted(L, data);
    for (size_t i = 1; i <= lua_rawlen(L, data + 1); i++) {
        if (lua_rawgeti(L, data + 1, (lua_Integer)i) != LUA_TSTRING)
            lesson_error(engine, lesson_line(engine, where, "data"), "%s \"%s\": what `data` returns needs names: { x = … }",
                         construct_name(where->kind), where->id);
        check_fact_name(engine, where, "data", lua_tostring(L, -1));
        lua_pushvalue(L, -1);
        lua_rawget(L, data);
        file_settle(engine, where, "data");
        tensor_freeze(L, -1);
        facts_set(L, facts, lua_tostring(L, -2));
        lua_settop(L, data + 1);
    }
    lua_settop(L, data - 1);
}

/* The layer of facts that a step's data is drawn over, while that runs; 0: none. */
static void note_drawn(lua_State *L, int facts)
{
    if (facts)
        lua_pushvalue(L, facts);
    else
        lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, "normtutor.drawn");
}

/* One draw of `where`'s data into the layer at `facts`; `random` is at `random`, `env` 0 for a lesson. */
static void draw(struct engine *engine, const struct construct *where, int fields, int random, int facts, int env)
{
    lua_State *L = engine->L;
    if (lua_getfield(L, fields, "data") == LUA_TFUNCTION) {
        lua_pushvalue(L, random);
        if (env)
            lua_pushvalue(L, env);
        if (env)
            note_drawn(L, facts);
        int status = lua_pcall(L, env ? 2 : 1, 1, 0);
        note_drawn(L, 0);
        if (status != LUA_OK)
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

static void note_alike(struct draws *draws, const struct step_def *step, const struct alike *pair)
{
    if (!draws->alike++) {
        draws->pair = *pair;
        draws->asked = step->construct;
    }
}

/* A step's facts over the lesson's at `outer`; the draw is left to the caller unless the step has none. */
static bool undrawn_step_fits(struct engine *engine, const struct step_def *step, int outer, struct alike *pair)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts_extend(L, outer);
    int facts = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "given");
    facts_given(L, facts, -1, step->construct);
    facts_env(L, facts);
    bool fits = !question_agrees(engine, step, lua_gettop(L), pair);
    lua_settop(L, top);
    return fits;
}

/* Questions without data of their own depend on the lesson's numbers: all must have mistakes that can be told apart. */
static bool lesson_fits(struct engine *engine, const struct step_def *only, int facts, struct draws *draws)
{
    for (size_t i = 0; i < engine->lesson.step_count; i++) {
        const struct step_def *step = &engine->lesson.steps[i];
        struct alike pair;
        if ((!only || only == step) && is_question(step->construct->kind) && !has_data(engine->L, step) &&
            !undrawn_step_fits(engine, step, facts, &pair)) {
            note_alike(draws, step, &pair);
            return false;
        }
    }
    return true;
}

const char *alike_words(struct engine *engine, const struct construct *asked, const struct alike *pair)
{
    struct arena *arena = engine->scene->arena;
    const char *name = construct_name(asked->kind), *words;
    if (pair->other)
        words = arena_printf(arena, _("the mistakes \"%s\" (line %d) and \"%s\" of %s \"%s\""), pair->other->id, pair->other->line, pair->mistake->id,
                             name, asked->id);
    else
        words = arena_printf(arena, _("the mistake \"%s\" and the answer of %s \"%s\""), pair->mistake->id, name, asked->id);
    return words ? words : "";
}

/* Nothing was fit. */
static int no_draw(struct engine *engine, const struct construct *where, const struct draws *draws)
{
    const char *name = construct_name(where->kind);
    if (!draws->alike && draws->all == 1)
        return lesson_error(engine, lesson_line(engine, where, "accept"), "%s \"%s\": `accept` is false, and there is no `data` to draw again", name, where->id);
    if (!draws->alike)
        return lesson_error(engine, lesson_line(engine, where, "accept"), "%s \"%s\": %u draws of `data` and none was fit: `accept` refuses them all; ask "
                            "less of them", name, where->id, draws->all);
    const char *pair = alike_words(engine, draws->asked, &draws->pair);
    if (draws->all == 1)
        return lesson_error(engine, draws->pair.mistake->line, "%s come to the same: change one of them, or say by `when` for which numbers it counts", pair);
    if (draws->refused)
        return lesson_error(engine, draws->pair.mistake->line, "%u draws of `data` and none was fit: `accept` refuses %u, and in %u %s come to the same: "
                            "change one of them, or draw other numbers", draws->all, draws->refused, draws->alike, pair);
    return lesson_error(engine, draws->pair.mistake->line, "%u draws of `data` and none was fit: %s come to the same: change one of them, or draw other "
                        "numbers", draws->all, pair);
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
    bool own = lua_getfield(L, fields, "data") == LUA_TFUNCTION, fit = false;
    struct draws draws = { 0 };
    while (!fit && draws.all < (own ? DRAWS_MAX : 1)) {
        lua_settop(L, random);
        facts_extend(L, define);
        int facts = lua_gettop(L);
        draw(engine, where, fields, random, facts, 0);
        draws.all++;
        fit = accepted(engine, where, fields, facts);
        draws.refused += !fit;
        fit = fit && lesson_fits(engine, attempt ? only : NULL, facts, &draws);
        lua_settop(L, facts);
    }
    if (!fit)
        no_draw(engine, where, &draws);
    if (!attempt && own)
        engine->lesson.draws = draws;
    remember(engine, key);
    lua_replace(L, base);
    lua_settop(L, base);
}

void facts_edit(struct engine *engine, const struct step_def *step)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    int facts = lua_gettop(L), layer = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "edit");
    int names = lua_gettop(L);
    for (size_t i = 0; i < request->edit_count && lua_type(L, names) == LUA_TTABLE; i++) {
        const struct edit *edit = &request->edits[i];
        lua_settop(L, layer ? layer : names);
        bool allowed = false;
        for (size_t n = 1; n <= lua_rawlen(L, names) && !allowed; n++) {
            lua_rawgeti(L, names, (lua_Integer)n);
            allowed = !strcmp(lua_tostring(L, -1), edit->name);
            lua_pop(L, 1);
        }
        if (!allowed)
            continue;
        int from = layer ? layer : facts;
        if (facts_find(L, from, edit->name) != FACT_VALUE)
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
        bind_random(L, draw_key(engine, attempt), hash_text(HASH_START, construct_origin(where)));
        int random = lua_gettop(L);
        bool own = has_data(L, step), fit = false;
        struct draws draws = { 0 };
        while (!fit && draws.all < (own ? DRAWS_MAX : 1)) {
            lua_settop(L, random);
            facts_extend(L, outer);
            int facts = lua_gettop(L);
            draw(engine, where, fields, random, facts, env);
            draws.all++;
            fit = !own || accepted(engine, where, fields, facts);
            draws.refused += !fit;
            struct alike pair;
            facts_env(L, facts);
            if (own && fit && is_question(where->kind) && question_agrees(engine, step, lua_gettop(L), &pair)) {
                note_alike(&draws, step, &pair);
                fit = false;
            }
            lua_settop(L, facts);
        }
        if (!fit)
            no_draw(engine, where, &draws);
        if (!attempt && own)
            engine->lesson.steps[step - engine->lesson.steps].draws = draws;
        remember(engine, key);
    }
    lua_replace(L, base);
    lua_settop(L, base);
}
