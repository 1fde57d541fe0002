#include "scene/scene.h"

void scene_free(struct scene *scene)
{
    if (scene)
        arena_free(scene->arena);
}
