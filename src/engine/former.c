/* What a lesson or a step was called before: progress and numbers hang on ids, and a new id is to have those of the old one. */
#include <string.h>

#include "engine/internal.h"

const char *construct_origin(const struct construct *construct)
{
    return construct->former[0] ? construct->former : construct->id;
}

/* Reads `renamed_from` of the fields that `ref` keeps; what is no text check_lesson complains of. */
static void take(struct engine *engine, struct construct *construct, int ref)
{
    lua_State *L = engine->L;
    size_t length = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
    const char *former = lua_getfield(L, -1, "renamed_from") == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    int line = former ? lesson_line(engine, construct, "renamed_from") : 0;
    const char *name = construct_name(construct->kind), *id = construct->id;
    if (former && (!length || length >= ID_MAX || strspn(former, "abcdefghijklmnopqrstuvwxyz0123456789-") != length))
        lesson_error(engine, line, "%s \"%s\": `renamed_from` is the id it had before: a-z, 0-9 and -, %d letters at most", name, id,
                     ID_MAX - 1);
    if (former && !strcmp(former, id))
        lesson_error(engine, line, "%s \"%s\": `renamed_from` names the id that it has now", name, id);
    if (former)
        memcpy(construct->former, former, length + 1);
    lua_pop(L, 2);
}

void former_take(struct engine *engine)
{
    struct lesson *lesson = &engine->lesson;
    take(engine, lesson->construct, lesson->ref);
    for (size_t i = 0; i < lesson->step_count; i++)
        take(engine, lesson->steps[i].construct, lesson->steps[i].ref);
    for (size_t i = 0; i < lesson->step_count; i++) {
        const struct construct *step = lesson->steps[i].construct;
        for (size_t j = 0; j < lesson->step_count && step->former[0]; j++) {
            const struct construct *other = lesson->steps[j].construct;
            if (!strcmp(other->id, step->former))
                lesson_error(engine, lesson_line(engine, step, "renamed_from"), "%s \"%s\": `renamed_from`: \"%s\" is still there, on line %d",
                             construct_name(step->kind), step->id, step->former, other->line);
            if (j < i && !strcmp(other->former, step->former))
                lesson_error(engine, lesson_line(engine, step, "renamed_from"), "%s \"%s\": `renamed_from`: \"%s\" on line %d was called so already",
                             construct_name(step->kind), step->id, other->id, other->line);
        }
    }
}
