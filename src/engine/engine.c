/* The engine's door: a request in, a scene out, whatever happens in between. */
#include <stdlib.h>
#include <string.h>

#include "engine/internal.h"

static const size_t OUTPUT_DEFAULT = (size_t)256 << 10;

int engine_new(struct engine **out, const struct engine_limits *limits, struct error *err)
{
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return error_set(err, "out of memory");
    if (limits)
        engine->limits = *limits;
    if (!engine->limits.output)
        engine->limits.output = OUTPUT_DEFAULT;
    *out = engine;
    return 0;
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    lesson_unload(engine);
    strbuf_free(&engine->output);
    free(engine);
}

static int engine_version(lua_State *L)
{
    lua_pushfstring(L, "%s, tensors: %s", LUA_RELEASE, tensor_processor_path());
    return 1;
}

/* Code typed by a person: tensor and nn at hand, and globals of its own. */
static void evaluate(struct engine *engine)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    sandbox_open(L);
    lua_pushcfunction(L, engine_version);
    lua_setfield(L, -2, "engine_version");
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    int env = lua_gettop(L);
    lua_pushfstring(L, "@%s", FILE_MARK);
    if (luaL_loadbufferx(L, request->source, request->source_length, lua_tostring(L, -1), "t") != LUA_OK)
        lua_error(L);
    lua_pushvalue(L, env);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 0);
}

static int answer(lua_State *L)
{
    struct engine *engine = engine_of(L);
    const struct request *request = engine->request;
    luaL_checkstack(L, 100, NULL);
    switch (request->kind) {
    case REQUEST_COURSE:
        course_load(engine);
        break;
    case REQUEST_EVAL:
        evaluate(engine);
        break;
    case REQUEST_LESSON:
    case REQUEST_FRAME:
        if (!engine->loaded) {
            lesson_load(engine);
            check_facts(engine);
            lesson_keep(engine);
        }
        outline_fill(engine);
        if (request->kind == REQUEST_FRAME)
            frame_fill(engine);
        break;
    }
    return 0;
}

/* The marks of chunk names become the files' names. */
static const char *with_files(struct engine *engine, const char *text)
{
    const char *file = engine->request->file ? engine->request->file : "", *slash = strrchr(file, '/');
    struct strbuf out = { 0 };
    bool placed = !strncmp(text, FILE_MARK ":", 2) || !strncmp(text, "shared/", 7) || !strncmp(text, file, strlen(file));
    if (!placed)
        strbuf_addf(&out, "%s: ", file);
    for (const char *at = text; *at; at++) {
        if (!strncmp(at, FILE_MARK ":", 2))
            strbuf_add(&out, file);
        else if (!strncmp(at, FORMULA_MARK ":", 2))
            strbuf_add(&out, "formula");
        else if (!strncmp(at, "shared/", 7) && at == text && slash)
            strbuf_addf(&out, "%.*s/s", (int)(slash - file), file);
        else if (!strncmp(at, "[string \"" FILE_MARK, 9))
            strbuf_add(&out, "[");
        else
            strbuf_addn(&out, at, 1);
    }
    const char *words = out.failed ? text : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return words ? words : "out of memory";
}

struct scene *engine_answer(struct engine *engine, const struct request *request)
{
    struct arena *arena = arena_new();
    struct scene *scene = arena ? arena_zero(arena, 1, sizeof *scene) : NULL;
    if (!scene) {
        arena_free(arena);
        return NULL;
    }
    scene->arena = arena;
    scene->number = request->number;
    engine->scene = scene;
    engine->request = request;
    strbuf_clear(&engine->output);
    bool lesson = request->kind == REQUEST_LESSON || request->kind == REQUEST_FRAME;
    if (!lesson || !lesson_is_loaded(engine, request))
        lesson_unload(engine);
    if (!engine->L && !(engine->L = state_new(engine))) {
        scene->error = "out of memory";
        return scene;
    }
    lua_State *L = engine->L;
    state_arm(engine);
    lua_pushcfunction(L, answer);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
        const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error that is not a text";
        scene->error = with_files(engine, text);
        lua_settop(L, 0);
        if (!engine->loaded)
            lesson_unload(engine);
    }
    if (request->kind == REQUEST_EVAL) {
        scene->output = arena_textn(arena, strbuf_string(&engine->output), engine->output.length);
        lesson_unload(engine);
    }
    engine->scene = NULL;
    engine->request = NULL;
    return scene;
}
