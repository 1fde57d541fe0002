#include "cage/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "base/language.h"
#include "cage/frame.h"

enum { WORKER_FD = 3 };

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
#define HAVE_CLOSEFROM 1
#else
#define HAVE_CLOSEFROM 0
#endif

/* This program's file; /proc may be missing in a bare chroot. */
static const char *own_program(void)
{
#ifdef __linux__
    const char *named = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    if (access("/proc/self/exe", X_OK) != 0 && named)
        return named;
#endif
    return "/proc/self/exe";
}

/* The worker's end becomes descriptor 3; the rest leads nowhere. */
static int arrange_files(posix_spawn_file_actions_t *actions, int socket)
{
    int rc = posix_spawn_file_actions_adddup2(actions, socket, WORKER_FD);
    for (int fd = 0; rc == 0 && fd < WORKER_FD; fd++)
        rc = posix_spawn_file_actions_addopen(actions, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
#if HAVE_CLOSEFROM
    if (rc == 0)
        rc = posix_spawn_file_actions_addclosefrom_np(actions, WORKER_FD + 1);
#endif
    return rc;
}

/* The tutor blocks and ignores signals; the worker is born without either, and outside its session. */
static int arrange_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef POSIX_SPAWN_SETSID
    flags |= POSIX_SPAWN_SETSID;
#endif
    int rc = posix_spawnattr_setsigmask(attributes, &none);
    if (rc == 0)
        rc = posix_spawnattr_setsigdefault(attributes, &all);
    if (rc == 0)
        rc = posix_spawnattr_setflags(attributes, flags);
    return rc;
}

static int spawn(pid_t *pid, int socket, const struct cage_options *options)
{
    char parent[24], budget[24];
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    snprintf(budget, sizeof budget, "%.0f", options->cpu_seconds * 1000);
    char *argv[] = { "normtutor", "engine", parent, options->open ? "open" : "caged", budget, (char *)language_spoken(), NULL };
    char *environment[] = { "MALLOC_ARENA_MAX=1", NULL };
    const char *program = options->program ? options->program : own_program();

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc != 0)
        return rc;
    rc = posix_spawnattr_init(&attributes);
    if (rc == 0) {
        rc = arrange_files(&actions, socket);
        if (rc == 0)
            rc = arrange_signals(&attributes);
        if (rc == 0)
            rc = posix_spawn(pid, program, &actions, &attributes, argv, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

int child_spawn(struct child *out, const struct cage_options *options, struct error *err)
{
    int ends[2];
    *out = (struct child){ .fd = -1 };
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return error_set(err, "no socket: %s", strerror(errno));
    int rc = spawn(&out->pid, ends[1], options);
    close(ends[1]);
    if (rc != 0) {
        close(ends[0]);
        out->pid = 0;
        return error_set(err, "%s", strerror(rc));
    }
    out->fd = ends[0];
    out->timed = clock_getcpuclockid(out->pid, &out->cpu) == 0;
    return 0;
}

double child_cpu(const struct child *child)
{
    struct timespec used;
    if (!child->timed || clock_gettime(child->cpu, &used) < 0)
        return 0;
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

void child_hang_up(struct child *child)
{
    if (child->fd >= 0)
        close(child->fd);
    child->fd = -1;
}

static void drop(struct child *child)
{
    child_hang_up(child);
    *child = (struct child){ .fd = -1 };
}

static bool reap(pid_t pid, int *status, int flags)
{
    pid_t got;
    do
        got = waitpid(pid, status, flags);
    while (got < 0 && errno == EINTR);
    return got != 0; /* ECHILD too: somebody else has reaped it */
}

bool child_ended(struct child *child, enum child_end *end, char *how, size_t size)
{
    int status = 0;
    if (!reap(child->pid, &status, WNOHANG))
        return false;
    drop(child);
    *end = CHILD_LOST;
    if (WIFSIGNALED(status)) {
        snprintf(how, size, _("killed by signal %d"), WTERMSIG(status));
        if (WTERMSIG(status) == SIGXCPU)
            *end = CHILD_OUT_OF_CPU;
    } else {
        snprintf(how, size, _("it exited with status %d"), WEXITSTATUS(status));
        if (WEXITSTATUS(status) == FRAME_LAST_WORDS)
            *end = CHILD_FINISHED;
    }
    return true;
}

void child_kill(struct child *child, struct graveyard *graveyard)
{
    const size_t room = sizeof graveyard->pids / sizeof graveyard->pids[0];
    if (child->pid <= 0)
        return;
    kill(child->pid, SIGKILL);
    graveyard_sweep(graveyard);
    if (graveyard->count == room)
        graveyard_wait(graveyard);
    graveyard->pids[graveyard->count++] = child->pid;
    drop(child);
}

static void sweep(struct graveyard *graveyard, int flags)
{
    size_t kept = 0;
    for (size_t i = 0; i < graveyard->count; i++) {
        int status;
        if (!reap(graveyard->pids[i], &status, flags))
            graveyard->pids[kept++] = graveyard->pids[i];
    }
    graveyard->count = kept;
}

void graveyard_sweep(struct graveyard *graveyard)
{
    sweep(graveyard, WNOHANG);
}

void graveyard_wait(struct graveyard *graveyard)
{
    sweep(graveyard, 0);
}
