/* What of a lesson can be translated, and by which key: its fields, as fields.c has them, one after the other. */
#include <stdio.h>
#include <string.h>

#include "engine/translation.h"

struct walk {
    struct engine *engine;
    translatable_visit *visit;
    void *payload;
    int seen;                      /* stack index: table -> set of its slots that were visited */
    const struct construct *where; /* the construct being visited */
    const struct step_def *step;   /* NULL: the lesson itself */
};

void words_fingerprint(char out[FINGERPRINT_SIZE], const char *words)
{
    uint64_t hash = hash_text(HASH_START, words);
    snprintf(out, FINGERPRINT_SIZE, "%08x", (unsigned)(hash ^ hash >> 32));
}

/* Was the slot at the top of the stack visited before? */
static bool met(struct walk *w, int table)
{
    lua_State *L = w->engine->L;
    int slot = lua_gettop(L);
    lua_pushvalue(L, table);
    if (lua_rawget(L, w->seen) == LUA_TNIL) {
        lua_newtable(L);
        lua_pushvalue(L, table);
        lua_pushvalue(L, -2);
        lua_rawset(L, w->seen);
        lua_replace(L, slot + 1);
        lua_settop(L, slot + 1);
    }
    lua_pushvalue(L, slot);
    bool before = lua_rawget(L, slot + 1) != LUA_TNIL;
    lua_pushvalue(L, slot);
    lua_pushboolean(L, 1);
    lua_rawset(L, slot + 1);
    lua_settop(L, slot);
    return before;
}

/* The slot, a key of the table at `table`, is at the top of the stack, and popped. */
static void visit(struct walk *w, int table, const char *key, const char *field, bool plain)
{
    lua_State *L = w->engine->L;
    int slot = lua_gettop(L);
    luaL_checkstack(L, 20, NULL);
    lua_pushvalue(L, slot);
    lua_rawget(L, table);
    const char *words = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    lua_pushvalue(L, slot);
    if (*words && !met(w, table)) {
        struct translatable text = { key, words, w->where, field, plain, table, slot };
        w->visit(w->engine, w->payload, &text);
    }
    lua_settop(L, slot - 1);
}

/* Pushes "prefix.name", or the name alone where the prefix is empty. */
static const char *push_key(lua_State *L, const char *prefix, const char *name)
{
    return *prefix ? lua_pushfstring(L, "%s.%s", prefix, name) : lua_pushstring(L, name);
}

static const char *push_place(lua_State *L, const char *prefix, size_t place)
{
    return lua_pushfstring(L, "%s.%d", prefix, (int)place);
}

static void visit_field(struct walk *w, int fields, const char *prefix, const char *field, bool plain)
{
    lua_State *L = w->engine->L;
    const char *key = push_key(L, prefix, field);
    lua_pushstring(L, field);
    visit(w, fields, key, field, plain);
    lua_pop(L, 1);
}

static void visit_list(struct walk *w, int fields, const char *prefix, const char *field)
{
    lua_State *L = w->engine->L;
    int top = lua_gettop(L);
    prefix = push_key(L, prefix, field);
    if (lua_getfield(L, fields, field) == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, top + 2); i++) {
            const char *key = push_place(L, prefix, i);
            lua_pushinteger(L, (lua_Integer)i);
            visit(w, top + 2, key, field, false);
            lua_settop(L, top + 2);
        }
    lua_settop(L, top);
}

/* The names of a knob's options, in their order. */
static void visit_names(struct walk *w, int fields, const char *prefix)
{
    lua_State *L = w->engine->L;
    int top = lua_gettop(L);
    prefix = push_key(L, prefix, "names");
    if (lua_getfield(L, fields, "names") == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, fields); i++) {
            if (lua_rawgeti(L, fields, (lua_Integer)i) == LUA_TSTRING) {
                const char *key = push_key(L, prefix, lua_tostring(L, -1));
                lua_pushvalue(L, top + 3);
                visit(w, top + 2, key, "names", false);
            }
            lua_settop(L, top + 2);
        }
    lua_settop(L, top);
}

/* A plot's { { formula, label = words }, … }, or { …, label = words } alone. */
static void visit_labels(struct walk *w, int fields, const char *prefix, const char *field)
{
    lua_State *L = w->engine->L;
    int top = lua_gettop(L);
    prefix = push_key(L, prefix, field);
    if (lua_getfield(L, fields, field) == LUA_TTABLE) {
        visit_field(w, top + 2, prefix, "label", false);
        for (size_t i = 1; i <= lua_rawlen(L, top + 2); i++) {
            if (lua_rawgeti(L, top + 2, (lua_Integer)i) == LUA_TTABLE)
                visit_field(w, top + 3, push_place(L, prefix, i), "label", false);
            lua_settop(L, top + 2);
        }
    }
    lua_settop(L, top);
}

static void visit_fields(struct walk *w, const struct construct *construct, int fields, const char *prefix);

/* The value at the top, popped, where it is a construct. */
static void visit_construct(struct walk *w, const char *prefix)
{
    lua_State *L = w->engine->L;
    int top = lua_gettop(L);
    const struct construct *construct = construct_test(L, top);
    luaL_checkstack(L, 20, NULL);
    if (construct) {
        lua_getiuservalue(L, top, 1);
        visit_fields(w, construct, top + 1, prefix);
    }
    lua_settop(L, top - 1);
}

/* Constructs in a list: knobs and probes by their ids, views by their places. */
static void visit_constructs(struct walk *w, int list, const char *prefix)
{
    lua_State *L = w->engine->L;
    int top = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, list); i++) {
        lua_rawgeti(L, list, (lua_Integer)i);
        const struct construct *construct = construct_test(L, -1);
        const char *key = construct && construct->id[0] ? push_key(L, prefix, construct->id) : push_place(L, prefix, i);
        lua_pushvalue(L, top + 1);
        visit_construct(w, key);
        lua_settop(L, top);
    }
}

static void visit_field_of(struct walk *w, const struct construct *construct, int fields, const char *prefix, const struct field *field)
{
    lua_State *L = w->engine->L;
    int top = lua_gettop(L);
    switch (field->sort) {
    case SORT_WORDS:
        visit_field(w, fields, prefix, field->name, false);
        break;
    case SORT_WORDS_LIST:
        visit_list(w, fields, prefix, field->name);
        break;
    case SORT_TEXT:
        if (!strcmp(field->name, "about") || !strcmp(field->name, "report") || (construct->kind == K_COURSE && !strcmp(field->name, "title")))
            visit_field(w, fields, prefix, field->name, true);
        break;
    case SORT_KNOBS:
    case SORT_PROBES:
        if (lua_getfield(L, fields, field->name) == LUA_TTABLE)
            visit_constructs(w, top + 1, push_key(L, prefix, field->name));
        break;
    case SORT_SHOW:
        prefix = push_key(L, prefix, field->name);
        lua_getfield(L, fields, field->name);
        visit_construct(w, prefix);
        break;
    case SORT_TABLE:
        if (construct->kind == K_KNOB_PICK)
            visit_names(w, fields, prefix);
        else if (construct->kind == K_VIEW_PLOT)
            visit_labels(w, fields, prefix, field->name);
        break;
    default:
        break;
    }
    lua_settop(L, top);
}

/* Mistakes, options and pieces: what a learner who picks one is shown is its `text`. */
static void visit_parts(struct walk *w, const char *prefix)
{
    lua_State *L = w->engine->L;
    for (size_t i = 0; i < w->step->part_count; i++) {
        const struct part_def *part = &w->step->parts[i];
        int top = lua_gettop(L);
        lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
        const char *own = push_key(L, prefix, part->construct->id);
        const struct construct *around = w->where;
        w->where = part->construct;
        if (entries_of(part->construct->kind) == ENTRIES_ONE) {
            const char *key = push_key(L, own, "text");
            lua_pushinteger(L, 1);
            visit(w, top + 1, key, "1", false);
        }
        visit_field(w, top + 1, own, "say", false);
        w->where = around;
        lua_settop(L, top);
    }
}

static void visit_fields(struct walk *w, const struct construct *construct, int fields, const char *prefix)
{
    size_t count;
    const struct field *list = fields_of(construct->kind, &count);
    const struct construct *around = w->where;
    w->where = construct;
    for (size_t i = 0; i < count; i++) {
        if (list[i].name && is_question(construct->kind) && !strcmp(list[i].name, "hints"))
            visit_parts(w, prefix);
        if (list[i].name)
            visit_field_of(w, construct, fields, prefix, &list[i]);
    }
    if (entries_of(construct->kind) == ENTRIES_VIEWS)
        visit_constructs(w, fields, prefix);
    w->where = around;
}

void translatables(struct engine *engine, const struct construct *where, int course, translatable_visit *visitor, void *payload)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    luaL_checkstack(L, 20, NULL);
    lua_newtable(L);
    struct walk w = { engine, visitor, payload, top + 1, where, NULL };
    if (course) {
        visit_fields(&w, where, course, "");
        lua_settop(L, top);
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
    visit_fields(&w, where, top + 2, "");
    for (size_t i = 0; i < engine->lesson.step_count; i++) {
        w.step = &engine->lesson.steps[i];
        lua_settop(L, top + 1);
        lua_rawgeti(L, LUA_REGISTRYINDEX, w.step->ref);
        visit_fields(&w, w.step->construct, top + 2, w.step->construct->id);
    }
    lua_settop(L, top);
}
