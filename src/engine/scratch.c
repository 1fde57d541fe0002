/* The scratchpad: what a learner types is computed with the facts of the step, in the lesson's own cage. While a question is open
   those are at hand that it speaks of, and functions; a word, or what is the answer, never is. The Lua state has seen code of a
   learner's then, and is given up. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/judge.h"
#include "engine/typed.h"

enum { VALUES_MAX = 64 /* of a result that can be an answer */, DIGITS = 9, ERROR_MAX = 300 };
static const size_t MEMORY = (size_t)64 << 20, OUTPUT = (size_t)16 << 10;
static const double CPU_SECONDS = 0.6;

struct scratch {
    struct engine *engine;
    const struct step_def *step;
    int still; /* the facts without knobs: those of the question */
    int facts; /* those to be used; an environment that reads them is beside */
    bool open; /* a question is */
    int mentioned; /* the set of names that it speaks of */
    struct scene_scratch *out;
};

/* ---- what an open question speaks of ---- */

enum { DEPTH_MAX = 20 };

static void mention_names(lua_State *L, int set, const char *formula)
{
    while (*formula) {
        size_t length = 0;
        while (isalnum((unsigned char)formula[length]) || formula[length] == '_')
            length++;
        if (length > 0) {
            lua_pushlstring(L, formula, length);
            lua_pushboolean(L, 1);
            lua_rawset(L, set);
        }
        formula += length > 0 ? length : 1;
    }
}

static void mention_hole(void *payload, const char *formula, const char *format)
{
    (void)format;
    const struct scratch *s = payload;
    mention_names(s->engine->L, s->mentioned, formula);
}

/* The names in the formulas of the view at the top, popped: a view that hides nothing shows them. */
static void mention_view(const struct scratch *s, int depth)
{
    lua_State *L = s->engine->L;
    int top = lua_gettop(L);
    luaL_checkstack(L, 10, NULL);
    if (construct_test(L, top)) {
        lua_getiuservalue(L, top, 1);
        mention_view(s, depth);
    } else if (lua_type(L, top) == LUA_TSTRING) {
        mention_names(L, s->mentioned, lua_tostring(L, top));
    } else if (lua_istable(L, top) && depth < DEPTH_MAX) {
        lua_pushnil(L);
        while (lua_next(L, top))
            mention_view(s, depth + 1);
    }
    lua_settop(L, top - 1);
}

/* Fills the set at `mentioned`. */
static void mention(struct scratch *s)
{
    lua_State *L = s->engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->step->ref);
    int fields = top + 1;
    if (lua_getfield(L, fields, "text") == LUA_TSTRING)
        words_holes(s->engine, s->step->construct, "text", lua_tostring(L, -1), mention_hole, s);
    lua_getfield(L, fields, "allow");
    mention_view(s, 0);
    bool hides = lua_getfield(L, fields, "hide") != LUA_TNIL;
    lua_rawgeti(L, LUA_REGISTRYINDEX, shown_step(s->engine, s->step)->ref);
    lua_getfield(L, -1, "show");
    if (!hides)
        mention_view(s, 0);
    lua_settop(L, top);
}

/* ---- names ---- */

/* Not of a fact whose value is at the top, while no question is open; else why not, with %s for the name. */
static const char *why_not(const struct scratch *s, const char *name)
{
    lua_State *L = s->engine->L;
    int type = lua_type(L, -1);
    if (!s->open || type == LUA_TFUNCTION)
        return NULL;
    if (type == LUA_TSTRING || type == LUA_TBOOLEAN)
        return _("`%s` is a word, and not at hand while the question is open");
    bool mentioned = lua_getfield(L, s->mentioned, name) != LUA_TNIL;
    lua_pop(L, 1);
    return mentioned ? NULL : _("`%s` is not at hand while the question is open: it does not speak of it");
}

/* Adds the facts at hand to the set at `names`. */
static void add_facts(const struct scratch *s, int names)
{
    lua_State *L = s->engine->L;
    facts_names(L, s->facts);
    facts_env(L, s->facts);
    lua_pushnil(L);
    while (lua_next(L, names + 1)) {
        lua_pop(L, 1);
        bool hidden = false;
        if (s->open) {
            lua_pushvalue(L, -1);
            lua_gettable(L, names + 2);
            hidden = why_not(s, lua_tostring(L, -2)) != NULL;
            lua_pop(L, 1);
        }
        if (!hidden) {
            lua_pushvalue(L, -1);
            lua_pushboolean(L, 1);
            lua_rawset(L, names);
        }
    }
    lua_settop(L, names);
}

static void push_names(const struct scratch *s, int globals)
{
    typed_push_names(s->engine->L, globals);
    add_facts(s, lua_gettop(s->engine->L));
}

static void fill_names(const struct scratch *s, int globals)
{
    lua_State *L = s->engine->L;
    push_names(s, globals);
    typed_take_names(s->engine, &s->out->names);
    lua_newtable(L);
    add_facts(s, lua_gettop(L));
    typed_take_names(s->engine, &s->out->facts);
}

/* ---- what is not at hand ---- */

/* Few enough numbers to be an answer; copies them. Pops the value. */
static bool take_small(struct engine *engine, struct quantity *out)
{
    lua_State *L = engine->L;
    const struct tensor *x = tensor_test(L, -1);
    size_t count = x ? tensor_count(x) : lua_istable(L, -1) ? lua_rawlen(L, -1) : 1;
    if (count <= VALUES_MAX)
        return quantity_take(engine, out);
    lua_pop(L, 1);
    return false;
}

static bool same(const struct quantity *a, const struct quantity *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        double x = a->values[i], y = b->values[i];
        if (x != y && !(isnan(x) && isnan(y)) && !(fabs(x - y) <= 1e-6 * fabs(y)))
            return false;
    }
    return true;
}

/* Is the value at the top, which stays, what the question asks for? */
static bool is_answer(const struct scratch *s)
{
    struct engine *engine = s->engine;
    lua_State *L = engine->L;
    struct quantity value, answer;
    enum construct_kind kind = s->step->construct->kind;
    if (kind != K_NUMBER && kind != K_TENSOR && kind != K_SHAPE)
        return false;
    lua_pushvalue(L, -1);
    if (!take_small(engine, &value))
        return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->step->ref);
    lua_getfield(L, -1, "answer");
    facts_env(L, s->still);
    formula_value(engine, s->step->construct, "answer", -2, -1);
    bool found = take_small(engine, &answer) && same(&value, &answer);
    lua_pop(L, 3);
    return found;
}

/* __index of the scratchpad's globals. Upvalues: struct scratch; the facts used, those of the question, the names it speaks of, the
   globals of the sandbox. */
static int read_name(lua_State *L)
{
    struct scratch s = *(const struct scratch *)lua_touserdata(L, lua_upvalueindex(1));
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    enum { FACTS = 3, STILL, MENTIONED, GLOBALS };
    lua_settop(L, 2);
    for (int i = FACTS; i <= GLOBALS; i++)
        lua_pushvalue(L, lua_upvalueindex(i - 1));
    s.facts = FACTS;
    s.still = STILL;
    s.mentioned = MENTIONED;
    if (!facts_has(L, FACTS, name)) {
        lua_pushvalue(L, 2);
        if (lua_rawget(L, GLOBALS) != LUA_TNIL)
            return 1;
        push_names(&s, GLOBALS);
        return raise_unknown(L, "name", name, lua_gettop(L));
    }
    facts_env(L, FACTS);
    lua_getfield(L, -1, name);
    const char *why = why_not(&s, name);
    if (why)
        return luaL_error(L, why, name);
    if (s.open && is_answer(&s))
        return luaL_error(L, "`%s` is what the question asks for: compute it", name);
    return 1;
}

/* ---- running ---- */

/* The last result as it may be typed as an answer, or "". Popped. */
static const char *value_to_type(struct engine *engine)
{
    struct quantity value;
    struct strbuf out = { 0 };
    char number[NUMBER_TEXT];
    if (!take_small(engine, &value) || value.rank > 2)
        return "";
    size_t columns = value.rank > 0 ? value.extents[value.rank - 1] : 1;
    for (size_t i = 0; i < value.count; i++) {
        bool first = columns == 0 || i % columns == 0;
        number_digits(number, value.values[i], DIGITS);
        strbuf_addf(&out, "%s%s%s", i == 0 && value.rank == 2 ? "[" : i > 0 ? ", " : "", first && value.rank > 0 ? "[" : "", number);
        if (value.rank > 0 && (i + 1) % columns == 0)
            strbuf_add(&out, i + 1 == value.count && value.rank == 2 ? "]]" : "]");
    }
    const char *text = out.failed ? "" : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return text ? text : "";
}

/* Arguments: struct scratch, the scratchpad's globals, the function that prints. */
static int run(lua_State *L)
{
    struct scratch *s = lua_touserdata(L, 1);
    const char *text = s->engine->request->scratch;
    if (typed_run(L, text, strlen(text), "=" FORMULA_MARK, 2, 3, 0) > 0)
        s->out->value = value_to_type(s->engine);
    return 0;
}

/* One line, without the place: there is but one. */
static const char *error_words(struct engine *engine, const char *text)
{
    static const char mark[] = FORMULA_MARK ":";
    struct strbuf out = { 0 };
    while (!strncmp(text, mark, strlen(mark)) && strstr(text, ": "))
        text = strstr(text, ": ") + 2;
    size_t length = strlen(text);
    if (length > ERROR_MAX)
        for (length = ERROR_MAX; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--;
    text_unmark(engine, &out, text, length);
    if (text[length])
        strbuf_add(&out, "…");
    for (char *at = out.text; at && *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    const char *words = out.failed ? NULL : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return words ? words : _("out of memory");
}

static const char *failure(struct engine *engine, int status)
{
    lua_State *L = engine->L;
    if (status == LUA_ERRMEM || engine->refused)
        return _("this needs more memory than it may have");
    return error_words(engine, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : _("an error that is not a text"));
}

/* Pushes the globals of the scratchpad. */
static void push_globals(struct scratch *s, int globals)
{
    lua_State *L = s->engine->L;
    lua_newtable(L);
    lua_createtable(L, 0, 2);
    lua_pushlightuserdata(L, s);
    lua_pushvalue(L, s->facts);
    lua_pushvalue(L, s->still);
    lua_pushvalue(L, s->mentioned);
    lua_pushvalue(L, globals);
    lua_pushcclosure(L, read_name, 5);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

static void compute(struct scratch *s, int globals)
{
    struct engine *engine = s->engine;
    lua_State *L = engine->L;
    struct engine_limits limits = engine->limits;
    strbuf_clear(&engine->output);
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, s);
    push_globals(s, globals);
    lua_getfield(L, globals, "print");
    if (limits.memory - engine->used > MEMORY)
        engine->limits.memory = engine->used + MEMORY;
    engine->limits.output = OUTPUT;
    engine->limits.cpu_seconds = CPU_SECONDS;
    engine->learners = true;
    double stop_at = engine->stop_at;
    state_arm(engine);
    if (engine->stop_at > stop_at)
        engine->stop_at = stop_at;
    engine->refused = false;
    tensor_collect_later(engine);
    int status = lua_pcall(L, 3, 0, 0);
    engine->learners = false;
    engine->limits = limits;
    if (status != LUA_OK) {
        s->out->error = failure(engine, status);
        if (strstr(engine->request->scratch, "**") && strstr(s->out->error, " near "))
            s->out->error = _("a power is written ^ here, as in 2^3");
        s->out->value = "";
    }
    engine->refused = false;
    struct strbuf out = { 0 };
    text_unmark(engine, &out, strbuf_string(&engine->output), engine->output.length);
    const char *text = out.failed ? NULL : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    s->out->output = text ? text : "";
}

void scratch_fill(struct engine *engine, const struct step_def *step, int still, int live, const struct scene_question *question)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    luaL_checkstack(L, 40, NULL);
    bool open = question && !question->final;
    struct scratch s = { .engine = engine, .step = step, .still = still, .facts = question ? still : live, .open = open };
    s.out = scene_zero(engine, 1, sizeof *s.out);
    *s.out = (struct scene_scratch){ .output = "", .error = "", .value = "" };
    lua_newtable(L);
    s.mentioned = lua_gettop(L);
    if (open)
        mention(&s);
    sandbox_open(L); /* its tables are not the lesson's: what is done to them is done to the scratchpad alone */
    int globals = lua_gettop(L);
    if (*engine->request->scratch)
        compute(&s, globals);
    else
        fill_names(&s, globals);
    engine->scene->scratch = s.out;
    lua_settop(L, top);
}
