/* A line asked for on a terminal: with an editor, earlier lines and completion where libedit is there and the terminal can do it; as
   the terminal itself edits a line where not. */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include <signal.h>
#include "base/error.h"

struct prompt;

/* What Tab does after `before`: what is to be put in, ASCII, and what is to be shown. Both the caller's to free, NULL: nothing. */
typedef void prompt_complete(void *payload, const char *before, char **insert, char **show);

/* `waiting`: the mask of signals to wait with, borrowed. */
int prompt_open(struct prompt **out, const sigset_t *waiting, prompt_complete *complete, void *payload, struct error *err);
void prompt_close(struct prompt *prompt); /* NULL is allowed */

enum prompt_end {
    PROMPT_LINE,
    PROMPT_STOPPED, /* Ctrl-C: the line is given up */
    PROMPT_END,     /* Ctrl-D, or the terminal is gone */
    PROMPT_SIGNAL,  /* a signal came */
};
/* *line: without its end, the caller's to free; NULL unless PROMPT_LINE. The terminal is left as it was before. */
enum prompt_end prompt_read(struct prompt *prompt, const char *ask, char **line);
/* Among those that the arrows bring back. No control bytes. */
void prompt_remember(struct prompt *prompt, const char *line);

void prompt_restore_on_signal(void); /* async-signal-safe: the terminal as it was, for fatal signals */

#endif
