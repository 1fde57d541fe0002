/* Words: Markdown whose holes are filled with what formulas come to. */
#include <ctype.h>
#include <string.h>

#include "engine/internal.h"

/* Steps through a text line by line and knows which lines are code, where braces are just braces. */
struct reader {
    bool fenced, in_list, blank_before, code_before;
};

static bool line_is_code(struct reader *reader, const char *line, size_t length)
{
    size_t indent = strspn(line, " ");
    const char *text = line + indent;
    bool blank = indent >= length;
    bool fence = !blank && (!strncmp(text, "```", 3) || !strncmp(text, "~~~", 3));
    bool code;
    if (fence) {
        reader->fenced = !reader->fenced;
        code = true;
    } else if (reader->fenced) {
        code = true;
    } else {
        code = !blank && indent >= 4 && !reader->in_list && (reader->blank_before || reader->code_before);
        if (!blank && indent == 0) {
            bool bullet = (text[0] == '-' || text[0] == '*' || text[0] == '+') && text[1] == ' ';
            size_t digits = strspn(text, "0123456789");
            reader->in_list = bullet || (digits && (text[digits] == '.' || text[digits] == ')') && text[digits + 1] == ' ');
        }
    }
    reader->blank_before = blank;
    reader->code_before = code || (blank && reader->code_before);
    return code;
}

/* The end of a hole's formula: its closing brace; *bar is where a format begins, or NULL. NULL: the hole is open. */
static const char *hole_end(const char *at, const char *end, const char **bar)
{
    int depth = 0;
    *bar = NULL;
    for (; at < end; at++) {
        if (*at == '\'' || *at == '"') {
            char quote = *at;
            for (at++; at < end && *at != quote; at++)
                at += *at == '\\' && at + 1 < end;
            if (at == end)
                return NULL;
        } else if (*at == '{' || *at == '(' || *at == '[') {
            depth++;
        } else if (*at == ')' || *at == ']') {
            depth--;
        } else if (*at == '}') {
            if (depth <= 0)
                return at;
            depth--;
        } else if (*at == '|' && depth == 0) {
            *bar = at;
        }
    }
    return NULL;
}

/* A number of places, or flags, precision and letter of a C format. */
static bool good_format(const char *format)
{
    size_t digits = strspn(format, "0123456789");
    if (digits && digits <= 2 && !format[digits])
        return true;
    const char *at = format + strspn(format, "+# ");
    at += strspn(at, "0123456789");
    if (*at == '.')
        at += 1 + strspn(at + 1, "0123456789");
    return at - format < 12 && *at && strchr("efgEG", *at) && !at[1];
}

struct filler {
    struct engine *engine;
    const struct construct *where;
    const char *field;
    struct strbuf *out; /* NULL: only the holes are looked at */
    int env;
    hole_function *hole;
    void *payload;
};

static void trim(const char **from, const char **to)
{
    while (*from < *to && isspace((unsigned char)**from))
        ++*from;
    while (*to > *from && isspace((unsigned char)(*to)[-1]))
        --*to;
}

/* One hole; `at` is after its brace. Returns what follows it. */
static const char *fill_hole(struct filler *filler, const char *at, const char *end)
{
    lua_State *L = filler->engine->L;
    const char *bar, *close = hole_end(at, end, &bar);
    if (!close)
        lesson_error(filler->engine, lesson_line(filler->engine, filler->where, filler->field),
                     "`%s`: a hole is opened with { and never closed; write {{ for a brace", filler->field);
    int top = lua_gettop(L);
    const char *format = NULL, *formula_end = bar ? bar : close;
    if (bar) {
        const char *from = bar + 1, *to = close;
        trim(&from, &to);
        format = lua_pushlstring(L, from, (size_t)(to - from));
        if (!good_format(format)) { /* then it is Lua's own | */
            format = NULL;
            formula_end = close;
        }
    }
    trim(&at, &formula_end);
    const char *formula = lua_pushlstring(L, at, (size_t)(formula_end - at));
    if (!*formula)
        lesson_error(filler->engine, lesson_line(filler->engine, filler->where, filler->field), "`%s`: an empty hole {}: put a formula into it", filler->field);
    if (filler->out) {
        formula_value(filler->engine, filler->where, filler->field, lua_gettop(L), filler->env);
        if (lua_isnil(L, -1))
            lesson_error(filler->engine, lesson_line(filler->engine, filler->where, filler->field), "`%s`: the hole {%s} comes to nothing (nil): every hole needs a value",
                         filler->field, formula);
        if (!value_readable(L, -1))
            lesson_error(filler->engine, lesson_line(filler->engine, filler->where, filler->field), "`%s`: the hole {%s} comes to a %s, which nobody can read: "
                         "a number, a tensor, a list or a text may stand there", filler->field, formula, luaL_typename(L, -1));
        value_text(L, -1, format, filler->out);
    } else {
        filler->hole(filler->payload, formula, format);
    }
    lua_settop(L, top);
    return close + 1;
}

static void fill(struct filler *filler, const char *words)
{
    struct reader reader = { .blank_before = true };
    const char *end = words + strlen(words);
    for (const char *line = words; line < end;) {
        size_t length = strcspn(line, "\n");
        const char *line_end = line + length;
        if (line_is_code(&reader, line, length)) {
            if (filler->out)
                strbuf_addn(filler->out, line, length + (line_end < end));
            line = line_end + 1;
            continue;
        }
        const char *at = line;
        while (at < end && *at != '\n') {
            if (at[0] == '{' && at[1] == '{') {
                at += 2;
                if (filler->out)
                    strbuf_add(filler->out, "{");
            } else if (at[0] == '}' && at[1] == '}') {
                at += 2;
                if (filler->out)
                    strbuf_add(filler->out, "}");
            } else if (*at == '{') {
                at = fill_hole(filler, at + 1, end);
            } else {
                if (filler->out)
                    strbuf_addn(filler->out, at, 1);
                at++;
            }
        }
        if (at < end && filler->out)
            strbuf_add(filler->out, "\n");
        line = at + 1;
    }
}

const char *words_fill(struct engine *engine, const struct construct *where, const char *field, const char *words, int env)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    env = lua_absindex(L, env);
    struct filler filler = { engine, where, field, strbuf_push(L), env, NULL, NULL };
    fill(&filler, words);
    if (filler.out->failed)
        luaL_error(L, "out of memory");
    const char *filled = scene_text(engine, strbuf_string(filler.out));
    lua_settop(L, top);
    return filled;
}

void words_holes(struct engine *engine, const struct construct *where, const char *field, const char *words, hole_function *hole, void *payload)
{
    struct filler filler = { engine, where, field, NULL, 0, hole, payload };
    fill(&filler, words);
}
