/* Typed numbers judged: right, wrong, or not to be read; and what to say about wrong ones.
   A mistake is a wrong formula, run on this learner's numbers: an answer equal to it has made it. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/judge.h"

static const double SLACK = 1e-6; /* of a unit: a tie in the last place, float32's own rounding */

/* ---- what is asked ---- */

struct asked {
    struct quantity truth;
    bool exact;       /* an integer answer */
    double tolerance; /* absolute; by place where `digits` is asked for */
    int places;       /* for writing the answer; -1: as number_text does */
    int digits;       /* significant digits; 0: none asked */
};

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

static double allowed(const struct asked *asked, double want)
{
    if (asked->exact)
        return SLACK * fmax(1, fabs(want));
    if (asked->digits && want != 0 && isfinite(want))
        return 0.5 * pow(10, floor(log10(fabs(want))) - asked->digits + 1);
    return asked->tolerance;
}

static void take_asked(struct engine *engine, const struct step_def *step, int env, struct asked *out)
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

static bool same_shape(const struct quantity *a, const struct quantity *b)
{
    bool same = a->rank == b->rank && a->count == b->count;
    for (int i = 0; same && i < a->rank; i++)
        same = a->extents[i] == b->extents[i];
    return same;
}

static bool near(double got, double want, double tolerance)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (isinf(want) || isinf(got))
        return got == want;
    return fabs(got - want) <= tolerance * (1 + SLACK) + 1e-12 * fabs(want);
}

/* As exactly as the answer is asked for. */
static bool fits(const struct asked *asked, const struct quantity *got, const struct quantity *want)
{
    bool same = same_shape(got, want);
    for (size_t i = 0; same && i < want->count; i++)
        same = near(got->values[i], want->values[i], allowed(asked, want->values[i]));
    return same;
}

/* To the digits that were typed, where those are fewer. */
static bool fits_typed(const struct asked *asked, const struct quantity *got, const struct quantity *want)
{
    bool same = same_shape(got, want) && got->decimals;
    for (size_t i = 0; same && i < want->count; i++) {
        double tolerance = got->decimals[i] < 0 ? 0 : 0.5 * pow(10, -got->decimals[i]);
        same = near(got->values[i], want->values[i], tolerance + allowed(asked, want->values[i]));
    }
    return same;
}

/* Is anything left of the number at the precision typed? "0" is near to every small number and says nothing. */
static bool tells_something(const struct quantity *got)
{
    for (size_t i = 0; i < got->count; i++)
        if (got->values[i] != 0)
            return true;
    return false;
}

static bool take_mistake(struct engine *engine, const struct step_def *step, const struct part_def *part, int env, struct quantity *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    bool counts = true;
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    if (lua_getfield(L, -1, "when") != LUA_TNIL)
        counts = formula_true(engine, part->construct, "when", lua_gettop(L), env);
    if (counts) {
        lua_getfield(L, top + 1, "by");
        formula_value(engine, part->construct, "by", lua_gettop(L), env);
        take_comparable(engine, step->construct->kind, part->construct, "by", out);
    }
    lua_settop(L, top);
    return counts;
}

static bool is_also_right(struct engine *engine, const struct step_def *step, int env, const struct asked *asked, const struct quantity *got)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    bool right = fits(asked, got, &asked->truth);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    if (lua_getfield(L, -1, "also") == LUA_TTABLE) {
        int list = lua_gettop(L);
        for (size_t i = 1; i <= lua_rawlen(L, list) && !right; i++) {
            struct quantity other;
            lua_rawgeti(L, list, (lua_Integer)i);
            formula_value(engine, step->construct, "also", lua_gettop(L), env);
            take_comparable(engine, step->construct->kind, step->construct, "also", &other);
            right = fits(asked, got, &other);
        }
    }
    lua_settop(L, top);
    return right;
}

void numbers_check(struct engine *engine, const struct step_def *step, int env)
{
    struct asked asked;
    struct quantity by;
    take_asked(engine, step, env, &asked);
    is_also_right(engine, step, env, &asked, &(struct quantity){ .rank = -1 }); /* like no other: looks at them all */
    for (size_t i = 0; i < step->part_count; i++)
        take_mistake(engine, step, &step->parts[i], env, &by);
}

bool question_agrees(struct engine *engine, const struct step_def *step, int env)
{
    enum construct_kind kind = step->construct->kind;
    if (kind == K_CHOICE || kind == K_CODE || !step->part_count)
        return false;
    if (kind == K_SHAPE)
        return shapes_agree(engine, step, env);
    lua_State *L = engine->L;
    env = lua_absindex(L, env);
    struct asked asked;
    take_asked(engine, step, env, &asked);
    struct quantity *seen = lua_newuserdatauv(L, (step->part_count + 1) * sizeof *seen, 0);
    size_t count = 0;
    seen[count++] = asked.truth;
    bool agree = false;
    for (size_t i = 0; i < step->part_count && !agree; i++) {
        if (!take_mistake(engine, step, &step->parts[i], env, &seen[count]))
            continue;
        for (size_t j = 0; j < count && !agree; j++)
            agree = fits(&asked, &seen[count], &seen[j]);
        count++;
    }
    lua_pop(L, 1);
    return agree;
}

/* ---- words ---- */

static const char *count_word(size_t n)
{
    static const char *const words[] = { "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten" };
    return n < sizeof words / sizeof *words ? words[n] : NULL;
}

static const char *ordinal(size_t n)
{
    static const char *const words[] = { "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth" };
    return n < sizeof words / sizeof *words ? words[n] : NULL;
}

static const char *expects(struct engine *engine, const struct step_def *step, const struct asked *asked)
{
    struct arena *arena = engine->scene->arena;
    char precision[64] = "";
    if (asked->exact)
        snprintf(precision, sizeof precision, "%s", "");
    else if (asked->digits)
        snprintf(precision, sizeof precision, ", %s significant digit%s", count_word((size_t)asked->digits), asked->digits == 1 ? "" : "s");
    else if (asked->places >= 0)
        snprintf(precision, sizeof precision, ", %s decimal%s", count_word((size_t)asked->places), asked->places == 1 ? "" : "s");
    const struct quantity *truth = &asked->truth;
    const char *many = count_word(truth->count);
    if (step->construct->kind == K_NUMBER)
        return arena_printf(arena, "%s%s", asked->exact ? "a whole number" : "a number", precision);
    if (truth->rank == 1)
        return many ? arena_printf(arena, "%s numbers%s", many, precision) : arena_printf(arena, "%zu numbers%s", truth->count, precision);
    struct strbuf shape = { 0 };
    for (int i = 0; i < truth->rank; i++)
        strbuf_addf(&shape, "%s%zu", i ? " by " : "", truth->extents[i]);
    const char *text = arena_printf(arena, "%s numbers%s", strbuf_string(&shape), precision);
    strbuf_free(&shape);
    return text;
}

static bool row_begins(const struct quantity *q, size_t i)
{
    return q->rank > 1 && i % q->extents[q->rank - 1] == 0;
}

static void write_numbers(struct strbuf *out, const struct quantity *q, int places, const char *separator)
{
    char text[NUMBER_TEXT];
    int common = places >= 0 ? places : number_common_places(q->values, q->count);
    for (size_t i = 0; i < q->count; i++) {
        if (i)
            strbuf_add(out, row_begins(q, i) ? "; " : separator);
        if (common < 0)
            number_text(text, q->values[i]);
        else
            number_places(text, q->values[i], common);
        strbuf_add(out, text);
    }
}

/* A row may be typed as a column, or in brackets of its own: axes of one element make no difference. */
static void flatten(struct quantity *got, const struct quantity *want)
{
    int g = 0, w = 0;
    for (;;) {
        while (g < got->rank && got->extents[g] == 1)
            g++;
        while (w < want->rank && want->extents[w] == 1)
            w++;
        if (g == got->rank || w == want->rank)
            break;
        if (got->extents[g++] != want->extents[w++])
            return;
    }
    if (g < got->rank || w < want->rank || !want->rank)
        return;
    got->rank = want->rank;
    memcpy(got->extents, want->extents, sizeof got->extents);
}

/* Four digits where the question's places would hide them. */
static int shown_places(const struct asked *asked, const struct quantity *q)
{
    int own = number_common_places(q->values, q->count);
    if (asked->places < 0 || own < 0)
        return own;
    bool whole = true;
    for (size_t i = 0; i < q->count; i++)
        whole = whole && q->values[i] == floor(q->values[i]);
    return whole ? 0 : asked->places > own ? asked->places : own;
}

static const char *numbers_text(struct engine *engine, const struct quantity *q, int places, const char *before, const char *separator, const char *after)
{
    struct strbuf out = { 0 };
    strbuf_add(&out, before);
    write_numbers(&out, q, places, separator);
    strbuf_add(&out, after);
    const char *text = arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return text ? text : "";
}

/* So exact that it is right when it is typed. */
static const char *answer_text(struct engine *engine, const struct asked *asked)
{
    const struct quantity *truth = &asked->truth;
    bool row = truth->rank > 0;
    if (!asked->digits) {
        double places = asked->places >= 0 ? asked->places : fmin(fmax(ceil(-log10(2 * asked->tolerance)), 0), 9);
        return numbers_text(engine, truth, (int)places, row ? "[" : "", row ? ", " : "", row ? "]" : "");
    }
    struct strbuf out = { 0 };
    for (size_t i = 0; i < truth->count; i++) {
        char text[NUMBER_TEXT];
        number_digits(text, truth->values[i], asked->digits);
        strbuf_addf(&out, "%s%s", !i ? row ? "[" : "" : row_begins(truth, i) ? "; " : ", ", text);
    }
    strbuf_add(&out, row ? "]" : "");
    const char *text = arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return text ? text : "";
}

/* ---- verdicts ---- */

/* What to say when no mistake of the lesson's is recognised. */
static const char *generic(struct engine *engine, const struct asked *asked, const struct quantity *got, size_t at)
{
    struct arena *arena = engine->scene->arena;
    const struct quantity *want = &asked->truth;
    if (!same_shape(got, want)) {
        if (got->count == want->count)
            return arena_printf(arena, "The shape is another: %s numbers are asked for in %s.", count_word(want->count) ? count_word(want->count) : "these",
                                want->rank > 1 ? "rows" : "one row");
        return arena_printf(arena, "You gave %zu number%s; %zu %s asked for.", got->count, got->count == 1 ? "" : "s", want->count, want->count == 1 ? "is" : "are");
    }
    char text[NUMBER_TEXT];
    if (got->decimals && got->decimals[at] >= 0 && got->decimals[at] <= 9)
        number_places(text, got->values[at], got->decimals[at]);
    else
        number_text(text, got->values[at]);
    if (want->rank == 0)
        return arena_printf(arena, isfinite(got->values[at]) ? "%s is not it." : "It does not come to %s.", text);
    const char *first = ordinal(at);
    if (want->rank == 1 && first)
        return arena_printf(arena, "The %s number is not %s.", first, text);
    return arena_printf(arena, "Number %zu is not %s.", at + 1, text);
}

/* NULL: too far off to be called near. */
static const char *nearly(struct engine *engine, const struct asked *asked, const struct quantity *got)
{
    int least = 99;
    for (size_t i = 0; i < got->count; i++) {
        bool enough = near(got->values[i], asked->truth.values[i], allowed(asked, asked->truth.values[i]));
        if (!enough && got->decimals[i] >= 0 && got->decimals[i] < least)
            least = got->decimals[i];
    }
    struct arena *arena = engine->scene->arena;
    if (least < 1)
        return NULL;
    if (asked->digits)
        return arena_printf(arena, "Nearly: right as far as it goes; %s significant digits are asked for.", count_word((size_t)asked->digits));
    if (asked->places < 0 || least > 9)
        return "Nearly: right as far as it goes, but not exact enough.";
    return arena_printf(arena, "Nearly: right to %s decimal%s; %s are asked for.", count_word((size_t)least), least == 1 ? "" : "s",
                        count_word((size_t)asked->places));
}

struct recognised {
    const struct part_def *part;
    size_t found;
    bool truth;
};

/* Which of the mistakes (and the truth) fit? */
static struct recognised recognise(struct engine *engine, const struct step_def *step, int env, const struct asked *asked,
                                   const struct quantity *got, bool (*fit)(const struct asked *, const struct quantity *, const struct quantity *))
{
    struct recognised result = { .truth = fit(asked, got, &asked->truth) };
    for (size_t i = 0; i < step->part_count; i++) {
        struct quantity by;
        if (take_mistake(engine, step, &step->parts[i], env, &by) && fit(asked, got, &by)) {
            result.found++;
            result.part = &step->parts[i];
        }
    }
    return result;
}

static void judge_read(struct engine *engine, const struct step_def *step, int facts, int env, const struct asked *asked,
                          const struct quantity *got, struct scene_question *out)
{
    size_t at = 0;
    if (is_also_right(engine, step, env, asked, got)) {
        out->verdict = VERDICT_RIGHT;
        return;
    }
    out->verdict = VERDICT_WRONG;
    const struct quantity *want = &asked->truth;
    if (same_shape(got, want))
        while (at + 1 < want->count && near(got->values[at], want->values[at], allowed(asked, want->values[at])))
            at++;
    struct recognised exactly = recognise(engine, step, env, asked, got, fits);
    struct recognised roughly = exactly;
    if (exactly.found == 0 && tells_something(got))
        roughly = recognise(engine, step, env, asked, got, fits_typed);
    if (roughly.found == 1 && !roughly.truth) {
        out->mistake = scene_text(engine, roughly.part->construct->id);
        out->say = mistake_words(engine, roughly.part, facts, got, at);
    } else {
        const char *near_words = roughly.truth && roughly.found == 0 && got->decimals ? nearly(engine, asked, got) : NULL;
        out->say = near_words ? near_words : generic(engine, asked, got, at);
    }
    if (want->rank > 0 && got->count > 1)
        out->yours = numbers_text(engine, got, shown_places(asked, got), "", "   ", "");
}

static void judge_typed(struct engine *engine, const struct step_def *step, int facts, int env, const struct asked *asked,
                        const struct named_quantity *names, struct scene_question *out)
{
    struct error err;
    struct quantity got;
    struct arena *arena = engine->scene->arena;
    bool many = step->construct->kind == K_TENSOR;
    const char *answer = engine->request->answer;
    if (answer && answer_read(&got, arena, answer, many, names, out->allow.count, &err)) {
        out->verdict = VERDICT_UNREAD;
        out->say = arena_printf(arena, "%c%s%s", (char)toupper((unsigned char)err.text[0]), err.text + (err.text[0] != 0),
                                strchr(".?!", err.text[strlen(err.text) - 1]) ? "" : ".");
    } else if (answer) {
        flatten(&got, &asked->truth);
        bool row = got.rank > 0;
        out->said = numbers_text(engine, &got, shown_places(asked, &got), row ? "[" : "", ", ", row ? "]" : "");
        judge_read(engine, step, facts, env, asked, &got, out);
        if (*out->yours)
            out->asked = out->expects;
    }
    const char *typed = engine->request->typed;
    if (!typed || !typed[strspn(typed, " ")] || (out->verdict == VERDICT_UNREAD && !strcmp(typed, answer)))
        return; /* what cannot be read is explained once */
    if (answer_read(&got, arena, typed, many, names, out->allow.count, &err)) {
        out->echo_unread = true;
        out->echo = scene_text(engine, err.text);
        return;
    }
    flatten(&got, &asked->truth);
    if (!many && got.decimals && got.decimals[0] >= 0)
        return; /* a plain number says itself */
    struct strbuf echo = { 0 };
    strbuf_add(&echo, "= ");
    write_numbers(&echo, &got, shown_places(asked, &got), "  ");
    if (many && got.count != asked->truth.count)
        strbuf_addf(&echo, "   (%zu of %zu)", got.count, asked->truth.count);
    out->echo = scene_text(engine, strbuf_string(&echo));
    strbuf_free(&echo);
}

void judge_numbers(struct engine *engine, const struct step_def *step, int facts, int env, const struct named_quantity *names,
                   struct scene_question *out)
{
    struct asked asked;
    take_asked(engine, step, env, &asked);
    out->expects = expects(engine, step, &asked);
    out->answer = answer_text(engine, &asked);
    judge_typed(engine, step, facts, env, &asked, names, out);
}
