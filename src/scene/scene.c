#include "scene/scene.h"

#include <string.h>

static const struct setting *named(const struct setting *settings, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

static bool same_place(const struct setting *a, const struct setting *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case SETTING_NUMBER: return a->number == b->number;
    case SETTING_SWITCH: return a->on == b->on;
    case SETTING_WORD: return strcmp(a->word, b->word) == 0;
    }
    return false;
}

bool scene_travels(const struct scene_step *step, const struct scene_knob *knob)
{
    const struct scene_question *question = step->question;
    if (!question || question->predict != PREDICT_TRAVEL)
        return false;
    const struct setting *to = named(question->travel_to, question->travel_to_count, knob->name);
    const struct setting *from = named(question->travel_from, question->travel_from_count, knob->name);
    return to && !(from && same_place(from, to));
}

void scene_free(struct scene *scene)
{
    if (scene)
        arena_free(scene->arena);
}
