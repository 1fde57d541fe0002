/* Questions as they are written: what they hide, what they begin with, how exact they are, their parts. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/check.h"

enum { QUANTITIES_MAX = 64 };

/* What of the view at `index` can be hidden. Borrowed from the view; false: that is not known. */
static bool collect_quantities(lua_State *L, int index, const char **names, size_t *count)
{
    const struct construct *view = construct_test(L, index);
    if (!view)
        return lua_type(L, index) != LUA_TFUNCTION;
    int top = lua_gettop(L);
    bool known = true;
    luaL_checkstack(L, 10, NULL);
    for (const char *const *own = quantities_of(view->kind); *own && *count < QUANTITIES_MAX; own++)
        names[(*count)++] = *own;
    lua_getiuservalue(L, index, 1);
    int fields = top + 1, list = fields;
    if (view->kind == K_VIEW_PLOT) {
        lua_getfield(L, fields, "lines");
        list = fields + 1;
    }
    for (size_t i = 1; i <= lua_rawlen(L, list) && known; i++) {
        lua_rawgeti(L, list, (lua_Integer)i);
        if (view->kind == K_VIEW_ROW || view->kind == K_VIEW_COLUMN)
            known = collect_quantities(L, lua_gettop(L), names, count);
        else if (view->kind == K_VIEW_PLOT && lua_type(L, -1) == LUA_TTABLE && lua_getfield(L, -1, "label") == LUA_TSTRING && *count < QUANTITIES_MAX)
            names[(*count)++] = lua_tostring(L, -1);
        lua_settop(L, list);
    }
    lua_settop(L, top);
    return known;
}

/* What `hide` names must be quantities of the view. */
void check_hide(struct engine *engine, const struct step_def *step, int table)
{
    lua_State *L = engine->L;
    const char *names[QUANTITIES_MAX];
    size_t count = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, shown_step(engine, step)->ref);
    lua_getfield(L, -1, "show");
    bool known = collect_quantities(L, lua_gettop(L), names, &count);
    lua_getfield(L, table, "hide");
    for (size_t i = 1; known && lua_type(L, -1) == LUA_TTABLE && i <= lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        const char *name = lua_tostring(L, -1), *near = nearest_name(name, names, count);
        if (!near)
            lesson_error(engine, lesson_line(engine, step->construct, "hide"), "%s: `hide`: the view has no `%s`; %s%s", title_of(L, step->construct), name,
                         count ? _("what can be hidden: ") : _("nothing in it can be hidden"), names_joined(L, names, count));
        if (strcmp(near, name))
            lesson_error(engine, lesson_line(engine, step->construct, "hide"), "%s: `hide`: the view has no `%s`%s%s%s", title_of(L, step->construct), name,
                         _("; did you mean `"), near, "`?");
        lua_pop(L, 1);
    }
    lua_settop(L, table);
}

/* Pushes the view of a question for a program, as if it stood on `line`. */
static void push_code_view(lua_State *L, int line)
{
    static const char text[] = "return view.column { view.probes { 'module' }, view.leak { 'module' } }";
    if (luaL_loadbufferx(L, text, sizeof text - 1, "=view", "t") != LUA_OK)
        lua_error(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.file_globals");
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    construct_test(L, -1)->line = line;
    lua_getiuservalue(L, -1, 1);
    for (int i = 1; i <= 2; i++) {
        lua_rawgeti(L, -1, i);
        construct_test(L, -1)->line = line;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* What the learner begins with is said once; a view is there even where the lesson gives none. */
static void check_code(struct engine *engine, const struct step_def *step, int table)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    int begins = (lua_getfield(L, table, "broken") != LUA_TNIL) + (lua_getfield(L, table, "start") != LUA_TNIL);
    if (begins != 1)
        lesson_error(engine, step->construct->line, "%s needs one of `broken` and `start`: what the learner begins with", title_of(L, step->construct));
    if (lua_getfield(L, table, "predict") != LUA_TNIL)
        lesson_error(engine, lesson_line(engine, step->construct, "predict"), "%s cannot be a prediction", title_of(L, step->construct));
    if (lua_getfield(L, table, "show") == LUA_TNIL) {
        push_code_view(L, step->construct->line);
        lua_setfield(L, table, "show");
    }
    lua_settop(L, top);
}

void check_question(struct engine *engine, const struct step_def *step, int table)
{
    lua_State *L = engine->L;
    int said = 0;
    static const char *const precision[] = { "places", "digits", "tolerance" };
    for (int i = 0; i < 3; i++) {
        if (lua_getfield(L, table, precision[i]) == LUA_TNUMBER) {
            double value = lua_tonumber(L, -1);
            said++;
            if (i < 2 ? value != floor(value) || value < i || value > 9 : !(value > 0 && isfinite(value)))
                lesson_error(engine, lesson_line(engine, step->construct, precision[i]), i < 2 ? N_("%s: `%s` must be a whole number from %d to 9")
                             : N_("%s: `%s` must be above 0"), title_of(L, step->construct), precision[i], i);
        }
        lua_pop(L, 1);
    }
    if (said > 1)
        lesson_error(engine, step->construct->line, "%s has more than one of places, digits and tolerance", title_of(L, step->construct));
    if (step->construct->kind == K_CHOICE && step->part_count < 2)
        lesson_error(engine, step->construct->line, "%s needs at least two options", title_of(L, step->construct));
    if (step->construct->kind == K_CODE)
        check_code(engine, step, table);
    if (lua_getfield(L, table, "accept") != LUA_TNIL && lua_getfield(L, table, "data") == LUA_TNIL)
        lesson_error(engine, lesson_line(engine, step->construct, "accept"), "%s: `accept` needs the question's own `data`", title_of(L, step->construct));
    lua_settop(L, table);
    for (size_t i = 0; i < step->part_count; i++) {
        const struct construct *option = step->parts[i].construct;
        lua_rawgeti(L, LUA_REGISTRYINDEX, step->parts[i].ref);
        check_kind_fields(engine, option, lua_gettop(L));
        if (option->kind == K_OPTION && lua_getfield(L, -1, "say") == LUA_TNIL) {
            lua_getfield(L, -2, "right");
            if (lua_type(L, -1) != LUA_TBOOLEAN || !lua_toboolean(L, -1))
                lesson_error(engine, option->line, "%s needs the field `say`, what a learner who picks it is told, or `right = true`", title_of(L, option));
        }
        lua_settop(L, table);
    }
}
