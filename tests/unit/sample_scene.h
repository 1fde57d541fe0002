/* Scenes built by hand for the tests of the screen: a lesson on epsilon as the engine would send it. */
#ifndef TESTS_SAMPLE_SCENE_H
#define TESTS_SAMPLE_SCENE_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/screen.h"

static inline void *sample_zero(struct scene *scene, size_t count, size_t size)
{
    void *memory = arena_zero(scene->arena, count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static inline struct strings sample_strings(struct scene *scene, size_t count, const char *const *words)
{
    struct strings strings = {sample_zero(scene, count, sizeof *strings.item), count};
    for (size_t i = 0; i < count; i++)
        strings.item[i] = arena_text(scene->arena, words[i]);
    return strings;
}

static inline struct cell *sample_cells(struct scene *scene, size_t count, const char *const *texts)
{
    struct cell *cells = sample_zero(scene, count, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        bool hidden = strcmp(texts[i], "?") == 0;
        cells[i] = (struct cell){arena_text(scene->arena, texts[i]), hidden ? NAN : strtod(texts[i], NULL),
                                 hidden ? CELL_HIDDEN : 0};
    }
    return cells;
}

static inline void sample_table(struct scene *scene, struct part *part, const char *corner, size_t columns,
                         const char *const *head, size_t rows, const char *const *labels,
                         const char *const *texts, int cursor)
{
    part->kind = PART_TABLE;
    part->as.table = (struct part_table){.corner = corner,
                                         .head = sample_strings(scene, columns, head),
                                         .labels = sample_strings(scene, rows, labels),
                                         .cells = sample_cells(scene, rows * columns, texts),
                                         .cursor_row = cursor};
}

static inline void sample_bars(struct scene *scene, struct part *part)
{
    static const char *const labels[] = {"x1", "x2", "x3", "x4"};
    static const char *const before[] = {"0.0011", "-0.0012", "0.0009", "-0.0008"};
    static const char *const after[] = {"0.332", "-0.362", "0.271", "-0.241"};
    part->kind = PART_BARS;
    part->as.bars = (struct part_bars){.title = "quiet, by feature",
                                       .labels = sample_strings(scene, 4, labels),
                                       .series = sample_zero(scene, 2, sizeof(struct bars_series)),
                                       .series_count = 2,
                                       .cursor_row = 1};
    part->as.bars.series[0] = (struct bars_series){"before", sample_cells(scene, 4, before), 0.0015};
    part->as.bars.series[1] = (struct bars_series){"after", sample_cells(scene, 4, after), 1};
}

static inline float *sample_curve(struct scene *scene, double eps)
{
    float *y = sample_zero(scene, 120, sizeof *y);
    for (int i = 0; i < 120; i++) {
        double s = pow(10, -6 + 7.0 * i / 119);
        y[i] = (float)sqrt(s * s / (s * s + eps));
    }
    return y;
}

static inline void sample_plot(struct scene *scene, struct part *part, double eps)
{
    part->kind = PART_PLOT;
    struct part_plot *plot = &part->as.plot;
    *plot = (struct part_plot){.x_label = "std before",
                               .y_label = "std after",
                               .x_from = 1e-6,
                               .x_to = 10,
                               .y_from = 0,
                               .y_to = 1,
                               .x_from_text = "1e-6",
                               .x_to_text = "10",
                               .y_from_text = "0",
                               .y_to_text = "1",
                               .x_log = true};
    plot->line_count = 2;
    plot->lines = sample_zero(scene, 2, sizeof *plot->lines);
    plot->lines[0] = (struct plot_line){.label = "std after", .y = sample_curve(scene, eps), .count = 120};
    plot->lines[1] = (struct plot_line){
        .label = "std after", .y = sample_curve(scene, 1e-12), .count = 120, .dotted = true};
    plot->mark_count = 2;
    plot->marks = sample_zero(scene, 2, sizeof *plot->marks);
    plot->marks[0] = (struct plot_mark){"loud", 1.03, 1};
    plot->marks[1] = (struct plot_mark){"quiet", 6e-4, sqrt(3.6e-7 / (3.6e-7 + eps))};
}

/* x, x squared and, as it was before too, 1, from 0 to 1. */
static inline void sample_curves(struct scene *scene, struct part *part)
{
    enum { POINTS = 101 };
    static const char *const labels[] = {"straight", "bent", "flat", "flat"};
    part->kind = PART_PLOT;
    part->as.plot = (struct part_plot){.x_label = "x", .y_label = "straight", .x_to = 1, .y_to = 1, .x_from_text = "0", .x_to_text = "1",
                                       .y_from_text = "0", .y_to_text = "1", .line_count = 4};
    part->as.plot.lines = sample_zero(scene, 4, sizeof *part->as.plot.lines);
    for (int line = 0; line < 4; line++) {
        float *y = sample_zero(scene, POINTS, sizeof *y);
        for (int i = 0; i < POINTS; i++)
            y[i] = (float)(line < 2 ? pow(i / 100.0, line + 1) : 3 - line);
        part->as.plot.lines[line] = (struct plot_line){.label = labels[line], .y = y, .count = POINTS, .dotted = line == 3};
    }
}

/* A (2, 3, 4) tensor; `set` counts the elements, from the first on in steps of `stride`, that share a statistic. */
static inline void sample_map(struct scene *scene, struct part *part, size_t set, size_t stride, double reach)
{
    static const char *const blocks[] = {"batch 1", "batch 2"};
    static const char *const rows[] = {"token 1", "token 2", "token 3"}, *const columns[] = {"1", "2", "3", "4"};
    static const char *const texts[] = {"1.25",  "-0.5", "3",  "0.75",  "-2.5", "12",   "0.01", "-7",
                                        "4",     "4",    "4",  "-4.25", "0",    "1e-5", "2.5",  "-1",
                                        "-0.25", "6",    "-6", "0.5",   "9",    "-3",   "?",    "1.5"};
    part->kind = PART_MAP;
    part->as.map = (struct part_map){.title = "x (batch, token, feature)",
                                     .blocks = sample_strings(scene, 2, blocks),
                                     .rows = sample_strings(scene, 3, rows),
                                     .columns = sample_strings(scene, 4, columns),
                                     .cells = sample_cells(scene, 24, texts),
                                     .reach = reach};
    for (size_t i = 0; i < set; i++)
        part->as.map.cells[i * stride].flags |= CELL_SET;
    part->as.map.cells[0].flags |= CELL_CURSOR;
}

static inline struct cell sample_cell(struct scene *scene, double value, const char *format)
{
    return (struct cell){.text = arena_printf(scene->arena, format, value), .value = value};
}

/* A pre-norm stack; the branch of layer 3 is switched off, and the cursor is there. */
static inline void sample_stack(struct scene *scene, struct part *part, size_t layers)
{
    part->kind = PART_STACK;
    struct part_stack *stack = &part->as.stack;
    *stack = (struct part_stack){.order = "x + F(LN(x))",
                                 .start = sample_cell(scene, 2, "%.2f"),
                                 .layers = sample_zero(scene, layers, sizeof *stack->layers),
                                 .layer_count = layers,
                                 .final_norm = true,
                                 .end = sample_cell(scene, 1, "%.2f"),
                                 .start_gradient = {.text = "", .value = NAN},
                                 .end_gradient = {.text = "", .value = NAN},
                                 .cursor = layers > 2 ? 2 : -1};
    for (size_t i = 0; i < layers; i++) {
        struct stack_layer *layer = &stack->layers[i];
        layer->off = i == 2;
        layer->stream = sample_cell(scene, 2 + 0.25 * (double)i, "%.2f");
        layer->update = sample_cell(scene, layer->off ? 0 : 1.0 / (double)(i + 2), "%.2f");
        layer->kept = layer->off ? (struct cell){.text = "", .value = NAN} : sample_cell(scene, 0.75, "%.2f");
        layer->gradient = (struct cell){.text = "", .value = NAN};
    }
}

/* The gradient comes back from a loss behind the final norm, and grows. */
static inline void sample_gradients(struct scene *scene, struct part_stack *stack)
{
    stack->gradients = true;
    stack->end_gradient = sample_cell(scene, 1, "%.2f");
    for (size_t i = 0; i < stack->layer_count; i++)
        stack->layers[i].gradient = sample_cell(scene, 1.5 + 0.25 * (double)(stack->layer_count - i), "%.2f");
    stack->start_gradient = sample_cell(scene, 9.5, "%.2f");
}

/* Four samples of three tokens; token 1 of sample 1 is moved by what a wrong axis lets in. */
static inline void sample_leak(struct scene *scene, struct part *part, enum leak batch, enum leak future)
{
    part->kind = PART_LEAK;
    part->as.leak = (struct part_leak){
        .samples = 4, .tokens = 3, .sample = 1, .token = 1, .cells = sample_zero(scene, 12, sizeof(enum leak))};
    for (size_t i = 0; i < 12; i++)
        part->as.leak.cells[i] = i < 3 ? future : i % 3 ? LEAK_NONE : batch;
    part->as.leak.cells[0] = batch == LEAK_HIDDEN ? LEAK_HIDDEN : LEAK_ITSELF;
}

#define SAMPLE_PROGRAM \
    "-- Normalize x (batch, token, feature), each token over its own features.\n" \
    "function layer_norm(x, scale, bias, eps)\n" \
    "\tlocal over = { \"batch\" }\n" \
    "\tlocal mean, var = x:mean(over), x:var(over)\n" \
    "\treturn (x - mean) / sqrt(var + eps) * scale + bias\n" \
    "end\n"

static inline void sample_code(struct part *part, uint32_t line)
{
    part->kind = PART_CODE;
    part->as.code = (struct part_code){.title = "layer_norm.lua", .text = SAMPLE_PROGRAM, .line = line};
}

static inline struct scene *sample_lesson(void)
{
    struct arena *arena = arena_new();
    struct scene *scene = arena ? arena_zero(arena, 1, sizeof *scene) : NULL;
    if (!scene)
        abort();
    scene->arena = arena;
    struct scene_lesson *lesson = scene->lesson = sample_zero(scene, 1, sizeof *lesson);
    *lesson = (struct scene_lesson){
        .id = "epsilon",
        .title = "Epsilon and quiet tokens",
        .renamed_from = "",
        .about = "Epsilon matters when the variance is small.",
        .goal = "You will be able to say when epsilon changes the result, by how much, and where in the "
                "formula it stands.",
        .remember = "- Epsilon stands *inside* the root: `(x - mean) / sqrt(var + eps)`.\n"
                    "- It matters where the variance is no larger than epsilon.\n- A constant token becomes "
                    "0, not 0/0.\n",
        .minutes = 7,
        .step_count = 6,
    };
    static const char *const sources[] = {"PyTorch documentation, LayerNorm"};
    lesson->sources = sample_strings(scene, 1, sources);
    static const struct scene_outline_step steps[] = {
        {"who-notices", "who-notices", STEP_CHOICE, ""},
        {"two-tokens", "A loud token and a quiet one", STEP_TELL, ""},
        {"near-eps", "near-eps", STEP_NUMBER, ""},
        {"quiet-row", "quiet-row", STEP_TENSOR, ""},
        {"constant", "constant", STEP_TENSOR, ""},
        {"outside", "outside", STEP_CHOICE, ""},
    };
    lesson->steps = sample_zero(scene, 6, sizeof *lesson->steps);
    memcpy(lesson->steps, steps, sizeof steps);
    return scene;
}

static inline void sample_knob(struct scene *scene, double value, const char *text)
{
    struct scene_step *step = scene->step;
    step->knob_count = 1;
    step->knobs = sample_zero(scene, 3, sizeof *step->knobs);
    step->knobs[0] = (struct scene_knob){.name = "eps",
                                         .label = "ε",
                                         .kind = KNOB_LOG,
                                         .from = 1e-12,
                                         .to = 1,
                                         .at = 1e-5,
                                         .value = value,
                                         .stops = 48,
                                         .value_text = text};
}

static inline void sample_axes(struct scene *scene)
{
    struct scene_step *step = scene->step;
    step->axis_count = 2;
    step->axes = sample_zero(scene, 2, sizeof *step->axes);
    step->axes[0] = (struct scene_axis){"token", 2, 2};
    step->axes[1] = (struct scene_axis){"feature", 4, 2};
    step->editable_count = 1;
    step->editables = sample_zero(scene, 1, sizeof *step->editables);
    step->editables[0] = (struct scene_editable){.name = "x", .rank = 2, .extents = {2, 4}};
}

/* A table, bars and a plot below each other. */
static inline void sample_view(struct scene *scene, const char *rstd, const char *after, double eps)
{
    static const char *const head[] = {"mean", "var", "1/√(var+ε)", "std after"};
    static const char *const labels[] = {"loud", "quiet"};
    const char *const texts[] = {"0.15", "1.06", "0.97", "1.00", "0.0006", "3.6e-7", rstd, after};
    struct view *view = scene->step->view = sample_zero(scene, 1, sizeof *view);
    *view = (struct view){.kind = VIEW_COLUMN, .name = "column", .alt = "", .child_count = 2};
    view->children = sample_zero(scene, 2, sizeof *view->children);
    view->children[0] = (struct view){.kind = VIEW_PARTS,
                                      .name = "tokens",
                                      .alt = "Two tokens, a loud one and a quiet one.",
                                      .parts = sample_zero(scene, 2, sizeof(struct part)),
                                      .part_count = 2};
    view->children[1] = (struct view){.kind = VIEW_PARTS,
                                      .name = "plot",
                                      .alt = "The spread after normalization.",
                                      .parts = sample_zero(scene, 1, sizeof(struct part)),
                                      .part_count = 1};
    sample_table(scene, &view->children[0].parts[0], "token", 4, head, 2, labels, texts, 1);
    sample_bars(scene, &view->children[0].parts[1]);
    sample_plot(scene, &view->children[1].parts[0], eps);
}

static inline struct scene_step *sample_step(struct scene *scene, size_t index, enum step_kind kind,
                                      const char *text)
{
    struct scene_step *step = scene->step = sample_zero(scene, 1, sizeof *step);
    *step = (struct scene_step){.index = index,
                                .id = scene->lesson->steps[index].id,
                                .title = scene->lesson->steps[index].title,
                                .text = text,
                                .kind = kind};
    return step;
}

static inline struct scene_question *sample_question(struct scene *scene)
{
    struct scene_question *question = scene->step->question = sample_zero(scene, 1, sizeof *question);
    *question = (struct scene_question){.expects = "",
                                        .echo = "",
                                        .say = "",
                                        .mistake = "",
                                        .said = "",
                                        .yours = "",
                                        .asked = "",
                                        .answer = "",
                                        .why = ""};
    return question;
}

static inline struct scene *sample_tell(void)
{
    struct scene *scene = sample_lesson();
    sample_step(scene, 1, STEP_TELL,
                "Both tokens have four features. The **loud** one has variance near 1; the **quiet** one "
                "near 1e-6.\n\n"
                "Turn **ε** up and watch `1/sqrt(var + eps)`: only one of them notices.\n\n"
                "    normalized = (x - mean) / sqrt(var + eps)\n\n"
                "At ε = 1e-5 the quiet token keeps only 30 % of the spread it should have.");
    sample_knob(scene, 1e-5, "1e-5");
    sample_axes(scene);
    sample_view(scene, "311", "0.19", 1e-5);
    return scene;
}

static inline struct scene *sample_prediction(bool committed)
{
    struct scene *scene = sample_lesson();
    struct scene_step *step =
        sample_step(scene, 0, STEP_CHOICE,
                    "Epsilon goes from 1e-12 up to 1e-3. Whose spread after normalization shrinks?");
    sample_knob(scene, committed ? 1e-3 : 1e-12, committed ? "1e-3" : "1e-12");
    sample_axes(scene);
    sample_view(scene, committed ? "31.6" : "1655", committed ? "0.02" : "1.00", committed ? 1e-3 : 1e-12);
    step->locked = !committed;
    struct scene_question *question = sample_question(scene);
    static const struct scene_option options[] = {{"quiet", "only the quiet token's"},
                                                  {"both", "both, alike"},
                                                  {"none", "neither: normalized means deviation 1"}};
    question->options = sample_zero(scene, 3, sizeof *question->options);
    memcpy(question->options, options, sizeof options);
    question->option_count = 3;
    question->predict = PREDICT_TRAVEL;
    static struct setting from = {.name = "eps", .number = 1e-12}, to = {.name = "eps", .number = 1e-3};
    question->travel_from = &from;
    question->travel_to = &to;
    question->travel_from_count = question->travel_to_count = 1;
    if (committed) {
        question->verdict = VERDICT_WRONG;
        question->final = true;
        question->said = "both, alike";
        question->say = "The loud token's variance is 1.06: adding 0.001 to it changes nothing you can see.";
        question->answer = "only the quiet token's";
        question->why = "`1/sqrt(var + eps)` is what multiplies. Epsilon of 0.001 is nothing beside 1.06 and "
                        "everything beside 3.6e-7.";
    }
    return scene;
}

static inline struct scene *sample_field(enum verdict verdict)
{
    struct scene *scene = sample_lesson();
    sample_step(scene, 3, STEP_TENSOR, "Normalize `[0.001, 0.002, 0.004]` with ε = 1e-5.");
    static const char *const head[] = {"x", "centred", "squared", "var", "1/√(var+ε)", "normalized"};
    static const char *const labels[] = {"", "", ""};
    static const char *const open[] = {"0.001", "?", "?", "",      "",  "?", "0.002", "?", "?",
                                       "?",     "?", "?", "0.004", "?", "?", "",      "",  "?"};
    static const char *const shown[] = {"0.001", "-0.00133", "1.8e-6", "",       "",      "-0.392",
                                        "0.002", "-0.00033", "1.1e-7", "1.6e-6", "294.2", "-0.098",
                                        "0.004", "0.00167",  "2.8e-6", "",       "",      "0.490"};
    bool final = verdict == VERDICT_RIGHT;
    struct view *view = scene->step->view = sample_zero(scene, 1, sizeof *view);
    *view = (struct view){
        .kind = VIEW_PARTS, .name = "pipeline", .alt = "One row, step by step.", .part_count = 1};
    view->parts = sample_zero(scene, 1, sizeof *view->parts);
    sample_table(scene, view->parts, "", 6, head, 3, labels, final ? shown : open, -1);
    struct scene_question *question = sample_question(scene);
    static const char *const names[] = {"q", "eps"};
    static const char *const hints[] = {"The mean is 0.00233: subtract it."};
    question->allow = sample_strings(scene, 2, names);
    question->expects = "three numbers, three decimals";
    question->hint_total = 2;
    question->echo = "= -1.070 -0.270 1.340";
    question->verdict = verdict;
    if (verdict == VERDICT_WRONG) {
        question->say = "You left eps out; the variance is only 1.6e-6.";
        question->yours = "-1.070  -0.270   1.340";
        question->asked = "three numbers whose spread is 0.37; yours is 1.";
        question->hints = sample_strings(scene, 1, hints);
    } else if (verdict == VERDICT_UNREAD) {
        question->say = "There is a comma in `-1,070`: a point, please.";
    } else if (verdict == VERDICT_RIGHT) {
        question->final = true;
        question->echo = "";
        question->answer = "-0.392 -0.098 0.490";
        question->why = "The variance 1.6e-6 is below eps, so the row keeps 37 % of the spread 1.";
    }
    return scene;
}

/* A program to be mended: what the probes and the leaks say stands beside it. */
static inline struct scene *sample_program(enum verdict verdict)
{
    struct scene *scene = sample_lesson();
    sample_step(scene, 5, STEP_CODE, "This `layer_norm` averages over the wrong axis. Mend it.");
    static const char *const head[] = {"yours", "should be"};
    static const char *const labels[] = {"another sample changed", "a later token changed", "alone, as in the batch"};
    static const char *const texts[] = {"1.02", "0", "0", "0", "1.4", "0"};
    struct view *view = scene->step->view = sample_zero(scene, 1, sizeof *view);
    *view = (struct view){.kind = VIEW_COLUMN, .name = "column", .alt = "", .child_count = 2};
    view->children = sample_zero(scene, 2, sizeof *view->children);
    for (size_t i = 0; i < 2; i++)
        view->children[i] = (struct view){.kind = VIEW_PARTS,
                                          .name = i ? "leak" : "probes",
                                          .alt = i ? "Who moves one token." : "Probes of your program.",
                                          .parts = sample_zero(scene, 1, sizeof(struct part)),
                                          .part_count = 1};
    struct part *probes = view->children[0].parts;
    bool right = verdict == VERDICT_RIGHT;
    sample_table(scene, probes, "probes", 2, head, 3, labels, texts, -1);
    for (size_t i = 0; i < 6; i += 2)
        probes->as.table.cells[i].flags |= right || i == 2 ? CELL_PASSES : CELL_FAILS;
    sample_leak(scene, view->children[1].parts, right ? LEAK_NONE : LEAK_SAME, LEAK_NONE);
    struct scene_question *question = sample_question(scene);
    struct scene_code *code = question->code = sample_zero(scene, 1, sizeof *code);
    *code = (struct scene_code){.name = "layer_norm.lua", .start = SAMPLE_PROGRAM, .text = SAMPLE_PROGRAM};
    question->hint_total = 2;
    question->verdict = verdict;
    if (verdict == VERDICT_WRONG) {
        question->say = "It averages over the batch: your result depends on the other samples.";
    } else if (verdict == VERDICT_UNREAD) {
        question->say = "`layer_norm.lua:4: attempt to index a nil value`";
        code->error_line = 4;
    } else if (right) {
        question->final = true;
        question->why = "Layer norm averages over the features of one token, and over nothing else.";
    }
    return scene;
}

static inline void sample_options(struct scene *scene, const struct scene_option *options, size_t count)
{
    struct scene_question *question = sample_question(scene);
    question->options = sample_zero(scene, count, sizeof *question->options);
    memcpy(question->options, options, count * sizeof *options);
    question->option_count = count;
}

/* Pieces to be put in order. */
static inline struct scene *sample_order(void)
{
    static const struct scene_option pieces[] = {{"add", "add what was kept"},
                                                 {"keep", "keep x for the skip"},
                                                 {"norm", "LayerNorm, over the features of each token and over nothing else"},
                                                 {"sublayer", "sublayer"}};
    struct scene *scene = sample_lesson();
    sample_step(scene, 2, STEP_ORDER, "Put a **pre-norm** block in order.");
    sample_options(scene, pieces, 4);
    scene->step->question->expects = "all the pieces in order";
    return scene;
}

/* Options of which several are right. */
static inline struct scene *sample_several(void)
{
    static const struct scene_option options[] = {{"shape", "the shape"}, {"mean", "the mean"}, {"rank", "which is largest"}};
    struct scene *scene = sample_lesson();
    sample_step(scene, 2, STEP_CHOICE, "What stays?");
    sample_options(scene, options, 3);
    scene->step->question->several = true;
    scene->step->question->expects = "all that are right";
    return scene;
}

static inline struct lesson_screen sample_screen(const struct scene *scene, enum focus focus)
{
    static const bool settled[6] = {true, false, false, false, false, false};
    return (struct lesson_screen){.number = 4,
                                  .page = PAGE_STEP,
                                  .scene = scene,
                                  .focus = focus,
                                  .choice = 1,
                                  .sure = 2,
                                  .field = {"", 0},
                                  .cell = {"", 0},
                                  .cell_name = "x[2][3]",
                                  .settled = settled,
                                  .scroll = -1,
                                  .notice = "",
                                  .next_title = "Scale and bias"};
}

static struct course_row sample_rows[] = {
    {.number = 1,
     .title = "Two different jobs",
     .about = "What norms and residuals are for.",
     .questions = 5,
     .settled = 5,
     .steps = 7,
     .seen = 7,
     .minutes = 6,
     .done = true,
     .needs = "",
     .last_said = ""},
    {.number = 2,
     .title = "Normalize one token",
     .about = "Mean, variance, and the division.",
     .questions = 5,
     .settled = 5,
     .steps = 7,
     .seen = 7,
     .minutes = 8,
     .done = true,
     .needs = "",
     .last_said = ""},
    {.number = 3,
     .title = "Which axis?",
     .about = "Over what the mean is taken.",
     .questions = 5,
     .settled = 4,
     .steps = 8,
     .seen = 8,
     .minutes = 7,
     .needs = "",
     .last_said = ""},
    {.number = 4,
     .title = "Epsilon and quiet tokens",
     .about = "Epsilon matters when the variance is small: where it sits, what it hides.",
     .questions = 5,
     .settled = 2,
     .steps = 6,
     .seen = 3,
     .minutes = 7,
     .needs = "",
     .last_said = "You added ε after the square root."},
    {.number = 5,
     .title = "Scale and bias",
     .about = "",
     .questions = 4,
     .steps = 5,
     .minutes = 5,
     .needs = "after 4",
     .last_said = ""},
    {.number = 6,
     .title = "Geometry, and the way back",
     .about = "",
     .questions = 4,
     .steps = 5,
     .minutes = 8,
     .needs = "",
     .last_said = "",
     .error = "lessons/geometry.lua:12: unknown field \"txet\"; did you mean \"text\"?"},
};

static inline struct course_screen sample_course(void)
{
    return (struct course_screen){.title = "Layer normalization and residual connections",
                                  .rows = sample_rows,
                                  .row_count = 6,
                                  .selected = 3,
                                  .notice = ""};
}

#endif
