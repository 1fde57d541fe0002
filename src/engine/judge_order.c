/* Pieces put in order, judged. */
#include <string.h>

#include "base/language.h"
#include "engine/judge.h"
#include "engine/options.h"

static const char BETWEEN[] = " → ";

/* ---- what is asked ---- */

static bool same(const struct picks *a, const struct picks *b)
{
    return a->count == b->count && !memcmp(a->place, b->place, a->count * sizeof *a->place);
}

static int raise_unknown_piece(struct engine *engine, const struct construct *where, const char *field, const struct options *options, const char *id)
{
    const char **ids = scene_zero(engine, options->count, sizeof *ids);
    for (size_t i = 0; i < options->count; i++)
        ids[i] = options->part[i]->construct->id;
    const char *near = nearest_name(id, ids, options->count);
    return lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s`: there is no piece \"%s\"%s%s%s", construct_name(where->kind), where->id,
                        field, id, near ? _("; did you mean \"") : "", near ? near : "", near ? "\"?" : "");
}

/* The list of ids at the top of the stack; popped. */
static void take_order(struct engine *engine, const struct construct *where, const char *field, const struct options *options, struct picks *out)
{
    lua_State *L = engine->L;
    size_t count = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    *out = (struct picks){ 0 };
    if (count < 1)
        lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s` must list pieces by their ids", construct_name(where->kind), where->id, field);
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        const char *id = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        size_t place = 0;
        while (place < options->count && strcmp(options->part[place]->construct->id, id))
            place++;
        if (place == options->count)
            raise_unknown_piece(engine, where, field, options, id);
        for (size_t n = 0; n < out->count; n++)
            if (out->place[n] == place)
                lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s` has the piece \"%s\" twice", construct_name(where->kind), where->id,
                             field, id);
        out->place[out->count++] = place;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The orders that are right: the answer, then the others. */
struct rights {
    struct picks *order;
    size_t count;
};

static void take_rights(struct engine *engine, const struct step_def *step, const struct options *options, struct rights *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    size_t also = lua_getfield(L, top + 1, "also") == LUA_TTABLE ? lua_rawlen(L, top + 2) : 0;
    *out = (struct rights){ scene_zero(engine, also + 1, sizeof *out->order), also + 1 };
    lua_getfield(L, top + 1, "answer");
    take_order(engine, step->construct, "answer", options, &out->order[0]);
    for (size_t i = 1; i <= also; i++) {
        lua_rawgeti(L, top + 2, (lua_Integer)i);
        take_order(engine, step->construct, "also", options, &out->order[i]);
    }
    lua_settop(L, top);
}

static bool is_right(const struct rights *rights, const struct picks *got)
{
    for (size_t i = 0; i < rights->count; i++)
        if (same(&rights->order[i], got))
            return true;
    return false;
}

/* False: not a mistake, or none for these numbers. */
static bool take_mistake(struct engine *engine, const struct part_def *part, const struct options *options, int env, struct picks *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (part->construct->kind != K_ORDER_MISTAKE)
        return false;
    bool counts = mistake_counts(engine, part, env);
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    lua_getfield(L, -1, "by");
    take_order(engine, part->construct, "by", options, out);
    lua_settop(L, top);
    return counts;
}

/* Shuffled, and so that the order shown is not the one asked for. */
static void take_pieces(struct engine *engine, const struct step_def *step, struct options *out)
{
    struct rights rights;
    options_take(engine, step, out);
    if (out->count > OPTIONS_MAX || out->count < 2)
        lesson_error(engine, step->construct->line, "ask.order \"%s\" has %zu pieces; it needs 2 to %d", step->construct->id, out->count, OPTIONS_MAX);
    options_shuffle(engine, step, out);
    take_rights(engine, step, out, &rights);
    const struct picks *right = &rights.order[0];
    bool rising = right->count > 1;
    for (size_t i = 1; i < right->count; i++)
        rising = rising && right->place[i] > right->place[i - 1];
    if (!rising)
        return;
    const struct part_def *first = out->part[right->place[0]];
    out->part[right->place[0]] = out->part[right->place[1]];
    out->part[right->place[1]] = first;
}

void order_check(struct engine *engine, const struct step_def *step, int env)
{
    struct options options;
    struct rights rights;
    struct picks by;
    take_pieces(engine, step, &options);
    take_rights(engine, step, &options, &rights);
    if (rights.order[0].count < 2)
        lesson_error(engine, lesson_line(engine, step->construct, "answer"), "ask.order \"%s\": `answer` needs two pieces at least", step->construct->id);
    for (size_t i = 0; i < step->part_count; i++)
        take_mistake(engine, &step->parts[i], &options, env, &by);
}

bool order_agrees(struct engine *engine, const struct step_def *step, int env, struct alike *pair)
{
    lua_State *L = engine->L;
    struct options options;
    struct rights rights;
    env = lua_absindex(L, env);
    options_take(engine, step, &options);
    if (options.count > OPTIONS_MAX)
        return false; /* order_check says so */
    take_rights(engine, step, &options, &rights);
    struct picks *seen = scene_zero(engine, step->part_count, sizeof *seen);
    const struct construct **whose = scene_zero(engine, step->part_count, sizeof *whose);
    size_t count = 0;
    for (size_t i = 0; i < step->part_count; i++) {
        if (!take_mistake(engine, &step->parts[i], &options, env, &seen[count]))
            continue;
        whose[count] = step->parts[i].construct;
        for (size_t j = 0; j < count; j++) {
            *pair = (struct alike){ whose[count], whose[j] };
            if (same(&seen[j], &seen[count]))
                return true;
        }
        *pair = (struct alike){ whose[count], NULL };
        if (is_right(&rights, &seen[count++]))
            return true;
    }
    return false;
}

/* ---- the verdict ---- */

/* Up to where `got` goes as the right order that it follows furthest does. */
static size_t first_wrong(const struct rights *rights, const struct picks *got, const struct picks **nearest)
{
    size_t furthest = 0;
    *nearest = &rights->order[0];
    for (size_t i = 0; i < rights->count; i++) {
        const struct picks *right = &rights->order[i];
        size_t at = 0;
        while (at < got->count && at < right->count && got->place[at] == right->place[at])
            at++;
        if (at > furthest) {
            furthest = at;
            *nearest = right;
        }
    }
    return furthest;
}

static bool neighbours_swapped(const struct picks *got, const struct picks *right, size_t at)
{
    if (got->count != right->count || at + 1 >= got->count || got->place[at] != right->place[at + 1] || got->place[at + 1] != right->place[at])
        return false;
    return !memcmp(got->place + at + 2, right->place + at + 2, (got->count - at - 2) * sizeof *got->place);
}

/* What to say when no mistake of the lesson's is recognised. */
static const char *generic(struct engine *engine, const struct rights *rights, const struct picks *got, const struct scene_question *out)
{
    struct arena *arena = engine->scene->arena;
    const struct picks *right;
    size_t at = first_wrong(rights, got, &right);
    if (at == got->count)
        return _("Nearly: right as far as it goes; something is missing at the end.");
    if (neighbours_swapped(got, right, at))
        return _("Nearly: two neighbours are to be swapped.");
    const char *words = out->options[got->place[at]].text;
    if (at >= right->count)
        return arena_printf(arena, _("Nearly: one thing too much; \"%s\" does not belong there."), words);
    const char *place = ordinal(at);
    return place ? arena_printf(arena, _("The %s piece is not \"%s\"."), place, words) : arena_printf(arena, _("Piece %zu is not \"%s\"."), at + 1, words);
}

static void push_ids(lua_State *L, const struct picks *picks, const struct options *options)
{
    lua_createtable(L, (int)picks->count, 0);
    for (size_t i = 0; i < picks->count; i++) {
        lua_pushstring(L, options->part[picks->place[i]]->construct->id);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void judge_order(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out)
{
    struct options options;
    struct rights rights;
    struct picks got;
    const struct picks *nearest;
    struct error err;
    take_pieces(engine, step, &options);
    take_rights(engine, step, &options, &rights);
    options_show(engine, &options, out);
    out->expects = options.count == rights.order[0].count ? _("all the pieces in order") : _("the pieces that belong, in order");
    if (!engine->request->answer)
        return;
    if (picks_read(&got, out->options, out->option_count, engine->request->answer, &err)) {
        out->verdict = VERDICT_UNREAD;
        out->say = arena_printf(engine->scene->arena, _("The pieces are asked for in order: %s."), err.text);
        return;
    }
    out->verdict = is_right(&rights, &got) ? VERDICT_RIGHT : VERDICT_WRONG;
    for (size_t i = 0; i < step->part_count && out->verdict == VERDICT_WRONG; i++) {
        struct picks by;
        if (!take_mistake(engine, &step->parts[i], &options, env, &by) || !same(&got, &by))
            continue;
        out->mistake = scene_text(engine, step->parts[i].construct->id);
        push_ids(engine->L, &got, &options);
        out->say = mistake_words(engine, &step->parts[i], facts, lua_gettop(engine->L), first_wrong(&rights, &got, &nearest));
        lua_pop(engine->L, 1);
        return;
    }
}

void order_words(struct engine *engine, const struct step_def *step, int live_env, struct scene_question *out)
{
    struct options options;
    struct rights rights;
    struct picks got;
    take_pieces(engine, step, &options);
    take_rights(engine, step, &options, &rights);
    options_fill(engine, &options, live_env, out);
    out->answer = picks_words(engine, &rights.order[0], out, BETWEEN);
    if ((out->verdict != VERDICT_RIGHT && out->verdict != VERDICT_WRONG) || picks_read(&got, out->options, out->option_count, engine->request->answer, NULL))
        return;
    out->said = picks_words(engine, &got, out, BETWEEN);
    if (out->verdict == VERDICT_WRONG && !*out->mistake)
        out->say = generic(engine, &rights, &got, out);
}

void order_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out)
{
    struct options options;
    struct rights rights;
    struct picks by;
    options_take(engine, step, &options);
    take_rights(engine, step, &options, &rights);
    for (size_t i = 0; i < rights.count; i++)
        declare(engine, out, "", picks_ids(engine, &rights.order[i], &options));
    for (size_t i = 0; i < step->part_count; i++)
        if (take_mistake(engine, &step->parts[i], &options, env, &by))
            declare(engine, out, step->parts[i].construct->id, picks_ids(engine, &by, &options));
}
