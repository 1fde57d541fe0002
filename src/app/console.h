/* The console of `eval`: what was typed and is still in force, for a worker that may be lost at any time. */
#ifndef APP_CONSOLE_H
#define APP_CONSOLE_H

#include <stdbool.h>

#include "app/tutor.h"
#include "base/strbuf.h"

struct console {
    char **lines; /* those that left something behind; each begins with as many newlines as lines stood before it */
    size_t line_count, line_capacity;
    struct strbuf input; /* what was typed of one that is not complete */
    size_t typed;        /* lines, over all */
    bool cold;           /* the worker may know nothing of the lines */
    char **names;        /* that may be typed, once asked for */
    size_t name_count;
    char *history;       /* the file of earlier sessions, or NULL */
};

void console_open(struct console *console);
void console_free(struct console *console);

/* One more line of the input; `request` is then what is to be asked, borrowed from the console. */
void console_add(struct console *console, const char *line, struct request *request);
void console_ask(const struct console *console, struct request *request); /* the same again */
void console_give_up(struct console *console); /* of the input, and what it was to do */
/* The reply, unless it is TYPED_COLD. True: the input goes on. */
bool console_take(struct console *console, const struct scene *scene);

/* The next line to be run again by a worker that has lost them, from *at on; false: none. */
bool console_again(const struct console *console, size_t at, struct request *request);
void console_forget(struct console *console, size_t at); /* it could not be run again */

void console_ask_names(const struct console *console, struct request *request);
void console_take_names(struct console *console, const struct scene *scene);

/* Earlier sessions, the oldest first; and what is kept for later ones. */
void console_recall(const struct console *console, void (*each)(void *payload, const char *line), void *payload);
void console_keep(const struct console *console, const char *line);

#endif
