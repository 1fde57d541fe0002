#include "app/carry.h"

#include <string.h>

const char *carry_former_lesson(const struct course *course, const struct scene_lesson *outline)
{
    return course_find(course, outline->renamed_from) < 0 ? outline->renamed_from : "";
}

const char *carry_former_step(const struct scene_lesson *outline, const char *step)
{
    for (size_t i = 0; i < outline->step_count; i++)
        if (strcmp(outline->steps[i].id, step) == 0)
            return outline->steps[i].renamed_from;
    return "";
}

void carry_over(const struct course *course, size_t lesson, const struct scene_lesson *outline, struct store *store)
{
    const char *key = course_key(course), *id = course->lessons[lesson].id, *former = carry_former_lesson(course, outline);
    if (former[0])
        store_move_lesson(store, key, former, id);
    for (size_t i = 0; i < outline->step_count; i++)
        if (outline->steps[i].renamed_from[0])
            store_move_step(store, key, id, outline->steps[i].renamed_from, outline->steps[i].id);
}
