/* The names in formulas and holes: each must be a fact of its place, before any learner comes there. */
#include <ctype.h>
#include <string.h>

#include "engine/internal.h"

enum { LOCALS_MAX = 64, NAME_MAX_LENGTH = 64 };

struct scope {
    struct engine *engine;
    const struct construct *where;
    const char *field;
    int facts;                 /* stack index of a layer */
    const char *const *extra;  /* further names, ends in NULL */
    char locals[LOCALS_MAX][NAME_MAX_LENGTH]; /* parameters and locals within the formula */
    size_t local_count;
};

static bool is_keyword(const char *word)
{
    static const char *const keywords[] = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
                                            "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(keywords[i], word))
            return true;
    return false;
}

static const char *skip_text(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static const char *skip_number(const char *at)
{
    bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    while (isalnum((unsigned char)*at) || *at == '.') {
        bool exponent = hexadecimal ? *at == 'p' || *at == 'P' : *at == 'e' || *at == 'E';
        at++;
        if (exponent && (*at == '+' || *at == '-'))
            at++;
    }
    return at;
}

static void add_local(struct scope *scope, const char *name)
{
    if (scope->local_count < LOCALS_MAX && strlen(name) < NAME_MAX_LENGTH)
        memcpy(scope->locals[scope->local_count++], name, strlen(name) + 1);
}

static void check_name(struct scope *scope, const char *name)
{
    lua_State *L = scope->engine->L;
    for (size_t i = 0; i < scope->local_count; i++)
        if (!strcmp(scope->locals[i], name))
            return;
    for (const char *const *extra = scope->extra; extra && *extra; extra++)
        if (!strcmp(*extra, name))
            return;
    if (facts_has(L, scope->facts, name))
        return;
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    lua_pushstring(L, name);
    bool global = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 2);
    if (global)
        return;
    facts_unknown_at(scope->engine, scope->where, scope->field, scope->facts, name);
}

static void check_formula(struct scope *scope, const char *formula)
{
    char word[NAME_MAX_LENGTH];
    bool parameters = false, declares = false;
    scope->local_count = 0;
    for (const char *at = formula, *start = formula; *at;) {
        if (*at == '"' || *at == '\'') {
            at = skip_text(at);
        } else if (isdigit((unsigned char)*at)) {
            at = skip_number(at);
        } else if (isalpha((unsigned char)*at) || *at == '_') {
            size_t n = 0;
            const char *from = at;
            while (isalnum((unsigned char)*at) || *at == '_')
                at++;
            n = (size_t)(at - from);
            if (n >= sizeof word)
                continue;
            memcpy(word, from, n);
            word[n] = '\0';
            const char *before = from, *after = at + strspn(at, " \t\n");
            while (before > start && strchr(" \t\n", before[-1]))
                before--;
            bool member = before > start && (before[-1] == ':' || (before[-1] == '.' && !(before - start > 1 && before[-2] == '.')));
            bool key = *after == '=' && after[1] != '=' && before > start && (before[-1] == '{' || before[-1] == ',' || before[-1] == ';');
            if (!strcmp(word, "function"))
                parameters = true;
            else if (!strcmp(word, "local") || !strcmp(word, "for"))
                declares = true;
            else if (is_keyword(word))
                declares = false;
            else if (parameters || declares)
                add_local(scope, word);
            else if (!member && !key)
                check_name(scope, word);
        } else {
            if (*at == ')')
                parameters = false;
            if (*at == '=')
                declares = false;
            at++;
        }
    }
}

static void check_hole(void *payload, const char *formula)
{
    check_formula(payload, formula);
}

/* A field that is a formula, words, or a list of either. */
static void check_field(struct engine *engine, const struct construct *where, int fields, const char *field, bool words, int facts,
                        const char *const *extra)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    struct scope scope = { .engine = engine, .where = where, .field = field, .facts = lua_absindex(L, facts), .extra = extra };
    lua_getfield(L, fields, field);
    if (lua_type(L, -1) == LUA_TSTRING) {
        if (words)
            words_holes(engine, where, field, lua_tostring(L, -1), check_hole, &scope);
        else
            check_formula(&scope, lua_tostring(L, -1));
    } else if (lua_type(L, -1) == LUA_TTABLE && !tensor_test(L, -1)) {
        lua_pushnil(L);
        while (lua_next(L, top + 1)) {
            if (lua_type(L, -1) == LUA_TSTRING && words)
                words_holes(engine, where, field, lua_tostring(L, -1), check_hole, &scope);
            else if (lua_type(L, -1) == LUA_TSTRING)
                check_formula(&scope, lua_tostring(L, -1));
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top);
}

static void check_view(struct engine *engine, int view, int facts)
{
    lua_State *L = engine->L;
    const struct construct *construct = construct_test(L, view);
    if (!construct)
        return;
    int top = lua_gettop(L);
    luaL_checkstack(L, 20, NULL);
    lua_getiuservalue(L, view, 1);
    int fields = top + 1;
    static const char *const formulas[] = { "eps", "scale", "bias" }, *const words[] = { "names", "head", "alt" };
    for (size_t i = 0; i < 3; i++) {
        check_field(engine, construct, fields, formulas[i], false, facts, NULL);
        check_field(engine, construct, fields, words[i], true, facts, NULL);
    }
    struct scope scope = { .engine = engine, .where = construct, .field = "show", .facts = facts };
    lua_rawgeti(L, fields, 1);
    if (lua_type(L, -1) == LUA_TSTRING)
        check_formula(&scope, lua_tostring(L, -1));
    if (construct->kind == K_VIEW_ROW || construct->kind == K_VIEW_COLUMN)
        for (size_t i = 1; i <= lua_rawlen(L, fields); i++) {
            lua_rawgeti(L, fields, (lua_Integer)i);
            check_view(engine, lua_gettop(L), facts);
            lua_settop(L, fields);
        }
    lua_settop(L, top);
}

static void check_step(struct engine *engine, const struct step_def *step)
{
    static const char *const live_names[] = { "cursor", "off", NULL }, *const say_names[] = { "got", "at", NULL }, *const why_names[] = { "answer", NULL };
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct construct *where = step->construct;
    facts_step(engine, step, engine->request->attempt);
    int still = lua_gettop(L);
    facts_extend(L, still);
    int live = lua_gettop(L);
    struct scene_step scratch = { 0 };
    knobs_fill(engine, step, still, &scratch);
    knobs_facts(L, &scratch, live, true);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int fields = lua_gettop(L);
    check_field(engine, where, fields, "text", true, live, live_names);
    check_field(engine, where, fields, "title", true, still, NULL);
    check_field(engine, where, fields, "given", false, still, NULL);
    if (lua_getfield(L, fields, "show") != LUA_TNIL)
        check_view(engine, lua_gettop(L), live);
    if (is_question(where->kind)) {
        static const char *const formulas[] = { "answer", "also", "accept" };
        for (size_t i = 0; i < 3; i++)
            check_field(engine, where, fields, formulas[i], false, still, NULL);
        check_field(engine, where, fields, "hints", true, still, NULL);
        check_field(engine, where, fields, "why", true, still, why_names);
        for (size_t i = 0; i < step->part_count; i++) {
            const struct part_def *part = &step->parts[i];
            lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
            int own = lua_gettop(L);
            check_field(engine, part->construct, own, "by", false, still, NULL);
            check_field(engine, part->construct, own, "when", false, still, NULL);
            check_field(engine, part->construct, own, "right", false, still, NULL);
            check_field(engine, part->construct, own, "say", true, still, say_names);
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top);
}

void check_facts(struct engine *engine)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts_lesson(engine, NULL, 0);
    int facts = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
    static const char *const words[] = { "title", "goal", "remember" };
    for (size_t i = 0; i < 3; i++)
        check_field(engine, engine->lesson.construct, facts + 1, words[i], true, facts, NULL);
    check_field(engine, engine->lesson.construct, facts + 1, "given", false, facts, NULL);
    for (size_t i = 0; i < engine->lesson.step_count; i++)
        check_step(engine, &engine->lesson.steps[i]);
    lua_settop(L, top);
}
