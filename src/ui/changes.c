#include <string.h>

#include "ui/screen.h"

enum { NESTING_MAX = 16 };

static bool mark_cells(struct cell *now, const struct cell *before, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(now[i].text, before[i].text) != 0) {
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

static bool mark_part(struct part *now, const struct part *before)
{
    if (now->kind != before->kind)
        return false;
    if (now->kind == PART_BARS)
        return mark_bars(&now->as.bars, &before->as.bars);
    if (now->kind != PART_TABLE)
        return false;
    struct part_table *table = &now->as.table;
    const struct part_table *old = &before->as.table;
    if (table->head.count != old->head.count || table->labels.count != old->labels.count)
        return false;
    return mark_cells(table->cells, old->cells, table->head.count * table->labels.count);
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

static void clear_view(struct view *view, int depth)
{
    if (depth > NESTING_MAX)
        return;
    for (size_t i = 0; i < view->part_count; i++) {
        struct part *part = &view->parts[i];
        if (part->kind == PART_TABLE)
            clear_cells(part->as.table.cells, part->as.table.head.count * part->as.table.labels.count);
        for (size_t s = 0; part->kind == PART_BARS && s < part->as.bars.series_count; s++)
            clear_cells(part->as.bars.series[s].cells, part->as.bars.labels.count);
    }
    for (size_t i = 0; i < view->child_count; i++)
        clear_view(&view->children[i], depth + 1);
}

void scene_clear_changes(struct scene *now)
{
    if (now && now->step && now->step->view)
        clear_view(now->step->view, 0);
}
