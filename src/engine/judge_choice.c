/* A choice judged: one of the options, or several. */
#include <string.h>

#include "base/language.h"
#include "engine/judge.h"
#include "engine/options.h"

static bool flag(lua_State *L, const struct step_def *step, const char *field)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, field);
    bool yes = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return yes;
}

static bool option_right(struct engine *engine, const struct part_def *part, int env)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    bool right = lua_getfield(L, -1, "right") != LUA_TNIL && formula_true(engine, part->construct, "right", lua_gettop(L), env);
    lua_settop(L, top);
    return right;
}

static void take_options(struct engine *engine, const struct step_def *step, struct options *out)
{
    options_take(engine, step, out);
    if (flag(engine->L, step, "shuffle"))
        options_shuffle(engine, step, out);
}

/* The right ones, as shown. Raises unless exactly one is, or some of several. */
static void take_right(struct engine *engine, const struct step_def *step, const struct options *options, int env, struct picks *out)
{
    bool several = flag(engine->L, step, "several");
    size_t rights = 0;
    *out = (struct picks){ 0 };
    for (size_t i = 0; i < options->count; i++)
        if (option_right(engine, options->part[i], env)) {
            rights++;
            if (out->count < OPTIONS_MAX)
                out->place[out->count++] = i;
        }
    if (several ? rights == 0 : rights != 1)
        lesson_error(engine, step->construct->line,
                     several ? N_("ask.choice \"%s\": %zu options are right; one at least must be")
                             : N_("ask.choice \"%s\": %zu options are right; exactly one must be, unless `several = true`"),
                     step->construct->id, rights);
}

/* In the order shown. */
static void sort(struct picks *picks)
{
    for (size_t i = 1; i < picks->count; i++)
        for (size_t j = i; j > 0 && picks->place[j - 1] > picks->place[j]; j--) {
            size_t kept = picks->place[j];
            picks->place[j] = picks->place[j - 1];
            picks->place[j - 1] = kept;
        }
}

void choice_check(struct engine *engine, const struct step_def *step, int env)
{
    struct options options;
    struct picks right;
    options_take(engine, step, &options);
    if (options.count > OPTIONS_MAX && flag(engine->L, step, "several"))
        lesson_error(engine, step->construct->line, "ask.choice \"%s\" has %zu options; %d are the most", step->construct->id, options.count, OPTIONS_MAX);
    take_right(engine, step, &options, env, &right);
}

/* What the answer picks; false, and unread: nothing that is here. */
static bool read(struct engine *engine, struct scene_question *out, struct picks *got)
{
    struct arena *arena = engine->scene->arena;
    const char *answer = engine->request->answer;
    struct error err;
    if (!out->several) {
        answer += strspn(answer, " \t");
        *got = (struct picks){ .count = 1, .place = { option_find(out->options, out->option_count, answer, strlen(answer)) } };
        if (got->place[0] < out->option_count)
            return true;
        out->say = arena_printf(arena, _("Choose one of the %zu, by its number."), out->option_count);
    } else {
        if (!picks_read(got, out->options, out->option_count, answer, &err)) {
            sort(got);
            return true;
        }
        out->say = arena_printf(arena, _("Pick all that are right: %s."), err.text);
    }
    out->verdict = VERDICT_UNREAD;
    return false;
}

/* What is too much speaks, what is missing is only counted. */
static void judge_picks(struct engine *engine, const struct options *options, const struct picks *right, const struct picks *got, int facts,
                          struct scene_question *out)
{
    static const char *const counts[] = { N_("One"), N_("Two"), N_("Three"), N_("Four"), N_("Five"), N_("Six") };
    struct arena *arena = engine->scene->arena;
    size_t wrong = 0, missing = 0;
    const struct part_def *first = NULL;
    for (size_t i = 0; i < got->count; i++)
        if (!picks_have(right, got->place[i])) {
            first = first ? first : options->part[got->place[i]];
            wrong++;
        }
    for (size_t i = 0; i < right->count; i++)
        missing += !picks_have(got, right->place[i]);
    out->verdict = wrong || missing ? VERDICT_WRONG : VERDICT_RIGHT;
    if (first) {
        out->mistake = scene_text(engine, first->construct->id);
        out->say = mistake_words(engine, first, facts, 0, 0);
        if (wrong > 1)
            out->say = arena_printf(arena, _("Not all of these. %s"), out->say);
    } else if (missing) {
        out->say = arena_printf(arena, language_count("%s more is right.", "%s more are right.", missing), _(missing <= 6 ? counts[missing - 1] : N_("Many")));
    }
}

void judge_choice(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out)
{
    struct options options;
    struct picks right, got;
    take_options(engine, step, &options);
    take_right(engine, step, &options, env, &right);
    options_show(engine, &options, out);
    out->several = flag(engine->L, step, "several");
    out->expects = out->several ? _("all that are right") : _("one of these");
    if (!engine->request->answer || !read(engine, out, &got))
        return;
    judge_picks(engine, &options, &right, &got, facts, out);
}

void choice_words(struct engine *engine, const struct step_def *step, int env, int live_env, struct scene_question *out)
{
    struct options options;
    struct picks right, got;
    take_options(engine, step, &options);
    take_right(engine, step, &options, env, &right);
    options_fill(engine, &options, live_env, out);
    out->answer = picks_words(engine, &right, out, "; ");
    if (out->verdict == VERDICT_RIGHT)
        out->said = out->answer;
    else if (out->verdict == VERDICT_WRONG && read(engine, out, &got))
        out->said = picks_words(engine, &got, out, "; ");
}

void choice_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out)
{
    struct options options;
    struct picks right;
    options_take(engine, step, &options);
    take_right(engine, step, &options, env, &right);
    declare(engine, out, "", picks_ids(engine, &right, &options));
    for (size_t i = 0; i < options.count; i++)
        if (!picks_have(&right, i))
            declare(engine, out, options.part[i]->construct->id, options.part[i]->construct->id);
}
