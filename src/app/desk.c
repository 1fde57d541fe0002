#include "app/desk.h"

#include <stdio.h>
#include <string.h>

void desk_clear(struct desk *desk)
{
    *desk = (struct desk){.focus = FOCUS_TEXT, .fresh = true, .sure = 2, .scroll = SCROLL_AUTO};
}

bool desk_field(const struct scene_step *step)
{
    return step->kind == STEP_NUMBER || step->kind == STEP_TENSOR || step->kind == STEP_SHAPE;
}

bool desk_picks(const struct scene_step *step)
{
    return step->question && (step->question->several || step->kind == STEP_ORDER);
}

bool desk_has(const struct session *session, enum focus focus)
{
    const struct scene_step *step = session_step(session);
    bool open = session_open_question(session);
    if (!step)
        return focus == FOCUS_TEXT;
    switch (focus) {
    case FOCUS_TEXT: return true;
    case FOCUS_KNOB: return step->knob_count > 0 && !step->locked;
    case FOCUS_VIEW: return step->axis_count > 0 && !step->locked;
    case FOCUS_FIELD: return open && desk_field(step);
    case FOCUS_CHOICE: return open && (step->kind == STEP_CHOICE || step->kind == STEP_ORDER);
    case FOCUS_SURE: return open && desk_field(step) && step->question->predict != PREDICT_NO;
    case FOCUS_CELL: return step->editable_count > 0 && !step->locked;
    case FOCUS_CODE: return step->question && step->question->code && !session->inputs.give_up;
    }
    return false;
}

static const enum focus round_trip[] = {FOCUS_FIELD, FOCUS_CHOICE, FOCUS_SURE, FOCUS_CODE, FOCUS_KNOB, FOCUS_VIEW, FOCUS_TEXT};
enum { FOCI = sizeof round_trip / sizeof round_trip[0] };

/* The text of a settled question says what was to be learned: the view is not to take its rows. That of a program says what to do
   with it. */
static enum focus first_focus(const struct session *session)
{
    for (size_t i = 0; i < FOCI; i++) {
        bool passed = round_trip[i] == FOCUS_SURE || round_trip[i] == FOCUS_CODE || (round_trip[i] == FOCUS_VIEW && session_question(session));
        if (!passed && desk_has(session, round_trip[i]))
            return round_trip[i];
    }
    return FOCUS_TEXT;
}

void desk_cycle(struct desk *desk, const struct session *session, bool back)
{
    size_t at = 0;
    while (at + 1 < FOCI && round_trip[at] != desk->focus)
        at++;
    do
        at = (at + (back ? FOCI - 1 : 1)) % FOCI;
    while (!desk_has(session, round_trip[at]));
    desk->focus = round_trip[at];
}

void desk_lay(struct desk *desk, const struct scene_step *step, const char *answer)
{
    const struct scene_question *question = step->question;
    if (desk_field(step))
        line_set(&desk->field, answer);
    if (desk_picks(step) && picks_read(&desk->picks, question->options, question->option_count, answer, NULL) != 0)
        desk->picks = (struct picks){0};
    for (size_t i = 0; i < question->option_count && !desk_picks(step); i++)
        if (strcmp(question->options[i].id, answer) == 0)
            desk->choice = i;
}

/* The learner's last answer, as the store remembers it, lies there again. */
static void recall_answer(struct desk *desk, const struct session *session)
{
    const struct scene_step *step = session_step(session);
    const char *answer = session->inputs.answer;
    if (session->inputs.sure > 0)
        desk->sure = session->inputs.sure;
    if (answer && step->question)
        desk_lay(desk, step, answer);
}

void desk_settle(struct desk *desk, const struct session *session)
{
    const struct scene_step *step = session_step(session);
    if (!step)
        return;
    if (desk->fresh) {
        desk->fresh = false;
        desk->focus = first_focus(session);
        desk->choice = NO_CHOICE;
        recall_answer(desk, session);
    }
    if (!desk_has(session, desk->focus))
        desk->focus = first_focus(session);
    if (desk->knob >= step->knob_count)
        desk->knob = 0;
    if (!step->question || desk->choice >= step->question->option_count)
        desk->choice = NO_CHOICE;
    for (size_t i = 0; i < desk->picks.count; i++)
        if (!step->question || desk->picks.place[i] >= step->question->option_count)
            desk->picks = (struct picks){0}; /* the lesson has changed */
    if (desk_picks(step) && desk->choice == NO_CHOICE && step->question->option_count > 0)
        desk->choice = picks_at(&desk->picks, 0);
}

static int axis_named(const struct scene_step *step, const char *name)
{
    for (size_t i = 0; i < step->axis_count; i++)
        if (strcmp(step->axes[i].name, name) == 0)
            return (int)i;
    return -1;
}

int desk_column_axis(const struct scene_step *step)
{
    return (int)step->axis_count - 1;
}

int desk_row_axis(const struct scene_step *step)
{
    return step->axis_count > 1 ? (int)step->axis_count - 2 : (int)step->axis_count - 1;
}

int desk_depth_axis(const struct scene_step *step)
{
    return (int)step->axis_count - 3 >= 0 ? (int)step->axis_count - 3 : -1;
}

static uint32_t index_on(const struct session *session, const char *axis, uint32_t extent)
{
    const struct scene_step *step = session_step(session);
    int i = axis_named(step, axis);
    uint32_t index = i >= 0 ? inputs_index(&session->inputs, &step->axes[i]) : 1;
    return index < 1 ? 1 : index > extent ? extent : index;
}

uint32_t desk_layer(const struct session *session)
{
    const struct scene_step *step = session_step(session);
    return step && step->branches > 0 ? index_on(session, "layer", step->branches) : 0;
}

bool desk_edit_cell(struct desk *desk, const struct session *session)
{
    if (!desk_has(session, FOCUS_CELL))
        return false;
    const struct scene_editable *data = &session_step(session)->editables[0];
    struct edit edit = {.name = desk->cell_data, .rank = data->rank};
    for (int i = 0; i < data->rank; i++)
        if (data->extents[i] == 0)
            return false;
    size_t cell = 0;
    int length = snprintf(desk->cell_name, DESK_CELL_NAME, "%s", data->name);
    snprintf(desk->cell_data, DESK_CELL_NAME, "%s", data->name);
    for (int i = 0; i < data->rank && i < INDEX_MAX; i++) {
        const char *axis = (size_t)i < data->axes.count ? data->axes.item[i] : "";
        edit.index[i] = index_on(session, axis, data->extents[i]);
        cell = cell * data->extents[i] + edit.index[i] - 1;
        if (length >= 0 && length < DESK_CELL_NAME)
            length += snprintf(desk->cell_name + length, (size_t)(DESK_CELL_NAME - length), "[%u]", edit.index[i]);
    }
    desk->cell_edit = edit;
    line_set(&desk->cell, data->cells[cell].flags & CELL_HIDDEN ? "" : data->cells[cell].text);
    desk->cell_fresh = true;
    desk->focus = FOCUS_CELL;
    return true;
}

const char *desk_typed(const struct desk *desk, const struct session *session)
{
    return desk->field.length > 0 && desk_has(session, FOCUS_FIELD) ? desk->field.text : NULL;
}

static const char *picked_answer(struct desk *desk, const struct scene_question *question)
{
    struct strbuf ids = {0};
    picks_write(&ids, &desk->picks, question->options);
    bool some = ids.length > 0 && ids.length < sizeof desk->picked && !ids.failed;
    if (some)
        memcpy(desk->picked, ids.text, ids.length + 1);
    strbuf_free(&ids);
    return some ? desk->picked : NULL;
}

const char *desk_answer(struct desk *desk, const struct session *session)
{
    const struct scene_question *question = session_question(session);
    if (desk_has(session, FOCUS_FIELD))
        return desk->field.length > 0 ? desk->field.text : NULL;
    if (desk_has(session, FOCUS_CHOICE) && desk_picks(session_step(session)))
        return picked_answer(desk, question);
    if (desk_has(session, FOCUS_CHOICE) && desk->choice < question->option_count)
        return question->options[desk->choice].id;
    return NULL;
}

/* A page that needs no frame is drawn from the outline; so is a step whose frame is on its way. */
static const struct scene *scene_to_show(const struct session *session)
{
    return session->scene ? session->scene : session->course->lessons[session->lesson].outline;
}

void desk_screen(const struct desk *desk, const struct session *session, struct lesson_screen *out)
{
    const struct scene *scene = scene_to_show(session);
    /* An outline from before the file was changed may have other steps. */
    bool same_steps = scene && scene->lesson && scene->lesson->step_count == session->settled_count;
    *out = (struct lesson_screen){
        .number = session->course->folder ? (int)session->lesson + 1 : 0,
        .page = session->page,
        .scene = scene,
        .focus = desk->focus,
        .knob = desk->knob,
        .choice = desk->choice,
        .picks = &desk->picks,
        .held = desk->held,
        .sure = desk->sure,
        .field = {desk->field.text, desk->field.cursor},
        .cell = {desk->cell.text, desk->cell.cursor},
        .cell_name = desk->cell_name,
        .hints_open = session->inputs.hints,
        .settled = same_steps ? session->settled : NULL,
        .scroll = desk->scroll,
        .notice = "",
        .help = desk->help,
        .help_scroll = desk->help_scroll,
        .next_title = "",
    };
    if (session->course->folder && session->lesson + 1 == session->course->lesson_count)
        course_tell(session->course, &out->about);
}
