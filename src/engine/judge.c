/* Typed numbers judged: right, wrong, or not to be read. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/answer_line.h"
#include "engine/asked.h"

/* ---- words ---- */

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

/* Before or after element i of a tensor of more than two axes: a bracket for each axis that begins there. */
static void add_brackets(struct strbuf *out, const struct quantity *q, size_t i, const char *bracket)
{
    size_t stride = 1;
    for (int axis = q->rank - 1; axis > 0 && q->rank > 2; axis--) {
        stride *= q->extents[axis];
        if (i % stride == 0)
            strbuf_add(out, bracket);
    }
}

/* As it would be typed, so exactly as it is asked for. */
static const char *typed_text(struct engine *engine, const struct asked *asked, const struct quantity *q)
{
    bool row = q->rank > 0, whole = true;
    for (size_t i = 0; i < q->count; i++)
        whole = whole && q->values[i] == floor(q->values[i]);
    double places = asked->places >= 0 ? asked->places : fmin(fmax(ceil(-log10(2 * asked->tolerance)), 0), 9);
    struct strbuf out = { 0 };
    for (size_t i = 0; i < q->count; i++) {
        char text[NUMBER_TEXT];
        if (asked->digits)
            number_digits(text, q->values[i], asked->digits);
        else if (asked->exact && !whole)
            number_text(text, q->values[i]);
        else
            number_places(text, q->values[i], (int)places);
        strbuf_add(&out, !i ? row ? "[" : "" : q->rank == 2 && row_begins(q, i) ? "; " : ", ");
        add_brackets(&out, q, i, "[");
        strbuf_add(&out, text);
        add_brackets(&out, q, i + 1, "]");
    }
    strbuf_add(&out, row ? "]" : "");
    const char *text = arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return text ? text : "";
}

/* ---- verdicts ---- */

static void push_quantity(struct engine *engine, const struct quantity *q)
{
    lua_State *L = engine->L;
    struct error err;
    if (q->rank == 0) {
        lua_pushnumber(L, q->values[0]);
        return;
    }
    struct tensor **x = tensor_push(L);
    if (tensor_new(x, &engine->memory, q->rank, q->extents, NULL, &err))
        raise_error(L, &err);
    for (size_t i = 0; i < q->count; i++)
        tensor_set_flat(*x, i, (float)q->values[i]);
    tensor_freeze(L, -1);
}

static void judge_read(struct engine *engine, const struct asked *asked, int facts, const struct quantity *got, struct scene_question *out)
{
    const struct quantity *want = &asked->truth;
    size_t at = 0;
    if (asked_right(asked, got)) {
        out->verdict = VERDICT_RIGHT;
        return;
    }
    out->verdict = VERDICT_WRONG;
    if (same_shape(got, want))
        while (at + 1 < want->count && near(got->values[at], want->values[at], asked_allowed(asked, want->values[at])))
            at++;
    struct recognised recognised = asked_recognise(asked, got);
    if (recognised.part) {
        out->mistake = scene_text(engine, recognised.part->construct->id);
        push_quantity(engine, got);
        out->say = mistake_words(engine, recognised.part, facts, lua_gettop(engine->L), at);
        lua_pop(engine->L, 1);
    } else {
        out->say = wrong_words(engine, asked, got, at, recognised.truth);
    }
    if (want->rank > 0 && got->count > 1)
        out->yours = numbers_text(engine, got, shown_places(asked, got), "", "   ", "");
}

/* Reads the line as numbers; where they are too many, a decimal comma is asked about. 0, or -1 with words. */
static int read_typed(struct engine *engine, const struct asked *asked, const struct named_quantity *names, size_t name_count, bool many,
                      const char *text, struct quantity *out, struct error *err)
{
    if (answer_read(out, engine->scene->arena, text, many, names, name_count, err))
        return -1;
    if (many && out->count > asked->truth.count && answer_mixed(text))
        return answer_ask_comma(text, answer_comma(text), many, err);
    flatten(out, &asked->truth);
    return 0;
}

static void judge_typed(struct engine *engine, const struct step_def *step, int facts, const struct asked *asked,
                        const struct named_quantity *names, struct scene_question *out)
{
    struct error err;
    struct quantity got;
    struct arena *arena = engine->scene->arena;
    bool many = step->construct->kind == K_TENSOR;
    const char *answer = engine->request->answer;
    if (answer && read_typed(engine, asked, names, out->allow.count, many, answer, &got, &err)) {
        out->verdict = VERDICT_UNREAD;
        out->say = arena_printf(arena, "%c%s%s", (char)toupper((unsigned char)err.text[0]), err.text + (err.text[0] != 0),
                                strchr(".?!", err.text[strlen(err.text) - 1]) ? "" : ".");
    } else if (answer) {
        bool row = got.rank > 0;
        out->said = numbers_text(engine, &got, shown_places(asked, &got), row ? "[" : "", ", ", row ? "]" : "");
        judge_read(engine, asked, facts, &got, out);
        if (*out->yours)
            out->asked = out->expects;
    }
    const char *typed = engine->request->typed;
    if (!typed || !typed[strspn(typed, " ")] || (out->verdict == VERDICT_UNREAD && !strcmp(typed, answer)))
        return; /* what cannot be read is explained once */
    if (read_typed(engine, asked, names, out->allow.count, many, typed, &got, &err)) {
        out->echo_unread = true;
        out->echo = scene_text(engine, err.text);
        return;
    }
    if (!many && got.decimals && got.decimals[0] != DECIMALS_ALL)
        return; /* a plain number says itself */
    struct strbuf echo = { 0 };
    strbuf_add(&echo, "= ");
    write_numbers(&echo, &got, shown_places(asked, &got), "  ");
    if (many && got.count != asked->truth.count)
        strbuf_addf(&echo, _("   (%zu of %zu)"), got.count, asked->truth.count);
    out->echo = scene_text(engine, strbuf_string(&echo));
    strbuf_free(&echo);
}

void judge_numbers(struct engine *engine, const struct step_def *step, int facts, int env, const struct named_quantity *names,
                   struct scene_question *out)
{
    struct asked asked;
    asked_take(engine, step, env, &asked);
    out->expects = expects_words(engine, step, &asked);
    out->answer = typed_text(engine, &asked, &asked.truth);
    judge_typed(engine, step, facts, &asked, names, out);
}

void numbers_check(struct engine *engine, const struct step_def *step, int env)
{
    struct asked asked;
    asked_take(engine, step, env, &asked);
}

/* Written as the question asks, each mistake must be known for what it is. */
static bool mistaken(struct engine *engine, const struct step_def *step, const struct asked *asked, size_t i, struct alike *pair)
{
    struct quantity typed;
    const char *text = typed_text(engine, asked, &asked->mistakes[i].by);
    if (answer_read(&typed, engine->scene->arena, text, step->construct->kind == K_TENSOR, NULL, 0, NULL))
        return false;
    bool right = asked_right(asked, &typed);
    if (!right && asked_recognise(asked, &typed).part == asked->mistakes[i].part)
        return false;
    *pair = (struct alike){ asked->mistakes[i].part->construct, NULL };
    for (size_t j = 0; j < asked->mistake_count && !right; j++)
        if (j != i && fits_typed(asked, &typed, &asked->mistakes[j].by))
            pair->other = asked->mistakes[j].part->construct;
    return true;
}

bool numbers_agree(struct engine *engine, const struct step_def *step, int env, struct alike *pair)
{
    struct asked asked;
    asked_take(engine, step, env, &asked);
    for (size_t i = 0; i < asked.mistake_count; i++)
        if (asked_alike(&asked, i, pair))
            return true;
    for (size_t i = 0; i < asked.mistake_count; i++)
        if (mistaken(engine, step, &asked, i, pair))
            return true;
    return false;
}

const char *numbers_reread(struct engine *engine, const struct step_def *step, int env, int other_env)
{
    struct asked asked, again;
    asked_take(engine, step, env, &asked);
    asked_take(engine, step, other_env, &again);
    return typed_text(engine, &asked, &again.truth);
}

static const char *extents_text(struct engine *engine, const struct quantity *q)
{
    struct strbuf out = { 0 };
    for (int axis = 0; axis < q->rank; axis++)
        strbuf_addf(&out, axis ? ", %zu" : "%zu", q->extents[axis]);
    const char *text = arena_printf(engine->scene->arena, q->rank == 1 ? "(%s,)" : "(%s)", strbuf_string(&out));
    strbuf_free(&out);
    return text ? text : "";
}

/* Held against each other they are alike; that one has an axis more is rarely meant. */
static void check_extents(struct engine *engine, const struct asked *asked, size_t mistake)
{
    const struct quantity *by = &asked->mistakes[mistake].by, *truth = &asked->truth;
    const struct construct *where = asked->mistakes[mistake].part->construct;
    if (same_shape(by, truth) && (by->rank != truth->rank || memcmp(by->extents, truth->extents, (size_t)by->rank * sizeof *by->extents)))
        examine_fault(engine, lesson_line(engine, where, "by"), true, "mistake \"%s\": `by` has the shape %s where the answer has %s", where->id,
                      extents_text(engine, by), extents_text(engine, truth));
}

void numbers_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out)
{
    struct asked asked;
    asked_take(engine, step, env, &asked);
    declare(engine, out, "", typed_text(engine, &asked, &asked.truth));
    for (size_t i = 0; i < asked.also_count; i++)
        declare(engine, out, "", typed_text(engine, &asked, &asked.also[i]));
    for (size_t i = 0; i < asked.mistake_count; i++)
        check_extents(engine, &asked, i);
    for (size_t i = 0; i < asked.mistake_count; i++)
        declare(engine, out, asked.mistakes[i].part->construct->id, typed_text(engine, &asked, &asked.mistakes[i].by));
}
