/* Plain lines: everything the screen shows, in words. */
#include "sample_scene.h"

#include <cmocka.h>

static void assert_says(const struct strbuf *out, const char *words)
{
    if (!strstr(strbuf_string(out), words))
        fail_msg("\"%s\" is missing from\n%s", words, strbuf_string(out));
}

static void assert_silent(const struct strbuf *out, const char *words)
{
    if (strstr(strbuf_string(out), words))
        fail_msg("\"%s\" should not be in\n%s", words, strbuf_string(out));
}

/* Nothing that a screen reader spells out: lines, blocks, braille, arrows. */
static void assert_speakable(const struct strbuf *out)
{
    static const char *const signs[] = {"─", "│", "█", "▌", "⠤", "■", "□", "▸", "›", "√", "ε", "→", "✗", "✓"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        assert_silent(out, signs[i]);
}

static void a_step(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct strbuf out = {0};
    plain_lesson(&out, &screen);
    assert_says(&out, "Lesson 4, Epsilon and quiet tokens. Step 2 of 6: A loud token and a quiet one.\n");
    assert_says(&out, "Turn eps up and watch 1/sqrt(var + eps): only one of them notices.\n");
    assert_says(&out, "View: Two tokens, a loud one and a quiet one.\n");
    assert_says(&out, "  loud: mean 0.15, var 1.06, 1/sqrt(var+eps) 0.97, std after 1.00.\n");
    assert_says(&out, "  quiet (you look here): mean 0.0006");
    assert_says(&out, "  x1: before 0.0011, after 0.332.\n");
    assert_says(&out, "Knob eps = 1e-5 (1e-12 to 1). Type \"eps 1\" to set it.\n");
    assert_says(&out,
                "Commands: next, back, eps VALUE, token N, feature N, x[N][M] = VALUE, view, help, quit\n");
    assert_speakable(&out);
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void a_prediction(void **state)
{
    (void)state;
    struct scene *scene = sample_prediction(false);
    struct lesson_screen screen = sample_screen(scene, FOCUS_CHOICE);
    struct strbuf out = {0};
    plain_lesson(&out, &screen);
    assert_says(&out,
                "1. only the quiet token's\n2. both, alike\n3. neither: normalized means deviation 1\n");
    assert_says(&out, "How sure are you: 1 a guess, 2 I think so, 3 certain. It is taken as 2 unless you say sure 1 or sure 3 before.\n");
    assert_says(&out, "Knob eps = 1e-12. It moves after your answer.\n");
    assert_says(&out, "answer NUMBER, sure 1 to 3");
    assert_speakable(&out);
    strbuf_free(&out);
    scene->step->question->travel_from->number = 1e-3; /* it ends where it began */
    plain_lesson(&out, &screen);
    assert_says(&out, "Knob eps = 1e-12. It can be turned after your answer.\n");
    scene->step->question->travel_from->number = 1e-12;
    strbuf_free(&out);
    arena_free(scene->arena);

    scene = sample_prediction(true);
    screen.scene = scene;
    plain_feedback(&out, &screen);
    assert_says(&out, "You said: both, alike (I think so).\nWrong: The loud token's variance is 1.06");
    assert_says(&out, "The answer: only the quiet token's\n");
    strbuf_free(&out);
    scene->step->question->said = "Both come nearer.";
    plain_feedback(&out, &screen);
    assert_says(&out, "You said: Both come nearer (I think so).\n");
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void a_question(void **state)
{
    (void)state;
    struct scene *scene = sample_field(VERDICT_WRONG);
    struct lesson_screen screen = sample_screen(scene, FOCUS_FIELD);
    screen.hints_open = 1;
    struct strbuf out = {0};
    plain_lesson(&out, &screen);
    assert_says(&out, "Expected: three numbers, three decimals.\nYou may use the names q, eps.\n");
    assert_says(&out, "Wrong: You left eps out; the variance is only 1.6e-6.\nYours: -1.070  -0.270   "
                      "1.340\nAsked: three numbers");
    assert_says(&out, "Hint 1 of 2: The mean is 0.00233");
    strbuf_clear(&out);
    plain_verdict(&out, &screen);
    assert_says(&out, "Wrong: You left eps out");
    assert_silent(&out, "Hint");
    strbuf_clear(&out);
    plain_hint(&out, &screen);
    assert_string_equal(strbuf_string(&out), "Hint 1 of 2: The mean is 0.00233: subtract it.\n");
    strbuf_clear(&out);
    plain_lesson(&out, &screen);
    assert_says(&out, "  Hidden until you answer: centred");
    assert_says(&out, "Commands: next, back, answer ..., hint, new, view, help, quit\n");
    strbuf_clear(&out);
    arena_free(scene->arena);

    scene = sample_field(VERDICT_UNREAD);
    screen.scene = scene;
    plain_feedback(&out, &screen);
    assert_says(&out, "Could not read that, so it did not count. There is a comma");
    strbuf_clear(&out);
    arena_free(scene->arena);

    scene = sample_field(VERDICT_RIGHT);
    screen.scene = scene;
    plain_view(&out, &screen);
    assert_says(&out, "View: One row, step by step.\n");
    assert_silent(&out, "Right.");
    plain_feedback(&out, &screen);
    assert_says(&out, "Right.\nThe variance 1.6e-6 is below eps");
    strbuf_clear(&out);
    screen.review_at = 2;
    screen.review_count = 3;
    plain_lesson(&out, &screen);
    assert_says(&out, "Review 2 of 3. Lesson ");
    assert_says(&out, "Commands: next, back, ");
    assert_says(&out, ", list, help, quit\n");
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void pages_and_course(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    screen.notice = "Progress is not kept: the disk is full.";
    screen.page = PAGE_GOAL;
    struct strbuf out = {0};
    plain_lesson(&out, &screen);
    assert_says(&out, "You will be able to say when epsilon changes the result");
    assert_says(&out, "Notice: Progress is not kept");
    screen.page = PAGE_END;
    plain_lesson(&out, &screen);
    assert_says(&out, "What to remember:\n- Epsilon stands inside the root: (x - mean) / sqrt(var + eps).\n");
    assert_says(&out, "Next lesson: Scale and bias.\n");
    strbuf_clear(&out);
    bool settled[] = {true, true, true, false, true, false};
    screen.settled = settled;
    screen.next_title = "Which axis?";
    plain_lesson(&out, &screen);
    assert_says(&out, "Next lesson: Which axis?\n");
    assert_says(&out, "Questions still open, by their steps: 4, 6. \"step 4\" goes to one.\n");
    strbuf_clear(&out);
    struct course_screen course = sample_course();
    plain_course(&out, &course);
    assert_says(&out, "Layer normalization and residual connections. 2 of 6 lessons done.\n");
    assert_says(&out, "4. Epsilon and quiet tokens: 2 of 5 questions settled.\n");
    assert_says(&out, "5. Scale and bias: about 5 minutes, after 4.\n");
    assert_says(&out, "6. Geometry, and the way back: cannot be loaded: lessons/geometry.lua:12");
    assert_says(&out, "Commands: NUMBER opens a lesson, notes, help, quit\n");
    course.coming = true;
    plain_course(&out, &course);
    assert_says(&out, "Commands: NUMBER opens a lesson, review, notes, help, quit\n");
    course.due = course.rows[3].due = 2;
    plain_course(&out, &course);
    assert_says(&out, "4. Epsilon and quiet tokens: 2 of 5 questions settled, review due.\n");
    assert_says(&out, "Commands: NUMBER opens a lesson, review (2 due), notes, help, quit\n");
    assert_speakable(&out);
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void control_bytes_do_not_pass(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    scene->step->text = "a \033]0;title\007 b";
    scene->step->knobs[0].value_text = "\033[2J";
    scene->step->view->children[0].alt = "alt\r\033c";
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct strbuf out = {0};
    plain_lesson(&out, &screen);
    for (const char *c = strbuf_string(&out); *c; c++)
        assert_true((unsigned char)*c >= ' ' || *c == '\n');
    assert_says(&out, "a ␛]0;title␇ b");
    struct strbuf ascii = {0};
    plain_ascii(&ascii, strbuf_string(&out));
    for (const char *c = strbuf_string(&ascii); *c; c++)
        assert_true((unsigned char)*c < 0x80);
    assert_says(&ascii, "a ^[]0;title^G b");
    strbuf_free(&ascii);
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void nothing_is_cut_in_silence(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct view *view = scene->step->view;
    static float y[] = {-1.23457e-10f, 1.23457e-5f, 0};
    struct plot_line line = {.label = "tiny", .y = y, .count = 3};
    static const char *labels[70], *texts[70];
    for (size_t i = 0; i < 70; i++) {
        labels[i] = "row";
        texts[i] = "1";
    }
    struct bars_series series = {"", sample_cells(scene, 70, texts), 1};
    struct part parts[] = {
        {.kind = PART_PLOT},
        {.kind = PART_BARS,
         .as.bars = {.title = "", .labels = sample_strings(scene, 70, labels), .series = &series, .series_count = 1}},
    };
    parts[0].as.plot = (struct part_plot){.x_label = "x", .y_label = "y", .x_from_text = "0", .x_to_text = "1", .x_to = 1,
                                          .lines = &line, .line_count = 1};
    *view = (struct view){.name = "plot", .alt = "", .parts = parts, .part_count = 2};
    struct strbuf out = {0};
    plain_view(&out, &screen);
    assert_says(&out, "  tiny: at 0: -1.235e-10; at 0.5: 1.235e-5; at 1: 0.\n");
    assert_says(&out, "  and 6 more rows; \"view all\" reads them.\n");
    strbuf_clear(&out);
    line.dotted = true;
    plain_view_all(&out, &screen);
    assert_says(&out, "  before the change, tiny: at 0: ");
    assert_silent(&out, "more rows");
    strbuf_clear(&out);
    line.count = 0;
    plain_view(&out, &screen);
    assert_says(&out, "  Hidden until you answer: tiny.\n");
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void put_part(struct scene *scene, const struct part *part)
{
    struct view *view = scene->step->view;
    *view = (struct view){.name = "part", .alt = "What is to be seen.", .part_count = 1};
    view->parts = sample_zero(scene, 1, sizeof *view->parts);
    *view->parts = *part;
}

static void maps_and_stacks(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct strbuf out = {0};
    struct part part;
    sample_map(scene, &part, 3, 4, 0);
    part.as.map.cells[1].flags |= CELL_CHANGED;
    put_part(scene, &part);
    plain_view(&out, &screen);
    assert_says(&out, "View: What is to be seen.\n  x (batch, token, feature).\n"
                      "  batch 1, token 1: 1.25, -0.5 (changed), 3, 0.75.\n");
    assert_says(&out, "  batch 2, token 3: 9, -3, hidden, 1.5.\n");
    assert_says(&out, "  You look at batch 1 token 1 1: 1.25.\n"
                      "  3 numbers share its statistic: batch 1, token 1 to token 3, 1.\n");
    assert_speakable(&out);
    strbuf_clear(&out);
    sample_map(scene, &part, 4, 5, 0); /* a set that is no block of numbers */
    put_part(scene, &part);
    plain_view(&out, &screen);
    assert_says(&out, "  4 numbers share its statistic: batch 1 token 1 1, batch 1 token 2 2, batch 1 token 3 3, "
                      "batch 2 token 1 4.\n");
    strbuf_clear(&out);

    sample_stack(scene, &part, 4);
    put_part(scene, &part);
    scene->step->branches = 4;
    plain_lesson(&out, &screen);
    assert_says(&out, "  Each layer: x + F(LN(x)), and a final norm at the end. Norm of the stream before the first layer 2.00.\n"
                      "  Layer 1: length of the stream 2.00, update over stream 0.50, share of the update kept 0.75.\n");
    assert_says(&out, "  Layer 3 (you look here), branch off: length of the stream 2.50.\n");
    assert_says(&out, "  Length after the final norm 1.00.\n");
    assert_says(&out, ", off N, on N, ");
    assert_speakable(&out);
    scene->step->locked = true;
    strbuf_clear(&out);
    plain_lesson(&out, &screen);
    assert_silent(&out, "off N");
    assert_silent(&out, "gradient");
    strbuf_clear(&out);
    sample_gradients(scene, &scene->step->view->parts[0].as.stack);
    plain_view(&out, &screen);
    assert_says(&out, "Norm of the stream before the first layer 2.00, of the gradient there 9.50.\n");
    assert_says(&out, "share of the update kept 0.75, length of the gradient 2.50.\n");
    assert_says(&out, "  Layer 3 (you look here), branch off: length of the stream 2.50, length of the gradient 2.00.\n");
    assert_says(&out, "  Length after the final norm 1.00, of the gradient there 1.00.\n");
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void tables(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct strbuf out = {0};
    struct part part = {.kind = PART_TABLE};
    static const char *const head[] = {"x", "centred", "var"}, *const labels[] = {"x1", "x2", "mean"};
    static const char *const texts[] = {"1", "-1", "", "3", "1", "", "2", "", "1"}, *const early[] = {"1", "", "", "3", "", "", "", "", ""},
                            *const hidden[] = {"1", "?", "", "3", "?", "", "?", "", "?"};
    sample_table(scene, &part, "", 3, head, 3, labels, texts, 0);
    put_part(scene, &part);
    scene->step->view->name = "pipeline";
    plain_view(&out, &screen);
    assert_says(&out, "  x1 (you look here): x 1, centred -1.\n  x2: x 3, centred 1.\n  mean 2, var 1.\n");
    strbuf_clear(&out);
    scene->step->view->name = "table";
    plain_view(&out, &screen);
    assert_says(&out, "  x2: x: 3, centred: 1.\n");
    strbuf_clear(&out);
    sample_table(scene, &part, "", 3, head, 3, labels, early, 0);
    put_part(scene, &part);
    plain_view(&out, &screen);
    assert_says(&out, "  x2: x 3.\n");
    assert_silent(&out, "mean");
    strbuf_clear(&out);
    sample_table(scene, &part, "", 3, head, 3, labels, hidden, 0);
    put_part(scene, &part);
    scene->step->view->name = "pipeline";
    plain_view(&out, &screen);
    assert_says(&out, "  x2: x 3.\n  Hidden until you answer: mean, centred, var.\n");
    strbuf_clear(&out);

    static const char *const bits[] = {"0 01111011 1001"}, *const kept[] = {"sign, exponent, fraction"}, *const type[] = {"bfloat16"};
    sample_table(scene, &part, "", 1, kept, 1, type, bits, -1);
    put_part(scene, &part);
    scene->step->view->name = "precision";
    plain_view(&out, &screen);
    assert_says(&out, "  bfloat16: sign 0, exponent 01111011, fraction 1001.\n");
    strbuf_clear(&out);
    static const char *const verdicts[] = {"passes", "moves", "stays"}, *const probes[] = {"", "yours", "should be"}, *const probe[] = {"later"};
    sample_table(scene, &part, "", 3, probes, 1, probe, verdicts, -1);
    put_part(scene, &part);
    scene->step->view->name = "probes";
    plain_view(&out, &screen);
    assert_says(&out, "  later: passes, yours: moves, expected: stays.\n");
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void a_deep_stack(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct strbuf out = {0};
    struct part part;
    sample_stack(scene, &part, 50);
    struct part_stack *stack = &part.as.stack;
    stack->cursor = 20;
    stack->layers[40].off = true;
    put_part(scene, &part);
    plain_view(&out, &screen);
    static const int read[] = {1, 3, 20, 21, 22, 41, 50}; /* the third is switched off in the sample */
    for (int i = 1; i <= 50; i++) {
        char row[32];
        bool is = false;
        for (size_t k = 0; k < sizeof read / sizeof *read; k++)
            is |= read[k] == i;
        snprintf(row, sizeof row, "  Layer %d%s", i, i == 21 ? " (" : i == 3 || i == 41 ? "," : ":");
        (is ? assert_says : assert_silent)(&out, row);
    }
    assert_says(&out, "  43 more layers are not read here; \"view all\" reads them.\n");
    strbuf_clear(&out);
    plain_view_all(&out, &screen);
    assert_says(&out, "  Layer 30: ");
    assert_silent(&out, "not read");
    strbuf_clear(&out);
    for (size_t i = 1; i < 50; i++) /* still to come */
        stack->layers[i].stream.text = stack->layers[i].update.text = stack->layers[i].kept.text = stack->layers[i].gradient.text = "";
    put_part(scene, &part);
    plain_view(&out, &screen);
    assert_says(&out, "  Layer 1: ");
    assert_silent(&out, "  Layer 21");
    assert_silent(&out, "more layers");
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void leaks(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct strbuf out = {0};
    struct part part;
    sample_leak(scene, &part, LEAK_SAME, LEAK_MORE);
    put_part(scene, &part);
    plain_view(&out, &screen);
    assert_says(&out, "  What moves the output of token 1 of sample 1: itself, always.\n"
                      "  It is moved by: sample 1 token 2 (other features too), sample 1 token 3 (other features too), "
                      "sample 2 token 1 (the same feature only), ");
    assert_says(&out, "  Not moved by: sample 2 token 2, sample 2 token 3, ");
    assert_speakable(&out);
    strbuf_clear(&out);

    sample_leak(scene, &part, LEAK_NONE, LEAK_NONE);
    put_part(scene, &part);
    plain_view(&out, &screen);
    assert_says(&out, "  It is moved by nothing else.\n"
                      "  Not moved by: sample 1 token 2, sample 1 token 3, every token of sample 2, ");
    strbuf_clear(&out);

    for (int i = 0; i < 12; i++)
        part.as.leak.cells[i] = LEAK_HIDDEN;
    put_part(scene, &part);
    plain_view(&out, &screen);
    assert_says(&out, "token 1 of sample 1: hidden.\n");
    assert_silent(&out, "moved by");
    strbuf_free(&out);
    arena_free(scene->arena);
}

static void a_program(void **state)
{
    (void)state;
    struct scene *scene = sample_program(VERDICT_UNREAD);
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    screen.code_path = "~/somewhere/layer_norm.lua";
    struct strbuf out = {0};
    plain_lesson(&out, &screen);
    assert_says(&out, "  layer_norm.lua:\n  1: -- Normalize x (batch, token, feature)");
    assert_says(&out, "\n  3:     local over = { \"batch\" }\n  4 (here):     local mean, var");
    assert_says(&out, "File: ~/somewhere/layer_norm.lua\nChange it with an editor, then type \"probes\".\n");
    assert_says(&out, "Could not run it, so it did not count. layer_norm.lua:4: attempt to index a nil value\n");
    assert_says(&out, "Commands: next, back, edit, probes, start over, hint, new, view, help, quit\n");
    strbuf_clear(&out);
    screen.code_path = "";
    plain_lesson(&out, &screen);
    assert_says(&out, "No file can be written here, so the program can be read alone.\n");
    assert_says(&out, "Commands: next, back, hint, new, view, help, quit\n");
    assert_silent(&out, "File:");
    strbuf_clear(&out);
    scene->step->question->verdict = VERDICT_NONE;
    scene->step->question->final = true;
    scene->step->question->answer = "as text";
    plain_lesson(&out, &screen);
    assert_says(&out, "  The answer, a program that does it right:\n  1: ");
    assert_silent(&out, "as text");
    strbuf_free(&out);
    arena_free(scene->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step),
        cmocka_unit_test(a_prediction),
        cmocka_unit_test(a_question),
        cmocka_unit_test(pages_and_course),
        cmocka_unit_test(control_bytes_do_not_pass),
        cmocka_unit_test(nothing_is_cut_in_silence),
        cmocka_unit_test(maps_and_stacks),
        cmocka_unit_test(tables),
        cmocka_unit_test(a_deep_stack),
        cmocka_unit_test(leaks),
        cmocka_unit_test(a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
