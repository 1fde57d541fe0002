#include "ui/knobs.h"
#include "base/language.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SLIDER_MOST = 46, SLIDER_LEAST = 6, VALUE_LEAST = 6, VALUE_MOST = 16 };

int knobs_rows(const struct scene_step *step, int window_rows)
{
    int room = larger(1, window_rows / 6);
    return step->knob_count < (size_t)room ? (int)step->knob_count : room;
}

void knobs_number(char out[32], double value)
{
    bool plain = value == floor(value) && fabs(value) < 1e7; /* as everywhere on the screen */
    snprintf(out, 32, plain ? "%.0f" : "%.6g", value);
    char *exponent = strchr(out, 'e');
    if (!exponent)
        return;
    char *digits = exponent + 1, *to = exponent + 1;
    if (*digits == '-')
        *to++ = *digits++;
    else if (*digits == '+')
        digits++;
    while (*digits == '0' && digits[1])
        digits++;
    memmove(to, digits, strlen(digits) + 1);
}

/* Where between its ends the knob stands, 0 to 1. */
static double knob_share(const struct scene_knob *knob)
{
    double from = knob->from, to = knob->to, at = knob->value;
    if (knob->kind == KNOB_LOG && from > 0 && to > 0 && at > 0) {
        from = log(from);
        to = log(to);
        at = log(at);
    }
    double share = (at - from) / (to - from);
    return share >= 0 ? fmin(share, 1) : 0;
}

/* The columns of a step's knobs, so that all its sliders stand below each other. */
struct widths {
    int label, value, from, to;
};

static void draw_slider(struct grid *grid, const struct scene_knob *knob, int column, int row, int right,
                        const struct widths *widths, enum style style)
{
    char from[32], to[32];
    knobs_number(from, knob->from);
    knobs_number(to, knob->to);
    int width = right - column - widths->from - widths->to - 4;
    width = width > SLIDER_MOST ? SLIDER_MOST : width;
    if (width < SLIDER_LEAST)
        return;
    grid_put(grid, column + widths->from - grid_width(grid, from), row, right, STYLE_DIM, from);
    column += widths->from + 1;
    int at = (int)lround(knob_share(knob) * (width - 1));
    grid_put(grid, column, row, right, STYLE_RULE, "├");
    for (int i = 0; i < width; i++) {
        bool below = i < at;
        grid_put(grid, column + 1 + i, row, right, below ? style : STYLE_RULE,
                 i == at ? "●"
                 : below ? "━"
                         : "─");
    }
    grid_put(grid, column + 1 + at, row, right, style, "●");
    grid_put(grid, column + 1 + width, row, right, STYLE_RULE, "┤");
    grid_put(grid, column + width + 3, row, right, STYLE_DIM, to);
}

/* What all options of a knob take, one beside the other; of a slider, what it takes to be read. */
static int width_wanted(const struct grid *grid, const struct scene_knob *knob, int value)
{
    if (knob->kind != KNOB_PICK)
        return knob->kind == KNOB_SWITCH ? 0 : value + 40;
    int used = 0;
    for (size_t i = 0; i < knob->option_names.count; i++)
        used += grid_width(grid, knob->option_names.item[i]) + 4;
    return used;
}

static void draw_options(struct grid *grid, const struct scene_knob *knob, int column, int row, int right,
                         enum style style)
{
    const char *const switch_names[] = {_("off"), _("on")};
    bool pick = knob->kind == KNOB_PICK;
    size_t count = pick ? knob->option_names.count : 2;
    size_t now = knob->value >= 0 && knob->value < 1e6 ? (size_t)knob->value : 0;
    size_t first = 0;
    for (;; first++) { /* the chosen one stays in sight */
        int used = first ? 2 : 0;
        for (size_t i = first; i <= now && i < count; i++)
            used += grid_width(grid, pick ? knob->option_names.item[i] : switch_names[i]) + 4;
        if (first >= now || column + used < right)
            break;
    }
    if (first)
        column = grid_put(grid, column, row, right, STYLE_DIM, "‹") + 1;
    for (size_t i = first; i < count; i++) {
        const char *name = pick ? knob->option_names.item[i] : switch_names[i];
        if (i == now)
            grid_put(grid, column, row, right, style, "[");
        column = grid_put_fit(grid, column + 1, row, right - 1, i == now ? style : STYLE_DIM, name);
        if (i == now)
            grid_put(grid, column, row, right, style, "]");
        column += 2;
    }
}

static void draw_knob(struct grid *grid, const struct lesson_screen *screen, size_t index, struct box box,
                      struct widths widths)
{
    const struct scene_step *step = screen->scene->step;
    const struct scene_knob *knob = &step->knobs[index];
    bool here = index == screen->knob, focused = here && screen->focus == FOCUS_KNOB && !step->locked;
    enum style style = step->locked ? STYLE_DIM : focused ? STYLE_ACCENT : STYLE_STRONG;
    int right = box.column + box.columns, column = box.column;
    if (here && (step->knob_count > 1 || focused))
        grid_put(grid, column, box.row, right, focused ? STYLE_ACCENT : STYLE_DIM, "▸");
    column += 2;
    grid_put_fit(grid, column, box.row, column + widths.label, style, knob->label);
    column += widths.label + 2;
    const char *note = step->locked ? scene_travels(step, knob) ? _("moves after your answer") : _("free after your answer")
                       : box.columns >= 96 && focused ? _("← → turn   0 reset")
                                                      : "";
    int note_width = grid_width(grid, note);
    if (step->locked && box.columns - widths.label - note_width < width_wanted(grid, knob, widths.value))
        note_width = 0;
    int until = note_width ? right - note_width - 3 : right;
    if (knob->kind == KNOB_SWITCH || knob->kind == KNOB_PICK) {
        draw_options(grid, knob, column, box.row, until, style);
    } else {
        grid_put_fit(grid, column, box.row, column + widths.value, step->locked ? STYLE_DIM : STYLE_STRONG,
                     knob->value_text);
        draw_slider(grid, knob, column + widths.value + 2, box.row, until, &widths, style);
    }
    if (note_width)
        grid_put(grid, right - note_width, box.row, right, STYLE_DIM, note);
}

void knobs_draw(struct grid *grid, const struct lesson_screen *screen, struct box box)
{
    const struct scene_step *step = screen->scene->step;
    struct widths widths = {.value = VALUE_LEAST};
    for (size_t i = 0; i < step->knob_count; i++) {
        const struct scene_knob *knob = &step->knobs[i];
        widths.label = larger(widths.label, grid_width(grid, knob->label));
        if (knob->kind == KNOB_SWITCH || knob->kind == KNOB_PICK)
            continue;
        char from[32], to[32];
        knobs_number(from, knob->from);
        knobs_number(to, knob->to);
        widths.value = larger(widths.value, grid_width(grid, knob->value_text));
        widths.from = larger(widths.from, grid_width(grid, from));
        widths.to = larger(widths.to, grid_width(grid, to));
    }
    widths.label = widths.label > box.columns / KNOBS_LABEL_SHARE ? box.columns / KNOBS_LABEL_SHARE : widths.label;
    widths.value = widths.value > VALUE_MOST ? VALUE_MOST : widths.value;
    size_t rows = (size_t)larger(box.rows, 0), first = 0;
    if (screen->knob >= rows && screen->knob < step->knob_count)
        first = screen->knob - rows + 1;
    for (size_t i = first; i < step->knob_count && i < first + rows; i++) {
        struct box line = {box.column, box.row + (int)(i - first), box.columns, 1};
        draw_knob(grid, screen, i, line, widths);
    }
    if (first)
        grid_put(grid, box.column - 1, box.row, -1, STYLE_DIM, "↑");
    if (first + rows < step->knob_count)
        grid_put(grid, box.column - 1, box.row + (int)rows - 1, -1, STYLE_DIM, "↓");
}
