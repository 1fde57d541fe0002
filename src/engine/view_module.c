/* A module seen from outside: what moves its output, and which probes it passes. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/probe_call.h"
#include "engine/view_parts.h"

/* Leaves the module, the view's entry, on the stack; returns its index. */
static int push_module(struct drawing *d)
{
    lua_State *L = d->engine->L;
    lua_rawgeti(L, d->fields, 1);
    formula_value(d->engine, d->construct, "show", lua_gettop(L), d->env);
    if (!lua_isfunction(L, -1))
        lesson_error(d->engine, d->construct->line, "%s: its entry must come to a function of (x, scale, bias, eps), not %s",
                     construct_name(d->construct->kind), probe_odd(d->engine, lua_gettop(L)));
    return lua_gettop(L);
}

static uint64_t module_key(struct drawing *d)
{
    if (!drawing_has(d, "seed"))
        return probes_key(d->engine, d->step);
    char seed[NUMBER_TEXT];
    number_digits(seed, drawing_number(d, "seed", 0), 17);
    return hash_text(HASH_START, seed);
}

/* ---- the leak table ---- */

/* Whose output: `at`, else where the cursor stands. */
static void read_at(struct drawing *d, struct part_leak *leak)
{
    lua_State *L = d->engine->L;
    int top = lua_gettop(L);
    if (lua_getfield(L, d->fields, "at") == LUA_TNIL) {
        leak->sample = drawing_cursor(d, "batch", LEAK_SAMPLES);
        leak->token = drawing_cursor(d, "token", LEAK_TOKENS);
        lua_settop(L, top);
        return;
    }
    formula_value(d->engine, d->construct, "at", lua_gettop(L), d->env);
    if (tensor_of_list(L) != LUA_OK)
        formula_raise(d->engine, d->construct, "at");
    const struct tensor *at = tensor_test(L, -1);
    bool pair = at && tensor_count(at) == 2;
    double sample = pair ? (double)tensor_get_flat(at, 0) : 0, token = pair ? (double)tensor_get_flat(at, 1) : 0;
    if (!(sample >= 1 && sample <= LEAK_SAMPLES && token >= 1 && token <= LEAK_TOKENS && sample == floor(sample) && token == floor(token)))
        lesson_error(d->engine, lesson_line(d->engine, d->construct, "at"),
                     "view.leak: `at` must come to { sample, token }: whole numbers from 1, up to %d and %d", LEAK_SAMPLES, LEAK_TOKENS);
    leak->sample = (uint32_t)sample;
    leak->token = (uint32_t)token;
    lua_settop(L, top);
}

static const char *leak_alt(struct drawing *d, const struct part_leak *leak)
{
    size_t counts[LEAK_MORE + 1] = { 0 }, cells = (size_t)leak->samples * leak->tokens;
    for (size_t i = 0; i < cells; i++)
        counts[leak->cells[i]]++;
    size_t movers = counts[LEAK_SAME] + counts[LEAK_MORE];
    return movers ? arena_printf(d->engine->scene->arena, _("%zu of the %zu other tokens move the output of token %u of sample %u."), movers, cells - 1,
                                 (unsigned)leak->token, (unsigned)leak->sample)
                  : arena_printf(d->engine->scene->arena, _("No other token moves the output of token %u of sample %u."), (unsigned)leak->token,
                                 (unsigned)leak->sample);
}

void view_leak(struct drawing *d, struct view *view)
{
    struct engine *engine = d->engine;
    int module = push_module(d);
    struct part *part = view_parts(d, view, 1);
    struct part_leak *leak = &part->as.leak;
    part->kind = PART_LEAK;
    leak->samples = LEAK_SAMPLES;
    leak->tokens = LEAK_TOKENS;
    read_at(d, leak);
    leak->cells = scene_zero(engine, LEAK_SAMPLES * LEAK_TOKENS, sizeof *leak->cells);
    bool hidden = drawing_hides(d, "cells");
    const char *alt = _("Which tokens move the output of one: to be seen with the answer."), *error;
    if (!hidden && !leak_run(engine, module, module_key(d), leak->sample, leak->token, leak->cells, &error))
        alt = arena_printf(engine->scene->arena, _("What moves the module's output cannot be said: %s"), error);
    else if (!hidden)
        alt = leak_alt(d, leak);
    if (!*view->alt)
        view->alt = alt ? alt : "";
}

/* ---- the table of probes ---- */

static bool is_number(const char *text)
{
    text += *text == '-';
    return strspn(text, "0123456789.") > 0 || !strcmp(text, "nan") || !strcmp(text, "inf");
}

/* Numbers stand below each other at their points; what begins with a digit and goes on in words does not. */
static void fill_text(struct cell *cell, const char *text)
{
    cell->text = text;
    cell->value = (double)NAN;
    if (!is_number(text) || strchr(text, ' '))
        cell->flags |= CELL_WORDS;
}

static const char *probes_alt(struct drawing *d, const struct probe_result *results, size_t count)
{
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        passed += results[i].passes;
    if (passed == count)
        return count == 1 ? _("The probe passes.") : arena_printf(d->engine->scene->arena, _("All %zu probes pass."), count);
    return arena_printf(d->engine->scene->arena, language_count("%zu of %zu probe passes.", "%zu of %zu probes pass.", count), passed, count);
}

/* What the view's own list measures; without one, what the question for a program has measured. */
static size_t view_results(struct drawing *d, int module, struct probe_result **out)
{
    struct engine *engine = d->engine;
    if (lua_getfield(engine->L, d->fields, "list") != LUA_TNIL)
        return probes_run(engine, d->construct, lua_gettop(engine->L), module, 0, module_key(d), out);
    if (d->out->kind != STEP_CODE)
        lesson_error(engine, d->construct->line, "view.probes needs the field `list`: the names of probes");
    *out = engine->probed;
    return engine->probed_count;
}

void view_probes(struct drawing *d, struct view *view)
{
    enum { VERDICT, YOURS, SHOULD, COLUMNS };
    static const char *const heads[COLUMNS] = { "", N_("yours"), N_("should be") };
    struct engine *engine = d->engine;
    int module = push_module(d);
    struct probe_result *results;
    size_t count = view_results(d, module, &results);
    bool hidden = drawing_hides(d, "yours");
    struct part *part = view_parts(d, view, 1);
    struct part_table *table = &part->as.table;
    part->kind = PART_TABLE;
    table->corner = _("probe");
    table->head = (struct strings){ scene_zero(engine, COLUMNS, sizeof(char *)), COLUMNS };
    for (size_t i = 0; i < COLUMNS; i++)
        table->head.item[i] = _(heads[i]);
    table->labels = (struct strings){ scene_zero(engine, count, sizeof(char *)), count };
    table->cells = scene_zero(engine, count * COLUMNS, sizeof *table->cells);
    table->cursor_row = -1;
    for (size_t i = 0; i < count; i++) {
        struct cell *cells = table->cells + i * COLUMNS;
        table->labels.item[i] = results[i].text;
        fill_text(&cells[SHOULD], results[i].should);
        if (hidden) {
            cell_hide(&cells[VERDICT]);
            cell_hide(&cells[YOURS]);
            continue;
        }
        fill_text(&cells[YOURS], results[i].yours);
        fill_text(&cells[VERDICT], results[i].passes ? _("passes") : _("fails"));
        cells[VERDICT].flags |= results[i].passes ? CELL_PASSES : CELL_FAILS;
    }
    if (!*view->alt)
        view->alt = hidden ? _("Which probes pass: to be seen with the answer.") : probes_alt(d, results, count);
}
