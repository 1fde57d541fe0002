/* The worker's side of the cage: called once, by the worker, before it reads its first request. */
#ifndef CAGE_ENTER_H
#define CAGE_ENTER_H

#include <stdbool.h>
#include "base/error.h"

/* Leaves the session (setsid), asks for a death signal, forbids core files, sets resource limits (address space and
   descriptors; builds with sanitizers skip the address space) and, unless `open`, loads the seccomp filter on all
   threads: EPERM by default, no executable memory, kill on exec, socket and ptrace. The worker's threads are made
   before, and so is whatever it reads from files. */
int cage_enter(bool open, struct error *err);

/* Before each request: moves the CPU backstop a little past the request's budget and, where there is no death signal,
   sets an alarm. 0 after it: no alarm, no last words. */
void cage_budget(double cpu_seconds);

/* A signal handler that is called, from the next cage_budget on, shortly before a budget is used up. */
int cage_last_words(void (*handler)(int signal), struct error *err);

#endif
