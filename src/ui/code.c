#include <stdio.h>
#include <string.h>

#include "ui/code.h"
#include "base/language.h"
#include "ui/view.h"

enum { TAB = 4 };

bool code_next(const char **at, struct strbuf *line)
{
    strbuf_clear(line);
    if (!**at)
        return false;
    for (int column = 0; **at && **at != '\n'; ++*at) {
        if (**at == '\t') {
            do
                strbuf_add(line, " ");
            while (++column % TAB);
        } else if (**at != '\r') {
            strbuf_addn(line, *at, 1);
            column += ((unsigned char)**at & 0xC0) != 0x80;
        }
    }
    *at += **at == '\n';
    return true;
}

int code_lines(const char *text)
{
    int lines = 0;
    while (*text && lines < 100000) {
        text += strcspn(text, "\n");
        text += *text == '\n';
        lines++;
    }
    return lines;
}

int code_margin(const char *text)
{
    char number[16];
    return CODE_MARK_COLUMNS + snprintf(number, sizeof number, "%d", code_lines(text)) + 2;
}

struct extent code_extent(const struct part_code *code)
{
    int lines = code_lines(code->text), whole = (lines < 1000 ? lines : 1000) + (*code->title != '\0');
    int least = whole < 4 ? whole : 4;
    return (struct extent){.least = least, .all = least, .want = whole, .most = whole};
}

int code_columns(const struct grid *grid, const struct part_code *code)
{
    struct strbuf line = {0};
    int widest = grid_width(grid, code->title);
    for (const char *at = code->text; code_next(&at, &line);)
        widest = larger(widest, code_margin(code->text) + grid_width(grid, strbuf_string(&line)));
    strbuf_free(&line);
    return widest + 1;
}

void code_draw(struct grid *grid, const struct part_code *code, struct box box)
{
    if (box.columns < 8 || box.rows < 1)
        return;
    int row = box.row, right = box.column + box.columns, lines = code_lines(code->text), first, shown,
        number = 0;
    int spoken = code->line <= (uint32_t)lines ? (int)code->line : 0, margin = code_margin(code->text);
    if (*code->title && box.rows > 2)
        grid_put_fit(grid, box.column + CODE_MARK_COLUMNS, row++, right, STYLE_DIM, code->title);
    cell_window(lines, box.row + box.rows - row, spoken - 1, &first, &shown);
    struct strbuf line = {0};
    for (const char *at = code->text; number < first + shown && code_next(&at, &line);) {
        if (++number <= first)
            continue;
        bool here = number == spoken;
        char text[16];
        snprintf(text, sizeof text, "%d", number);
        if (here)
            grid_put(grid, box.column, row, right, STYLE_WRONG, ">");
        grid_put(grid, box.column + margin - 2 - grid_width(grid, text), row, right,
                 here ? STYLE_WRONG : STYLE_DIM, text);
        grid_put_fit(grid, box.column + margin, row++, right, here ? STYLE_STRONG : STYLE_CODE,
                     strbuf_string(&line));
    }
    strbuf_free(&line);
    if (shown < lines && row < box.row + box.rows) {
        char mark[48];
        snprintf(mark, sizeof mark, _("… %d more"), lines - shown);
        grid_put_fit(grid, box.column + CODE_MARK_COLUMNS, row, right, STYLE_DIM, mark);
    }
}
