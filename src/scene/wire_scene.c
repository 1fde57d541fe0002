#include <math.h>

#include "scene/wire.h"
#include "scene/wire_io.h"
#include "scene/wire_view.h"

static void carry_course(struct wire *wire, struct scene_course *course)
{
    struct wire_place up = wire_enter(wire, "course", 9);
    wire_text(wire, "course.id", &course->id);
    wire_text(wire, "course.title", &course->title);
    wire_text(wire, "course.author", &course->author);
    wire_text(wire, "course.licence", &course->licence);
    wire_text(wire, "course.version", &course->version);
    wire_text(wire, "course.language", &course->language);
    wire_strings(wire, "course.lessons", &course->lessons);
    wire_strings(wire, "course.sources", &course->sources);
    wire_text(wire, "course.report", &course->report);
    wire_leave(wire, "course", up);
}

static void carry_outline_step(struct wire *wire, struct scene_outline_step *step)
{
    struct wire_place up = wire_enter(wire, "lesson.steps", 4);
    wire_text(wire, "lesson.steps.id", &step->id);
    wire_text(wire, "lesson.steps.title", &step->title);
    WIRE_ENUM(wire, "lesson.steps.kind", step->kind, STEP_CODE);
    wire_text(wire, "lesson.steps.renamed_from", &step->renamed_from);
    wire_leave(wire, "lesson.steps", up);
}

static void carry_lesson(struct wire *wire, struct scene_lesson *lesson)
{
    struct wire_place up = wire_enter(wire, "lesson", 12);
    wire_text(wire, "lesson.id", &lesson->id);
    wire_text(wire, "lesson.title", &lesson->title);
    wire_text(wire, "lesson.about", &lesson->about);
    wire_text(wire, "lesson.renamed_from", &lesson->renamed_from);
    wire_text(wire, "lesson.goal", &lesson->goal);
    wire_text(wire, "lesson.remember", &lesson->remember);
    wire_double(wire, "lesson.minutes", &lesson->minutes);
    wire_strings(wire, "lesson.needs", &lesson->needs);
    wire_strings(wire, "lesson.sources", &lesson->sources);
    wire_strings(wire, "lesson.files", &lesson->files);
    wire_u32(wire, "lesson.files_line", &lesson->files_line, UINT32_MAX);
    WIRE_LIST(wire, "lesson.steps", lesson->steps, lesson->step_count, carry_outline_step);
    wire_leave(wire, "lesson", up);
}

/* 0, 1, ... last. */
static bool is_index(double value, double last)
{
    return value >= 0 && value <= last && value == floor(value);
}

static void carry_knob(struct wire *wire, struct scene_knob *knob)
{
    struct wire_place up = wire_enter(wire, "knob", 11);
    wire_text(wire, "knob.name", &knob->name);
    wire_text(wire, "knob.label", &knob->label);
    WIRE_ENUM(wire, "knob.kind", knob->kind, KNOB_PICK);
    wire_double(wire, "knob.from", &knob->from);
    wire_double(wire, "knob.to", &knob->to);
    wire_double(wire, "knob.at", &knob->at);
    wire_double(wire, "knob.value", &knob->value);
    wire_u32(wire, "knob.stops", &knob->stops, UINT32_MAX);
    wire_text(wire, "knob.value_text", &knob->value_text);
    wire_strings(wire, "knob.options", &knob->options);
    wire_strings(wire, "knob.option_names", &knob->option_names);
    wire_leave(wire, "knob", up);
    if (wire->failed)
        return;

    if (knob->kind == KNOB_PICK) {
        double last = (double)knob->options.count - 1;
        if (knob->option_names.count != knob->options.count)
            wire_fail(wire, "knob.option_names has another length than knob.options");
        else if (!is_index(knob->at, last) || !is_index(knob->value, last))
            wire_fail(wire, "knob.value is none of the options");
    } else if (knob->kind == KNOB_SWITCH && (!is_index(knob->at, 1) || !is_index(knob->value, 1))) {
        wire_fail(wire, "knob.value is not that of a switch");
    }
}

static void carry_axis(struct wire *wire, struct scene_axis *axis)
{
    struct wire_place up = wire_enter(wire, "axis", 3);
    wire_text(wire, "axis.name", &axis->name);
    wire_u32(wire, "axis.size", &axis->size, UINT32_MAX);
    wire_u32(wire, "axis.index", &axis->index, axis->size);
    if (!wire->failed && axis->index == 0)
        wire_fail(wire, "axis.index is out of range");
    wire_leave(wire, "axis", up);
}

static void carry_editable(struct wire *wire, struct scene_editable *editable)
{
    struct wire_place up = wire_enter(wire, "editable", 4);
    wire_text(wire, "editable.name", &editable->name);

    size_t rank = editable->rank < 0 ? SIZE_MAX : (size_t)editable->rank;
    struct wire_place list = wire_enter_list(wire, "editable.extents", &rank);
    if (rank > INDEX_MAX)
        wire_fail(wire, "editable.rank is out of range");
    size_t cells = 1;
    for (size_t i = 0; !wire->failed && i < rank; i++) {
        wire_u32(wire, "editable.extents", &editable->extents[i], UINT32_MAX);
        if (__builtin_mul_overflow(cells, editable->extents[i], &cells))
            wire_fail(wire, "editable.extents are out of range");
    }
    wire_leave(wire, "editable.extents", list);
    if (wire->reading && !wire->failed)
        editable->rank = (int)rank;

    wire_strings(wire, "editable.axes", &editable->axes);
    if (!wire->failed && editable->axes.count != rank)
        wire_fail(wire, "editable.axes has another length than editable.extents");
    wire_cells(wire, "editable.cells", &editable->cells, cells);
    wire_leave(wire, "editable", up);
}

static void carry_option(struct wire *wire, struct scene_option *option)
{
    struct wire_place up = wire_enter(wire, "option", 2);
    wire_text(wire, "option.id", &option->id);
    wire_text(wire, "option.text", &option->text);
    wire_leave(wire, "option", up);
}

static void carry_code(struct wire *wire, struct scene_code *code)
{
    struct wire_place up = wire_enter(wire, "code", 4);
    wire_text(wire, "code.name", &code->name);
    wire_text(wire, "code.start", &code->start);
    wire_text(wire, "code.text", &code->text);
    wire_u32(wire, "code.error_line", &code->error_line, UINT32_MAX);
    wire_leave(wire, "code", up);
}

static void carry_question(struct wire *wire, struct scene_question *q)
{
    struct wire_place up = wire_enter(wire, "question", 21);
    wire_text(wire, "question.expects", &q->expects);
    wire_strings(wire, "question.allow", &q->allow);
    WIRE_LIST(wire, "question.options", q->options, q->option_count, carry_option);
    wire_bool(wire, "question.several", &q->several);
    WIRE_ENUM(wire, "question.predict", q->predict, PREDICT_TRAVEL);
    WIRE_LIST(wire, "question.travel_from", q->travel_from, q->travel_from_count, wire_setting);
    WIRE_LIST(wire, "question.travel_to", q->travel_to, q->travel_to_count, wire_setting);
    wire_u32(wire, "question.hint_total", &q->hint_total, UINT32_MAX);
    wire_strings(wire, "question.hints", &q->hints);
    if (!wire->failed && q->hints.count > q->hint_total)
        wire_fail(wire, "question.hints are more than question.hint_total");
    wire_text(wire, "question.echo", &q->echo);
    wire_bool(wire, "question.echo_unread", &q->echo_unread);
    WIRE_ENUM(wire, "question.verdict", q->verdict, VERDICT_UNREAD);
    wire_text(wire, "question.say", &q->say);
    wire_text(wire, "question.mistake", &q->mistake);
    wire_text(wire, "question.said", &q->said);
    wire_text(wire, "question.yours", &q->yours);
    wire_text(wire, "question.asked", &q->asked);
    wire_bool(wire, "question.final", &q->final);
    wire_text(wire, "question.answer", &q->answer);
    wire_text(wire, "question.why", &q->why);
    WIRE_POINTER(wire, "question.code", q->code, carry_code);
    wire_leave(wire, "question", up);
}

static void carry_step(struct wire *wire, struct scene_step *step)
{
    struct wire_place up = wire_enter(wire, "step", 13);
    wire_size(wire, "step.index", &step->index);
    wire_text(wire, "step.id", &step->id);
    wire_text(wire, "step.title", &step->title);
    wire_text(wire, "step.text", &step->text);
    WIRE_ENUM(wire, "step.kind", step->kind, STEP_CODE);
    wire_u32(wire, "step.attempt", &step->attempt, UINT32_MAX);
    WIRE_LIST(wire, "step.knobs", step->knobs, step->knob_count, carry_knob);
    wire_bool(wire, "step.locked", &step->locked);
    WIRE_POINTER(wire, "step.view", step->view, wire_view);
    WIRE_LIST(wire, "step.axes", step->axes, step->axis_count, carry_axis);
    WIRE_LIST(wire, "step.editables", step->editables, step->editable_count, carry_editable);
    wire_u32(wire, "step.branches", &step->branches, UINT32_MAX);
    WIRE_POINTER(wire, "step.question", step->question, carry_question);
    wire_leave(wire, "step", up);
}

/* What holds between the parts; a scene with an error may lack some. */
static void check_scene(struct wire *wire, const struct scene *scene)
{
    const struct scene_step *step = scene->step;
    if (wire->failed || !step)
        return;
    if (!scene->lesson)
        wire_fail(wire, "a step comes without its lesson");
    else if (step->index >= scene->lesson->step_count)
        wire_fail(wire, "step.index is out of range");
    else if (step->kind == STEP_TELL ? step->question != NULL : !step->question && !scene->error)
        wire_fail(wire, "step.question does not go with step.kind");
    else if (step->question && (step->kind == STEP_CODE) != (step->question->code != NULL))
        wire_fail(wire, "question.code does not go with step.kind");
    else if (step->question && step->question->several && step->kind != STEP_CHOICE)
        wire_fail(wire, "question.several does not go with step.kind");
    else if (step->question && (step->question->several || step->kind == STEP_ORDER) && step->question->option_count > OPTIONS_MAX)
        wire_fail(wire, "question.options are too many");
}

static void carry_declared(struct wire *wire, struct scene_declared *declared)
{
    struct wire_place up = wire_enter(wire, "declared", 2);
    wire_text(wire, "declared.id", &declared->id);
    wire_text(wire, "declared.typed", &declared->typed);
    wire_leave(wire, "declared", up);
}

static void carry_place(struct wire *wire, struct scene_place *place)
{
    struct wire_place up = wire_enter(wire, "place", 2);
    wire_text(wire, "place.of", &place->of);
    wire_u32(wire, "place.line", &place->line, UINT32_MAX);
    wire_leave(wire, "place", up);
}

static void carry_draws(struct wire *wire, struct scene_draws *draws)
{
    struct wire_place up = wire_enter(wire, "draws", 4);
    wire_u32(wire, "draws.all", &draws->all, UINT32_MAX);
    wire_u32(wire, "draws.refused", &draws->refused, draws->all);
    wire_u32(wire, "draws.alike", &draws->alike, draws->all);
    wire_text(wire, "draws.pair", &draws->pair);
    wire_leave(wire, "draws", up);
}

static void carry_fault(struct wire *wire, struct scene_fault *fault)
{
    struct wire_place up = wire_enter(wire, "fault", 4);
    wire_text(wire, "fault.file", &fault->file);
    wire_u32(wire, "fault.line", &fault->line, UINT32_MAX);
    wire_text(wire, "fault.what", &fault->what);
    wire_bool(wire, "fault.advice", &fault->advice);
    wire_leave(wire, "fault", up);
}

static void carry_check(struct wire *wire, struct scene_check *check)
{
    struct wire_place up = wire_enter(wire, "check", 14);
    wire_u32(wire, "check.lesson_line", &check->lesson_line, UINT32_MAX);
    wire_u32(wire, "check.step_line", &check->step_line, UINT32_MAX);
    WIRE_LIST(wire, "check.lesson_places", check->lesson_places, check->lesson_place_count, carry_place);
    WIRE_LIST(wire, "check.places", check->places, check->place_count, carry_place);
    carry_draws(wire, &check->lesson_draws);
    carry_draws(wire, &check->draws);
    WIRE_LIST(wire, "check.declared", check->declared, check->declared_count, carry_declared);
    wire_text(wire, "check.reread", &check->reread);
    wire_strings(wire, "check.rounded", &check->rounded);
    wire_strings(wire, "check.shown", &check->shown);
    wire_strings(wire, "check.drawn", &check->drawn);
    wire_strings(wire, "check.printed", &check->printed);
    wire_strings(wire, "check.chance", &check->chance);
    WIRE_LIST(wire, "check.faults", check->faults, check->fault_count, carry_fault);
    wire_leave(wire, "check", up);
}

static void carry_scratch(struct wire *wire, struct scene_scratch *scratch)
{
    struct wire_place up = wire_enter(wire, "scratch", 5);
    wire_text(wire, "scratch.output", &scratch->output);
    wire_text(wire, "scratch.error", &scratch->error);
    wire_text(wire, "scratch.value", &scratch->value);
    wire_strings(wire, "scratch.names", &scratch->names);
    wire_strings(wire, "scratch.facts", &scratch->facts);
    wire_leave(wire, "scratch", up);
}

static void carry_translation(struct wire *wire, struct scene_translation *translation)
{
    struct wire_place up = wire_enter(wire, "translation", 8);
    wire_text(wire, "translation.text", &translation->text);
    wire_u32(wire, "translation.fresh", &translation->fresh, UINT32_MAX);
    wire_u32(wire, "translation.changed", &translation->changed, UINT32_MAX);
    wire_u32(wire, "translation.kept", &translation->kept, UINT32_MAX);
    wire_u32(wire, "translation.moved", &translation->moved, UINT32_MAX);
    wire_u32(wire, "translation.empty", &translation->empty, UINT32_MAX);
    wire_u32(wire, "translation.gone", &translation->gone, UINT32_MAX);
    WIRE_LIST(wire, "translation.faults", translation->faults, translation->fault_count, carry_fault);
    wire_leave(wire, "translation", up);
}

static void carry_scene(struct wire *wire, struct scene *scene)
{
    struct wire_place up = wire_enter(wire, "scene", 10);
    wire_u64(wire, "scene.number", &scene->number);
    wire_text_or_null(wire, "scene.error", &scene->error);
    wire_text_or_null(wire, "scene.output", &scene->output);
    WIRE_ENUM(wire, "scene.typed", scene->typed, TYPED_COLD);
    WIRE_POINTER(wire, "scene.course", scene->course, carry_course);
    WIRE_POINTER(wire, "scene.lesson", scene->lesson, carry_lesson);
    WIRE_POINTER(wire, "scene.step", scene->step, carry_step);
    WIRE_POINTER(wire, "scene.check", scene->check, carry_check);
    WIRE_POINTER(wire, "scene.scratch", scene->scratch, carry_scratch);
    WIRE_POINTER(wire, "scene.translation", scene->translation, carry_translation);
    wire_leave(wire, "scene", up);
    check_scene(wire, scene);
}

int wire_encode_scene(struct strbuf *out, const struct scene *scene, struct error *err)
{
    struct scene copy = *scene;
    struct wire wire;
    wire_writer(&wire, out, err);
    carry_scene(&wire, &copy);
    return wire_finish(&wire, "what the lesson shows cannot be sent: ");
}

int wire_decode_scene(struct scene **out, const void *bytes, size_t length, struct error *err)
{
    struct wire wire;
    struct wire_message message;
    *out = NULL;
    if (wire_open(&message, bytes, length, err) < 0)
        return -1;
    struct arena *arena = arena_new();
    struct scene *scene = arena ? arena_zero(arena, 1, sizeof *scene) : NULL;
    if (!scene) {
        arena_free(arena);
        wire_close(&message);
        return error_set(err, "out of memory");
    }
    scene->arena = arena;
    wire_reader(&wire, &message.root, arena, err);
    carry_scene(&wire, scene);
    wire_close(&message);
    if (wire.failed) {
        scene_free(scene);
        return -1;
    }
    *out = scene;
    return 0;
}
