/* The screens, drawn from scenes built by hand. */
#include "sample_scene.h"

#include <cmocka.h>

#include "ui/view.h"

struct frame {
    struct grid *grid;
    struct drawn drawn;
    struct strbuf text;
};

static struct frame frame_of(const struct lesson_screen *screen, int columns, int rows, bool ascii)
{
    struct frame frame = {.grid = grid_new(columns, rows, ascii)};
    assert_non_null(frame.grid);
    draw_lesson(frame.grid, screen, &frame.drawn);
    grid_write(frame.grid, false, &frame.text);
    return frame;
}

static void frame_close(struct frame *frame)
{
    grid_free(frame->grid);
    strbuf_free(&frame->text);
}

static void assert_has(const struct frame *frame, const char *words)
{
    if (!strstr(strbuf_string(&frame->text), words))
        fail_msg("\"%s\" is missing from\n%s", words, strbuf_string(&frame->text));
}

static void assert_lacks(const struct frame *frame, const char *words)
{
    if (strstr(strbuf_string(&frame->text), words))
        fail_msg("\"%s\" should not be in\n%s", words, strbuf_string(&frame->text));
}

/* The row on which words stand; fails when on none. */
static int row_of(const struct frame *frame, const char *words)
{
    const char *text = strbuf_string(&frame->text), *at = strstr(text, words);
    if (!at)
        fail_msg("\"%s\" is missing from\n%s", words, text);
    int row = 0;
    for (; text < at; text++)
        row += *text == '\n';
    return row;
}

static void a_step_stands_with_its_view(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_KNOB);
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_int_equal(row_of(&frame, "4 Epsilon and quiet tokens"), 0);
    assert_int_equal(row_of(&frame, "step 2 of 6   ■□□□□□"), 0);
    assert_has(&frame, " ▸ quiet   0.0006   3.6e-7       311           0.19");
    assert_has(&frame, "At ε = 1e-5 the quiet token keeps only 30 %"); /* the text is whole */
    assert_has(&frame, "1 more"); /* the plot is left out, and that is said */
    assert_has(&frame, "1e-12 ├━");
    assert_int_equal(
        row_of(&frame, "← → turn ε   ↑↓ token   Enter next   Tab view   b back   ? help   Esc course"), 23);
    assert_true(row_of(&frame, "quiet, by feature") < row_of(&frame, "Both tokens"));
    frame_close(&frame);
    frame = frame_of(&screen, 120, 32, false);
    assert_has(&frame, "  A loud token and a quiet one                    │");
    assert_has(&frame, "std before"); /* the plot too */
    assert_has(&frame, "┬");
    assert_lacks(&frame, "more");
    frame_close(&frame);
    arena_free(scene->arena);
}

/* A deep one above the text, across the whole width, but not where little would be left to the text. */
static void a_stack_stands_where_more_of_it_is_seen(void **state)
{
    (void)state;
    static const struct {
        size_t layers;
        int rows;
        bool beside;
    } cases[] = {{4, 32, true}, {20, 32, false}, {20, 20, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene *scene = sample_tell();
        struct view *view = sample_zero(scene, 1, sizeof *view);
        *view = (struct view){.name = "stack", .alt = "", .parts = sample_zero(scene, 1, sizeof *view->parts), .part_count = 1};
        sample_stack(scene, view->parts, cases[i].layers);
        scene->step->view = view;
        struct lesson_screen screen = sample_screen(scene, FOCUS_KNOB);
        struct frame frame = frame_of(&screen, 120, cases[i].rows, false);
        if (cases[i].beside)
            assert_has(&frame, "┬─────────────────────────────────────────────────────────────────────\n");
        else
            assert_true(row_of(&frame, "each layer:") < row_of(&frame, "At ε = 1e-5"));
        frame_close(&frame);
        arena_free(scene->arena);
    }
}

static void numbers_align_at_the_point(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    static const char *const head[] = {"v"}, *const labels[] = {"a", "b", "c", "d", "e"};
    static const char *const texts[] = {"-1.225", "12", "3.65e-7", "1e-5", "nan"};
    sample_table(scene, &part, "", 1, head, 5, labels, texts, -1);
    struct grid *grid = grid_new(20, 6, false);
    table_draw(grid, &part.as.table, (struct box){0, 0, 20, 6}, false);
    struct strbuf out = {0};
    grid_write(grid, false, &out);
    assert_string_equal(
        strbuf_string(&out),
        "              v\n  a    -1.225\n  b    12\n  c     3.65e-7\n  d     1e-5\n  e   nan\n");
    strbuf_free(&out);
    grid_free(grid);
    arena_free(scene->arena);
}

static void a_prediction_locks_the_view(void **state)
{
    (void)state;
    struct scene *scene = sample_prediction(false);
    struct lesson_screen screen = sample_screen(scene, FOCUS_CHOICE);
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "  › 2  both, alike");
    assert_has(&frame, "‹ I think so ›");
    assert_has(&frame, "(your answer, then the view moves)");
    assert_has(&frame, "moves after your answer");
    assert_has(&frame, "← → how sure   Enter commit");
    assert_lacks(&frame, "hint");
    assert_lacks(&frame, "show the answer");
    frame_close(&frame);
    scene->step->question->travel_to_count = 0;
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "free after your answer");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void what_was_predicted_is_seen(void **state)
{
    (void)state;
    struct scene *before = sample_prediction(false), *scene = sample_prediction(true);
    assert_true(scene_mark_changes(scene, before));
    struct lesson_screen screen = sample_screen(scene, FOCUS_KNOB);
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "You said: both, alike (I think so).");
    frame_close(&frame);
    scene->step->question->said = "Both come nearer.";
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "You said: Both come nearer (I think so).");
    assert_has(&frame, "✗ The loud token's variance is 1.06");
    assert_has(&frame, "*31.6*       *0.02*");
    assert_has(&frame, "std before"); /* told to watch: the plot is there */
    assert_has(&frame, "before");
    assert_has(&frame, "more above ↑");
    frame_close(&frame);
    scene_clear_changes(scene);
    frame = frame_of(&screen, 80, 24, false);
    assert_lacks(&frame, "*31.6*");
    frame_close(&frame);
    assert_false(scene_mark_changes(scene, scene));
    scene->step->id = "elsewhere";
    assert_false(scene_mark_changes(scene, before));
    arena_free(before->arena);
    arena_free(scene->arena);
}

static void a_field_shows_its_caret_and_its_echo(void **state)
{
    (void)state;
    struct scene *scene = sample_field(VERDICT_NONE);
    struct lesson_screen screen = sample_screen(scene, FOCUS_FIELD);
    screen.field = (struct field){"-1.07 -.27 1.34", 5};
    struct frame frame = frame_of(&screen, 80, 24, false);
    int row = row_of(&frame, "  › -1.07 -.27 1.34   ");
    assert_int_equal(frame.grid->cursor_row, row);
    assert_int_equal(frame.grid->cursor_column, 9);
    assert_int_equal(row_of(&frame, "= -1.070 -0.270 1.340"), row);
    assert_int_equal(row_of(&frame, "You may use the names q, eps."), row + 1);
    assert_has(&frame, "three numbers, three decimals");
    assert_has(&frame, "0.002         ?         ?     ?");
    assert_has(&frame, "F2 hint 1 of 2   F3 scratchpad   F4 new numbers");
    frame_close(&frame);
    frame = frame_of(&screen, 120, 32, false);
    assert_int_equal(row_of(&frame, "= -1.070 -0.270 1.340"), row_of(&frame, "› -1.07 -.27 1.34") + 1);
    frame_close(&frame);
    char lengthy[300];
    memset(lengthy, '7', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    for (size_t cursor = 0; cursor < sizeof lengthy; cursor += 13) {
        screen.field = (struct field){lengthy, cursor};
        frame = frame_of(&screen, 40 + (int)cursor / 7, 12, cursor % 2);
        assert_in_range(frame.grid->cursor_column, 2, frame.grid->columns - 1);
        frame_close(&frame);
    }
    arena_free(scene->arena);
}

static void feedback_says_what_came_of_it(void **state)
{
    (void)state;
    struct scene *scene = sample_field(VERDICT_WRONG);
    struct lesson_screen screen = sample_screen(scene, FOCUS_FIELD);
    screen.hints_open = 1;
    screen.field = (struct field){"-1.07 -.27 1.34", 0};
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "  ✗ You left eps out; the variance is only 1.6e-6.\n    Yours  -1.070  -0.270   "
                       "1.340\n    Asked  three numbers");
    assert_has(&frame, "Hint 1  The mean is 0.00233");
    assert_has(&frame, "› -1.07 -.27 1.34"); /* the line stays */
    assert_has(&frame, "F2 hint 2 of 2");
    frame_close(&frame);
    screen.hints_open = 2;
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "F2 show the answer");
    frame_close(&frame);
    frame = frame_of(&screen, 40, 12, false); /* the line and the first of the feedback, however small */
    assert_has(&frame, "✗ You left eps out");
    assert_has(&frame, "› -1.07 -.27 1.34");
    assert_has(&frame, "more above");
    frame_close(&frame);
    screen.scroll = 100;
    frame = frame_of(&screen, 40, 12, false);
    assert_true(row_of(&frame, "› -1.07 -.27 1.34") < row_of(&frame, "Hint 1"));
    frame_close(&frame);
    screen.scroll = 0;
    frame = frame_of(&screen, 40, 12, false);
    assert_true(row_of(&frame, "Normalize") < row_of(&frame, "› -1.07 -.27 1.34"));
    frame_close(&frame);
    screen.scroll = -1;
    arena_free(scene->arena);

    scene = sample_field(VERDICT_UNREAD);
    screen.scene = scene;
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "– There is a comma in -1,070: a point, please. It did not count.");
    frame_close(&frame);
    arena_free(scene->arena);

    scene = sample_field(VERDICT_RIGHT);
    screen = sample_screen(scene, FOCUS_TEXT);
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "✓ Right.");
    assert_has(&frame, "so the row keeps 37 %");
    assert_has(&frame, "Enter next");
    assert_lacks(&frame, "hint");
    frame_close(&frame);
    scene->step->question->verdict = VERDICT_NONE; /* given up */
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "The answer: -0.392 -0.098 0.490");
    assert_has(&frame, "so the row keeps 37 %");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void every_line_can_be_reached(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    struct strbuf words = {0};
    for (int i = 0; i < 60; i++)
        strbuf_addf(&words, "line%d.  \n", i);
    scene->step->text = words.text;
    bool seen[60] = {false};
    int scroll = 0, most;
    do {
        screen.scroll = scroll;
        struct frame frame = frame_of(&screen, 80, 24, false);
        for (int i = 0; i < 60; i++) {
            char line[16];
            snprintf(line, sizeof line, "line%d.", i);
            seen[i] |= strstr(strbuf_string(&frame.text), line) != NULL;
        }
        assert_int_equal(frame.drawn.scroll,
                         scroll < frame.drawn.scroll_max ? scroll : frame.drawn.scroll_max);
        most = frame.drawn.scroll_max;
        scroll += frame.drawn.page_lines;
        assert_has(&frame, most > 0 ? "more" : "");
        frame_close(&frame);
    } while (scroll < most + 20);
    for (int i = 0; i < 60; i++)
        assert_true(seen[i]);
    strbuf_free(&words);
    arena_free(scene->arena);
}

static void knobs_stand_together(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    static const char *const ids[] = {"post", "pre"}, *const names[] = {"post-norm", "pre-norm"};
    scene->step->knob_count = 3;
    scene->step->knobs[1] = (struct scene_knob){
        .name = "skip", .label = "skip", .kind = KNOB_SWITCH, .value = 1, .value_text = "on"};
    scene->step->knobs[2] = (struct scene_knob){.name = "order",
                                                .label = "order",
                                                .kind = KNOB_PICK,
                                                .value = 1,
                                                .value_text = "pre-norm",
                                                .options = sample_strings(scene, 2, ids),
                                                .option_names = sample_strings(scene, 2, names)};
    struct lesson_screen screen = sample_screen(scene, FOCUS_KNOB);
    screen.knob = 2;
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "   skip    off  [on]");
    assert_has(&frame, " ▸ order   post-norm  [pre-norm]");
    assert_has(&frame, "   ε      1e-5    1e-12 ├");
    assert_has(&frame, "[ ] other knob");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void the_cell_editor(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    scene->step->view->children[0].parts[0].as.table.cells[5].flags |= CELL_CURSOR;
    struct lesson_screen screen = sample_screen(scene, FOCUS_VIEW);
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "[3.6e-7]");
    assert_has(&frame, "↑↓ token   ← → feature   e edit cell");
    frame_close(&frame);
    screen.focus = FOCUS_CELL;
    screen.cell = (struct field){"0.5", 3};
    frame = frame_of(&screen, 80, 24, false);
    assert_int_equal(row_of(&frame, " x[2][3] = 0.5"), frame.grid->cursor_row);
    assert_int_equal(frame.grid->cursor_column, 14);
    assert_has(&frame, "Enter set the value");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void pages_around_the_steps(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    screen.page = PAGE_GOAL;
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "You will be able to say when epsilon");
    assert_has(&frame, "6 steps, 5 questions, about 7 minutes.");
    assert_has(&frame, "Enter begin");
    frame_close(&frame);
    screen.page = PAGE_END;
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "• Epsilon stands inside the root");
    assert_has(&frame, "PyTorch documentation");
    assert_has(&frame, "Next: Scale and bias");
    frame_close(&frame);
    screen.page = PAGE_STEP;
    screen.working = true;
    screen.notice = "The engine was started again.";
    scene->error = "lessons/epsilon.lua:3: no such fact: vra";
    frame = frame_of(&screen, 80, 24, true);
    assert_has(&frame, "x lessons/epsilon.lua:3: no such fact: vra");
    assert_has(&frame, "The engine was started again.");
    assert_has(&frame, "computing");
    assert_has(&frame, "Esc stop computing");
    frame_close(&frame);
    screen.scene = NULL;
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "being loaded");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void help_is_about_the_place(void **state)
{
    (void)state;
    struct scene *scene = sample_field(VERDICT_NONE);
    struct lesson_screen screen = sample_screen(scene, FOCUS_FIELD);
    screen.help = true;
    struct frame frame = frame_of(&screen, 80, 40, false);
    assert_has(&frame, "Letters are text here");
    assert_has(&frame, "sqrt(25 + 1e-5)");
    assert_has(&frame, "Esc back to the lesson");
    frame_close(&frame);
    screen.help_scroll = 1000;
    frame = frame_of(&screen, 80, 24, false);
    assert_true(frame.drawn.scroll_max > 0);
    assert_int_equal(frame.drawn.scroll, frame.drawn.scroll_max);
    frame_close(&frame);
    arena_free(scene->arena);
}

static void assert_course_has(const struct course_screen *screen, int columns, int rows, const char *words)
{
    struct frame frame = {.grid = grid_new(columns, rows, false)};
    draw_course(frame.grid, screen, &frame.drawn);
    grid_write(frame.grid, false, &frame.text);
    assert_has(&frame, words);
    frame_close(&frame);
}

static void a_review_says_which_of_how_many(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    screen.review_at = 1;
    screen.review_count = 3;
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "review 1 of 3");
    assert_has(&frame, "Enter next");
    assert_null(strstr(strbuf_string(&frame.text), " of 6"));
    assert_null(strstr(strbuf_string(&frame.text), "b back"));
    frame_close(&frame);
    screen.review_at = 3;
    frame = frame_of(&screen, 120, 32, false);
    assert_has(&frame, "review 3 of 3");
    assert_has(&frame, "Enter end the review");
    assert_has(&frame, "b back");
    frame_close(&frame);
    screen.help = true;
    frame = frame_of(&screen, 120, 32, false);
    assert_has(&frame, "This is a review");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void the_course_list(void **state)
{
    (void)state;
    struct course_screen screen = sample_course();
    assert_course_has(&screen, 80, 24, "2 of 6 done");
    assert_course_has(&screen, 80, 24, "  ▸   4  Epsilon and quiet tokens        ■■□□□   2 of 5       7 min");
    assert_course_has(&screen, 80, 24, "■■■■■   done");
    assert_course_has(&screen, 80, 24, "after 4");
    assert_course_has(&screen, 80, 24, "Last time  You added ε after the square root.");
    size_t settled = screen.rows[3].settled;
    screen.rows[3].settled = screen.rows[3].questions; /* all is mended */
    struct frame frame = {.grid = grid_new(80, 24, false)};
    draw_course(frame.grid, &screen, &frame.drawn);
    grid_write(frame.grid, false, &frame.text);
    assert_lacks(&frame, "Last time");
    frame_close(&frame);
    screen.rows[3].settled = settled;
    assert_course_has(&screen, 80, 24, "Enter open   ↑↓ choose   / find   n notes   ? help   q quit");
    screen.coming = true;
    assert_course_has(&screen, 80, 24, "Enter open   ↑↓ choose   / find   r review   n notes   ? help   q quit");
    screen.due = 3;
    screen.rows[0].due = 1;
    screen.rows[3].due = 2;
    assert_course_has(&screen, 80, 24, "Enter open   r review (3 due)   ↑↓ choose   / find   n notes   ? help   q quit");
    assert_course_has(&screen, 80, 24, "■■■■■   done         review due");
    assert_course_has(&screen, 80, 24, "■■□□□   2 of 5       review due");
    assert_course_has(&screen, 80, 24, "2 of 5 questions settled, 2 due for review.");
    assert_course_has(&screen, 40, 12, "r review (3 due)");
    screen.rows[0].due = screen.rows[3].due = 0;
    screen.selected = 5;
    assert_course_has(&screen, 40, 12, "▸   6  Geometry");
    assert_course_has(&screen, 80, 24, "✗ lessons/geometry.lua:12: unknown field \"txet\"");
    screen.find = "eps";
    assert_course_has(&screen, 80, 24, " / eps");
    screen.row_count = 0;
    assert_course_has(&screen, 80, 24, "No lesson has that");
    screen.help = true;
    assert_course_has(&screen, 80, 24, "The boxes fill as");
}

static void a_long_name_among_the_keys_is_cut_with_a_mark(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_KNOB);
    scene->step->knobs[0].label = "ççççççççççççççççççççççççççççççççççççççç1";
    struct frame frame = frame_of(&screen, 120, 32, false);
    assert_has(&frame, "← → turn ççççççççççççççççççççççççççççççççççççççç1   ");
    frame_close(&frame);
    scene->step->knobs[0].label = "ççççççççççççççççççççççççççççççççççççççç12";
    frame = frame_of(&screen, 120, 32, false);
    assert_has(&frame, "← → turn ççççççççççççççççççççççççççççççççççççççç…   ");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void small_windows_say_so(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_KNOB);
    struct frame frame = frame_of(&screen, 39, 24, false);
    assert_true(frame.drawn.too_small);
    assert_has(&frame, "Too small: 39x24, needs 40x12.");
    frame_close(&frame);
    frame = frame_of(&screen, 40, 12, false);
    assert_false(frame.drawn.too_small);
    assert_has(&frame, "▸ quiet");
    assert_has(&frame, "Both tokens");
    assert_has(&frame, "Enter next");
    frame_close(&frame);
    arena_free(scene->arena);
}

static void ascii_alone_reaches_an_ascii_grid(void **state)
{
    (void)state;
    struct scene *scenes[] = {sample_tell(), sample_prediction(false), sample_prediction(true),
                              sample_field(VERDICT_WRONG)};
    for (size_t i = 0; i < 4; i++) {
        struct lesson_screen screen = sample_screen(scenes[i], i == 3 ? FOCUS_FIELD : FOCUS_KNOB);
        struct frame frame = frame_of(&screen, i % 2 ? 120 : 80, 30, true);
        for (const char *c = strbuf_string(&frame.text); *c; c++)
            assert_true((unsigned char)*c < 0x80);
        if (i == 0)
            assert_has(&frame, "1/sqrt(var+eps)");
        frame_close(&frame);
        arena_free(scenes[i]->arena);
    }
}

/* Whatever the size, the focus and the scene: no crash, and the cells stay whole. */
static void pieces_stand_in_their_order(void **state)
{
    (void)state;
    static const struct picks picks = {2, {1, 3}};
    static const char *const lines[] = {"In order, from the first on:", "2  keep x for the skip", "› 4  sublayer", "Not used:",
                                        "1  add what was kept", "3  LayerNorm, over"};
    struct scene *scene = sample_order();
    struct lesson_screen screen = sample_screen(scene, FOCUS_CHOICE);
    screen.picks = &picks;
    screen.choice = 3;
    struct frame frame = frame_of(&screen, 80, 24, false);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_has(&frame, lines[i]);
        assert_true(i == 0 || row_of(&frame, lines[i]) > row_of(&frame, lines[i - 1]));
    }
    assert_has(&frame, "Space take it up");
    frame_close(&frame);
    screen.held = true;
    frame = frame_of(&screen, 80, 24, true);
    assert_has(&frame, "^ 4  sublayer");
    assert_has(&frame, "Space set it down");
    frame_close(&frame);
    screen.picks = NULL;
    frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "nothing yet");
    frame_close(&frame);
    scene_free(scene);
}

static void several_options_have_boxes(void **state)
{
    (void)state;
    static const struct picks picks = {2, {2, 0}};
    struct scene *scene = sample_several();
    struct lesson_screen screen = sample_screen(scene, FOCUS_CHOICE);
    screen.picks = &picks;
    struct frame frame = frame_of(&screen, 80, 24, false);
    assert_has(&frame, "  1 ■  the shape");
    assert_has(&frame, "› 2 □  the mean");
    assert_has(&frame, "  3 ■  which is largest");
    assert_has(&frame, "Space pick");
    frame_close(&frame);
    scene_free(scene);
}

static void any_size(void **state)
{
    (void)state;
    struct scene *scenes[] = {sample_tell(),
                              sample_prediction(false),
                              sample_prediction(true),
                              sample_lesson(),
                              sample_field(VERDICT_WRONG),
                              sample_field(VERDICT_RIGHT),
                              sample_field(VERDICT_UNREAD),
                              sample_order(),
                              sample_several()};
    static const struct picks picks[] = {{0, {0}}, {2, {2, 0}}, {3, {1, 2, 0}}};
    scenes[0]->step->view->kind = VIEW_ROW;
    unsigned seed = 7;
    for (int round = 0; round < 6000; round++) {
        seed = seed * 1103515245U + 12345U;
        int columns = round < 4000 ? 1 + (int)(seed >> 16) % 200 : 36 + (int)(seed >> 16) % 20;
        seed = seed * 1103515245U + 12345U;
        int rows = round < 4000 ? 1 + (int)(seed >> 16) % 60 : 10 + (int)(seed >> 16) % 10;
        struct lesson_screen screen = sample_screen(scenes[round % 9], (enum focus)(round / 9 % 7));
        screen.picks = round % 4 ? &picks[round % 3] : NULL;
        screen.held = round % 6 == 0;
        screen.page = (enum lesson_page)(round % 11 == 0   ? PAGE_GOAL
                                         : round % 13 == 0 ? PAGE_END
                                                           : PAGE_STEP);
        screen.help = round % 17 == 0;
        screen.scroll = round % 5 - 1;
        screen.notice = round % 3 ? ""
                                  : "A notice that is long enough to need several lines when the window is "
                                    "as narrow as some are here.";
        screen.field = (struct field){"日本 sqrt(var)", (size_t)round % 20};
        screen.working = round % 2;
        screen.spinner = round;
        struct grid *grid = grid_new(columns, rows, round % 4 == 0);
        struct drawn drawn;
        draw_lesson(grid, &screen, &drawn);
        assert_true(grid->cursor_column < columns && grid->cursor_row < rows);
        struct course_screen course = sample_course();
        course.selected = (size_t)round % 6;
        course.find = round % 2 ? NULL : "a long thing to find, longer than narrow windows are";
        draw_course(grid, &course, &drawn);
        grid_free(grid);
    }
    for (size_t i = 0; i < 9; i++)
        arena_free(scenes[i]->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_stands_with_its_view),
        cmocka_unit_test(a_stack_stands_where_more_of_it_is_seen),
        cmocka_unit_test(numbers_align_at_the_point),
        cmocka_unit_test(a_prediction_locks_the_view),
        cmocka_unit_test(what_was_predicted_is_seen),
        cmocka_unit_test(a_field_shows_its_caret_and_its_echo),
        cmocka_unit_test(feedback_says_what_came_of_it),
        cmocka_unit_test(every_line_can_be_reached),
        cmocka_unit_test(knobs_stand_together),
        cmocka_unit_test(the_cell_editor),
        cmocka_unit_test(pages_around_the_steps),
        cmocka_unit_test(help_is_about_the_place),
        cmocka_unit_test(a_review_says_which_of_how_many),
        cmocka_unit_test(the_course_list),
        cmocka_unit_test(a_long_name_among_the_keys_is_cut_with_a_mark),
        cmocka_unit_test(small_windows_say_so),
        cmocka_unit_test(ascii_alone_reaches_an_ascii_grid),
        cmocka_unit_test(pieces_stand_in_their_order),
        cmocka_unit_test(several_options_have_boxes),
        cmocka_unit_test(any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
