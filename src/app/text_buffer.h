/* A program's text under the learner's hands: any bytes but NUL, read as UTF-8. Every change can be undone. */
#ifndef APP_TEXT_BUFFER_H
#define APP_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_BUFFER_MAX = 64 * 1024, TEXT_INDENT = 2 };

struct text_edit;

struct text_buffer {
    char *text;            /* ends in a NUL byte */
    size_t length, cursor; /* bytes; the cursor stands before a character with all that combines with it, or at a line's end */
    int goal;              /* the column that going up and down keeps; -1: where the cursor is */
    struct text_edit *edits;
    size_t edit_count, edit_capacity, done; /* the first `done` stand, the others are undone */
    size_t edit_bytes;
    int run; /* what the next key of its kind is joined to, so that a word is undone at once */
};

/* -1: longer than TEXT_BUFFER_MAX, or out of memory. */
int text_buffer_open(struct text_buffer *out, const char *text);
void text_buffer_close(struct text_buffer *buffer);

/* Each is one change. False: nothing changed, since there was nothing to do or it does not fit. */
bool text_buffer_type(struct text_buffer *buffer, uint32_t rune); /* control characters are not text */
bool text_buffer_enter(struct text_buffer *buffer);               /* the new line is indented as this one */
bool text_buffer_indent(struct text_buffer *buffer);
bool text_buffer_outdent(struct text_buffer *buffer);
bool text_buffer_insert(struct text_buffer *buffer, const char *text);
bool text_buffer_backspace(struct text_buffer *buffer); /* in an indentation: back to where the one before ends */
bool text_buffer_delete(struct text_buffer *buffer);
bool text_buffer_delete_word(struct text_buffer *buffer);    /* the one before the cursor */
bool text_buffer_delete_to_end(struct text_buffer *buffer);  /* of the line; at its end, the line break */
/* Another text altogether; the cursor stays in what is the same. */
bool text_buffer_become(struct text_buffer *buffer, const char *text);

bool text_buffer_undo(struct text_buffer *buffer);
bool text_buffer_redo(struct text_buffer *buffer);

enum text_move {
    MOVE_LEFT, MOVE_RIGHT, MOVE_WORD_LEFT, MOVE_WORD_RIGHT,
    MOVE_HOME /* to the first letter of the line, or from there to its start */, MOVE_END, MOVE_START, MOVE_FINISH /* of the text */
};
void text_buffer_move(struct text_buffer *buffer, enum text_move move);
void text_buffer_move_lines(struct text_buffer *buffer, long lines); /* down, or up */

#endif
