/* The Lua state: memory that is counted and time that runs out. */
#include <stdint.h>
#include <stdio.h> /* snprintf */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/language.h"
#include "engine/internal.h"

enum { HOOK_COUNT = 2000, HOOK_COUNT_PROGRAM = 100, BLOCK_LARGE = 256 << 10 };
enum { PLACE_LEVELS = 200 /* of the calls looked through; each costs Lua a walk down to it */ };
static const size_t MEMORY_DEFAULT = (size_t)256 << 20;
static const double CPU_DEFAULT = 2.0, SOFT_SHARE = 0.8;

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct engine *engine_of(lua_State *L)
{
    return *(struct engine **)lua_getextraspace(L);
}

void engine_place(const struct engine *engine, char *out, size_t size)
{
    const char *file = engine->request && engine->request->file ? engine->request->file : "", *slash = strrchr(file, '/');
    if (engine->inside) {
        engine_place(engine->inside, out, size);
        return;
    }
    lua_Debug ar;
    for (int level = 0; level < PLACE_LEVELS && engine->L && lua_getstack(engine->L, level, &ar); level++) {
        lua_getinfo(engine->L, "Sl", &ar);
        if (ar.currentline <= 0 || ar.short_src[0] == '(' || !strcmp(ar.short_src, FORMULA_MARK))
            continue;
        bool own = !strcmp(ar.short_src, FILE_MARK), beside = slash && !strncmp(ar.short_src, "shared/", 7);
        snprintf(out, size, "%.*s%s:%d: ", beside ? (int)(slash - file) + 1 : 0, file, own ? file : ar.short_src, ar.currentline);
        return;
    }
    if (engine->learners)
        *out = '\0'; /* what was typed has but one line, and it is none of the lesson's */
    else if (engine->line && *file)
        snprintf(out, size, "%s:%d: ", file, engine->line);
    else
        snprintf(out, size, "%s%s", file, *file ? ": " : "");
}

int engine_line(const struct engine *engine)
{
    return engine->line;
}

static void out_of_memory(struct engine *engine)
{
    char where[300], words[500];
    engine_place(engine, where, sizeof where);
    snprintf(words, sizeof words, _("%sthe lesson needs more memory than it may have (%zu MiB)"), where,
             engine->limits.memory >> 20);
    if (engine->limits.out_of_memory)
        engine->limits.out_of_memory(engine->limits.context, words);
    abort();
}

/* NULL, which Lua and the tensors make an error of, for a learner's program alone; a block never fails to shrink. */
static void *refuse(struct engine *engine, void *block, size_t old_size, size_t new_size)
{
    if (!engine->learners)
        out_of_memory(engine);
    if (new_size <= old_size)
        return block;
    if (!engine->refused)
        engine_place(engine, engine->failed_at, sizeof engine->failed_at);
    engine->refused = true;
    return NULL;
}

/* What the C library takes for a block, its own head included. */
static size_t taken(size_t size)
{
    enum { HEAD = sizeof(size_t), UNIT = 2 * sizeof(size_t), LEAST = 2 * UNIT };
    if (size == 0 || size > SIZE_MAX - HEAD - UNIT)
        return size;
    size_t whole = (size + HEAD + UNIT - 1) / UNIT * UNIT;
    return whole < LEAST ? LEAST : whole;
}

/* Never returns NULL for a lesson's block: at the cap the process ends, so Lua's emergency collection never runs. */
static void *resize(struct engine *engine, void *block, size_t old_size, size_t new_size)
{
    size_t before = taken(old_size), after = taken(new_size);
    if (new_size == 0) {
        free(block);
        engine->used -= before;
        return NULL;
    }
    if (after > before && after - before > engine->limits.memory - engine->used)
        return refuse(engine, block, old_size, new_size);
    void *moved = realloc(block, new_size);
    if (!moved)
        return refuse(engine, block, old_size, new_size);
    engine->used = engine->used - before + after;
    if (new_size >= BLOCK_LARGE && engine->L)
        state_look(engine->L);
    return moved;
}

static void *resize_lua(void *context, void *block, size_t old_size, size_t new_size)
{
    /* Lua passes a type tag as the old size of a block that is not there yet. */
    return resize(context, block, block ? old_size : 0, new_size);
}

static void *resize_tensor(void *context, void *block, size_t old_size, size_t new_size)
{
    struct engine *engine = context;
    void *moved = resize(engine, block, old_size, new_size);
    if (moved || !new_size)
        engine->tensor_bytes = engine->tensor_bytes - old_size + new_size;
    return moved;
}

static int hook_count(const struct engine *engine)
{
    return engine->learners ? HOOK_COUNT_PROGRAM : HOOK_COUNT;
}

static void hook(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    struct engine *engine = engine_of(L);
    if (cpu_now() < engine->stop_at) {
        if (lua_gethookcount(L) == 1)
            lua_sethook(L, hook, LUA_MASKCOUNT, hook_count(engine));
        return;
    }
    lua_sethook(L, hook, LUA_MASKCOUNT, 1); /* from now on at every instruction: pcall gains nothing */
    luaL_where(L, 0);
    lua_pushfstring(L, _("%sthis takes too long and was stopped"), lua_tostring(L, -1));
    lua_error(L);
}

static int panic(lua_State *L)
{
    (void)L;
    _exit(4);
}

lua_State *state_new(struct engine *engine)
{
    if (!engine->limits.memory)
        engine->limits.memory = MEMORY_DEFAULT;
    if (engine->limits.cpu_seconds <= 0)
        engine->limits.cpu_seconds = CPU_DEFAULT;
    engine->memory = (struct tensor_memory){ resize_tensor, engine };
    lua_State *L = lua_newstate(resize_lua, engine);
    if (!L)
        return NULL;
    *(struct engine **)lua_getextraspace(L) = engine;
    lua_atpanic(L, panic);
    return L;
}

void state_arm(struct engine *engine)
{
    engine->stop_at = cpu_now() + SOFT_SHARE * engine->limits.cpu_seconds;
    lua_sethook(engine->L, hook, LUA_MASKCOUNT, hook_count(engine));
}

bool state_is_late(const struct engine *engine)
{
    return cpu_now() >= engine->stop_at;
}

void state_look(lua_State *L)
{
    if (lua_gethookmask(L))
        lua_sethook(L, hook, LUA_MASKCOUNT, 1);
}
