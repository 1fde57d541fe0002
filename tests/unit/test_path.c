/* Where things are found, and what is refused as a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#endif

static char folder[] = "/tmp/test_path.XXXXXX";
static char room[512];

static const char *in_folder(const char *name)
{
    snprintf(room, sizeof room, "%s/%s", folder, name);
    return room;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") || system(command);
}

static void write_file(const char *name, const void *bytes, size_t length)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void assert_path(char *found, const char *expected)
{
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
}

static void joins(void **state)
{
    (void)state;
    assert_path(path_join("a", "b"), "a/b");
    assert_path(path_join("a/", "b"), "a/b");
    assert_path(path_join("/", "b"), "/b");
    assert_path(path_join("", "b"), "b");
    assert_null(path_join(NULL, "b"));
    assert_path(path_folder("a/b/c"), "a/b");
    assert_path(path_folder("/a"), "/");
    assert_path(path_folder("a"), ".");
    assert_true(path_ends("a.lua", ".lua"));
    assert_false(path_ends(".lua", ".lua"));
    assert_false(path_ends("lua", ".lua"));
    assert_false(path_ends("a.lua~", ".lua"));
}

static void homes(void **state)
{
    (void)state;
    setenv("HOME", "/h", 1);
    setenv("XDG_STATE_HOME", "/s", 1);
    setenv("XDG_DATA_HOME", "/d/", 1);
    assert_path(path_state_home(), "/s/normtutor");
    assert_path(path_data_home(), "/d/normtutor");
    assert_path(path_courses(), "/d/normtutor/courses");
    setenv("XDG_STATE_HOME", "relative", 1); /* to be ignored, says the specification */
    setenv("XDG_DATA_HOME", "", 1);
    assert_path(path_state_home(), "/h/.local/state/normtutor");
    assert_path(path_data_home(), "/h/.local/share/normtutor");
    unsetenv("HOME");
    char *without = path_state_home(); /* from the user database, or nowhere */
    assert_true(!without || without[0] == '/');
    free(without);
}

static void makes_folders(void **state)
{
    (void)state;
    struct error err = {""};
    struct stat what;
    char deep[512];
    snprintf(deep, sizeof deep, "%s/one//two/three/", folder);
    assert_int_equal(path_make_folders(deep, &err), 0);
    assert_int_equal(stat(in_folder("one/two/three"), &what), 0);
    assert_int_equal(what.st_mode & 0777, 0700);
    assert_int_equal(path_make_folders(deep, &err), 0);
    assert_int_equal(path_make_folders("four/five", &err), 0);
    assert_int_equal(stat(in_folder("four/five"), &what), 0);

    write_file("file", "x", 1);
    assert_int_equal(path_make_folders("file/below", &err), -1);
    assert_non_null(strstr(err.text, "file is not a folder"));
    assert_int_equal(path_make_folders("file", &err), -1);
    assert_non_null(strstr(err.text, "file is not a folder"));
    assert_int_equal(path_make_folders("", &err), -1);
}

static void refuses(const char *path, const char *words)
{
    struct error err = {""};
    char *text = (char *)1;
    size_t length = 1;
    alarm(5); /* a pipe that is waited for ends the test */
    assert_int_equal(path_read(path, 1000, &text, &length, &err), -1);
    alarm(0);
    assert_null(text);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, words));
}

static void reads_whole_files(void **state)
{
    (void)state;
    struct error err = {""};
    char *text;
    size_t length;
    write_file("lesson", "a\0b\n", 4);
    assert_int_equal(path_read("lesson", 4, &text, &length, &err), 0);
    assert_int_equal(length, 4);
    assert_memory_equal(text, "a\0b\n", 5);
    free(text);

    write_file("empty", "", 0);
    assert_int_equal(path_read("empty", 4, &text, &length, &err), 0);
    assert_int_equal(length, 0);
    assert_string_equal(text, "");
    free(text);

    assert_int_equal(symlink("lesson", "link"), 0);
    assert_int_equal(path_read("link", 4, &text, &length, &err), 0);
    free(text);

    char *big = calloc(1, 100000);
    write_file("big", big, 100000);
    assert_int_equal(path_read("big", 100000, &text, &length, &err), 0);
    assert_int_equal(length, 100000);
    free(text);
    free(big);
    assert_int_equal(path_read("/proc/self/status", 100000, &text, &length, &err),
                     0); /* says 0 bytes, has more */
    assert_true(length > 0);
    free(text);
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    write_file("long", "12345", 5);
    struct error err = {""};
    char *text;
    size_t length;
    assert_int_equal(path_read("long", 4, &text, &length, &err), -1);
    assert_string_equal(err.text, "long is longer than 4 bytes");
    refuses("missing", "No such file");
    refuses(folder, "is a folder, not a file");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    refuses("pipe", "is not a regular file");
    refuses("/dev/zero", "is not a regular file");
    assert_int_equal(symlink("pipe", "link-to-pipe"), 0);
    refuses("link-to-pipe", "is not a regular file");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    refuses("dangling", "No such file");
    assert_int_equal(symlink("ring", "ring"), 0);
    refuses("ring", "symbolic links");
}

static void copy_program(const char *to)
{
    char *program = path_program();
    char command[2000];
    assert_non_null(program);
    snprintf(command, sizeof command, "mkdir -p '%s' && cp '%s' '%s/program'", to, program, to);
    assert_int_equal(system(command), 0);
    free(program);
}

/* What a copy of this program in `where` says its lessons are. */
static void lessons_from(const char *where, const char *expected)
{
    char command[1100], line[1100] = "";
    copy_program(where);
    snprintf(command, sizeof command, "'%s/program' lessons", where);
    FILE *said = popen(command, "r");
    assert_non_null(said);
    assert_non_null(fgets(line, sizeof line, said));
    pclose(said);
    line[strcspn(line, "\n")] = '\0';
    assert_string_equal(line, expected ? expected : "nowhere");
}

static void finds_lessons(void **state)
{
    (void)state;
    char expected[512];
    assert_int_equal(path_make_folders("tree/lessons", NULL), 0);
    assert_int_equal(path_make_folders("usr/share/normtutor/lessons", NULL), 0);
    lessons_from("tree/build", NULL); /* no course.lua there yet */
    write_file("tree/lessons/course.lua", "", 0);
    write_file("usr/share/normtutor/lessons/course.lua", "", 0);
    snprintf(expected, sizeof expected, "%s/tree/lessons", folder);
    lessons_from("tree/build", expected);
    lessons_from("tree/build/asan", expected);
    lessons_from("tree/build/asan/tests", expected);
    lessons_from("tree/other", NULL);
    snprintf(expected, sizeof expected, "%s/usr/share/normtutor/lessons", folder);
    lessons_from("usr/bin", expected);
    lessons_from("my build/bin", NULL);
}

static void knows_its_program(void **state)
{
    (void)state;
    char *program = path_program();
    assert_non_null(program);
    assert_int_equal(access(program, X_OK), 0);
    assert_int_equal(program[0], '/');
    free(program);
}

static void knows_its_program_once_deleted(void **state)
{
    (void)state;
    copy_program("gone");
    assert_int_equal(system("test \"$(./gone/program deleted)\" = \"$PWD/gone/program\""), 0);
}

static void knows_its_program_without_proc(void **state)
{
    (void)state;
#ifdef ADDRESS_SANITIZER
    print_message("skipped: the address sanitizer needs /proc\n");
    skip();
#endif
    copy_program("bare");
    pid_t child = fork();
    if (child == 0) {
        if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("none", "/proc", "tmpfs", 0, NULL))
            _exit(77);
        execl("/bin/sh", "sh", "-c", "test \"$(./bare/program program)\" = \"$PWD/bare/program\"",
              (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("skipped: hiding /proc takes a right to mount\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static int print_path(char *path)
{
    puts(path ? path : "nowhere");
    free(path);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "deleted"))
        unlink(argv[0]);
    if (argc > 1)
        return print_path(!strcmp(argv[1], "lessons") ? path_lessons() : path_program());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins),
        cmocka_unit_test(homes),
        cmocka_unit_test(makes_folders),
        cmocka_unit_test(reads_whole_files),
        cmocka_unit_test(refuses_what_is_no_file),
        cmocka_unit_test(knows_its_program),
        cmocka_unit_test(knows_its_program_once_deleted),
        cmocka_unit_test(finds_lessons),
        cmocka_unit_test(knows_its_program_without_proc),
    };
    return cmocka_run_group_tests_name("path", tests, make_folder, remove_folder);
}
