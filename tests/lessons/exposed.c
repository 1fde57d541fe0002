/* Prints all that a lesson can name, as it is at run time: "kind name" lines, for the guide and the annotations to be held against. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/internal.h"
#include "engine/probes.h"

static const char LESSON[] = "return lesson \"exposed\" { format = 1, title = \"t\", step \"s\" { text = \"t\" } }";

/* The string keys of the table at the top, popped; `what` before each. A table among them is followed, once. */
static void keys(lua_State *L, const char *what, bool deep)
{
    int table = lua_gettop(L);
    keys_sorted(L, table);
    for (size_t i = 1; i <= lua_rawlen(L, table + 1); i++) {
        char inner[200];
        if (lua_rawgeti(L, table + 1, (lua_Integer)i) != LUA_TSTRING) {
            lua_pop(L, 1);
            continue;
        }
        snprintf(inner, sizeof inner, "%s%s", what, lua_tostring(L, -1));
        printf("%s\n", inner);
        lua_rawget(L, table);
        if (deep && lua_istable(L, -1)) {
            strcat(inner, ".");
            keys(L, inner, false);
            lua_settop(L, table + 1);
        } else {
            lua_pop(L, 1);
        }
    }
    lua_settop(L, table - 1);
}

/* The methods of the userdata at the top, popped. */
static void methods(lua_State *L, const char *what)
{
    int top = lua_gettop(L);
    if (luaL_getmetafield(L, top, "__index") == LUA_TFUNCTION && lua_getupvalue(L, -1, 1))
        keys(L, what, false);
    lua_settop(L, top - 1);
}

static void fields(enum construct_kind kind, const char *name)
{
    size_t count;
    const struct field *list = fields_of(kind, &count);
    for (size_t i = 0; i < count; i++)
        printf("field %s %s\n", name, list[i].name ? list[i].name : "1");
    for (const char *const *quantity = is_view(kind) ? quantities_of(kind) : NULL; quantity && *quantity; quantity++)
        printf("quantity %s %s\n", name, *quantity);
}

static int look(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    keys(L, "global ", true);
    tensor_push(L);
    methods(L, "method tensor:");
    bind_random(L, 1, 1);
    methods(L, "method random:");
    sandbox_open_program(L);
    keys(L, "program ", true);
    for (enum construct_kind kind = 0; kind < K_COUNT; kind++)
        fields(kind, kind == K_CODE_MISTAKE ? "mistake(code)" : kind == K_ORDER_MISTAKE ? "mistake(order)" : construct_name(kind));
    size_t count;
    const char *const *probes = probe_names(&count);
    for (size_t i = 0; i < count; i++)
        printf("probe %s\n", probes[i]);
    return 0;
}

int main(void)
{
    struct engine *engine;
    struct error err;
    if (engine_new(&engine, NULL, &err))
        return 1;
    struct request request = { .kind = REQUEST_LESSON, .course = "", .file = "exposed.lua", .source = LESSON, .source_length = sizeof LESSON - 1 };
    struct scene *scene = engine_answer(engine, &request);
    if (!scene || scene->error)
        return 1;
    lua_pushcfunction(engine->L, look);
    bool failed = lua_pcall(engine->L, 0, 0, 0) != LUA_OK;
    if (failed)
        fprintf(stderr, "%s\n", lua_tostring(engine->L, -1));
    scene_free(scene);
    engine_free(engine);
    return failed;
}
