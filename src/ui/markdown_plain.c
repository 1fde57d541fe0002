#include <string.h>

#include "base/visible.h"
#include "ui/markdown.h"
#include "ui/markdown_parse.h"

enum { NESTING_MAX = 16, TABLE_COLUMNS_MAX = 32 };

struct writer {
    struct strbuf *out;
    struct strbuf head[TABLE_COLUMNS_MAX]; /* what stands above a table's columns */
    size_t column;
    bool in_head, code_block, line_started;
    unsigned numbers[NESTING_MAX]; /* of an ordered list's next item; 0: not ordered */
    int depth;
};

static struct strbuf *target(struct writer *w)
{
    return w->in_head && w->column < TABLE_COLUMNS_MAX ? &w->head[w->column] : w->out;
}

static void end_line(struct writer *w)
{
    if (w->line_started)
        strbuf_add(w->out, "\n");
    w->line_started = false;
}

static void begin_item(struct writer *w)
{
    end_line(w);
    int level = w->depth > NESTING_MAX ? NESTING_MAX : w->depth;
    for (int i = 1; i < level; i++)
        strbuf_add(w->out, "  ");
    if (level > 0 && w->numbers[level - 1])
        strbuf_addf(w->out, "%u. ", w->numbers[level - 1]++);
    else
        strbuf_add(w->out, "- ");
}

static void begin_list(struct writer *w, unsigned first)
{
    end_line(w);
    if (w->depth < NESTING_MAX)
        w->numbers[w->depth] = first;
    w->depth++;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    if (type == MD_BLOCK_UL)
        begin_list(w, 0);
    else if (type == MD_BLOCK_OL)
        begin_list(w, ((MD_BLOCK_OL_DETAIL *)detail)->start ? ((MD_BLOCK_OL_DETAIL *)detail)->start : 1);
    else if (type == MD_BLOCK_LI)
        begin_item(w);
    else if (type == MD_BLOCK_TR)
        w->column = 0;
    else if (type == MD_BLOCK_THEAD)
        w->in_head = true;
    else if (type == MD_BLOCK_TD && w->column < TABLE_COLUMNS_MAX)
        strbuf_addf(w->out, "%s%s%s", w->column ? ", " : "", strbuf_string(&w->head[w->column]),
                    w->head[w->column].length ? " " : "");
    w->code_block |= type == MD_BLOCK_CODE;
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    (void)detail;
    struct writer *w = data;
    switch (type) {
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        w->depth--;
        break;
    case MD_BLOCK_THEAD:
        w->in_head = false;
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        w->column++;
        break;
    case MD_BLOCK_TABLE:
        for (size_t i = 0; i < TABLE_COLUMNS_MAX; i++)
            strbuf_clear(&w->head[i]);
        break;
    case MD_BLOCK_CODE:
        w->code_block = false;
        end_line(w);
        break;
    case MD_BLOCK_TR:
    case MD_BLOCK_P:
    case MD_BLOCK_H:
    case MD_BLOCK_LI:
        end_line(w);
        break;
    default:
        break;
    }
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    (void)type;
    (void)detail;
    (void)data;
    return 0;
}

static void say(struct writer *w, const char *text, size_t length)
{
    if (!w->in_head) {
        if (!w->line_started && w->code_block)
            strbuf_add(w->out, "    ");
        w->line_started = true;
    }
    strbuf_addn(target(w), text, length);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *link = &((MD_SPAN_A_DETAIL *)detail)->href;
        say(w, " <", 2);
        say(w, link->text, link->size);
        say(w, ">", 1);
    }
    return 0;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
    struct writer *w = data;
    char bytes[4];
    uint32_t rune = type == MD_TEXT_ENTITY ? markdown_entity(text, size) : 0;
    if (rune)
        say(w, bytes, utf8_encode(bytes, rune));
    else if (type == MD_TEXT_SOFTBR)
        say(w, " ", 1);
    else if (type == MD_TEXT_BR || (w->code_block && size == 1 && *text == '\n'))
        end_line(w);
    else
        say(w, text, size);
    return 0;
}

void markdown_plain(struct strbuf *out, const char *words)
{
    struct strbuf text = {0};
    struct writer w = {.out = &text};
    const MD_PARSER callbacks = {
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = add_text,
    };
    if (!markdown_parse(words, callbacks, &w))
        out->failed = true;
    while (text.length && text.text[text.length - 1] == '\n')
        text.text[--text.length] = '\0';
    out->failed |= text.failed;
    strbuf_add(out, strbuf_string(&text));
    strbuf_free(&text);
    for (size_t i = 0; i < TABLE_COLUMNS_MAX; i++) {
        out->failed |= w.head[i].failed;
        strbuf_free(&w.head[i]);
    }
}
