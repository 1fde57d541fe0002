/* Words once more as Markdown, but such as can stand in somebody else's text: what they open is closed, what could begin something
   by chance is escaped, headings are bold lines, HTML, images and links are their words. */
#include <stdio.h>
#include <string.h>

#include "base/visible.h"
#include "ui/markdown.h"
#include "ui/markdown_parse.h"

enum { DEPTH_MAX = 16, PREFIX_MAX = 128, NOTHING_YET = 1 };

struct list {
    bool tight;
    bool ordered;
    unsigned number; /* of an ordered list's next item */
    char mark;       /* '-', '*' or '+'; behind a number '.' or ')' */
    bool begun;
};

struct writer {
    struct strbuf *out;
    struct strbuf code; /* a listing, or what stands between backticks */
    char prefix[PREFIX_MAX];
    size_t prefix_length[DEPTH_MAX + 1];
    int blocks; /* how many prefixes there are */
    struct list lists[DEPTH_MAX];
    int depth;
    bool begun;     /* something is there: a new line begins with the prefix */
    bool follows;   /* what is there is a line of text: a paragraph goes on in it */
    bool paragraph; /* what has just ended is one, and within nothing */
    bool marked;    /* a mark ("- ", "> ") has just been written: what follows stands behind it */
    bool in_line;   /* text goes on where it is */
    bool at_start;  /* … and nothing of it has been written yet */
    bool numbering; /* … but digits */
    bool in_code, in_heading, in_table, in_head;
    bool row_begun;
    unsigned columns; /* of the table */
    uint32_t last;    /* the character before */
};

/* ---- lines ---- */

static size_t without_blanks(const char *prefix, size_t length)
{
    while (length > 0 && prefix[length - 1] == ' ')
        length--;
    return length;
}

static void drop(struct strbuf *out, size_t count)
{
    if (!out->failed && count > 0)
        out->text[out->length -= count] = '\0';
}

static void new_lines(struct writer *w, int count)
{
    size_t length = w->prefix_length[w->blocks];
    w->in_line = w->follows = false;
    if (w->begun && !w->marked) {
        for (int i = 1; i <= count; i++) {
            strbuf_add(w->out, "\n");
            strbuf_addn(w->out, w->prefix, i < count ? without_blanks(w->prefix, length) : length);
        }
    }
    w->begun = true;
    w->marked = false;
}

static void begin_line(struct writer *w, int lines)
{
    bool follows = w->follows;
    w->last = follows ? ' ' : 0;
    if (follows)
        strbuf_add(w->out, " ");
    else
        new_lines(w, lines);
    w->follows = false;
    w->in_line = true;
    w->at_start = w->numbering = !follows;
}

/* What follows, up to pop, is within: its further lines begin with this, too. */
static void push(struct writer *w, const char *more)
{
    size_t length = w->prefix_length[w->blocks], added = strlen(more);
    if (w->blocks == DEPTH_MAX || length + added > PREFIX_MAX) {
        w->out->failed = true;
        return;
    }
    memcpy(w->prefix + length, more, added);
    w->prefix_length[++w->blocks] = length + added;
}

static void pop(struct writer *w)
{
    if (w->blocks > 0)
        w->blocks--;
    w->marked = w->in_line = false;
}

/* ---- text ---- */

static bool is_letter(uint32_t rune)
{
    return rune >= 0x80 || (rune >= '0' && rune <= '9') || (rune >= 'A' && rune <= 'Z') || (rune >= 'a' && rune <= 'z');
}

static bool is_blank(uint32_t rune)
{
    return rune == 0 || rune == ' ';
}

/* Would this character mean something? `next`: what follows it; 0: not known. */
static bool has_meaning(const struct writer *w, uint32_t rune, uint32_t next)
{
    switch (rune) {
    case '\\':
    case '`':
    case '<':
    case '|':
    case '~': return true;
    case '*': return w->at_start || !(w->last == ' ' && next == ' ');
    case '_': return !is_letter(w->last) || !is_letter(next);
    case ']': return next == 0 || next == '(' || next == '[' || next == ':';
    case '&': return next == 0 || next == '#' || is_letter(next);
    case '#':
    case '>':
    case '=':
        return w->at_start;
    case '+': return w->at_start && is_blank(next);
    case '-': return w->at_start && (is_blank(next) || next == '-');
    case '[': return w->at_start && (is_blank(next) || next == 'x' || next == 'X');
    case '.':
    case ')':
        return w->numbering && !w->at_start && is_blank(next);
    default: return false;
    }
}

static void add_rune(struct writer *w, uint32_t rune, uint32_t next)
{
    char bytes[4];
    rune = visible_rune(rune == '\n' || rune == '\t' ? ' ' : rune);
    if (!w->in_line)
        begin_line(w, 2);
    if ((w->at_start || w->last == NOTHING_YET) && rune == ' ')
        return;
    if (has_meaning(w, rune, next))
        strbuf_add(w->out, "\\");
    strbuf_addn(w->out, bytes, utf8_encode(bytes, rune));
    w->at_start = false;
    w->numbering = w->numbering && rune >= '0' && rune <= '9';
    w->last = rune;
}

static void add_words(struct writer *w, const char *text, size_t length)
{
    while (length > 0) {
        uint32_t rune, next = 0;
        size_t took = utf8_decode(text, length, &rune);
        if (took < length)
            utf8_decode(text + took, length - took, &next);
        add_rune(w, rune, next == '\n' || next == '\t' ? ' ' : next);
        text += took;
        length -= took;
    }
}

/* A mark of Markdown's own. */
static void add_mark(struct writer *w, const char *mark)
{
    if (!w->in_line)
        begin_line(w, 2);
    strbuf_add(w->out, mark);
    w->at_start = w->numbering = false;
    w->last = '*';
}

/* ---- code ---- */

static size_t longest_run(const char *text)
{
    size_t longest = 0;
    for (; *text; text++) {
        size_t run = strspn(text, "`");
        longest = run > longest ? run : longest;
        text += run > 0 ? run - 1 : 0;
    }
    return longest;
}

static void add_fence(struct strbuf *out, size_t length)
{
    while (length-- > 0)
        strbuf_add(out, "`");
}

void markdown_code(struct strbuf *out, const char *text)
{
    struct strbuf line = {0};
    visible_add(&line, text, false);
    const char *shown = strbuf_string(&line);
    size_t fence = longest_run(shown) + 1;
    bool apart = line.length == 0 || shown[0] == '`' || shown[line.length - 1] == '`' || (shown[0] == ' ' && shown[line.length - 1] == ' ');
    add_fence(out, fence);
    strbuf_addf(out, "%s%s%s", apart ? " " : "", shown, apart ? " " : "");
    add_fence(out, fence);
    out->failed |= line.failed;
    strbuf_free(&line);
}

void markdown_listing(struct strbuf *out, const char *text, const char *indent)
{
    struct strbuf lines = {0};
    visible_add(&lines, text, true);
    const char *at = strbuf_string(&lines);
    size_t fence = longest_run(at) + 1, kept = without_blanks(indent, strlen(indent));
    add_fence(out, fence < 3 ? 3 : fence);
    while (*at) {
        size_t length = strcspn(at, "\n");
        strbuf_add(out, "\n");
        strbuf_addn(out, indent, length > 0 ? strlen(indent) : kept);
        strbuf_addn(out, at, length);
        at += length + (at[length] == '\n');
    }
    strbuf_addf(out, "\n%s", indent);
    add_fence(out, fence < 3 ? 3 : fence);
    out->failed |= lines.failed;
    strbuf_free(&lines);
}

static void add_code_span(struct writer *w)
{
    for (size_t i = 0; i < w->code.length; i++)
        if (w->code.text[i] == '\n' || w->code.text[i] == '\t')
            w->code.text[i] = ' ';
    if (w->in_table && strchr(strbuf_string(&w->code), '|')) { /* what ends a cell is read in two ways there */
        add_words(w, strbuf_string(&w->code), w->code.length);
        return;
    }
    add_mark(w, "");
    markdown_code(w->out, strbuf_string(&w->code));
}

static void add_listing(struct writer *w)
{
    char indent[PREFIX_MAX + 1];
    size_t length = w->prefix_length[w->blocks];
    memcpy(indent, w->prefix, length);
    indent[length] = '\0';
    new_lines(w, 2);
    markdown_listing(w->out, strbuf_string(&w->code), indent);
}

/* ---- blocks ---- */

static void begin_list(struct writer *w, struct list list)
{
    if (w->depth == DEPTH_MAX)
        w->out->failed = true;
    else
        w->lists[w->depth++] = list;
}

static void begin_item(struct writer *w)
{
    struct list *list = &w->lists[w->depth - 1];
    bool under = w->depth > 1 && w->lists[w->depth - 2].tight && !list->ordered; /* a list of numbers needs a line between */
    char mark[16], blanks[16];
    if (list->ordered)
        snprintf(mark, sizeof mark, "%u%c ", list->number++ % 1000000000, list->mark);
    else
        snprintf(mark, sizeof mark, "%c ", list->mark);
    new_lines(w, (list->begun ? list->tight : under) ? 1 : 2);
    list->begun = true;
    strbuf_add(w->out, mark);
    memset(blanks, ' ', strlen(mark));
    blanks[strlen(mark)] = '\0';
    push(w, blanks);
    w->marked = true;
}

static void end_head(struct writer *w)
{
    w->in_head = false;
    new_lines(w, 1);
    strbuf_add(w->out, "|");
    for (unsigned i = 0; i < w->columns; i++)
        strbuf_add(w->out, " --- |");
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    switch (type) {
    case MD_BLOCK_UL: {
        const MD_BLOCK_UL_DETAIL *list = detail;
        begin_list(w, (struct list){.tight = list->is_tight, .mark = list->mark});
        break;
    }
    case MD_BLOCK_OL: {
        const MD_BLOCK_OL_DETAIL *list = detail;
        begin_list(w, (struct list){.tight = list->is_tight, .ordered = true, .number = list->start, .mark = list->mark_delimiter});
        break;
    }
    case MD_BLOCK_LI:
        if (w->depth > 0)
            begin_item(w);
        break;
    case MD_BLOCK_QUOTE:
        new_lines(w, 2);
        strbuf_add(w->out, "> ");
        push(w, "> ");
        w->marked = true;
        break;
    case MD_BLOCK_P: begin_line(w, 2); break;
    case MD_BLOCK_H:
        begin_line(w, 2);
        add_mark(w, "**");
        w->in_heading = true;
        w->last = NOTHING_YET;
        break;
    case MD_BLOCK_HR:
        new_lines(w, 2);
        strbuf_add(w->out, "___");
        break;
    case MD_BLOCK_CODE:
        w->in_code = true;
        strbuf_clear(&w->code);
        break;
    case MD_BLOCK_TABLE:
        w->in_table = true;
        w->row_begun = false;
        w->columns = ((MD_BLOCK_TABLE_DETAIL *)detail)->col_count;
        break;
    case MD_BLOCK_TR:
        new_lines(w, w->row_begun ? 1 : 2);
        w->row_begun = true;
        strbuf_add(w->out, "|");
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        strbuf_add(w->out, " ");
        w->in_line = true;
        w->at_start = w->numbering = false;
        w->last = ' ';
        break;
    default: break;
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    (void)detail;
    switch (type) {
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        w->depth -= w->depth > 0;
        break;
    case MD_BLOCK_LI:
    case MD_BLOCK_QUOTE:
        pop(w);
        break;
    case MD_BLOCK_H:
        drop(w->out, w->out->length - without_blanks(strbuf_string(w->out), w->out->length));
        if (w->last == NOTHING_YET)
            drop(w->out, strlen("**")); /* an empty one: four stars would be a rule */
        else
            add_mark(w, "**");
        w->in_heading = false;
        break;
    case MD_BLOCK_CODE:
        w->in_code = false;
        add_listing(w);
        break;
    case MD_BLOCK_TABLE: w->in_table = false; break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        strbuf_add(w->out, " |");
        break;
    case MD_BLOCK_THEAD: end_head(w); break;
    default: break;
    }
    w->in_line = false;
    w->paragraph = (type == MD_BLOCK_P || type == MD_BLOCK_H || (type == MD_BLOCK_DOC && w->paragraph)) && w->blocks == 0;
    return 0;
}

/* A heading is bold already. */
static const char *emphasis(const struct writer *w, MD_SPANTYPE type)
{
    return w->in_heading ? "" : type == MD_SPAN_EM ? "*" : type == MD_SPAN_STRONG ? "**" : "";
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    (void)detail;
    if (*emphasis(w, type)) {
        add_mark(w, emphasis(w, type));
        w->last = NOTHING_YET;
    }
    if (type == MD_SPAN_CODE) {
        w->in_code = true;
        strbuf_clear(&w->code);
    }
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct writer *w = data;
    if (*emphasis(w, type)) {
        add_mark(w, emphasis(w, type));
    } else if (type == MD_SPAN_CODE) {
        w->in_code = false;
        add_code_span(w);
    } else if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *link = &((MD_SPAN_A_DETAIL *)detail)->href;
        add_words(w, " <", 2);
        add_words(w, link->text, link->size);
        add_words(w, ">", 1);
    }
    return 0;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
    struct writer *w = data;
    uint32_t rune = type == MD_TEXT_ENTITY ? markdown_entity(text, size) : 0;
    if (w->in_code) {
        strbuf_addn(&w->code, type == MD_TEXT_SOFTBR || type == MD_TEXT_BR ? "\n" : text, type == MD_TEXT_SOFTBR || type == MD_TEXT_BR ? 1 : size);
    } else if (type == MD_TEXT_NULLCHAR) {
        add_rune(w, 0xFFFD, 0);
    } else if (rune) {
        add_rune(w, rune, 0);
    } else if (type == MD_TEXT_BR && !w->in_table) {
        add_mark(w, "\\");
        begin_line(w, 1);
    } else if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) {
        add_rune(w, ' ', ' ');
    } else {
        add_words(w, text, size);
    }
    return 0;
}

static bool write(struct strbuf *out, const char *words, const char *indent, bool follows)
{
    struct strbuf text = {0};
    struct writer w = {.out = &text, .begun = follows, .follows = follows};
    const MD_PARSER callbacks = {
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = add_text,
    };
    size_t added = strlen(indent);
    bool too_deep = added > PREFIX_MAX;
    if (!too_deep) {
        memcpy(w.prefix, indent, added);
        w.prefix_length[0] = added;
        too_deep = !markdown_parse(words, callbacks, &w) || text.failed || w.code.failed;
    }
    if (too_deep) {
        w.paragraph = false;
        if (follows)
            strbuf_addf(out, "\n\n%s", indent);
        markdown_listing(out, words, indent);
    } else {
        strbuf_add(out, strbuf_string(&text));
    }
    strbuf_free(&text);
    strbuf_free(&w.code);
    return w.paragraph;
}

bool markdown_write(struct strbuf *out, const char *words, const char *indent)
{
    return write(out, words, indent, false);
}

bool markdown_go_on(struct strbuf *out, const char *words, const char *indent)
{
    return write(out, words, indent, true);
}

void markdown_literal(struct strbuf *out, const char *text)
{
    struct writer w = {.out = out, .begun = true, .in_line = true, .at_start = true, .numbering = true};
    add_words(&w, text, strlen(text));
}
