/* The folder of installed courses: whole courses or none, whatever happens between, and nothing outside is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "archive/shelf.h"
#include "base/path.h"

static char folder[] = "/tmp/test_shelf.XXXXXX";
static struct error err;
static bool no_exchange;

/* As on a file system that cannot exchange two names. */
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (no_exchange) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") || system(command);
}

static int clear(void **state)
{
    (void)state;
    no_exchange = false;
    return system("rm -rf data");
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char *found;
    size_t length;
    if (path_read(path, 1000, &found, &length, &err) != 0)
        fail_msg("%s", err.text);
    assert_string_equal(found, text);
    free(found);
}

static void assert_gone(const char *path)
{
    struct stat at;
    assert_int_equal(lstat(path, &at), -1);
}

static size_t entries(const char *path)
{
    DIR *open = opendir(path);
    size_t count = 0;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open);
    return count;
}

static void open_shelf(struct shelf *shelf)
{
    if (shelf_open(shelf, "data/normtutor/courses", &err) != 0)
        fail_msg("%s", err.text);
}

static void stage(struct shelf *shelf, const char *text)
{
    struct tar_file files[] = {{"course.lua", text, strlen(text)}, {"files/a/b", "deep", 4}, {"files/a/c", "", 0}};
    struct package package = {.files = files, .count = 3};
    char *path;
    if (shelf_stage(shelf, &package, &path, &err) != 0)
        fail_msg("%s", err.text);
    assert_non_null(strstr(path, "courses/.new-"));
    free(path);
}

static void place(const char *text)
{
    struct shelf shelf;
    open_shelf(&shelf);
    stage(&shelf, text);
    assert_int_equal(shelf_place(&shelf, "blocks", &err), 0);
    shelf_close(&shelf);
    assert_holds("data/normtutor/courses/blocks/course.lua", text);
    assert_holds("data/normtutor/courses/blocks/files/a/b", "deep");
    assert_int_equal(entries("data/normtutor/courses"), 1);
}

static void one_after_the_other(void **state)
{
    (void)state;
    place("one");
    put("data/normtutor/courses/blocks/own.txt", "mine");
    place("two");
    assert_gone("data/normtutor/courses/blocks/own.txt");
    no_exchange = true;
    place("three");
}

static void what_is_not_placed_leaves_nothing(void **state)
{
    struct shelf shelf;
    (void)state;
    open_shelf(&shelf);
    stage(&shelf, "one");
    shelf_close(&shelf);
    assert_gone("data/normtutor");
    place("two");
    open_shelf(&shelf);
    stage(&shelf, "three");
    shelf_close(&shelf);
    assert_holds("data/normtutor/courses/blocks/course.lua", "two");
    assert_int_equal(entries("data/normtutor/courses"), 1);
}

static void between_the_two_steps(void **state)
{
    struct shelf shelf;
    (void)state;
    place("one");
    assert_int_equal(rename("data/normtutor/courses/blocks", "data/normtutor/courses/.old-blocks"), 0);
    open_shelf(&shelf);
    shelf_close(&shelf);
    assert_holds("data/normtutor/courses/blocks/course.lua", "one");
    assert_int_equal(system("cp -r data/normtutor/courses/blocks data/normtutor/courses/.old-blocks"), 0);
    put("data/normtutor/courses/blocks/course.lua", "two");
    open_shelf(&shelf);
    shelf_close(&shelf);
    assert_holds("data/normtutor/courses/blocks/course.lua", "two");
    assert_int_equal(entries("data/normtutor/courses"), 1);
}

static void only_one_has_it(void **state)
{
    struct shelf shelf, other;
    (void)state;
    open_shelf(&shelf);
    assert_int_equal(shelf_open(&other, "data/normtutor/courses", &err), -1);
    assert_non_null(strstr(err.text, "another normtutor"));
    stage(&shelf, "one");
    shelf_close(&shelf);
    open_shelf(&other);
    shelf_close(&other);
}

static void links_are_not_followed(void **state)
{
    struct shelf shelf;
    (void)state;
    assert_int_equal(system("mkdir -p canary/in && echo mine > canary/in/x"), 0);
    place("one");
    assert_int_equal(symlink("../../../../canary", "data/normtutor/courses/blocks/out"), 0);
    assert_int_equal(symlink("../../../canary", "data/normtutor/courses/linked"), 0);
    assert_int_equal(symlink("../../../canary", "data/normtutor/courses/.gone-1"), 0);
    assert_int_equal(symlink("../../../canary", "data/normtutor/courses/.new-1"), 0);
    open_shelf(&shelf);
    assert_int_equal(shelf_look(&shelf, "blocks"), SHELF_FOLDER);
    assert_int_equal(shelf_look(&shelf, "linked"), SHELF_OTHER);
    assert_int_equal(shelf_look(&shelf, "none"), SHELF_NOTHING);
    assert_int_equal(shelf_remove(&shelf, "blocks", &err), 0);
    assert_int_equal(shelf_remove(&shelf, "linked", &err), -1);
    assert_int_equal(shelf_remove(&shelf, "none", &err), -1);
    shelf_close(&shelf);
    assert_gone("data/normtutor/courses/blocks");
    assert_holds("canary/in/x", "mine\n");
    assert_int_equal(entries("canary"), 1);
    assert_int_equal(system("rm -r canary"), 0);
}

static void a_folder_that_cannot_be_written(void **state)
{
    struct shelf shelf;
    (void)state;
    put("data", "in the way");
    assert_int_equal(shelf_open(&shelf, "data/normtutor/courses", &err), -1);
    assert_non_null(strstr(err.text, "data"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(one_after_the_other, clear),
        cmocka_unit_test_teardown(what_is_not_placed_leaves_nothing, clear),
        cmocka_unit_test_teardown(between_the_two_steps, clear),
        cmocka_unit_test_teardown(only_one_has_it, clear),
        cmocka_unit_test_teardown(links_are_not_followed, clear),
        cmocka_unit_test_teardown(a_folder_that_cannot_be_written, clear),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
