/* What a question for numbers knows: the truth, how exact it is asked for, and the ways to get it wrong.
   A mistake is a wrong formula, run on this learner's numbers: an answer equal to it has made it. */
#include <math.h>
#include <string.h>

#include "engine/asked.h"

static const double SLACK = 1e-6; /* of a unit: a tie in the last place, float32's own rounding */

/* ---- taking it from the lesson ---- */

bool quantity_take(struct engine *engine, struct quantity *out)
{
    lua_State *L = engine->L;
    struct arena *arena = engine->scene->arena;
    *out = (struct quantity){ 0 };
    if (tensor_of_list(L) != LUA_OK) {
        lua_pop(L, 1);
        return false;
    }
    const struct tensor *x = tensor_test(L, -1);
    if (lua_type(L, -1) == LUA_TNUMBER) {
        out->count = 1;
        out->values = arena_zero(arena, 1, sizeof *out->values);
        if (out->values)
            out->values[0] = lua_tonumber(L, -1);
    } else if (x) {
        out->rank = tensor_rank(x);
        out->count = tensor_count(x);
        for (int axis = 0; axis < out->rank; axis++)
            out->extents[axis] = tensor_extent(x, axis);
        out->values = arena_zero(arena, out->count ? out->count : 1, sizeof *out->values);
        for (size_t i = 0; out->values && i < out->count; i++)
            out->values[i] = (double)tensor_get_flat(x, i);
    } else {
        lua_pop(L, 1);
        return false;
    }
    lua_pop(L, 1);
    if (!out->values)
        luaL_error(L, "out of memory");
    return true;
}

static int bad_quantity(struct engine *engine, const struct construct *where, const char *field)
{
    return lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s` must come to a number or a tensor",
                        construct_name(where->kind), where->id, field);
}

/* The value at the top of the stack, to be held against what is asked; popped. A question for one number knows no tensors. */
static void take_comparable(struct engine *engine, enum construct_kind asked, const struct construct *where, const char *field, struct quantity *out)
{
    if (!quantity_take(engine, out))
        bad_quantity(engine, where, field);
    if (asked != K_NUMBER)
        return;
    if (out->count != 1)
        lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s` comes to %zu numbers; one is asked for, ask.tensor asks for several",
                     construct_name(where->kind), where->id, field, out->count);
    out->rank = 0;
}

static int plain_field(lua_State *L, int fields, const char *name, double *value)
{
    bool there = lua_getfield(L, fields, name) == LUA_TNUMBER;
    if (there)
        *value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return there;
}

static void take_truth(struct engine *engine, const struct step_def *step, int env, struct asked *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    env = lua_absindex(L, env);
    *out = (struct asked){ .places = 3, .tolerance = 0.5e-3 };
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int fields = lua_gettop(L);
    lua_getfield(L, fields, "answer");
    formula_value(engine, step->construct, "answer", lua_gettop(L), env);
    take_comparable(engine, step->construct->kind, step->construct, "answer", &out->truth);
    if (step->construct->kind == K_TENSOR && (out->truth.rank == 0 || out->truth.count == 0))
        lesson_error(engine, lesson_line(engine, step->construct, "answer"), "ask.tensor \"%s\": `answer` comes to one number; ask.number asks for that",
                     step->construct->id);
    double value;
    bool integers = true, rounds_away = false, zeros = true;
    for (size_t i = 0; i < out->truth.count; i++)
        integers = integers && out->truth.values[i] == floor(out->truth.values[i]) && fabs(out->truth.values[i]) < 1e9;
    if (plain_field(L, fields, "places", &value)) {
        out->places = (int)value;
        out->tolerance = 0.5 * pow(10, -value);
    }
    if (plain_field(L, fields, "digits", &value)) {
        out->digits = (int)value;
        out->places = -1;
    } else if (plain_field(L, fields, "tolerance", &value)) {
        out->tolerance = value;
        out->places = -1;
    }
    if (integers && !out->digits && out->places >= 0) {
        out->exact = true;
        out->places = 0;
    }
    for (size_t i = 0; i < out->truth.count; i++) {
        zeros = zeros && out->truth.values[i] == 0;
        rounds_away = rounds_away || fabs(out->truth.values[i]) >= out->tolerance || isnan(out->truth.values[i]);
    }
    if (!zeros && !rounds_away && !out->exact && !out->digits)
        lesson_error(engine, lesson_line(engine, step->construct, "answer"), "%s \"%s\": the answer rounds to 0 at the places asked; ask for `digits`",
                     construct_name(step->construct->kind), step->construct->id);
    lua_settop(L, top);
}

static bool take_mistake(struct engine *engine, const struct step_def *step, const struct part_def *part, int env, struct quantity *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    bool counts = mistake_counts(engine, part, env);
    if (counts) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
        lua_getfield(L, -1, "by");
        formula_value(engine, part->construct, "by", lua_gettop(L), env);
        take_comparable(engine, step->construct->kind, part->construct, "by", out);
    }
    lua_settop(L, top);
    return counts;
}

static void take_also(struct engine *engine, const struct step_def *step, int env, struct asked *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    out->also_count = lua_getfield(L, -1, "also") == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    out->also = scene_zero(engine, out->also_count, sizeof *out->also);
    for (size_t i = 0; i < out->also_count; i++) {
        lua_rawgeti(L, top + 2, (lua_Integer)i + 1);
        formula_value(engine, step->construct, "also", lua_gettop(L), env);
        take_comparable(engine, step->construct->kind, step->construct, "also", &out->also[i]);
        lua_settop(L, top + 2);
    }
    lua_settop(L, top);
}

void asked_take(struct engine *engine, const struct step_def *step, int env, struct asked *out)
{
    env = lua_absindex(engine->L, env);
    take_truth(engine, step, env, out);
    take_also(engine, step, env, out);
    out->mistakes = scene_zero(engine, step->part_count, sizeof *out->mistakes);
    for (size_t i = 0; i < step->part_count; i++)
        if (take_mistake(engine, step, &step->parts[i], env, &out->mistakes[out->mistake_count].by))
            out->mistakes[out->mistake_count++].part = &step->parts[i];
}

/* ---- comparing ---- */

double asked_allowed(const struct asked *asked, double want)
{
    if (asked->exact)
        return SLACK * fmax(1, fabs(want));
    if (asked->digits && want != 0 && isfinite(want))
        return 0.5 * pow(10, floor(log10(fabs(want))) - asked->digits + 1);
    return asked->tolerance;
}

bool same_shape(const struct quantity *a, const struct quantity *b)
{
    int i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a->rank && a->extents[i] == 1)
            i++;
        while (j < b->rank && b->extents[j] == 1)
            j++;
        if (i >= a->rank || j >= b->rank)
            return i >= a->rank && j >= b->rank && a->count == b->count;
        if (a->extents[i] != b->extents[j])
            return false;
    }
}

bool near(double got, double want, double tolerance)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (isinf(want) || isinf(got))
        return got == want;
    return fabs(got - want) <= tolerance * (1 + SLACK) + 1e-12 * fabs(want);
}

bool fits(const struct asked *asked, const struct quantity *got, const struct quantity *want)
{
    bool same = same_shape(got, want);
    for (size_t i = 0; same && i < want->count; i++)
        same = near(got->values[i], want->values[i], asked_allowed(asked, want->values[i]));
    return same;
}

bool fits_typed(const struct asked *asked, const struct quantity *got, const struct quantity *want)
{
    bool same = same_shape(got, want) && got->decimals;
    for (size_t i = 0; same && i < want->count; i++) {
        double tolerance = got->decimals[i] == DECIMALS_ALL ? 0 : 0.5 * pow(10, -got->decimals[i]);
        same = near(got->values[i], want->values[i], fmax(tolerance, asked_allowed(asked, want->values[i])));
    }
    return same;
}

typedef bool fit(const struct asked *asked, const struct quantity *got, const struct quantity *want);

static bool fits_truth(const struct asked *asked, const struct quantity *got, fit *how)
{
    bool right = how(asked, got, &asked->truth);
    for (size_t i = 0; i < asked->also_count && !right; i++)
        right = how(asked, got, &asked->also[i]);
    return right;
}

bool asked_right(const struct asked *asked, const struct quantity *got)
{
    return fits_truth(asked, got, fits);
}

/* Not further apart than two tolerances, that of the one and that of the other: then an answer may be near to both. */
static bool alike(const struct asked *asked, const struct quantity *a, const struct quantity *b)
{
    bool same = same_shape(a, b);
    for (size_t i = 0; same && i < a->count; i++)
        same = near(a->values[i], b->values[i], asked_allowed(asked, a->values[i]) + asked_allowed(asked, b->values[i]));
    return same;
}

bool asked_alike(const struct asked *asked, size_t mistake, struct alike *pair)
{
    const struct quantity *by = &asked->mistakes[mistake].by;
    *pair = (struct alike){ asked->mistakes[mistake].part->construct, NULL };
    if (alike(asked, by, &asked->truth))
        return true;
    for (size_t i = 0; i < asked->also_count; i++)
        if (alike(asked, by, &asked->also[i]))
            return true;
    for (size_t i = 0; i < mistake; i++)
        if (alike(asked, by, &asked->mistakes[i].by)) {
            pair->other = asked->mistakes[i].part->construct;
            return true;
        }
    return false;
}

/* Is anything left of the number at the precision typed? "0" is near to every small number and says nothing. */
static bool tells_something(const struct quantity *got)
{
    for (size_t i = 0; i < got->count; i++)
        if (got->values[i] != 0)
            return true;
    return false;
}

/* How many mistakes fit, and the last of them. */
static size_t count_mistakes(const struct asked *asked, const struct quantity *got, fit *how, const struct part_def **part)
{
    size_t found = 0;
    for (size_t i = 0; i < asked->mistake_count; i++)
        if (how(asked, got, &asked->mistakes[i].by)) {
            found++;
            *part = asked->mistakes[i].part;
        }
    return found;
}

struct recognised asked_recognise(const struct asked *asked, const struct quantity *got)
{
    struct recognised result = { 0 };
    size_t found = count_mistakes(asked, got, fits, &result.part);
    if (found == 0 && tells_something(got)) {
        result.truth = fits_truth(asked, got, fits_typed);
        found = count_mistakes(asked, got, fits_typed, &result.part);
    }
    if (found != 1 || result.truth)
        result.part = NULL;
    result.truth = result.truth && found == 0;
    return result;
}
