/* A translation brought in step with its lesson: `normtutor translate`, and what `normtutor check` says of it. */
#include <string.h>

#include "base/language.h"
#include "base/visible.h"
#include "engine/translation.h"

struct renewal {
    struct engine *engine;
    struct scene_translation *out;
    struct strbuf *text;
    /* stack indices of tables */
    int entries; /* the file: key -> { words, of = } */
    int scan;    /* the same as a text: see translation_scan */
    int now;     /* the lesson: key -> fingerprint */
    int by_of;   /* fingerprint -> key of an entry whose own key has other words now, or none */
    int taken;   /* keys of entries that moved to another key -> true */
    const char *missing; /* the first key without words, in the scene's arena */
};

static const char *table_text(lua_State *L, int table, const char *key)
{
    lua_pushstring(L, key);
    const char *text = lua_rawget(L, table) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

static void set_text(lua_State *L, int table, const char *key, const char *text)
{
    lua_pushstring(L, key);
    lua_pushstring(L, text);
    lua_rawset(L, table);
}

static uint32_t line_of(struct renewal *r, const char *key)
{
    lua_State *L = r->engine->L;
    lua_getfield(L, r->scan, "lines");
    lua_getfield(L, -1, key);
    uint32_t line = (uint32_t)lua_tointeger(L, -1);
    lua_pop(L, 2);
    return line;
}

static void add_fault(struct renewal *r, const char *file, uint32_t line, const char *what, bool advice)
{
    r->out->faults[r->out->fault_count++] = (struct scene_fault){ scene_text(r->engine, file), line, scene_text(r->engine, what), advice };
}

static void add_of_entry(struct renewal *r, const char *key, const char *what, bool advice)
{
    lua_pushfstring(r->engine->L, "`%s` %s", key, what);
    add_fault(r, r->engine->request->translation->file, line_of(r, key), lua_tostring(r->engine->L, -1), advice);
    lua_pop(r->engine->L, 1);
}

static void fault(struct renewal *r, const char *key, const char *what)
{
    add_of_entry(r, key, what, false);
}

static void advise(struct renewal *r, const char *key, const char *what)
{
    add_of_entry(r, key, what, true);
}

/* Texts without words of their own are told together, at the first of them. */
static void note_missing(struct renewal *r)
{
    size_t count = r->out->fresh + r->out->empty;
    struct strbuf *words = strbuf_push(r->engine->L);
    if (count) {
        strbuf_addf(words, language_count("%zu text is not translated: `%s`", "%zu texts are not translated, the first is `%s`", count), count, r->missing);
        add_fault(r, r->engine->request->translation->file, line_of(r, r->missing), strbuf_string(words), true);
    }
    lua_pop(r->engine->L, 1);
}

/* ---- as Lua ---- */

/* The level of a long bracket in which the text may stand: no closing one of that level is in it. */
static size_t long_level(const char *text)
{
    size_t least = 0;
    for (const char *at = strchr(text, ']'); at; at = strchr(at + 1, ']')) {
        size_t level = strspn(at + 1, "=");
        if ((at[1 + level] == ']' || !at[1 + level]) && level >= least)
            least = level + 1;
    }
    return least;
}

static bool reads_well_long(const char *text)
{
    if (!strchr(text, '\n'))
        return false;
    for (; *text; text++)
        if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t')
            return false;
    return true;
}

static void add_equals(struct strbuf *out, char bracket, size_t level)
{
    strbuf_addn(out, &bracket, 1);
    for (size_t i = 0; i < level; i++)
        strbuf_add(out, "=");
    strbuf_addn(out, &bracket, 1);
}

static void add_string(struct strbuf *out, const char *text)
{
    if (reads_well_long(text)) {
        size_t level = long_level(text);
        add_equals(out, '[', level);
        strbuf_addf(out, "\n%s", text);
        add_equals(out, ']', level);
        return;
    }
    strbuf_add(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            strbuf_addf(out, "\\%c", *text);
        else if (*text == '\n')
            strbuf_add(out, "\\n");
        else if ((unsigned char)*text < ' ' || *text == 0x7f)
            strbuf_addf(out, "\\%03d", (unsigned char)*text);
        else
            strbuf_addn(out, text, 1);
    }
    strbuf_add(out, "\"");
}

static void add_entry(struct strbuf *out, const char *key, const char *words, const char *of)
{
    strbuf_add(out, "[");
    add_string(out, key);
    strbuf_add(out, "] = { ");
    add_string(out, words);
    if (of) {
        strbuf_add(out, ", of = ");
        add_string(out, of);
    }
    strbuf_add(out, " },\n");
}

/* Each line of the text behind `before`. */
static void add_lines(struct renewal *r, const char *before, const char *text)
{
    struct strbuf *line = strbuf_push(r->engine->L);
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        strbuf_clear(line);
        strbuf_addn(line, text, length);
        strbuf_addf(r->text, "  %s%s", before, length ? " " : "");
        visible_add(r->text, strbuf_string(line), true);
        strbuf_add(r->text, "\n");
    }
    lua_pop(r->engine->L, 1);
}

/* A translator's comments, as they are. */
static void add_notes(struct renewal *r, const char *notes, const char *indent)
{
    for (bool begins = true; notes && *notes; notes++) {
        if (begins && *notes != '\n' && !strncmp(notes, "--", 2))
            strbuf_add(r->text, indent);
        strbuf_addn(r->text, notes, 1);
        begins = *notes == '\n';
    }
}

static void add_head(struct renewal *r)
{
    lua_State *L = r->engine->L;
    lua_getfield(L, r->scan, "head");
    strbuf_addf(r->text, "--: `normtutor translate` keeps this file in step with the lesson, and makes the lines that begin with --: anew.\n"
                         "--: They hold the lesson's own words. Words that are empty are not translated yet: the lesson's own are shown.\n"
                         "--: `of` says which words were translated; where it is missing, those that the lesson has now.\n");
    add_notes(r, lua_tostring(L, -1), "");
    strbuf_add(r->text, "return {\n");
    lua_pop(L, 1);
}

/* ---- entry by entry ---- */

static void note_now(struct engine *engine, void *payload, const struct translatable *text)
{
    struct renewal *r = payload;
    char now[FINGERPRINT_SIZE];
    words_fingerprint(now, text->words);
    set_text(engine->L, r->now, text->key, now);
    r->out->fault_count++;
}

/* Is the entry of this key translated from the words that the lesson has there? */
static bool in_step(struct renewal *r, const char *key, const char *now)
{
    const char *of, *words = translation_entry(r->engine->L, r->entries, key, &of);
    return words && *words && (!of || !strcmp(of, now));
}

static void note_taken(struct engine *engine, void *payload, const struct translatable *text)
{
    struct renewal *r = payload;
    char now[FINGERPRINT_SIZE];
    words_fingerprint(now, text->words);
    const char *from = in_step(r, text->key, now) ? NULL : table_text(engine->L, r->by_of, now);
    if (from)
        set_text(engine->L, r->taken, from, text->key);
}

static void renew(struct engine *engine, void *payload, const struct translatable *text)
{
    struct renewal *r = payload;
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    char now[FINGERPRINT_SIZE];
    const char *of, *words = translation_entry(L, r->entries, text->key, &of), *from = NULL;
    bool known = words && !table_text(L, r->taken, text->key); /* taken: it went to another key */
    words_fingerprint(now, text->words);
    lua_getfield(L, r->scan, "notes");
    strbuf_add(r->text, "\n");
    add_notes(r, table_text(L, top + 1, text->key), "  ");
    if (in_step(r, text->key, now)) {
        r->out->kept++;
        const char *amiss = translation_holes(engine, text, words);
        if (amiss)
            fault(r, text->key, amiss);
        of = now;
    } else if ((from = table_text(L, r->by_of, now)) != NULL) {
        words = translation_entry(L, r->entries, from, &of);
        add_notes(r, table_text(L, top + 1, from), "  ");
        r->out->kept++;
        r->out->moved++;
        lua_pushfstring(L, _("is translated as `%s`, which it was once: `normtutor translate` puts that right"), from);
        advise(r, text->key, lua_tostring(L, -1));
    } else if (known && *words) {
        r->out->changed++;
        advise(r, text->key, _("was translated when the lesson had other words there"));
        strbuf_add(r->text, "  --: CHANGED: these are the lesson's words now. When yours say the same, take their `of` away.\n");
    } else {
        *(known ? &r->out->empty : &r->out->fresh) += 1;
        r->missing = r->missing ? r->missing : scene_text(engine, text->key);
        words = "";
        of = now;
    }
    add_lines(r, "--:", text->words);
    strbuf_add(r->text, "  ");
    add_entry(r->text, text->key, words, of);
    lua_settop(L, top);
}

/* What the lesson has no longer becomes comments at the end. */
static void keep_gone(struct renewal *r)
{
    lua_State *L = r->engine->L;
    int top = lua_gettop(L);
    struct strbuf *entry = strbuf_push(L);
    keys_sorted(L, r->entries);
    for (size_t i = 1; i <= lua_rawlen(L, top + 2); i++) {
        const char *of, *key;
        lua_rawgeti(L, top + 2, (lua_Integer)i);
        key = lua_tostring(L, -1);
        const char *words = translation_entry(L, r->entries, key, &of);
        if (!table_text(L, r->now, key) && !table_text(L, r->taken, key)) {
            fault(r, key, _("names nothing in the lesson"));
            r->out->gone += *words != '\0';
            lua_getfield(L, r->scan, "notes");
            add_notes(r, table_text(L, top + 4, key), "  ");
            strbuf_clear(entry);
            if (*words) {
                add_entry(entry, key, words, of);
                strbuf_add(r->text, "  -- No longer in the lesson:\n");
                add_lines(r, "--", strbuf_string(entry));
            }
        }
        lua_settop(L, top + 2);
    }
    lua_settop(L, top);
}

static void made_views(struct renewal *r)
{
    lua_State *L = r->engine->L;
    const struct lesson *lesson = &r->engine->lesson;
    for (size_t i = 0; i < lesson->step_count; i++) {
        const struct construct *step = lesson->steps[i].construct;
        lua_rawgeti(L, LUA_REGISTRYINDEX, lesson->steps[i].ref);
        if (lua_getfield(L, -1, "show") == LUA_TFUNCTION) {
            lua_pushfstring(L, _("%s \"%s\": a function makes its view, whose words cannot be translated"), construct_name(step->kind), step->id);
            add_fault(r, r->engine->request->file, (uint32_t)lesson_line(r->engine, step, "show"), lua_tostring(L, -1), true);
            lua_pop(L, 1);
        }
        lua_pop(L, 2);
    }
}

static void fill_by_of(struct renewal *r)
{
    lua_State *L = r->engine->L;
    int top = lua_gettop(L);
    keys_sorted(L, r->entries);
    for (size_t i = 1; i <= lua_rawlen(L, top + 1); i++) {
        const char *of;
        lua_rawgeti(L, top + 1, (lua_Integer)i);
        const char *key = lua_tostring(L, -1), *words = translation_entry(L, r->entries, key, &of), *now = table_text(L, r->now, key);
        if (of && *words && !(now && !strcmp(now, of)) && !table_text(L, r->by_of, of))
            set_text(L, r->by_of, of, key);
        lua_settop(L, top + 1);
        r->out->fault_count++;
    }
    lua_settop(L, top);
}

void translation_renew(struct engine *engine, const struct construct *where, int course)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (!engine->request->translation)
        luaL_error(L, "there is no translation");
    luaL_checkstack(L, 40, NULL);
    struct renewal r = { .engine = engine, .out = scene_zero(engine, 1, sizeof *r.out), .entries = top + 1, .scan = top + 2, .now = top + 3,
                         .by_of = top + 4, .taken = top + 5 };
    translation_push(engine);
    if (!translation_scan(engine) && engine->request->translation->length) {
        engine->translated = "";
        lesson_error(engine, 0, "a translation is `return { … }` alone; what else stands there would be lost");
    }
    for (int i = 0; i < 3; i++)
        lua_newtable(L);
    r.text = strbuf_push(L);
    translatables(engine, where, course, note_now, &r); /* and counts what may be amiss */
    fill_by_of(&r);
    r.out->faults = scene_zero(engine, r.out->fault_count + engine->lesson.step_count + 1, sizeof *r.out->faults);
    r.out->fault_count = 0;
    translatables(engine, where, course, note_taken, &r);
    add_head(&r);
    translatables(engine, where, course, renew, &r);
    strbuf_add(r.text, "\n");
    note_missing(&r);
    keep_gone(&r);
    made_views(&r);
    lua_getfield(L, r.scan, "foot");
    add_notes(&r, lua_tostring(L, -1), "  ");
    strbuf_add(r.text, "}\n");
    if (r.text->failed)
        luaL_error(L, "out of memory");
    r.out->text = scene_text(engine, strbuf_string(r.text));
    engine->scene->translation = r.out;
    lua_settop(L, top);
}
