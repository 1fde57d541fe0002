/* The probes: each changes one thing in a module's inputs and looks at what that does to its result. */
#include "engine/probes.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/probe_trial.h"

/* ---- what probes are made with ---- */

void trial_draw(struct trial *trial)
{
    probe_input_draw(&trial->in, &trial->random, BATCH, TOKENS, FEATURES);
}

bool trial_call(struct trial *trial, double *y)
{
    return probe_call(&trial->module, &trial->in, y, NULL);
}

void trial_call_right(struct trial *trial, double *y)
{
    const struct construct *where = trial->where;
    if (!probe_call(&trial->reference, &trial->in, y, NULL))
        lesson_error(trial->engine, where->line, "%s%s%s%s: the reference gives %s%s%s", construct_name(where->kind), where->id[0] ? " \"" : "",
                     where->id, where->id[0] ? "\"" : "", trial->reference.odd, trial->reference.error ? ": " : "",
                     trial->reference.error ? trial->reference.error : "");
}

double trial_between(struct trial *trial, double from, double to)
{
    return from + (to - from) * random_uniform(&trial->random);
}

const char *trial_digits(struct trial *trial, double value)
{
    char text[NUMBER_TEXT];
    number_digits(text, value, 3);
    return scene_text(trial->engine, text);
}

bool trial_stays(double moved, const double *y, size_t count)
{
    const double tolerance = 1e-5;
    double largest = 1;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(y[i]));
    return isfinite(moved) && moved <= tolerance * largest;
}

/* ---- the list ---- */

static const struct probe {
    const char *id, *text, *should; /* should: what to say where the result did not get so far */
    probe_function *run;
} PROBES[] = {
    { "companion", N_("other samples changed"), N_("stays"), probe_companion },
    { "future", N_("a later token changed"), N_("stays"), probe_future },
    { "past", N_("an earlier token changed"), N_("stays"), probe_past },
    { "one_feature", N_("one feature elsewhere"), N_("none moves"), probe_one_feature },
    { "one_row", N_("one row shifted and scaled"), N_("stays"), probe_one_row },
    { "constant_row", N_("a row of equal numbers"), N_("a tensor"), probe_constant_row },
    { "tiny_row", N_("a tiny row"), N_("a tensor"), probe_tiny_row },
    { "ramp", N_("scale and bias in use"), N_("a tensor"), probe_ramp },
    { "again", N_("the same input again"), N_("the same"), probe_again },
    { "large", N_("large rows"), N_("a tensor"), probe_large },
    { "alone", N_("alone in its batch"), N_("the same"), probe_alone },
    { "value", N_("fresh numbers"), N_("a tensor"), probe_value },
};
enum { PROBE_COUNT = sizeof PROBES / sizeof *PROBES };

static const struct probe *find(const char *id)
{
    for (size_t i = 0; i < PROBE_COUNT; i++)
        if (!strcmp(PROBES[i].id, id))
            return &PROBES[i];
    return NULL;
}

bool probe_known(const char *id)
{
    return find(id) != NULL;
}

const char *const *probe_names(size_t *count)
{
    static const char *names[PROBE_COUNT];
    for (size_t i = 0; i < PROBE_COUNT; i++)
        names[i] = PROBES[i].id;
    *count = PROBE_COUNT;
    return names;
}

uint64_t probes_key(struct engine *engine, const struct step_def *step)
{
    const struct request *request = engine->request;
    uint64_t hash = hash_text(hash_text(HASH_START, request->course), construct_origin(engine->lesson.construct));
    hash = hash_number(hash_text(hash, construct_origin(step->construct)), request->seed, 8);
    return hash_number(hash_number(hash, request->attempt, 8), request->run, 8);
}

static void fail_call(struct trial *trial, const struct probe *probe)
{
    struct probe_result *out = trial->out;
    const size_t *extents = trial->in.extents;
    out->measure_count = 1;
    out->measures[0] = (double)NAN;
    out->passes = false;
    out->yours = trial->module.odd;
    out->should = probe->should;
    out->error = trial->module.error;
    out->told = out->error ? SAY(trial, _("It raised an error: %s"), out->error)
                           : SAY(trial, _("It returned %s, not a tensor of shape (%zu, %zu, %zu)."), out->yours, extents[0], extents[1],
                                 extents[2]);
}

static void run(struct trial *trial, const struct probe *probe, uint64_t key)
{
    struct probe_result *out = trial->out;
    random_start(&trial->random, key, hash_text(HASH_START, probe->id));
    *out = (struct probe_result){ .id = probe->id, .text = _(probe->text), .measure_count = 1, .should = _(probe->should), .told = "" };
    if (!probe->run(trial))
        fail_call(trial, probe);
    if (!out->told || !out->yours || !out->should)
        luaL_error(trial->engine->L, "out of memory");
}

size_t probes_run(struct engine *engine, const struct construct *where, int list, int module, int reference, uint64_t key,
                  struct probe_result **out)
{
    lua_State *L = engine->L;
    luaL_checkstack(L, 30, NULL);
    list = lua_absindex(L, list);
    module = lua_absindex(L, module);
    reference = reference ? lua_absindex(L, reference) : 0;
    size_t count = lua_rawlen(L, list);
    struct trial trial = { .engine = engine, .where = where, .module = { .engine = engine, .function = module },
                           .reference = { .engine = engine, .function = reference } };
    *out = scene_zero(engine, count, sizeof **out);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        const struct construct *own = construct_test(L, -1);
        const struct probe *probe = lua_type(L, -1) == LUA_TSTRING ? find(lua_tostring(L, -1)) : NULL;
        trial.out = *out + i;
        if (own && own->kind == K_PROBE)
            probe_own_run(engine, lua_gettop(L), module, key, trial.out);
        else if (probe)
            run(&trial, probe, key);
        else
            lesson_error(engine, where->line, "there is no probe \"%s\"",
                         lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, -1));
        lua_pop(L, 1);
    }
    return count;
}

bool probe_results_agree(const struct probe_result *a, const struct probe_result *b)
{
    const double apart = 1e-3, least = 1e-6;
    if (strcmp(a->id, b->id) || a->measure_count != b->measure_count || !a->error != !b->error)
        return false;
    for (int i = 0; i < a->measure_count; i++) {
        double x = a->measures[i], y = b->measures[i];
        bool nothing = isnan(x) && isnan(y) && !strcmp(a->yours, b->yours);
        if (!nothing && x != y && !(fabs(x - y) <= apart * fmax(fabs(x), fabs(y)) + least))
            return false;
    }
    return true;
}
