/* A scene and a request with something in every field. */
#ifndef TESTS_WIRE_HELP_H
#define TESTS_WIRE_HELP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "scene/request.h"
#include "scene/scene.h"

#define HELP_COUNT(list) (sizeof(list) / sizeof((list)[0]))

static struct strings help_strings(struct arena *arena, size_t count, const char *const *from)
{
    struct strings strings = { arena_zero(arena, count, sizeof(char *)), count };
    for (size_t i = 0; i < count; i++)
        strings.item[i] = from[i];
    return strings;
}
#define HELP_STRINGS(arena, ...) \
    help_strings((arena), HELP_COUNT(((const char *const[]){ __VA_ARGS__ })), (const char *const[]){ __VA_ARGS__ })

static struct cell *help_cells(struct arena *arena, size_t count)
{
    struct cell *cells = arena_zero(arena, count, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        cells[i].text = arena_printf(arena, "%zu.5", i);
        cells[i].value = (double)i + 0.1;
        cells[i].flags = i % 2 ? CELL_CURSOR | CELL_STAGE : CELL_EDITABLE;
    }
    cells[0].value = NAN;
    cells[0].flags = CELL_HIDDEN;
    return cells;
}

/* A map, a stack, a leak table and a program. */
static void help_parts(struct arena *arena, struct view *view)
{
    *view = (struct view){ .kind = VIEW_PARTS, .name = "axes", .alt = "a tensor", .part_count = 4 };
    view->parts = arena_zero(arena, 4, sizeof *view->parts);
    view->parts[0].kind = PART_MAP;
    view->parts[0].as.map = (struct part_map){
        .title = "map", .blocks = HELP_STRINGS(arena, "batch 1", "batch 2"), .rows = HELP_STRINGS(arena, "token 1"),
        .columns = HELP_STRINGS(arena, "x1", "x2", "x3"), .cells = help_cells(arena, 6), .reach = 2.5
    };
    view->parts[0].as.map.cells[1].flags = CELL_SET | CELL_PASSES;
    view->parts[0].as.map.cells[2].flags = CELL_SET | CELL_FAILS;
    view->parts[1].kind = PART_STACK;
    struct part_stack *stack = &view->parts[1].as.stack;
    struct cell *cells = help_cells(arena, 12);
    *stack = (struct part_stack){ .order = "x + F(LN(x))", .start = cells[0], .end = cells[1], .layer_count = 2, .cursor = 1, .final_norm = true, .gradients = true,
                                  .start_gradient = cells[8], .end_gradient = cells[9] };
    stack->layers = arena_zero(arena, 2, sizeof *stack->layers);
    stack->layers[0] = (struct stack_layer){ false, cells[2], cells[3], cells[4], cells[10] };
    stack->layers[1] = (struct stack_layer){ true, cells[5], cells[6], cells[7], cells[11] };
    view->parts[2].kind = PART_LEAK;
    struct part_leak *leak = &view->parts[2].as.leak;
    *leak = (struct part_leak){ .samples = 2, .tokens = 3, .sample = 2, .token = 3 };
    leak->cells = arena_zero(arena, 6, sizeof *leak->cells);
    for (int i = 0; i < 6; i++)
        leak->cells[i] = (enum leak)(i % (LEAK_MORE + 1));
    view->parts[3].kind = PART_CODE;
    view->parts[3].as.code = (struct part_code){ "layer_norm.lua", "return 1\n\tx\n", 2 };
}

static struct view *help_view(struct arena *arena)
{
    struct view *view = arena_zero(arena, 1, sizeof *view);
    *view = (struct view){ .kind = VIEW_ROW, .name = "row", .alt = "three views", .child_count = 3 };
    view->children = arena_zero(arena, 3, sizeof *view);

    struct view *first = &view->children[0];
    *first = (struct view){ .kind = VIEW_PARTS, .name = "pipeline", .alt = "numbers", .part_count = 2, .stages = 4 };
    first->parts = arena_zero(arena, 2, sizeof *first->parts);
    first->parts[0].kind = PART_TABLE;
    first->parts[0].as.table = (struct part_table){
        .corner = "token", .head = HELP_STRINGS(arena, "x", "mean", "y"), .labels = HELP_STRINGS(arena, "der", "Hund"),
        .cells = help_cells(arena, 6), .cursor_row = 1, .note = "y = x - mean"
    };
    first->parts[1].kind = PART_BARS;
    struct part_bars *bars = &first->parts[1].as.bars;
    *bars = (struct part_bars){ .title = "bars", .labels = HELP_STRINGS(arena, "a", "b"), .series_count = 2,
                                .cursor_row = -1 };
    bars->series = arena_zero(arena, 2, sizeof *bars->series);
    bars->series[0] = (struct bars_series){ "before", help_cells(arena, 2), 3.5 };
    bars->series[1] = (struct bars_series){ "after", help_cells(arena, 2), 1e-300 };

    struct view *second = &view->children[1];
    *second = (struct view){ .kind = VIEW_PARTS, .name = "plot", .alt = "a curve", .part_count = 1, .spoken_count = 1 };
    second->spoken = first->parts;
    second->parts = arena_zero(arena, 1, sizeof *second->parts);
    second->parts[0].kind = PART_PLOT;
    struct part_plot *plot = &second->parts[0].as.plot;
    *plot = (struct part_plot){ .x_label = "eps", .y_label = "std", .x_from = 1e-8, .x_to = 1, .y_from = -2, .y_to = 2.5,
                                .x_from_text = "1e-8", .x_to_text = "1", .y_from_text = "-2", .y_to_text = "2.5",
                                .x_log = true, .line_count = 2, .mark_count = 1 };
    plot->lines = arena_zero(arena, 2, sizeof *plot->lines);
    plot->lines[0] = (struct plot_line){ .label = "now", .y = arena_zero(arena, 3, sizeof(float)), .count = 3 };
    plot->lines[0].y[0] = 0.1f;
    plot->lines[0].y[1] = NAN;
    plot->lines[0].y[2] = -INFINITY;
    plot->lines[1] = (struct plot_line){ .label = "before", .dotted = true, .hidden = true };
    plot->marks = arena_zero(arena, 1, sizeof *plot->marks);
    plot->marks[0] = (struct plot_mark){ "here", 1e-5, 0.25 };
    help_parts(arena, &view->children[2]);
    return view;
}

static struct scene_question *help_question(struct arena *arena)
{
    struct scene_question *q = arena_zero(arena, 1, sizeof *q);
    *q = (struct scene_question){
        .expects = "three numbers", .allow = HELP_STRINGS(arena, "eps", "var"), .option_count = 2,
        .predict = PREDICT_TRAVEL, .travel_from_count = 1, .travel_to_count = 2, .hint_total = 3,
        .hints = HELP_STRINGS(arena, "Look at the mean.", "Subtract it."), .echo = "= 1.5", .echo_unread = true,
        .verdict = VERDICT_WRONG, .say = "That divides by *n-1*.", .mistake = "n-1", .said = "1.5", .yours = "1.0 2.0",
        .asked = "1.2 2.4", .final = true, .answer = "1.2", .why = "Because."
    };
    q->options = arena_zero(arena, 2, sizeof *q->options);
    q->options[0] = (struct scene_option){ "grows", "It grows." };
    q->options[1] = (struct scene_option){ "same", "It stays." };
    q->travel_from = arena_zero(arena, 1, sizeof *q->travel_from);
    q->travel_from[0] = (struct setting){ "eps", SETTING_NUMBER, 1e-5, false, NULL };
    q->travel_to = arena_zero(arena, 2, sizeof *q->travel_to);
    q->travel_to[0] = (struct setting){ "biased", SETTING_SWITCH, 0, true, NULL };
    q->travel_to[1] = (struct setting){ "kind", SETTING_WORD, 0, false, "rms" };
    return q;
}

static struct scene_step *help_step(struct arena *arena)
{
    struct scene_step *step = arena_zero(arena, 1, sizeof *step);
    *step = (struct scene_step){ .index = 1, .id = "variance", .title = "Variance", .text = "What is **it**?\x1b[2J",
                                 .kind = STEP_TENSOR, .attempt = 7, .knob_count = 2, .locked = true, .axis_count = 1,
                                 .branches = 24,
                                 .editable_count = 1, .view = help_view(arena), .question = help_question(arena) };
    step->knobs = arena_zero(arena, 2, sizeof *step->knobs);
    step->knobs[0] = (struct scene_knob){ .name = "eps", .label = "epsilon", .kind = KNOB_LOG, .from = 1e-12, .to = 1,
                                          .at = 1e-5, .value = 1e-3, .stops = 25, .value_text = "1e-3" };
    step->knobs[1] = (struct scene_knob){ .name = "kind", .label = "kind", .kind = KNOB_PICK, .from = 0, .to = 1, .at = 0,
                                          .value = 1, .stops = 0, .value_text = "RMS",
                                          .options = HELP_STRINGS(arena, "layer", "rms"),
                                          .option_names = HELP_STRINGS(arena, "Layer", "RMS") };
    step->axes = arena_zero(arena, 1, sizeof *step->axes);
    step->axes[0] = (struct scene_axis){ "token", 4, 3 };
    step->editables = arena_zero(arena, 1, sizeof *step->editables);
    step->editables[0] = (struct scene_editable){ .name = "x", .rank = 2, .extents = { 2, 3 },
                                                  .axes = HELP_STRINGS(arena, "token", "feature"),
                                                  .cells = help_cells(arena, 6) };
    return step;
}

static struct scene *help_scene(void)
{
    struct arena *arena = arena_new();
    struct scene *scene = arena_zero(arena, 1, sizeof *scene);
    scene->arena = arena;
    scene->number = 0xfedcba9876543210u;
    scene->error = "mean.lua:3: no";
    scene->output = "printed\n";
    scene->course = arena_zero(arena, 1, sizeof *scene->course);
    *scene->course = (struct scene_course){ "norm", "Layer normalization", "someone", "MIT", "1.0", "en",
                                            HELP_STRINGS(arena, "mean", "epsilon"), HELP_STRINGS(arena, "a paper", "another"), "tell us" };
    scene->lesson = arena_zero(arena, 1, sizeof *scene->lesson);
    struct scene_lesson *lesson = scene->lesson;
    *lesson = (struct scene_lesson){ .id = "mean", .title = "One token", .about = "by hand", .renamed_from = "average", .goal = "to see",
                                     .remember = "the mean", .minutes = 7.5, .needs = HELP_STRINGS(arena, "tokens"),
                                     .sources = HELP_STRINGS(arena, "a page", "another"),
                                     .files = HELP_STRINGS(arena, "data.csv"), .files_line = 9, .step_count = 2 };
    lesson->steps = arena_zero(arena, 2, sizeof *lesson->steps);
    lesson->steps[0] = (struct scene_outline_step){ "start", "Start", STEP_TELL, "" };
    lesson->steps[1] = (struct scene_outline_step){ "variance", "Variance", STEP_TENSOR, "deviation" };
    scene->step = help_step(arena);
    return scene;
}

/* The same, whose question asks for a program. */
static struct scene *help_program(void)
{
    struct scene *scene = help_scene();
    struct scene_code *code = scene->step->question->code = arena_zero(scene->arena, 1, sizeof *code);
    *code = (struct scene_code){ "layer_norm.lua", "start\n", "text\n", 3 };
    scene->step->kind = STEP_CODE;
    scene->lesson->steps[1].kind = STEP_CODE;
    return scene;
}

/* The same, whose question has pieces to be put in order. */
static struct scene *help_order(void)
{
    struct scene *scene = help_scene();
    scene->step->kind = STEP_ORDER;
    scene->lesson->steps[1].kind = STEP_ORDER;
    return scene;
}

/* The same, of whose options several may be picked; and the answers that its lesson declares. */
static struct scene *help_several(void)
{
    struct scene *scene = help_scene();
    scene->step->kind = STEP_CHOICE;
    scene->lesson->steps[1].kind = STEP_CHOICE;
    scene->step->question->several = true;
    struct scene_check *check = scene->check = arena_zero(scene->arena, 1, sizeof *check);
    check->lesson_line = 3;
    check->step_line = 40;
    check->lesson_places = arena_zero(scene->arena, 1, sizeof *check->lesson_places);
    check->lesson_places[check->lesson_place_count++] = (struct scene_place){ "title", 5 };
    check->places = arena_zero(scene->arena, 2, sizeof *check->places);
    check->places[check->place_count++] = (struct scene_place){ "text", 41 };
    check->places[check->place_count++] = (struct scene_place){ "grows.say", 45 };
    check->lesson_draws = (struct scene_draws){ .pair = "" };
    check->draws = (struct scene_draws){ .all = 7, .refused = 4, .alike = 2, .pair = "these two" };
    check->declared = arena_zero(scene->arena, 2, sizeof *check->declared);
    check->declared[check->declared_count++] = (struct scene_declared){ "", "same" };
    check->declared[check->declared_count++] = (struct scene_declared){ "grows", "grows" };
    check->reread = "0.1475";
    check->rounded = check->shown = check->drawn = HELP_STRINGS(scene->arena, "x", "var");
    return scene;
}

/* The same, with what came of the scratchpad. */
static struct scene *help_scratch(void)
{
    struct scene *scene = help_scene();
    scene->scratch = arena_zero(scene->arena, 1, sizeof *scene->scratch);
    *scene->scratch = (struct scene_scratch){ "1\n2\n", "no more", "2", HELP_STRINGS(scene->arena, ":mean", "x"), HELP_STRINGS(scene->arena, "x") };
    return scene;
}

/* How a translation stands. */
static struct scene *help_translated(void)
{
    struct arena *arena = arena_new();
    struct scene *scene = arena_zero(arena, 1, sizeof *scene);
    *scene = (struct scene){ .arena = arena, .number = 9, .translation = arena_zero(arena, 1, sizeof *scene->translation) };
    *scene->translation = (struct scene_translation){ .text = "return {}\n", .fresh = 1, .changed = 2, .kept = 3, .moved = 4, .empty = 5,
                                                      .gone = UINT32_MAX, .fault_count = 2 };
    scene->translation->faults = arena_zero(arena, 2, sizeof *scene->translation->faults);
    scene->translation->faults[0] = (struct scene_fault){ "lang/de/mean.lua", 7, "`title` is not translated", true };
    scene->translation->faults[1] = (struct scene_fault){ "", 0, "", false };
    return scene;
}

static const struct request_shared help_shared[] = { { "data", "return {}" }, { "more", "" } };
static const struct request_file help_files[] = { { "poem.txt", "1 2 3", 7 }, { "deep/data.csv", "", 8 } };
static const struct setting help_settings[] = { { "eps", SETTING_NUMBER, 1e-5, false, NULL },
                                                { "biased", SETTING_SWITCH, 0, true, NULL },
                                                { "kind", SETTING_WORD, 0, false, "rms" } };
static const struct edit help_edits[] = { { "x", 2, { 1, 3 }, -0.5 }, { "s", 0, { 0 }, 2 } };
static const struct cursor help_cursors[] = { { "token", 2 }, { "feature", 5 } };

static const struct request_translation help_translation = {
    .language = "de", .file = "lessons/lang/de/mean.lua", .text = "return\0{}", .length = 9
};

static struct request help_request(void)
{
    static const char *const lines[] = { "", "x = \"two\"" };
    return (struct request){
        .number = 0x123456789abcdefu, .kind = REQUEST_FRAME, .course = "norm", .file = "lessons/mean.lua",
        .source = "lesson\0{}", .source_length = 9, .shared = help_shared, .shared_count = HELP_COUNT(help_shared),
        .files = help_files, .file_count = HELP_COUNT(help_files), .translation = &help_translation,
        .step = "variance", .seed = UINT64_MAX, .attempt = 3, .stage = 2, .settings = help_settings,
        .setting_count = HELP_COUNT(help_settings), .edits = help_edits, .edit_count = HELP_COUNT(help_edits),
        .cursors = help_cursors, .cursor_count = HELP_COUNT(help_cursors), .off = 1ull << 63 | 2, .answer = "1, 2, 3",
        .run = UINT64_MAX - 1, .typed = "1,", .scratch = "x:mean()", .lines = lines, .line_count = 2, .sure = 3,
        .hints = 2, .give_up = true, .no_view = true
    };
}

#endif
