#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/visible.h"
#include "ui/code.h"
#include "ui/knobs.h"
#include "ui/plain_say.h"

enum { NESTING_MAX = 8, ROWS_MOST = 64 /* of a table that are read out */, LAYERS_ALL = 8 /* of a stack that are all read out */ };

static void say_cell(struct strbuf *out, const struct cell *cell)
{
    if (cell->flags & CELL_HIDDEN)
        strbuf_add(out, _("hidden"));
    else
        say_text(out, cell->text);
    if (cell->flags & CELL_CHANGED)
        strbuf_add(out, _(" (changed)"));
}

static void say_more_rows(struct strbuf *out, size_t count, size_t most)
{
    if (count > most)
        strbuf_addf(out,
                    language_count("  and %zu more row; \"view all\" reads it.\n", "  and %zu more rows; \"view all\" reads them.\n",
                                   count - most),
                    count - most);
}

/* ---- tables ---- */

static bool all_hidden(const struct cell *cells, size_t count, size_t apart)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const struct cell *cell = &cells[i * apart];
        if (*cell->text && !(cell->flags & CELL_HIDDEN))
            return false;
        any |= *cell->text != '\0';
    }
    return any;
}

/* It has a name, and nothing in it is known. */
static bool column_hidden(const struct part_table *table, size_t column)
{
    return *table->head.item[column] && all_hidden(table->cells + column, table->labels.count, table->head.count);
}

static void say_hidden(struct strbuf *out, const char *name, size_t *said)
{
    strbuf_add(out, (*said)++ ? ", " : _("  Hidden until you answer: "));
    say_text(out, name);
}

/* The last row of a pipeline is of statistics; the mean stands below x. */
static bool is_statistics(const char *view, const struct part_table *table, size_t row)
{
    return strcmp(view, "pipeline") == 0 && row + 1 == table->labels.count;
}

/* A cell that its column's line at the end stands for. */
static bool hidden_apart(const char *view, const struct part_table *table, size_t row, size_t column)
{
    bool hidden = table->cells[row * table->head.count + column].flags & CELL_HIDDEN;
    return column_hidden(table, column) || (hidden && is_statistics(view, table, row));
}

static void say_hidden_columns(struct strbuf *out, const char *view, const struct part_table *table, bool rows_too)
{
    size_t said = 0, last = table->labels.count - 1;
    if (table->labels.count && table->head.count && is_statistics(view, table, last) && !column_hidden(table, 0) &&
        hidden_apart(view, table, last, 0))
        say_hidden(out, table->labels.item[last], &said);
    for (size_t c = 0; c < table->head.count; c++)
        if (column_hidden(table, c))
            say_hidden(out, table->head.item[c], &said);
    for (size_t r = 0, of = 0; rows_too && said && r < table->labels.count; r++) {
        if (!*table->labels.item[r])
            continue;
        strbuf_add(out, of++ ? ", " : language_count(", in the row ", ", in the rows ", table->labels.count));
        say_text(out, table->labels.item[r]);
    }
    strbuf_add(out, said ? ".\n" : "");
}

static void say_bits(struct strbuf *out, const struct cell *cell)
{
    const char *first = strchr(cell->text, ' '), *second = first ? strchr(first + 1, ' ') : NULL;
    if (!second) {
        say_cell(out, cell);
        return;
    }
    strbuf_addf(out, _("sign %.*s, exponent %.*s, fraction %s"), (int)(first - cell->text), cell->text, (int)(second - first - 1), first + 1,
                second + 1);
}

/* "mean 0.142": the head as this view's cells are read behind it. */
static void say_headed(struct strbuf *out, const char *view, const struct part_table *table, size_t row, size_t column)
{
    const struct cell *cell = &table->cells[row * table->head.count + column];
    const char *head = table->head.item[column];
    bool statistics = is_statistics(view, table, row), probes = strcmp(view, "probes") == 0;
    if (strcmp(view, "precision") == 0 && strcmp(head, _("sign, exponent, fraction")) == 0 && !(cell->flags & CELL_HIDDEN)) {
        say_bits(out, cell);
        return;
    }
    if (statistics && column == 0)
        head = table->labels.item[row]; /* it stands below x */
    else if (probes && strcmp(head, _("should be")) == 0)
        head = _("expected");
    bool alone = strcmp(view, "precision") == 0 && strcmp(table->labels.item[row], _("exact")) == 0; /* of no type */
    head = alone ? "" : head;
    say_text(out, head);
    strbuf_add(out, !*head ? "" : probes || strcmp(view, "table") == 0 ? ": " : " ");
    say_cell(out, cell);
}

/* "loud: mean 0.142, variance 1.031"; a row with nothing in it yet is not said. */
static bool say_row(struct strbuf *out, const char *view, const struct part_table *table, size_t row)
{
    const char *label = table->labels.item[row];
    bool statistics = is_statistics(view, table, row), any = false;
    for (size_t c = 0; c < table->head.count; c++) {
        if (!*table->cells[row * table->head.count + c].text || hidden_apart(view, table, row, c))
            continue;
        strbuf_add(out, any ? ", " : "  ");
        if (!any && !statistics)
            say_text(out, label);
        if (!any && (int32_t)row == table->cursor_row)
            strbuf_add(out, statistics ? _("You look here: ") : _(" (you look here)"));
        strbuf_add(out, !any && !statistics && *label ? ": " : "");
        say_headed(out, view, table, row, c);
        any = true;
    }
    strbuf_add(out, any ? ".\n" : "");
    return any;
}

static void say_table(struct strbuf *out, const char *view, const struct part_table *table, size_t most)
{
    bool any = false;
    for (size_t r = 0; r < table->labels.count && r < most; r++)
        any |= say_row(out, view, table, r);
    say_more_rows(out, table->labels.count, most);
    say_hidden_columns(out, view, table, !any);
    if (table->note) {
        strbuf_add(out, _("  The number under the cursor: "));
        say_text(out, table->note);
        strbuf_add(out, ".\n");
    }
}

/* ---- bars and curves ---- */

static bool series_hidden(const struct part_bars *bars, size_t series)
{
    return *bars->series[series].label && all_hidden(bars->series[series].cells, bars->labels.count, 1);
}

static void say_bars(struct strbuf *out, const struct part_bars *bars, size_t most)
{
    size_t hidden = 0;
    for (size_t s = 0; s < bars->series_count; s++)
        hidden += series_hidden(bars, s);
    if (*bars->title) {
        strbuf_add(out, "  ");
        say_text(out, bars->title);
        strbuf_add(out, ".\n");
    }
    for (size_t r = 0; r < bars->labels.count && r < most && hidden < bars->series_count; r++) {
        bool any = false;
        strbuf_add(out, "  ");
        say_text(out, bars->labels.item[r]);
        if ((int32_t)r == bars->cursor_row)
            strbuf_add(out, _(" (you look here)"));
        strbuf_add(out, ": ");
        for (size_t s = 0; s < bars->series_count; s++) {
            if (series_hidden(bars, s))
                continue;
            strbuf_add(out, any ? ", " : "");
            say_text(out, bars->series[s].label);
            strbuf_add(out, *bars->series[s].label ? " " : "");
            say_cell(out, &bars->series[s].cells[r]);
            any = true;
        }
        strbuf_add(out, ".\n");
    }
    if (hidden < bars->series_count)
        say_more_rows(out, bars->labels.count, most);
    size_t said = 0;
    for (size_t s = 0; s < bars->series_count; s++)
        if (series_hidden(bars, s))
            say_hidden(out, bars->series[s].label, &said);
    strbuf_add(out, said ? ".\n" : "");
}

static void say_number(struct strbuf *out, double value)
{
    char digits[32], number[32];
    snprintf(digits, sizeof digits, "%.4g", value);
    knobs_number(number, strtod(digits, NULL));
    say_text(out, number);
}

static double plot_x(const struct part_plot *plot, double share)
{
    if (plot->x_log && plot->x_from > 0 && plot->x_to > 0)
        return plot->x_from * pow(plot->x_to / plot->x_from, share);
    return plot->x_from + (plot->x_to - plot->x_from) * share;
}

/* "at 0: 1; at 3: 4.47" */
static void say_points(struct strbuf *out, const struct part_plot *plot, const struct plot_line *line)
{
    enum { POINTS = 5 };
    size_t before = SIZE_MAX;
    for (size_t i = 0; i < POINTS; i++) {
        size_t at = i * (line->count - 1) / (POINTS - 1);
        if (at == before)
            continue;
        strbuf_add(out, before == SIZE_MAX ? _("at ") : _("; at "));
        say_number(out, line->count > 1 ? plot_x(plot, (double)at / (double)(line->count - 1)) : plot->x_from);
        strbuf_add(out, ": ");
        say_number(out, (double)line->y[at]);
        before = at;
    }
}

static void say_plot(struct strbuf *out, const struct part_plot *plot)
{
    size_t hidden = 0;
    strbuf_add(out, _("  Curves over "));
    say_text(out, plot->x_label);
    strbuf_add(out, _(" from "));
    say_text(out, plot->x_from_text);
    strbuf_add(out, _(" to "));
    say_text(out, plot->x_to_text);
    strbuf_add(out, plot->x_log ? _(", logarithmic.\n") : ".\n");
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (line->hidden || !line->count || !line->y)
            continue;
        strbuf_add(out, line->dotted ? _("  before the change, ") : "  ");
        say_text(out, *line->label ? line->label : _("curve"));
        strbuf_add(out, ": ");
        say_points(out, plot, line);
        strbuf_add(out, ".\n");
    }
    for (size_t i = 0; i < plot->line_count; i++)
        if (plot->lines[i].hidden || !plot->lines[i].count || !plot->lines[i].y)
            say_hidden(out, *plot->lines[i].label ? plot->lines[i].label : _("curve"), &hidden);
    strbuf_add(out, hidden ? ".\n" : "");
    for (size_t i = 0; i < plot->mark_count; i++) {
        strbuf_add(out, "  ");
        say_text(out, plot->marks[i].label);
        strbuf_add(out, _(": at "));
        say_number(out, plot->marks[i].x);
        strbuf_add(out, ": ");
        say_number(out, plot->marks[i].y);
        strbuf_add(out, ".\n");
    }
}

/* ---- maps ---- */

static void say_place(struct strbuf *out, const struct part_map *map, size_t at)
{
    size_t columns = map->columns.count, rows = map->rows.count;
    const char *const names[] = {map->blocks.item[at / columns / rows], map->rows.item[at / columns % rows],
                                 map->columns.item[at % columns]};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!*names[i])
            continue;
        strbuf_add(out, any ? " " : "");
        say_text(out, names[i]);
        any = true;
    }
    if (!any)
        strbuf_addf(out, _("element %zu"), at + 1);
}

/* The smallest ranges of block, row and column that hold the set; false: not all in them belongs to it. */
static bool find_ranges(const struct part_map *map, size_t count, size_t set, size_t from[3], size_t to[3])
{
    size_t columns = map->columns.count, rows = map->rows.count, volume = 1;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const size_t at[] = {i / columns / rows, i / columns % rows, i % columns};
        if (!(map->cells[i].flags & CELL_SET))
            continue;
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = any && from[axis] < at[axis] ? from[axis] : at[axis];
            to[axis] = any && to[axis] > at[axis] ? to[axis] : at[axis];
        }
        any = true;
    }
    for (int axis = 0; axis < 3; axis++)
        volume *= to[axis] - from[axis] + 1;
    return volume == set;
}

static void say_ranges(struct strbuf *out, const struct part_map *map, const size_t from[3],
                       const size_t to[3])
{
    const struct strings *const names[] = {&map->blocks, &map->rows, &map->columns};
    const char *between = "";
    for (int axis = 0; axis < 3; axis++) {
        const char *first = names[axis]->item[from[axis]], *last = names[axis]->item[to[axis]];
        if (!*first)
            continue;
        strbuf_add(out, between);
        say_text(out, first);
        if (to[axis] > from[axis]) {
            strbuf_add(out, _(" to "));
            say_text(out, last);
        }
        between = ", ";
    }
}

static void say_each(struct strbuf *out, const struct part_map *map, size_t count, size_t set)
{
    size_t said = 0;
    for (size_t i = 0; i < count && said < ROWS_MOST; i++) {
        if (!(map->cells[i].flags & CELL_SET))
            continue;
        strbuf_add(out, said++ ? ", " : "");
        say_place(out, map, i);
    }
    if (set > said)
        strbuf_addf(out, _(", and %zu more"), set - said);
}

/* "You look at batch 1 token 2 x3: 0.5. 4 numbers share its statistic: batch 1, token 2, x1 to x4." */
static void say_set(struct strbuf *out, const struct part_map *map, size_t count)
{
    size_t set = 0, from[3], to[3];
    for (size_t i = 0; i < count; i++) {
        set += (map->cells[i].flags & CELL_SET) != 0;
        if (!(map->cells[i].flags & CELL_CURSOR))
            continue;
        strbuf_add(out, _("  You look at "));
        say_place(out, map, i);
        strbuf_add(out, ": ");
        say_cell(out, &map->cells[i]);
        strbuf_add(out, ".\n");
    }
    if (set == 0)
        return;
    strbuf_addf(
        out,
        set == 1 ? _("  %zu number goes into its statistic: ") : _("  %zu numbers share its statistic: "), set);
    if (find_ranges(map, count, set, from, to))
        say_ranges(out, map, from, to);
    else
        say_each(out, map, count, set);
    strbuf_add(out, ".\n");
}

/* "batch 1, token 2: -0.3, 1.2" */
static void say_map(struct strbuf *out, const struct part_map *map, size_t most)
{
    size_t columns = map->columns.count, rows = map->rows.count, lines = map->blocks.count * rows;
    if (*map->title) {
        strbuf_add(out, "  ");
        say_text(out, map->title);
        strbuf_add(out, ".\n");
    }
    for (size_t i = 0; i < lines && i < most; i++) {
        const char *block = map->blocks.item[i / rows], *row = map->rows.item[i % rows];
        strbuf_add(out, "  ");
        say_text(out, block);
        strbuf_add(out, *block && *row ? ", " : "");
        say_text(out, row);
        strbuf_add(out, *block || *row ? ": " : "");
        for (size_t c = 0; c < columns; c++) {
            strbuf_add(out, c ? ", " : "");
            say_cell(out, &map->cells[i * columns + c]);
        }
        strbuf_add(out, ".\n");
    }
    say_more_rows(out, lines, most);
    say_set(out, map, lines * columns);
}

static void say_named(struct strbuf *out, const char *before, const struct cell *cell)
{
    if (!*cell->text)
        return;
    strbuf_add(out, before);
    say_cell(out, cell);
}

/* ---- stacks ---- */

static bool layer_known(const struct stack_layer *layer)
{
    return *layer->stream.text || *layer->update.text || *layer->gradient.text;
}

/* Of a deep stack: its ends, the layer looked at, that of the stage and their neighbours, and what is switched off. */
static bool layer_matters(const struct part_stack *stack, size_t at)
{
    size_t last = stack->layer_count - 1;
    if (at == 0 || at == last || stack->layers[at].off)
        return true;
    for (size_t i = at - 1; i <= at + 1; i++)
        if ((int32_t)i == stack->cursor || (stack->layers[i].stream.flags | stack->layers[i].gradient.flags) & CELL_STAGE)
            return true;
    return false;
}

/* "Layer 2: length of the stream 1.41, update over stream 0.48, length of the gradient 1.22." */
static void say_layer(struct strbuf *out, const struct part_stack *stack, size_t at)
{
    const struct stack_layer *layer = &stack->layers[at];
    strbuf_addf(out, _("  Layer %zu%s%s: "), at + 1, (int32_t)at == stack->cursor ? _(" (you look here)") : "",
                layer->off ? _(", branch off") : "");
    say_named(out, _("length of the stream "), &layer->stream);
    if (!layer->off) {
        say_named(out, _(", update over stream "), &layer->update);
        say_named(out, _(", share of the update kept "), &layer->kept);
    }
    say_named(out, *layer->stream.text ? _(", length of the gradient ") : _("length of the gradient "), &layer->gradient);
    strbuf_add(out, ".\n");
}

static void say_stack(struct strbuf *out, const struct part_stack *stack, bool all)
{
    size_t others = 0;
    strbuf_add(out, _("  Each layer: "));
    say_text(out, stack->order);
    if (stack->final_norm)
        strbuf_add(out, _(", and a final norm at the end"));
    say_named(out, _(". Norm of the stream before the first layer "), &stack->start);
    say_named(out, _(", of the gradient there "), &stack->start_gradient);
    strbuf_add(out, ".\n");
    for (size_t i = 0; i < stack->layer_count; i++) {
        if (!layer_known(&stack->layers[i]))
            continue;
        if (all || stack->layer_count <= LAYERS_ALL || layer_matters(stack, i))
            say_layer(out, stack, i);
        else
            others++;
    }
    if (others)
        strbuf_addf(out,
                    language_count("  %zu more layer is not read here; \"view all\" reads it.\n",
                                   "  %zu more layers are not read here; \"view all\" reads them.\n", others),
                    others);
    if (*stack->end.text) {
        say_named(out, _("  Length after the final norm "), &stack->end);
        say_named(out, _(", of the gradient there "), &stack->end_gradient);
        strbuf_add(out, ".\n");
    }
}

static const char *leak_words(enum leak leak)
{
    return leak == LEAK_SAME ? _(" (the same feature only)") : leak == LEAK_MORE ? _(" (other features too)") : "";
}

static bool same_in_sample(const struct part_leak *leak, uint32_t sample)
{
    const enum leak *cells = leak->cells + (size_t)sample * leak->tokens;
    bool same = leak->tokens > 1;
    for (uint32_t t = 1; t < leak->tokens; t++)
        same &= cells[t] == cells[0];
    return same;
}

/* "sample 1 token 2, every token of sample 3", of those that move it or of those that do not; false: there
 * are none. */
static bool say_leaks(struct strbuf *out, const char *before, const struct part_leak *leak, bool moved)
{
    size_t said = 0;
    for (uint32_t s = 0; s < leak->samples; s++) {
        bool same = same_in_sample(leak, s);
        for (uint32_t t = 0; t < (same ? 1 : leak->tokens); t++) {
            enum leak cell = leak->cells[(size_t)s * leak->tokens + t];
            bool moves = cell == LEAK_SAME || cell == LEAK_MORE;
            if ((moved ? !moves : cell != LEAK_NONE) || said > ROWS_MOST)
                continue;
            strbuf_add(out, said++ ? ", " : before);
            if (said > ROWS_MOST)
                strbuf_add(out, _("and more"));
            else if (same)
                strbuf_addf(out, _("every token of sample %u%s"), s + 1, leak_words(cell));
            else
                strbuf_addf(out, _("sample %u token %u%s"), s + 1, t + 1, leak_words(cell));
        }
    }
    strbuf_add(out, said ? ".\n" : "");
    return said > 0;
}

static void say_leak(struct strbuf *out, const struct part_leak *leak)
{
    size_t hidden = 0, count = (size_t)leak->samples * leak->tokens;
    for (size_t i = 0; i < count; i++)
        hidden += leak->cells[i] == LEAK_HIDDEN;
    strbuf_addf(out, _("  What moves the output of token %u of sample %u: "), leak->token, leak->sample);
    if (hidden == count) {
        strbuf_add(out, _("hidden.\n"));
        return;
    }
    strbuf_add(out, _("itself, always.\n"));
    if (!say_leaks(out, _("  It is moved by: "), leak, true))
        strbuf_add(out, _("  It is moved by nothing else.\n"));
    say_leaks(out, _("  Not moved by: "), leak, false);
}

void say_code(struct strbuf *out, const char *title, const char *text, uint32_t spoken)
{
    uint32_t number = 0;
    struct strbuf line = {0};
    if (*title) {
        strbuf_add(out, "  ");
        say_text(out, title);
        strbuf_add(out, ":\n");
    }
    for (const char *at = text; code_next(&at, &line);) {
        number++;
        strbuf_addf(out, "  %u%s: ", number, number == spoken ? _(" (here)") : "");
        visible_add(out, strbuf_string(&line), false);
        strbuf_add(out, "\n");
    }
    out->failed |= line.failed;
    strbuf_free(&line);
}

static void say_part(struct strbuf *out, const char *view, const struct part *part, bool all)
{
    size_t most = all ? SIZE_MAX : ROWS_MOST;
    switch (part->kind) {
    case PART_TABLE:
        say_table(out, view, &part->as.table, most);
        break;
    case PART_BARS:
        if (strcmp(view, "pipeline") != 0 && strcmp(view, "block") != 0) /* whose tables have said these numbers */
            say_bars(out, &part->as.bars, most);
        break;
    case PART_PLOT:
        say_plot(out, &part->as.plot);
        break;
    case PART_MAP:
        say_map(out, &part->as.map, most);
        break;
    case PART_STACK:
        say_stack(out, &part->as.stack, all);
        break;
    case PART_LEAK:
        say_leak(out, &part->as.leak);
        break;
    case PART_CODE:
        say_code(out, part->as.code.title, part->as.code.text, part->as.code.line);
        break;
    }
}

static void say_nested(struct strbuf *out, const struct view *view, bool all, int depth)
{
    if (depth > NESTING_MAX)
        return;
    const char *first = view->child_count ? view->children[0].alt : "";
    bool joined = *first && strncmp(view->alt, first, strlen(first)) == 0; /* the children say theirs */
    if (*view->alt && !joined) {
        strbuf_add(out, _("View: "));
        say_text(out, view->alt);
        strbuf_add(out, "\n");
    } else if (view->part_count) {
        strbuf_add(out, _("View:\n"));
    }
    for (size_t i = 0; i < view->part_count; i++)
        say_part(out, view->name, &view->parts[i], all);
    for (size_t i = 0; i < view->spoken_count; i++)
        say_part(out, view->name, &view->spoken[i], all);
    for (size_t i = 0; i < view->child_count; i++)
        say_nested(out, &view->children[i], all, depth + 1);
}

void say_view(struct strbuf *out, const struct view *view, bool all)
{
    say_nested(out, view, all, 0);
}
