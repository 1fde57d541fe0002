#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cage/cage.h"
#include "cage/enter.h"
#include "cage/filter.h"

enum { NOT_ENTERED = 99 };

/* How a child ended that entered the cage and then did `deed`. */
static int caged(bool open, int (*deed)(void))
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct error err;
        if (cage_enter(open, &err) < 0)
            _exit(NOT_ENTERED);
        _exit(deed());
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void assert_does(bool open, int (*deed)(void))
{
    int status = caged(open, deed);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("exit status %d, signal %d", WEXITSTATUS(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

static void assert_dies(int (*deed)(void))
{
    int status = caged(false, deed);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
        fail_msg("not killed: wait status %#x", (unsigned)status);
}

static void needs_seccomp(void)
{
    if (!cage_has_seccomp())
        skip();
}

static bool refused(long result)
{
    return result == -1 && errno == EPERM;
}

/* Each answers 0 when what it tried went as it must; a number says which did not. */

static int try_files(void)
{
    if (!refused(open("/etc/passwd", O_RDONLY)))
        return 1;
    if (!refused(unlink("/nonexistent")))
        return 2;
    if (!refused(memfd_create("x", 0)))
        return 3;
    if (!refused(kill(getppid(), 0)))
        return 4;
    if (!refused(prctl(PR_SET_DUMPABLE, 1)))
        return 5;
    return 0;
}

static int try_executable_memory(void)
{
    void *plain = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (plain == MAP_FAILED)
        return 1;
    if (!refused(mprotect(plain, 4096, PROT_READ | PROT_EXEC)))
        return 2;
    if (mprotect(plain, 4096, PROT_READ) != 0)
        return 3;
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code != MAP_FAILED || errno != EPERM)
        return 4;
    return 0;
}

static int try_limits(void)
{
    struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
    if (!refused(setrlimit(RLIMIT_NOFILE, &limit)))
        return 1;
    cage_budget(1);
    if (prlimit(0, RLIMIT_CPU, NULL, &limit) != 0 || limit.rlim_cur > 10)
        return 2;
    return 0;
}

static void *nothing(void *argument)
{
    return argument;
}

static int try_new_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0;
}

static int try_everyday(void)
{
    size_t size = (size_t)32 << 20;
    char *block = malloc(size);
    if (!block)
        return 1;
    memset(block, 1, size);
    block = realloc(block, 2 * size);
    free(block);
    struct timespec now;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0;
}

static int do_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0) < 0; }
static int do_socketpair(void) { return socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){ 0, 0 }) < 0; }
static int do_connect(void) { return connect(0, &(struct sockaddr){ .sa_family = AF_UNIX }, sizeof(struct sockaddr)) < 0; }
static int do_ptrace(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0; }
static int do_vm_read(void) { return process_vm_readv(getppid(), NULL, 0, NULL, 0, 0) < 0; }
static int do_exec(void) { return execve("/bin/true", (char *[]){ "true", NULL }, (char *[]){ NULL }); }
static int do_execveat(void)
{
    return (int)syscall(SYS_execveat, AT_FDCWD, "/bin/true", (char *[]){ "true", NULL }, (char *[]){ NULL }, 0);
}
static int do_fork(void)
{
#ifdef SYS_fork
    return (int)syscall(SYS_fork);
#else
    raise(SIGSYS);
    return 0;
#endif
}

static void small_things_are_refused(void **state)
{
    (void)state;
    needs_seccomp();
    assert_does(false, try_files);
    assert_does(false, try_executable_memory);
    assert_does(false, try_limits);
    assert_does(false, try_new_thread);
    assert_does(false, try_everyday);
}

static void intrusions_kill(void **state)
{
    (void)state;
    needs_seccomp();
    int (*const deeds[])(void) = { do_socket, do_socketpair, do_connect, do_ptrace,
                                   do_vm_read, do_exec,      do_execveat, do_fork };
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        assert_dies(deeds[i]);
}

static int do_abort(void)
{
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void an_abort_is_seen_as_one(void **state)
{
    (void)state;
    int status = caged(false, do_abort);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_false(WCOREDUMP(status));
}

/* A thread that waits until the cage is closed, then tries the door. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *open_later(void *argument)
{
    sem_post(argument); /* the thread's own first steps are made: the C library may not make them in the cage */
    pthread_mutex_lock(&gate);
    intptr_t wrong = !refused(open("/etc/passwd", O_RDONLY));
    pthread_mutex_unlock(&gate);
    return (void *)wrong;
}

static void earlier_threads_are_caged_too(void **state)
{
    (void)state;
    needs_seccomp();
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct error err;
        pthread_t thread;
        void *wrong;
        sem_t begun;
        pthread_mutex_lock(&gate);
        if (sem_init(&begun, 0, 0) != 0 || pthread_create(&thread, NULL, open_later, &begun) != 0)
            _exit(NOT_ENTERED);
        sem_wait(&begun);
        if (cage_enter(false, &err) < 0)
            _exit(NOT_ENTERED);
        pthread_mutex_unlock(&gate);
        pthread_join(thread, &wrong);
        _exit(wrong != NULL);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static int look_around(void)
{
    struct rlimit files, core;
    int signal_of_death = 0;
    if (getsid(0) != getpid())
        return 1;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_max != 64)
        return 2;
    if (getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0 || prctl(PR_GET_DUMPABLE) != 0)
        return 3;
    if (prctl(PR_GET_PDEATHSIG, &signal_of_death) != 0 || signal_of_death != SIGKILL)
        return 4;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return 5;
    int file = open("/dev/null", O_RDONLY); /* the open cage has no filter */
    return file < 0 ? 6 : 0;
}

static int take_too_much(void)
{
    return mmap(NULL, (size_t)4 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

static void limits_hold_without_the_filter(void **state)
{
    (void)state;
    assert_does(true, look_around);
    if (!BUILT_WITH_ASAN)
        assert_does(true, take_too_much);
}

static int spin(void)
{
    volatile bool forever = true;
    cage_budget(0.01);
    while (forever)
        continue;
    return 0;
}

static void the_cpu_backstop_stops_a_loop(void **state)
{
    (void)state;
    int status = caged(false, spin);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGXCPU);
}

static double words_at;

static void speak(int signal)
{
    (void)signal;
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    double spent = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
    _exit(spent >= words_at && spent < words_at + 0.5 ? 0 : 7);
}

/* After a budget that was long enough, one that is not. */
static int spin_with_last_words(void)
{
    volatile bool forever = true;
    cage_budget(0.05);
    cage_budget(0);
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    double start = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec, now = start;
    while (now < start + 0.1) {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        now = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
    }
    words_at = now + 0.18;
    cage_budget(0.2);
    while (forever)
        continue;
    return 1;
}

static void last_words_come_before_the_end(void **state)
{
    (void)state;
    struct error err;
    assert_int_equal(cage_last_words(speak, &err), 0); /* the children inherit it */
    assert_does(false, spin_with_last_words);
    assert_does(true, spin_with_last_words);
}

static void the_state_is_said_in_words(void **state)
{
    (void)state;
    assert_non_null(strstr(cage_state(), "resource limits"));
    assert_int_equal(strstr(cage_state(), "only") == NULL, cage_has_seccomp());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_things_are_refused),
        cmocka_unit_test(intrusions_kill),
        cmocka_unit_test(an_abort_is_seen_as_one),
        cmocka_unit_test(earlier_threads_are_caged_too),
        cmocka_unit_test(limits_hold_without_the_filter),
        cmocka_unit_test(the_cpu_backstop_stops_a_loop),
        cmocka_unit_test(last_words_come_before_the_end),
        cmocka_unit_test(the_state_is_said_in_words),
    };
    return cmocka_run_group_tests_name("enter", tests, NULL, NULL);
}
