#include "cage/enter.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cage/cage.h"
#include "cage/filter.h"

enum {
    DESCRIPTORS = 64,
    MEMORY_GIB = 1, /* address space beyond what stands at the start; the engine counts its own, tighter */
    ALARM_FACTOR = 5 /* wall seconds for each second of CPU, where there is no death signal */
};

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
        limit(RLIMIT_AS, address_space() + ((rlim_t)MEMORY_GIB << 30), "address space", err) < 0)
        return -1;
    if (!open && cage_has_seccomp())
        return filter_load(err);
    return 0;
}

void cage_budget(double cpu_seconds)
{
    struct timespec used;
    struct rlimit cpu;
    if (cpu_seconds > 0 && clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 &&
        getrlimit(RLIMIT_CPU, &cpu) == 0) {
        rlim_t until = (rlim_t)used.tv_sec + (rlim_t)ceil(cpu_seconds) + 2;
        cpu.rlim_cur = cpu.rlim_max != RLIM_INFINITY && cpu.rlim_max < until ? cpu.rlim_max : until;
        setrlimit(RLIMIT_CPU, &cpu);
    }
#ifndef __linux__
    alarm((unsigned)ceil(cpu_seconds * ALARM_FACTOR));
#endif
}
