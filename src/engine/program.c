#include "engine/program.h"
#include "base/language.h"

#include <limits.h>
#include <stdio.h> /* snprintf */
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "program", NOT_A_TEXT[] = N_("an error that is not a text");
enum { PROGRAMS_MAX = 8 };
static const size_t MEMORY = (size_t)32 << 20;
static const double CPU_SECONDS = 0.5; /* for all calls together */

/* ---- in the program's own state ---- */

/* What one protected call there works on. */
struct task {
    struct program *program;
    const char *file, *text;
    lua_State *outer; /* whose stack holds the arguments, 1 to `count`; the result is pushed there */
    int count;
};

/* The names of the functions among the program's own globals, sorted, in the list pushed. */
static size_t functions_defined(lua_State *L, int globals)
{
    lua_newtable(L);
    int found = lua_gettop(L);
    keys_sorted(L, globals);
    for (size_t i = 1; i <= lua_rawlen(L, found + 1); i++) {
        lua_rawgeti(L, found + 1, (lua_Integer)i);
        lua_pushvalue(L, -1);
        lua_rawget(L, globals);
        if (lua_isfunction(L, -1) && lua_type(L, -2) == LUA_TSTRING) {
            lua_pop(L, 1);
            lua_rawseti(L, found, (lua_Integer)lua_rawlen(L, found) + 1);
        }
        lua_settop(L, found + 1);
    }
    lua_settop(L, found);
    return lua_rawlen(L, found);
}

static int load_program(lua_State *L)
{
    struct task *task = lua_touserdata(L, 1);
    struct program *program = task->program;
    sandbox_open_program(L);
    lua_newtable(L);
    int globals = lua_gettop(L);
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, globals - 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, globals);
    if (luaL_loadbufferx(L, task->text, strlen(task->text), lua_pushfstring(L, "=%s", task->file), "t") != LUA_OK) {
        const char *words = lua_tostring(L, -1);
        size_t length = strlen(task->file);
        if (words && (strncmp(words, task->file, length) || words[length] != ':'))
            lua_pushfstring(L, "%s: %s", task->file, words); /* brackets too deep, a binary chunk: Lua names no line */
        return lua_error(L);
    }
    lua_pushvalue(L, globals);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 0);
    if (!program->function[0]) {
        if (functions_defined(L, globals) != 1)
            return luaL_error(L, "a program for ask.code defines one global function; this one defines %d", (int)lua_rawlen(L, -1));
        lua_rawgeti(L, -1, 1);
        strncpy(program->function, lua_tostring(L, -1), sizeof program->function - 1);
    }
    lua_pushstring(L, program->function);
    lua_rawget(L, globals);
    if (!lua_isfunction(L, -1))
        return luaL_error(L, "there is no function `%s`; the program must define it: function %s(x, scale, bias, eps)", program->function, program->function);
    lua_setfield(L, LUA_REGISTRYINDEX, PROGRAM);
    return 0;
}

/* Pushes on `to` a copy of the tensor x. */
static struct tensor *push_copy(lua_State *to, const struct tensor *x)
{
    const char *axes[TENSOR_RANK_MAX];
    size_t extents[TENSOR_RANK_MAX];
    int rank = tensor_rank(x);
    struct error err;
    for (int axis = 0; axis < rank; axis++) {
        extents[axis] = tensor_extent(x, axis);
        axes[axis] = tensor_axis_name(x, axis);
    }
    struct tensor **copy = tensor_push(to);
    if (tensor_new(copy, &engine_of(to)->memory, rank, extents, axes, &err))
        raise_error(to, &err);
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(*copy, i, tensor_get_flat(x, i));
    tensor_leaf(to, -1);
    tensor_made(to);
    return *copy;
}

/* Raises what is wrong with the program's function itself, with the line on which it begins. */
static int raise_result(lua_State *L, const char *function, const char *what)
{
    lua_Debug ar;
    lua_getfield(L, LUA_REGISTRYINDEX, PROGRAM);
    lua_getinfo(L, ">S", &ar);
    if (ar.linedefined > 0)
        lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.linedefined);
    else
        lua_pushliteral(L, "");
    return luaL_error(L, "%s`%s` returns %s; it must return the normalized tensor", lua_tostring(L, -1), function, what);
}

static int call_program(lua_State *L)
{
    struct task *task = lua_touserdata(L, 1);
    lua_State *outer = task->outer;
    luaL_checkstack(L, task->count + 10, NULL);
    lua_getfield(L, LUA_REGISTRYINDEX, PROGRAM);
    for (int i = 1; i <= task->count; i++) {
        const struct tensor *x = tensor_test(outer, i);
        if (x)
            push_copy(L, x);
        else
            lua_pushnumber(L, lua_tonumber(outer, i));
        lua_pushvalue(L, -1);
        lua_insert(L, 1 + i); /* below the function: what became of it can be seen afterwards */
    }
    lua_call(L, task->count, 1);
    const char *function = task->program->function;
    if (lua_isnil(L, -1))
        return raise_result(L, function, "nothing");
    if (!tensor_test(L, -1) && lua_type(L, -1) != LUA_TNUMBER)
        return raise_result(L, function, lua_pushfstring(L, "a %s", luaL_typename(L, -1)));
    for (int i = 1; i <= task->count; i++) {
        struct tensor *given = tensor_test(outer, i);
        const struct tensor *left = tensor_test(L, 1 + i);
        if (!given || !left || tensor_frozen(outer, i))
            continue;
        for (size_t n = 0; n < tensor_count(given); n++)
            tensor_set_flat(given, n, tensor_get_flat(left, n));
    }
    return 1;
}

/* ---- from outside ---- */

/* "layer_norm.lua:3: what" is about line 3. */
static int line_of(const char *message)
{
    const char *colon = strchr(message, ':');
    long line = colon && colon - message > 4 && !strncmp(colon - 4, ".lua", 4) ? strtol(colon + 1, NULL, 10) : 0;
    return line > 0 && line < INT_MAX ? (int)line : 0;
}

/* Keeps the message at the top of the program's stack. */
static void keep_error(struct program *program, int status)
{
    lua_State *L = program->inner->L;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : _(NOT_A_TEXT);
    if (status == LUA_ERRMEM || program->inner->refused)
        snprintf(program->error, sizeof program->error, _("%sthis needs more memory than it may have (%zu MiB)"),
                 program->inner->failed_at, MEMORY >> 20);
    else
        snprintf(program->error, sizeof program->error, "%s", text);
    program->error_line = line_of(program->error);
}

/* The message handler: what names no place is said of where the program stands. */
static int place_error(lua_State *L)
{
    char place[100];
    engine_place(engine_of(L), place, sizeof place);
    const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : _(NOT_A_TEXT), *colon = strchr(place, ':');
    if (!colon || strncmp(text, place, (size_t)(colon - place) + 1))
        lua_pushfstring(L, "%s%s", place, text);
    return 1;
}

static bool run(struct program *program, struct task *task, lua_CFunction function, int results)
{
    lua_State *L = program->inner->L;
    if (!lua_checkstack(L, 10))
        return false;
    lua_pushcfunction(L, place_error);
    int handler = lua_gettop(L);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, task);
    program->outer->inside = program->inner;
    int status = lua_pcall(L, 1, results, handler);
    program->outer->inside = NULL;
    lua_remove(L, handler);
    if (status == LUA_OK)
        return true;
    keep_error(program, status);
    lua_settop(L, 0);
    return false;
}

static int call(lua_State *L)
{
    struct program *program = lua_touserdata(L, lua_upvalueindex(1));
    struct task task = { .program = program, .outer = L, .count = lua_gettop(L) };
    for (int i = 1; i <= task.count; i++)
        if (!tensor_test(L, i))
            luaL_checknumber(L, i);
    if (!program->inner)
        return luaL_error(L, "the program is closed");
    if (program->error[0] || !run(program, &task, call_program, 1))
        return luaL_error(L, "%s", program->error);
    lua_State *inner = program->inner->L;
    const struct tensor *y = tensor_test(inner, -1);
    if (y)
        push_copy(L, y); /* raises at most for want of the lesson's memory: that is its end */
    else
        lua_pushnumber(L, lua_tonumber(inner, -1));
    lua_settop(inner, 0);
    return 1;
}

void program_close(struct program *program)
{
    if (!program->inner)
        return;
    lua_close(program->inner->L);
    free(program->inner);
    program->inner = NULL;
    program->outer->programs--;
}

static int collect(lua_State *L)
{
    program_close(lua_touserdata(L, 1));
    return 0;
}

static bool open_state(struct engine *engine, struct program *program)
{
    struct engine *inner = calloc(1, sizeof *inner);
    if (!inner)
        return false;
    inner->learners = true;
    inner->limits = (struct engine_limits){ .memory = MEMORY, .cpu_seconds = CPU_SECONDS, .output = engine->limits.output };
    if (!(inner->L = state_new(inner))) {
        free(inner);
        return false;
    }
    program->inner = inner;
    program->outer = engine;
    engine->programs++;
    state_arm(inner);
    if (inner->stop_at > engine->stop_at)
        inner->stop_at = engine->stop_at;
    return true;
}

struct program *program_push(struct engine *engine, const char *file, const char *text, const char *function)
{
    lua_State *L = engine->L;
    if (engine->programs >= PROGRAMS_MAX)
        lua_gc(L, LUA_GCCOLLECT); /* which does not know how large a state is */
    struct program *program = lua_newuserdatauv(L, sizeof *program, 0);
    *program = (struct program){ 0 };
    if (luaL_newmetatable(L, PROGRAM)) {
        lua_pushcfunction(L, collect);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    if (!open_state(engine, program))
        luaL_error(L, "out of memory");
    if (function)
        strncpy(program->function, function, sizeof program->function - 1);
    struct task task = { .program = program, .file = file, .text = text };
    run(program, &task, load_program, 0);
    lua_pushcclosure(L, call, 1);
    return program;
}
