/* The scratchpad: lines that are computed with the step's facts, what came of them, and the names that complete a line. */
#ifndef APP_SCRATCHPAD_H
#define APP_SCRATCHPAD_H

#include "app/line.h"
#include "scene/scene.h"
#include "ui/screen.h"

struct scratchpad {
    bool open;
    struct line line;
    struct scratch_row *rows; /* what was typed and what came of it; their texts are the scratchpad's */
    size_t row_count, row_capacity;
    char **history; /* what was typed, over all steps */
    size_t history_count, at; /* at: the line of it that is shown; history_count: the new one */
    char *pending;  /* is being computed; NULL: nothing is */
    char *value;    /* the last result, as it may be typed as an answer; NULL: none */
    bool named;     /* the names of this step are known */
    char **names;
    size_t name_count;
    char *facts;    /* "x, eps", or NULL */
    int scroll;     /* SCROLL_AUTO: the end */
};

void scratchpad_leave(struct scratchpad *scratch); /* another step: what was typed stays in the history alone */
void scratchpad_free(struct scratchpad *scratch);

/* What request.scratch is now. */
const char *scratchpad_wanted(const struct scratchpad *scratch);
/* The reply to it, or words why none comes. */
void scratchpad_take(struct scratchpad *scratch, const struct scene_scratch *reply);
void scratchpad_failed(struct scratchpad *scratch, const char *words);

/* Types, goes through the history, completes. True: a line is to be computed. `pasted`: with KEY_PASTE_. */
bool scratchpad_key(struct scratchpad *scratch, struct key key, const char *pasted);

/* Borrows from the scratchpad. */
void scratchpad_screen(const struct scratchpad *scratch, bool answer, struct scratch_screen *out);

#endif
