/* A question: what may be typed by name, the verdict by its kind, and the words around it. */
#include <stdio.h>
#include <string.h>

#include "engine/judge.h"

/* ---- names that may be typed ---- */

/* A name as the learner is told of it: "n (16)"; a tensor's alone. */
static const char *with_number(struct engine *engine, const struct named_quantity *named)
{
    char number[NUMBER_TEXT], words[160];
    if (named->value.rank > 0)
        return named->name;
    number_text(number, named->value.values[0]);
    snprintf(words, sizeof words, "%s (%s)", named->name, number);
    return scene_text(engine, words);
}

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
            names[i].name = scene_text(engine, lua_tostring(L, -1));
            lua_pushvalue(L, -1);
            lua_gettable(L, env); /* raises on an unknown name */
            if (!quantity_take(engine, &names[i].value))
                lesson_error(engine, lesson_line(engine, step->construct, "allow"), "%s \"%s\": `allow`: `%s` is no number and no tensor",
                             construct_name(step->construct->kind), step->construct->id, names[i].name);
            out->allow.item[i] = with_number(engine, &names[i]);
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top);
    return names;
}

bool mistake_counts(struct engine *engine, const struct part_def *part, int env)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    env = lua_absindex(L, env);
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    bool counts = lua_getfield(L, -1, "when") == LUA_TNIL || formula_true(engine, part->construct, "when", lua_gettop(L), env);
    lua_settop(L, top);
    return counts;
}

const char *mistake_words(struct engine *engine, const struct part_def *part, int facts, int got, size_t at)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    facts_extend(L, facts);
    int layer = lua_gettop(L);
    if (got) {
        lua_pushvalue(L, got);
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

/* ---- the question ---- */

void question_check(struct engine *engine, const struct step_def *step, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L), env = top + 1;
    struct scene_question scratch = { 0 };
    facts_env(L, facts);
    travel_fill(engine, step, env, &scratch);
    switch (step->construct->kind) {
    case K_CHOICE: choice_check(engine, step, env); break;
    case K_ORDER: order_check(engine, step, env); break;
    case K_SHAPE: shapes_check(engine, step, env); break;
    case K_CODE: code_check(engine, step, env); break;
    default:
        allowed_names(engine, step, env, &scratch);
        numbers_check(engine, step, env);
    }
    lua_settop(L, top);
}

bool question_agrees(struct engine *engine, const struct step_def *step, int env, struct alike *pair)
{
    if (!step->part_count)
        return false;
    switch (step->construct->kind) {
    case K_CHOICE:
    case K_CODE: return false;
    case K_ORDER: return order_agrees(engine, step, env, pair);
    case K_SHAPE: return shapes_agree(engine, step, env, pair);
    default: return numbers_agree(engine, step, env, pair);
    }
}

void declare(struct engine *engine, struct declared *out, const char *id, const char *typed)
{
    out->list = scene_room(engine, out->list, out->count, &out->room, sizeof *out->list);
    out->list[out->count++] = (struct scene_declared){ scene_text(engine, id), scene_text(engine, typed) };
}

void question_declared(struct engine *engine, const struct step_def *step, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L), env = top + 1;
    struct declared declared = { 0 };
    facts_env(L, facts);
    switch (step->construct->kind) {
    case K_CHOICE: choice_declared(engine, step, env, &declared); break;
    case K_ORDER: order_declared(engine, step, env, &declared); break;
    case K_SHAPE: shapes_declared(engine, step, env, &declared); break;
    case K_CODE: code_declared(engine, step, env, &declared); break;
    default: numbers_declared(engine, step, env, &declared);
    }
    engine->scene->check->declared = declared.list;
    engine->scene->check->declared_count = declared.count;
    lua_settop(L, top);
}

const char *question_reread(struct engine *engine, const struct step_def *step, int env, int other_env)
{
    enum construct_kind kind = step->construct->kind;
    return kind == K_NUMBER || kind == K_TENSOR ? numbers_reread(engine, step, env, other_env) : "";
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
    travel_fill(engine, step, env, out);
    switch (step->construct->kind) {
    case K_CHOICE: judge_choice(engine, step, facts, env, out); break;
    case K_ORDER: judge_order(engine, step, facts, env, out); break;
    case K_SHAPE: judge_shape(engine, step, facts, env, out); break;
    case K_CODE: judge_code(engine, step, facts, env, out); break;
    default: judge_numbers(engine, step, facts, env, allowed_names(engine, step, env, out), out);
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
            out->hints.item[i] = words_fill(engine, step->construct, field_entry(engine, "hints", i + 1), lua_tostring(L, -1), env);
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
    else if (step->construct->kind == K_ORDER)
        order_words(engine, step, live_env, out);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int fields = lua_gettop(L);
    fill_hints(engine, step, fields, env, out);
    if (!out->final) {
        out->answer = "";
    } else {
        facts_extend(L, facts);
        int layer = lua_gettop(L);
        if (step->construct->kind != K_NUMBER && step->construct->kind != K_TENSOR) {
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
