/* Knobs as they are written: their ends and their words. */
#include <math.h>
#include <string.h>

#include "base/language.h"
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
                lesson_error(engine, construct->line,
                             lua_type(L, -1) == LUA_TNUMBER ? N_("%s: word %zu is a %s; write words in quotes: { \"a\", \"b\" }") : N_("%s: word %zu is a %s"),
                             title, i, luaL_typename(L, -1));
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
