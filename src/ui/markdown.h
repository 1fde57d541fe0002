/* The Markdown of lessons on a sheet: paragraphs, emphasis, lists, tables, code. HTML is text, images are
 * their words. */
#ifndef UI_MARKDOWN_H
#define UI_MARKDOWN_H

#include "base/strbuf.h"
#include "ui/sheet.h"

/* Adds the words below what the sheet has, between two columns. Returns the first row. */
int markdown_add(struct sheet *sheet, int column, int limit, const char *words);
int markdown_broken(const char *words, int columns, bool ascii); /* what of them is wider than so many columns, as sheet.broken */
/* The same as plain lines, unwrapped; tables as "head: cell" lines. No newline at the end. */
void markdown_plain(struct strbuf *out, const char *words);

/* Markdown that can stand in another text, whatever the words begin, leave open or hold. Its lines but the first begin with `indent`;
   no newline at the end. False: what ends it is no paragraph, so that nothing can follow on its last line. */
bool markdown_write(struct strbuf *out, const char *words, const char *indent);
bool markdown_go_on(struct strbuf *out, const char *words, const char *indent); /* behind other words, in their line where it can */
void markdown_literal(struct strbuf *out, const char *text); /* the characters themselves, as one line */
void markdown_code(struct strbuf *out, const char *text);    /* between backticks */
void markdown_listing(struct strbuf *out, const char *text, const char *indent); /* lines of a program, between fences */

/* The character that an entity such as "&lt;" stands for; 0: not known. */
uint32_t markdown_entity(const char *text, size_t length);

#endif
