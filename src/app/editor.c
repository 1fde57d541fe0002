#include "app/editor.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/strbuf.h"

extern char **environ;

enum { ENDING_MS = 2000 /* an editor that was told to end is waited for that long */ };

/* ---- which ---- */

static bool is_on_path(const char *name)
{
    const char *at = getenv("PATH");
    bool found = false;
    while (at && *at && !found) {
        size_t length = strcspn(at, ":");
        char *folder = strndup(at, length), *path = folder && length > 0 ? path_join(folder, name) : NULL;
        found = path && access(path, X_OK) == 0;
        free(path);
        free(folder);
        at += length + (at[length] == ':');
    }
    return found;
}

static const char *find_editor(void)
{
    static const char *const variables[] = {"VISUAL", "EDITOR"}, *const usual[] = {"nano", "editor", "vi"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *named = getenv(variables[i]);
        if (named && named[strspn(named, " \t")])
            return named;
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (is_on_path(usual[i]))
            return usual[i];
    return NULL;
}

/* ---- the terminal goes to the editor and comes back ---- */

/* How this process stood before. */
struct before {
    sigset_t mask;
    struct sigaction interrupt, quit, child;
    struct termios modes;
    bool has_modes;
    pid_t group; /* of this process, which has the terminal; 0: it has none to give */
};

/* The editor, a job of its own. */
struct job {
    pid_t pid;
    pid_t group; /* 0: that of this process */
};

static sigset_t awaited(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

static void ignore(int number, struct sigaction *before)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
}

static void step_back(struct before *before)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t set = awaited();
    sigemptyset(&standard.sa_mask);
    sigaddset(&set, SIGTTOU); /* who is in the background may still say whose the terminal is */
    sigprocmask(SIG_BLOCK, &set, &before->mask);
    ignore(SIGINT, &before->interrupt);
    ignore(SIGQUIT, &before->quit);
    sigaction(SIGCHLD, &standard, &before->child);
    before->has_modes = tcgetattr(STDIN_FILENO, &before->modes) == 0;
    before->group = tcgetpgrp(STDIN_FILENO) == getpgrp() ? getpgrp() : 0;
}

static void step_forward(const struct before *before, int ended)
{
    if (before->has_modes)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before->modes);
    sigaction(SIGCHLD, &before->child, NULL);
    ignore(SIGINT, NULL); /* what has come meanwhile, blocked, is gone by this */
    ignore(SIGQUIT, NULL);
    sigaction(SIGQUIT, &before->quit, NULL);
    sigaction(SIGINT, &before->interrupt, NULL);
    if (ended)
        raise(ended);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* Only who has the terminal gives it: a tutor that goes on in the background has not. */
static void hand_over(pid_t from, pid_t to)
{
    if (from && to && tcgetpgrp(STDIN_FILENO) == from)
        tcsetpgrp(STDIN_FILENO, to);
}

static void tell(const struct job *job, int number)
{
    kill(job->group ? -job->group : job->pid, number);
}

/* The editor is stopped: then so is the tutor, for whoever started it to go on with. Where nobody could continue the tutor
   it does not stop, and the editor goes on. */
static void stop_too(const struct job *job, const struct before *before)
{
    struct sigaction standard = {.sa_handler = SIG_DFL}, kept;
    sigemptyset(&standard.sa_mask);
    hand_over(job->group, before->group);
    sigaction(SIGTSTP, &standard, &kept);
    kill(0, SIGTSTP); /* here until continued */
    sigaction(SIGTSTP, &kept, NULL);
    hand_over(before->group, job->group);
    tell(job, SIGCONT);
}

/* An editor may ask for the terminal before it has been given. */
static void go_on(const struct job *job, const struct before *before, int stopped_by)
{
    bool asks = stopped_by == SIGTTIN || stopped_by == SIGTTOU;
    if (!asks || (tcgetpgrp(STDIN_FILENO) != before->group && tcgetpgrp(STDIN_FILENO) != job->group)) {
        stop_too(job, before);
        return;
    }
    hand_over(before->group, job->group);
    tell(job, SIGCONT);
}

/* ---- running ---- */

static int set_attributes(posix_spawnattr_t *attributes, bool own_group)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (own_group)
        flags |= POSIX_SPAWN_SETPGROUP;
    int result = posix_spawnattr_setsigmask(attributes, &none);
    if (result == 0)
        result = posix_spawnattr_setsigdefault(attributes, &all);
    if (result == 0)
        result = posix_spawnattr_setpgroup(attributes, 0);
    return result == 0 ? posix_spawnattr_setflags(attributes, flags) : result;
}

static int spawn(struct job *job, const struct before *before, const char *command, const char *path)
{
    char *argv[] = {"sh", "-c", (char *)command, "sh", (char *)path, NULL};
    posix_spawnattr_t attributes;
    int result = posix_spawnattr_init(&attributes);
    if (result != 0)
        return result;
    result = set_attributes(&attributes, before->group != 0);
    if (result == 0)
        result = posix_spawn(&job->pid, "/bin/sh", NULL, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    job->group = before->group ? job->pid : 0;
    return result;
}

/* The status that waitpid gives; *ended: the signal that told this process to end, or 0. */
static int wait_for(const struct job *job, const struct before *before, int *ended)
{
    sigset_t set = awaited();
    int64_t patience = INT64_MAX;
    while (clock_ms() < patience) {
        int status;
        pid_t got = waitpid(job->pid, &status, WNOHANG | WUNTRACED);
        if (got == job->pid && WIFSTOPPED(status)) {
            go_on(job, before, WSTOPSIG(status));
            continue;
        }
        if (got == job->pid)
            return status;
        if (got < 0 && errno != EINTR)
            return 0;
        struct timespec second = {.tv_sec = 1};
        int number = sigtimedwait(&set, NULL, &second);
        if (number == SIGTERM || number == SIGHUP) {
            *ended = number;
            patience = clock_ms() + ENDING_MS;
            tell(job, number);
            tell(job, SIGCONT);
        }
    }
    return 0;
}

static int judge(const char *editor, int status, struct error *err)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (code == 126 || code == 127)
        return error_set(err, "The editor \"%.200s\" cannot be started; VISUAL or EDITOR names another", editor);
    if (code != 0)
        return error_set(err, "The editor \"%.200s\" ended with status %d", editor, code);
    if (WIFSIGNALED(status))
        return error_set(err, "The editor \"%.200s\" was ended by signal %d", editor, WTERMSIG(status));
    return 0;
}

int editor_run(const char *path, struct error *err)
{
    const char *editor = find_editor();
    if (!editor)
        return error_set(err, "Neither VISUAL nor EDITOR names an editor, and nano, editor and vi are not here");
    struct strbuf command = {0};
    strbuf_addf(&command, "%s \"$1\"", editor);
    if (command.failed) {
        strbuf_free(&command);
        return error_set(err, "Out of memory");
    }
    struct before before;
    struct job job;
    int ended = 0, status = 0;
    step_back(&before);
    int failure = spawn(&job, &before, command.text, path);
    if (failure == 0) {
        hand_over(before.group, job.group);
        status = wait_for(&job, &before, &ended);
        hand_over(job.group, before.group);
    }
    step_forward(&before, ended);
    strbuf_free(&command);
    if (failure != 0)
        return error_set(err, "No editor can be started: %s", strerror(failure));
    return judge(editor, status, err);
}
