/* A console: what its lines leave behind is there for the next. A state that has run them already serves on. */
#include <string.h>

#include "engine/console.h"
#include "engine/typed.h"

enum { TABLE_KEYS_MAX = 200 /* of a variable's, for completion */ };
static const char ENV[] = "normtutor.console", GLOBALS[] = "normtutor.console_globals", CHUNK[] = "@" FILE_MARK;

void typing_open(lua_State *L)
{
    sandbox_open(L);
    bind_random(L, hash_text(HASH_START, "random"), 0);
    lua_setfield(L, -2, "random");
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

static uint64_t fingerprint(const struct request *request)
{
    uint64_t hash = hash_text(HASH_START, "console");
    for (size_t i = 0; i < request->line_count; i++)
        hash = hash_text(hash, request->lines[i]);
    return hash;
}

bool console_stands(const struct engine *engine, const struct request *request)
{
    return engine->L && engine->console && engine->console == fingerprint(request);
}

/* Prints results: what takes more than a line begins on one of its own. */
static int print_results(lua_State *L)
{
    struct engine *engine = engine_of(L);
    struct strbuf *text = strbuf_push(L);
    int count = lua_gettop(L) - 1;
    for (int i = 1; i <= count; i++) {
        size_t before = text->length;
        value_lines(L, i, text);
        bool tall = strchr(strbuf_string(text) + before, '\n') != NULL;
        strbuf_add(text, i == count || tall ? "\n" : "\t");
    }
    if (engine->output.length + text->length > engine->limits.output)
        return luaL_error(L, "the result is more than %d KiB long", (int)(engine->limits.output >> 10));
    strbuf_addn(&engine->output, strbuf_string(text), text->length);
    return 0;
}

/* Arguments: the line, the table of variables, the function that prints. */
static int run(lua_State *L)
{
    size_t length;
    const char *line = lua_tolstring(L, 1, &length);
    typed_run(L, line, length, CHUNK, 2, 3, 2);
    return 0;
}

/* A status of Lua; then a message is at the top. */
static int run_line(lua_State *L, const char *line, size_t length, int env)
{
    lua_pushcfunction(L, run);
    lua_pushlstring(L, line, length);
    lua_pushvalue(L, env);
    lua_pushcfunction(L, print_results);
    return lua_pcall(L, 3, 0, 0);
}

/* Runs the lines before this one, whatever became of them, in a fresh state. */
static void replay(struct engine *engine)
{
    lua_State *L = engine->L;
    typing_open(L);
    lua_setfield(L, LUA_REGISTRYINDEX, ENV);
    lua_setfield(L, LUA_REGISTRYINDEX, GLOBALS);
    for (size_t i = 0; i < engine->request->line_count; i++) {
        const char *line = engine->request->lines[i];
        lua_getfield(L, LUA_REGISTRYINDEX, ENV);
        if (run_line(L, line, strlen(line), lua_gettop(L)) != LUA_OK && state_is_late(engine)) {
            engine->scene->typed = TYPED_COLD;
            lua_error(L);
        }
        lua_settop(L, 0);
        strbuf_clear(&engine->output);
    }
    engine->console = fingerprint(engine->request);
}

/* What may be typed: the variables and the keys of those that are tables among it. */
static void fill_names(struct engine *engine, int env)
{
    lua_State *L = engine->L;
    lua_getfield(L, LUA_REGISTRYINDEX, GLOBALS);
    typed_push_names(L, -1);
    int names = lua_gettop(L);
    lua_pushvalue(L, env);
    typed_add_keys(L, names, "");
    lua_pushnil(L);
    while (lua_next(L, env)) {
        if (lua_istable(L, -1) && lua_type(L, -2) == LUA_TSTRING && lua_rawlen(L, -1) <= TABLE_KEYS_MAX) {
            const char *prefix = lua_pushfstring(L, "%s.", lua_tostring(L, -2));
            lua_insert(L, -2);
            typed_add_keys(L, names, prefix);
        }
        lua_settop(L, names + 1);
    }
    struct scene_scratch *out = scene_zero(engine, 1, sizeof *out);
    *out = (struct scene_scratch){ .output = "", .error = "", .value = "" };
    lua_settop(L, names);
    typed_take_names(engine, &out->names);
    engine->scene->scratch = out;
}

void console_line(struct engine *engine)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    if (!engine->console)
        replay(engine);
    lua_getfield(L, LUA_REGISTRYINDEX, ENV);
    int env = lua_gettop(L);
    if (request->source_length == 0) {
        fill_names(engine, env);
        engine->scene->typed = TYPED_KEPT;
        return;
    }
    if (typed_is_open(L, request->source, request->source_length)) {
        engine->scene->typed = TYPED_OPEN;
        return;
    }
    int status = run_line(L, request->source, request->source_length, env);
    if (status != LUA_OK && state_is_late(engine))
        lua_error(L);
    engine->console = hash_text(engine->console, request->source);
    engine->scene->typed = TYPED_KEPT;
    if (status != LUA_OK)
        lua_error(L);
}
