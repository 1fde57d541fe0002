/* Which inputs move the output of one token. */
#include <string.h>

#include "base/language.h"
#include "engine/probe_call.h"

static const double MOVED = 1e-5;

enum { CELLS = LEAK_SAMPLES * LEAK_TOKENS };

static bool moves(double before, double after)
{
    return !probe_within(after, before, MOVED);
}

/* What one token of the input does to the output of the token `own`. A call fails: LEAK_HIDDEN. */
static enum leak leak_of(struct probe_callee *callee, struct probe_input *in, struct random_stream *random, size_t token, const double *own,
                         size_t own_at)
{
    double y[PROBE_ELEMENTS];
    float *x = in->x + token * LEAK_FEATURES, kept[LEAK_FEATURES], other[LEAK_FEATURES];
    bool moved = false, spread = false;
    memcpy(kept, x, sizeof kept);
    probe_row_draw(other, LEAK_FEATURES, random);
    memcpy(x, other, sizeof other);
    bool called = probe_call(callee, in, y, NULL);
    memcpy(x, kept, sizeof kept);
    for (size_t f = 0; f < LEAK_FEATURES && called; f++)
        moved = moved || moves(own[f], y[own_at + f]);
    if (!called || !moved)
        return called ? LEAK_NONE : LEAK_HIDDEN;
    bool any = false;
    for (size_t one = 0; one < LEAK_FEATURES && !spread; one++) {
        x[one] = other[one];
        called = probe_call(callee, in, y, NULL);
        x[one] = kept[one];
        if (!called)
            return LEAK_HIDDEN;
        for (size_t f = 0; f < LEAK_FEATURES; f++)
            if (moves(own[f], y[own_at + f])) {
                any = true;
                spread = spread || f != one;
            }
    }
    return spread || !any ? LEAK_MORE : LEAK_SAME;
}

bool leak_run(struct engine *engine, int module, uint64_t key, uint32_t sample, uint32_t token, enum leak *out, const char **error)
{
    luaL_checkstack(engine->L, 30, NULL);
    struct probe_callee callee = { .engine = engine, .function = lua_absindex(engine->L, module) };
    struct random_stream random;
    struct probe_input in;
    double y[PROBE_ELEMENTS];
    size_t own = (sample - 1u) * LEAK_TOKENS + token - 1u;
    random_start(&random, key, hash_text(HASH_START, "leak"));
    probe_input_draw(&in, &random, LEAK_SAMPLES, LEAK_TOKENS, LEAK_FEATURES);
    bool good = probe_call(&callee, &in, y, NULL);
    for (size_t cell = 0; cell < CELLS && good; cell++) {
        out[cell] = cell == own ? LEAK_ITSELF : leak_of(&callee, &in, &random, cell, y + own * LEAK_FEATURES, own * LEAK_FEATURES);
        good = out[cell] != LEAK_HIDDEN;
    }
    *error = NULL;
    if (good)
        return true;
    for (size_t cell = 0; cell < CELLS; cell++)
        out[cell] = LEAK_HIDDEN;
    *error = callee.error ? arena_printf(engine->scene->arena, _("it raised an error: %s"), callee.error)
                          : arena_printf(engine->scene->arena, _("it returned %s, not a tensor of shape (%d, %d, %d)"), callee.odd, LEAK_SAMPLES,
                                         LEAK_TOKENS, LEAK_FEATURES);
    if (!*error)
        luaL_error(engine->L, "out of memory");
    return false;
}
