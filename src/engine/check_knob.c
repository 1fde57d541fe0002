/* Knobs as they are written: their ends, their words, and where a prediction sends them. */
#include <math.h>
#include <string.h>

#include "engine/check.h"

/* `names` speak of words that can be picked. */
static void check_pick_names(struct engine *engine, const struct construct *construct, int table)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    if (lua_getfield(L, table, "names") == LUA_TTABLE) {
        keys_sorted(L, top + 1);
        for (size_t i = 1; i <= lua_rawlen(L, top + 2); i++) {
            lua_rawgeti(L, top + 2, (lua_Integer)i);
            bool found = false;
            for (size_t word = 1; word <= lua_rawlen(L, table) && !found; word++) {
                lua_rawgeti(L, table, (lua_Integer)word);
                found = lua_rawequal(L, -1, -2);
                lua_pop(L, 1);
            }
            if (!found)
                lesson_error(engine, lesson_line(engine, construct, "names"), "%s: `names`: \"%s\" is none of the words to pick", title_of(L, construct),
                             luaL_tolstring(L, -1, NULL));
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top);
}

void check_knob(struct engine *engine, const struct construct *construct, int table)
{
    lua_State *L = engine->L;
    const char *title = title_of(L, construct);
    if (name_taken(construct->id, true))
        lesson_error(engine, construct->line, "%s: the name `%s` is taken", title, construct->id);
    size_t count = lua_rawlen(L, table);
    if (construct->kind == K_KNOB_PICK) {
        if (count < 2)
            lesson_error(engine, construct->line, "%s needs at least two words to pick from", title);
        for (size_t i = 1; i <= count; i++) {
            lua_rawgeti(L, table, (lua_Integer)i);
            if (lua_type(L, -1) != LUA_TSTRING)
                lesson_error(engine, construct->line, "%s: word %zu is a %s", title, i, luaL_typename(L, -1));
            lua_pop(L, 1);
        }
        check_pick_names(engine, construct, table);
    } else if (construct->kind != K_KNOB_SWITCH) {
        double ends[2] = { NAN, NAN };
        for (int i = 0; i < 2 && count == 2; i++) {
            lua_rawgeti(L, table, i + 1);
            ends[i] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
            lua_pop(L, 1);
        }
        if (!(ends[0] < ends[1]) || !isfinite(ends[0]) || !isfinite(ends[1]))
            lesson_error(engine, construct->line, "%s needs two numbers, the second larger: { from, to }", title);
        if (construct->kind == K_KNOB_LOG && !(ends[0] > 0))
            lesson_error(engine, construct->line, "%s: the ends of a log knob must be above 0", title);
        if (construct->kind == K_KNOB_INT && (ends[0] != floor(ends[0]) || ends[1] != floor(ends[1])))
            lesson_error(engine, construct->line, "%s: the ends of an int knob must be whole numbers", title);
    }
    lua_getfield(L, table, "stops");
    if (!lua_isnil(L, -1) && !(lua_tonumber(L, -1) >= 1 && lua_tonumber(L, -1) <= 10000))
        lesson_error(engine, lesson_line(engine, construct, "stops"), "%s: `stops` must be from 1 to 10000", title);
    lua_pop(L, 2);
}

/* Can the knob whose construct is at `knob` stand at the value at `value`? What a formula comes to is not known yet. */
static bool knob_reaches(lua_State *L, int knob, int value)
{
    enum construct_kind kind = construct_test(L, knob)->kind;
    int top = lua_gettop(L);
    lua_getiuservalue(L, knob, 1);
    bool reaches = false;
    if (kind == K_KNOB_SWITCH) {
        reaches = lua_type(L, value) == LUA_TBOOLEAN;
    } else if (kind == K_KNOB_PICK) {
        for (size_t i = 1; i <= lua_rawlen(L, top + 1) && !reaches; i++) {
            lua_rawgeti(L, top + 1, (lua_Integer)i);
            reaches = lua_rawequal(L, -1, value);
        }
    } else if (lua_type(L, value) == LUA_TSTRING || lua_type(L, value) == LUA_TFUNCTION) {
        reaches = true;
    } else if (lua_type(L, value) == LUA_TNUMBER) {
        lua_rawgeti(L, top + 1, 1);
        lua_rawgeti(L, top + 1, 2);
        reaches = lua_tonumber(L, value) >= lua_tonumber(L, -2) && lua_tonumber(L, value) <= lua_tonumber(L, -1);
    }
    lua_settop(L, top);
    return reaches;
}

/* What `predict` names must be knobs of this step, and its values theirs. */
void check_travel(struct engine *engine, const struct step_def *step, int table)
{
    lua_State *L = engine->L;
    if (lua_getfield(L, table, "predict") == LUA_TTABLE) {
        int predict = lua_gettop(L);
        static const char *const ends[] = { "from", "to" };
        lua_rawgeti(L, LUA_REGISTRYINDEX, shown_step(engine, step)->ref);
        lua_getfield(L, -1, "knobs");
        int knobs = lua_gettop(L);
        for (int i = 0; i < 2; i++) {
            if (lua_getfield(L, predict, ends[i]) != LUA_TTABLE)
                bad_sort(engine, step->construct, "predict", SORT_PREDICT, predict);
            lua_pushnil(L);
            while (lua_next(L, -2)) {
                bool found = false;
                int value = lua_gettop(L);
                for (size_t n = 1; lua_type(L, knobs) == LUA_TTABLE && n <= lua_rawlen(L, knobs) && !found; n++) {
                    lua_rawgeti(L, knobs, (lua_Integer)n);
                    found = lua_type(L, -3) == LUA_TSTRING && !strcmp(construct_test(L, -1)->id, lua_tostring(L, -3));
                    if (found && !knob_reaches(L, value + 1, value))
                        lesson_error(engine, lesson_line(engine, step->construct, "predict"), "%s: `predict`: the knob `%s` cannot stand at the value under `%s`",
                                     title_of(L, step->construct), lua_tostring(L, value - 1), ends[i]);
                    lua_settop(L, value);
                }
                if (!found)
                    lesson_error(engine, lesson_line(engine, step->construct, "predict"), "%s: `predict`: there is no knob `%s` here",
                                 title_of(L, step->construct), lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?");
                lua_pop(L, 1);
            }
            lua_pop(L, 1);
        }
    }
    lua_settop(L, table);
}
