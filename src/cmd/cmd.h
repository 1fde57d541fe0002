/* The command line: a file a command. Only these print and decide exit statuses: 0; 1, something went wrong; 2, wrong usage. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "app/tutor.h"
#include "base/strbuf.h"

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

/* argv[0] is the command's name. */
int cmd_course(int argc, char **argv); /* no command: the course */
int cmd_play(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_notes(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_console(const struct tutor_options *options); /* eval without a file, on a terminal */
int cmd_help(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_pack(int argc, char **argv);
int cmd_install(int argc, char **argv);
int cmd_remove(int argc, char **argv);
int cmd_translate(int argc, char **argv);

/* Runs what argv asks for. */
int cmd_main(int argc, char **argv);

/* ---- shared by the commands ---- */

/* One line on standard error; returns the status. Control bytes in it become visible. */
__attribute__((format(printf, 2, 3))) int cmd_fail(int status, const char *format, ...);
/* What getopt_long complains of, in words; returns EXIT_USAGE. */
int cmd_bad_option(int answer, char **argv);
/* Everything reached standard output, or EXIT_WRONG with words. */
int cmd_flush(int status);
void cmd_print(const struct strbuf *text);
void cmd_print_words(const struct strbuf *text);              /* control bytes visible; ASCII where the terminal knows no more */
void cmd_add_short(struct strbuf *text, const char *words);   /* one line of them, cut where it grows long */
void cmd_add_json(struct strbuf *text, const char *words);      /* as a string of JSON, in its quotes */
void cmd_add_size(struct strbuf *text, size_t files, size_t bytes); /* "5 files, 12 KiB" */

bool cmd_number(const char *text, uint64_t *number); /* digits and nothing else */
/* Starts the tutor, or fails in words: returns the exit status, 0 when it stands. */
int cmd_open(struct tutor *tutor, const struct tutor_options *options);
/* Finds the lesson and learns its outline; the exit status, 0 when it can be played, or when it is there, with `broken`. */
int cmd_find(struct tutor *tutor, const char *name, bool broken, struct course **course, size_t *lesson);
/* Before the course goes: its progress stays its own when another author's course of that id comes. */
void cmd_keep_progress(const struct course *course);
/* Is there such a step? Unknown: words and EXIT_USAGE. */
int cmd_check_step(const struct course *course, size_t lesson, const char *step);


/* ---- questions ---- */

bool cmd_can_ask(void);         /* there is a terminal, at both ends */
void cmd_heed_signals(void);    /* from here on Ctrl-C and its like are only noted, ... */
bool cmd_stopped(void);         /* ... here; a question is then answered with no */
bool cmd_ask(const char *question); /* true: yes */

#endif
