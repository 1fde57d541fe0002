#include "app/assign.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/nearest.h"
#include "app/turn.h"
#include "ui/plain_say.h"
#include "ui/view.h"

bool number_read(const char *text, double *number)
{
    static const char minus[] = "\xe2\x88\x92";
    char plain[128];
    size_t length = 0;
    while (*text) {
        bool unicode = strncmp(text, minus, 3) == 0;
        if (length + 1 >= sizeof plain || *text == 'x' || *text == 'X')
            return false;
        plain[length++] = unicode ? '-' : *text;
        text += unicode ? 3 : 1;
    }
    plain[length] = '\0';
    char *end;
    *number = strtod(plain, &end);
    if (end == plain)
        return false;
    while (isspace((unsigned char)*end))
        end++;
    return *end == '\0';
}

static bool whole_read(const char *text, uint32_t *whole)
{
    double number;
    if (!number_read(text, &number) || !(number >= 0 && number <= 1e9) || number != floor(number))
        return false;
    *whole = (uint32_t)number;
    return true;
}

bool place_read(const char *text, size_t count, size_t *place)
{
    uint32_t whole;
    if (!whole_read(text, &whole) || whole < 1 || whole > count)
        return false;
    *place = whole;
    return true;
}

static const struct scene_knob *find_knob(const struct scene_step *step, const char *name)
{
    const struct scene_knob *knob = knob_named(step, name);
    for (size_t i = 0; i < step->knob_count && !knob; i++)
        if (strcmp(step->knobs[i].label, name) == 0)
            knob = &step->knobs[i];
    return knob;
}

static const struct scene_axis *find_axis(const struct scene_step *step, const char *name)
{
    if (strncmp(name, "cursor.", 7) == 0)
        name += 7;
    for (size_t i = 0; i < step->axis_count; i++)
        if (strcmp(step->axes[i].name, name) == 0)
            return &step->axes[i];
    return NULL;
}

static const struct scene_editable *find_editable(const struct scene_step *step, const char *name)
{
    size_t length = strcspn(name, "[ ");
    for (size_t i = 0; i < step->editable_count; i++)
        if (strlen(step->editables[i].name) == length && strncmp(step->editables[i].name, name, length) == 0)
            return &step->editables[i];
    return NULL;
}

static int unknown(const struct scene_step *step, const char *name, struct error *err)
{
    char cursor[80];
    bool dotted = strncmp(name, "cursor.", 7) == 0;
    struct nearest nearest = {.wanted = dotted ? name + 7 : name};
    for (size_t i = 0; i < step->axis_count; i++)
        nearest_offer(&nearest, step->axes[i].name);
    if (dotted && nearest.best) {
        snprintf(cursor, sizeof cursor, "cursor.%s", nearest.best);
        return error_set(err, "the cursor has no axis \"%s\" here; did you mean \"%s\"?", name + 7, cursor);
    }
    for (size_t i = 0; i < step->knob_count; i++)
        nearest_offer(&nearest, step->knobs[i].name);
    for (size_t i = 0; i < step->editable_count; i++)
        nearest_offer(&nearest, step->editables[i].name);
    if (view_stages(step->view) > 0)
        nearest_offer(&nearest, "stage");
    if (step->branches > 0)
        nearest_offer(&nearest, "off");
    if (nearest.best)
        return error_set(err, "there is no \"%s\" to set in this step; did you mean \"%s\"?", name, nearest.best);
    if (step->knob_count > 0)
        return error_set(err, "there is no \"%s\" to set in this step; its first knob is \"%s\"", name, step->knobs[0].name);
    return error_set(err, "there is no \"%s\" to set in this step", name);
}

static int no_such_option(const struct scene_knob *knob, const char *value, struct error *err)
{
    struct strbuf all = {0};
    for (size_t i = 0; i < knob->options.count; i++)
        strbuf_addf(&all, "%s\"%s\"", i == 0 ? "" : i + 1 < knob->options.count ? ", " : " or ", knob->options.item[i]);
    error_set(err, "%s cannot be \"%s\"; it can be %s", knob->name, value, strbuf_string(&all));
    strbuf_free(&all);
    return -1;
}

/* As it is written, or as it is read out. */
static bool is_said(const char *name, const char *value)
{
    struct strbuf said = {0};
    say_text(&said, name);
    bool is = strcasecmp(name, value) == 0 || strcasecmp(strbuf_string(&said), value) == 0;
    strbuf_free(&said);
    return is;
}

static int assign_knob(struct inputs *inputs, struct words *words, const struct scene_knob *knob, const char *value,
                       struct error *err)
{
    double number = 0;
    switch (knob->kind) {
    case KNOB_SWITCH:
        if (strcmp(value, "on") == 0 || strcmp(value, "true") == 0 || strcmp(value, "1") == 0)
            number = 1;
        else if (strcmp(value, "off") != 0 && strcmp(value, "false") != 0 && strcmp(value, "0") != 0)
            return error_set(err, "%s is on or off, not \"%s\"", knob->name, value);
        break;
    case KNOB_PICK: {
        struct nearest nearest = {.wanted = value};
        size_t i = 0;
        for (; i < knob->options.count; i++) {
            if (strcasecmp(knob->options.item[i], value) == 0)
                break;
            if (i < knob->option_names.count && is_said(knob->option_names.item[i], value))
                break;
            nearest_offer(&nearest, knob->options.item[i]);
        }
        if (i == knob->options.count && nearest.best)
            return error_set(err, "%s cannot be \"%s\"; did you mean \"%s\"?", knob->name, value, nearest.best);
        if (i == knob->options.count)
            return no_such_option(knob, value, err);
        number = (double)i;
        break;
    }
    default:
        if (!number_read(value, &number))
            return error_set(err, "%s takes a number, not \"%s\"", knob->name, value);
        if (!(number >= knob->from && number <= knob->to))
            return error_set(err, "%s goes from %g to %g; %s is outside", knob->name, knob->from, knob->to, value);
        if (knob->kind == KNOB_INT && number != floor(number))
            return error_set(err, "%s takes whole numbers, not %s", knob->name, value);
    }
    return knob_put(inputs, words, knob, number, err);
}

/* "2,3", "2 3", "none": the layers whose branches are off; the others are on. */
static int assign_off(struct inputs *inputs, const struct scene_step *step, const char *value, struct error *err)
{
    uint32_t most = step->branches < OFF_MAX ? step->branches : OFF_MAX;
    uint64_t off = 0;
    const char *at = strcmp(value, "none") == 0 ? "" : value;
    for (at += strspn(at, ", "); *at; at += strspn(at, ", ")) {
        char word[16];
        size_t length = strcspn(at, ", "), layer;
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, at);
        if (!place_read(word, most, &layer))
            return error_set(err, "off takes layers from 1 to %u, such as 1,2, or none, not \"%s\"", most, value);
        off |= (uint64_t)1 << (layer - 1);
        at += length;
    }
    inputs->off = off;
    return 0;
}

static bool is_off(const struct scene_step *step, const char *name)
{
    return step->branches > 0 && strcmp(name, "off") == 0;
}

static int assign_axis(struct inputs *inputs, struct words *words, const struct scene_axis *axis, const char *value,
                       struct error *err)
{
    uint32_t index;
    if (!whole_read(value, &index) || index < 1 || index > axis->size)
        return error_set(err, "%s goes from 1 to %u, not \"%s\"", axis->name, axis->size, value);
    const char *name = words_keep(words, axis->name);
    return name ? inputs_look(inputs, name, index, err) : error_set(err, "out of memory");
}

static int assign_cell(struct inputs *inputs, struct words *words, const struct scene_editable *data, const char *name,
                       const char *value, struct error *err)
{
    struct edit edit = {.name = words_keep(words, data->name)};
    if (!edit.name)
        return error_set(err, "out of memory");
    const char *at = name + strlen(data->name);
    while (*at == '[' && edit.rank < INDEX_MAX) {
        char *end;
        errno = 0;
        unsigned long index = isdigit((unsigned char)at[1]) ? strtoul(at + 1, &end, 10) : 0;
        if (index == 0 || errno || *end != ']')
            return error_set(err, "\"%s\" names no cell; a cell is written like %s[1]", name, data->name);
        if (edit.rank < data->rank && index > data->extents[edit.rank])
            return error_set(err, "%s: the index %lu is outside; it goes from 1 to %u", name, index, data->extents[edit.rank]);
        edit.index[edit.rank++] = (uint32_t)index;
        at = end + 1;
    }
    if (*at || edit.rank != data->rank)
        return error_set(err, "\"%s\" names no cell: %s takes %d %s", name, data->name, data->rank,
                         data->rank == 1 ? "index" : "indices");
    if (!number_read(value, &edit.value))
        return error_set(err, "%s takes a number, not \"%s\"", name, value);
    return inputs_edit(inputs, &edit, err);
}

bool assign_knows(const struct scene_step *step, const char *name)
{
    return find_knob(step, name) || find_axis(step, name) || (strchr(name, '[') && find_editable(step, name)) ||
           (strcmp(name, "stage") == 0 && view_stages(step->view) > 0) || is_off(step, name);
}

int assign(struct inputs *inputs, struct words *words, const struct scene_step *step, const char *name, const char *value,
           struct error *err)
{
    const struct scene_knob *knob = find_knob(step, name);
    if (knob)
        return assign_knob(inputs, words, knob, value, err);
    uint32_t stages = view_stages(step->view);
    if (strcmp(name, "stage") == 0 && stages > 0) {
        uint32_t stage;
        if (!whole_read(value, &stage) || stage > stages)
            return error_set(err, "stage goes from 0, the whole, to %u, not \"%s\"", stages, value);
        inputs->stage = stage;
        return 0;
    }
    if (is_off(step, name))
        return assign_off(inputs, step, value, err);
    const struct scene_axis *axis = find_axis(step, name);
    if (axis)
        return assign_axis(inputs, words, axis, value, err);
    const struct scene_editable *data = find_editable(step, name);
    if (data)
        return assign_cell(inputs, words, data, name, value, err);
    return unknown(step, name, err);
}
