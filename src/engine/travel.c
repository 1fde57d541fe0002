/* Where a prediction's knobs stand before the answer, and where they travel: as it is written, and what it comes to. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/check.h"

static const char *const ENDS[] = { "from", "to" };

/* Pushes the step's knob of that name; NULL, and nothing pushed: there is none. */
static const struct construct *push_knob(struct engine *engine, const struct step_def *step, const char *name)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, shown_step(engine, step)->ref);
    lua_getfield(L, -1, "knobs");
    for (size_t i = 1; lua_type(L, top + 2) == LUA_TTABLE && i <= lua_rawlen(L, top + 2); i++) {
        lua_rawgeti(L, top + 2, (lua_Integer)i);
        const struct construct *knob = construct_test(L, -1);
        if (!strcmp(knob->id, name)) {
            lua_replace(L, top + 1);
            lua_settop(L, top + 1);
            return knob;
        }
        lua_pop(L, 1);
    }
    lua_settop(L, top);
    return NULL;
}

static bool has_formula(lua_State *L, const struct construct *knob, int value)
{
    bool numbers = knob && knob->kind != K_KNOB_SWITCH && knob->kind != K_KNOB_PICK;
    return numbers && (lua_type(L, value) == LUA_TSTRING || lua_type(L, value) == LUA_TFUNCTION);
}

bool travel_formula(struct engine *engine, const struct step_def *step, const char *name, int value)
{
    int top = lua_gettop(engine->L);
    bool formula = has_formula(engine->L, push_knob(engine, step, name), value);
    lua_settop(engine->L, top);
    return formula;
}

/* Can the knob whose construct is at `knob` stand at the value at `value`? */
static bool reaches(lua_State *L, int knob, int value)
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
    } else if (lua_type(L, value) == LUA_TNUMBER) {
        double number = lua_tonumber(L, value);
        lua_rawgeti(L, top + 1, 1);
        lua_rawgeti(L, top + 1, 2);
        reaches = number >= lua_tonumber(L, -2) && number <= lua_tonumber(L, -1) && (kind != K_KNOB_INT || number == floor(number));
    }
    lua_settop(L, top);
    return reaches;
}

/* Pushes "from 0.1 to 10", or where else the knob whose construct is at `knob` can stand. */
static const char *reach_words(lua_State *L, int knob)
{
    enum construct_kind kind = construct_test(L, knob)->kind;
    if (kind == K_KNOB_SWITCH)
        return lua_pushstring(L, _("true or false"));
    lua_getiuservalue(L, knob, 1);
    if (kind == K_KNOB_PICK)
        return lua_pushfstring(L, _("one of %s"), list_joined(L, -1));
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    return lua_pushfstring(L, kind == K_KNOB_INT ? _("a whole number from %s to %s") : _("a number from %s to %s"), lua_tostring(L, -2), lua_tostring(L, -1));
}

static int out_of_reach(struct engine *engine, const struct step_def *step, const char *end, int knob, int value)
{
    lua_State *L = engine->L;
    struct strbuf *said = strbuf_push(L);
    value_text(L, value, NULL, said);
    return lesson_error(engine, lesson_line(engine, step->construct, "predict"), "%s: `predict`: the knob `%s` cannot stand at %s, as `%s` says: it takes %s",
                        title_of(L, step->construct), construct_test(L, knob)->id, strbuf_string(said), end, reach_words(L, knob));
}

static int no_knob(struct engine *engine, const struct step_def *step, const char *name)
{
    enum { KNOBS_MAX = 64 };
    lua_State *L = engine->L;
    const char *names[KNOBS_MAX];
    size_t count = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, shown_step(engine, step)->ref);
    lua_getfield(L, -1, "knobs");
    for (size_t i = 1; lua_type(L, -1) == LUA_TTABLE && i <= lua_rawlen(L, -1) && i <= KNOBS_MAX; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        names[count++] = construct_test(L, -1)->id;
        lua_pop(L, 1);
    }
    const char *near = nearest_name(name, names, count);
    if (near)
        return lesson_error(engine, lesson_line(engine, step->construct, "predict"), "%s: `predict`: there is no knob `%s` here; did you mean `%s`?",
                            title_of(L, step->construct), name, near);
    return lesson_error(engine, lesson_line(engine, step->construct, "predict"), "%s: `predict`: there is no knob `%s` here%s%s", title_of(L, step->construct),
                        name, count == 1 ? _("; there is ") : count ? _("; there are ") : "", count ? names_joined(L, names, count) : "");
}

/* One name = value of an end; both are at the top. What a formula comes to is not known yet. */
static void check_value(struct engine *engine, const struct step_def *step, const char *end)
{
    lua_State *L = engine->L;
    int value = lua_gettop(L);
    const char *name = lua_type(L, value - 1) == LUA_TSTRING ? lua_tostring(L, value - 1) : "?";
    const struct construct *knob = push_knob(engine, step, name);
    if (!knob)
        no_knob(engine, step, name);
    if (has_formula(L, knob, value))
        formula_push(engine, step->construct, "predict", value);
    else if (!reaches(L, value + 1, value))
        out_of_reach(engine, step, end, value + 1, value);
    lua_settop(L, value);
}

void check_travel(struct engine *engine, const struct step_def *step, int table)
{
    lua_State *L = engine->L;
    if (lua_getfield(L, table, "predict") == LUA_TTABLE) {
        int predict = lua_gettop(L);
        for (int i = 0; i < 2; i++) {
            if (lua_getfield(L, predict, ENDS[i]) == LUA_TNIL)
                lesson_error(engine, lesson_line(engine, step->construct, "predict"), "%s: `predict` needs `%s`: predict = { from = { … }, to = { … } }",
                             title_of(L, step->construct), ENDS[i]);
            if (lua_type(L, -1) != LUA_TTABLE)
                bad_sort(engine, step->construct, "predict", SORT_PREDICT, predict);
            lua_pushnil(L);
            while (lua_next(L, -2)) {
                check_value(engine, step, ENDS[i]);
                lua_pop(L, 1);
            }
            lua_pop(L, 1);
        }
    }
    lua_settop(L, table);
}

/* The value at the top becomes the number that it comes to, where it is a formula for one. */
static void settle(struct engine *engine, const struct step_def *step, const char *name, const char *end, int env)
{
    lua_State *L = engine->L;
    int value = lua_gettop(L);
    if (has_formula(L, push_knob(engine, step, name), value)) {
        lua_pushnumber(L, formula_number(engine, step->construct, "predict", value, env));
        if (!reaches(L, value + 1, value + 2))
            out_of_reach(engine, step, end, value + 1, value + 2);
        lua_replace(L, value);
    }
    lua_settop(L, value);
}

/* The settings under the end's name of the table at the top. */
static struct setting *read_end(struct engine *engine, const struct step_def *step, const char *end, int env, size_t *count)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_getfield(L, top, end);
    keys_sorted(L, -1);
    *count = lua_rawlen(L, -1);
    struct setting *settings = scene_zero(engine, *count, sizeof *settings);
    for (size_t i = 0; i < *count; i++) {
        struct setting *setting = &settings[i];
        lua_rawgeti(L, top + 2, (lua_Integer)i + 1);
        setting->name = scene_text(engine, lua_tostring(L, -1));
        lua_rawget(L, top + 1);
        settle(engine, step, setting->name, end, env);
        if (lua_type(L, -1) == LUA_TBOOLEAN) {
            setting->kind = SETTING_SWITCH;
            setting->on = lua_toboolean(L, -1);
        } else if (lua_type(L, -1) == LUA_TSTRING) {
            setting->kind = SETTING_WORD;
            setting->word = scene_text(engine, lua_tostring(L, -1));
        } else {
            setting->number = lua_tonumber(L, -1);
        }
        lua_settop(L, top + 2);
    }
    lua_settop(L, top);
    return settings;
}

void travel_fill(struct engine *engine, const struct step_def *step, int env, struct scene_question *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int type = lua_getfield(L, -1, "predict");
    if (type == LUA_TTABLE) {
        out->predict = PREDICT_TRAVEL;
        out->travel_from = read_end(engine, step, ENDS[0], env, &out->travel_from_count);
        out->travel_to = read_end(engine, step, ENDS[1], env, &out->travel_to_count);
    } else if (type == LUA_TBOOLEAN) {
        out->predict = PREDICT_HIDDEN;
    }
    lua_settop(L, top);
}
