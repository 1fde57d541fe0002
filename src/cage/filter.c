#include "cage/filter.h"

#include "base/language.h"
#include "cage/cage.h"

#ifdef HAVE_SECCOMP

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* What a worker needs once it runs. Names that a processor lacks are skipped by libseccomp. */
static const int allowed[] = {
    /* the socket, and files that it passes */
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(close),
    SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(poll), SCMP_SYS(ppoll),
    /* memory */
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    /* threads and time */
    SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(sched_yield), SCMP_SYS(getrusage),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_nanosleep_time64),
    /* itself */
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(sigreturn), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
#if BUILT_WITH_ASAN
    SCMP_SYS(sigaltstack),
#endif
};

/* What only an intruder asks for. */
static const int deadly[] = {
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork),
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect),
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
};

static int add_rules(scmp_filter_ctx filter)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof allowed / sizeof allowed[0]; i++)
        rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    for (size_t i = 0; rc == 0 && i < sizeof deadly / sizeof deadly[0]; i++)
        rc = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly[i], 0);

    const struct scmp_arg_cmp not_executable = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const int mapping[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect) };
    for (size_t i = 0; rc == 0 && i < sizeof mapping / sizeof mapping[0]; i++)
        rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, mapping[i], 1, not_executable);

    /* abort() and the CPU backstop, for the worker alone. */
    if (rc == 0)
        rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                              SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0));
    if (rc == 0)
        rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0, 0),
                              SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU, 0));
    if (rc == 0)
        rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(setitimer), 1, SCMP_A0(SCMP_CMP_EQ, ITIMER_PROF, 0));
    return rc;
}

int filter_load(struct error *err)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return error_set(err, "the system call filter: out of memory");
    int rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (rc == 0)
        rc = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (rc == 0)
        rc = add_rules(filter);
    if (rc == 0)
        rc = seccomp_load(filter);
    seccomp_release(filter);
    return rc == 0 ? 0 : error_set(err, "the system call filter cannot be loaded: %s", strerror(-rc));
}

bool cage_has_seccomp(void)
{
    const uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

const char *cage_state(void)
{
    return cage_has_seccomp() ? _("seccomp, resource limits")
                              : _("resource limits only: this kernel has no seccomp filters");
}

#else

int filter_load(struct error *err)
{
    return error_set(err, "this build has no system call filter");
}

bool cage_has_seccomp(void)
{
    return false;
}

const char *cage_state(void)
{
    return _("resource limits only: built without libseccomp");
}

#endif
