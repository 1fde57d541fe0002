/* The tries of a step: what a learner may do there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/turn.h"
#include "base/language.h"
#include "base/list.h"
#include "check/internal.h"
#include "ui/view.h"

const struct scene_outline_step *job_outline(const struct job *job)
{
    return &job->target->outline->lesson->steps[job->step];
}

/* ---- which there are ---- */

struct plan {
    struct try *list;
    size_t count, room;
    bool failed;
};

static void add(struct plan *plan, struct try try)
{
    struct try *list = list_room(plan->list, plan->count, &plan->room, sizeof *list);
    if (!list) {
        plan->failed = true;
        return;
    }
    plan->list = list;
    plan->list[plan->count++] = try;
}

/* Each whole number, where there are not too many; else a few on the way. */
static void add_between(struct plan *plan, const struct scene_knob *knob, size_t which)
{
    enum { EACH_MOST = 64, PARTS = 4 };
    bool each = knob->kind == KNOB_INT && knob->to - knob->from < EACH_MOST;
    double parts = each ? knob->to - knob->from : PARTS;
    for (double n = 1; n < parts; n++) {
        double value = knob_between(knob, knob->from, knob->to, n / parts);
        add(plan, (struct try){.kind = TRY_BETWEEN, .which = which, .value = value});
    }
}

static void add_knobs(struct plan *plan, const struct scene_step *step, bool between)
{
    for (size_t i = 0; i < step->knob_count; i++) {
        const struct scene_knob *knob = &step->knobs[i];
        bool each = knob->kind == KNOB_PICK;
        size_t stops = each ? knob->options.count : 2;
        for (size_t n = 0; n < stops; n++) {
            double value = each ? (double)n : n == 0 ? knob->from : knob->kind == KNOB_SWITCH ? 1 : knob->to;
            add(plan, (struct try){.kind = TRY_KNOB, .which = i, .value = value});
        }
        if (between && !each && knob->kind != KNOB_SWITCH)
            add_between(plan, knob, i);
    }
    if (step->knob_count > 1) {
        add(plan, (struct try){.kind = TRY_LOW});
        add(plan, (struct try){.kind = TRY_HIGH});
    }
}

static void add_frames(struct plan *plan, const struct scene_step *step, bool between)
{
    add_knobs(plan, step, between);
    if (step->question && step->question->travel_to_count > 0)
        add(plan, (struct try){.kind = TRY_TRAVEL});
    for (size_t i = 0; i < step->editable_count; i++)
        add(plan, (struct try){.kind = TRY_EDIT, .which = i});
    bool far = false;
    for (size_t i = 0; i < step->axis_count; i++)
        far = far || step->axes[i].size > 1;
    if (far)
        add(plan, (struct try){.kind = TRY_FAR});
    for (uint32_t stage = 1; stage <= view_stages(step->view); stage++)
        add(plan, (struct try){.kind = TRY_STAGE, .stage = stage});
    if (step->branches > 0)
        add(plan, (struct try){.kind = TRY_OFF});
}

bool job_plan(struct job *job)
{
    struct plan plan = {0};
    const struct scene_step *step = job->base->step;
    const struct scene_check *check = job->base->check;
    add(&plan, (struct try){.kind = TRY_STEP});
    if (step->question)
        add(&plan, (struct try){.kind = TRY_WORDS});
    for (size_t i = 0; i < check->declared_count; i++)
        add(&plan, (struct try){.kind = TRY_ANSWER, .which = i});
    if (*check->reread && check->declared_count > 0 && strcmp(check->reread, check->declared[0].typed) != 0)
        add(&plan, (struct try){.kind = TRY_REREAD});
    if (job->frames)
        add_frames(&plan, step, job->seed <= CHECK_BETWEEN_SEEDS);
    free(job->tries);
    job->tries = plan.list;
    job->try_count = plan.count;
    job->at = 0;
    return !plan.failed;
}

/* ---- the request of one ---- */

static void set(struct inputs *inputs, const struct scene_knob *knob, double value)
{
    struct setting setting = {.name = knob->name, .kind = SETTING_NUMBER, .number = value};
    if (knob->kind == KNOB_SWITCH) {
        setting.kind = SETTING_SWITCH;
        setting.on = value != 0;
    } else if (knob->kind == KNOB_PICK) {
        setting.kind = SETTING_WORD;
        setting.word = knob->options.item[(size_t)value];
    }
    inputs_set(inputs, setting, NULL);
}

static void set_all(struct inputs *inputs, const struct scene_step *step, bool high)
{
    for (size_t i = 0; i < step->knob_count; i++) {
        const struct scene_knob *knob = &step->knobs[i];
        double most = knob->kind == KNOB_PICK ? (double)knob->options.count - 1 : knob->kind == KNOB_SWITCH ? 1 : knob->to;
        set(inputs, knob, high ? most : knob->kind == KNOB_PICK ? 0 : knob->from);
    }
}

static void edit(struct inputs *inputs, const struct scene_editable *editable)
{
    struct edit cell = {.name = editable->name, .rank = editable->rank, .value = 0};
    for (int axis = 0; axis < editable->rank; axis++)
        cell.index[axis] = editable->extents[axis];
    inputs_edit(inputs, &cell, NULL);
}

static void fill_inputs(struct job *job, const struct try *try)
{
    struct inputs *inputs = &job->inputs;
    const struct scene_step *step = job->base ? job->base->step : NULL;
    *inputs = (struct inputs){.sure = 2};
    if (!step || try->kind == TRY_STEP)
        return;
    /* A prediction's knobs and cursor move once it is answered. */
    inputs->give_up = try->kind == TRY_WORDS || (try->kind >= TRY_KNOB && step->locked);
    switch (try->kind) {
    case TRY_LOAD:
    case TRY_STEP: break;
    case TRY_ANSWER: inputs->answer = job->base->check->declared[try->which].typed; break;
    case TRY_REREAD: inputs->answer = job->base->check->reread; break;
    case TRY_WORDS: inputs->hints = step->question->hint_total; break;
    case TRY_KNOB:
    case TRY_BETWEEN: set(inputs, &step->knobs[try->which], try->value); break;
    case TRY_LOW: set_all(inputs, step, false); break;
    case TRY_HIGH: set_all(inputs, step, true); break;
    case TRY_TRAVEL:
        for (size_t i = 0; i < step->question->travel_to_count; i++)
            inputs_set(inputs, step->question->travel_to[i], NULL);
        break;
    case TRY_EDIT: edit(inputs, &step->editables[try->which]); break;
    case TRY_FAR:
        for (size_t i = 0; i < step->axis_count; i++)
            inputs_look(inputs, step->axes[i].name, step->axes[i].size, NULL);
        break;
    case TRY_STAGE: inputs->stage = try->stage; break;
    case TRY_OFF: inputs->off = UINT64_MAX; break;
    }
}

void job_request(struct job *job, struct request *request)
{
    const struct target *target = job->target;
    const struct try *try = &job->tries[job->at];
    fill_inputs(job, try);
    *request = (struct request){
        .kind = try->kind == TRY_LOAD ? REQUEST_LESSON : try->kind == TRY_STEP ? REQUEST_CHECK : REQUEST_FRAME,
        .course = course_id(target->course),
        .file = target_file(target),
        .step = try->kind == TRY_LOAD ? "" : job_outline(job)->id,
        .seed = job->seed,
    };
    request->no_view = !job->frames && (try->kind == TRY_ANSWER || try->kind == TRY_REREAD);
    lesson_text_to_request(&target->text, request);
    inputs_to_request(&job->inputs, request);
}

void job_context(const struct job *job, char *out, size_t size)
{
    const struct try *try = &job->tries[job->at];
    const struct scene_check *check = job->base ? job->base->check : NULL;
    *out = '\0';
    switch (try->kind) {
    case TRY_LOAD:
    case TRY_STEP:
    case TRY_WORDS: break;
    case TRY_ANSWER:
        if (*check->declared[try->which].id)
            snprintf(out, size, _(" (in answer to \"%s\")"), check->declared[try->which].id);
        else
            snprintf(out, size, _(" (in answer to what is right)"));
        break;
    case TRY_REREAD: snprintf(out, size, _(" (in answer to %s)"), check->reread); break;
    case TRY_KNOB: {
        const struct scene_knob *knob = &job->base->step->knobs[try->which];
        if (knob->kind == KNOB_PICK)
            snprintf(out, size, " (with `%s` at \"%s\")", knob->name, knob->options.item[(size_t)try->value]);
        else if (knob->kind == KNOB_SWITCH)
            snprintf(out, size, " (with `%s` %s)", knob->name, try->value > 0 ? "on" : "off");
        else
            snprintf(out, size, _(" (with `%s` at its end, %g)"), knob->name, try->value);
        break;
    }
    case TRY_BETWEEN: snprintf(out, size, _(" (with `%s` at %g)"), job->base->step->knobs[try->which].name, try->value); break;
    case TRY_LOW: snprintf(out, size, _(" (with all knobs at their lower ends)")); break;
    case TRY_HIGH: snprintf(out, size, _(" (with all knobs at their upper ends)")); break;
    case TRY_TRAVEL: snprintf(out, size, _(" (with the knobs where the prediction sends them)")); break;
    case TRY_EDIT: snprintf(out, size, _(" (with the last number of `%s` made 0)"), job->base->step->editables[try->which].name); break;
    case TRY_FAR: snprintf(out, size, _(" (with the cursor at the far end)")); break;
    case TRY_STAGE: snprintf(out, size, _(" (at stage %u of the view)"), try->stage); break;
    case TRY_OFF: snprintf(out, size, _(" (with every branch off)")); break;
    }
}
