/* The learner's program: its file, the watch over it, and what the session is told of it. */
#include "app_help.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include "app/work.h"
#include "app/work_watch.h"
#include "base/clock.h"
#include "base/path.h"

static const char start[] = "function layer_norm(x) return x:mean(\"batch\") end\n";
static const char mended[] = "function layer_norm(x) return x:mean(\"feature\") end\n";

static struct work_place place = {.course = "norms", .lesson = "one", .step = "mend", .seed = 7, .name = "layer_norm.lua"};

static struct work_file place_file(const struct work_place *at)
{
    struct work_file file;
    struct error err = {0};
    char *here = getcwd(NULL, 0);
    if (work_file_place(&file, here, at, &err) != 0)
        fail_msg("%s", err.text);
    free(here);
    return file;
}

static struct work_file make_file(void)
{
    struct work_file file = place_file(&place);
    bool made;
    assert_int_equal(work_file_make(&file, start, &made, NULL), 0);
    assert_true(made);
    return file;
}

static void holds(const char *path, const char *text)
{
    char *found;
    size_t length;
    struct error err = {0};
    if (path_read(path, 1 << 20, &found, &length, &err) != 0)
        fail_msg("%s", err.text);
    assert_string_equal(found, text);
    free(found);
}

static mode_t mode_of(const char *path)
{
    struct stat at;
    assert_int_equal(lstat(path, &at), 0);
    return at.st_mode & 07777;
}

/* ---- the place ---- */

static void other_numbers_have_another_file(void **state)
{
    (void)state;
    struct work_place other = place, alone = place;
    other.attempt = 2;
    alone.course = "";
    struct work_place namesake = place;
    namesake.course = "norms.0a1b2c3d";
    struct work_file a = place_file(&place), b = place_file(&other), c = place_file(&alone), d = place_file(&namesake);
    assert_non_null(strstr(a.path, "/norms/one/mend.7/layer_norm.lua"));
    assert_non_null(strstr(b.path, "/norms/one/mend.7.2/layer_norm.lua"));
    assert_non_null(strstr(c.path, "/alone/one/mend.7/layer_norm.lua"));
    work_file_free(&a);
    work_file_free(&b);
    assert_non_null(strstr(d.path, "/norms.0a1b2c3d/one/mend.7/layer_norm.lua"));
    work_file_free(&c);
    work_file_free(&d);
}

static void no_path_is_made_of_other_names(void **state)
{
    (void)state;
    static const char *const ids[] = {"..", ".", "", "a/b", "A", "a.b", "a.0a1b2c3g", ".0a1b2c3d", "a b", "\xc3\xa9"};
    static const char *const names[] = {"", ".lua", "../x.lua", "a/b.lua", "x.lua~", "x", "x.py", ".x.lua", "a-b.lua"};
    struct work_file file;
    struct error err = {0};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        struct work_place at[3] = {place, place, place};
        at[0].lesson = ids[i];
        at[1].step = ids[i];
        at[2].course = ids[i][0] ? ids[i] : "..";
        for (int k = 0; k < 3; k++)
            assert_int_equal(work_file_place(&file, "/tmp", &at[k], &err), -1);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct work_place at = place;
        at.name = names[i];
        assert_int_equal(work_file_place(&file, "/tmp", &at, &err), -1);
        assert_non_null(strstr(err.text, "your program has no file: "));
    }
}

static void the_home_is_a_tilde(void **state)
{
    (void)state;
    char *here = getcwd(NULL, 0);
    setenv("HOME", here, 1);
    struct work_file file = place_file(&place);
    assert_string_equal(file.shown, "~/norms/one/mend.7/layer_norm.lua");
    setenv("HOME", "/tmp/test", 1);
    work_file_free(&file);
    file = place_file(&place);
    assert_string_equal(file.shown, file.path);
    work_file_free(&file);
    free(here);
}

/* ---- the file ---- */

static void it_is_made_once_and_never_overwritten(void **state)
{
    (void)state;
    struct work_file file = make_file();
    bool made;
    holds(file.path, start);
    assert_int_equal(mode_of(file.path), 0600);
    assert_int_equal(mode_of(file.folder), 0700);
    app_write(file.path, mended);
    assert_int_equal(work_file_make(&file, start, &made, NULL), 0);
    assert_false(made);
    holds(file.path, mended);
    work_file_free(&file);
}

static void no_link_is_followed(void **state)
{
    (void)state;
    struct work_file file = place_file(&place);
    struct error err = {0};
    char *text;
    struct work_stamp stamp;
    bool made;
    app_write("secret", "secret");
    assert_int_equal(mkdir("elsewhere", 0700), 0);
    assert_int_equal(symlink("elsewhere", "norms"), 0);
    assert_int_equal(work_file_make(&file, start, &made, &err), -1);
    assert_non_null(strstr(err.text, "links are not followed"));
    assert_int_equal(unlink("norms"), 0);
    assert_int_equal(work_file_make(&file, start, &made, NULL), 0);
    assert_int_equal(unlink(file.path), 0);
    assert_int_equal(symlink("../../../secret", file.path), 0);
    assert_int_equal(work_file_make(&file, start, &made, NULL), 0);
    assert_false(made);
    holds("secret", "secret");
    assert_int_equal(work_file_read(&file, &text, &stamp, &err), WORK_UNREADABLE);
    assert_non_null(strstr(err.text, file.path));
    assert_non_null(strstr(err.text, "it is a link, and links are not followed. Save it as a text file"));
    work_file_free(&file);
}

static void what_is_no_text_is_told(void **state)
{
    (void)state;
    struct work_file file = make_file();
    struct error err = {0};
    struct work_stamp stamp;
    char *text, big[WORK_TEXT_MAX + 2];
    memset(big, 'x', sizeof big);
    big[WORK_TEXT_MAX] = '\0';
    app_write(file.path, big);
    assert_int_equal(work_file_read(&file, &text, &stamp, &err), WORK_READ);
    assert_int_equal(strlen(text), WORK_TEXT_MAX);
    free(text);
    big[WORK_TEXT_MAX] = 'x';
    big[WORK_TEXT_MAX + 1] = '\0';
    app_write(file.path, big);
    assert_int_equal(work_file_read(&file, &text, &stamp, &err), WORK_UNREADABLE);
    assert_non_null(strstr(err.text, "longer than 65536 bytes"));
    int fd = open(file.path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(fd, "a\0b", 3), 3);
    close(fd);
    assert_int_equal(work_file_read(&file, &text, &stamp, &err), WORK_UNREADABLE);
    assert_non_null(strstr(err.text, "zero byte"));
    assert_int_equal(unlink(file.path), 0);
    assert_int_equal(work_file_read(&file, &text, &stamp, &err), WORK_GONE);
    assert_int_equal(mkfifo(file.path, 0600), 0);
    assert_int_equal(work_file_read(&file, &text, &stamp, &err), WORK_UNREADABLE); /* and it does not wait for the other end */
    work_file_free(&file);
}

static void starting_over_keeps_every_text(void **state)
{
    (void)state;
    struct work_file file = make_file();
    char *aside, path[300];
    static const char *const names[] = {"layer_norm.lua~", "layer_norm.lua~2", "layer_norm.lua~3"};
    static const char *const texts[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        app_write(file.path, texts[i]);
        assert_int_equal(work_file_start_over(&file, start, &aside, NULL), 0);
        assert_string_equal(aside, names[i]);
        free(aside);
        holds(file.path, start);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", file.folder, names[i]);
        holds(path, texts[i]);
    }
    assert_int_equal(unlink(file.path), 0);
    assert_int_equal(work_file_start_over(&file, start, &aside, NULL), 0);
    assert_null(aside);
    holds(file.path, start);
    work_file_free(&file);
}

static int entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2;
}

static void a_save_takes_the_place_of_the_file_that_is_known(void **state)
{
    (void)state;
    struct work_file file = make_file();
    struct work_stamp known = work_file_stamp(&file), stamp;
    char *aside, path[300];
    assert_int_equal(chmod(file.path, 0640), 0);
    assert_int_equal(work_file_save(&file, "mine", &known, &stamp, &aside, NULL), 0);
    assert_null(aside);
    holds(file.path, "mine");
    assert_int_equal(mode_of(file.path), 0640);
    assert_int_equal(entries(file.folder), 1);
    known = work_file_stamp(&file);
    assert_true(work_stamp_same(&known, &stamp));

    app_write(file.path, "theirs"); /* another program's */
    assert_int_equal(work_file_save(&file, "mine again", &known, &stamp, &aside, NULL), 0);
    assert_string_equal(aside, "layer_norm.lua~");
    free(aside);
    holds(file.path, "mine again");
    snprintf(path, sizeof path, "%s/layer_norm.lua~", file.folder);
    holds(path, "theirs");

    assert_int_equal(unlink(file.path), 0);
    assert_int_equal(work_file_save(&file, "back", &stamp, &stamp, &aside, NULL), 0);
    assert_null(aside);
    holds(file.path, "back");

    app_write("secret", "secret"); /* what it was made a link to is not written to */
    assert_int_equal(unlink(file.path), 0);
    assert_int_equal(symlink("../../../secret", file.path), 0);
    assert_int_equal(work_file_save(&file, "mine", &stamp, &stamp, &aside, NULL), 0);
    assert_string_equal(aside, "layer_norm.lua~2");
    free(aside);
    holds("secret", "secret");
    holds(file.path, "mine");
    assert_int_equal(entries(file.folder), 3);
    work_file_free(&file);
}

static void a_save_that_fails_leaves_the_file_as_it_was(void **state)
{
    (void)state;
    struct work_file file = make_file();
    struct work_stamp known = work_file_stamp(&file), stamp;
    struct error err = {0};
    char *aside;
    struct rlimit none = {0, RLIM_INFINITY}, kept;
    getrlimit(RLIMIT_FSIZE, &kept);
    none.rlim_max = kept.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none); /* the disk is full */
    assert_int_equal(work_file_save(&file, "mine", &known, &stamp, &aside, &err), -1);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_non_null(strstr(err.text, "cannot write "));
    holds(file.path, start);
    assert_int_equal(entries(file.folder), 1);
    work_file_free(&file);
}

static void a_folder_that_cannot_be_made_is_told(void **state)
{
    (void)state;
    struct work_file file = place_file(&place);
    struct error err = {0};
    bool made;
    app_write("norms", "in the way");
    assert_int_equal(work_file_make(&file, start, &made, &err), -1);
    assert_non_null(strstr(err.text, "cannot make the folder"));
    work_file_free(&file);
}

/* ---- the watch ---- */

/* What is said within `ms`: as the loop would ask, time passing as it does. */
static bool ready_within(struct watch *watch, int ms)
{
    for (int64_t end = clock_ms() + ms; clock_ms() < end;) {
        struct pollfd fd = {.fd = watch->fd, .events = POLLIN};
        poll(&fd, 1, 10);
        watch_take(watch, clock_ms());
        if (watch_ready(watch, clock_ms()))
            return true;
    }
    return false;
}

static struct watch watch_file(const struct work_file *file)
{
    struct watch watch;
    work_watch_open(&watch, file, clock_ms());
    struct work_stamp stamp = work_file_stamp(file);
    work_watch_read(&watch, &stamp);
    return watch;
}

static void a_save_is_seen_when_it_is_whole(void **state)
{
    (void)state;
    struct work_file file = make_file();
    struct watch watch = watch_file(&file);
    assert_true(watch.fd >= 0);
    assert_true(fcntl(watch.fd, F_GETFD) & FD_CLOEXEC);
    assert_false(ready_within(&watch, 100));
    int fd = open(file.path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(fd, "half", 4), 4);
    assert_false(ready_within(&watch, 300)); /* it is still open */
    close(fd);
    assert_true(ready_within(&watch, 500));
    struct work_stamp stamp = work_file_stamp(&file);
    work_watch_read(&watch, &stamp);
    char other[300];
    snprintf(other, sizeof other, "%s/4913", file.folder);
    app_write(other, mended);
    assert_false(ready_within(&watch, 200));
    assert_int_equal(rename(other, file.path), 0);
    assert_true(ready_within(&watch, 500));
    watch_close(&watch);
    work_file_free(&file);
}

static void without_a_watch_the_stamp_tells(void **state)
{
    (void)state;
    struct work_file file = make_file();
    struct watch watch = watch_file(&file);
    char aside[300];
    snprintf(aside, sizeof aside, "%s.moved", file.folder);
    assert_int_equal(rename(file.folder, aside), 0);
    assert_int_equal(mkdir(file.folder, 0700), 0); /* another folder: what happens in it the watch does not see */
    app_write(file.path, mended);
    assert_true(ready_within(&watch, 2500));
    watch_close(&watch);
    work_file_free(&file);
}

static uint64_t state_of_things;

static uint64_t told_stamp(const void *what)
{
    (void)what;
    return state_of_things;
}

static void no_folders(const void *what, struct watch *watch)
{
    (void)what;
    watch_folder(watch, "/proc/self/no-such-folder", 0);
}

static bool nothing_concerns(const void *what, int folder, const char *name)
{
    (void)what, (void)folder, (void)name;
    return false;
}

static void where_nothing_can_be_watched_two_looks_must_agree(void **state)
{
    (void)state;
    struct watch watch;
    watch_open(&watch, &(struct watched){NULL, told_stamp, no_folders, nothing_concerns}, 0);
    assert_int_equal(watch.fd, -1);
    watch_read(&watch, state_of_things);
    assert_int_equal(watch_due(&watch), 1000);
    assert_false(watch_ready(&watch, 1000));
    state_of_things = 1;
    assert_false(watch_ready(&watch, 1999));
    assert_false(watch_ready(&watch, 2000));
    state_of_things = 2; /* it is still being written */
    assert_int_equal(watch_due(&watch), 2040);
    assert_false(watch_ready(&watch, 2040));
    assert_false(watch_ready(&watch, 2079));
    assert_true(watch_ready(&watch, 2080));
    watch_read(&watch, state_of_things);
    assert_false(watch_ready(&watch, 3000));
    watch_close(&watch);
}

/* ---- the work ---- */

static struct course *course;
static struct store *store;
static uint64_t number = 1;

static int open_course(void **state)
{
    if (app_enter_folder(state) != 0)
        return -1;
    app_write("course/course.lua", "course");
    app_write("course/one.lua", "one");
    app_write("course/two.lua", "two");
    store = store_open("progress.db");
    if (!store || course_new_folder(&course, "course", "course", true, NULL) != 0)
        return -1;
    course_take(course, -1, app_course_scene(), NULL);
    course_take(course, 0, app_code_lesson(), NULL);
    return 0;
}

static int close_course(void **state)
{
    course_free(course);
    store_close(store);
    return app_leave_folder(state);
}

/* Sends the session's request; the engine's answer. */
static enum session_took turn_around(struct session *s)
{
    struct request request;
    session_request(s, &request);
    session_sent(s, ++number);
    return session_take(s, app_code_reply(&request, number, start), NULL);
}

static struct work *open_work(struct session *s, enum work_news news)
{
    struct work *work = NULL;
    struct error err = {0};
    assert_int_equal(session_open(s, course, 0, store, NULL), 0);
    assert_true(session_goto(s, "mean"));
    turn_around(s);
    assert_int_equal(work_open(&work, "work", s, clock_ms(), &err), news);
    if (news == WORK_SEND)
        turn_around(s);
    return work;
}

static void close_work(struct session *s, struct work *work)
{
    work_close(&work);
    session_close(s);
}

static enum work_news save(struct work *work, struct session *s, const char *text)
{
    struct error err = {0};
    app_write(work_path(work), text);
    enum work_news news = WORK_NOTHING;
    for (int64_t end = clock_ms() + 300; clock_ms() < end && news == WORK_NOTHING;) {
        struct pollfd fd = {.fd = work_fd(work), .events = POLLIN};
        poll(&fd, 1, 10);
        work_take(work, clock_ms());
        news = work_look(work, s, clock_ms(), &err);
    }
    return news;
}

static uint32_t tries(void)
{
    struct store_step *steps;
    size_t count;
    uint32_t found = 0;
    assert_int_equal(store_steps(store, "norms", "one", &steps, &count), 0);
    for (size_t i = 0; i < count; i++)
        if (strcmp(steps[i].step, "mean") == 0)
            found = steps[i].tries;
    store_steps_free(steps, count);
    return found;
}

static void each_save_is_probed_on_fresh_inputs(void **state)
{
    (void)state;
    struct session s;
    struct work *work = open_work(&s, WORK_NOTHING);
    holds(work_path(work), start);
    assert_null(s.inputs.answer);
    assert_int_equal(save(work, &s, start), WORK_NOTHING); /* the same text */
    assert_int_equal(save(work, &s, "wrong"), WORK_SEND);
    assert_string_equal(s.inputs.answer, "wrong");
    uint64_t run = s.inputs.run;
    assert_true(run != 0);
    turn_around(&s);
    assert_int_equal(session_question(&s)->verdict, VERDICT_WRONG);
    assert_int_equal(tries(), 1);
    assert_int_equal(work_probe(work, &s, false, NULL), WORK_SEND);
    assert_true(s.inputs.run != run);
    turn_around(&s);
    assert_int_equal(tries(), 1); /* the same program with the same verdict is no other answer */
    assert_int_equal(work_probe(work, &s, true, NULL), WORK_NOTHING);
    assert_int_equal(save(work, &s, "what"), WORK_SEND);
    turn_around(&s);
    assert_int_equal(session_question(&s)->verdict, VERDICT_UNREAD);
    assert_int_equal(tries(), 1);
    assert_int_equal(save(work, &s, mended), WORK_SEND);
    turn_around(&s);
    assert_true(session_question(&s)->final);
    assert_int_equal(tries(), 2);
    assert_true(s.settled[1]);
    close_work(&s, work);
}

static void the_newest_save_wins(void **state)
{
    (void)state;
    struct session s;
    struct request first;
    struct work *work = open_work(&s, WORK_NOTHING);
    assert_int_equal(session_probe(&s, mended, NULL), 0);
    session_request(&s, &first);
    session_sent(&s, ++number);
    struct scene *late = app_code_reply(&first, number, start);
    assert_int_equal(session_probe(&s, "wrong", NULL), 0);
    assert_true(session_judging(&s));
    assert_int_equal(session_take(&s, late, NULL), SESSION_SHOW);
    assert_true(session_judging(&s));
    assert_int_equal(tries(), 0);
    turn_around(&s);
    assert_false(session_judging(&s));
    assert_int_equal(session_question(&s)->verdict, VERDICT_WRONG);
    assert_int_equal(tries(), 1);
    for (int i = 0; i < 50; i++) { /* each text lives as long as something points at it */
        char text[32];
        snprintf(text, sizeof text, "wrong %d", i);
        assert_int_equal(session_probe(&s, text, NULL), 0);
        if (i % 3)
            turn_around(&s);
        if (i % 7 == 0)
            session_failed(&s);
    }
    assert_int_equal(session_probe(&s, "wrong 49", NULL), 0);
    turn_around(&s);
    assert_string_equal(session_question(&s)->code->text, "wrong 49");
    close_work(&s, work);
}

static void what_was_mended_yesterday_is_probed_today(void **state)
{
    (void)state;
    struct session s;
    struct work *work = open_work(&s, WORK_NOTHING);
    assert_int_equal(save(work, &s, "wrong"), WORK_SEND);
    turn_around(&s);
    close_work(&s, work);
    work = open_work(&s, WORK_SEND);
    assert_string_equal(s.inputs.answer, "wrong");
    assert_int_equal(tries(), 1);
    app_write(work_path(work), mended); /* while no tutor looks */
    close_work(&s, work);
    work = open_work(&s, WORK_SEND);
    assert_string_equal(s.inputs.answer, mended);
    assert_int_equal(session_question(&s)->verdict, VERDICT_RIGHT);
    assert_int_equal(tries(), 2);
    close_work(&s, work);
}

static void starting_over_is_no_answer(void **state)
{
    (void)state;
    struct session s;
    struct error err = {0};
    struct work *work = open_work(&s, WORK_NOTHING);
    assert_int_equal(save(work, &s, "wrong"), WORK_SEND);
    turn_around(&s);
    assert_int_equal(work_start_over(work, &s, &err), WORK_SEND);
    assert_non_null(strstr(err.text, "beside it as layer_norm.lua~."));
    turn_around(&s);
    assert_null(s.inputs.answer);
    assert_int_equal(tries(), 1);
    holds(work_path(work), start);
    assert_int_equal(work_look(work, &s, clock_ms() + 5000, &err), WORK_NOTHING);
    close_work(&s, work);
    work = open_work(&s, WORK_SEND); /* the answer that the store remembers is no longer the file's */
    assert_null(s.inputs.answer);
    close_work(&s, work);
}

static void what_was_given_up_is_not_probed(void **state)
{
    (void)state;
    struct session s;
    struct error err = {0};
    struct work *work = open_work(&s, WORK_NOTHING);
    assert_true(session_give_up(&s));
    turn_around(&s);
    assert_int_equal(save(work, &s, mended), WORK_SAY);
    assert_int_equal(work_probe(work, &s, false, &err), WORK_SAY);
    assert_non_null(strstr(err.text, "The answer is shown already"));
    holds(work_path(work), mended);
    close_work(&s, work);
    work = open_work(&s, WORK_NOTHING);
    close_work(&s, work);
}

static void a_file_that_is_gone_is_waited_for(void **state)
{
    (void)state;
    struct session s;
    struct error err = {0};
    struct work *work = open_work(&s, WORK_NOTHING);
    int64_t now = clock_ms() + 2000;
    assert_int_equal(unlink(work_path(work)), 0);
    work_take(work, now);
    enum work_news news = WORK_NOTHING;
    int64_t end = now;
    for (; news == WORK_NOTHING && end < now + 5000; end += 50)
        news = work_look(work, &s, end, &err);
    assert_int_equal(news, WORK_SAY);
    assert_true(end - now >= 1000);
    assert_non_null(strstr(err.text, "is gone"));
    for (int i = 0; i < 100; i++)
        assert_int_equal(work_look(work, &s, end += 50, &err), WORK_NOTHING); /* said once */
    app_write(work_path(work), mended);
    news = WORK_NOTHING;
    for (int i = 0; i < 40 && news == WORK_NOTHING; i++)
        news = work_look(work, &s, end += 50, &err);
    assert_int_equal(news, WORK_SEND);
    close_work(&s, work);
}

static void what_the_tutor_saved_is_not_probed(void **state)
{
    (void)state;
    struct session s;
    struct error err = {0};
    char path[300];
    struct work *work = open_work(&s, WORK_NOTHING);
    assert_string_equal(work_text(work), start);
    assert_int_equal(work_save(work, "typed", &err), 0);
    assert_string_equal(err.text, "");
    assert_string_equal(work_text(work), "typed");
    assert_int_equal(save(work, &s, "typed"), WORK_NOTHING);
    assert_int_equal(save(work, &s, "saved by another"), WORK_SEND);
    assert_string_equal(work_text(work), "saved by another");
    turn_around(&s);
    assert_int_equal(work_save(work, "typed on", &err), 0);
    assert_int_equal(work_probe(work, &s, false, &err), WORK_SEND);
    assert_string_equal(s.inputs.answer, "typed on");
    turn_around(&s);

    app_write(work_path(work), "typed on"); /* as it was */
    assert_int_equal(work_save(work, "and on", &err), 0);
    assert_string_equal(err.text, "");
    app_write(work_path(work), "theirs");
    assert_int_equal(work_save(work, "mine", &err), 0);
    assert_non_null(strstr(err.text, "the other text lies beside it as layer_norm.lua~."));
    snprintf(path, sizeof path, "%s~", work_path(work));
    holds(path, "theirs");
    holds(work_path(work), "mine");
    close_work(&s, work);
}

static void without_a_folder_there_is_no_file(void **state)
{
    (void)state;
    struct session s;
    struct error err = {0};
    struct work *work = NULL;
    assert_int_equal(session_open(&s, course, 0, store, NULL), 0);
    assert_true(session_goto(&s, "mean"));
    turn_around(&s);
    assert_int_equal(work_open(&work, NULL, &s, 0, &err), WORK_SAY);
    assert_string_equal(work_shown(work), "");
    assert_null(work_path(work));
    err.text[0] = '\0';
    assert_int_equal(work_probe(work, &s, false, &err), WORK_SAY);
    assert_non_null(strstr(err.text, "your program has no file: "));
    assert_int_equal(work_open(&work, NULL, &s, 0, &err), WORK_NOTHING);
    close_work(&s, work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(other_numbers_have_another_file, app_enter_folder, app_leave_folder),
        cmocka_unit_test(no_path_is_made_of_other_names),
        cmocka_unit_test_setup_teardown(the_home_is_a_tilde, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(it_is_made_once_and_never_overwritten, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(no_link_is_followed, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(what_is_no_text_is_told, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(starting_over_keeps_every_text, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(a_save_takes_the_place_of_the_file_that_is_known, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(a_save_that_fails_leaves_the_file_as_it_was, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_made_is_told, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(a_save_is_seen_when_it_is_whole, app_enter_folder, app_leave_folder),
        cmocka_unit_test_setup_teardown(without_a_watch_the_stamp_tells, app_enter_folder, app_leave_folder),
        cmocka_unit_test(where_nothing_can_be_watched_two_looks_must_agree),
        cmocka_unit_test_setup_teardown(each_save_is_probed_on_fresh_inputs, open_course, close_course),
        cmocka_unit_test_setup_teardown(the_newest_save_wins, open_course, close_course),
        cmocka_unit_test_setup_teardown(what_was_mended_yesterday_is_probed_today, open_course, close_course),
        cmocka_unit_test_setup_teardown(starting_over_is_no_answer, open_course, close_course),
        cmocka_unit_test_setup_teardown(what_was_given_up_is_not_probed, open_course, close_course),
        cmocka_unit_test_setup_teardown(a_file_that_is_gone_is_waited_for, open_course, close_course),
        cmocka_unit_test_setup_teardown(what_the_tutor_saved_is_not_probed, open_course, close_course),
        cmocka_unit_test_setup_teardown(without_a_folder_there_is_no_file, open_course, close_course),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
