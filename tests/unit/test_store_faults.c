/* Progress when the file cannot be opened, written or trusted: said once, in words, and nothing is lost. */
#include "store_help.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <time.h>

#include "store/file.h"

/* Root may write anywhere, so root becomes somebody else. */
static void become_ordinary(void)
{
    if (geteuid() == 0)
        assert_int_equal(seteuid(65534), 0);
}

static int become_oneself(void)
{
    return seteuid(getuid());
}

static int leave(void **state)
{
    return become_oneself() || leave_folder(state);
}

static void with_answers(const char *path, int count)
{
    struct store *store = open_well(path);
    char words[32];
    for (int i = 0; i < count; i++) {
        snprintf(words, sizeof words, "answer %d", i);
        assert_int_equal(add(store, "old", words, STORE_WRONG), 0);
    }
    store_close(store);
}

static void write_bytes(const char *path, off_t at, const char *bytes, size_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, length, at), (ssize_t)length);
    close(fd);
}

static void copy_file(const char *from, const char *to)
{
    char command[600];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
}

/* Everything works, in memory; it has been said why. */
static void assert_goes_on(struct store *store)
{
    struct store_place place;
    void *bytes;
    size_t length;
    assert_int_equal(store_lesson_place(store, "course", "new", &place), 0);
    uint64_t seed = place.seed;
    store_place_free(&place);
    assert_int_equal(store_set_place(store, "course", "new", "second", 1), -1);
    assert_int_equal(store_lesson_place(store, "course", "new", &place), 0);
    assert_true(place.seed == seed);
    assert_string_equal(place.step, "second");
    store_place_free(&place);
    assert_int_equal(add(store, "new", "in memory", STORE_WRONG), -1);
    assert_int_equal(add(store, "new", "in memory too", STORE_RIGHT), -1);
    struct store_step *step = step_of(store, "new");
    assert_int_equal(step->tries, 2);
    assert_true(step->right);
    assert_string_equal(step->last_answer, "in memory too");
    store_steps_free(step, 1);
    assert_int_equal(store_catalogue_put(store, "a.lua", "1", "x", 1), -1);
    assert_int_equal(store_catalogue_get(store, "a.lua", "1", &bytes, &length), 0);
    free(bytes);
    assert_no_trouble(store);
}

static void opens_in_memory(const char *path, const char *words)
{
    struct store *store = store_open(path);
    assert_non_null(store);
    assert_trouble(store, words);
    assert_no_trouble(store);
    assert_goes_on(store);
    store_close(store);
}

static void what_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0700), 0);
    opens_in_memory("folder", "is a folder");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    alarm(10);
    opens_in_memory("pipe", "not a regular file");
    alarm(0);
    opens_in_memory("/dev/null", "not a regular file");
    write_bytes("file", 0, "x", 1);
    opens_in_memory("file/below/progress.db", "file is not a folder");
    assert_int_equal(symlink("missing/nowhere", "dangling"), 0);
    opens_in_memory("dangling", "link that leads nowhere");
    assert_int_equal(symlink("ring", "ring"), 0);
    opens_in_memory("ring", "symbolic links");
}

static void a_link_to_a_file(void **state)
{
    (void)state;
    struct stat what;
    assert_int_equal(mkdir("real", 0700), 0);
    with_answers("real/" DB, 3);
    assert_int_equal(symlink("real/" DB, "link"), 0);
    with_answers("link", 2);
    assert_int_equal(answers_in("real/" DB), 5);
    assert_int_equal(lstat("link", &what), 0);
    assert_true(S_ISLNK(what.st_mode));
}

static void no_home(void **state)
{
    (void)state;
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "/proc/nowhere", 1);
    opens_in_memory(NULL, "/proc/nowhere");
    unsetenv("HOME");
}

static void unwritable_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir("shut", 0555), 0);
    become_ordinary();
    opens_in_memory("shut/" DB, "Permission denied");
    opens_in_memory("shut/below/" DB, "Permission denied");
    assert_int_equal(become_oneself(), 0);
}

static void read_only(const char *path, const char *folder)
{
    with_answers(path, 3);
    copy_file(path, "before");
    assert_int_equal(chmod(path, 0444), 0);
    if (folder)
        assert_int_equal(chmod(folder, 0555), 0);
    become_ordinary();
    struct store *store = store_open(path);
    assert_trouble(store, "can be read but not written");
    assert_no_trouble(store);
    assert_int_equal(tries(store, "old"), 3);
    assert_goes_on(store);
    assert_int_equal(add(store, "old", "4", STORE_RIGHT), -1);
    assert_int_equal(tries(store, "old"), 4);
    assert_int_equal(become_oneself(), 0);
    assert_true(same_bytes(path, "before"));

    if (folder)
        assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(add(store, "old", "5", STORE_RIGHT), 0);
    assert_trouble(store, "saved again");
    assert_no_trouble(store);
    assert_int_equal(tries(store, "old"), 5);
    store_close(store);
    assert_int_equal(answers_in(path), 7);
}

static void read_only_file(void **state)
{
    (void)state;
    assert_int_equal(mkdir("open", 0777), 0);
    assert_int_equal(chmod("open", 0777), 0);
    read_only("open/" DB, NULL);
}

static void read_only_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir("% strange?#", 0755), 0);
    read_only("% strange?#/" DB, "% strange?#");
}

/* ---- a full disk ---- */

static int fill(const char *path)
{
    static const char zeros[4096];
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    while (write(fd, zeros, sizeof zeros) > 0)
        ;
    return close(fd);
}

static int mount_small(void **state)
{
    return enter_folder(state) || mkdir("small", 0755);
}

static int unmount_small(void **state)
{
    umount2("small", MNT_DETACH);
    return leave(state);
}

static void mount_or_skip(void)
{
    if (mount("none", "small", "tmpfs", 0, "size=512k")) {
        print_message("skipped: a small disk to fill takes a right to mount\n");
        skip();
    }
}

static void disk_fills_up(void **state)
{
    (void)state;
    mount_or_skip();
    with_answers("small/" DB, 3);
    struct store *store = open_well("small/" DB);
    fill("small/filler");
    int kept = 0, total = 400;
    for (int i = 0; i < total; i++)
        kept += add(store, "old", "1", STORE_WRONG) == 0;
    assert_true(kept < total);
    assert_trouble(store, "the disk is full");
    assert_no_trouble(store);
    assert_int_equal(tries(store, "old"), total + 3);
    assert_goes_on(store);
    assert_int_equal(unlink("small/filler"), 0);
    assert_int_equal(add(store, "old", "1", STORE_RIGHT), 0);
    assert_trouble(store, "saved again");
    assert_no_trouble(store);
    assert_int_equal(tries(store, "old"), total + 4);
    store_close(store);
    assert_int_equal(answers_in("small/" DB), total + 4 + 2);
    assert_int_equal(raw_number("small/" DB, "SELECT count(*) FROM place WHERE step = 'second'"), 1);
}

static void disk_is_full_from_the_start(void **state)
{
    (void)state;
    mount_or_skip();
    fill("small/filler");
    struct store *store = store_open("small/" DB);
    assert_trouble(store, "the disk is full");
    assert_no_trouble(store);
    assert_goes_on(store);
    assert_int_equal(unlink("small/filler"), 0);
    store_close(store); /* tries once more */
    assert_int_equal(answers_in("small/" DB), 2);
}

static void old_answers_show_on_a_full_disk(void **state)
{
    (void)state;
    mount_or_skip();
    with_answers("small/" DB, 3);
    fill("small/filler");
    struct store *store = store_open("small/" DB);
    assert_trouble(store, "the disk is full");
    assert_int_equal(tries(store, "old"), 3);
    assert_int_equal(unlink("small/filler"), 0);
    assert_int_equal(add(store, "old", "1", STORE_RIGHT), 0);
    store_close(store);
    assert_int_equal(answers_in("small/" DB), 4);
}

/* Needs no rights: files may not grow past a limit. */
static void file_may_not_grow(void **state)
{
    (void)state;
    struct rlimit usual, tight;
    with_answers(DB, 3);
    struct store *store = open_well(DB);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    tight = usual;
    tight.rlim_cur = 64 * 1024;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    int kept = 0, total = 1000;
    for (int i = 0; i < total; i++)
        kept += add(store, "old", "1", STORE_WRONG) == 0;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_true(kept > 0 && kept < total);
    assert_trouble(store, "Progress is not saved");
    assert_no_trouble(store);
    assert_int_equal(tries(store, "old"), total + 3);
    store_close(store);
    assert_int_equal(answers_in(DB), total + 3);
}

/* ---- a locked file ---- */

static sqlite3 *lock(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(DB, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    return db;
}

static void locked_from_the_start(void **state)
{
    (void)state;
    with_answers(DB, 3);
    raw_run(DB, "INSERT INTO place VALUES ('course', 'new', 99, 'stored', 1, 1, 1)");
    sqlite3 *other = lock("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; SELECT * FROM answer");
    struct store *store = store_open(DB);
    assert_trouble(store, "locked");
    assert_no_trouble(store);
    assert_goes_on(store);
    sqlite3_close(other);
    assert_int_equal(tries(store, "old"), 3);
    assert_trouble(store, "saved again");
    assert_no_trouble(store);
    assert_int_equal(add(store, "old", "1", STORE_RIGHT), 0);
    store_close(store);
    assert_int_equal(answers_in(DB), 6);
    /* What could not be read was not written over. */
    assert_int_equal(
        raw_number(DB, "SELECT count(*) FROM place WHERE lesson = 'new' AND seed = 99 AND step = 'stored'"),
        1);
}

static void locked_meanwhile(void **state)
{
    (void)state;
    with_answers(DB, 3);
    struct store *store = open_well(DB);
    sqlite3 *other = lock("BEGIN IMMEDIATE");
    assert_int_equal(tries(store, "old"), 3);
    assert_int_equal(add(store, "old", "1", STORE_RIGHT), -1);
    assert_trouble(store, "locked");
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    assert_goes_on(store); /* without waiting each time */
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - start.tv_sec < 2);
    sqlite3_close(other);
    store_close(store);
    assert_int_equal(answers_in(DB), 6);
    assert_int_equal(raw_number(DB, "SELECT count(*) FROM place WHERE step = 'second'"), 1);
}

/* ---- damage ---- */

/* The one file put aside; the caller frees. */
static char *aside(void)
{
    glob_t found;
    assert_int_equal(glob(DB ".damaged-*[0-9]", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    char *name = strdup(found.gl_pathv[0]);
    globfree(&found);
    return name;
}

static void assert_put_aside(struct store *store, const char *copy)
{
    char *name = aside();
    const char *said = store_trouble(store);
    assert_non_null(said);
    assert_non_null(strstr(said, name));
    assert_non_null(strstr(said, "damaged"));
    assert_no_trouble(store);
    assert_true(same_bytes(name, copy));
    free(name);
    assert_int_equal(add(store, "new", "1", STORE_RIGHT), 0);
    assert_int_equal(tries(store, "new"), 1);
}

static void not_a_database(void **state)
{
    (void)state;
    char rubbish[5000];
    memset(rubbish, 'x', sizeof rubbish);
    write_bytes(DB, 0, rubbish, sizeof rubbish);
    copy_file(DB, "before");
    struct store *store = store_open(DB);
    assert_put_aside(store, "before");
    store_close(store);
    assert_int_equal(answers_in(DB), 1);
}

static void damaged_in_the_middle(void **state)
{
    (void)state;
    enum { PAGE = 4096 };
    char rubbish[PAGE];
    struct stat what;
    with_answers(DB, 1000);
    assert_int_equal(stat(DB, &what), 0);
    memset(rubbish, 0xa5, sizeof rubbish);
    for (off_t page = what.st_size / PAGE / 2; page < what.st_size / PAGE / 2 + 4; page++)
        write_bytes(DB, page * PAGE, rubbish, sizeof rubbish);
    copy_file(DB, "before");

    struct store *store = open_well(DB); /* the first pages are sound */
    uint32_t read = tries(store, "old");
    assert_in_range(read, 500, 999);
    assert_put_aside(store, "before");
    store_close(store);
    assert_int_equal(answers_in(DB), read + 1);
    assert_int_equal(raw_number(DB, "SELECT count(*) FROM answer WHERE answer IN ('answer 0', 'answer 999')"),
                     2);
}

static void cut_short(void **state)
{
    (void)state;
    struct stat what;
    with_answers(DB, 500);
    assert_int_equal(stat(DB, &what), 0);
    assert_int_equal(truncate(DB, what.st_size / 2 + 77), 0);
    copy_file(DB, "before");
    struct store *store = store_open(DB);
    assert_put_aside(store, "before");
    store_close(store);
    assert_in_range(answers_in(DB), 100, 500);
}

static void emptied(void **state)
{
    (void)state;
    with_answers(DB, 3);
    assert_int_equal(truncate(DB, 0), 0);
    struct store *store = open_well(DB);
    assert_int_equal(add(store, "new", "1", STORE_RIGHT), 0);
    store_close(store);
    assert_int_equal(answers_in(DB), 1);
}

static void damaged_and_fixed_in_place(void **state)
{
    (void)state;
    assert_int_equal(mkdir("shut", 0755), 0);
    write_bytes("shut/" DB, 0, "rubbish that is no database", 27);
    assert_int_equal(chmod("shut/" DB, 0666), 0);
    copy_file("shut/" DB, "before");
    assert_int_equal(chmod("shut", 0555), 0);
    become_ordinary();
    opens_in_memory("shut/" DB, "cannot be put aside");
    assert_int_equal(become_oneself(), 0);
    assert_true(same_bytes("shut/" DB, "before"));
}

/* Whoever comes second must leave the first one's new file alone. */
static void only_the_damaged_file_is_put_aside(void **state)
{
    (void)state;
    struct error err;
    struct file_id id;
    char *name;
    write_bytes(DB, 0, "rubbish", 7);
    assert_int_equal(file_make(DB, &id, &err), 0);
    assert_int_equal(file_put_aside(DB, &id, &name, &err), 0);
    assert_non_null(name);
    free(name);
    with_answers(DB, 1);
    assert_int_equal(file_put_aside(DB, &id, &name, &err), 0);
    assert_null(name);
    assert_int_equal(answers_in(DB), 1);
}

static void many_find_the_damage_at_once(void **state)
{
    (void)state;
    enum { TUTORS = 6, ANSWERS = 5 };
    for (int round = 0; round < 10; round++) {
        pid_t tutors[TUTORS];
        assert_int_equal(system("rm -f " DB "*"), 0);
        write_bytes(DB, 0, "rubbish that is no database", 27);
        for (int t = 0; t < TUTORS; t++) {
            if ((tutors[t] = fork()) != 0)
                continue;
            struct store *store = store_open(DB);
            for (int i = 0; store && i < ANSWERS; i++)
                add(store, "quiz", "1", STORE_RIGHT);
            store_close(store);
            _exit(store ? 0 : 1);
        }
        for (int t = 0; t < TUTORS; t++)
            assert_int_equal(wait_for(tutors[t]), 0);
        free(aside());
        assert_int_equal(answers_in(DB), TUTORS * ANSWERS);
    }
}

/* ---- somebody else's file ---- */

static void newer_is_not_touched(void **state)
{
    (void)state;
    static const char *const modes[] = {"PRAGMA journal_mode=DELETE", "PRAGMA journal_mode=WAL"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(system("rm -f " DB "*"), 0);
        with_answers(DB, 3);
        raw_run(DB, modes[i]);
        raw_run(DB, "PRAGMA user_version=9999");
        copy_file(DB, "before");
        opens_in_memory(DB, "a newer normtutor wrote it");
        assert_true(same_bytes(DB, "before"));
        assert_int_equal(answers_in(DB), 3);
    }
}

static void anothers_is_not_touched(void **state)
{
    (void)state;
    raw_run(DB, "CREATE TABLE recipes (soup TEXT)");
    copy_file(DB, "before");
    opens_in_memory(DB, "another program");
    assert_true(same_bytes(DB, "before"));
}

/* ---- the file goes away ---- */

static void moved_away(void **state)
{
    (void)state;
    struct store *store = open_well(DB);
    assert_int_equal(add(store, "old", "1", STORE_WRONG), 0);
    assert_int_equal(rename(DB, "elsewhere.db"), 0);
    assert_int_equal(add(store, "old", "2", STORE_RIGHT), 0);
    assert_trouble(store, "moved or deleted");
    assert_no_trouble(store);
    assert_int_equal(add(store, "old", "3", STORE_RIGHT), 0);
    assert_no_trouble(store);
    assert_int_equal(tries(store, "old"), 3);
    store_close(store);
    assert_int_equal(answers_in(DB), 3);
}

static void folder_deleted(void **state)
{
    (void)state;
    struct store *store = open_well("state/normtutor/" DB);
    assert_int_equal(add(store, "old", "1", STORE_WRONG), 0);
    assert_int_equal(system("rm -r state"), 0);
    assert_int_equal(add(store, "old", "2", STORE_RIGHT), 0);
    assert_trouble(store, "moved or deleted");
    store_close(store);
    assert_int_equal(answers_in("state/normtutor/" DB), 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave)
#define TEST_SMALL(f) cmocka_unit_test_setup_teardown(f, mount_small, unmount_small)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_file),
        TEST(a_link_to_a_file),
        TEST(no_home),
        TEST(unwritable_folder),
        TEST(read_only_file),
        TEST(read_only_folder),
        TEST_SMALL(disk_fills_up),
        TEST_SMALL(disk_is_full_from_the_start),
        TEST_SMALL(old_answers_show_on_a_full_disk),
        TEST(file_may_not_grow),
        TEST(locked_from_the_start),
        TEST(locked_meanwhile),
        TEST(not_a_database),
        TEST(damaged_in_the_middle),
        TEST(cut_short),
        TEST(emptied),
        TEST(damaged_and_fixed_in_place),
        TEST(only_the_damaged_file_is_put_aside),
        TEST(many_find_the_damage_at_once),
        TEST(newer_is_not_touched),
        TEST(anothers_is_not_touched),
        TEST(moved_away),
        TEST(folder_deleted),
    };
    return cmocka_run_group_tests_name("store faults", tests, NULL, NULL);
}
