#include "app/inputs.h"

#include <string.h>

void inputs_to_request(const struct inputs *inputs, struct request *request)
{
    request->settings = inputs->settings;
    request->setting_count = inputs->setting_count;
    request->edits = inputs->edits;
    request->edit_count = inputs->edit_count;
    request->cursors = inputs->cursors;
    request->cursor_count = inputs->cursor_count;
    request->stage = inputs->stage;
    request->off = inputs->off;
    request->answer = inputs->answer;
    request->run = inputs->run;
    request->sure = inputs->sure;
    request->hints = inputs->hints;
    request->give_up = inputs->give_up;
}

static size_t find_setting(const struct inputs *inputs, const char *name)
{
    size_t i = 0;
    while (i < inputs->setting_count && strcmp(inputs->settings[i].name, name) != 0)
        i++;
    return i;
}

const struct setting *inputs_setting(const struct inputs *inputs, const char *name)
{
    size_t i = find_setting(inputs, name);
    return i < inputs->setting_count ? &inputs->settings[i] : NULL;
}

int inputs_set(struct inputs *inputs, struct setting setting, struct error *err)
{
    size_t i = find_setting(inputs, setting.name);
    if (i == INPUTS_SETTINGS)
        return error_set(err, "too many knobs are turned; reset one first");
    inputs->settings[i] = setting;
    if (i == inputs->setting_count)
        inputs->setting_count++;
    return 0;
}

void inputs_unset(struct inputs *inputs, const char *name)
{
    size_t i = find_setting(inputs, name);
    if (i < inputs->setting_count)
        inputs->settings[i] = inputs->settings[--inputs->setting_count];
}

static bool same_cell(const struct edit *a, const struct edit *b)
{
    return a->rank == b->rank && strcmp(a->name, b->name) == 0 &&
           memcmp(a->index, b->index, (size_t)a->rank * sizeof a->index[0]) == 0;
}

int inputs_edit(struct inputs *inputs, const struct edit *edit, struct error *err)
{
    size_t i = 0;
    while (i < inputs->edit_count && !same_cell(&inputs->edits[i], edit))
        i++;
    if (i == INPUTS_EDITS)
        return error_set(err, "%d cells are changed already; reset some first", INPUTS_EDITS);
    inputs->edits[i] = *edit;
    if (i == inputs->edit_count)
        inputs->edit_count++;
    return 0;
}

int inputs_look(struct inputs *inputs, const char *axis, uint32_t index, struct error *err)
{
    size_t i = 0;
    while (i < inputs->cursor_count && strcmp(inputs->cursors[i].axis, axis) != 0)
        i++;
    if (i == INDEX_MAX)
        return error_set(err, "the cursor moves along %d axes at most", INDEX_MAX);
    inputs->cursors[i] = (struct cursor){axis, index};
    if (i == inputs->cursor_count)
        inputs->cursor_count++;
    return 0;
}

uint32_t inputs_index(const struct inputs *inputs, const struct scene_axis *axis)
{
    for (size_t i = 0; i < inputs->cursor_count; i++)
        if (strcmp(inputs->cursors[i].axis, axis->name) == 0)
            return inputs->cursors[i].index;
    return axis->index;
}
