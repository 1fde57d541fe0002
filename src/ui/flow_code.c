#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "ui/code.h"
#include "ui/flow.h"
#include "ui/pane.h"

static bool is_given(const struct scene_question *question)
{
    return question->final && question->verdict != VERDICT_RIGHT;
}

/* One line of the program; what is too long goes on after a mark. */
static void add_line(struct sheet *sheet, int margin, int columns, int number, bool spoken, const char *line)
{
    struct glyphs glyphs = {0};
    char name[16];
    snprintf(name, sizeof name, "%d", number);
    glyphs_add(&glyphs, sheet->grid->ascii, spoken ? STYLE_STRONG : STYLE_CODE, line, strlen(line));
    sheet->failed |= glyphs.failed;
    for (size_t at = 0, part = 0; part == 0 || at < glyphs.count; part++) {
        int row = sheet_row(sheet), column = margin;
        if (sheet->failed)
            break;
        while (at < glyphs.count && column + glyphs.item[at].width <= columns) {
            column = sheet_put(sheet, column, row, glyphs.item[at].style, glyphs.item[at].text);
            at++;
        }
        if (column == margin && at < glyphs.count)
            break;
        if (spoken && part == 0)
            sheet_put(sheet, 0, row, STYLE_WRONG, ">");
        if (part == 0)
            sheet_put(sheet, margin - 2 - sheet_width(sheet, name), row, spoken ? STYLE_WRONG : STYLE_DIM,
                      name);
        else
            sheet_put(sheet, margin - 3, row, STYLE_DIM, "↪");
    }
    glyphs_free(&glyphs);
}

static void add_listing(struct sheet *sheet, const char *text, uint32_t spoken, int columns)
{
    int margin = code_margin(text), number = 0;
    struct strbuf line = {0};
    for (const char *at = text; !sheet->failed && code_next(&at, &line);) {
        number++;
        add_line(sheet, margin, columns, number, (uint32_t)number == spoken, strbuf_string(&line));
    }
    sheet->failed |= line.failed;
    strbuf_free(&line);
}

static void add_place(struct sheet *sheet, const struct lesson_screen *screen, int columns)
{
    const char *name = _("Your file: ");
    if (!*screen->code_path) {
        sheet_text(sheet, 0, columns, STYLE_NOTICE,
                   _("No file can be written here, so the program can be read on this page alone."));
        return;
    }
    int indent = sheet_width(sheet, name);
    bool beside = indent + sheet_width(sheet, screen->code_path) <= columns;
    int row = beside ? sheet_row(sheet) : sheet_text(sheet, 0, columns, STYLE_DIM, name);
    if (beside && !sheet->failed)
        sheet_put(sheet, sheet_put(sheet, 0, row, STYLE_DIM, name), row, STYLE_STRONG, screen->code_path);
    else
        sheet_text(sheet, 2, columns, STYLE_STRONG, screen->code_path);
    if (!screen->scene->step->question->final)
        sheet_text(
            sheet, 0, columns, STYLE_DIM,
            screen->pane ? _("Press i to change it here, e to open it in your editor, or open it in another window; the probes run "
                           "when you save.")
                         : _("Press e to open it in your editor, or open it in another window; the probes run when you save."));
}

void flow_code_add(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    struct sheet *sheet = &flow->text;
    if (!question->code || sheet->failed)
        return;
    sheet_gap(sheet);
    if (screen->code_path) {
        add_place(sheet, screen, columns);
        sheet_gap(sheet);
    }
    if (is_given(question))
        sheet_text(sheet, 0, columns, STYLE_STRONG, _("One that does it right:"));
    else if (!screen->code_path || !*screen->code_path)
        sheet_text(sheet, CODE_MARK_COLUMNS, columns, STYLE_DIM, question->code->name);
    const char *probed = question->code->text, *text = screen->pane && !is_given(question) ? screen->pane->text : probed;
    add_listing(sheet, text, pane_line_now(probed, text, question->code->error_line), columns);
}
