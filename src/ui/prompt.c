#include "ui/prompt.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/library.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "ui/tty.h"

#ifdef HAVE_EDIT
#include <dlfcn.h>
#include <histedit.h>
#else
typedef struct editline EditLine;
typedef struct history History;
#endif

enum { HISTORY = 500, CTRL_C = 3, CTRL_Z = 26, CTRL_BACKSLASH = 28, LINE_BYTES_MAX = 64 * 1024 };

struct prompt {
    EditLine *editor; /* NULL: there is none */
    History *history;
    const sigset_t *waiting;
    prompt_complete *complete;
    void *payload;
    const char *ask;
    enum prompt_end end; /* why nothing more can be read */
    struct sigaction window_before;
};

static struct termios terminal_before;
static volatile sig_atomic_t is_open, resized;

void prompt_restore_on_signal(void)
{
    if (is_open)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
}

static void on_resize(int number)
{
    (void)number;
    resized = 1;
}

/* True: there is something to read, if only the end. False: prompt->end says why not. */
static bool wait_for_input(struct prompt *prompt)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (ppoll(&input, 1, NULL, prompt->waiting) > 0)
        return true;
    prompt->end = PROMPT_SIGNAL;
    return resized && errno == EINTR;
}

/* ---- with libedit ---- */

#ifdef HAVE_EDIT

/* Loaded when it is needed, as libarchive is: the worker and most commands never do. */
#define FUNCTIONS(USE)                                                                                                        \
    USE(el_init) USE(el_end) USE(el_set) USE(el_get) USE(el_gets) USE(el_line) USE(el_push) USE(el_resize) USE(el_source) \
    USE(history_init) USE(history_end) USE(history)

#define POINTER(name) __typeof__(name) *name;
static struct {
    FUNCTIONS(POINTER)
} lib;

static bool load(void)
{
    static const char *const names[] = {"libedit.so.2", "libedit.so.0", "libedit.so", "libedit.3.dylib", "libedit.dylib"};
    static void *library;
    if (library)
        return true;
    library = library_open(names, sizeof names / sizeof names[0]);
#define FIND(name) &&library_find(library, #name, &lib.name)
    if (library && true FUNCTIONS(FIND))
        return true;
    if (library)
        dlclose(library);
    library = NULL;
    return false;
}

static struct prompt *prompt_of(EditLine *editor)
{
    struct prompt *prompt = NULL;
    lib.el_get(editor, EL_CLIENTDATA, &prompt);
    return prompt;
}

static char *ask(EditLine *editor)
{
    return (char *)prompt_of(editor)->ask;
}

static void suspend(EditLine *editor)
{
    lib.el_set(editor, EL_PREP_TERM, 0);
    raise(SIGTSTP);
    lib.el_set(editor, EL_PREP_TERM, 1);
    lib.el_set(editor, EL_REFRESH);
}

/* Tab. True: what is to be put in begins with *rune, the rest follows as if it were typed. (A function bound to the key by libedit's
   own means is never freed there.) */
static bool complete(EditLine *editor, wchar_t *rune)
{
    struct prompt *prompt = prompt_of(editor);
    const LineInfo *line = lib.el_line(editor);
    char *before = strndup(line->buffer, (size_t)(line->cursor - line->buffer)), *insert = NULL, *show = NULL;
    if (before)
        prompt->complete(prompt->payload, before, &insert, &show);
    bool inserted = insert && insert[0];
    if (inserted) {
        *rune = (wchar_t)(unsigned char)insert[0];
        lib.el_push(editor, insert + 1);
    } else if (show) {
        struct strbuf names = {0};
        visible_add(&names, show, false);
        printf("\n%s\n", strbuf_string(&names));
        fflush(stdout);
        strbuf_free(&names);
        lib.el_set(editor, EL_REFRESH);
    }
    free(before);
    free(insert);
    free(show);
    return inserted;
}

/* The next character, for the editor: 1; 0 at the end; -1 when the line is given up. */
static int read_rune(EditLine *editor, wchar_t *rune)
{
    struct prompt *prompt = prompt_of(editor);
    mbstate_t state = {0};
    for (char byte;;) {
        if (!wait_for_input(prompt))
            return -1;
        if (resized) {
            resized = 0;
            lib.el_resize(editor);
            continue;
        }
        if (read(STDIN_FILENO, &byte, 1) <= 0)
            return 0;
        if (byte == CTRL_C) {
            prompt->end = PROMPT_STOPPED;
            return -1;
        }
        if (byte == '\t' && complete(editor, rune))
            return 1;
        if (byte == CTRL_Z)
            suspend(editor);
        if (byte == '\t' || byte == CTRL_Z || byte == CTRL_BACKSLASH)
            continue;
        size_t length = mbrtowc(rune, &byte, 1, &state);
        if (length == (size_t)-2)
            continue;
        if (length == (size_t)-1)
            *rune = L'?';
        else if (*rune >= 0x80)
            *rune = (wchar_t)visible_rune((uint32_t)*rune);
        return 1;
    }
}

static void bind_keys(EditLine *editor)
{
    static const char *const keys[][2] = {{"^R", "em-inc-search-prev"}, {"\\e[3~", "ed-delete-next-char"},
                                          {"\\e[H", "ed-move-to-beg"}, {"\\e[F", "ed-move-to-end"}, {"\\e[1;5C", "em-next-word"},
                                          {"\\e[1;5D", "ed-prev-word"}, {"^W", "ed-delete-prev-word"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        lib.el_set(editor, EL_BIND, keys[i][0], keys[i][1], NULL);
}

static void open_editor(struct prompt *prompt)
{
    struct error unable;
    HistEvent event;
    if (!tty_possible(&unable) || !load() || !(prompt->editor = lib.el_init("normtutor", stdin, stdout, stderr)))
        return;
    EditLine *editor = prompt->editor;
    lib.el_set(editor, EL_CLIENTDATA, prompt);
    lib.el_set(editor, EL_PROMPT, ask);
    lib.el_set(editor, EL_EDITOR, "emacs");
    lib.el_set(editor, EL_GETCFN, read_rune);
    lib.el_set(editor, EL_SIGNAL, 0);
    lib.el_set(editor, EL_SETTY, "-d", "-isig", NULL);
    bind_keys(editor);
    prompt->history = lib.history_init();
    if (prompt->history) {
        lib.history(prompt->history, &event, H_SETSIZE, HISTORY);
        lib.history(prompt->history, &event, H_SETUNIQUE, 1);
        lib.el_set(editor, EL_HIST, lib.history, prompt->history);
    }
    lib.el_source(editor, NULL);
}

static void close_editor(struct prompt *prompt)
{
    if (prompt->history)
        lib.history_end(prompt->history);
    if (prompt->editor)
        lib.el_end(prompt->editor);
}

static char *edit_line(struct prompt *prompt)
{
    int length = 0;
    lib.el_set(prompt->editor, EL_PREP_TERM, 1); /* before what is asked is seen, and answered */
    const char *text = lib.el_gets(prompt->editor, &length);
    return text && length > 0 ? strndup(text, strcspn(text, "\r\n")) : NULL;
}

void prompt_remember(struct prompt *prompt, const char *line)
{
    HistEvent event;
    if (prompt->history && line[strspn(line, " \t")])
        lib.history(prompt->history, &event, H_ENTER, line);
}

#else

static void open_editor(struct prompt *prompt)
{
    (void)prompt;
}

static void close_editor(struct prompt *prompt)
{
    (void)prompt;
}

static char *edit_line(struct prompt *prompt)
{
    (void)prompt;
    return NULL;
}

void prompt_remember(struct prompt *prompt, const char *line)
{
    (void)prompt;
    (void)line;
}

#endif

/* ---- without ---- */

/* As the terminal gives it: a whole line at a time. */
static char *plain_line(struct prompt *prompt)
{
    struct strbuf line = {0};
    char piece[4096];
    printf("%s", prompt->ask);
    fflush(stdout);
    for (;;) {
        bool there = wait_for_input(prompt);
        if (there && resized) {
            resized = 0;
            continue;
        }
        ssize_t length = there ? read(STDIN_FILENO, piece, sizeof piece) : -1;
        if (length > 0)
            strbuf_addn(&line, piece, (size_t)length);
        if (there && length == 0)
            prompt->end = PROMPT_END;
        if (length <= 0 || line.length > LINE_BYTES_MAX || memchr(piece, '\n', (size_t)length))
            break;
    }
    char *text = line.length > 0 && !line.failed ? strndup(line.text, strcspn(line.text, "\r\n")) : NULL;
    strbuf_free(&line);
    return text;
}

/* ---- both ---- */

int prompt_open(struct prompt **out, const sigset_t *waiting, prompt_complete *completion, void *payload, struct error *err)
{
    struct prompt *prompt = calloc(1, sizeof *prompt);
    struct sigaction action = {.sa_handler = on_resize};
    if (!prompt)
        return error_set(err, "out of memory");
    if (tcgetattr(STDIN_FILENO, &terminal_before) != 0) {
        free(prompt);
        return error_set(err, "cannot read the terminal's settings: %s", strerror(errno));
    }
    prompt->waiting = waiting;
    prompt->complete = completion;
    prompt->payload = payload;
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, &prompt->window_before);
    is_open = 1;
    open_editor(prompt);
    *out = prompt;
    return 0;
}

void prompt_close(struct prompt *prompt)
{
    if (!prompt)
        return;
    close_editor(prompt);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_before);
    is_open = 0;
    sigaction(SIGWINCH, &prompt->window_before, NULL);
    free(prompt);
}

enum prompt_end prompt_read(struct prompt *prompt, const char *asked, char **line)
{
    prompt->ask = asked;
    prompt->end = PROMPT_END;
    *line = prompt->editor ? edit_line(prompt) : plain_line(prompt);
    return *line ? PROMPT_LINE : prompt->end;
}
