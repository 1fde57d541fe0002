/* What a view's stage is about, in words. */
#include <string.h>

#include "base/language.h"
#include "ui/plain_say.h"

static void say_table_stage(struct strbuf *out, const struct view *view, const struct part_table *table)
{
    size_t columns = table->head.count;
    for (size_t i = 0; i < table->labels.count * columns; i++) {
        bool below = i % columns == 0 && i / columns + 1 == table->labels.count; /* the mean of a pipeline, below x */
        if (!(table->cells[i].flags & CELL_STAGE))
            continue;
        say_text(out, below && strcmp(view->name, "pipeline") == 0 ? table->labels.item[i / columns] : table->head.item[i % columns]);
        return;
    }
}

static void say_stack_stage(struct strbuf *out, const struct part_stack *stack)
{
    for (size_t i = 0; i < stack->layer_count; i++) {
        bool forward = stack->layers[i].stream.flags & CELL_STAGE;
        if (!forward && !(stack->layers[i].gradient.flags & CELL_STAGE))
            continue;
        strbuf_addf(out, forward ? _("layer %zu") : _("the gradient at layer %zu"), i + 1);
        return;
    }
    if (stack->start_gradient.flags & CELL_STAGE)
        strbuf_add(out, _("the gradient before the first layer"));
    else if (stack->end_gradient.flags & CELL_STAGE)
        strbuf_add(out, _("the gradient at the end"));
}

void say_stage_name(struct strbuf *out, const struct view *view)
{
    for (size_t i = 0; i < view->part_count && !out->length; i++) {
        if (view->parts[i].kind == PART_TABLE)
            say_table_stage(out, view, &view->parts[i].as.table);
        else if (view->parts[i].kind == PART_STACK)
            say_stack_stage(out, &view->parts[i].as.stack);
    }
    for (size_t i = 0; i < view->child_count && !out->length; i++)
        say_stage_name(out, &view->children[i]);
}
