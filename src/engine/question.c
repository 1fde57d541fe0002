/* A question: what is asked, what may be typed, which option was chosen, and the words around it. */
#include <stdlib.h>
#include <string.h>

#include "engine/judge.h"

/* ---- names that may be typed ---- */

static struct named_quantity *allowed_names(struct engine *engine, const struct step_def *step, int env, struct scene_question *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    struct named_quantity *names = NULL;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    if (lua_getfield(L, -1, "allow") == LUA_TTABLE) {
        int list = lua_gettop(L);
        size_t count = lua_rawlen(L, list);
        names = scene_zero(engine, count, sizeof *names);
        out->allow.item = scene_zero(engine, count, sizeof *out->allow.item);
        out->allow.count = count;
        for (size_t i = 0; i < count; i++) {
            lua_rawgeti(L, list, (lua_Integer)i + 1);
            names[i].name = out->allow.item[i] = scene_text(engine, lua_tostring(L, -1));
            lua_pushvalue(L, -1);
            lua_gettable(L, env); /* raises on an unknown name */
            if (!quantity_take(engine, &names[i].value))
                lesson_error(engine, lesson_line(engine, step->construct, "allow"), "%s \"%s\": `allow`: `%s` is no number and no tensor",
                             construct_name(step->construct->kind), step->construct->id, names[i].name);
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top);
    return names;
}

const char *mistake_words(struct engine *engine, const struct part_def *part, int facts, const struct quantity *got, size_t at)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts_extend(L, facts);
    int layer = lua_gettop(L);
    if (got && got->rank == 0) {
        lua_pushnumber(L, got->values[0]);
        facts_set(L, layer, "got");
    } else if (got) {
        struct error err;
        struct tensor **x = tensor_push(L);
        if (tensor_new(x, &engine->memory, got->rank, got->extents, NULL, &err))
            raise_error(L, &err);
        for (size_t i = 0; i < got->count; i++)
            tensor_set_flat(*x, i, (float)got->values[i]);
        tensor_freeze(L, -1);
        facts_set(L, layer, "got");
    }
    lua_pushinteger(L, (lua_Integer)at + 1);
    facts_set(L, layer, "at");
    facts_env(L, layer);
    int env = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    lua_getfield(L, -1, "say");
    const char *words = lua_isnil(L, -1) ? "" : words_fill(engine, part->construct, "say", lua_tostring(L, -1), env);
    lua_settop(L, top);
    return words;
}

/* ---- choices ---- */

static bool option_right(struct engine *engine, const struct part_def *part, int env)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    bool right = lua_getfield(L, -1, "right") != LUA_TNIL && formula_true(engine, part->construct, "right", lua_gettop(L), env);
    lua_settop(L, top);
    return right;
}

/* The options in the order shown: order[place] = option. */
static void shuffle(struct engine *engine, const struct step_def *step, size_t *order)
{
    lua_State *L = engine->L;
    for (size_t i = 0; i < step->part_count; i++)
        order[i] = i;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "shuffle");
    if (lua_toboolean(L, -1)) {
        struct random_stream random;
        uint64_t key = hash_text(hash_text(HASH_START, step->construct->id), "options");
        random_start(&random, key ^ engine->request->seed, engine->request->attempt);
        for (size_t i = step->part_count; i > 1; i--) {
            size_t j = (size_t)random_integer(&random, 0, (int64_t)i - 1), kept = order[j];
            order[j] = order[i - 1];
            order[i - 1] = kept;
        }
    }
    lua_pop(L, 2);
}

static size_t option_chosen(const struct step_def *step, const size_t *order, const char *answer)
{
    for (size_t i = 0; i < step->part_count; i++)
        if (!strcmp(step->parts[i].construct->id, answer))
            return i;
    char *end;
    unsigned long place = strtoul(answer, &end, 10);
    if (end != answer && !end[strspn(end, " .)")] && place >= 1 && place <= step->part_count)
        return order[place - 1];
    return step->part_count;
}

static const char *option_words(struct engine *engine, const struct part_def *part, int env)
{
    lua_State *L = engine->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    lua_rawgeti(L, -1, 1);
    const char *words = words_fill(engine, part->construct, "1", lua_tostring(L, -1), env);
    lua_pop(L, 2);
    return words;
}

/* Which option is right? Raises unless exactly one is. */
static size_t right_option(struct engine *engine, const struct step_def *step, int env)
{
    size_t rights = 0, right = 0;
    for (size_t i = 0; i < step->part_count; i++)
        if (option_right(engine, &step->parts[i], env)) {
            rights++;
            right = i;
        }
    if (rights != 1)
        lesson_error(engine, step->construct->line, "ask.choice \"%s\": %zu options are right; exactly one must be", step->construct->id, rights);
    return right;
}

static void judge_choice(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out)
{
    size_t *order = scene_zero(engine, step->part_count, sizeof *order), right = right_option(engine, step, env);
    shuffle(engine, step, order);
    out->options = scene_zero(engine, step->part_count, sizeof *out->options);
    out->option_count = step->part_count;
    for (size_t i = 0; i < step->part_count; i++) {
        out->options[i].id = scene_text(engine, step->parts[order[i]].construct->id);
        out->options[i].text = ""; /* with the knobs, as said and answer: choice_words */
    }
    const char *answer = engine->request->answer;
    if (!answer)
        return;
    size_t chosen = option_chosen(step, order, answer);
    if (chosen == step->part_count) {
        out->verdict = VERDICT_UNREAD;
        out->say = arena_printf(engine->scene->arena, "Choose one of the %zu, by its number.", step->part_count);
        return;
    }
    out->verdict = chosen == right ? VERDICT_RIGHT : VERDICT_WRONG;
    if (chosen != right) {
        out->mistake = scene_text(engine, step->parts[chosen].construct->id);
        out->say = mistake_words(engine, &step->parts[chosen], facts, NULL, 0);
    }
}

/* The options' words, which follow the knobs. */
static void choice_words(struct engine *engine, const struct step_def *step, int env, int live_env, struct scene_question *out)
{
    const char *right = step->parts[right_option(engine, step, env)].construct->id;
    const char *chosen = out->verdict == VERDICT_RIGHT ? right : out->mistake;
    for (size_t i = 0; i < out->option_count; i++) {
        struct scene_option *option = &out->options[i];
        for (size_t j = 0; j < step->part_count; j++)
            if (!strcmp(step->parts[j].construct->id, option->id))
                option->text = option_words(engine, &step->parts[j], live_env);
        if (!strcmp(option->id, chosen))
            out->said = option->text;
        if (!strcmp(option->id, right))
            out->answer = option->text;
    }
}

/* ---- the question ---- */

static struct setting *travel_end(struct engine *engine, const char *end, size_t *count)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_getfield(L, -1, end);
    keys_sorted(L, -1);
    *count = lua_rawlen(L, -1);
    struct setting *settings = scene_zero(engine, *count, sizeof *settings);
    for (size_t i = 0; i < *count; i++) {
        struct setting *setting = &settings[i];
        lua_rawgeti(L, top + 2, (lua_Integer)i + 1);
        lua_pushvalue(L, -1);
        lua_rawget(L, top + 1);
        setting->name = scene_text(engine, lua_tostring(L, -2));
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

static void take_prediction(struct engine *engine, const struct step_def *step, struct scene_question *out)
{
    lua_State *L = engine->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int type = lua_getfield(L, -1, "predict");
    if (type == LUA_TTABLE) {
        out->predict = PREDICT_TRAVEL;
        out->travel_from = travel_end(engine, "from", &out->travel_from_count);
        out->travel_to = travel_end(engine, "to", &out->travel_to_count);
    } else if (type == LUA_TBOOLEAN) {
        out->predict = PREDICT_HIDDEN;
    }
    lua_pop(L, 2);
}

void question_check(struct engine *engine, const struct step_def *step, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    struct scene_question scratch = { 0 };
    facts_env(L, facts);
    if (step->construct->kind == K_CHOICE) {
        right_option(engine, step, top + 1);
    } else if (step->construct->kind == K_SHAPE) {
        shapes_check(engine, step, top + 1);
    } else if (step->construct->kind == K_CODE) {
        code_check(engine, step, top + 1);
    } else {
        allowed_names(engine, step, top + 1, &scratch);
        numbers_check(engine, step, top + 1);
    }
    lua_settop(L, top);
}

void question_judge(struct engine *engine, const struct step_def *step, int facts, struct scene_question *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts = lua_absindex(L, facts);
    facts_env(L, facts);
    int env = lua_gettop(L);
    out->echo = out->say = out->mistake = out->said = out->yours = out->asked = out->answer = out->why = out->expects = "";
    out->allow = out->hints = (struct strings){ scene_zero(engine, 1, sizeof(char *)), 0 };
    take_prediction(engine, step, out);
    if (step->construct->kind == K_CHOICE) {
        out->expects = "one of these";
        judge_choice(engine, step, facts, env, out);
    } else if (step->construct->kind == K_SHAPE) {
        judge_shape(engine, step, facts, env, out);
    } else if (step->construct->kind == K_CODE) {
        judge_code(engine, step, facts, env, out);
    } else {
        judge_numbers(engine, step, facts, env, allowed_names(engine, step, env, out), out);
    }
    bool read = out->verdict == VERDICT_RIGHT || out->verdict == VERDICT_WRONG;
    out->final = engine->request->give_up || out->verdict == VERDICT_RIGHT || (out->predict != PREDICT_NO && read);
    lua_settop(L, top);
}

static void fill_hints(struct engine *engine, const struct step_def *step, int fields, int env, struct scene_question *out)
{
    lua_State *L = engine->L;
    if (lua_getfield(L, fields, "hints") == LUA_TTABLE) {
        int list = lua_gettop(L);
        out->hint_total = (uint32_t)lua_rawlen(L, list);
        out->hints.count = engine->request->hints < out->hint_total ? engine->request->hints : out->hint_total;
        out->hints.item = scene_zero(engine, out->hints.count, sizeof *out->hints.item);
        for (size_t i = 0; i < out->hints.count; i++) {
            lua_rawgeti(L, list, (lua_Integer)i + 1);
            out->hints.item[i] = words_fill(engine, step->construct, "hints", lua_tostring(L, -1), env);
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

void question_words(struct engine *engine, const struct step_def *step, int facts, int live_env, struct scene_question *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts = lua_absindex(L, facts);
    live_env = lua_absindex(L, live_env);
    facts_env(L, facts);
    int env = lua_gettop(L);
    if (step->construct->kind == K_CHOICE)
        choice_words(engine, step, env, live_env, out);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int fields = lua_gettop(L);
    fill_hints(engine, step, fields, env, out);
    if (!out->final) {
        out->answer = "";
    } else {
        facts_extend(L, facts);
        int layer = lua_gettop(L);
        if (step->construct->kind == K_CHOICE || step->construct->kind == K_SHAPE || step->construct->kind == K_CODE) {
            lua_pushstring(L, out->answer);
        } else {
            lua_getfield(L, fields, "answer");
            formula_value(engine, step->construct, "answer", lua_gettop(L), env);
            lua_remove(L, -2);
        }
        facts_set(L, layer, "answer");
        facts_env(L, layer);
        lua_getfield(L, fields, "why");
        out->why = words_fill(engine, step->construct, "why", lua_tostring(L, -1), -2);
    }
    lua_settop(L, top);
}
