/* A probe of the lesson's: a function that calls the module itself and says what it got and what it wanted. */
#include <math.h>

#include "base/language.h"
#include "engine/probe_call.h"

static const double TOLERANCE = 1e-5;

/* What the module did, behind the lesson's back: the lesson's function may go on after an error or pass it on. */
struct witness {
    const char *error;
};

/* `call`; upvalues: the module, the witness. */
static int call_module(lua_State *L)
{
    struct witness *witness = lua_touserdata(L, lua_upvalueindex(2));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    if (lua_pcall(L, lua_gettop(L) - 1, 1, 0) == LUA_OK)
        return 1;
    lua_pushvalue(L, -1);
    witness->error = probe_message(engine_of(L));
    return lua_error(L);
}

/* The numbers at `index`, a number's or a tensor's; NULL: neither. */
static const double *numbers(struct engine *engine, int index, size_t *count)
{
    lua_State *L = engine->L;
    const struct tensor *x = tensor_test(L, index);
    *count = x ? tensor_count(x) : 1;
    if (!x && lua_type(L, index) != LUA_TNUMBER)
        return NULL;
    double *values = scene_zero(engine, *count, sizeof *values);
    for (size_t i = 0; i < *count; i++)
        values[i] = x ? (double)tensor_get_flat(x, i) : lua_tonumber(L, index);
    return values;
}

static bool same_shape(lua_State *L, int a, int b)
{
    const struct tensor *x = tensor_test(L, a), *y = tensor_test(L, b);
    return x && y ? tensor_same_shape(x, y) : !x && !y;
}

/* What `run` returned is at `got` and the place after it. */
static void judge(struct engine *engine, const struct construct *own, int got, double tolerance, struct probe_result *out)
{
    lua_State *L = engine->L;
    size_t count, wanted, at;
    const double *values = numbers(engine, got, &count), *right = numbers(engine, got + 1, &wanted);
    if (!right || wanted == 0)
        lesson_error(engine, lesson_line(engine, own, "run"), "probe \"%s\": `run` must return two numbers or two tensors: what the "
                     "module gave and what is right; the second is %s", own->id, probe_odd(engine, got + 1));
    if (!values || !same_shape(L, got, got + 1)) {
        out->measures[0] = (double)NAN;
        out->yours = probe_odd(engine, got);
        out->should = probe_odd(engine, got + 1);
        out->told = arena_printf(engine->scene->arena, _("%s: it gave %s, not %s."), out->text, out->yours, out->should);
        return;
    }
    out->passes = probe_compare(values, right, count, tolerance, &at);
    out->measures[0] = values[at];
    probe_texts(out, engine, values[at], right[at]);
    if (!out->passes)
        out->told = arena_printf(engine->scene->arena, _("%s: it gave %s, not %s."), out->text, out->yours, out->should);
}

void probe_own_run(struct engine *engine, int construct, int module, uint64_t key, struct probe_result *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct construct *own = construct_test(L, construct);
    lua_getiuservalue(L, construct, 1);
    int fields = lua_gettop(L);
    facts_extend(L, 0); /* its words see no facts, as its function sees none */
    facts_env(L, fields + 1);
    lua_getfield(L, fields, "text");
    *out = (struct probe_result){ .id = scene_text(engine, own->id), .measure_count = 1, .yours = "", .should = "", .told = "" };
    out->text = words_fill(engine, own, "text", luaL_checkstring(L, -1), fields + 2);
    lua_getfield(L, fields, "tolerance");
    double tolerance = lua_isnil(L, -1) ? TOLERANCE : lua_tonumber(L, -1);
    lua_getfield(L, fields, "run");
    lua_pushvalue(L, module);
    struct witness *witness = lua_newuserdatauv(L, sizeof *witness, 0);
    *witness = (struct witness){ 0 };
    int seen = lua_gettop(L);
    lua_pushvalue(L, seen);
    lua_insert(L, fields);
    lua_pushcclosure(L, call_module, 2);
    bind_random(L, key, hash_text(HASH_START, own->id));
    int status = lua_pcall(L, 2, 2, 0);
    if (status != LUA_OK && !witness->error)
        formula_raise(engine, own, "run");
    if (status != LUA_OK) {
        out->measures[0] = (double)NAN;
        out->yours = _("an error");
        out->should = _("a number");
        out->error = witness->error;
        out->told = arena_printf(engine->scene->arena, _("It raised an error: %s"), out->error);
    } else {
        judge(engine, own, lua_gettop(L) - 1, tolerance, out);
    }
    if (!out->told || !out->yours || !out->should)
        luaL_error(L, "out of memory");
    lua_settop(L, top);
}
