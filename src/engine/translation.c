/* The words of a translation in the place of the lesson's. A text whose original has changed since stays as the lesson has it: a
   question that now asks something else must not be read in old words. So does one whose translation is broken: that is told to
   who translates, and locks no learner out. */
#include <string.h>

#include "engine/translation.h"
#include "base/language.h"

/* "file:line: `key` words", the place being that of the entry. */
static int raise_at(struct engine *engine, const char *key, const char *words)
{
    engine->translated = key;
    return lesson_error(engine, 0, "`%s` %s", key, words);
}

static int no_global(lua_State *L)
{
    return luaL_error(L, "a translation is data alone: `%s` is not at hand", lua_tostring(L, 2));
}

/* Runs the file without any globals. */
static void run(struct engine *engine)
{
    lua_State *L = engine->L;
    const struct request_translation *translation = engine->request->translation;
    if (luaL_loadbufferx(L, translation->text, translation->length, "@" TRANSLATION_MARK, "t") != LUA_OK)
        lua_error(L);
    lua_newtable(L);
    lua_createtable(L, 0, 3);
    lua_pushcfunction(L, no_global);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__index");
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
}

/* What is amiss with the entry at the top, or NULL. */
static const char *entry_fault(lua_State *L)
{
    int value = lua_gettop(L);
    const char *amiss = NULL;
    if (lua_type(L, value) != LUA_TTABLE || lua_rawgeti(L, value, 1) != LUA_TSTRING)
        amiss = N_("must be a list that begins with its words: { \"…\", of = \"…\" }");
    else if (strlen(lua_tostring(L, -1)) != lua_rawlen(L, -1))
        amiss = N_("has a zero byte in its words");
    else if (lua_getfield(L, value, "of") != LUA_TNIL && lua_type(L, -1) != LUA_TSTRING)
        amiss = N_("must have a text as its `of`: the fingerprint of the words that were translated");
    lua_settop(L, value);
    return amiss;
}

/* What the file returns: a table, whatever its entries are. */
static void push_table(struct engine *engine)
{
    run(engine);
    if (lua_type(engine->L, -1) != LUA_TTABLE) {
        engine->translated = "";
        lesson_error(engine, 0, "a translation returns a table: return { [\"a-step.text\"] = { \"…\", of = \"…\" }, … }");
    }
}

void translation_push(struct engine *engine)
{
    lua_State *L = engine->L;
    luaL_checkstack(L, 20, NULL);
    if (!engine->request->translation->length) {
        lua_newtable(L);
        return;
    }
    push_table(engine);
    int table = lua_gettop(L);
    keys_sorted(L, table);
    for (size_t i = 1; i <= lua_rawlen(L, table + 1); i++) {
        lua_rawgeti(L, table + 1, (lua_Integer)i);
        if (lua_type(L, -1) != LUA_TSTRING) {
            engine->translated = "";
            lesson_error(engine, 0, "its keys are texts: [\"a-step.text\"] = { \"…\", of = \"…\" }");
        }
        lua_pushvalue(L, -1);
        lua_rawget(L, table);
        const char *amiss = entry_fault(L);
        if (amiss)
            raise_at(engine, lua_tostring(L, -2), _(amiss));
        lua_settop(L, table + 1);
    }
    lua_settop(L, table);
}

const char *translation_entry(lua_State *L, int table, const char *key, const char **of)
{
    const char *words = NULL;
    *of = NULL;
    int top = lua_gettop(L);
    lua_pushstring(L, key);
    if (lua_rawget(L, table) == LUA_TTABLE) {
        lua_rawgeti(L, top + 1, 1);
        lua_getfield(L, top + 1, "of");
        words = lua_tostring(L, top + 2);
        *of = lua_tostring(L, top + 3);
    }
    lua_settop(L, top);
    return words;
}

/* ---- holes ---- */

struct hole_set {
    lua_State *L;
    int index; /* on the stack: hole -> true */
};

static void add_hole(void *payload, const char *formula, const char *format)
{
    struct hole_set *set = payload;
    lua_State *L = set->L;
    if (format)
        lua_pushfstring(L, "{%s|%s}", formula, format);
    else
        lua_pushfstring(L, "{%s}", formula);
    lua_pushboolean(L, 1);
    lua_rawset(L, set->index);
}

static void push_holes(struct engine *engine, const struct translatable *text, const char *words)
{
    lua_newtable(engine->L);
    struct hole_set set = { engine->L, lua_gettop(engine->L) };
    words_holes(engine, text->where, text->field, words, add_hole, &set);
}

/* The first, in order, of those in the set at `a` that the set at `b` has not; pushed where there is one. */
static const char *missing(lua_State *L, int a, int b)
{
    keys_sorted(L, a);
    int keys = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        lua_pushvalue(L, -1);
        bool there = lua_rawget(L, b) != LUA_TNIL;
        lua_pop(L, 1);
        if (!there)
            return lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return NULL;
}

const char *translation_holes(struct engine *engine, const struct translatable *text, const char *words)
{
    lua_State *L = engine->L;
    if (text->plain)
        return NULL;
    luaL_checkstack(L, 20, NULL);
    push_holes(engine, text, text->words);
    int own = lua_gettop(L);
    engine->translated = text->key; /* an open hole is the translator's */
    push_holes(engine, text, words);
    engine->translated = NULL;
    const char *hole = missing(L, own, own + 1);
    if (hole)
        return lua_pushfstring(L, _("lacks the hole %s that the lesson's words have"), hole);
    hole = missing(L, own + 1, own);
    return hole ? lua_pushfstring(L, _("has the hole %s, which the lesson's words have not"), hole) : NULL;
}

/* ---- in the lesson's place ---- */

struct placed {
    const struct translatable *text;
    const char *words;
    bool fits;
};

static int try_holes(lua_State *L)
{
    struct placed *placed = lua_touserdata(L, 1);
    placed->fits = !translation_holes(engine_of(L), placed->text, placed->words);
    return 0;
}

/* May the words stand in the text's place? */
static bool fits(struct engine *engine, const struct translatable *text, const char *words)
{
    lua_State *L = engine->L;
    struct placed placed = { text, words, false };
    int top = lua_gettop(L);
    lua_pushcfunction(L, try_holes);
    lua_pushlightuserdata(L, &placed);
    lua_pcall(L, 1, 0, 0); /* an open hole raises */
    engine->translated = NULL;
    lua_settop(L, top);
    return placed.fits;
}

static void take(struct engine *engine, void *payload, const struct translatable *text)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L), table = *(int *)payload;
    char now[FINGERPRINT_SIZE];
    lua_pushstring(L, text->key);
    lua_rawget(L, table);
    bool broken = entry_fault(L);
    lua_settop(L, top);
    if (broken)
        return;
    const char *of, *words = translation_entry(L, table, text->key, &of);
    words_fingerprint(now, text->words);
    if (!*words || (of && strcmp(of, now)) || !fits(engine, text, words))
        return;
    if (text->where->kind == K_VIEW_PLOT) { /* what a label hides goes by the lesson's own */
        lua_pushstring(L, text->words);
        lua_setfield(L, text->table, "original");
    }
    lua_pushvalue(L, text->slot);
    lua_pushstring(L, words);
    lua_rawset(L, text->table);
}

static int try_table(lua_State *L)
{
    push_table(engine_of(L));
    return 1;
}

void translation_take(struct engine *engine, const struct construct *where, int course)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (!engine->request->translation || !engine->request->translation->length)
        return;
    lua_pushcfunction(L, try_table);
    int table = top + 1, status = lua_pcall(L, 0, 1, 0);
    engine->translated = NULL;
    if (status == LUA_OK)
        translatables(engine, where, course, take, &table);
    lua_settop(L, top);
}
