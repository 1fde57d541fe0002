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
    bool several;              /* the formula has a comma outside of brackets: Lua would take the first alone */
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

bool name_taken(const char *name, bool knob)
{
    static const char *const taken[] = { "cursor", "off", "module", "nn", "tensor", "answer", "got", "at" };
    enum { SEEN_WITH_KNOBS = 5 }; /* the others stand where no knob is seen */
    for (size_t i = 0; i < (knob ? SEEN_WITH_KNOBS : sizeof taken / sizeof *taken); i++)
        if (!strcmp(taken[i], name))
            return true;
    return is_keyword(name);
}

static const char *skip_text(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* What follows the text in long brackets that begins here; NULL: none does. */
static const char *skip_long(const char *at)
{
    size_t level = strspn(at + (*at == '['), "=");
    if (*at != '[' || at[1 + level] != '[')
        return NULL;
    for (at += 2 + level; *at; at++)
        if (*at == ']' && strspn(at + 1, "=") == level && at[1 + level] == ']')
            return at + 2 + level;
    return at;
}

static const char *skip_remark(const char *at)
{
    const char *after = skip_long(at + 2);
    return after ? after : at + strcspn(at, "\n");
}

const char *skip_quoted(const char *at)
{
    if (*at == '"' || *at == '\'')
        return skip_text(at);
    return at[0] == '-' && at[1] == '-' ? skip_remark(at) : skip_long(at);
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
    bool parameters = false, declares = false, label = false;
    int depth = 0;
    scope->local_count = 0;
    scope->several = false;
    for (const char *at = formula, *start = formula; *at;) {
        if (skip_quoted(at)) {
            at = skip_quoted(at);
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
            bool after_goto = label;
            label = !strcmp(word, "goto");
            if (!strcmp(word, "function")) {
                parameters = true;
                depth++; /* until its `end`, which nothing needs to find */
            } else if (!strcmp(word, "local") || !strcmp(word, "for"))
                declares = true;
            else if (is_keyword(word))
                declares = false;
            else if (after_goto)
                continue;
            else if (parameters || declares)
                add_local(scope, word);
            else if (!member && !key)
                check_name(scope, word);
        } else {
            depth += *at == '(' || *at == '[' || *at == '{';
            depth -= *at == ')' || *at == ']' || *at == '}';
            scope->several = scope->several || (*at == ',' && depth == 0);
            if (*at == ')')
                parameters = false;
            if (*at == '=')
                declares = false;
            at++;
        }
    }
}

static void check_hole(void *payload, const char *formula, const char *format)
{
    struct scope *scope = payload;
    (void)format;
    check_formula(scope, formula);
    if (scope->several)
        lesson_error(scope->engine, lesson_line(scope->engine, scope->where, scope->field),
                     "`%s`: the hole {%s} holds a list, of which the first alone would be seen: a hole holds one formula; write {{ for a brace",
                     scope->field, formula);
}

static void check_single(struct scope *scope, const char *formula)
{
    check_formula(scope, formula);
    if (scope->several)
        lesson_error(scope->engine, lesson_line(scope->engine, scope->where, scope->field),
                     "`%s`: %s holds several formulas, of which the first alone would count: a list stands in braces", scope->field, formula);
}

/* The value at the top: a formula, words, or a table of either; popped. */
static void check_value(struct scope *scope, bool words)
{
    lua_State *L = scope->engine->L;
    int value = lua_gettop(L);
    if (lua_type(L, value) == LUA_TSTRING && words) {
        words_holes(scope->engine, scope->where, scope->field, lua_tostring(L, value), check_hole, scope);
    } else if (lua_type(L, value) == LUA_TSTRING) {
        check_single(scope, lua_tostring(L, value));
    } else if (lua_type(L, value) == LUA_TTABLE) {
        keys_sorted(L, value);
        for (size_t i = 1; i <= lua_rawlen(L, value + 1); i++) {
            bool named = lua_rawgeti(L, value + 1, (lua_Integer)i) == LUA_TSTRING;
            struct scope entry = *scope;
            if (named)
                entry.field = lua_tostring(L, -1);
            else if (!isdigit((unsigned char)*scope->field))
                entry.field = field_entry(scope->engine, scope->field, (size_t)lua_tointeger(L, -1));
            lua_pushvalue(L, -1);
            lua_rawget(L, value);
            if (lua_type(L, -1) == LUA_TSTRING)
                check_value(&entry, words);
            lua_settop(L, value + 1);
        }
    }
    lua_settop(L, value - 1);
}

/* A field that is a formula, words, or a table of either. */
static void check_field(struct engine *engine, const struct construct *where, int fields, const char *field, bool words, int facts,
                        const char *const *extra)
{
    struct scope scope = { .engine = engine, .where = where, .field = field, .facts = lua_absindex(engine->L, facts), .extra = extra };
    lua_getfield(engine->L, fields, field);
    check_value(&scope, words);
}

static void check_first(struct engine *engine, const struct construct *where, int fields, const char *field, bool words, int facts,
                        const char *const *extra)
{
    struct scope scope = { .engine = engine, .where = where, .field = field, .facts = lua_absindex(engine->L, facts), .extra = extra };
    lua_rawgeti(engine->L, fields, 1);
    if (lua_type(engine->L, -1) == LUA_TSTRING)
        check_value(&scope, words);
    else
        lua_pop(engine->L, 1);
}

static const char *const live_names[] = { "cursor", "off", NULL };

/* Lists of lists: { { formula, label = words }, … } */
static void check_labelled(struct engine *engine, const struct construct *view, int fields, const char *field, int facts,
                           const char *const *extra)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (lua_getfield(L, fields, field) == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, top + 1); i++) {
            struct scope label = { .engine = engine, .where = view, .field = field_entry(engine, field, i), .facts = facts, .extra = live_names };
            if (lua_rawgeti(L, top + 1, (lua_Integer)i) == LUA_TTABLE) {
                check_first(engine, view, lua_gettop(L), label.field, false, facts, extra);
                lua_getfield(L, -1, "label");
                check_value(&label, true);
            }
            lua_settop(L, top + 1);
        }
    lua_settop(L, top);
}

static void check_plot(struct engine *engine, const struct construct *view, int fields, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const char *variable = NULL;
    struct scope scope = { .engine = engine, .where = view, .field = "over", .facts = facts, .extra = live_names };
    if (lua_getfield(L, fields, "over") == LUA_TTABLE) {
        if (lua_rawgeti(L, top + 1, 1) == LUA_TSTRING)
            variable = lua_tostring(L, -1);
        for (int end = 2; end <= 3; end++)
            if (lua_rawgeti(L, top + 1, end) == LUA_TSTRING)
                check_value(&scope, false);
        lua_getfield(L, top + 1, "label");
        check_value(&scope, true);
    }
    const char *const names[] = { live_names[0], live_names[1], variable, NULL };
    check_labelled(engine, view, fields, "lines", facts, names);
    check_labelled(engine, view, fields, "marks", facts, live_names);
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
    static const char *const formulas[] = { "eps", "scale", "bias", "at", "seed", "sublayer" }, *const words[] = { "names", "head", "alt" };
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        check_field(engine, construct, fields, formulas[i], false, facts, live_names);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        check_field(engine, construct, fields, words[i], true, facts, live_names);
    lua_getfield(L, fields, "order");
    if (construct->kind == K_VIEW_BLOCK && lua_type(L, -1) == LUA_TSTRING && !block_order_word(lua_tostring(L, -1)))
        check_field(engine, construct, fields, "order", false, facts, live_names);
    lua_settop(L, fields);
    if (construct->kind == K_VIEW_PLOT)
        check_plot(engine, construct, fields, facts);
    else if (construct->kind == K_VIEW_TABLE || construct->kind == K_VIEW_COMPARE || construct->kind == K_VIEW_ROW || construct->kind == K_VIEW_COLUMN)
        for (size_t i = 1; i <= lua_rawlen(L, fields); i++) {
            struct scope row = { .engine = engine, .where = construct, .field = "1", .facts = facts, .extra = live_names };
            lua_rawgeti(L, fields, (lua_Integer)i);
            if (construct->kind == K_VIEW_TABLE || construct->kind == K_VIEW_COMPARE)
                check_value(&row, false);
            else
                check_view(engine, lua_gettop(L), facts);
            lua_settop(L, fields);
        }
    else
        check_first(engine, construct, fields, "show", false, facts, live_names);
    lua_settop(L, top);
}

static void check_knobs(struct engine *engine, int fields, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (lua_getfield(L, fields, "knobs") == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, top + 1); i++) {
            lua_rawgeti(L, top + 1, (lua_Integer)i);
            const struct construct *knob = construct_test(L, -1);
            lua_getiuservalue(L, -1, 1);
            int own = lua_gettop(L);
            if (knob->kind != K_KNOB_PICK) /* where it may be one of the words */
                check_field(engine, knob, own, "at", false, facts, NULL);
            check_field(engine, knob, own, "label", true, facts, NULL);
            check_field(engine, knob, own, "names", true, facts, NULL);
            lua_settop(L, top + 1);
        }
    lua_settop(L, top);
}

/* What stands in `predict` for the numbers of knobs. */
static void check_travel_names(struct engine *engine, const struct step_def *step, int fields, int facts)
{
    static const char *const ends[] = { "from", "to" };
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    struct scope scope = { .engine = engine, .where = step->construct, .field = "predict", .facts = facts };
    bool travels = lua_getfield(L, fields, "predict") == LUA_TTABLE;
    for (int i = 0; i < 2 && travels; i++) {
        lua_getfield(L, top + 1, ends[i]);
        lua_pushnil(L);
        while (lua_next(L, top + 2)) {
            lua_pushvalue(L, -1);
            if (travel_formula(engine, step, lua_tostring(L, top + 3), top + 4))
                check_value(&scope, false);
            lua_settop(L, top + 3);
        }
        lua_settop(L, top + 1);
    }
    lua_settop(L, top);
}

/* A list of facts by name. */
static void check_names(struct engine *engine, const struct construct *where, int fields, const char *field, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (lua_getfield(L, fields, field) == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, top + 1); i++) {
            lua_rawgeti(L, top + 1, (lua_Integer)i);
            const char *name = lua_tostring(L, -1);
            if (!facts_has(L, facts, name))
                facts_unknown_at(engine, where, field, facts, name);
            if (!strcmp(field, "edit") && !facts_editable(L, facts, name))
                lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": `edit`: `%s` is not a tensor of `data`",
                             construct_name(where->kind), where->id, name);
            lua_pop(L, 1);
        }
    lua_settop(L, top);
}

static void check_part(struct engine *engine, const struct part_def *part, int still, int live)
{
    static const char *const say_names[] = { "got", "at", NULL };
    lua_State *L = engine->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    int own = lua_gettop(L);
    if (part->construct->kind == K_MISTAKE)
        check_field(engine, part->construct, own, "by", false, still, NULL);
    check_field(engine, part->construct, own, "when", false, still, NULL);
    check_field(engine, part->construct, own, "right", false, still, NULL);
    check_field(engine, part->construct, own, "say", true, still, part->construct->kind == K_OPTION ? NULL : say_names);
    check_first(engine, part->construct, own, "1", true, live, live_names);
    lua_pop(L, 1);
}

static void check_step(struct engine *engine, const struct step_def *step)
{
    static const char *const why_names[] = { "answer", NULL };
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct construct *where = step->construct;
    luaL_checkstack(L, 20, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int fields = lua_gettop(L);
    facts_step(engine, step, 0);
    int still = lua_gettop(L);
    check_field(engine, where, fields, "given", false, still, NULL);
    facts_check(engine, where, still);
    check_knobs(engine, fields, still);
    facts_extend(L, still);
    int live = lua_gettop(L);
    struct scene_step scratch = { 0 };
    knobs_fill(engine, step, still, &scratch);
    knobs_facts(L, &scratch, live, true);
    if (where->kind == K_CODE) {
        lua_pushboolean(L, true);
        facts_set(L, live, "module");
    }
    check_field(engine, where, fields, "text", true, live, live_names);
    check_field(engine, where, fields, "title", true, still, NULL);
    check_names(engine, where, fields, "edit", still);
    check_names(engine, where, fields, "allow", still);
    lua_getfield(L, fields, "show");
    check_view(engine, lua_gettop(L), live);
    if (is_question(where->kind)) {
        static const char *const formulas[] = { "answer", "also", "accept", "reference" };
        for (size_t i = where->kind == K_ORDER ? 2 : 0; i < sizeof formulas / sizeof *formulas; i++) /* the first two are ids there */
            check_field(engine, where, fields, formulas[i], false, still, NULL);
        check_field(engine, where, fields, "hints", true, still, NULL);
        check_field(engine, where, fields, "why", true, still, why_names);
        check_travel_names(engine, step, fields, still);
        for (size_t i = 0; i < step->part_count; i++)
            check_part(engine, &step->parts[i], still, live);
        question_check(engine, step, still);
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
    facts_check(engine, engine->lesson.construct, facts);
    for (size_t i = 0; i < engine->lesson.step_count; i++)
        check_step(engine, &engine->lesson.steps[i]);
    lua_settop(L, top);
}
