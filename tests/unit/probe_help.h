/* An engine without a lesson, and the modules of tests/data/modules.lua. */
#ifndef TESTS_PROBE_HELP_H
#define TESTS_PROBE_HELP_H

#include "engine_help.h"

#include <math.h>

#include "engine/internal.h"
#include "engine/probes.h"

static const char LIST[] = "return { 'companion', 'future', 'past', 'one_feature', 'one_row', 'constant_row', 'tiny_row', 'ramp', 'again', 'large', "
                           "'alone', 'value' }";

static const struct construct NOWHERE = { .kind = K_VIEW_PROBES };

struct bench {
    struct engine *engine;
    struct request request;
    struct scene scene;
    int make, list; /* stack indices */
};

/* Pushes what the text comes to. */
static inline void push(struct bench *bench, const char *text)
{
    lua_State *L = bench->engine->L;
    if (luaL_loadbufferx(L, text, strlen(text), "=" FILE_MARK, "t") != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    lua_setupvalue(L, -2, 1);
    if (lua_pcall(L, 0, 1, 0) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
}

static inline void bench_open(struct bench *bench)
{
    *bench = (struct bench){ .engine = help_engine(), .request = help_request(REQUEST_FRAME, "") };
    struct engine *engine = bench->engine;
    assert_non_null(engine->L = state_new(engine));
    assert_non_null(bench->scene.arena = arena_new());
    engine->scene = &bench->scene;
    engine->request = &bench->request;
    engine->limits.cpu_seconds = 600;
    state_arm(engine);
    luaL_checkstack(engine->L, 100, NULL);
    sandbox_open(engine->L);
    bind_constructors(engine->L, lua_gettop(engine->L));
    lua_setfield(engine->L, LUA_REGISTRYINDEX, "normtutor.globals");
    lua_newtable(engine->L);
    lua_setfield(engine->L, LUA_REGISTRYINDEX, "normtutor.compiled");
    char *modules = help_file("tests/data/modules.lua");
    push(bench, modules);
    free(modules);
    bench->make = lua_gettop(engine->L);
    push(bench, LIST);
    bench->list = lua_gettop(engine->L);
}

static inline void bench_close(struct bench *bench)
{
    bench->engine->scene = NULL;
    bench->engine->request = NULL;
    arena_free(bench->scene.arena);
    engine_free(bench->engine);
}

static inline void push_module(struct bench *bench, const char *name)
{
    lua_State *L = bench->engine->L;
    lua_getfield(L, bench->make, name);
    lua_call(L, 0, 1);
}

#endif
