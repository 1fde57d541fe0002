#include "scene/wire_view.h"

enum { CELL_FLAGS = CELL_HIDDEN | CELL_CURSOR | CELL_EDITABLE | CELL_CHANGED | CELL_WORDS | CELL_STAGE |
                    CELL_SET | CELL_PASSES | CELL_FAILS };

static void carry_cell(struct wire *wire, struct cell *cell)
{
    struct wire_place up = wire_enter(wire, "cell", 3);
    wire_text(wire, "cell.text", &cell->text);
    wire_double(wire, "cell.value", &cell->value);
    wire_u32(wire, "cell.flags", &cell->flags, CELL_FLAGS);
    wire_leave(wire, "cell", up);
}

void wire_cells(struct wire *wire, const char *name, struct cell **cells, size_t expected)
{
    struct cell *items = *cells;
    size_t count = expected;
    WIRE_LIST(wire, name, items, count, carry_cell);
    if (wire->failed)
        return;
    if (count != expected)
        wire_fail(wire, "%s are %zu, not %zu", name, count, expected);
    else if (wire->reading)
        *cells = items;
}

static void carry_table(struct wire *wire, struct part_table *table)
{
    size_t cells = 0;
    wire_text(wire, "table.corner", &table->corner);
    wire_strings(wire, "table.head", &table->head);
    wire_strings(wire, "table.labels", &table->labels);
    if (__builtin_mul_overflow(table->head.count, table->labels.count, &cells))
        wire_fail(wire, "the table is too large");
    wire_cells(wire, "table.cells", &table->cells, cells);
    wire_row(wire, "table.cursor_row", &table->cursor_row, table->labels.count);
    wire_text_or_null(wire, "table.note", &table->note);
}

static void carry_bars(struct wire *wire, struct part_bars *bars)
{
    wire_text(wire, "bars.title", &bars->title);
    wire_strings(wire, "bars.labels", &bars->labels);
    struct wire_place up = wire_enter_list(wire, "bars.series", &bars->series_count);
    if (wire->reading)
        bars->series = bars->series_count ? wire_room(wire, bars->series_count, sizeof *bars->series) : NULL;
    for (size_t i = 0; !wire->failed && i < bars->series_count; i++) {
        struct bars_series *series = &bars->series[i];
        struct wire_place in = wire_enter(wire, "series", 3);
        wire_text(wire, "series.label", &series->label);
        wire_cells(wire, "series.cells", &series->cells, bars->labels.count);
        wire_double(wire, "series.reach", &series->reach);
        if (!wire->failed && !(series->reach > 0))
            wire_fail(wire, "series.reach is out of range");
        wire_leave(wire, "series", in);
    }
    wire_leave(wire, "bars.series", up);
    wire_row(wire, "bars.cursor_row", &bars->cursor_row, bars->labels.count);
}

static void carry_line(struct wire *wire, struct plot_line *line)
{
    struct wire_place up = wire_enter(wire, "line", 4);
    wire_text(wire, "line.label", &line->label);
    wire_floats(wire, "line.y", &line->y, &line->count);
    wire_bool(wire, "line.dotted", &line->dotted);
    wire_bool(wire, "line.hidden", &line->hidden);
    wire_leave(wire, "line", up);
}

static void carry_mark(struct wire *wire, struct plot_mark *mark)
{
    struct wire_place up = wire_enter(wire, "mark", 3);
    wire_text(wire, "mark.label", &mark->label);
    wire_double(wire, "mark.x", &mark->x);
    wire_double(wire, "mark.y", &mark->y);
    wire_leave(wire, "mark", up);
}

static void carry_plot(struct wire *wire, struct part_plot *plot)
{
    wire_text(wire, "plot.x_label", &plot->x_label);
    wire_text(wire, "plot.y_label", &plot->y_label);
    wire_double(wire, "plot.x_from", &plot->x_from);
    wire_double(wire, "plot.x_to", &plot->x_to);
    wire_double(wire, "plot.y_from", &plot->y_from);
    wire_double(wire, "plot.y_to", &plot->y_to);
    wire_text(wire, "plot.x_from_text", &plot->x_from_text);
    wire_text(wire, "plot.x_to_text", &plot->x_to_text);
    wire_text(wire, "plot.y_from_text", &plot->y_from_text);
    wire_text(wire, "plot.y_to_text", &plot->y_to_text);
    wire_bool(wire, "plot.x_log", &plot->x_log);
    WIRE_LIST(wire, "plot.lines", plot->lines, plot->line_count, carry_line);
    WIRE_LIST(wire, "plot.marks", plot->marks, plot->mark_count, carry_mark);
}

static void carry_map(struct wire *wire, struct part_map *map)
{
    size_t cells = 0;
    wire_text(wire, "map.title", &map->title);
    wire_strings(wire, "map.blocks", &map->blocks);
    wire_strings(wire, "map.rows", &map->rows);
    wire_strings(wire, "map.columns", &map->columns);
    if (__builtin_mul_overflow(map->blocks.count, map->rows.count, &cells) || __builtin_mul_overflow(cells, map->columns.count, &cells))
        wire_fail(wire, "the map is too large");
    else if (!wire->failed && cells == 0)
        wire_fail(wire, "the map is empty");
    wire_cells(wire, "map.cells", &map->cells, cells);
    wire_double(wire, "map.reach", &map->reach);
    if (!wire->failed && !(map->reach >= 0))
        wire_fail(wire, "map.reach is out of range");
}

static void carry_layer(struct wire *wire, struct stack_layer *layer)
{
    struct wire_place up = wire_enter(wire, "layer", 5);
    wire_bool(wire, "layer.off", &layer->off);
    carry_cell(wire, &layer->stream);
    carry_cell(wire, &layer->update);
    carry_cell(wire, &layer->kept);
    carry_cell(wire, &layer->gradient);
    wire_leave(wire, "layer", up);
}

static void carry_stack(struct wire *wire, struct part_stack *stack)
{
    wire_text(wire, "stack.order", &stack->order);
    carry_cell(wire, &stack->start);
    carry_cell(wire, &stack->start_gradient);
    WIRE_LIST(wire, "stack.layers", stack->layers, stack->layer_count, carry_layer);
    wire_bool(wire, "stack.final_norm", &stack->final_norm);
    carry_cell(wire, &stack->end);
    carry_cell(wire, &stack->end_gradient);
    wire_bool(wire, "stack.gradients", &stack->gradients);
    wire_row(wire, "stack.cursor", &stack->cursor, stack->layer_count);
}

static void carry_leak_cell(struct wire *wire, enum leak *cell)
{
    WIRE_ENUM(wire, "leak.cells", *cell, LEAK_MORE);
}

static void carry_leak(struct wire *wire, struct part_leak *leak)
{
    size_t count = 0;
    wire_u32(wire, "leak.samples", &leak->samples, UINT32_MAX);
    wire_u32(wire, "leak.tokens", &leak->tokens, UINT32_MAX);
    wire_u32(wire, "leak.sample", &leak->sample, leak->samples);
    wire_u32(wire, "leak.token", &leak->token, leak->tokens);
    if (!wire->failed && (leak->sample == 0 || leak->token == 0))
        wire_fail(wire, "leak.sample or leak.token is out of range");
    if (__builtin_mul_overflow((size_t)leak->samples, (size_t)leak->tokens, &count))
        wire_fail(wire, "the leak table is too large");
    size_t cells = count;
    WIRE_LIST(wire, "leak.cells", leak->cells, cells, carry_leak_cell);
    if (!wire->failed && cells != count)
        wire_fail(wire, "leak.cells are %zu, not %zu", cells, count);
}

static void carry_code(struct wire *wire, struct part_code *code)
{
    wire_text(wire, "code.title", &code->title);
    wire_text(wire, "code.text", &code->text);
    wire_u32(wire, "code.line", &code->line, UINT32_MAX);
}

static void carry_part(struct wire *wire, struct part *part)
{
    static const size_t fields[] = { [PART_TABLE] = 6, [PART_BARS] = 4, [PART_PLOT] = 13, [PART_MAP] = 6, [PART_STACK] = 9,
                                     [PART_LEAK] = 5, [PART_CODE] = 3 };
    struct wire_place up = wire_enter(wire, "part", 2);
    WIRE_ENUM(wire, "part.kind", part->kind, PART_CODE);
    if (wire->failed)
        return;
    struct wire_place in = wire_enter(wire, "part", fields[part->kind]);
    switch (part->kind) {
    case PART_TABLE: carry_table(wire, &part->as.table); break;
    case PART_BARS: carry_bars(wire, &part->as.bars); break;
    case PART_PLOT: carry_plot(wire, &part->as.plot); break;
    case PART_MAP: carry_map(wire, &part->as.map); break;
    case PART_STACK: carry_stack(wire, &part->as.stack); break;
    case PART_LEAK: carry_leak(wire, &part->as.leak); break;
    case PART_CODE: carry_code(wire, &part->as.code); break;
    }
    wire_leave(wire, "part", in);
    wire_leave(wire, "part", up);
}

void wire_view(struct wire *wire, struct view *view)
{
    if (++wire->view_depth > WIRE_VIEW_DEPTH)
        wire_fail(wire, "views are nested more than %d deep", WIRE_VIEW_DEPTH);
    struct wire_place up = wire_enter(wire, "view", 7);
    WIRE_ENUM(wire, "view.kind", view->kind, VIEW_COLUMN);
    wire_text(wire, "view.name", &view->name);
    wire_text(wire, "view.alt", &view->alt);
    WIRE_LIST(wire, "view.parts", view->parts, view->part_count, carry_part);
    WIRE_LIST(wire, "view.spoken", view->spoken, view->spoken_count, carry_part);
    WIRE_LIST(wire, "view.children", view->children, view->child_count, wire_view);
    wire_u32(wire, "view.stages", &view->stages, UINT32_MAX);
    wire_leave(wire, "view", up);
    wire->view_depth--;
}
