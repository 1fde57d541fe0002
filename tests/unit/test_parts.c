/* Maps, plots, stacks, leak tables and programs as they are drawn, and the question that asks for a program. */
#include "sample_scene.h"

#include <cmocka.h>

#include "ui/view.h"

struct shot {
    struct grid *grid;
    struct strbuf text;
};

static struct shot shot_of(const struct part *part, int columns, int rows, bool ascii)
{
    struct shot shot = {.grid = grid_new(columns, rows, ascii)};
    struct view view = {.name = "part", .alt = "", .parts = (struct part *)part, .part_count = 1};
    view_draw(shot.grid, &view, (struct box){0, 0, columns, rows}, true);
    grid_write(shot.grid, false, &shot.text);
    return shot;
}

static void shot_close(struct shot *shot)
{
    grid_free(shot->grid);
    strbuf_free(&shot->text);
}

static void assert_shot(const struct part *part, int columns, int rows, bool ascii, const char *want)
{
    struct shot shot = shot_of(part, columns, rows, ascii);
    assert_string_equal(strbuf_string(&shot.text), want);
    shot_close(&shot);
}

static void assert_has(const struct strbuf *text, const char *words)
{
    if (!strstr(strbuf_string(text), words))
        fail_msg("\"%s\" is missing from\n%s", words, strbuf_string(text));
}

static void assert_lacks(const struct strbuf *text, const char *words)
{
    if (strstr(strbuf_string(text), words))
        fail_msg("\"%s\" should not be in\n%s", words, strbuf_string(text));
}

/* The style of the first cell in which words stand. */
static enum style style_at(const struct shot *shot, const char *words)
{
    const char *text = strbuf_string(&shot->text), *at = strstr(text, words);
    assert_non_null(at);
    int row = 0, column = 0;
    for (; text < at; text++) {
        column = *text == '\n' ? 0 : column + (((unsigned char)*text & 0xC0) != 0x80);
        row += *text == '\n';
    }
    return shot->grid->cells[row * shot->grid->columns + column].style;
}

/* ---- maps ---- */

static void blocks_stand_side_by_side(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_map(scene, &part, 4, 1, 0);
    assert_shot(&part, 78, 6, false,
                "  x (batch, token, feature)\n"
                "           batch 1                           batch 2\n"
                "               1       2       3       4         1       2       3       4\n"
                "▸ token 1  [1.25] ‹-0.5›   ‹3›     ‹0.75›     0       1e-5    2.5    -1\n"
                "  token 2  -2.5    12       0.01   -7        -0.25    6      -6       0.5\n"
                "  token 3   4       4       4      -4.25      9      -3       ?       1.5\n");
    arena_free(scene->arena);
}

static void blocks_stand_below_each_other(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_map(scene, &part, 2, 12, 0);
    assert_shot(&part, 40, 9, true,
                "  x (batch, token, feature)\n"
                "  batch 1      1      2      3      4\n"
                "> token 1  [1.25] -0.5    3      0.75\n"
                "  token 2  -2.5   12      0.01  -7\n"
                "  token 3   4      4      4     -4.25\n"
                "  batch 2      1      2      3      4\n"
                "  token 1  <0>     1e-5   2.5   -1\n"
                "  token 2  -0.25   6     -6      0.5\n"
                "  token 3   9     -3      ?      1.5\n");
    part.as.map.cells[0].flags = 0;
    part.as.map.cells[17].flags = CELL_CURSOR; /* where there is room for one block, it is the cursor's */
    assert_shot(&part, 40, 5, false,
                "  batch 2      1      2      3      4\n"
                "  token 1  ‹0›     1e-5   2.5   -1\n"
                "▸ token 2  -0.25  [6]    -6      0.5\n"
                "  token 3   9     -3      ?      1.5\n"
                "  … 1 more\n");
    arena_free(scene->arena);
}

static void blocks_of_one_row_are_rows(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    const char *blank[] = {""};
    sample_map(scene, &part, 2, 4, 0);
    part.as.map.title = "";
    part.as.map.rows = sample_strings(scene, 1, blank);
    assert_shot(&part, 40, 3, false,
                "               1      2      3      4\n"
                "▸ batch 1  [1.25] -0.5    3      0.75\n"
                "  batch 2 ‹-2.5›  12      0.01  -7\n");
    const char *name[] = {"1"};
    part.as.map.columns = sample_strings(scene, 1, name); /* a name is whole above a block that is narrower */
    part.as.map.rows = sample_strings(scene, 1, name);
    part.as.map.cells = sample_cells(scene, 2, (const char *[]){"5", "6"});
    assert_shot(&part, 40, 3, false,
                "     batch 1    batch 2\n"
                "     1          1\n"
                "  1  5          6\n");
    arena_free(scene->arena);
}

static void a_set_is_lit(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_map(scene, &part, 3, 4, 0);
    struct shot shot = shot_of(&part, 78, 6, false);
    assert_int_equal(style_at(&shot, "1.25"), STYLE_CURSOR);
    assert_int_equal(style_at(&shot, "‹-2.5›"), STYLE_SET);
    assert_int_equal(style_at(&shot, "-2.5"), STYLE_SET);
    assert_int_equal(style_at(&shot, "12"), STYLE_PLAIN);
    assert_int_equal(style_at(&shot, "?"), STYLE_HIDDEN);
    assert_has(&shot.text, "‹4›");
    shot_close(&shot);
    part.as.map.cells[4].flags |= CELL_CHANGED; /* a mark more, not another instead */
    shot = shot_of(&part, 78, 6, false);
    assert_has(&shot.text, "‹-2.5*");
    shot_close(&shot);
    arena_free(scene->arena);
}

static void magnitudes_are_shaded(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_map(scene, &part, 0, 1, 12);
    struct shot shot = shot_of(&part, 78, 9, false);
    assert_has(&shot.text, "▸ token 1 ·· [1.25]");
    assert_has(&shot.text, "██ 12");
    assert_has(&shot.text, "▒▒ -7");
    assert_int_equal(style_at(&shot, "██"), STYLE_POSITIVE);
    assert_int_equal(style_at(&shot, "▒▒ -7"), STYLE_NEGATIVE);
    shot_close(&shot);
    /* Where the numbers do not fit, shades alone, their sign beside them. */
    assert_shot(&part, 30, 10, false,
                "  x (batch, token, feature)\n"
                "  batch 1   1  2  3  4\n"
                "▸ token 1 [ ·]-·  ░  ·\n"
                "  token 2  -░  █  · -▒\n"
                "  token 3   ░  ░  ░ -░\n"
                "  batch 2   1  2  3  4\n"
                "  token 1   ·  ·  ░ -·\n"
                "  token 2  -·  ▒ -▒  ·\n"
                "  token 3   ▓ -░  ?  ·\n"
                "  here 1.25\n");
    assert_shot(&part, 30, 4, true,
                "  batch 1   1  2  3  4\n"
                "> token 1 [ .]-.  :  .\n"
                "  ... 2 more here, 1 beyond\n"
                "  here 1.25\n");
    arena_free(scene->arena);
}

/* Some hundred columns: a window around the cursor, with marks where more is left out. */
static void a_map_that_is_too_wide_shows_a_window(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    const char *blank[] = {""}, *names[100], *texts[300];
    for (int i = 0; i < 100; i++)
        names[i] = arena_printf(scene->arena, "x%d", i + 1);
    for (int i = 0; i < 300; i++)
        texts[i] = arena_printf(scene->arena, "%d", i);
    struct part part = {.kind = PART_MAP};
    part.as.map = (struct part_map){.title = "",
                                    .blocks = sample_strings(scene, 1, blank),
                                    .rows = sample_strings(scene, 3, names),
                                    .columns = sample_strings(scene, 100, names),
                                    .cells = sample_cells(scene, 300, texts)};
    part.as.map.cells[150].flags |= CELL_CURSOR;
    struct shot shot = shot_of(&part, 40, 5, false);
    assert_has(&shot.text, "x51");
    assert_has(&shot.text, "[150]");
    assert_lacks(&shot.text, "x52");
    assert_int_equal(strncmp(strbuf_string(&shot.text), "‹", strlen("‹")), 0);
    assert_string_equal(shot.grid->cells[39].text, "›");
    shot_close(&shot);
    arena_free(scene->arena);
}

/* ---- plots ---- */

static void curves_are_named_where_they_end(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_curves(scene, &part);
    part.as.plot.line_count = 3;
    assert_shot(&part, 60, 8, false,
                "1 ┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉△⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉△⠉⠉⠉⠉⠉⠉⠉⠉⣉⣉⠭⢭⡻⠟⠋   △ flat\n"
                "  │                             ⢀⣀⡠⠤⠔⠒⠉⣉⠤⠒⠊⠁      ○ straight\n"
                "  │                      ⣀⣀⠤⠤⠒○⠉⠁ ⣀□⠔⠒⠉           □ bent\n"
                "  │              ⢀⣀⡠⠤⠒⠒⠉⠉   ⣀⡠⠤⠒⠊⠉\n"
                "  │       ⣀⣀⠤⠔○⠊⠉⠁  ⣀⣀⡠⠤⠔⠒⠊⠉\n"
                "  │⣀⣤⣤⣒⣒⣉⡩⠤⠤⠤⠤□⠒⠒⠊⠉⠉\n"
                "0 ┼────────────────────────────────────────────\n"
                "  0                     x                     1\n");
    assert_shot(&part, 60, 8, true,
                "1 +''''''''''''''''*'''''''''''*''''''''||-||--   * flat\n"
                "  |                             __----'|---'      x straight\n"
                "  |                      __---x'' _#--'           # bent\n"
                "  |              __----''   _----'\n"
                "  |       __--x-''  __-----'\n"
                "  |_----||----#---''\n"
                "0 +--------------------------------------------\n"
                "  0                     x                     1\n");
    arena_free(scene->arena);
}

static void names_stand_above_a_narrow_plot(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_curves(scene, &part);
    assert_shot(&part, 30, 10, false,
                "○ straight   □ bent   △ flat\n"
                "1 ┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉△⠉⠉⠉⠉⢉⡩⡽⠋\n"
                "  │                   ⢀⡠⠔⠊⡡⠊\n"
                "  │               ⢀⡠⠔⠊⠁⢀⠔⠉\n"
                "  │           ⢀⡠⠔⠊⠁ ⢀⡠⠊⠁\n"
                "  │       ⢀⡠⠔○⠁  ⣀⠤⠒⠁\n"
                "  │   ⢀⡠⠔⠊⠁  ⣀⠤⠒□\n"
                "  │⣠⣔⣊⣁⡤⡤⡔⡒⡊⡉⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀\n"
                "0 ┼───────────────────────────\n"
                "  0            x             1\n");
    part.as.plot.lines[2] = (struct plot_line){.label = "up", .hidden = true};
    struct shot shot = shot_of(&part, 38, 9, false);
    assert_has(&shot.text, "○ straight   □ bent   ? up   ⠢ before");
    shot_close(&shot);
    arena_free(scene->arena);
}

static void what_is_hidden_or_was_before_is_named_beside_the_axis(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_curves(scene, &part);
    part.as.plot.lines[0] = (struct plot_line){.label = "straight", .hidden = true};
    assert_shot(&part, 60, 8, false,
                "1 ┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉△⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉△⠉⠉⠉⠉⢉⡩⠝⠋   △ flat\n"
                "  │                                    ⣀⠤⠒⠊⠁      □ bent\n"
                "  │                               ⣀⡠⠔⠒⠉\n"
                "  │                         ⣀⡠⠤⠒□⠉\n"
                "  │                 ⣀⣀⡠⠤□⠒⠊⠉\n"
                "  │⣀⣀⣀⣀⣀⣀⡠⡤⡤⡤⡤⡔⡒⡒⡊⡉⡉⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀\n"
                "0 ┼────────────────────────────────────────────   ⠢ before\n"
                "  0                     x                     1   ? straight\n");
    arena_free(scene->arena);
}

/* ---- stacks ---- */

static void a_stack_runs_from_left_to_right(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_stack(scene, &part, 4);
    assert_shot(&part, 78, 7, false,
                "  each layer: x + F(LN(x))\n"
                "  layer                      1          2         ▸3          4   final norm\n"
                "  stream          x─┬────────●─┬────────●──────────○─┬────────●──────────■\n"
                "  branch            └F(LN(x))┘ └F(LN(x))┘   ✕ off    └F(LN(x))┘\n"
                "  update/stream        0.50       0.33       0.00       0.20\n"
                "  kept                 0.75       0.75                  0.75\n"
                "  length         2.00       2.00       2.25       2.50       2.75       1.00\n");
    assert_shot(&part, 40, 6, true,
                "  layer          1     2    >3\n"
                "  stream   x-+---O-+---O-----o->\n"
                "  branch     +-F-+ +-F-+   x\n"
                "  update      0.50  0.33  0.00\n"
                "  kept        0.75  0.75\n"
                "  length  2.00  2.00  2.25  2.50\n");
    struct part back = part;
    sample_gradients(scene, &back.as.stack);
    assert_shot(&back, 78, 8, false,
                "  each layer: x + F(LN(x))\n"
                "  layer                      1          2         ▸3          4   final norm\n"
                "  stream          x─┬────────●─┬────────●──────────○─┬────────●──────────■\n"
                "  branch            └F(LN(x))┘ └F(LN(x))┘   ✕ off    └F(LN(x))┘\n"
                "  update/stream        0.50       0.33       0.00       0.20\n"
                "  kept                 0.75       0.75                  0.75\n"
                "  length         2.00       2.00       2.25       2.50       2.75       1.00\n"
                "  gradient       9.50 ◂──── 2.50 ◂──── 2.25 ◂──── 2.00 ◂──── 1.75 ◂──── 1.00\n");
    assert_shot(&back, 40, 6, true,
                "  layer               2     >3\n"
                "  stream     <-O-+----O------o->\n"
                "  branch         +-F--+   x\n"
                "  update          0.33   0.00\n"
                "  length      2.00   2.25   2.50\n"
                "  gradient    2.50 < 2.25 < 2.00\n");
    struct shot shot = shot_of(&part, 78, 7, false);
    assert_int_equal(style_at(&shot, "2.50"), STYLE_CURSOR);
    assert_int_equal(style_at(&shot, "▸3"), STYLE_CURSOR);
    assert_int_equal(style_at(&shot, "✕ off"), STYLE_CURSOR);
    shot_close(&shot);
    part.as.stack.order = "LN(x + F(x))"; /* the norm stands behind the sum then */
    part.as.stack.final_norm = false;
    part.as.stack.end.text = "";
    part.as.stack.layers[3].stream.flags = CELL_CHANGED;
    part.as.stack.layers[1].stream = (struct cell){.text = "?", .value = NAN, .flags = CELL_HIDDEN};
    shot = shot_of(&part, 78, 7, false);
    assert_has(&shot.text, "●LN──┬");
    assert_has(&shot.text, "F(x)");
    assert_has(&shot.text, "*2.75*");
    assert_lacks(&shot.text, "2.25");
    assert_lacks(&shot.text, "final");
    shot_close(&shot);
    arena_free(scene->arena);
}

static void every_layer_of_a_deep_stack_can_be_seen(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_stack(scene, &part, 64);
    sample_gradients(scene, &part.as.stack);
    for (int columns = 40; columns <= 118; columns += 13) {
        for (int cursor = 0; cursor < 64; cursor++) {
            char name[16];
            part.as.stack.cursor = cursor;
            snprintf(name, sizeof name, "▸%d", cursor + 1);
            struct shot shot = shot_of(&part, columns, 8, false);
            assert_has(&shot.text, name);
            assert_has(&shot.text, " more");
            assert_true((strstr(strbuf_string(&shot.text), "‹") != NULL) | (cursor < 20));
            assert_true((strstr(strbuf_string(&shot.text), "›") != NULL) == (cursor < 63));
            if (cursor < 63 && columns > 60)
                assert_has(&shot.text, " more, then a final norm");
            shot_close(&shot);
        }
    }
    /* A stage is seen wherever the cursor stands. */
    part.as.stack.cursor = 0;
    part.as.stack.layers[40].gradient.flags = CELL_STAGE;
    struct shot shot = shot_of(&part, 78, 8, false);
    assert_has(&shot.text, " 41");
    assert_lacks(&shot.text, "▸1");
    shot_close(&shot);
    arena_free(scene->arena);
}

/* ---- leaks ---- */

static void leaks_have_signs_and_a_legend(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part part;
    sample_leak(scene, &part, LEAK_SAME, LEAK_MORE);
    assert_shot(&part, 60, 6, false,
                "  who moves token (1, 1)?\n"
                "  token     1   2   3\n"
                "▸ sample 1 [■]  ◆   ◆     ■ itself (always)\n"
                "  sample 2  ▣   ·   ·     · does not move it\n"
                "  sample 3  ▣   ·   ·     ▣ moves it: same feature only\n"
                "  sample 4  ▣   ·   ·     ◆ moves it: other features too\n");
    struct shot shot = shot_of(&part, 60, 6, false);
    assert_int_equal(style_at(&shot, "◆"), STYLE_WRONG);
    shot_close(&shot);
    assert_shot(&part, 36, 10, true,
                "  who moves token (1, 1)?\n"
                "  token     1   2   3\n"
                "> sample 1 [#]  X   X\n"
                "  sample 2  +   .   .\n"
                "  sample 3  +   .   .\n"
                "  sample 4  +   .   .\n"
                "  # itself (always)\n"
                "  . does not move it\n"
                "  + moves it: same feature only\n"
                "  X moves it: other features too\n");
    sample_leak(scene, &part, LEAK_HIDDEN, LEAK_HIDDEN);
    for (int i = 0; i < 12; i++)
        part.as.leak.cells[i] = LEAK_HIDDEN;
    shot = shot_of(&part, 60, 6, false);
    assert_has(&shot.text, "[?]");
    assert_has(&shot.text, "? opens with the answer");
    assert_lacks(&shot.text, "■");
    shot_close(&shot);
    arena_free(scene->arena);
}

/* ---- programs ---- */

static void the_line_spoken_of_is_in_sight(void **state)
{
    (void)state;
    struct part part;
    sample_code(&part, 5);
    assert_shot(&part, 40, 4, false,
                "  layer_norm.lua\n"
                "  4      local mean, var = x:mean(over)…\n"
                "> 5      return (x - mean) / sqrt(var +…\n"
                "  … 4 more\n");
    part.as.code.line = 99;
    struct shot shot = shot_of(&part, 90, 7, false);
    assert_lacks(&shot.text, ">");
    assert_has(&shot.text, "  6  end\n");
    shot_close(&shot);
}

static struct strbuf page_of(const struct lesson_screen *screen, int columns, int rows)
{
    struct strbuf text = {0};
    struct drawn drawn;
    struct grid *grid = grid_new(columns, rows, false);
    draw_lesson(grid, screen, &drawn);
    grid_write(grid, false, &text);
    grid_free(grid);
    return text;
}

static const char *const place = "~/.local/state/normtutor/layer_norm.lua";

static void a_program_is_asked_for(void **state)
{
    (void)state;
    struct scene *scene = sample_program(VERDICT_NONE);
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    screen.code_path = place;
    struct strbuf text = page_of(&screen, 80, 24);
    assert_has(&text, "\n    3      local over = { \"batch\" }\n");
    assert_has(&text,
               "\n  Your file: ~/.local/state/normtutor/layer_norm.lua\n  Press e to open it in your editor");
    assert_has(&text, "✗ 1.02           0\n   a later token changed    ✓ 0");
    assert_has(&text, "\n e edit   p probes   h hint 1 of 2   n new numbers   0 start over   Enter next\n");
    assert_lacks(&text, "›");
    strbuf_free(&text);
    screen.code_path = "";
    text = page_of(&screen, 80, 24);
    assert_has(&text, "No file can be written here");
    assert_has(&text, "layer_norm.lua\n    1  -- Norm");
    assert_lacks(&text, "e edit");
    assert_lacks(&text, "start over");
    strbuf_free(&text);
    arena_free(scene->arena);
}

static void what_came_of_a_program_is_said(void **state)
{
    (void)state;
    struct scene *scene = sample_program(VERDICT_WRONG);
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    screen.code_path = place;
    struct strbuf text = page_of(&screen, 80, 24);
    assert_has(&text, "✗ It averages over the batch");
    assert_has(&text, "▣ moves it: same feature only"); /* all that the probes found is in sight */
    strbuf_free(&text);
    arena_free(scene->arena);

    scene = sample_program(VERDICT_UNREAD);
    screen.scene = scene;
    text = page_of(&screen, 80, 24);
    assert_has(&text, "\n  > 4      local mean, var");
    assert_has(&text, "– layer_norm.lua:4: attempt to index a nil value\n    It did not count.\n");
    strbuf_free(&text);
    arena_free(scene->arena);

    scene = sample_program(VERDICT_RIGHT);
    screen.scene = scene;
    text = page_of(&screen, 80, 30);
    assert_has(&text, "✓ Right.");
    assert_has(&text, "over the features of one token, and over nothing else.");
    assert_lacks(&text, "Press e");
    assert_lacks(&text, "e edit");
    strbuf_free(&text);
    scene->step->question->verdict = VERDICT_NONE; /* given up: the listing is the solution */
    scene->step->question->answer = SAMPLE_PROGRAM;
    text = page_of(&screen, 80, 40);
    assert_has(&text, "One that does it right:\n    1  -- Norm");
    assert_lacks(&text, "The answer:");
    strbuf_free(&text);
    arena_free(scene->arena);
}

static void long_lines_of_a_program_go_on(void **state)
{
    (void)state;
    struct scene *scene = sample_program(VERDICT_NONE);
    struct lesson_screen screen = sample_screen(scene, FOCUS_TEXT);
    screen.code_path = place;
    scene->step->view = NULL;
    struct strbuf text = page_of(&screen, 40, 24);
    assert_has(&text, "    1  -- Normalize x (batch, token, f\n    ↪  eature), each token over its ow\n    ↪ "
                      " n features.\n");
    strbuf_free(&text);
    arena_free(scene->arena);
}

static void branches_have_a_key(void **state)
{
    (void)state;
    struct scene *scene = sample_tell();
    struct lesson_screen screen = sample_screen(scene, FOCUS_VIEW);
    sample_stack(scene, scene->step->view->children[0].parts, 4);
    scene->step->axes[0] = (struct scene_axis){"layer", 4, 3};
    scene->step->axis_count = 1;
    struct strbuf text = page_of(&screen, 80, 24);
    assert_lacks(&text, "branch on/off");
    strbuf_free(&text);
    scene->step->branches = 4;
    text = page_of(&screen, 80, 24);
    assert_has(&text, "← → layer");
    assert_has(&text, "x branch on/off");
    strbuf_free(&text);
    screen.help = true;
    text = page_of(&screen, 80, 60);
    assert_has(&text, "x      branch on/off");
    assert_has(&text, "○ is a layer whose branch is switched off");
    strbuf_free(&text);
    arena_free(scene->arena);
}

/* ---- all of them ---- */

/* Side by side as long as nothing is left out by that. */
static void a_row_stays_one_while_its_views_fit(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part parts[2];
    struct view children[2];
    for (int i = 0; i < 2; i++) {
        sample_map(scene, &parts[i], 0, 1, 0);
        parts[i].as.map.title = "";
        children[i] = (struct view){.name = "axes", .alt = "", .parts = &parts[i], .part_count = 1};
    }
    struct view row = {.kind = VIEW_ROW, .name = "row", .alt = "", .children = children, .child_count = 2};
    struct grid *grid = grid_new(90, 20, false);
    assert_int_equal(view_extent(grid, &row, 84).want, 8);
    assert_int_equal(view_extent(grid, &row, 78).want, 5 + 1 + 5);
    sample_stack(scene, &parts[1], 8);
    assert_int_equal(view_extent(grid, &row, 78).want, 5 + 1 + 7);
    grid_free(grid);
    arena_free(scene->arena);
}

static void changes_are_marked_cell_by_cell(void **state)
{
    (void)state;
    struct scene *before = sample_tell(), *now = sample_tell();
    for (int i = 0; i < 2; i++) {
        struct scene *scene = i ? now : before;
        sample_map(scene, &scene->step->view->children[0].parts[0], 0, 1, 0);
        sample_stack(scene, &scene->step->view->children[0].parts[1], 4);
    }
    assert_false(scene_mark_changes(now, before));
    struct part_map *map = &now->step->view->children[0].parts[0].as.map;
    struct part_stack *stack = &now->step->view->children[0].parts[1].as.stack;
    map->cells[20].text = "4.00000"; /* to other places: no other number */
    map->cells[21].text = "[1.0, 2.50]";
    before->step->view->children[0].parts[0].as.map.cells[21].text = "[1, 2.5]";
    map->cells[23].text = "other";
    map->cells[23].value = stack->layers[3].update.value = stack->end.value = 77;
    stack->layers[3].update.text = "other";
    stack->end.text = "other";
    assert_true(scene_mark_changes(now, before));
    assert_true(map->cells[23].flags & CELL_CHANGED);
    for (int i = 20; i < 23; i++)
        assert_false(map->cells[i].flags & CELL_CHANGED);
    assert_true(stack->layers[3].update.flags & stack->end.flags & CELL_CHANGED);
    assert_false((stack->layers[3].stream.flags | stack->start.flags) & CELL_CHANGED);
    scene_clear_changes(now);
    assert_false((map->cells[23].flags | stack->layers[3].update.flags | stack->end.flags) & CELL_CHANGED);
    stack->layer_count = 3; /* another depth: nothing to compare with */
    map->rows.count = 2;
    assert_false(scene_mark_changes(now, before));
    arena_free(before->arena);
    arena_free(now->arena);
}

/* No size and no number of anything may write outside its box, or say something that is not so. */
static void any_box_will_do(void **state)
{
    (void)state;
    struct scene *scene = sample_lesson();
    struct part parts[10];
    sample_map(scene, &parts[0], 4, 1, 0);
    sample_map(scene, &parts[1], 3, 4, 12);
    sample_stack(scene, &parts[2], 1);
    sample_stack(scene, &parts[3], 64);
    sample_stack(scene, &parts[4], 0);
    sample_leak(scene, &parts[5], LEAK_SAME, LEAK_MORE);
    sample_code(&parts[6], 4);
    sample_plot(scene, &parts[8], 1e-5);
    sample_curves(scene, &parts[9]);
    parts[7] = (struct part){.kind = PART_CODE, .as.code = {.title = "", .text = ""}};
    for (int p = 0; p < 10; p++) {
        struct view view = {.name = "part", .alt = "", .parts = &parts[p], .part_count = 1};
        for (int columns = 1; columns <= 90; columns += columns < 12 ? 1 : 6) {
            for (int rows = 1; rows <= 14; rows++) {
                struct grid *grid = grid_new(columns + 4, rows + 2, columns % 2);
                view_draw(grid, &view, (struct box){2, 1, columns, rows}, true);
                for (int i = 0; i < grid->columns * grid->rows; i++) {
                    int column = i % grid->columns, row = i / grid->columns;
                    bool inside = column >= 2 && column < columns + 2 && row >= 1 && row <= rows;
                    if (!inside && strcmp(grid->cells[i].text, " ") != 0)
                        fail_msg("part %d in %dx%d writes \"%s\" at %d, %d", p, columns, rows,
                                 grid->cells[i].text, column - 2, row - 1);
                }
                grid_free(grid);
            }
        }
    }
    arena_free(scene->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_stand_side_by_side),
        cmocka_unit_test(blocks_stand_below_each_other),
        cmocka_unit_test(blocks_of_one_row_are_rows),
        cmocka_unit_test(a_set_is_lit),
        cmocka_unit_test(magnitudes_are_shaded),
        cmocka_unit_test(a_map_that_is_too_wide_shows_a_window),
        cmocka_unit_test(curves_are_named_where_they_end),
        cmocka_unit_test(names_stand_above_a_narrow_plot),
        cmocka_unit_test(what_is_hidden_or_was_before_is_named_beside_the_axis),
        cmocka_unit_test(a_stack_runs_from_left_to_right),
        cmocka_unit_test(every_layer_of_a_deep_stack_can_be_seen),
        cmocka_unit_test(leaks_have_signs_and_a_legend),
        cmocka_unit_test(the_line_spoken_of_is_in_sight),
        cmocka_unit_test(a_program_is_asked_for),
        cmocka_unit_test(what_came_of_a_program_is_said),
        cmocka_unit_test(long_lines_of_a_program_go_on),
        cmocka_unit_test(branches_have_a_key),
        cmocka_unit_test(a_row_stays_one_while_its_views_fit),
        cmocka_unit_test(changes_are_marked_cell_by_cell),
        cmocka_unit_test(any_box_will_do),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
