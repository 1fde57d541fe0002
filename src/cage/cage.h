/* The worker process as the tutor sees it: spawned, watched, killed, replaced. One request is in flight; a newer one replaces one
   not yet sent; a stale reply is dropped by its number. */
#ifndef CAGE_CAGE_H
#define CAGE_CAGE_H

#include <stdbool.h>

#include "base/error.h"
#include "scene/request.h"
#include "scene/scene.h"

struct cage;

struct cage_options {
    const char *program; /* what to spawn with the argument "engine"; NULL: this program (/proc/self/exe) */
    bool open;           /* --no-cage: the worker enters no seccomp filter */
    double cpu_seconds;  /* budget of a request, of the worker's CPU time; 0: 2 s */
    double wall_seconds; /* backstop; 0: 10 s */
};

int cage_open(struct cage **out, const struct cage_options *options, struct error *err); /* spawns */
void cage_close(struct cage *cage); /* kills and reaps; NULL is allowed */

/* Copies the request, descriptors too (and the number: the cage gives it and returns it), and sends it when the worker is free. */
uint64_t cage_send(struct cage *cage, const struct request *request);
void cage_cancel(struct cage *cage); /* gives up what is in flight or waiting; a busy worker is replaced. No event */
bool cage_busy(const struct cage *cage); /* something is in flight or waiting */

int cage_fd(const struct cage *cage);         /* to wait on for reading; changes when the worker is replaced; -1: none stands ready */
bool cage_wants_write(const struct cage *cage); /* wait for writing as well */
int cage_timeout_ms(const struct cage *cage); /* call cage_step after this long at the latest; -1: no need */

enum cage_event {
    CAGE_NOTHING,
    CAGE_SCENE,    /* *scene is a reply, the caller's to free; err may hold a notice that the worker was replaced on the way */
    CAGE_REPLACED, /* an idle worker was lost and replaced: err says so in one line; nothing else happened */
    CAGE_FAILED,   /* no reply will come: out of time, lost twice, too large to send, or no worker can be had; err says so in one
                      line. The next request is served all the same. (Out of memory, as everything that the worker itself can
                      tell, is a scene whose `error` names the lesson's line.) */
};

/* Moves things on without blocking. Call until CAGE_NOTHING. Only the newest request is answered: the reply to one that another
   has replaced is dropped. Time in which this is not called (a stopped tutor) counts as a second at most. */
enum cage_event cage_step(struct cage *cage, struct scene **scene, struct error *err);

/* Sends and waits: for commands that have no screen. 0 with a scene (err may hold a notice, as with CAGE_SCENE), or -1 with words. */
int cage_ask(struct cage *cage, const struct request *request, struct scene **scene, struct error *err);

/* One line for --version: what holds the worker here ("seccomp, resource limits", or what is missing). */
const char *cage_state(void);
bool cage_has_seccomp(void); /* compiled in, and the kernel has it */

#endif
