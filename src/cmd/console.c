/* normtutor eval on a terminal: Lua, line after line, in the worker. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/completion.h"
#include "app/console.h"
#include "app/signals.h"
#include "base/language.h"
#include "base/visible.h"
#include "cmd/cmd.h"
#include "ui/prompt.h"

struct talk {
    struct tutor *tutor;
    struct console console;
    struct prompt *prompt;
    sigset_t waiting;
};

static void show(const char *text)
{
    struct strbuf shown = {0};
    strbuf_add(&shown, text);
    cmd_print_words(&shown);
    strbuf_free(&shown);
}

static void say(const char *words)
{
    show(words);
    show("\n");
}

/* ---- asking the worker ---- */

enum asked { ASKED, ASKED_FAILED, ASKED_STOPPED };

/* Until the reply comes, or Ctrl-C, or another signal. `err` says why there is none. */
static enum asked ask(struct talk *talk, const struct request *request, struct scene **scene, struct error *err)
{
    if (tutor_cage(talk->tutor, err) != 0)
        return ASKED_FAILED;
    struct cage *cage = talk->tutor->cage;
    uint64_t number = cage_send(cage, request);
    for (;;) {
        switch (cage_step(cage, scene, err)) {
        case CAGE_SCENE:
            if ((*scene)->number == number)
                return ASKED;
            scene_free(*scene);
            break;
        case CAGE_FAILED: return ASKED_FAILED;
        case CAGE_REPLACED: break;
        case CAGE_NOTHING: {
            int timeout = cage_timeout_ms(cage);
            struct timespec most = {.tv_sec = timeout / 1000, .tv_nsec = (long)(timeout % 1000) * 1000000};
            struct pollfd wait = {.fd = cage_fd(cage), .events = (short)(POLLIN | (cage_wants_write(cage) ? POLLOUT : 0))};
            if (ppoll(&wait, 1, timeout < 0 ? NULL : &most, &talk->waiting) < 0 && errno == EINTR && signals_end()) {
                cage_cancel(cage);
                return ASKED_STOPPED;
            }
            break;
        }
        }
    }
}

/* A worker that has lost the lines runs them again, one by one, each with a time of its own. False: it was stopped. */
static bool warm_up(struct talk *talk)
{
    struct console *console = &talk->console;
    struct request request;
    struct scene *scene = NULL;
    struct error err = {0};
    bool stopped = false;
    for (size_t at = 0; console->cold && !stopped && console_again(console, at, &request);) {
        enum asked asked = ask(talk, &request, &scene, &err);
        bool kept = asked == ASKED && scene->typed == TYPED_KEPT;
        stopped = asked == ASKED_STOPPED;
        if (!kept && !stopped) {
            say(_("a line before could not be run again; what it left behind is gone:"));
            say(console->lines[at] + strspn(console->lines[at], "\n"));
            console_forget(console, at);
            at = 0;
        } else {
            at++;
        }
        if (asked == ASKED)
            scene_free(scene);
    }
    console->cold = console->cold && stopped;
    return !stopped;
}

/* ---- what a person types ---- */

static void complete(void *payload, const char *before, char **insert, char **show)
{
    struct talk *talk = payload;
    struct request request;
    struct scene *scene = NULL;
    struct error err = {0};
    struct completion found;
    if (before[strspn(before, " \t")] == '\0') {
        *insert = strdup("  ");
        return;
    }
    console_ask_names(&talk->console, &request);
    if (warm_up(talk) && ask(talk, &request, &scene, &err) == ASKED) {
        console_take_names(&talk->console, scene);
        scene_free(scene);
    }
    completion_find(&found, talk->console.names, talk->console.name_count, before);
    if (found.insert.length > 0)
        *insert = strdup(strbuf_string(&found.insert));
    else if (found.count > 1)
        *show = strdup(strbuf_string(&found.list));
    completion_free(&found);
}

/* True: the input goes on. */
static bool run(struct talk *talk, const char *line)
{
    struct console *console = &talk->console;
    struct request request;
    struct scene *scene = NULL;
    struct error err = {0};
    enum asked asked = ASKED_STOPPED;
    bool open = false;
    if (warm_up(talk)) {
        console_add(console, line, &request);
        asked = ask(talk, &request, &scene, &err);
    }
    if (asked == ASKED && scene->typed == TYPED_COLD) {
        scene_free(scene);
        console->cold = true;
        asked = ASKED_STOPPED;
        if (warm_up(talk)) {
            console_ask(console, &request);
            asked = ask(talk, &request, &scene, &err);
        }
    }
    if (asked == ASKED) {
        show(scene->output ? scene->output : "");
        if (scene->error)
            say(scene->error);
        open = console_take(console, scene);
        scene_free(scene);
    } else {
        if (asked == ASKED_STOPPED)
            show("\n"); /* after the terminal's own ^C */
        say(asked == ASKED_FAILED ? err.text : _("stopped"));
        console->cold = true;
        console_give_up(console);
    }
    return open;
}

/* A file may hold anything. */
static void remember(void *payload, const char *line)
{
    struct strbuf shown = {0};
    visible_add(&shown, line, false);
    prompt_remember(payload, strbuf_string(&shown));
    strbuf_free(&shown);
}

/* Until Ctrl-D or a signal to leave; the exit status. */
static int talk_on(struct talk *talk)
{
    bool open = false;
    char prompt[40], *line;
    say(_("Lua with tensor, nn and random; Ctrl-D leaves."));
    for (;;) {
        snprintf(prompt, sizeof prompt, "%zu%s ", talk->console.typed + 1, open ? "|" : ">");
        fflush(stdout);
        enum prompt_end end = prompt_read(talk->prompt, prompt, &line);
        if (end == PROMPT_LINE) {
            prompt_remember(talk->prompt, line);
            console_keep(&talk->console, line);
            open = line[strspn(line, " \t")] || open ? run(talk, line) : false;
            free(line);
        } else {
            say(end == PROMPT_STOPPED ? "^C" : "");
            console_give_up(&talk->console);
            open = false;
        }
        int signal = signals_end();
        if (signal == SIGINT)
            signals_go_on();
        else if (signal)
            return 128 + signal;
        if (end == PROMPT_END)
            return 0;
    }
}

int cmd_console(const struct tutor_options *options)
{
    struct tutor tutor;
    struct talk talk = {.tutor = &tutor};
    struct error err = {0};
    int status = cmd_open(&tutor, options);
    if (status != 0)
        return status;
    if (tutor_may_run(&tutor, NULL, &err) != 0) {
        tutor_close(&tutor);
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    }
    console_open(&talk.console);
    signals_take(&talk.waiting);
    if (prompt_open(&talk.prompt, &talk.waiting, complete, &talk, &err) == 0) {
        console_recall(&talk.console, remember, talk.prompt);
        status = talk_on(&talk);
        prompt_close(talk.prompt);
    } else {
        status = cmd_fail(EXIT_WRONG, "normtutor: %s", err.text);
    }
    signals_return();
    console_free(&talk.console);
    tutor_close(&tutor);
    return status;
}
