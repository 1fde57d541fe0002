/* A lesson as it is written: fields and their sorts, ids, formulas that compile, names that exist. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "engine/check.h"
#include "base/language.h"
#include "engine/probes.h"

static const char *const SORTS[] = {
    [SORT_NUMBER] = N_("a number"), [SORT_TEXT] = N_("a text"), [SORT_NAMES] = N_("a list of texts"), [SORT_SWITCH] = N_("true or false"),
    [SORT_WORDS] = N_("a text"), [SORT_WORDS_LIST] = N_("a list of texts"), [SORT_FORMULA] = N_("a formula"), [SORT_FORMULAS] = N_("a list of formulas"),
    [SORT_FUNCTION] = N_("a function"), [SORT_TABLE] = N_("a table"), [SORT_KNOBS] = N_("a list of knobs"),
    [SORT_SHOW] = N_("a view, a function that returns one, or the id of an earlier step"), [SORT_PREDICT] = N_("true, or { from = { … }, to = { … } }"),
    [SORT_AXES] = N_("an axis, a list of axes, \"all\", or a formula"), [SORT_CODE] = N_("a text, a program"),
    [SORT_PROBES] = N_("a list of names of probes and of probe \"id\" { … }"), [SORT_ORDERS] = N_("a list of lists of ids"),
};

int bad_sort(struct engine *engine, const struct construct *construct, const char *field, enum sort sort, int index)
{
    lua_State *L = engine->L;
    return lesson_error(engine, lesson_line(engine, construct, field), "%s: `%s` must be %s, not a %s", title_of(L, construct), field,
                        _(SORTS[sort]), luaL_typename(L, index));
}

static void compile_formula(struct engine *engine, const struct construct *construct, const char *field, const char *formula)
{
    if (formula_compile(engine->L, formula) != LUA_OK)
        formula_raise(engine, construct, field);
    lua_pop(engine->L, 1);
}

struct holes {
    struct engine *engine;
    const struct construct *construct;
    const char *field;
};

static void compile_hole(void *payload, const char *formula, const char *format)
{
    (void)format;
    struct holes *holes = payload;
    compile_formula(holes->engine, holes->construct, holes->field, formula);
}

static void check_words(struct engine *engine, const struct construct *construct, const char *field, const char *words)
{
    struct holes holes = { engine, construct, field };
    words_holes(engine, construct, field, words, compile_hole, &holes);
}

static bool formula_sort(lua_State *L, int index)
{
    int type = lua_type(L, index);
    return type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE ||
           tensor_is(L, index) || file_test(L, index);
}

/* The construct is the value at the top of the stack. */
static void check_construct(struct engine *engine, struct construct *construct);

/* No knob before entry `i` of the list bears the id of this one. */
static void check_used_once(struct engine *engine, int list, size_t i, const struct construct *knob)
{
    lua_State *L = engine->L;
    for (size_t n = 1; n < i; n++) {
        lua_rawgeti(L, list, (lua_Integer)n);
        const struct construct *other = construct_test(L, -1);
        if (!strcmp(other->id, knob->id))
            lesson_error(engine, knob->line, "the knob \"%s\" is used twice, first on line %d", knob->id, other->line);
        lua_pop(L, 1);
    }
}

static void check_list(struct engine *engine, const struct construct *construct, const char *field, enum sort sort, int index)
{
    lua_State *L = engine->L;
    if (lua_type(L, index) != LUA_TTABLE)
        bad_sort(engine, construct, field, sort, index);
    size_t count = lua_rawlen(L, index);
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i);
        int item = lua_gettop(L);
        struct construct *knob = construct_test(L, item);
        bool good = sort == SORT_KNOBS ? knob && is_knob(knob->kind) : sort == SORT_FORMULAS ? formula_sort(L, item) : lua_type(L, item) == LUA_TSTRING;
        if (!good)
            lesson_error(engine, lesson_line(engine, construct, field), "%s: `%s` must be %s; entry %zu is a %s", title_of(L, construct), field,
                         _(SORTS[sort]), i, luaL_typename(L, item));
        if (sort == SORT_WORDS_LIST)
            check_words(engine, construct, field_entry(engine, field, i), lua_tostring(L, item));
        if (sort == SORT_FORMULAS && lua_type(L, item) == LUA_TSTRING)
            compile_formula(engine, construct, field_entry(engine, field, i), lua_tostring(L, item));
        if (sort == SORT_KNOBS) {
            check_construct(engine, knob);
            check_used_once(engine, index, i, knob);
        }
        lua_settop(L, item - 1);
    }
    keys_sorted(L, index);
    if (lua_rawlen(L, -1) > count) {
        lua_rawgeti(L, -1, (lua_Integer)count + 1);
        lesson_error(engine, lesson_line(engine, construct, field), "%s: `%s` is a list and has no key `%s`", title_of(L, construct), field,
                     luaL_tolstring(L, -1, NULL));
    }
    lua_pop(L, 1);
}

/* One entry, name = value, of `given`, `define` or `cursor`; the value is at the top. */
static void check_entry(struct engine *engine, const struct construct *construct, const char *field, const char *name)
{
    lua_State *L = engine->L;
    int line = name_line(engine, construct, field, name);
    if (!strcmp(field, "cursor")) {
        if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1)
            lesson_error(engine, line, "%s: `cursor`: %s must be a whole number from 1 on", title_of(L, construct), name);
        return;
    }
    if (!strcmp(field, "define") && lua_type(L, -1) != LUA_TFUNCTION)
        lesson_error(engine, line, "%s: `define`: `%s` must be a function, not a %s", title_of(L, construct), name, luaL_typename(L, -1));
    if (!strcmp(field, "given") && !formula_sort(L, -1))
        bad_sort(engine, construct, name, SORT_FORMULA, -1);
    if (!strcmp(field, "given") && lua_type(L, -1) == LUA_TSTRING)
        compile_formula(engine, construct, name, lua_tostring(L, -1));
    check_fact_name(engine, construct, field, name);
}

static void check_named(struct engine *engine, const struct construct *construct, const char *field, int index)
{
    lua_State *L = engine->L;
    if (strcmp(field, "given") && strcmp(field, "define") && strcmp(field, "cursor"))
        return;
    keys_sorted(L, index);
    int keys = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        if (lua_type(L, -1) != LUA_TSTRING)
            lesson_error(engine, lesson_line(engine, construct, field), "%s: `%s` needs names: { name = … }", title_of(L, construct), field);
        lua_pushvalue(L, -1);
        lua_rawget(L, index);
        check_entry(engine, construct, field, lua_tostring(L, -2));
        lua_settop(L, keys);
    }
    lua_pop(L, 1);
}

static void check_show(struct engine *engine, const struct construct *construct, int index)
{
    lua_State *L = engine->L;
    struct construct *view = construct_test(L, index);
    if (view && is_view(view->kind)) {
        check_construct(engine, view);
        return;
    }
    if (lua_type(L, index) == LUA_TFUNCTION)
        return;
    if (lua_type(L, index) != LUA_TSTRING)
        bad_sort(engine, construct, "show", SORT_SHOW, index);
    const char *id = lua_tostring(L, index), *names[256];
    size_t count = 0;
    for (size_t i = 0; i < engine->lesson.step_count && engine->lesson.steps[i].construct != construct && count < 256; i++) {
        names[count++] = engine->lesson.steps[i].construct->id;
        if (!strcmp(names[count - 1], id))
            return;
    }
    const char *near = nearest_name(id, names, count);
    lesson_error(engine, lesson_line(engine, construct, "show"), "%s: `show`: there is no earlier step \"%s\"%s%s%s", title_of(L, construct), id,
                 near ? _("; did you mean \"") : "", near ? near : "", near ? "\"?" : "");
}

/* A program, or the solution's with something replaced. */
static void check_program(struct engine *engine, const struct construct *construct, const char *field, int index)
{
    lua_State *L = engine->L;
    const struct construct *replace = construct_test(L, index);
    if (lua_type(L, index) == LUA_TSTRING && construct->kind != K_CODE_MISTAKE)
        return;
    if (lua_type(L, index) != LUA_TSTRING && !(replace && replace->kind == K_REPLACE && construct->kind == K_CODE_MISTAKE))
        bad_sort(engine, construct, field, SORT_CODE, index);
    if (!replace)
        return;
    lua_getiuservalue(L, index, 1);
    if (lua_rawlen(L, -1) != 2)
        lesson_error(engine, replace->line, "replace needs two texts: replace { 'this', 'that' }");
    check_kind_fields(engine, replace, lua_gettop(L));
    lua_pop(L, 1);
}

static void check_probes(struct engine *engine, const struct construct *construct, const char *field, int index)
{
    lua_State *L = engine->L;
    if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) == 0)
        bad_sort(engine, construct, field, SORT_PROBES, index);
    for (size_t i = 1; i <= lua_rawlen(L, index); i++) {
        lua_rawgeti(L, index, (lua_Integer)i);
        struct construct *probe = construct_test(L, -1);
        if (probe && probe->kind == K_PROBE) {
            check_construct(engine, probe);
        } else if (lua_type(L, -1) != LUA_TSTRING) {
            bad_sort(engine, construct, field, SORT_PROBES, lua_gettop(L));
        } else if (!probe_known(lua_tostring(L, -1))) {
            size_t count;
            const char *const *names = probe_names(&count), *near = nearest_name(lua_tostring(L, -1), names, count);
            lesson_error(engine, lesson_line(engine, construct, field), "%s: `%s`: there is no probe \"%s\"%s%s%s", title_of(L, construct), field,
                         lua_tostring(L, -1), near ? _("; did you mean \"") : "", near ? near : "", near ? "\"?" : "");
        }
        lua_pop(L, 1);
    }
}

static void check_orders(struct engine *engine, const struct construct *construct, const char *field, int index)
{
    lua_State *L = engine->L;
    if (lua_type(L, index) != LUA_TTABLE)
        bad_sort(engine, construct, field, SORT_ORDERS, index);
    for (size_t i = 1; i <= lua_rawlen(L, index); i++) {
        if (lua_rawgeti(L, index, (lua_Integer)i) != LUA_TTABLE)
            bad_sort(engine, construct, field, SORT_ORDERS, lua_gettop(L));
        check_list(engine, construct, field, SORT_NAMES, lua_gettop(L));
        lua_pop(L, 1);
    }
}

static void check_sort(struct engine *engine, const struct construct *construct, const char *field, enum sort sort, int index)
{
    lua_State *L = engine->L;
    int type = lua_type(L, index);
    switch (sort) {
    case SORT_NUMBER:
        if (type != LUA_TNUMBER)
            bad_sort(engine, construct, field, sort, index);
        break;
    case SORT_TEXT:
        if (type != LUA_TSTRING)
            bad_sort(engine, construct, field, sort, index);
        break;
    case SORT_SWITCH:
        if (type != LUA_TBOOLEAN)
            bad_sort(engine, construct, field, sort, index);
        break;
    case SORT_FUNCTION:
        if (type != LUA_TFUNCTION)
            bad_sort(engine, construct, field, sort, index);
        break;
    case SORT_WORDS:
        if (type != LUA_TSTRING)
            bad_sort(engine, construct, field, sort, index);
        check_words(engine, construct, field, lua_tostring(L, index));
        break;
    case SORT_FORMULA:
        if (!formula_sort(L, index))
            bad_sort(engine, construct, field, sort, index);
        if (type == LUA_TSTRING)
            compile_formula(engine, construct, field, lua_tostring(L, index));
        break;
    case SORT_NAMES:
    case SORT_WORDS_LIST:
    case SORT_FORMULAS:
    case SORT_KNOBS:
        check_list(engine, construct, field, sort, index);
        break;
    case SORT_TABLE:
        if (type != LUA_TTABLE)
            bad_sort(engine, construct, field, sort, index);
        check_named(engine, construct, field, index);
        break;
    case SORT_SHOW:
        check_show(engine, construct, index);
        break;
    case SORT_AXES:
        if (!formula_sort(L, index))
            bad_sort(engine, construct, field, sort, index);
        break;
    case SORT_CODE:
        check_program(engine, construct, field, index);
        break;
    case SORT_PROBES:
        check_probes(engine, construct, field, index);
        break;
    case SORT_ORDERS:
        check_orders(engine, construct, field, index);
        break;
    case SORT_PREDICT:
        if (type != LUA_TTABLE && !(type == LUA_TBOOLEAN && lua_toboolean(L, index)))
            bad_sort(engine, construct, field, sort, index);
        break;
    }
}

static const struct field *find_field(const struct field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].name && !strcmp(fields[i].name, name))
            return &fields[i];
    return NULL;
}

int check_kind_fields(struct engine *engine, const struct construct *construct, int table)
{
    lua_State *L = engine->L;
    size_t count, near_count = 0;
    const struct field *fields = fields_of(construct->kind, &count);
    enum entries entries = entries_of(construct->kind);
    const char *near[64];
    table = lua_absindex(L, table);
    for (size_t i = 0; i < count; i++)
        if (fields[i].name)
            near[near_count++] = fields[i].name;
    files_settle(engine, construct, table);
    size_t list = entries == ENTRIES_NONE ? 0 : entries == ENTRIES_ONE ? 1 : lua_rawlen(L, table);
    keys_sorted(L, table);
    int keys = lua_gettop(L);
    for (size_t k = 1; k <= lua_rawlen(L, keys); k++) {
        lua_rawgeti(L, keys, (lua_Integer)k);
        lua_pushvalue(L, -1);
        lua_rawget(L, table);
        int value = lua_gettop(L);
        if (lua_type(L, value - 1) == LUA_TNUMBER) {
            if (k > list || lua_tonumber(L, value - 1) != (double)k) {
                struct construct *part = construct_test(L, value);
                lesson_error(engine, part ? part->line : construct->line, "%s: a %s without a key has no place here", title_of(L, construct),
                             luaL_typename(L, value));
            }
            lua_settop(L, keys);
            continue;
        }
        const char *name = lua_type(L, value - 1) == LUA_TSTRING ? lua_tostring(L, value - 1) : "?";
        const struct field *field = find_field(fields, count, name);
        if (!field) {
            const char *best = nearest_name(name, near, near_count);
            lesson_error(engine, lesson_line(engine, construct, name), "%s has no field `%s`%s%s%s", title_of(L, construct), name,
                         best ? _("; did you mean `") : "", best ? best : "", best ? "`?" : "");
        }
        check_sort(engine, construct, name, field->sort, value);
        lua_settop(L, keys);
    }
    lua_pop(L, 1);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].name)
            lua_getfield(L, table, fields[i].name);
        else
            lua_rawgeti(L, table, 1);
        if (lua_isnil(L, -1) && fields[i].must && fields[i].name && !strcmp(fields[i].name, "format"))
            lesson_error(engine, construct->line, "%s needs the field `format`: write format = %d", title_of(L, construct), FORMAT);
        if (lua_isnil(L, -1) && fields[i].must)
            lesson_error(engine, construct->line, fields[i].name ? N_("%s needs the field `%s`") : N_("%s needs an entry without a key first%s"),
                         title_of(L, construct), fields[i].name ? fields[i].name : "");
        if (!fields[i].name && !lua_isnil(L, -1))
            check_sort(engine, construct, "1", fields[i].sort, lua_gettop(L));
        lua_pop(L, 1);
    }
    return 0;
}

void check_format(struct engine *engine, const struct construct *construct, int fields)
{
    lua_State *L = engine->L;
    bool said = lua_getfield(L, fields, "format") == LUA_TNUMBER;
    double format = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (said && format != FORMAT)
        lesson_error(engine, lesson_line(engine, construct, "format"),
                     format > FORMAT ? N_("%s is written in lesson format %g; this normtutor reads format %d: a newer one is needed")
                                     : N_("%s: there is no lesson format %g; this normtutor reads format %d"),
                     title_of(L, construct), format, FORMAT);
}

static void check_views(struct engine *engine, const struct construct *construct, int table)
{
    lua_State *L = engine->L;
    size_t count = lua_rawlen(L, table);
    if (!count)
        lesson_error(engine, construct->line, "%s is empty", construct_name(construct->kind));
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, table, (lua_Integer)i);
        struct construct *view = construct_test(L, -1);
        if (construct->kind == K_VIEW_TABLE) {
            if (lua_type(L, -1) != LUA_TTABLE)
                lesson_error(engine, construct->line, "view.table: row %zu is a %s, not a list of formulas", i, luaL_typename(L, -1));
        } else {
            if (!view || !is_view(view->kind))
                lesson_error(engine, view ? view->line : construct->line, "%s: entry %zu is a %s, not a view", construct_name(construct->kind), i,
                             luaL_typename(L, -1));
            check_construct(engine, view);
        }
        lua_pop(L, 1);
    }
}

/* A label for each of `count`, where there are labels. */
static void check_labels(struct engine *engine, const struct construct *construct, int table, const char *field, size_t count)
{
    lua_State *L = engine->L;
    size_t labels = lua_getfield(L, table, field) == LUA_TTABLE ? lua_rawlen(L, -1) : count;
    if (labels != count)
        lesson_error(engine, lesson_line(engine, construct, field),
                     strcmp(field, "head") ? N_("%s: `%s` needs a text for each of the %zu entries, \"\" where there is none; it has %zu")
                                           : N_("%s: `%s` needs a text for each of the %zu columns, \"\" where there is none; it has %zu"),
                     construct_name(construct->kind), field, count, labels);
    lua_pop(L, 1);
}

static void check_table(struct engine *engine, const struct construct *construct, int table)
{
    lua_State *L = engine->L;
    size_t columns = 0, rows = lua_rawlen(L, table);
    for (size_t i = 1; i <= rows; i++) {
        lua_rawgeti(L, table, (lua_Integer)i);
        columns = lua_rawlen(L, -1) > columns ? lua_rawlen(L, -1) : columns;
        lua_pop(L, 1);
    }
    check_labels(engine, construct, table, "head", columns);
    check_labels(engine, construct, table, "names", rows);
}

/* The tables of a plot know few keys. */
static void check_plot_keys(struct engine *engine, const struct construct *construct, const char *field, int table, const char *const *known, size_t count)
{
    lua_State *L = engine->L;
    keys_sorted(L, table);
    int keys = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        const char *key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        bool found = !key;
        for (size_t n = 0; n < count; n++)
            found = found || !strcmp(known[n], key);
        if (!found) {
            const char *near = nearest_name(key, known, count);
            lesson_error(engine, lesson_line(engine, construct, key), "view.plot: `%s` has no key `%s`%s%s%s", field, key,
                         near ? _("; did you mean `") : "", near ? near : "", near ? "`?" : "");
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void check_plot(struct engine *engine, const struct construct *construct, int table)
{
    static const char *const over[] = { "label", "log" }, *const lists[] = { "lines", "marks" };
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (lua_getfield(L, table, "over") == LUA_TTABLE) {
        check_plot_keys(engine, construct, "over", top + 1, over, 2);
        if (lua_rawlen(L, top + 1) != 3 || lua_rawgeti(L, top + 1, 1) != LUA_TSTRING)
            lesson_error(engine, lesson_line(engine, construct, "over"), "view.plot: `over` needs the variable's name and two ends: over = { \"s\", from, to }");
    }
    for (int i = 0; i < 2; i++) {
        lua_settop(L, top);
        if (lua_getfield(L, table, lists[i]) != LUA_TTABLE)
            continue;
        for (size_t n = 1; n <= lua_rawlen(L, top + 1); n++) {
            if (lua_rawgeti(L, top + 1, (lua_Integer)n) == LUA_TTABLE)
                check_plot_keys(engine, construct, lists[i], top + 2, over, 1);
            lua_settop(L, top + 1);
        }
    }
    lua_settop(L, top);
}

static void check_construct(struct engine *engine, struct construct *construct)
{
    lua_State *L = engine->L;
    luaL_checkstack(L, 30, "views nested too deep");
    lua_getiuservalue(L, -1, 1);
    int table = lua_gettop(L);
    check_kind_fields(engine, construct, table);
    if (is_knob(construct->kind))
        check_knob(engine, construct, table);
    if (construct->kind == K_VIEW_ROW || construct->kind == K_VIEW_COLUMN || construct->kind == K_VIEW_TABLE)
        check_views(engine, construct, table);
    if (construct->kind == K_VIEW_TABLE)
        check_table(engine, construct, table);
    if (construct->kind == K_VIEW_PLOT)
        check_plot(engine, construct, table);
    if (construct->kind == K_VIEW_PRECISION)
        precision_check(engine, construct, table);
    if (construct->kind == K_VIEW_COMPARE && lua_rawlen(L, table) != 2)
        lesson_error(engine, construct->line, "view.compare needs two entries: view.compare { a, b }");
    if (construct->kind == K_VIEW_COMPARE)
        check_labels(engine, construct, table, "names", 2);
    lua_settop(L, table - 1);
}

void check_made_view(struct engine *engine, int index)
{
    struct construct *view = construct_test(engine->L, index);
    if (!view || !is_view(view->kind))
        return;
    lua_pushvalue(engine->L, index);
    construct_seal(engine);
    check_construct(engine, view);
    lua_pop(engine->L, 1);
}

static void check_file_name(struct engine *engine)
{
    const char *file = engine->request->file, *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    size_t length = strlen(name);
    const char *id = engine->lesson.construct->id;
    if (length > 4 && !strcmp(name + length - 4, ".lua") && (strlen(id) != length - 4 || strncmp(id, name, length - 4)))
        lesson_error(engine, engine->lesson.construct->line, "the lesson's id \"%s\" must be its file's name without .lua", id);
}

void check_lesson(struct engine *engine)
{
    lua_State *L = engine->L;
    check_file_name(engine);
    lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
    check_kind_fields(engine, engine->lesson.construct, lua_gettop(L));
    lua_pop(L, 1);
    for (size_t i = 0; i < engine->lesson.step_count; i++) {
        const struct step_def *step = &engine->lesson.steps[i];
        lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
        int table = lua_gettop(L);
        check_kind_fields(engine, step->construct, table);
        if (is_question(step->construct->kind)) {
            check_question(engine, step, table);
            check_travel(engine, step, table);
            check_hide(engine, step, table);
        }
        lua_settop(L, table - 1);
    }
}

void check_fact_name(struct engine *engine, const struct construct *where, const char *field, const char *name)
{
    bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *at = name; *at && good; at++)
        good = isalnum((unsigned char)*at) || *at == '_';
    if (!good)
        lesson_error(engine, lesson_line(engine, where, field), "%s: `%s`: \"%s\" is not a name in Lua", title_of(engine->L, where), field, name);
    if (name_taken(name, false))
        lesson_error(engine, lesson_line(engine, where, field), "%s: `%s`: the name `%s` is taken", title_of(engine->L, where), field, name);
}
