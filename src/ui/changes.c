#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ui/screen.h"

enum { NESTING_MAX = 16 };

/* Texts whose numbers are the same, to however many places they are written: "[5.0, 10.0]" is "[5, 10]". */
static bool same_numbers(const char *a, const char *b)
{
    while (*a || *b) {
        char *a_end, *b_end;
        bool number = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        if (number && strtod(a, &a_end) != strtod(b, &b_end))
            return false;
        if (!number && *a != *b)
            return false;
        a = number ? a_end : a + 1;
        b = number ? b_end : b + 1;
    }
    return true;
}

/* A number that was not there yet has not changed. */
static bool mark_cells(struct cell *now, const struct cell *before, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        bool same = !(now[i].flags & CELL_WORDS) && now[i].value == before[i].value;
        if (*before[i].text && !same && !same_numbers(now[i].text, before[i].text)) {
            now[i].flags |= CELL_CHANGED;
            any = true;
        }
    }
    return any;
}

static bool mark_bars(struct part_bars *now, const struct part_bars *before)
{
    if (now->labels.count != before->labels.count || now->series_count != before->series_count)
        return false;
    bool any = false;
    for (size_t i = 0; i < now->series_count; i++)
        any |= mark_cells(now->series[i].cells, before->series[i].cells, now->labels.count);
    return any;
}

static bool mark_table(struct part_table *now, const struct part_table *before)
{
    if (now->head.count != before->head.count || now->labels.count != before->labels.count)
        return false;
    return mark_cells(now->cells, before->cells, now->head.count * now->labels.count);
}

static bool mark_map(struct part_map *now, const struct part_map *before)
{
    if (now->blocks.count != before->blocks.count || now->rows.count != before->rows.count ||
        now->columns.count != before->columns.count)
        return false;
    return mark_cells(now->cells, before->cells, now->blocks.count * now->rows.count * now->columns.count);
}

static bool mark_stack(struct part_stack *now, const struct part_stack *before)
{
    if (now->layer_count != before->layer_count)
        return false;
    bool any = mark_cells(&now->start, &before->start, 1);
    any |= mark_cells(&now->end, &before->end, 1);
    any |= mark_cells(&now->start_gradient, &before->start_gradient, 1);
    any |= mark_cells(&now->end_gradient, &before->end_gradient, 1);
    for (size_t i = 0; i < now->layer_count; i++) {
        any |= mark_cells(&now->layers[i].stream, &before->layers[i].stream, 1);
        any |= mark_cells(&now->layers[i].update, &before->layers[i].update, 1);
        any |= mark_cells(&now->layers[i].kept, &before->layers[i].kept, 1);
        any |= mark_cells(&now->layers[i].gradient, &before->layers[i].gradient, 1);
    }
    return any;
}

static bool mark_part(struct part *now, const struct part *before)
{
    if (now->kind != before->kind)
        return false;
    switch (now->kind) {
    case PART_TABLE:
        return mark_table(&now->as.table, &before->as.table);
    case PART_BARS:
        return mark_bars(&now->as.bars, &before->as.bars);
    case PART_MAP:
        return mark_map(&now->as.map, &before->as.map);
    case PART_STACK:
        return mark_stack(&now->as.stack, &before->as.stack);
    case PART_PLOT:
    case PART_LEAK:
    case PART_CODE:
        break;
    }
    return false;
}

static bool mark_view(struct view *now, const struct view *before, int depth)
{
    if (depth > NESTING_MAX || now->part_count != before->part_count ||
        now->child_count != before->child_count)
        return false;
    bool any = false;
    for (size_t i = 0; i < now->part_count; i++)
        any |= mark_part(&now->parts[i], &before->parts[i]);
    for (size_t i = 0; i < now->child_count; i++)
        any |= mark_view(&now->children[i], &before->children[i], depth + 1);
    return any;
}

bool scene_mark_changes(struct scene *now, const struct scene *before)
{
    if (!now || !before || !now->step || !before->step || !now->step->view || !before->step->view)
        return false;
    if (strcmp(now->step->id, before->step->id) != 0)
        return false;
    return mark_view(now->step->view, before->step->view, 0);
}

static void clear_cells(struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cells[i].flags &= ~(uint32_t)CELL_CHANGED;
}

static void clear_stack(struct part_stack *stack)
{
    clear_cells(&stack->start, 1);
    clear_cells(&stack->end, 1);
    clear_cells(&stack->start_gradient, 1);
    clear_cells(&stack->end_gradient, 1);
    for (size_t i = 0; i < stack->layer_count; i++) {
        clear_cells(&stack->layers[i].stream, 1);
        clear_cells(&stack->layers[i].update, 1);
        clear_cells(&stack->layers[i].kept, 1);
        clear_cells(&stack->layers[i].gradient, 1);
    }
}

static void clear_part(struct part *part)
{
    switch (part->kind) {
    case PART_TABLE:
        clear_cells(part->as.table.cells, part->as.table.head.count * part->as.table.labels.count);
        break;
    case PART_BARS:
        for (size_t s = 0; s < part->as.bars.series_count; s++)
            clear_cells(part->as.bars.series[s].cells, part->as.bars.labels.count);
        break;
    case PART_MAP:
        clear_cells(part->as.map.cells,
                    part->as.map.blocks.count * part->as.map.rows.count * part->as.map.columns.count);
        break;
    case PART_STACK:
        clear_stack(&part->as.stack);
        break;
    case PART_PLOT:
    case PART_LEAK:
    case PART_CODE:
        break;
    }
}

static void clear_view(struct view *view, int depth)
{
    if (depth > NESTING_MAX)
        return;
    for (size_t i = 0; i < view->part_count; i++)
        clear_part(&view->parts[i]);
    for (size_t i = 0; i < view->child_count; i++)
        clear_view(&view->children[i], depth + 1);
}

void scene_clear_changes(struct scene *now)
{
    if (now && now->step && now->step->view)
        clear_view(now->step->view, 0);
}
