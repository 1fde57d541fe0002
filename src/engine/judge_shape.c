/* A typed shape judged: its sizes, or that there is none. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/answer_line.h"
#include "engine/judge.h"

struct shape {
    bool error; /* the word: these do not go together */
    int rank;
    size_t sizes[TENSOR_RANK_MAX];
};

static const char ERROR_WORD[] = "error";

/* ---- what is asked ---- */

/* A list of whole numbers or a shape, or the word "error", at the top of the stack; popped. */
static bool take(lua_State *L, struct shape *out)
{
    int top = lua_gettop(L);
    bool good = false;
    *out = (struct shape){ 0 };
    if (lua_type(L, top) == LUA_TSTRING) {
        good = out->error = !strcmp(lua_tostring(L, top), ERROR_WORD);
    } else if (lua_type(L, top) == LUA_TTABLE && lua_rawlen(L, top) <= TENSOR_RANK_MAX) {
        good = true;
        out->rank = (int)lua_rawlen(L, top);
        for (int i = 0; i < out->rank && good; i++) {
            int whole;
            lua_rawgeti(L, top, i + 1);
            lua_Integer size = lua_tointegerx(L, -1, &whole);
            good = whole && size >= 0;
            out->sizes[i] = (size_t)size;
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top - 1);
    return good;
}

/* The value at `index`, a formula or the word. */
static void take_formula(struct engine *engine, const struct construct *where, const char *field, int index, int env, struct shape *out)
{
    lua_State *L = engine->L;
    if (lua_type(L, index) == LUA_TSTRING && !strcmp(lua_tostring(L, index), ERROR_WORD))
        lua_pushvalue(L, index);
    else
        formula_value(engine, where, field, index, env);
    if (!take(L, out))
        lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `%s` must come to a shape, a list of whole numbers such as { 2, 3, 1 }, or to \"error\"",
                     construct_name(where->kind), where->id, field);
}

static void take_answer(struct engine *engine, const struct step_def *step, int env, struct shape *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "answer");
    take_formula(engine, step->construct, "answer", lua_gettop(L), env, out);
    lua_settop(L, top);
}

/* False: this mistake does not count for these numbers. */
static bool take_mistake(struct engine *engine, const struct part_def *part, int env, struct shape *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    bool counts = mistake_counts(engine, part, env);
    if (counts) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
        lua_getfield(L, -1, "by");
        take_formula(engine, part->construct, "by", lua_gettop(L), env, out);
    }
    lua_settop(L, top);
    return counts;
}

static bool same(const struct shape *a, const struct shape *b)
{
    return a->error == b->error && a->rank == b->rank && !memcmp(a->sizes, b->sizes, (size_t)a->rank * sizeof *a->sizes);
}

static bool right(struct engine *engine, const struct step_def *step, int env, const struct shape *got)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    struct shape other;
    take_answer(engine, step, env, &other);
    bool found = same(got, &other);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    if (lua_getfield(L, -1, "also") == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, top + 2) && !found; i++) {
            lua_rawgeti(L, top + 2, (lua_Integer)i);
            take_formula(engine, step->construct, "also", lua_gettop(L), env, &other);
            found = same(got, &other);
        }
    lua_settop(L, top);
    return found;
}

void shapes_check(struct engine *engine, const struct step_def *step, int env)
{
    struct shape shape = { .rank = TENSOR_RANK_MAX, .sizes = { SIZE_MAX } }; /* like no other: looks at them all */
    right(engine, step, env, &shape);
    for (size_t i = 0; i < step->part_count; i++)
        take_mistake(engine, &step->parts[i], env, &shape);
}

bool shapes_agree(struct engine *engine, const struct step_def *step, int env, struct alike *pair)
{
    lua_State *L = engine->L;
    env = lua_absindex(L, env);
    struct shape *seen = lua_newuserdatauv(L, (step->part_count + 1) * sizeof *seen, 0);
    const struct construct **whose = scene_zero(engine, step->part_count + 1, sizeof *whose);
    size_t count = 0;
    take_answer(engine, step, env, &seen[count++]);
    bool agree = false;
    for (size_t i = 0; i < step->part_count && !agree; i++) {
        if (!take_mistake(engine, &step->parts[i], env, &seen[count]))
            continue;
        whose[count] = step->parts[i].construct;
        for (size_t j = 0; j < count && !agree; j++) {
            agree = same(&seen[count], &seen[j]);
            *pair = (struct alike){ whose[count], whose[j] };
        }
        count++;
    }
    lua_pop(L, 1);
    return agree;
}

/* ---- what is typed ---- */

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static bool is_error_word(const char *text, size_t length)
{
    static const char *const words[] = { "error", "an error", "err" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool equal = strlen(words[i]) == length;
        for (size_t n = 0; n < length && equal; n++)
            equal = tolower((unsigned char)text[n]) == words[i][n];
        if (equal)
            return true;
    }
    return false;
}

/* What may part two sizes: a comma, x, *, by, or blanks alone. NULL: nothing of the kind. */
static const char *skip_separator(const char *at)
{
    const char *after = skip_blanks(at);
    if (*after == ',' || *after == 'x' || *after == 'X' || *after == '*')
        return skip_blanks(after + 1);
    if (after > at && !strncmp(after, "by ", 3))
        return skip_blanks(after + 3);
    return after > at ? after : NULL;
}

/* A line in plain ASCII. 0, or -1 with words for the learner. */
static int read_line(struct shape *out, const char *text, struct error *err)
{
    static const char opening[] = "([{", closing[] = ")]}";
    const char *at = skip_blanks(text), *end = at + strlen(at);
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    *out = (struct shape){ 0 };
    if (at == end)
        return error_set(err, "nothing was typed; a shape is asked for, such as (5, 7), or the word error");
    if (is_error_word(at, (size_t)(end - at))) {
        out->error = true;
        return 0;
    }
    const char *bracket = strchr(opening, *at);
    if (bracket) {
        if (end - at < 2 || end[-1] != closing[bracket - opening])
            return error_set(err, "the bracket %c is not closed", *bracket);
        at = skip_blanks(at + 1);
        end--;
    }
    while (at < end && !(bracket && *at == closing[bracket - opening])) {
        char *after;
        if (!isdigit((unsigned char)*at))
            return error_set(err, "a shape is whole numbers, such as (5, 7), or the word error");
        unsigned long long size = strtoull(at, &after, 10);
        if (*after == '.' || size > SIZE_MAX / 2)
            return error_set(err, "the sizes of a shape are whole numbers");
        if (out->rank == TENSOR_RANK_MAX)
            return error_set(err, "a shape has %d sizes at the most", TENSOR_RANK_MAX);
        out->sizes[out->rank++] = (size_t)size;
        at = after;
        if (skip_blanks(at) >= end)
            break;
        if (!(at = skip_separator(at)))
            return error_set(err, "a shape is whole numbers, such as (5, 7), or the word error");
    }
    return 0;
}

static int read_shape(struct shape *out, const char *text, struct error *err)
{
    struct strbuf line = { 0 };
    int status = answer_line(&line, text, err);
    if (!status)
        status = read_line(out, strbuf_string(&line), err);
    strbuf_free(&line);
    return status;
}

static const char *shape_text(struct engine *engine, const struct shape *shape)
{
    struct strbuf out = { 0 };
    for (int i = 0; i < shape->rank; i++)
        strbuf_addf(&out, "%s%zu", i ? ", " : "", shape->sizes[i]);
    const char *text = shape->error ? ERROR_WORD
                                    : arena_printf(engine->scene->arena, shape->rank == 1 ? "(%s,)" : "(%s)", strbuf_string(&out));
    strbuf_free(&out);
    return text ? text : "";
}

/* ---- the verdict ---- */

/* The same sizes, each as often. */
static bool same_sizes(const struct shape *a, const struct shape *b)
{
    bool taken[TENSOR_RANK_MAX] = { false };
    for (int i = 0; i < a->rank; i++) {
        int j = 0;
        while (j < b->rank && (taken[j] || b->sizes[j] != a->sizes[i]))
            j++;
        if (j == b->rank)
            return false;
        taken[j] = true;
    }
    return true;
}

static size_t first_wrong(const struct shape *got, const struct shape *want)
{
    size_t at = 0;
    while ((int)at + 1 < want->rank && (int)at < got->rank && got->sizes[at] == want->sizes[at])
        at++;
    return at;
}

/* As a lesson writes it. */
static void push_shape(lua_State *L, const struct shape *shape)
{
    if (shape->error) {
        lua_pushstring(L, ERROR_WORD);
        return;
    }
    lua_createtable(L, shape->rank, 0);
    for (int i = 0; i < shape->rank; i++) {
        lua_pushinteger(L, (lua_Integer)shape->sizes[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* What to say when no mistake of the lesson's is recognised. */
static const char *generic(struct engine *engine, const struct shape *got, const struct shape *want)
{
    struct arena *arena = engine->scene->arena;
    if (got->error)
        return _("It is no error: there is a shape.");
    if (want->error)
        return arena_printf(arena, _("%s is not what comes of it."), shape_text(engine, got));
    if (got->rank != want->rank)
        return arena_printf(arena, want->rank == 1 ? language_count("Your shape has %d size; %d is asked for.", "Your shape has %d sizes; %d is asked for.", (size_t)got->rank)
                                                   : language_count("Your shape has %d size; %d are asked for.", "Your shape has %d sizes; %d are asked for.", (size_t)got->rank),
                            got->rank, want->rank);
    if (same_sizes(got, want))
        return _("Nearly: the right sizes in another order.");
    size_t at = first_wrong(got, want);
    return arena_printf(arena, _("The %s size is not %zu."), ordinal(at), got->sizes[at]);
}

static void judge_read(struct engine *engine, const struct step_def *step, int facts, int env, const struct shape *got,
                       const struct shape *want, struct scene_question *out)
{
    out->said = shape_text(engine, got);
    if (right(engine, step, env, got)) {
        out->verdict = VERDICT_RIGHT;
        return;
    }
    out->verdict = VERDICT_WRONG;
    out->say = generic(engine, got, want);
    for (size_t i = 0; i < step->part_count; i++) {
        struct shape by;
        if (!take_mistake(engine, &step->parts[i], env, &by) || !same(got, &by))
            continue;
        out->mistake = scene_text(engine, step->parts[i].construct->id);
        push_shape(engine->L, got);
        out->say = mistake_words(engine, &step->parts[i], facts, lua_gettop(engine->L), first_wrong(got, want));
        lua_pop(engine->L, 1);
        return;
    }
}

void judge_shape(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out)
{
    struct arena *arena = engine->scene->arena;
    const struct request *request = engine->request;
    struct shape want, got;
    struct error err;
    take_answer(engine, step, env, &want);
    out->expects = _("a shape such as (5, 7), or the word error");
    out->answer = shape_text(engine, &want);
    if (request->answer && read_shape(&got, request->answer, &err)) {
        out->verdict = VERDICT_UNREAD;
        out->say = arena_printf(arena, "%c%s.", (char)toupper((unsigned char)err.text[0]), err.text + (err.text[0] != 0));
    } else if (request->answer) {
        judge_read(engine, step, facts, env, &got, &want, out);
    }
    const char *typed = request->typed;
    if (!typed || !*skip_blanks(typed) || (out->verdict == VERDICT_UNREAD && !strcmp(typed, request->answer)))
        return; /* what cannot be read is explained once */
    if (read_shape(&got, typed, &err)) {
        out->echo_unread = true;
        out->echo = scene_text(engine, err.text);
    } else if (strcmp(shape_text(engine, &got), skip_blanks(typed)) != 0) {
        out->echo = arena_printf(arena, "= %s", shape_text(engine, &got));
    }
}

void shapes_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out)
{
    struct shape shape;
    take_answer(engine, step, env, &shape);
    declare(engine, out, "", shape_text(engine, &shape));
    for (size_t i = 0; i < step->part_count; i++)
        if (take_mistake(engine, &step->parts[i], env, &shape))
            declare(engine, out, step->parts[i].construct->id, shape_text(engine, &shape));
}
