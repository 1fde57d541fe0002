#include "ui/markdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "ui/markdown_parse.h"

enum { NESTING_MAX = 16, TABLE_COLUMNS_MAX = 32 };

struct list {
    bool ordered;
    unsigned number;
};

struct table_row {
    struct glyphs cells[TABLE_COLUMNS_MAX];
    bool head;
};

struct writer {
    struct sheet *sheet;
    int column, limit, indent;
    struct glyphs words; /* the paragraph so far */
    int strong, emphasis, code, heading;
    bool code_block, quiet; /* quiet: no gap before the next block */
    struct list lists[NESTING_MAX];
    int depth, quotes;
    int indents[NESTING_MAX * 2], indent_count;
    char marker[16]; /* of the list item that begins */
    struct table_row *table;
    size_t table_rows, table_columns, table_column;
    MD_ALIGN align[TABLE_COLUMNS_MAX];
    bool in_table;
};

static bool ascii(const struct writer *w)
{
    return w->sheet->grid && w->sheet->grid->ascii;
}

static enum style style_now(const struct writer *w)
{
    if (w->code || w->code_block)
        return STYLE_CODE;
    if (w->heading)
        return STYLE_TITLE;
    if (w->strong)
        return STYLE_STRONG;
    return w->emphasis ? STYLE_EMPHASIS : STYLE_PLAIN;
}

static void say(struct writer *w, const char *text, size_t length)
{
    glyphs_add(&w->words, ascii(w), style_now(w), text, length);
}

static void say_break(struct writer *w)
{
    say(w, " ", 1);
    if (w->words.count)
        memcpy(w->words.item[w->words.count - 1].text, "\n", 2);
}

/* Marks the rows from `first` on: the list marker on the first, a bar on all within a quotation. */
static void mark_rows(struct writer *w, int first, int indent)
{
    if (w->sheet->failed)
        return;
    if (w->marker[0] && first < w->sheet->rows) {
        int width = sheet_width(w->sheet, w->marker);
        int column = w->column + indent - width - 1;
        sheet_put(w->sheet, column < 0 ? 0 : column, first, STYLE_ACCENT, w->marker);
        w->marker[0] = '\0';
    }
    for (int row = first; w->quotes && row < w->sheet->rows; row++)
        sheet_put(w->sheet, w->column, row, STYLE_RULE, "│");
}

static void begin_block(struct writer *w)
{
    if (!w->quiet)
        sheet_gap(w->sheet);
    w->quiet = false;
}

static void flush_words(struct writer *w)
{
    if (!w->words.count)
        return;
    begin_block(w);
    int indent = w->indent;
    if (w->column + indent > w->limit - 8)
        indent = 0;
    int first = sheet_glyphs(w->sheet, w->column + indent, w->limit, &w->words);
    mark_rows(w, first, indent);
    w->words.count = 0;
}

/* Code keeps its lines; one that is too long goes on after a mark. */
static void flush_code(struct writer *w)
{
    while (w->words.count && w->words.item[w->words.count - 1].text[0] == '\n')
        w->words.count--;
    if (!w->words.count)
        return;
    begin_block(w);
    int column = w->column + w->indent + 2;
    int width = w->limit - column - 2;
    if (width < 4) {
        column = w->column;
        width = w->limit - column;
    }
    bool more = false;
    for (size_t at = 0; at < w->words.count;) {
        struct glyphs line = {.item = w->words.item + at};
        int used = 0;
        while (at < w->words.count && w->words.item[at].text[0] != '\n' &&
               used + w->words.item[at].width <= width) {
            used += w->words.item[at++].width;
            line.count++;
        }
        int row = w->sheet->rows;
        if (line.count)
            sheet_glyphs(w->sheet, column, w->limit + 1, &line);
        else
            row = sheet_row(w->sheet);
        if (more)
            sheet_put(w->sheet, column - 2 < 0 ? 0 : column - 2, row, STYLE_DIM, "↪");
        mark_rows(w, row, w->indent);
        more = at < w->words.count && w->words.item[at].text[0] != '\n';
        w->sheet->broken += more;
        if (!more)
            at++;
        else if (!line.count)
            break;
    }
    w->words.count = 0;
}

/* ---- tables ---- */

static int glyphs_columns(const struct glyphs *glyphs)
{
    int width = 0;
    for (size_t i = 0; i < glyphs->count; i++)
        width += glyphs->item[i].width;
    return width;
}

static void fit_columns(const struct writer *w, int *width, int room)
{
    int total = 0;
    for (size_t c = 0; c < w->table_columns; c++) {
        for (size_t r = 0; r < w->table_rows; r++) {
            int columns = glyphs_columns(&w->table[r].cells[c]);
            width[c] = columns > width[c] ? columns : width[c];
        }
        total += width[c];
    }
    room -= 2 * ((int)w->table_columns - 1);
    while (total > room) {
        size_t widest = 0;
        for (size_t c = 1; c < w->table_columns; c++)
            widest = width[c] > width[widest] ? c : widest;
        if (width[widest] <= 1)
            return;
        width[widest]--;
        total--;
    }
}

static void write_table_row(struct writer *w, const struct table_row *line, const int *width)
{
    size_t at[TABLE_COLUMNS_MAX] = {0};
    bool more = true;
    while (more && !w->sheet->failed) {
        more = false;
        int row = sheet_row(w->sheet), column = w->column + w->indent;
        for (size_t c = 0; c < w->table_columns; c++) {
            const struct glyphs *cell = &line->cells[c];
            size_t shown = 0;
            if (at[c] < cell->count) {
                const struct glyph *item = cell->item + at[c];
                size_t next = glyphs_line(item, cell->count - at[c], width[c], &shown);
                w->sheet->broken += glyphs_broken(item, cell->count - at[c], next);
                at[c] += next;
                struct glyphs part = {.item = (struct glyph *)item, .count = shown};
                int spare = width[c] - glyphs_columns(&part), start = column;
                if (w->align[c] == MD_ALIGN_RIGHT)
                    start += spare;
                else if (w->align[c] == MD_ALIGN_CENTER)
                    start += spare / 2;
                for (size_t i = 0; i < shown; i++)
                    start = sheet_put(w->sheet, start, row, item[i].style, item[i].text);
                more |= at[c] < cell->count;
            }
            column += width[c] + 2;
        }
    }
}

static void flush_table(struct writer *w)
{
    if (w->table_rows && w->table_columns && !w->sheet->failed) {
        begin_block(w);
        int width[TABLE_COLUMNS_MAX] = {0};
        fit_columns(w, width, w->limit - w->column - w->indent);
        for (size_t r = 0; r < w->table_rows; r++) {
            write_table_row(w, &w->table[r], width);
            if (!w->table[r].head || (r + 1 < w->table_rows && w->table[r + 1].head))
                continue;
            int row = sheet_row(w->sheet), column = w->column + w->indent;
            for (size_t c = 0; c < w->table_columns; c++) {
                for (int i = 0; i < width[c]; i++)
                    sheet_put(w->sheet, column + i, row, STYLE_RULE, "─");
                column += width[c] + 2;
            }
        }
    }
    for (size_t r = 0; r < w->table_rows; r++) {
        for (size_t c = 0; c < TABLE_COLUMNS_MAX; c++)
            glyphs_free(&w->table[r].cells[c]);
    }
    free(w->table);
    w->table = NULL;
    w->table_rows = w->table_columns = 0;
}

static bool add_table_row(struct writer *w)
{
    struct table_row *rows = realloc(w->table, (w->table_rows + 1) * sizeof *rows);
    if (!rows) {
        w->sheet->failed = true;
        return false;
    }
    w->table = rows;
    w->table[w->table_rows++] = (struct table_row){0};
    w->table_column = 0;
    return true;
}

static void end_cell(struct writer *w, bool head)
{
    if (w->table_rows && w->table_column < TABLE_COLUMNS_MAX) {
        struct table_row *row = &w->table[w->table_rows - 1];
        row->cells[w->table_column++] = w->words;
        row->head = head;
        w->words = (struct glyphs){0};
        if (w->table_column > w->table_columns)
            w->table_columns = w->table_column;
    }
    w->words.count = 0;
}

/* ---- what md4c calls ---- */

static void push_indent(struct writer *w, int columns)
{
    if (w->indent_count < NESTING_MAX * 2) {
        w->indents[w->indent_count++] = columns;
        w->indent += columns;
    }
}

static void pop_indent(struct writer *w)
{
    if (w->indent_count)
        w->indent -= w->indents[--w->indent_count];
}

static void begin_list(struct writer *w, bool ordered, unsigned number)
{
    flush_words(w);
    w->quiet |= w->depth > 0;
    if (w->depth < NESTING_MAX)
        w->lists[w->depth] = (struct list){.ordered = ordered, .number = number};
    w->depth++;
}

static void begin_item(struct writer *w)
{
    struct list *list = &w->lists[w->depth <= NESTING_MAX ? w->depth - 1 : NESTING_MAX - 1];
    if (list->ordered)
        snprintf(w->marker, sizeof w->marker, "%u.", list->number++ % 100000);
    else
        snprintf(w->marker, sizeof w->marker, "•");
    push_indent(w, list->ordered ? sheet_width(w->sheet, w->marker) + 1 : 2);
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    switch (type) {
    case MD_BLOCK_QUOTE:
        flush_words(w);
        push_indent(w, 2);
        w->quotes++;
        break;
    case MD_BLOCK_UL:
        begin_list(w, false, 0);
        break;
    case MD_BLOCK_OL:
        begin_list(w, true, ((MD_BLOCK_OL_DETAIL *)detail)->start);
        break;
    case MD_BLOCK_LI:
        begin_item(w);
        break;
    case MD_BLOCK_HR:
        begin_block(w);
        for (int row = sheet_row(w->sheet), c = w->column; c < w->limit; c++)
            sheet_put(w->sheet, c, row, STYLE_RULE, "─");
        break;
    case MD_BLOCK_H:
        w->heading++;
        break;
    case MD_BLOCK_CODE:
        flush_words(w);
        w->code_block = true;
        break;
    case MD_BLOCK_TABLE:
        flush_words(w);
        break;
    case MD_BLOCK_TR:
        return add_table_row(w) ? 0 : -1;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        if (w->table_column < TABLE_COLUMNS_MAX)
            w->align[w->table_column] = ((MD_BLOCK_TD_DETAIL *)detail)->align;
        w->strong += type == MD_BLOCK_TH;
        break;
    default:
        break;
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    (void)detail;
    struct writer *w = data;
    switch (type) {
    case MD_BLOCK_QUOTE:
        flush_words(w);
        pop_indent(w);
        w->quotes--;
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        w->depth--;
        w->quiet = w->depth > 0;
        break;
    case MD_BLOCK_LI:
        flush_words(w);
        w->marker[0] = '\0';
        pop_indent(w);
        w->quiet = true;
        break;
    case MD_BLOCK_H:
    case MD_BLOCK_P:
        flush_words(w);
        w->heading -= type == MD_BLOCK_H;
        break;
    case MD_BLOCK_CODE:
        flush_code(w);
        w->code_block = false;
        break;
    case MD_BLOCK_TABLE:
        flush_table(w);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        end_cell(w, type == MD_BLOCK_TH);
        w->strong -= type == MD_BLOCK_TH;
        break;
    default:
        break;
    }
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    (void)detail;
    struct writer *w = data;
    w->strong += type == MD_SPAN_STRONG;
    w->emphasis += type == MD_SPAN_EM;
    w->code += type == MD_SPAN_CODE;
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    w->strong -= type == MD_SPAN_STRONG;
    w->emphasis -= type == MD_SPAN_EM;
    w->code -= type == MD_SPAN_CODE;
    if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *link = &((MD_SPAN_A_DETAIL *)detail)->href;
        glyphs_add(&w->words, ascii(w), STYLE_DIM, " <", 2);
        glyphs_add(&w->words, ascii(w), STYLE_DIM, link->text, link->size);
        glyphs_add(&w->words, ascii(w), STYLE_DIM, ">", 1);
    }
    return 0;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
    struct writer *w = data;
    char bytes[4];
    uint32_t rune;
    switch (type) {
    case MD_TEXT_NULLCHAR:
        say(w, "\xEF\xBF\xBD", 3);
        break;
    case MD_TEXT_BR:
        say_break(w);
        break;
    case MD_TEXT_SOFTBR:
        say(w, " ", 1);
        break;
    case MD_TEXT_ENTITY:
        rune = markdown_entity(text, size);
        if (rune)
            say(w, bytes, utf8_encode(bytes, rune));
        else
            say(w, text, size);
        break;
    case MD_TEXT_CODE:
        if (w->code_block && size == 1 && *text == '\n')
            say_break(w);
        else
            say(w, text, size);
        break;
    default:
        say(w, text, size);
    }
    return w->words.failed ? -1 : 0;
}

int markdown_add(struct sheet *sheet, int column, int limit, const char *words)
{
    struct writer w = {.sheet = sheet, .column = column, .limit = limit, .quiet = true};
    int first = sheet->rows;
    const MD_PARSER callbacks = {
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = add_text,
    };
    if (!sheet->failed && strlen(words) <= MARKDOWN_MAX && !markdown_parse(words, callbacks, &w))
        sheet->failed = true;
    w.table_columns = w.table_columns > TABLE_COLUMNS_MAX ? TABLE_COLUMNS_MAX : w.table_columns;
    w.sheet->failed |= w.words.failed;
    flush_table(&w);
    glyphs_free(&w.words);
    return first;
}

int markdown_broken(const char *words, int columns, bool with_ascii)
{
    struct sheet sheet;
    int broken = 0;
    if (sheet_open(&sheet, columns, with_ascii)) {
        markdown_add(&sheet, 0, columns, words);
        broken = sheet.broken;
    }
    sheet_close(&sheet);
    return broken;
}

uint32_t markdown_entity(const char *text, size_t length)
{
    static const struct {
        const char *name;
        uint32_t rune;
    } names[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                 {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", 0xA0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == length && memcmp(names[i].name, text, length) == 0)
            return names[i].rune;
    }
    if (length < 4 || length > 11 || text[1] != '#')
        return 0;
    char digits[12];
    bool hex = text[2] == 'x' || text[2] == 'X';
    size_t start = hex ? 3 : 2;
    memcpy(digits, text + start, length - start);
    digits[length - start] = '\0';
    unsigned long value = strtoul(digits, NULL, hex ? 16 : 10);
    return value > 0 && value <= 0x10FFFF ? (uint32_t)value : 0xFFFD;
}
