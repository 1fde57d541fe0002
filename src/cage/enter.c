#include "cage/enter.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cage/cage.h"
#include "cage/filter.h"

enum {
    DESCRIPTORS = 64,
    MEMORY_MIB = 512, /* address space beyond what stands at the start; the engine counts its own, tighter */
    ALARM_FACTOR = 5 /* wall seconds for each second of CPU, where there is no death signal */
};
static const double LAST_WORDS_SHARE = 0.9; /* of the budget */
static void (*last_words)(int signal);
static double last_words_at; /* CPU time */

static int limit(unsigned resource, rlim_t most, const char *what, struct error *err)
{
    struct rlimit now;
    if (getrlimit(resource, &now) < 0)
        return error_set(err, "the limit of %s: %s", what, strerror(errno));
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most)
        most = now.rlim_max;
    now.rlim_cur = now.rlim_max = most;
    if (setrlimit(resource, &now) < 0)
        return error_set(err, "the limit of %s: %s", what, strerror(errno));
    return 0;
}

/* Bytes of address space in use: thread stacks alone may be hundreds of megabytes. */
static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm) {
        if (fscanf(statm, "%lu", &pages) != 1)
            pages = 0;
        fclose(statm);
    }
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

int cage_enter(bool open, struct error *err)
{
    if (getsid(0) != getpid() && setsid() < 0)
        return error_set(err, "leaving the session: %s", strerror(errno));
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        return error_set(err, "asking for a death signal: %s", strerror(errno));
    if (prctl(PR_SET_DUMPABLE, 0) < 0)
        return error_set(err, "forbidding core files: %s", strerror(errno));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return error_set(err, "giving up new privileges: %s", strerror(errno));
#endif
    if (limit(RLIMIT_CORE, 0, "core files", err) < 0 ||
        limit(RLIMIT_NOFILE, DESCRIPTORS, "descriptors", err) < 0)
        return -1;
    if (!BUILT_WITH_ASAN &&
        limit(RLIMIT_AS, address_space() + ((rlim_t)MEMORY_MIB << 20), "address space", err) < 0)
        return -1;
    if (!open && cage_has_seccomp())
        return filter_load(err);
    return 0;
}

static double cpu_used(void)
{
    struct timespec used;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 ? (double)used.tv_sec + 1e-9 * (double)used.tv_nsec : 0;
}

/* 0: never. */
static void time_last_words(double seconds)
{
    struct itimerval timer = { .it_value = { .tv_sec = (time_t)seconds } };
    timer.it_value.tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6);
    setitimer(ITIMER_PROF, &timer, NULL);
}

/* The timer counts ticks, and among other processes too many of them. */
static void try_last_words(int signal)
{
    double left = last_words_at - cpu_used();
    if (left > 0)
        time_last_words(left > 0.001 ? left : 0.001);
    else
        last_words(signal);
}

int cage_last_words(void (*handler)(int signal), struct error *err)
{
    struct sigaction action = { .sa_handler = try_last_words, .sa_flags = SA_RESTART };
    sigfillset(&action.sa_mask);
    last_words = handler;
    return sigaction(SIGPROF, &action, NULL) < 0 ? error_set(err, "the signal for last words: %s", strerror(errno)) : 0;
}

void cage_budget(double cpu_seconds)
{
    struct rlimit cpu;
    if (cpu_seconds > 0 && getrlimit(RLIMIT_CPU, &cpu) == 0) {
        rlim_t until = (rlim_t)(cpu_used() + ceil(cpu_seconds)) + 2;
        cpu.rlim_cur = cpu.rlim_max != RLIM_INFINITY && cpu.rlim_max < until ? cpu.rlim_max : until;
        setrlimit(RLIMIT_CPU, &cpu);
    }
    if (last_words) {
        if (cpu_seconds > 0)
            last_words_at = cpu_used() + LAST_WORDS_SHARE * cpu_seconds;
        time_last_words(LAST_WORDS_SHARE * cpu_seconds);
    }
#ifndef __linux__
    alarm((unsigned)ceil(cpu_seconds * ALARM_FACTOR));
#endif
}
