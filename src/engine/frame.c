/* Scenes: a lesson's outline, and one step as it stands. */
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

struct strings scene_texts(struct engine *engine, int fields, const char *field)
{
    lua_State *L = engine->L;
    struct strings out = { 0 };
    if (lua_getfield(L, fields, field) == LUA_TTABLE)
        out.count = lua_rawlen(L, -1);
    out.item = scene_zero(engine, out.count, sizeof *out.item);
    for (size_t i = 0; i < out.count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        out.item[i] = scene_text(engine, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return out;
}

/* The field's words filled, or `when_none`; env 0: only words without holes. */
static const char *words(struct engine *engine, const struct construct *where, int fields, const char *field, int env, const char *when_none)
{
    lua_State *L = engine->L;
    const char *filled = when_none;
    if (lua_getfield(L, fields, field) == LUA_TSTRING && (env || !strchr(lua_tostring(L, -1), '{')))
        filled = words_fill(engine, where, field, lua_tostring(L, -1), env);
    lua_pop(L, 1);
    return filled;
}

static enum step_kind scene_kind(enum construct_kind kind)
{
    switch (kind) {
    case K_NUMBER: return STEP_NUMBER;
    case K_TENSOR: return STEP_TENSOR;
    case K_SHAPE: return STEP_SHAPE;
    case K_CHOICE: return STEP_CHOICE;
    case K_ORDER: return STEP_ORDER;
    case K_CODE: return STEP_CODE;
    default: return STEP_TELL;
    }
}

void outline_fill(struct engine *engine)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct construct *where = engine->lesson.construct;
    int env = 0;
    if (!engine->lesson.awaits_files) {
        facts_lesson(engine, NULL, 0);
        facts_env(L, lua_gettop(L));
        env = lua_gettop(L);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
    int fields = lua_gettop(L);
    struct scene_lesson *lesson = scene_zero(engine, 1, sizeof *lesson);
    lesson->id = scene_text(engine, where->id);
    lesson->renamed_from = scene_text(engine, where->former);
    lesson->title = words(engine, where, fields, "title", env, where->id);
    lesson->goal = words(engine, where, fields, "goal", env, "");
    lesson->remember = words(engine, where, fields, "remember", env, "");
    lua_getfield(L, fields, "about");
    lesson->about = scene_text(engine, lua_tostring(L, -1));
    lua_getfield(L, fields, "minutes");
    lesson->minutes = lua_tonumber(L, -1);
    lua_pop(L, 2);
    lesson->needs = scene_texts(engine, fields, "needs");
    lesson->sources = scene_texts(engine, fields, "sources");
    lesson->files = scene_texts(engine, fields, "files");
    lesson->files_line = (uint32_t)lesson_line(engine, where, "files");
    lesson->step_count = engine->lesson.step_count;
    lesson->steps = scene_zero(engine, lesson->step_count, sizeof *lesson->steps);
    for (size_t i = 0; i < lesson->step_count; i++) {
        const struct step_def *step = &engine->lesson.steps[i];
        lesson->steps[i].id = scene_text(engine, step->construct->id);
        lesson->steps[i].renamed_from = scene_text(engine, step->construct->former);
        lesson->steps[i].kind = scene_kind(step->construct->kind);
        lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
        lua_getfield(L, -1, "title");
        const char *title = lua_tostring(L, -1);
        lesson->steps[i].title = scene_text(engine, title && !strchr(title, '{') ? title : step->construct->id);
        lua_pop(L, 2);
    }
    engine->scene->lesson = lesson;
    lua_settop(L, top);
}

static int first_place(lua_State *L)
{
    lua_pushinteger(L, 1);
    return 1;
}

/* Pushes the fact `cursor`: where the request looks, else where the step begins, else the first of each axis. */
static void push_cursor(struct engine *engine, const struct step_def *step, bool locked)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    if (lua_getfield(L, -1, "cursor") == LUA_TTABLE) {
        lua_pushnil(L);
        while (lua_next(L, -2)) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, -6);
        }
    }
    lua_pop(L, 2);
    for (size_t i = 0; i < request->cursor_count && !locked; i++) {
        lua_pushinteger(L, request->cursors[i].index >= 1 ? (lua_Integer)request->cursors[i].index : 1);
        lua_setfield(L, -2, request->cursors[i].axis);
    }
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, first_place);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

/* Pushes the list of the layers whose branches are switched off. */
static void push_off(struct engine *engine, bool locked)
{
    lua_State *L = engine->L;
    lua_newtable(L);
    for (int layer = 1, n = 0; layer <= 64 && !locked; layer++)
        if (engine->request->off >> (layer - 1) & 1) {
            lua_pushinteger(L, layer);
            lua_rawseti(L, -2, ++n);
        }
}

/* A cursor beyond its axis stands at the end of it, for the words too. */
static void clamp_cursor(lua_State *L, int env, const struct scene_step *out)
{
    lua_getfield(L, env, "cursor");
    for (size_t i = 0; i < out->axis_count; i++) {
        lua_pushinteger(L, (lua_Integer)out->axes[i].index);
        lua_setfield(L, -2, out->axes[i].name);
    }
    lua_pop(L, 1);
}

/* The layer of facts that text, view and options see: over `still`, the knobs, the cursor, the branches switched off. */
static int push_live(struct engine *engine, const struct step_def *step, const struct scene_step *out, int still, bool at_start)
{
    lua_State *L = engine->L;
    facts_extend(L, still);
    int live = lua_gettop(L);
    knobs_facts(L, out, live, at_start);
    push_cursor(engine, step, out->locked);
    facts_set(L, live, "cursor");
    push_off(engine, out->locked);
    facts_set(L, live, "off");
    if (out->kind == STEP_CODE) {
        code_module(engine);
        facts_set(L, live, "module");
    }
    return live;
}

static bool knobs_at_start(const struct scene_step *out)
{
    for (size_t i = 0; i < out->knob_count; i++)
        if (out->knobs[i].value != out->knobs[i].at)
            return false;
    return true;
}

const struct step_def *step_asked(struct engine *engine)
{
    const char *id = engine->request->step;
    const char *ids[256];
    size_t count = engine->lesson.step_count < 256 ? engine->lesson.step_count : 256;
    if (!id || !*id)
        return &engine->lesson.steps[0];
    for (size_t i = 0; i < engine->lesson.step_count; i++)
        if (!strcmp(engine->lesson.steps[i].construct->id, id))
            return &engine->lesson.steps[i];
    for (size_t i = 0; i < count; i++)
        ids[i] = engine->lesson.steps[i].construct->id;
    const char *near = nearest_name(id, ids, count);
    lesson_error(engine, 0, "there is no step \"%s\"%s%s%s", id, near ? _("; did you mean \"") : "", near ? near : "", near ? "\"?" : "");
    return NULL;
}

void frame_fill(struct engine *engine)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct step_def *step = step_asked(engine);
    const struct construct *where = step->construct;
    struct scene_step *out = scene_zero(engine, 1, sizeof *out);
    out->index = (size_t)(step - engine->lesson.steps);
    out->id = scene_text(engine, where->id);
    out->kind = scene_kind(where->kind);
    out->attempt = engine->request->attempt;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int fields = lua_gettop(L);
    bool predicts = lua_getfield(L, fields, "predict") != LUA_TNIL;
    facts_step(engine, step, engine->request->attempt);
    if (!predicts)
        facts_edit(engine, step);
    int still = lua_gettop(L);
    facts_env(L, still);
    int still_env = lua_gettop(L);
    if (is_question(where->kind)) {
        out->question = scene_zero(engine, 1, sizeof *out->question);
        question_judge(engine, step, still, out->question);
        out->locked = out->question->predict != PREDICT_NO && !out->question->final;
    }
    lua_pushvalue(L, still);
    if (predicts && !out->locked) /* what was predicted is judged by the numbers as they were */
        facts_edit(engine, step);
    int shown = lua_gettop(L);
    knobs_fill(engine, step, shown, out);
    int live = push_live(engine, step, out, shown, false);
    facts_env(L, live);
    int env = lua_gettop(L), before_env = env;
    if (!knobs_at_start(out)) {
        facts_env(L, push_live(engine, step, out, shown, true));
        before_env = lua_gettop(L);
    }
    if (!engine->request->no_view && (!out->locked || out->question->predict != PREDICT_HIDDEN))
        show_fill(engine, step, env, before_env, out);
    clamp_cursor(L, env, out);
    out->title = words(engine, where, fields, "title", still_env, out->id);
    out->text = words(engine, where, fields, "text", env, "");
    if (out->question)
        question_words(engine, step, still, env, out->question);
    engine->scene->step = out;
    if (engine->request->scratch)
        scratch_fill(engine, step, still, live, out->question);
    lua_settop(L, top);
}
