#include "ui/scratchpad.h"

#include "base/language.h"
#include "ui/flow.h"

static void add_row(struct sheet *sheet, const struct scratch_row *row, int columns)
{
    static const enum style styles[] = {STYLE_STRONG, STYLE_PLAIN, STYLE_PLAIN, STYLE_DIM};
    int at = sheet_text(sheet, 2, columns, styles[row->sort], row->text);
    if (at >= sheet->rows)
        at = sheet_row(sheet);
    if (row->sort == SCRATCH_TYPED)
        sheet_put(sheet, 0, at, STYLE_DIM, "=");
    else if (row->sort == SCRATCH_TROUBLE)
        sheet_put(sheet, 0, at, STYLE_WRONG, "✗");
}

static void add_about(struct sheet *sheet, const struct scratch_screen *scratch, int columns)
{
    struct strbuf words = {0};
    sheet_text(sheet, 0, columns, STYLE_ACCENT, _("Scratchpad"));
    strbuf_addf(&words, _("At hand: %s%stensor, nn, sqrt, …"), scratch->facts, *scratch->facts ? ", " : "");
    sheet_text(sheet, 0, columns, STYLE_DIM, strbuf_string(&words));
    sheet->failed |= words.failed;
    strbuf_free(&words);
}

static bool lay_out(struct flow *flow, const struct scratch_screen *scratch, int columns, bool ascii)
{
    *flow = (struct flow){.field_at = 0};
    bool text = sheet_open(&flow->text, columns, ascii), field = sheet_open(&flow->field, columns, ascii);
    if (!text || !field)
        return false;
    add_about(&flow->text, scratch, columns);
    for (size_t i = 0; i < scratch->row_count; i++)
        add_row(&flow->text, &scratch->rows[i], columns);
    int row = sheet_row(&flow->field);
    sheet_put(&flow->field, 0, row, STYLE_ACCENT, scratch->computing ? "…" : "=");
    field_line(&flow->field, 2, row, columns, &scratch->line, true);
    flow->field_at = flow->follow_to = flow->text.rows;
    flow->follow_from = flow->text.rows - 1;
    return true;
}

int scratchpad_rows(const struct grid *grid, const struct scratch_screen *scratch, int columns)
{
    struct flow flow;
    int rows = lay_out(&flow, scratch, columns, grid->ascii) ? flow_rows(&flow) : 1;
    flow_close(&flow);
    return rows;
}

void scratchpad_draw(struct grid *grid, const struct scratch_screen *scratch, struct box box, struct drawn *drawn)
{
    struct flow flow;
    if (lay_out(&flow, scratch, box.columns, grid->ascii))
        flow_show(&flow, grid, box, scratch->scroll, drawn);
    flow_close(&flow);
}
