/* A translation as a text: where its entries begin, and the comments that a translator has put between them. */
#include <ctype.h>
#include <string.h>

#include "engine/translation.h"

enum { LINES = 2, NOTES = 3 }; /* stack places above `base` */

struct scan {
    lua_State *L;
    const char *at, *end;
    uint32_t line;
    int base;   /* stack index of the result */
    int depth;  /* of braces */
    bool odd;   /* something other than return { … } stands outside the braces */
    int tokens; /* outside the braces, so far */
    bool fresh; /* nothing of the program stands on this line yet */
    int key;    /* stack index of the entry's key: nil before the first */
    struct strbuf *pending; /* comments that belong to what comes next */
};

/* [[ or [=[ …: the length of the opening; 0: it is none. */
static size_t long_opening(const char *at, const char *end)
{
    const char *look = at + 1;
    if (at >= end || *at != '[')
        return 0;
    while (look < end && *look == '=')
        look++;
    return look < end && *look == '[' ? (size_t)(look - at) + 1 : 0;
}

/* Behind the closing of a long bracket whose opening, of that length, ends at `at`. */
static const char *long_end(const char *at, const char *end, size_t length)
{
    for (; at < end; at++) {
        size_t level = 0;
        if (*at != ']')
            continue;
        while (at + 1 + level < end && at[1 + level] == '=')
            level++;
        if (level == length - 2 && at + 1 + level < end && at[1 + level] == ']')
            return at + length;
    }
    return end;
}

static const char *quote_end(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

static void go_to(struct scan *s, const char *to)
{
    for (; s->at < to; s->at++)
        if (*s->at == '\n') {
            s->line++;
            s->fresh = true;
        }
}

/* table[key] .. text -> table[key], the table at index `table` and the key at index `key`. */
static void append(struct scan *s, int table, int key, const char *text, size_t length)
{
    lua_State *L = s->L;
    lua_pushvalue(L, key);
    lua_pushvalue(L, key);
    if (lua_rawget(L, table) != LUA_TSTRING) {
        lua_pop(L, 1);
        lua_pushliteral(L, "");
    }
    lua_pushlstring(L, text, length);
    lua_pushliteral(L, "\n");
    lua_concat(L, 3);
    lua_rawset(L, table);
}

static void take_comment(struct scan *s)
{
    const char *from = s->at;
    size_t opening = long_opening(from + 2, s->end);
    const char *to = opening ? long_end(from + 2 + opening, s->end, opening) : memchr(from, '\n', (size_t)(s->end - from));
    if (!to)
        to = s->end;
    bool fresh = s->fresh;
    size_t length = (size_t)(to - from);
    go_to(s, to);
    if (length >= 3 && from[2] == ':')
        return;
    while (length && isspace((unsigned char)from[length - 1]))
        length--;
    if (s->depth && !lua_isnil(s->L, s->key) && (s->depth > 1 || !fresh)) { /* within an entry, or behind it on its line */
        append(s, s->base + NOTES, s->key, from, length);
    } else {
        strbuf_addn(s->pending, from, length);
        strbuf_add(s->pending, "\n");
    }
}

static void put_pending(struct scan *s, const char *field)
{
    lua_pushstring(s->L, strbuf_string(s->pending));
    lua_setfield(s->L, s->base, field);
    strbuf_clear(s->pending);
}

/* An entry begins; its key, of that length, is at `key`. */
static void begin_entry(struct scan *s, const char *key, size_t length)
{
    lua_State *L = s->L;
    lua_pushlstring(L, key, length);
    lua_replace(L, s->key);
    lua_pushvalue(L, s->key);
    lua_pushinteger(L, s->line);
    lua_rawset(L, s->base + LINES);
    if (s->pending->length)
        append(s, s->base + NOTES, s->key, s->pending->text, s->pending->length - 1);
    strbuf_clear(s->pending);
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

static bool assigns(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    return at < end && *at == '=' && !(at + 1 < end && at[1] == '=');
}

/* ["key"] = */
static bool bracket_key(struct scan *s)
{
    const char *at = skip_blanks(s->at + 1, s->end);
    if (at >= s->end || (*at != '"' && *at != '\''))
        return false;
    const char *behind = quote_end(at, s->end), *close = skip_blanks(behind, s->end);
    if (close >= s->end || *close != ']' || !assigns(close + 1, s->end))
        return false;
    begin_entry(s, at + 1, (size_t)(behind - at) - 2);
    go_to(s, close + 1);
    return true;
}

static void take_word(struct scan *s)
{
    const char *to = s->at;
    while (to < s->end && (isalnum((unsigned char)*to) || *to == '_'))
        to++;
    size_t length = (size_t)(to - s->at);
    if (s->depth == 1 && assigns(to, s->end))
        begin_entry(s, s->at, length);
    else if (!s->depth)
        s->odd = s->odd || s->tokens++ != 0 || length != 6 || memcmp(s->at, "return", 6);
    if (!s->depth && s->tokens == 1)
        put_pending(s, "head");
    go_to(s, to);
}

static void take_brace(struct scan *s)
{
    if (*s->at == '{') {
        if (!s->depth)
            s->odd = s->odd || s->tokens++ != 1;
        s->depth++;
    } else if (s->depth && !--s->depth) {
        lua_pushnil(s->L);
        lua_replace(s->L, s->key);
    }
    s->at++;
}

static void step(struct scan *s)
{
    size_t opening = long_opening(s->at, s->end);
    unsigned char c = (unsigned char)*s->at;
    if (isspace(c)) {
        go_to(s, s->at + 1);
        return;
    }
    if (c == '-' && s->at + 1 < s->end && s->at[1] == '-') {
        take_comment(s);
        return;
    }
    s->fresh = false;
    if (opening)
        go_to(s, long_end(s->at + opening, s->end, opening));
    else if (c == '"' || c == '\'')
        go_to(s, quote_end(s->at, s->end));
    else if (c == '{' || c == '}')
        take_brace(s);
    else if (isalnum(c) || c == '_')
        take_word(s);
    else if (s->depth != 1 || c != '[' || !bracket_key(s)) {
        s->odd = s->odd || (!s->depth && c != ';');
        s->at++;
    }
}

bool translation_scan(struct engine *engine)
{
    lua_State *L = engine->L;
    const struct request_translation *translation = engine->request->translation;
    luaL_checkstack(L, 30, NULL);
    lua_newtable(L);
    struct scan s = { .L = L, .at = translation->text, .end = translation->text + translation->length, .line = 1, .fresh = true,
                      .base = lua_gettop(L) };
    lua_pushnil(L);
    s.key = s.base + 1;
    lua_newtable(L); /* s.base + LINES */
    lua_newtable(L); /* s.base + NOTES */
    s.pending = strbuf_push(L);
    put_pending(&s, "head");
    while (s.at < s.end)
        step(&s);
    put_pending(&s, "foot");
    if (s.pending->failed)
        luaL_error(L, "out of memory");
    lua_pushvalue(L, s.base + LINES);
    lua_setfield(L, s.base, "lines");
    lua_pushvalue(L, s.base + NOTES);
    lua_setfield(L, s.base, "notes");
    lua_settop(L, s.base);
    return !s.odd;
}

uint32_t translation_line(struct engine *engine, const char *key)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    translation_scan(engine);
    lua_getfield(L, -1, "lines");
    lua_getfield(L, -1, key);
    uint32_t line = (uint32_t)lua_tointeger(L, -1);
    lua_settop(L, top);
    return line;
}
