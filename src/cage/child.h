/* The worker as a process: spawned, measured, ended. Private to cage/. */
#ifndef CAGE_CHILD_H
#define CAGE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"
#include "cage/cage.h"

struct child {
    pid_t pid; /* 0: none */
    int fd;    /* our end of its socket; -1: none, or hung up */
    bool timed; /* the system lets us read its CPU time, by this clock: */
    clockid_t cpu;
};

/* Killed, not yet reaped: the kernel may need a moment, and the screen does not wait for it. */
struct graveyard {
    pid_t pids[16];
    size_t count;
};

enum child_end {
    CHILD_LOST,       /* crashed, was killed, gave up */
    CHILD_FINISHED,   /* exited with FRAME_LAST_WORDS */
    CHILD_OUT_OF_CPU, /* its own limit stopped it */
};

int child_spawn(struct child *out, const struct cage_options *options, struct error *err);
double child_cpu(const struct child *child); /* seconds since its birth; 0 when they cannot be read */

/* After its socket closed. It may take the kernel a moment to end the process: false until then. */
void child_hang_up(struct child *child);
bool child_ended(struct child *child, enum child_end *end, char *how, size_t size); /* how: "killed by signal 9" */
/* Kills it without asking. */
void child_kill(struct child *child, struct graveyard *graveyard);
void graveyard_sweep(struct graveyard *graveyard); /* reaps those that are gone */
void graveyard_wait(struct graveyard *graveyard);  /* reaps all */

#endif
