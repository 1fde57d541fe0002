/* Knobs as the learner sees them, and their values as facts. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

enum { STOPS_DEFAULT = 48 };

const struct step_def *shown_step(struct engine *engine, const struct step_def *step)
{
    lua_State *L = engine->L;
    const struct step_def *shown = step;
    for (;;) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, shown->ref);
        lua_getfield(L, -1, "show");
        const char *id = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        lua_pop(L, 2);
        if (!id)
            return shown;
        const struct step_def *earlier = NULL;
        for (const struct step_def *s = engine->lesson.steps; s < shown; s++)
            if (!strcmp(s->construct->id, id))
                earlier = s;
        if (!earlier)
            return shown;
        shown = earlier;
    }
}

static const struct setting *find_setting(const struct setting *settings, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(settings[i].name, name))
            return &settings[i];
    return NULL;
}

static double clamp(const struct scene_knob *knob, double value)
{
    if (!(value >= knob->from))
        value = knob->from;
    if (value > knob->to)
        value = knob->to;
    return knob->kind == KNOB_INT ? round(value) : value;
}

static int bad_start(struct engine *engine, const struct construct *construct)
{
    return lesson_error(engine, lesson_line(engine, construct, "at"), "%s \"%s\" starts outside its ends, or at a value of another sort",
                        construct_name(construct->kind), construct->id);
}

/* The value at the top of the stack, popped, as the knob's position. */
static double start_value(struct engine *engine, const struct construct *construct, const struct scene_knob *knob)
{
    lua_State *L = engine->L;
    double value = NAN;
    if (knob->kind == KNOB_SWITCH) {
        if (lua_type(L, -1) == LUA_TBOOLEAN)
            value = lua_toboolean(L, -1);
    } else if (knob->kind == KNOB_PICK) {
        for (size_t i = 0; i < knob->options.count && lua_type(L, -1) == LUA_TSTRING; i++)
            if (!strcmp(knob->options.item[i], lua_tostring(L, -1)))
                value = (double)i;
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        value = lua_tonumber(L, -1);
        if (value < knob->from || value > knob->to || (knob->kind == KNOB_INT && value != floor(value)))
            value = NAN;
    }
    if (isnan(value))
        bad_start(engine, construct);
    lua_pop(L, 1);
    return value;
}

static void set_value(struct engine *engine, struct scene_knob *knob, const struct setting *setting)
{
    if (setting && setting->kind == SETTING_NUMBER && knob->kind <= KNOB_INT && !isnan(setting->number))
        knob->value = clamp(knob, setting->number);
    else if (setting && setting->kind == SETTING_SWITCH && knob->kind == KNOB_SWITCH)
        knob->value = setting->on;
    else if (setting && setting->kind == SETTING_WORD && knob->kind == KNOB_PICK)
        for (size_t i = 0; i < knob->options.count; i++)
            if (!strcmp(knob->options.item[i], setting->word))
                knob->value = (double)i;
    char text[NUMBER_TEXT];
    if (knob->kind == KNOB_SWITCH) {
        knob->value_text = knob->value != 0 ? _("on") : _("off");
    } else if (knob->kind == KNOB_PICK) {
        knob->value_text = knob->option_names.item[(size_t)knob->value];
    } else {
        number_text(text, knob->value);
        knob->value_text = scene_text(engine, text);
    }
}

static void read_pick(struct engine *engine, const struct construct *construct, int fields, int env, struct scene_knob *knob)
{
    lua_State *L = engine->L;
    size_t count = lua_rawlen(L, fields);
    knob->options.item = scene_zero(engine, count, sizeof *knob->options.item);
    knob->option_names.item = scene_zero(engine, count, sizeof *knob->option_names.item);
    knob->options.count = knob->option_names.count = count;
    lua_getfield(L, fields, "names");
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, fields, (lua_Integer)i + 1);
        knob->options.item[i] = scene_text(engine, lua_tostring(L, -1));
        knob->option_names.item[i] = knob->options.item[i];
        if (lua_type(L, -2) == LUA_TTABLE) {
            if (lua_getfield(L, -2, knob->options.item[i]) == LUA_TSTRING)
                knob->option_names.item[i] = words_fill(engine, construct, "names", lua_tostring(L, -1), env);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    knob->to = (double)count - 1;
}

/* The knob at the top of the stack, popped. */
static void read_knob(struct engine *engine, int facts, int env, struct scene_knob *knob)
{
    lua_State *L = engine->L;
    const struct construct *construct = construct_test(L, -1);
    static const enum knob_kind kinds[] = { KNOB_LOG, KNOB_LINEAR, KNOB_INT, KNOB_SWITCH, KNOB_PICK };
    lua_getiuservalue(L, -1, 1);
    int fields = lua_gettop(L);
    knob->kind = kinds[construct->kind - K_KNOB_LOG];
    knob->name = scene_text(engine, construct->id);
    knob->label = knob->name;
    if (lua_getfield(L, fields, "label") == LUA_TSTRING)
        knob->label = words_fill(engine, construct, "label", lua_tostring(L, -1), env);
    lua_pop(L, 1);
    knob->options = knob->option_names = (struct strings){ scene_zero(engine, 1, sizeof(char *)), 0 };
    if (knob->kind == KNOB_PICK) {
        read_pick(engine, construct, fields, env, knob);
    } else if (knob->kind == KNOB_SWITCH) {
        knob->to = 1;
    } else {
        lua_rawgeti(L, fields, 1);
        lua_rawgeti(L, fields, 2);
        knob->from = lua_tonumber(L, -2);
        knob->to = lua_tonumber(L, -1);
        lua_getfield(L, fields, "stops");
        knob->stops = lua_isnil(L, -1) ? STOPS_DEFAULT : (uint32_t)lua_tonumber(L, -1);
        lua_pop(L, 3);
    }
    if (lua_getfield(L, fields, "at") != LUA_TNIL) {
        if (knob->kind == KNOB_PICK && lua_type(L, -1) == LUA_TSTRING) {
            bool is_word = false;
            for (size_t i = 0; i < knob->options.count; i++)
                is_word = is_word || !strcmp(knob->options.item[i], lua_tostring(L, -1));
            if (!is_word)
                formula_value(engine, construct, "at", -1, env);
        } else {
            formula_value(engine, construct, "at", -1, env);
        }
        knob->at = start_value(engine, construct, knob);
    } else if (facts_has(L, facts, knob->name)) {
        lua_getfield(L, env, knob->name);
        knob->at = start_value(engine, construct, knob);
    } else {
        knob->at = knob->kind <= KNOB_INT ? knob->from : 0;
    }
    knob->value = knob->at;
    lua_settop(L, fields - 2);
}

void knobs_fill(struct engine *engine, const struct step_def *step, int facts, struct scene_step *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts = lua_absindex(L, facts);
    facts_env(L, facts);
    int env = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, shown_step(engine, step)->ref);
    if (lua_getfield(L, -1, "knobs") != LUA_TTABLE) {
        lua_settop(L, top);
        return;
    }
    int list = lua_gettop(L);
    out->knob_count = lua_rawlen(L, list);
    out->knobs = scene_zero(engine, out->knob_count, sizeof *out->knobs);
    const struct scene_question *question = out->question;
    for (size_t i = 0; i < out->knob_count; i++) {
        struct scene_knob *knob = &out->knobs[i];
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        read_knob(engine, facts, env, knob);
        const struct setting *setting = find_setting(engine->request->settings, engine->request->setting_count, knob->name);
        if (out->locked && question) {
            const struct setting *from = find_setting(question->travel_from, question->travel_from_count, knob->name);
            setting = from;
        }
        set_value(engine, knob, setting);
    }
    lua_settop(L, top);
}

void knobs_facts(lua_State *L, const struct scene_step *step, int facts, bool at_start)
{
    for (size_t i = 0; i < step->knob_count; i++) {
        const struct scene_knob *knob = &step->knobs[i];
        double value = at_start ? knob->at : knob->value;
        if (knob->kind == KNOB_SWITCH)
            lua_pushboolean(L, value != 0);
        else if (knob->kind == KNOB_PICK)
            lua_pushstring(L, knob->options.item[(size_t)value]);
        else if (knob->kind == KNOB_INT)
            lua_pushinteger(L, (lua_Integer)value);
        else
            lua_pushnumber(L, value);
        facts_set(L, facts, knob->name);
    }
}
