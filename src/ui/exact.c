#include "ui/exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "ui/markdown.h"

enum {
    DIGITS_FLOAT = 9,
    DIGITS_DOUBLE = 17,
    EXACT_DIGITS = 1100, /* more than any double has, on either side of its point */
    EXACT_BYTES = 2 * EXACT_DIGITS
};

/* ---- digits ---- */

/* 1.500e-05 -> 1.5e-5 */
static void tidy(char *text)
{
    char *exponent = strchr(text, 'e'), tail[16] = "";
    if (exponent) {
        snprintf(tail, sizeof tail, "e%d", atoi(exponent + 1));
        *exponent = '\0';
    }
    if (strchr(text, '.')) {
        char *end = text + strlen(text);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            *--end = '\0';
    }
    strcat(text, tail);
}

/* With so many significant digits; large and small ones with an exponent. */
static void write_digits(char out[EXACT_BYTES], double value, int digits)
{
    int exponent = value == 0 ? 0 : (int)floor(log10(fabs(value)));
    if (exponent < -5 || exponent > 15)
        snprintf(out, EXACT_BYTES, "%.*e", digits - 1, value);
    else
        snprintf(out, EXACT_BYTES, "%.*f", digits - 1 - exponent > 0 ? digits - 1 - exponent : 0, value);
    tidy(out);
}

static void write_shortest(char out[EXACT_BYTES], double value, bool is_float)
{
    for (int digits = 1; digits <= (is_float ? DIGITS_FLOAT : DIGITS_DOUBLE); digits++) {
        write_digits(out, value, digits);
        if (is_float ? strtof(out, NULL) == (float)value : strtod(out, NULL) == value)
            return;
    }
}

void exact_number(struct strbuf *out, double value)
{
    char shortest[EXACT_BYTES], whole[EXACT_BYTES];
    if (!isfinite(value)) {
        strbuf_add(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    write_shortest(shortest, value, (double)(float)value == value);
    write_digits(whole, value, EXACT_DIGITS / 2);
    strbuf_add(out, shortest);
    if (strcmp(shortest, whole) != 0)
        strbuf_addf(out, _(", exactly %s"), whole);
}

/* ---- the numbers under the cursor ---- */

struct search {
    size_t left;        /* to be passed over */
    struct strbuf *out; /* NULL: they are only counted */
    size_t found;
};

static bool is_number(const struct cell *cell)
{
    return !(cell->flags & (CELL_HIDDEN | CELL_WORDS)) && *cell->text;
}

static void say(struct search *search, const struct cell *cell, const char *const labels[], size_t count)
{
    if (!is_number(cell))
        return;
    if (search->found++ != search->left || !search->out)
        return;
    bool some = false;
    for (size_t i = 0; i < count; i++) {
        if (!*labels[i])
            continue;
        strbuf_add(search->out, some ? ", " : "");
        markdown_plain(search->out, labels[i]);
        some = true;
    }
    strbuf_add(search->out, some ? ": " : "");
    exact_number(search->out, cell->value);
}

static void search_table(struct search *search, const struct part_table *table)
{
    size_t columns = table->head.count;
    for (size_t i = 0; i < columns * table->labels.count; i++)
        if (table->cells[i].flags & CELL_CURSOR)
            say(search, &table->cells[i], (const char *const[]){table->labels.item[i / columns], table->head.item[i % columns]}, 2);
}

static void search_bars(struct search *search, const struct part_bars *bars)
{
    for (size_t s = 0; s < bars->series_count; s++)
        for (size_t i = 0; i < bars->labels.count; i++)
            if (bars->series[s].cells[i].flags & CELL_CURSOR)
                say(search, &bars->series[s].cells[i], (const char *const[]){bars->labels.item[i], bars->series[s].label}, 2);
}

static void search_map(struct search *search, const struct part_map *map)
{
    size_t columns = map->columns.count, rows = map->rows.count;
    for (size_t i = 0; i < map->blocks.count * rows * columns; i++)
        if (map->cells[i].flags & CELL_CURSOR)
            say(search, &map->cells[i],
                (const char *const[]){map->title, map->blocks.item[i / columns / rows], map->rows.item[i / columns % rows],
                                      map->columns.item[i % columns]},
                4);
}

static void search_stack(struct search *search, const struct part_stack *stack)
{
    if (stack->cursor < 0)
        return;
    const struct stack_layer *layer = &stack->layers[stack->cursor];
    say(search, &layer->stream, (const char *const[]){_("stream")}, 1);
    say(search, &layer->update, (const char *const[]){_("update/stream")}, 1);
    say(search, &layer->kept, (const char *const[]){_("kept")}, 1);
    say(search, &layer->gradient, (const char *const[]){_("gradient")}, 1);
}

static void search_view(struct search *search, const struct view *view)
{
    for (size_t i = 0; i < view->part_count; i++) {
        const struct part *part = &view->parts[i];
        switch (part->kind) {
        case PART_TABLE: search_table(search, &part->as.table); break;
        case PART_BARS: search_bars(search, &part->as.bars); break;
        case PART_MAP: search_map(search, &part->as.map); break;
        case PART_STACK: search_stack(search, &part->as.stack); break;
        default: break;
        }
    }
    for (size_t i = 0; i < view->child_count; i++)
        search_view(search, &view->children[i]);
}

size_t exact_count(const struct view *view)
{
    struct search search = {0};
    if (view)
        search_view(&search, view);
    return search.found;
}

void exact_say(struct strbuf *out, const struct view *view, size_t n)
{
    struct search search = {.left = n, .out = out};
    search_view(&search, view);
}
