/* The numbers that a step's text prints, as a learner reads them: a hole that holds a fact, or a part of one, has so many digits. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/internal.h"

enum { NAME_MOST = 64, NUMBERS_MOST = 64, ROUNDED_MOST = 32 };

struct reading {
    struct engine *engine;
    int facts, layer; /* stack indices */
};

/* A fact, or what stands at a place in it: x, x[2], x[2][3]. */
struct spot {
    char name[NAME_MOST];
    size_t index[TENSOR_RANK_MAX]; /* from 0 */
    int depth;
};

/* False: the formula is something else. */
static bool read_spot(struct spot *out, const char *formula)
{
    const char *at = formula;
    size_t length = 0;
    *out = (struct spot){ .depth = 0 };
    while ((isalnum((unsigned char)*at) || *at == '_') && length + 1 < NAME_MOST)
        out->name[length++] = *at++;
    if (!length || isdigit((unsigned char)formula[0]))
        return false;
    while (*at == '[' && out->depth < TENSOR_RANK_MAX) {
        char *end;
        unsigned long index = strtoul(at + 1, &end, 10);
        if (!isdigit((unsigned char)at[1]) || *end != ']' || index < 1)
            return false;
        out->index[out->depth++] = index - 1;
        at = end + 1;
    }
    return !*at;
}

/* The numbers of a text such as "[1.5, -2]"; 0 when anything else is in it, or too many. */
static size_t read_numbers(const char *text, double *out)
{
    size_t count = 0;
    for (const char *at = text + strspn(text, "[, "); *at; at += strspn(at, "], [")) {
        char *end;
        if (count == NUMBERS_MOST)
            return 0;
        out[count++] = strtod(at, &end);
        if (end == at)
            return 0;
        at = end;
    }
    return count;
}

/* The value at the top of the stack as the hole prints it. */
static size_t print_and_read(lua_State *L, const char *format, double *out)
{
    struct strbuf *text = strbuf_push(L);
    value_text(L, -2, format, text);
    size_t count = read_numbers(strbuf_string(text), out);
    lua_pop(L, 1);
    return count;
}

static void note(struct engine *engine, const char *formula)
{
    struct strings *rounded = &engine->scene->check->rounded;
    if (!rounded->item)
        rounded->item = scene_zero(engine, ROUNDED_MOST, sizeof *rounded->item);
    for (size_t i = 0; i < rounded->count; i++)
        if (!strcmp(rounded->item[i], formula))
            return;
    if (rounded->count < ROUNDED_MOST)
        rounded->item[rounded->count++] = scene_text(engine, formula);
}

/* The number at the top of the stack, popped. */
static void reread_number(struct reading *reading, const struct spot *spot, const char *formula, const char *format)
{
    lua_State *L = reading->engine->L;
    double read[NUMBERS_MOST];
    if (print_and_read(L, format, read) == 1 && read[0] != lua_tonumber(L, -1)) {
        lua_pushnumber(L, read[0]);
        facts_set(L, reading->layer, spot->name);
        note(reading->engine, formula);
    }
    lua_pop(L, 1);
}

/* Pushes the tensor as it was read so far. */
static const struct tensor *push_current(struct reading *reading, const struct spot *spot, int exact)
{
    lua_State *L = reading->engine->L;
    if (facts_find(L, reading->layer, spot->name) != FACT_VALUE)
        lua_pushvalue(L, exact);
    return tensor_test(L, -1);
}

/* The tensor at the top of the stack, popped. */
static void reread_tensor(struct reading *reading, const struct spot *spot, const char *formula, const char *format)
{
    lua_State *L = reading->engine->L;
    int top = lua_gettop(L);
    const struct tensor *x = tensor_test(L, top);
    size_t from = 0, count = tensor_count(x);
    bool good = spot->depth <= tensor_rank(x) && tensor_type(x) == TENSOR_FLOAT32;
    for (int axis = 0; good && axis < spot->depth; axis++) {
        good = spot->index[axis] < tensor_extent(x, axis);
        count /= tensor_extent(x, axis);
        from += spot->index[axis] * count;
        if (good)
            lua_geti(L, -1, (lua_Integer)spot->index[axis] + 1);
    }
    double read[NUMBERS_MOST];
    bool differs = false;
    if (good && print_and_read(L, format, read) == count)
        for (size_t i = 0; i < count; i++)
            differs = differs || (float)read[i] != tensor_get_flat(x, from + i);
    if (differs) {
        struct error err;
        const struct tensor *current = push_current(reading, spot, top);
        struct tensor **copy = tensor_push(L);
        if (tensor_copy(copy, current, &err))
            raise_error(L, &err);
        for (size_t i = 0; i < count; i++)
            tensor_set_flat(*copy, from + i, (float)read[i]);
        tensor_freeze(L, -1);
        facts_set(L, reading->layer, spot->name);
        note(reading->engine, formula);
    }
    lua_settop(L, top - 1);
}

static void read_hole(void *payload, const char *formula, const char *format)
{
    struct reading *reading = payload;
    lua_State *L = reading->engine->L;
    struct spot spot;
    if (!read_spot(&spot, formula) || !facts_has(L, reading->facts, spot.name))
        return;
    luaL_checkstack(L, 20, NULL);
    int top = lua_gettop(L);
    facts_env(L, reading->facts);
    lua_getfield(L, -1, spot.name);
    if (lua_type(L, -1) == LUA_TNUMBER && !spot.depth)
        reread_number(reading, &spot, formula, format);
    else if (tensor_test(L, -1))
        reread_tensor(reading, &spot, formula, format);
    lua_settop(L, top);
}

bool reread_facts(struct engine *engine, const struct step_def *step, int facts)
{
    lua_State *L = engine->L;
    int base = lua_gettop(L);
    struct reading reading = { engine, lua_absindex(L, facts), base + 1 };
    facts_extend(L, facts);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "text");
    words_holes(engine, step->construct, "text", lua_tostring(L, -1), read_hole, &reading);
    lua_settop(L, base + (engine->scene->check->rounded.count > 0));
    return engine->scene->check->rounded.count > 0;
}
