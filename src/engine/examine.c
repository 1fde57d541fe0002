/* What stands behind a step, for `normtutor check`: where each thing is written, how often was drawn, which answers are known. */
#include <stdarg.h>
#include <string.h>

#include "engine/internal.h"

/* ---- places ---- */

struct places {
    struct scene_place *list;
    size_t count, room;
};

static void add_place(struct engine *engine, struct places *places, const char *of, int line)
{
    places->list = scene_room(engine, places->list, places->count, &places->room, sizeof *places->list);
    places->list[places->count++] = (struct scene_place){ of, line > 0 ? (uint32_t)line : 0 };
}

/* The fields at the top of the stack, popped, their names behind `prefix`. */
static void add_fields(struct engine *engine, struct places *places, const struct construct *where, const char *prefix)
{
    lua_State *L = engine->L;
    int fields = lua_gettop(L);
    keys_sorted(L, fields);
    for (size_t i = 1; i <= lua_rawlen(L, fields + 1); i++) {
        if (lua_rawgeti(L, fields + 1, (lua_Integer)i) == LUA_TSTRING) {
            const char *name = lua_tostring(L, -1), *of = arena_printf(engine->scene->arena, "%s%s", prefix, name);
            lua_getfield(L, fields, name);
            const struct construct *view = construct_test(L, -1);
            add_place(engine, places, of ? of : "", view && is_view(view->kind) ? view->line : lesson_line(engine, where, name));
        }
        lua_settop(L, fields + 1);
    }
    lua_settop(L, fields - 1);
}

static void add_parts(struct engine *engine, struct places *places, const struct step_def *step)
{
    for (size_t i = 0; i < step->part_count; i++) {
        const struct construct *part = step->parts[i].construct;
        const char *prefix = arena_printf(engine->scene->arena, "%s.", part->id);
        add_place(engine, places, scene_text(engine, part->id), part->line);
        lua_rawgeti(engine->L, LUA_REGISTRYINDEX, step->parts[i].ref);
        add_fields(engine, places, part, prefix ? prefix : "");
    }
}

static void fill_places(struct engine *engine, const struct step_def *step, struct scene_check *out)
{
    struct places lesson = { 0 }, own = { 0 };
    out->lesson_line = (uint32_t)engine->lesson.construct->line;
    out->step_line = (uint32_t)step->construct->line;
    lua_rawgeti(engine->L, LUA_REGISTRYINDEX, engine->lesson.ref);
    add_fields(engine, &lesson, engine->lesson.construct, "");
    lua_rawgeti(engine->L, LUA_REGISTRYINDEX, step->ref);
    add_fields(engine, &own, step->construct, "");
    add_parts(engine, &own, step);
    out->lesson_places = lesson.list;
    out->lesson_place_count = lesson.count;
    out->places = own.list;
    out->place_count = own.count;
}

/* ---- the rest ---- */

void examine_fault(struct engine *engine, int line, bool advice, const char *format, ...)
{
    enum { FAULTS_MOST = 16 };
    struct scene_check *out = engine->scene->check;
    struct error err;
    va_list args;
    if (!out || out->fault_count == FAULTS_MOST)
        return;
    va_start(args, format);
    error_setv(&err, format, args);
    va_end(args);
    if (!out->faults)
        out->faults = scene_zero(engine, FAULTS_MOST, sizeof *out->faults);
    const char *file = scene_text(engine, engine->request->file);
    out->faults[out->fault_count++] = (struct scene_fault){ file, (uint32_t)line, scene_text(engine, err.text), advice };
}

static struct scene_draws tell_draws(struct engine *engine, const struct draws *draws)
{
    const char *pair = draws->alike ? alike_words(engine, draws->asked, &draws->pair) : "";
    return (struct scene_draws){ draws->all, draws->refused, draws->alike, pair };
}

void examine_fill(struct engine *engine)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct step_def *step = step_asked(engine);
    struct scene_check *out = engine->scene->check = scene_zero(engine, 1, sizeof *out);
    out->reread = "";
    fill_places(engine, step, out);
    facts_step(engine, step, engine->request->attempt);
    int facts = lua_gettop(L);
    out->lesson_draws = tell_draws(engine, &engine->lesson.draws);
    out->draws = tell_draws(engine, &step->draws);
    if (is_question(step->construct->kind))
        question_declared(engine, step, facts);
    frame_fill(engine);
    if (is_question(step->construct->kind)) {
        given_away_fill(engine, step, facts);
        if (reread_facts(engine, step, facts)) {
            int read = lua_gettop(L);
            facts_env(L, facts);
            facts_env(L, read);
            out->reread = question_reread(engine, step, read + 1, read + 2);
        }
    }
    lua_settop(L, top);
}
