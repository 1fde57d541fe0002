/* In plain lines: knobs, cells, cursor, stage and branches. The first line says what was done. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/assign.h"
#include "app/plain.h"
#include "base/language.h"
#include "base/strbuf.h"
#include "scene/picks.h"
#include "ui/plain_say.h"
#include "ui/view.h"

/* ---- what a line names ---- */

enum place_kind { PLACE_KNOB, PLACE_AXIS, PLACE_CELL, PLACE_STAGE };

struct place {
    enum place_kind kind;
    size_t at;              /* which knob, axis or editable */
    char name[128];         /* as `assign` takes it */
    uint32_t index[INDEX_MAX]; /* PLACE_CELL */
    const char *rest;       /* what follows in the line */
};

/* What follows `name` at the start of the line, in any case; NULL: it does not begin so. */
static const char *behind(const char *line, const char *name)
{
    size_t length = strlen(name);
    if (!length || strncasecmp(line, name, length) != 0)
        return NULL;
    line += length;
    if (*line && !isspace((unsigned char)*line) && *line != '=')
        return NULL;
    while (isspace((unsigned char)*line))
        line++;
    line += *line == '=';
    while (isspace((unsigned char)*line))
        line++;
    return line;
}

static const char *behind_knob(const char *line, const struct scene_knob *knob)
{
    struct strbuf label = {0};
    const char *rest = behind(line, knob->name);
    say_text(&label, knob->label);
    rest = rest ? rest : behind(line, knob->label);
    rest = rest ? rest : behind(line, strbuf_string(&label));
    strbuf_free(&label);
    return rest;
}

static bool find_cell(const struct scene_step *step, const char *line, struct place *place)
{
    for (place->at = 0; place->at < step->editable_count; place->at++) {
        const struct scene_editable *data = &step->editables[place->at];
        size_t length = strlen(data->name);
        const char *at = line + length;
        int rank = 0;
        if (strncmp(line, data->name, length) != 0 || *at != '[')
            continue;
        while (*at == '[' && rank < data->rank) {
            char *end;
            unsigned long index = strtoul(at + 1, &end, 10);
            if (*end != ']' || index < 1 || index > data->extents[rank])
                return false;
            place->index[rank++] = (uint32_t)index;
            at = end + 1;
        }
        length = (size_t)(at - line);
        if (rank != data->rank || length >= sizeof place->name)
            return false;
        memcpy(place->name, line, length);
        place->name[length] = '\0';
        place->rest = behind(line, place->name);
        return place->rest != NULL;
    }
    return false;
}

static bool find_place(const struct scene_step *step, const char *line, struct place *place)
{
    *place = (struct place){.kind = PLACE_KNOB};
    for (; place->at < step->knob_count; place->at++) {
        place->rest = behind_knob(line, &step->knobs[place->at]);
        if (place->rest)
            return snprintf(place->name, sizeof place->name, "%s", step->knobs[place->at].name) < (int)sizeof place->name;
    }
    place->kind = PLACE_STAGE;
    place->rest = view_stages(step->view) > 0 ? behind(line, "stage") : NULL;
    strcpy(place->name, "stage");
    if (place->rest)
        return true;
    place->kind = PLACE_AXIS;
    for (place->at = 0; place->at < step->axis_count; place->at++) {
        const char *name = step->axes[place->at].name;
        place->rest = behind(line, name);
        if (place->rest)
            return snprintf(place->name, sizeof place->name, "cursor.%s", name) < (int)sizeof place->name;
    }
    place->kind = PLACE_CELL;
    return find_cell(step, line, place);
}

/* ---- what stands there ---- */

static const struct cell *cell_at(const struct scene_editable *data, const uint32_t *index)
{
    size_t flat = 0;
    for (int axis = 0; axis < data->rank; axis++)
        flat = flat * data->extents[axis] + index[axis] - 1;
    return &data->cells[flat];
}

static void say_value(struct plain *p, struct strbuf *out, const struct place *place)
{
    const struct scene_step *step = session_step(&p->session);
    switch (place->kind) {
    case PLACE_KNOB: say_text(out, step->knobs[place->at].value_text); break;
    case PLACE_AXIS: strbuf_addf(out, "%u", step->axes[place->at].index); break;
    case PLACE_CELL: say_text(out, cell_at(&step->editables[place->at], place->index)->text); break;
    case PLACE_STAGE: strbuf_addf(out, "%u", p->session.inputs.stage); break;
    }
}

static void say_stage(struct plain *p)
{
    const struct scene_step *step = session_step(&p->session);
    struct strbuf line = {0};
    if (p->session.inputs.stage == 0)
        strbuf_addf(&line, _("stage 0 of %u: the whole."), view_stages(step->view));
    else
        strbuf_addf(&line, _("stage %u of %u"), p->session.inputs.stage, view_stages(step->view));
    if (p->session.inputs.stage > 0) {
        struct strbuf name = {0};
        say_stage_name(&name, step->view);
        strbuf_addf(&line, "%s%s.", name.length ? ": " : "", strbuf_string(&name));
        strbuf_free(&name);
    }
    plain_say(p, strbuf_string(&line));
    strbuf_free(&line);
}

/* "over = token (was all)." */
static void say_done(struct plain *p, const struct place *place, const char *before)
{
    struct strbuf line = {0}, now = {0};
    say_value(p, &now, place);
    strbuf_add(&line, place->kind == PLACE_AXIS ? place->name + strlen("cursor.") : place->name);
    strbuf_addf(&line, strcmp(before, strbuf_string(&now)) ? _(" = %s (was %s).") : _(" = %s, as before."), strbuf_string(&now), before);
    if (place->kind == PLACE_STAGE)
        say_stage(p);
    else
        plain_say(p, strbuf_string(&line));
    strbuf_free(&line);
    strbuf_free(&now);
}

/* A name alone: what it is, and what it can be. */
static void say_range(struct plain *p, const struct place *place)
{
    const struct scene_step *step = session_step(&p->session);
    struct strbuf line = {0};
    switch (place->kind) {
    case PLACE_KNOB:
        say_knob(&line, step, &step->knobs[place->at]);
        if (line.length > 0)
            line.text[line.length - 1] = '\0'; /* plain_say ends the line */
        break;
    case PLACE_AXIS: {
        const struct scene_axis *axis = &step->axes[place->at];
        strbuf_addf(&line, _("%s = %u (1 to %u)."), axis->name, axis->index, axis->size);
        break;
    }
    case PLACE_CELL:
        strbuf_addf(&line, "%s = ", place->name);
        say_value(p, &line, place);
        strbuf_add(&line, ".");
        break;
    case PLACE_STAGE: say_stage(p); break;
    }
    if (line.length > 0)
        plain_say(p, strbuf_string(&line));
    strbuf_free(&line);
}

/* ---- moving ---- */

/* What is read then is about the cell. */
static void look_at_cell(struct plain *p, const struct place *place)
{
    const struct scene_step *step = session_step(&p->session);
    const struct scene_editable *data = &step->editables[place->at];
    for (int axis = 0; axis < data->rank && (size_t)axis < data->axes.count; axis++)
        for (size_t i = 0; i < step->axis_count; i++)
            if (strcmp(step->axes[i].name, data->axes.item[axis]) == 0)
                session_look(&p->session, i, (int)place->index[axis] - (int)inputs_index(&p->session.inputs, &step->axes[i]));
}

static void move(struct plain *p, const struct place *place)
{
    struct error err = {0};
    struct strbuf before = {0};
    if (session_step(&p->session)->locked) {
        plain_say(p, "The view moves once the prediction is made.");
        return;
    }
    say_value(p, &before, place);
    if (session_assign(&p->session, place->name, place->rest, &err) != 0) {
        plain_say(p, err.text);
    } else {
        if (place->kind == PLACE_CELL)
            look_at_cell(p, place);
        if (plain_refresh(p)) {
            say_done(p, place, strbuf_string(&before));
            plain_say_scene(p, plain_seen);
        }
    }
    strbuf_free(&before);
}

/* "eps", "x[1] / 2", where such names may be typed. */
static bool is_formula(const struct scene_question *question, const char *line, const char *rest)
{
    for (size_t i = 0; i < question->allow.count; i++) {
        size_t length = strlen(question->allow.item[i]);
        char next = strncmp(line, question->allow.item[i], length) == 0 ? line[length] : 'x';
        if (!isalnum((unsigned char)next) && next != '_')
            return !*rest || strchr("+*/^,)", *rest) || (*rest == '-' && rest[1] == ' ');
    }
    return false;
}

/* What the question takes is an answer to it, though something else bears that name too. */
static bool is_answer(struct plain *p, const char *line, const char *rest)
{
    const struct scene_step *step = session_step(&p->session);
    const struct scene_question *question = step->question;
    if (!session_open_question(&p->session))
        return false;
    if (is_formula(question, line, rest))
        return true;
    if (*rest)
        return false;
    return step->kind == STEP_SHAPE || plain_option(p, line) != line ||
           option_find(question->options, question->option_count, line, strlen(line)) < question->option_count;
}

void plain_other(struct plain *p, const struct command *command)
{
    struct error err = {0};
    const struct scene_step *step = session_step(&p->session);
    struct place place;
    if (step && find_place(step, command->line, &place) && !is_answer(p, command->line, place.rest)) {
        if (*place.rest)
            move(p, &place);
        else
            say_range(p, &place);
    } else if (step && command->verb == VERB_SET && assign_knows(step, command->name)) {
        if (step->locked)
            plain_say(p, "The view moves once the prediction is made.");
        else if (session_assign(&p->session, command->name, command->rest, &err) != 0)
            plain_say(p, err.text);
        else if (plain_refresh(p))
            plain_say_scene(p, plain_seen);
    } else if (session_open_question(&p->session)) {
        plain_answer(p, command->line);
    } else if (command->verb == VERB_SET) {
        if (session_assign(&p->session, command->name, command->rest, &err) != 0)
            plain_say(p, err.text);
        plain_say(p, "help says what can be typed here.");
    } else {
        plain_say(p, "That is no command here; help says what is.");
    }
}

void plain_switch_branch(struct plain *p, const char *text, bool off)
{
    const struct scene_step *step = session_step(&p->session);
    size_t layer;
    struct strbuf line = {0};
    if (step->locked) {
        plain_say(p, "The view moves once the prediction is made.");
        return;
    }
    if (!place_read(text, step->branches, &layer)) {
        strbuf_addf(&line, _("%s takes a layer, 1 to %u."), off ? "off" : "on", step->branches);
        plain_say(p, strbuf_string(&line));
    } else {
        bool was = session_is_off(&p->session, (uint32_t)layer);
        if (was != off)
            session_switch(&p->session, (uint32_t)layer);
        if (plain_refresh(p)) {
            strbuf_addf(&line, _("Layer %zu: branch %s (was %s)."), layer, off ? _("off") : _("on"), was ? _("off") : _("on"));
            plain_say(p, strbuf_string(&line));
            plain_say_scene(p, plain_seen);
        }
    }
    strbuf_free(&line);
}

/* ---- back to the lesson's own ---- */

static void name_reset(struct strbuf *out, const char *name)
{
    strbuf_addf(out, "%s%s", out->length ? ", " : "", name);
}

static void name_changed(struct strbuf *out, const struct inputs *inputs)
{
    enum { CELLS = 6 };
    for (size_t i = 0; i < inputs->setting_count; i++)
        name_reset(out, inputs->settings[i].name);
    for (size_t i = 0; i < inputs->edit_count && i < CELLS; i++) {
        name_reset(out, inputs->edits[i].name);
        for (int axis = 0; axis < inputs->edits[i].rank; axis++)
            strbuf_addf(out, "[%u]", inputs->edits[i].index[axis]);
    }
    if (inputs->edit_count > CELLS)
        name_reset(out, _("more cells"));
    for (size_t i = 0; i < inputs->cursor_count; i++)
        name_reset(out, inputs->cursors[i].axis);
    if (inputs->stage)
        name_reset(out, "stage");
    if (inputs->off)
        name_reset(out, _("branches"));
}

void plain_reset(struct plain *p)
{
    struct strbuf names = {0}, line = {0};
    const struct scene_step *step = session_step(&p->session);
    if (step && step->locked) {
        plain_say(p, "The view moves once the prediction is made.");
        return;
    }
    if (step)
        name_changed(&names, &p->session.inputs);
    if (!names.length) {
        plain_say(p, "There is nothing to reset: all is as the lesson has it.");
        return;
    }
    session_reset(&p->session);
    if (plain_refresh(p)) {
        strbuf_addf(&line, _("Reset: %s."), strbuf_string(&names));
        plain_say(p, strbuf_string(&line));
        plain_say_scene(p, plain_seen);
    }
    strbuf_free(&names);
    strbuf_free(&line);
}
