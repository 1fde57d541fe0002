/* Each door alone: Lua's whole standard libraries inside the process cage, without the allow-list. (The allow-list without the
   cage is what test_sandbox tries, and tests/hostile with --no-cage.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lualib.h>

#include "cage/cage.h"
#include "cage/enter.h"
#include "cage/filter.h"

static char folder[] = "/tmp/test_doors.XXXXXX";

/* ---- in the cage ---- */

/* syscall(name, …): what the kernel says, as an error number; 0: it did it. */
static int do_syscall(lua_State *L)
{
    static const struct { const char *name; long number; } calls[] = {
        { "kill", SYS_kill }, { "tkill", SYS_tkill }, { "prctl", SYS_prctl }, { "unshare", SYS_unshare }, { "mount", SYS_mount },
        { "chdir", SYS_chdir }, { "chroot", SYS_chroot }, { "setuid", SYS_setuid }, { "setpriority", SYS_setpriority },
        { "clock_settime", SYS_clock_settime }, { "settimeofday", SYS_settimeofday }, { "ioctl", SYS_ioctl }, { "fcntl", SYS_fcntl },
        { "dup", SYS_dup }, { "memfd_create", SYS_memfd_create }, { "userfaultfd", SYS_userfaultfd }, { "bpf", SYS_bpf },
        { "perf_event_open", SYS_perf_event_open }, { "keyctl", SYS_keyctl }, { "io_uring_setup", SYS_io_uring_setup },
        { "sched_setaffinity", SYS_sched_setaffinity }, { "sigaction", SYS_rt_sigaction }, { "sigqueue", SYS_rt_sigqueueinfo },
        { "personality", SYS_personality }, { "timer_create", SYS_timer_create }, { "openat", SYS_openat }, { "mkdirat", SYS_mkdirat },
        { "unlinkat", SYS_unlinkat }, { "linkat", SYS_linkat }, { "symlinkat", SYS_symlinkat }, { "fchmodat", SYS_fchmodat },
        { "truncate", SYS_truncate }, { "name_to_handle_at", SYS_name_to_handle_at }, { "pidfd_open", SYS_pidfd_open },
        { "setitimer", SYS_setitimer }, { "socket", SYS_socket }, { "sendto", SYS_sendto }, { "execve", SYS_execve },
        { "ptrace", SYS_ptrace }, { "clone", SYS_clone }, { "shmget", SYS_shmget }, { "reboot", SYS_reboot }, { "seccomp", SYS_seccomp },
        { "setrlimit", SYS_prlimit64 }, { "setsid", SYS_setsid },
    };
    const char *name = luaL_checkstring(L, 1);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i].name, name)) {
            long a[6] = { 0 };
            for (int n = 0; n < 6; n++)
                a[n] = lua_type(L, n + 2) == LUA_TSTRING ? (long)(intptr_t)lua_tostring(L, n + 2) : (long)lua_tointeger(L, n + 2);
            errno = 0;
            long done = syscall(calls[i].number, a[0], a[1], a[2], a[3], a[4], a[5]);
            lua_pushinteger(L, done < 0 ? errno : 0);
            return 1;
        }
    return luaL_error(L, "no call %s", name);
}

/* executable(): memory that code could be put in, by every way there is. */
static int do_executable(lua_State *L)
{
    bool got = false;
    for (int protection = PROT_EXEC; protection <= (PROT_EXEC | PROT_READ | PROT_WRITE); protection++)
        if (protection & PROT_EXEC)
            got = got || mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    void *plain = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    got = got || plain == MAP_FAILED || mprotect(plain, 4096, PROT_READ | PROT_EXEC) == 0;
#ifdef SYS_pkey_mprotect
    got = got || syscall(SYS_pkey_mprotect, plain, 4096, PROT_READ | PROT_EXEC, -1) == 0;
#endif
    lua_pushboolean(L, got);
    return 1;
}

static void run_caged(const char *code, int out)
{
    struct error err;
    char words[500] = "entered not";
    lua_State *L = luaL_newstate();
    if (!L)
        _exit(9);
    luaL_openlibs(L);
    lua_register(L, "syscall", do_syscall);
    lua_register(L, "executable", do_executable);
    lua_pushinteger(L, getppid());
    lua_setglobal(L, "parent");
    lua_pushstring(L, folder);
    lua_setglobal(L, "folder");
    if (cage_enter(false, &err) == 0) {
        int status = luaL_dostring(L, code);
        lua_settop(L, 1);
        snprintf(words, sizeof words, "%s%s", status ? "raised " : "", luaL_tolstring(L, 1, NULL));
    }
    _exit(write(out, words, strlen(words)) < 0 ? 8 : 0);
}

/* What the code returned, in words; a wait status. */
static int caged(const char *code, char words[500])
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        run_caged(code, ends[1]);
    close(ends[1]);
    ssize_t got = read(ends[0], words, 499);
    words[got > 0 ? got : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void says(const char *code, const char *expected)
{
    char words[500];
    int status = caged(code, words);
    if (status != 0 || !strstr(words, expected))
        fail_msg("%s\ncame to \"%s\", status %#x\nnot %s", code, words, (unsigned)status, expected);
}

static void dies(const char *code)
{
    char words[500];
    int status = caged(code, words);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
        fail_msg("%s\ncame to \"%s\", status %#x: it was not killed", code, words, (unsigned)status);
}

static void needs_seccomp(void)
{
    if (!cage_has_seccomp())
        skip();
}

static void files_stay_shut(void **state)
{
    (void)state;
    needs_seccomp();
    static const char *const codes[] = {
        "return select(2, io.open('/etc/passwd'))", "return select(2, io.open(folder .. '/precious', 'w'))",
        "return select(2, io.open(folder .. '/new', 'a'))", "return select(2, io.open('/proc/self/mem', 'r+'))",
        "return select(2, io.open('/proc/' .. parent .. '/environ'))", "return select(2, io.open('/proc/' .. parent .. '/fd/0'))",
        "return select(2, io.open('/dev/tty', 'w'))", "return select(2, pcall(io.lines, '/etc/passwd'))",
        "return select(2, os.remove(folder .. '/precious'))", "return select(2, os.rename(folder .. '/precious', folder .. '/gone'))",
        "return select(2, io.tmpfile())", "return select(2, pcall(os.tmpname))", "return select(2, loadfile('/etc/passwd'))",
        "return select(2, pcall(dofile, folder .. '/precious'))", "return select(2, package.loadlib(folder .. '/precious', '*'))",
        "return select(2, pcall(require, 'posix'))",
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char words[500];
        int status = caged(codes[i], words);
        if (status != 0 || !(strstr(words, "not permitted") || strstr(words, "unable to generate") || strstr(words, "not found") ||
                             strstr(words, "No such file")))
            fail_msg("%s\ncame to \"%s\", status %#x", codes[i], words, (unsigned)status);
    }
    char path[100], text[20] = "";
    struct stat at;
    snprintf(path, sizeof path, "%s/precious", folder);
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0 && read(fd, text, sizeof text - 1) == 8);
    close(fd);
    assert_string_equal(text, "precious");
    snprintf(path, sizeof path, "%s/new", folder);
    assert_int_equal(stat(path, &at), -1);
}

static void programs_and_sockets_kill(void **state)
{
    (void)state;
    needs_seccomp();
    dies("return syscall('execve', '/bin/true', 0, 0)");
    dies("return syscall('socket', 1, 1, 0)");
    dies("return syscall('ptrace', 16, parent)");
}

/* os.execute and io.popen fail or are the end: nothing runs either way. */
static void nothing_is_run(void **state)
{
    (void)state;
    needs_seccomp();
    static const char *const codes[] = { "return os.execute('echo x > ' .. folder .. '/new')", "return io.popen('echo x > ' .. folder .. '/new', 'w'):close()" };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char words[500], path[100];
        struct stat at;
        caged(codes[i], words);
        usleep(100000);
        snprintf(path, sizeof path, "%s/new", folder);
        assert_int_equal(stat(path, &at), -1);
    }
}

static void the_kernel_refuses_all_else(void **state)
{
    (void)state;
    needs_seccomp();
    static const char code[] =
        "local wrong = {}\n"
        "local function try(name, ...) local number = syscall(name, ...) if number ~= 1 then wrong[#wrong + 1] = name .. '=' .. number end end\n"
        "try('kill', parent, 0) try('kill', -1, 0) try('tkill', parent, 0) try('sigqueue', parent, 9, 0) try('pidfd_open', parent, 0)\n"
        "try('prctl', 4, 1) try('prctl', 1, 0) try('unshare', 0x10000000) try('mount', folder, folder, folder, 0, 0) try('chdir', '/') try('chroot', '/')\n"
        "try('setuid', 0) try('setpriority', 0, 0, -5) try('clock_settime', 0, 0) try('settimeofday', 0, 0) try('sched_setaffinity', 0, 0, 0)\n"
        "try('ioctl', 0, 0x5412, 'x') try('fcntl', 0, 3, 0) try('dup', 0) try('memfd_create', 'x', 0) try('userfaultfd', 0) try('bpf', 0, 0, 0)\n"
        "try('perf_event_open', 0, 0, -1, -1, 0) try('keyctl', 0, 0, 0) try('io_uring_setup', 1, 0) try('sigaction', 9, 0, 0, 8) try('personality', 0)\n"
        "try('timer_create', 0, 0, 0) try('openat', -100, '/etc/passwd', 0, 0) try('mkdirat', -100, folder .. '/new', 511) try('unlinkat', -100, folder .. '/precious', 0)\n"
        "try('linkat', -100, folder .. '/precious', -100, folder .. '/new', 0) try('symlinkat', '/etc/passwd', -100, folder .. '/new')\n"
        "try('fchmodat', -100, folder .. '/precious', 0) try('truncate', folder .. '/precious', 0) try('name_to_handle_at', -100, '/', 0, 0, 0)\n"
        "try('sendto', 0, 'x', 1, 0, 0, 0) try('clone', 17, 0) try('shmget', 0, 4096, 512) try('reboot', 0) try('seccomp', 0, 0, 0) try('setsid')\n"
        "try('setrlimit', 0, 7, 0, 0) try('setrlimit', parent, 0, 0, 0) try('setitimer', 0, 0, 0) try('setitimer', 1, 0, 0)\n"
        "return #wrong == 0 and 'all refused' or table.concat(wrong, ' ')";
    says(code, "all refused");
    says("return executable()", "false");
}

/* What the libraries may still do is harmless: they tell the time, and nothing of where the tutor is. */
static void what_is_left(void **state)
{
    (void)state;
    needs_seccomp();
    says("return type(os.time()) .. type(os.clock())", "numbernumber");
    says("local f = load('return 1 + 1') return f()", "2");
    says("return tostring(os.getenv('NO_SUCH'))", "nil");
    says("local t = {} for i = 1, 64 do t[i] = select(2, pcall(string.rep, 'x', (1 << 24) + i)) end return t[64]",
         BUILT_WITH_ASAN ? "x" : "not enough memory");
}

static int make_folder(void **state)
{
    (void)state;
    char path[100];
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/precious", folder);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    return fd < 0 || write(fd, "precious", 8) != 8 || close(fd);
}

static int clear_folder(void **state)
{
    (void)state;
    char path[100];
    snprintf(path, sizeof path, "%s/precious", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_stay_shut),
        cmocka_unit_test(programs_and_sockets_kill),
        cmocka_unit_test(nothing_is_run),
        cmocka_unit_test(the_kernel_refuses_all_else),
        cmocka_unit_test(what_is_left),
    };
    return cmocka_run_group_tests_name("doors", tests, make_folder, clear_folder);
}
