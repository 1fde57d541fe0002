/* The terminal. The one file behind this header knows curses. */
#ifndef UI_TTY_H
#define UI_TTY_H

#include <stdbool.h>
#include <signal.h>
#include "base/error.h"
#include "ui/grid.h"
#include "ui/key.h"

struct tty;

/* Can this process have a full screen? (isatty on both ends, a terminal description that can move the cursor.) If not, `err` says why. */
bool tty_possible(struct error *err);
int tty_open(struct tty **out, struct error *err);
void tty_close(struct tty *tty);      /* restores the terminal; NULL is allowed */
void tty_restore_on_signal(void);     /* async-signal-safe: the terminal as it was, for fatal signals */
void tty_leave(struct tty *tty);      /* the terminal as it was, for another program, … */
void tty_return(struct tty *tty);     /* … and the screen again: what was typed on is gone, the next tty_show sends everything */
void tty_suspend(struct tty *tty);    /* Ctrl-Z: leaves the screen, stops the process, comes back */
void tty_redraw(struct tty *tty);     /* the next tty_show sends everything: what the terminal shows is not known any more */
void tty_size(struct tty *tty, int *columns, int *rows);
bool tty_unicode(void);               /* the locale's character set is UTF-8 */
int tty_fd(const struct tty *tty);
/* The next key that is already there; KEY_NONE_ when none is. Never blocks. */
struct key tty_read(struct tty *tty);
const char *tty_pasted(const struct tty *tty); /* with KEY_PASTE_; until the next key is read */
void tty_show(struct tty *tty, const struct grid *grid); /* sends the difference */
const char *tty_version(void); /* "ncurses 6.4.20221231" */

#endif
