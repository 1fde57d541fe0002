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

/* Loads the request's code, as an expression if it is one. A status of Lua, with a function or a message pushed.
   The expression is no tail call, and its end stays on its line: so an error keeps its line. */
static int load_typed(lua_State *L, const struct request *request)
{
    static const char *const ends[] = { ")", "\n)" /* after a comment */ };
    lua_pushfstring(L, "@%s", FILE_MARK);
    const char *name = lua_tostring(L, -1);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        lua_pushliteral(L, "return (function(...) return ... end)(");
        lua_pushlstring(L, request->source, request->source_length);
        lua_pushstring(L, ends[i]);
        lua_concat(L, 3);
        size_t length;
        const char *expression = lua_tolstring(L, -1, &length);
        if (luaL_loadbufferx(L, expression, length, name, "t") == LUA_OK)
            return LUA_OK;
        lua_pop(L, 2);
    }
    return luaL_loadbufferx(L, request->source, request->source_length, name, "t");
}

/* Code typed by a person: tensor and nn at hand, and globals of its own. What it returns is printed. */
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
    lua_getfield(L, env, "print");
    int print = lua_gettop(L);
    if (load_typed(L, request) != LUA_OK)
        lua_error(L);
    lua_pushvalue(L, env);
    lua_setupvalue(L, -2, 1);
    int before = lua_gettop(L) - 1;
    lua_call(L, 0, LUA_MULTRET);
    int results = lua_gettop(L) - before;
    if (results > 0) {
        lua_pushvalue(L, print);
        lua_insert(L, before + 1);
        lua_call(L, results, 0);
    }
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
            if (!engine->lesson.awaits_files) {
                check_facts(engine);
                lesson_keep(engine);
            }
        }
        outline_fill(engine);
        if (request->kind == REQUEST_FRAME && !engine->lesson.awaits_files)
            frame_fill(engine);
        break;
    }
    return 0;
}

/* The marks of chunk names become the files' names. */
static void add_unmarked(struct strbuf *out, const char *file, const char *text, size_t length)
{
    for (const char *at = text; at < text + length; at++) {
        if (!strncmp(at, FILE_MARK ":", 2))
            strbuf_add(out, file);
        else if (!strncmp(at, FORMULA_MARK ":", 2))
            strbuf_add(out, "formula");
        else
            strbuf_addn(out, at, 1);
    }
}

/* An error's words with the place in front: a module lies beside the file; what has no place has the file at least. */
static const char *placed_words(struct engine *engine, const char *text)
{
    const char *file = engine->request->file ? engine->request->file : "", *slash = strrchr(file, '/');
    struct strbuf out = { 0 };
    bool module = !strncmp(text, "shared/", 7);
    if (module && slash)
        strbuf_addn(&out, file, (size_t)(slash - file) + 1);
    else if (!module && strncmp(text, FILE_MARK ":", 2) && strncmp(text, file, strlen(file)))
        strbuf_addf(&out, "%s: ", file);
    add_unmarked(&out, file, text, strlen(text));
    const char *words = out.failed ? NULL : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return words ? words : "out of memory";
}

static const char *output_text(struct engine *engine)
{
    struct strbuf out = { 0 };
    add_unmarked(&out, engine->request->file ? engine->request->file : "", strbuf_string(&engine->output), engine->output.length);
    const char *text = out.failed ? NULL : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return text;
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
        scene->error = placed_words(engine, text);
        lua_settop(L, 0);
        if (!engine->loaded)
            lesson_unload(engine);
    }
    if (request->kind == REQUEST_EVAL) {
        scene->output = output_text(engine);
        lesson_unload(engine);
    }
    engine->scene = NULL;
    engine->request = NULL;
    return scene;
}
