#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "cage/cage.h"
#include "fake_worker.h"

static char folder[] = "/tmp/test_cage.XXXXXX";
static char self[PATH_MAX];

/* The name of a file in the tests' folder that is not there yet. */
static const char *fresh_name(void)
{
    static char name[64];
    static int count;
    snprintf(name, sizeof name, "%s/%d", folder, count++);
    return name;
}

static struct cage *open_cage(const struct cage_options *options)
{
    struct error err;
    struct cage *cage;
    if (cage_open(&cage, options, &err) < 0)
        fail_msg("%s", err.text);
    return cage;
}

static struct cage *open_cage_for(double cpu_seconds, double wall_seconds)
{
    return open_cage(&(struct cage_options){ .open = true, .cpu_seconds = cpu_seconds, .wall_seconds = wall_seconds });
}

/* `tag` comes back as the scene's output, where the command says nothing else. */
static uint64_t order(struct cage *cage, const char *command, const char *tag)
{
    return cage_send(cage, &(struct request){ .kind = REQUEST_EVAL, .course = tag, .file = "", .source = command,
                                              .source_length = strlen(command) });
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The next event, as the tutor's loop would get it; CAGE_NOTHING after `most` seconds. No step may block. */
static enum cage_event next_event(struct cage *cage, double most, struct scene **scene, struct error *err)
{
    double until = seconds() + most;
    for (;;) {
        double before = seconds();
        enum cage_event event = cage_step(cage, scene, err);
        assert_true(seconds() - before < 0.25);
        double left = until - seconds();
        if (event != CAGE_NOTHING || left <= 0)
            return event;
        int ms = cage_timeout_ms(cage);
        if (ms < 0 || ms > left * 1000)
            ms = (int)(left * 1000) + 1;
        struct pollfd wait = { cage_fd(cage), (short)(POLLIN | (cage_wants_write(cage) ? POLLOUT : 0)), 0 };
        poll(&wait, 1, ms);
    }
}

static void expect_scene(struct cage *cage, const char *output, const char *notice)
{
    struct scene *scene;
    struct error err;
    enum cage_event event = next_event(cage, 20, &scene, &err);
    if (event != CAGE_SCENE)
        fail_msg("event %d: %s", (int)event, err.text);
    assert_string_equal(scene->output, output);
    if (notice && !strstr(err.text, notice))
        fail_msg("\"%s\" does not say \"%s\"", err.text, notice);
    if (!notice)
        assert_string_equal(err.text, "");
    scene_free(scene);
}

static void expect_words(struct cage *cage, enum cage_event wanted, const char *words)
{
    struct scene *scene;
    struct error err;
    enum cage_event event = next_event(cage, 20, &scene, &err);
    if (event != wanted || !strstr(err.text, words))
        fail_msg("event %d, \"%s\", not \"%s\"", (int)event, err.text, words);
    assert_null(scene);
    assert_null(strchr(err.text, '\n'));
}

static void expect_quiet(struct cage *cage, double most)
{
    struct scene *scene;
    struct error err;
    enum cage_event event = next_event(cage, most, &scene, &err);
    if (event != CAGE_NOTHING)
        fail_msg("event %d: %s", (int)event, err.text);
    assert_string_equal(err.text, "");
}

static void expect_alive(struct cage *cage)
{
    order(cage, "echo", "alive");
    expect_scene(cage, "alive", NULL);
}

static pid_t worker_pid(struct cage *cage)
{
    struct scene *scene;
    struct error err;
    assert_int_equal(cage_ask(cage, &(struct request){ .course = "", .file = "", .source = "pid", .source_length = 3 },
                              &scene, &err), 0);
    pid_t pid = (pid_t)atol(scene->output);
    scene_free(scene);
    assert_true(pid > 0);
    return pid;
}

static void assert_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void a_request_is_answered(void **state)
{
    (void)state;
    struct cage *cage = open_cage(NULL); /* in the closed cage, where there is one */
    assert_false(cage_busy(cage));
    uint64_t number = order(cage, "echo", "hello");
    assert_true(cage_busy(cage));
    expect_scene(cage, "hello", NULL);
    assert_false(cage_busy(cage));
    assert_true(order(cage, "echo", "again") > number);
    expect_scene(cage, "again", NULL);
    expect_quiet(cage, 0.05);
    cage_close(cage);
    cage_close(NULL);
    assert_no_children();
}

static void a_worker_is_born_with_nothing(void **state)
{
    (void)state;
    int stray = open("/etc/passwd", O_RDONLY); /* no close-on-exec: the tutor's parent may leave such */
    sigset_t blocked, before;
    sigfillset(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, &before);
    signal(SIGPIPE, SIG_IGN);
    struct cage *cage = open_cage_for(1.5, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGPIPE, SIG_DFL);
    char wanted[512];
    snprintf(wanted, sizeof wanted,
             "arg normtutor\narg engine\narg %ld\narg open\narg 1500\narg \nenv MALLOC_ARENA_MAX=1\n"
             "fd 0 null\nfd 1 null\nfd 2 null\nfd 3 socket\nblocked 0 ignored 0\n", (long)getpid());
    order(cage, "describe", "");
    expect_scene(cage, wanted, NULL);
    cage_close(cage);
    close(stray);
}

static void large_messages_travel_both_ways(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    struct scene *scene;
    struct error err;
    char *text = malloc(900001);
    memset(text, 't', 900000);
    text[900000] = '\0';
    order(cage, "echo", text);
    expect_scene(cage, text, NULL);
    assert_false(cage_wants_write(cage));
    order(cage, "big", "");
    assert_int_equal(next_event(cage, 10, &scene, &err), CAGE_SCENE);
    assert_int_equal(strlen(scene->output), WIRE_FRAME_MAX - 65);
    scene_free(scene);

    order(cage, text, text);
    expect_words(cage, CAGE_FAILED, "larger than a message may be");
    assert_false(cage_busy(cage));
    expect_alive(cage);
    free(text);
    cage_close(cage);
}

static void newer_requests_replace_older_ones(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    order(cage, "slow 100", "first");
    order(cage, "crash", "second: never sent");
    order(cage, "crash", "third: never sent");
    order(cage, "echo", "fourth");
    expect_scene(cage, "fourth", NULL);
    expect_quiet(cage, 0.05);
    assert_false(cage_busy(cage));
    cage_close(cage);
}

static void stale_replies_are_dropped(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    expect_alive(cage);
    order(cage, "stale", "right");
    expect_scene(cage, "right", NULL);
    expect_quiet(cage, 0.05);
    expect_alive(cage);
    order(cage, "flood", "");
    expect_words(cage, CAGE_FAILED, "rubbish");
    expect_alive(cage);
    cage_close(cage);
}

static void a_lost_request_is_sent_again(void **state)
{
    (void)state;
    static const struct {
        const char *command, *words;
    } ways[] = {
        { "crash", "killed by signal 11" },  { "killed", "killed by signal 9" },  { "exit", "exited with status 7" },
        { "length", "4294967295 bytes" },    { "bytes", "unknown type" },         { "half", "exited with status 0" },
        { "future", "a reply to no request" }, { "close", "closed its socket" },
    };
    struct cage *cage = open_cage_for(0, 0);
    char command[128], tag[32];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(command, sizeof command, "once %s %s", fresh_name(), ways[i].command);
        snprintf(tag, sizeof tag, "tag %zu", i);
        order(cage, command, tag);
        expect_scene(cage, tag, ways[i].words);
        expect_alive(cage);

        order(cage, ways[i].command, tag);
        expect_words(cage, CAGE_FAILED, ways[i].words);
        assert_false(cage_busy(cage));
        expect_alive(cage);
    }
    expect_quiet(cage, 0.05);
    cage_close(cage);
    assert_no_children();
}

static void a_loss_matters_less_than_a_newer_request(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0.2, 0);
    order(cage, "crash", "");
    order(cage, "echo", "newer");
    expect_scene(cage, "newer", "killed by signal 11");
    order(cage, "spin", "");
    order(cage, "echo", "newest");
    expect_scene(cage, "newest", "processor time");
    expect_alive(cage);
    cage_close(cage);
}

static void an_idle_worker_is_replaced(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    order(cage, "die after", "tag");
    expect_scene(cage, "tag", NULL);
    expect_words(cage, CAGE_REPLACED, "The lesson's worker was lost (killed by signal 9) and has been replaced; nothing is lost.");
    expect_quiet(cage, 0.05);
    expect_alive(cage);
    kill(worker_pid(cage), SIGTERM);
    expect_words(cage, CAGE_REPLACED, "killed by signal 15");
    expect_alive(cage);
    cage_close(cage);
}

static void last_words_are_a_reply(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    struct scene *scene;
    struct error err;
    order(cage, "last words", "");
    assert_int_equal(next_event(cage, 10, &scene, &err), CAGE_SCENE);
    assert_string_equal(scene->error, "memory.lua:7: out of memory");
    scene_free(scene);
    expect_quiet(cage, 0.1);
    expect_alive(cage);
    cage_close(cage);
}

static void a_loop_is_stopped_by_its_cpu_time(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0.3, 0);
    expect_alive(cage);
    double before = seconds();
    order(cage, "spin", "");
    expect_words(cage, CAGE_FAILED, "The computation took longer than 0.3 s of processor time and was stopped.");
    assert_true(seconds() - before > 0.29);
    expect_alive(cage);
    /* The budget is a request's, not a worker's. */
    for (int i = 0; i < 3; i++) {
        order(cage, "burn 150", "burnt");
        expect_scene(cage, "burnt", NULL);
        order(cage, "slow 400", "slept");
        expect_scene(cage, "slept", NULL);
    }
    cage_close(cage);
    assert_no_children();
}

static void a_worker_says_where_its_time_ran_out(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0.3, 0);
    order(cage, "place x.lua:3: ", "");
    expect_words(cage, CAGE_FAILED, "x.lua:3: the computation took longer than 0.3 s of processor time and was stopped.");
    order(cage, "place ", "");
    expect_words(cage, CAGE_FAILED, "The computation took longer than 0.3 s of processor time and was stopped.");
    expect_alive(cage);
    struct strbuf command = { 0 };
    strbuf_add(&command, "place ");
    for (int i = 0; i < 100000; i++)
        strbuf_add(&command, "x");
    order(cage, command.text, "");
    expect_words(cage, CAGE_FAILED, "xxxthe computation");
    strbuf_free(&command);
    order(cage, "place x.lua:3: ", ""); /* a newer request stands behind it: it is answered, and the words come with that */
    order(cage, "echo", "newer");
    expect_scene(cage, "newer", "x.lua:3: the computation");
    cage_close(cage);
    assert_no_children();
}

static void a_stopped_worker_is_given_up_by_the_clock(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 1.2);
    order(cage, "stop", "");
    expect_words(cage, CAGE_FAILED, "did not answer within 1.2 s");
    expect_alive(cage);

    char *text = malloc(900001);
    memset(text, 't', 900000);
    text[900000] = '\0';
    order(cage, "deaf after", "deaf");
    expect_scene(cage, "deaf", NULL);
    order(cage, "echo", text); /* does not fit in the socket, and nobody reads */
    assert_true(cage_wants_write(cage));
    expect_words(cage, CAGE_FAILED, "did not answer within 1.2 s");
    expect_alive(cage);
    free(text);
    cage_close(cage);
    assert_no_children();
}

/* A tutor that was stopped itself finds the reply when it wakes. */
static void time_in_which_nobody_looked_does_not_count(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 1.5);
    order(cage, "slow 2200", "late");
    fake_sleep(1900);
    expect_scene(cage, "late", NULL);
    cage_close(cage);
}

static void esc_gives_up(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    cage_cancel(cage);
    expect_alive(cage);
    order(cage, "spin", "");
    order(cage, "echo", "waiting");
    expect_quiet(cage, 0.05);
    cage_cancel(cage);
    assert_false(cage_busy(cage));
    expect_quiet(cage, 0.05);
    expect_alive(cage);
    cage_close(cage);
    assert_no_children();
}

/* A program that starts as `name` says (fake_worker.h). */
static struct cage *open_named(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    assert_int_equal(symlink(self, path), 0);
    return open_cage(&(struct cage_options){ .program = path, .open = true, .wall_seconds = 1.2 });
}

static void a_worker_that_cannot_start_is_said_once(void **state)
{
    (void)state;
    static const struct {
        const char *name, *words;
    } ways[] = { { "early-exit", "exited with status 5" },
                 { "other-build", "another build" },
                 { "cannot-run", "it cannot run: no luck today" } };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct cage *cage = open_named(ways[i].name);
        for (int k = 0; k < 3; k++) {
            order(cage, "echo", "");
            expect_words(cage, CAGE_FAILED, ways[i].words);
        }
        expect_quiet(cage, 0.1); /* and nothing spins */
        assert_int_equal(cage_fd(cage), -1);
        cage_close(cage);

        cage = open_named(ways[i].name);
        expect_words(cage, CAGE_REPLACED, ways[i].words);
        expect_words(cage, CAGE_REPLACED, ways[i].words);
        expect_words(cage, CAGE_FAILED, ways[i].words);
        expect_quiet(cage, 0.1);
        cage_close(cage);
    }
    struct cage *cage = open_named("silent");
    order(cage, "echo", "");
    expect_words(cage, CAGE_FAILED, "did not answer within 1.2 s");
    cage_close(cage);
    assert_no_children();
}

static void no_program_is_said_in_words(void **state)
{
    (void)state;
    struct error err;
    struct cage *cage;
    assert_int_equal(cage_open(&cage, &(struct cage_options){ .program = "/no/such/program" }, &err), -1);
    assert_null(cage);
    assert_non_null(strstr(err.text, "No such file"));

    char path[64];
    cage = open_named("vanishing");
    expect_alive(cage);
    snprintf(path, sizeof path, "%s/vanishing", folder);
    unlink(path);
    order(cage, "crash", "");
    expect_words(cage, CAGE_FAILED, "cannot be started: No such file");
    order(cage, "echo", "");
    expect_words(cage, CAGE_FAILED, "cannot be started: No such file");
    expect_quiet(cage, 0.05);
    assert_int_equal(symlink(self, path), 0);
    expect_alive(cage);
    cage_close(cage);
    assert_no_children();
}

static void ask_waits(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0.2, 0);
    struct scene *scene;
    struct error err;
    struct request request = { .course = "asked", .file = "", .source = "slow 100", .source_length = 8 };
    order(cage, "slow 50", "not asked");
    assert_int_equal(cage_ask(cage, &request, &scene, &err), 0);
    assert_string_equal(scene->output, "asked");
    scene_free(scene);
    request.source = "spin";
    request.source_length = 4;
    assert_int_equal(cage_ask(cage, &request, &scene, &err), -1);
    assert_null(scene);
    assert_non_null(strstr(err.text, "processor time"));
    cage_close(cage);
}

static void no_worker_outlives_its_tutor(void **state)
{
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int report[2];
    assert_int_equal(pipe(report), 0);
    pid_t tutor = fork();
    if (tutor == 0) {
        struct cage *cage = open_cage_for(1000, 1000);
        pid_t worker = worker_pid(cage);
        order(cage, "spin", "");
        expect_quiet(cage, 0.05);
        if (write(report[1], &worker, sizeof worker) != sizeof worker)
            _exit(1);
        pause();
        _exit(0);
    }
    pid_t worker = 0;
    assert_int_equal(read(report[0], &worker, sizeof worker), sizeof worker);
    assert_int_equal(kill(worker, 0), 0);
    kill(tutor, SIGKILL);
    assert_int_equal(waitpid(tutor, NULL, 0), tutor);
    int status;
    assert_int_equal(waitpid(worker, &status, 0), worker);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    close(report[0]);
    close(report[1]);
}

static int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void replacing_leaks_nothing(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    expect_alive(cage);
    int before = open_descriptors();
    for (int i = 0; i < 100; i++) {
        order(cage, "spin", "");
        cage_cancel(cage);
        order(cage, "crash", "");
        expect_words(cage, CAGE_FAILED, "signal 11");
    }
    expect_alive(cage);
    assert_int_equal(open_descriptors(), before);
    cage_close(cage);
    assert_int_equal(open_descriptors(), before - 1);
    assert_no_children();
}

/* ---- files ---- */

/* An open file with the text in it. */
static int text_file(const char *text)
{
    char path[64];
    strcpy(path, fresh_name());
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void order_with(struct cage *cage, const char *command, const struct request_file *files, size_t count)
{
    cage_send(cage, &(struct request){ .kind = REQUEST_EVAL, .course = "tag", .file = "", .source = command,
                                       .source_length = strlen(command), .files = files, .file_count = count });
}

static void files_come_along(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        struct cage *cage = open_cage(&(struct cage_options){ .open = open });
        int before = open_descriptors();
        struct request_file files[] = { { "a", "", text_file("roses") }, { "b", "", text_file("violets") } };
        order_with(cage, "read", files, 2);
        close(files[0].fd); /* the cage has its own */
        close(files[1].fd);
        expect_scene(cage, "a=roses b=violets 6 open", NULL);
        assert_int_equal(open_descriptors(), before);
        order_with(cage, "read", NULL, 0);
        expect_scene(cage, "4 open", NULL);
        cage_close(cage);
    }
    assert_no_children();
}

static void all_the_files_that_a_lesson_may_have_come_along(void **state)
{
    (void)state;
    struct cage *cage = open_cage(NULL);
    struct request_file files[REQUEST_FILES_MAX];
    struct strbuf wanted = { 0 };
    int fd = text_file("t");
    for (size_t i = 0; i < REQUEST_FILES_MAX; i++) {
        files[i] = (struct request_file){ "f", "", fd };
        strbuf_add(&wanted, "f=t ");
    }
    strbuf_addf(&wanted, "%d open", 4 + REQUEST_FILES_MAX);
    for (int i = 0; i < 5; i++) {
        order_with(cage, "read", files, REQUEST_FILES_MAX);
        expect_scene(cage, strbuf_string(&wanted), NULL);
    }
    close(fd);
    strbuf_free(&wanted);
    cage_close(cage);
}

static void files_come_along_with_a_message_in_pieces(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    struct request_file file = { "a", "", text_file("roses") };
    char *command = malloc(900001);
    memset(command, ' ', 900000);
    memcpy(command, "read", 4);
    command[900000] = '\0';
    order_with(cage, command, &file, 1);
    assert_true(cage_wants_write(cage));
    expect_scene(cage, "a=roses 5 open", NULL);
    free(command);
    close(file.fd);
    cage_close(cage);
}

static void a_request_sent_again_brings_its_files_again(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    struct request_file file = { "a", "", text_file("roses") };
    char command[128];
    snprintf(command, sizeof command, "crash once %s", fresh_name());
    order_with(cage, command, &file, 1);
    close(file.fd);
    expect_scene(cage, "a=roses 5 open", "killed by signal 11");
    cage_close(cage);
}

static void a_request_that_waits_keeps_its_own_files(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    struct request_file first = { "a", "", text_file("roses") }, second = { "b", "", text_file("violets") };
    order_with(cage, "slow 100", &first, 1);
    order_with(cage, "read", &first, 1);
    order_with(cage, "read", &second, 1);
    expect_scene(cage, "b=violets 5 open", NULL);
    order_with(cage, "crash", &first, 1);
    order_with(cage, "read", &second, 1);
    expect_scene(cage, "b=violets 5 open", "killed by signal 11");
    close(first.fd);
    close(second.fd);
    cage_close(cage);
}

static void a_descriptor_that_is_none_is_said_in_words(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    int before = open_descriptors();
    struct request_file files[] = { { "a", "", text_file("roses") }, { "b", "", -1 } };
    order_with(cage, "read", files, 2);
    expect_words(cage, CAGE_FAILED, "files/b cannot be handed to the lesson's worker: Bad file descriptor");
    assert_int_equal(open_descriptors(), before + 1);
    expect_alive(cage);
    close(files[0].fd);
    cage_close(cage);
}

static void replacing_leaks_no_files(void **state)
{
    (void)state;
    struct cage *cage = open_cage_for(0, 0);
    struct request_file files[] = { { "a", "", text_file("roses") }, { "b", "", text_file("violets") } };
    expect_alive(cage);
    int before = open_descriptors();
    for (int i = 0; i < 100; i++) {
        order_with(cage, "spin", files, 2);
        order_with(cage, "read", files, 2);
        cage_cancel(cage);
        order_with(cage, "crash", files, 2); /* twice, and is given up */
        expect_words(cage, CAGE_FAILED, "signal 11");
    }
    expect_alive(cage);
    assert_int_equal(open_descriptors(), before);
    order_with(cage, "spin", files, 2);
    order_with(cage, "read", files, 2);
    cage_close(cage);
    assert_int_equal(open_descriptors(), before - 1);
    assert_no_children();
    close(files[0].fd);
    close(files[1].fd);
}

/* Sends `count` descriptors beside a message of `length` bytes, as no tutor does. */
static void send_message(int fd, size_t length, int count, int descriptor)
{
    char bytes[64] = { 0, 0, 0, (char)length }, control[CMSG_SPACE(64 * sizeof(int))] = { 0 };
    struct iovec part = { bytes, 4 + length };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (count) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        *head = (struct cmsghdr){ .cmsg_len = CMSG_LEN((size_t)count * sizeof(int)), .cmsg_level = SOL_SOCKET,
                                  .cmsg_type = SCM_RIGHTS };
        for (int i = 0; i < count; i++)
            memcpy(CMSG_DATA(head) + (size_t)i * sizeof(int), &descriptor, sizeof descriptor);
    }
    assert_int_equal(sendmsg(fd, &message, 0), 4 + length);
}

static void files_and_names_must_match(void **state)
{
    (void)state;
    int ends[2], descriptor = text_file("roses");
    struct error err;
    struct strbuf in = { 0 };
    struct frame_files files = { .count = 0 };
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    int before = open_descriptors();
    struct request_file names[2] = { { "a", "", -1 }, { "b", "", -1 } };
    for (int sent = 0; sent < 4; sent++) {
        struct request request = { .files = names, .file_count = 2 };
        send_message(ends[0], 5, sent, descriptor);
        assert_int_equal(frame_receive(ends[1], &in, &files, &err), 1);
        assert_int_equal(in.length, 5);
        assert_int_equal(frame_lend(&files, &request, &err), sent == 2 ? 0 : -1);
        for (size_t i = 0; i < files.count; i++)
            assert_true(fcntl(files.fd[i], F_GETFD) & FD_CLOEXEC);
    }
    assert_non_null(strstr(err.text, "names 2 files and brings 3"));
    frame_close(&files);

    send_message(ends[0], 5, 3, descriptor); /* nobody asks for them */
    assert_int_equal(frame_read(ends[1], &in, &err), 1);
    assert_int_equal(open_descriptors(), before);

    send_message(ends[0], 5, REQUEST_FILES_MAX + 1, descriptor);
    assert_int_equal(frame_receive(ends[1], &in, &files, &err), -1);
    assert_non_null(strstr(err.text, "not all descriptors"));
    frame_close(&files);
    assert_int_equal(open_descriptors(), before);
    close(ends[0]);
    close(ends[1]);
    close(descriptor);
    strbuf_free(&in);
}

static int make_folder(void **state)
{
    (void)state;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    return n < 0 || !mkdtemp(folder);
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        unlinkat(dirfd(dir), e->d_name, 0);
    if (dir)
        closedir(dir);
    return rmdir(folder);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "engine"))
        return fake_worker(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_answered),
        cmocka_unit_test(a_worker_is_born_with_nothing),
        cmocka_unit_test(large_messages_travel_both_ways),
        cmocka_unit_test(newer_requests_replace_older_ones),
        cmocka_unit_test(stale_replies_are_dropped),
        cmocka_unit_test(a_lost_request_is_sent_again),
        cmocka_unit_test(a_loss_matters_less_than_a_newer_request),
        cmocka_unit_test(an_idle_worker_is_replaced),
        cmocka_unit_test(last_words_are_a_reply),
        cmocka_unit_test(a_loop_is_stopped_by_its_cpu_time),
        cmocka_unit_test(a_worker_says_where_its_time_ran_out),
        cmocka_unit_test(a_stopped_worker_is_given_up_by_the_clock),
        cmocka_unit_test(time_in_which_nobody_looked_does_not_count),
        cmocka_unit_test(esc_gives_up),
        cmocka_unit_test(a_worker_that_cannot_start_is_said_once),
        cmocka_unit_test(no_program_is_said_in_words),
        cmocka_unit_test(ask_waits),
        cmocka_unit_test(no_worker_outlives_its_tutor),
        cmocka_unit_test(replacing_leaks_nothing),
        cmocka_unit_test(files_come_along),
        cmocka_unit_test(all_the_files_that_a_lesson_may_have_come_along),
        cmocka_unit_test(files_come_along_with_a_message_in_pieces),
        cmocka_unit_test(a_request_sent_again_brings_its_files_again),
        cmocka_unit_test(a_request_that_waits_keeps_its_own_files),
        cmocka_unit_test(a_descriptor_that_is_none_is_said_in_words),
        cmocka_unit_test(replacing_leaks_no_files),
        cmocka_unit_test(files_and_names_must_match),
    };
    return cmocka_run_group_tests_name("cage", tests, make_folder, remove_folder);
}
