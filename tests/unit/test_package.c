/* What may be in a course's archive, and that packing and reading are each other's inverse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "archive/package.h"

static struct error err;

static void names(void **state)
{
    static const char *const good[] = {"course.lua", "files/a", "files/a/b/c.tar.gz", "lang/de/one.lua", "a b", "-rf", "~", "a..b", "x..."};
    static const struct {
        const char *name, *words;
    } bad[] = {{"/a", "root"}, {"", "empty"}, {"a//b", "empty"}, {"a/", "empty"}, {".", "\".\""}, {"..", "\"..\""}, {"a/../b", "\"..\""},
               {"a/./b", "\".\""}, {".a", "hidden"}, {"a/.b", "hidden"}, {"...", "hidden"}, {"a\\b", "backslash"}, {"a\nb", "control"},
               {"a\x1b", "control"}, {"a\x7f", "control"}, {"\xc3\xa9", "ASCII"}, {"\xff", "ASCII"}, {"a/b/c/d/e/f/g/h/i", "folders deep"}};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_null(package_complaint(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *why = package_complaint(bad[i].name);
        if (!why || !strstr(why, bad[i].words))
            fail_msg("\"%s\": %s", bad[i].name, why ? why : "no complaint");
    }
}

static void long_names(void **state)
{
    char name[PACKAGE_NAME_MAX + 2];
    (void)state;
    memset(name, 'a', sizeof name);
    name[PACKAGE_PART_MAX] = '\0';
    assert_null(package_complaint(name));
    name[PACKAGE_PART_MAX] = 'a';
    name[PACKAGE_PART_MAX + 1] = '\0';
    assert_string_equal(package_complaint(name), "its name is too long");
    name[PACKAGE_PART_MAX + 1] = 'a';
    name[PACKAGE_NAME_MAX + 1] = '\0';
    name[60] = '/';
    assert_string_equal(package_complaint(name), "its name is too long");
    name[PACKAGE_NAME_MAX] = '\0';
    assert_null(package_complaint(name));
}

static void places(void **state)
{
    static const char *const good[] = {"course.lua", "one.lua", "shared/a.lua", "files/a", "files/a/b.lua", "lang/de/one.lua"};
    static const char *const bad[] = {"README.md", "one.lua/x", "shared/a", "shared/a/b.lua", "lang/one.lua", "lang/de/a/b.lua", "bin/x.lua",
                                      "Files/a", "shared", "x", ".lua"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(package_has_place(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(package_has_place(bad[i]));
}

static void ids(void **state)
{
    (void)state;
    assert_true(package_names_course("norm-2"));
    assert_true(package_names_course("0123456789012345678901234567890123456789"));
    assert_false(package_names_course("0123456789012345678901234567890123456789x"));
    static const char *const bad[] = {"", ".", "..", "a/b", "A", "a.b", "a\n", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(package_names_course(bad[i]));
}

static void need_libarchive(void)
{
    if (tar_possible(&err) != 0)
        skip();
}

static int pack(struct strbuf *out, struct tar_file *files, size_t count)
{
    struct package package = {.arena = arena_new(), .files = files, .count = count};
    assert_non_null(package.arena);
    int status = package_write(out, &package, "blocks", &err);
    package_free(&package);
    return status;
}

static void there_and_back(void **state)
{
    static const char zeros[3000];
    char name[PACKAGE_NAME_MAX - 7 + 1];
    struct tar_file files[] = {{"course.lua", "return 1", 8}, {"files/a", "", 0}, {"files/bytes", "a\0b\xff", 4},
                               {name, "x", 1}, {"files/zeros", zeros, sizeof zeros}};
    struct strbuf packed = {0}, again = {0};
    struct package back;
    (void)state;
    need_libarchive();
    memset(name, 'n', sizeof name);
    memcpy(name, "files/", 6);
    name[60] = '/';
    name[sizeof name - 1] = '\0';
    assert_int_equal(pack(&packed, files, 5), 0);
    assert_int_equal(pack(&again, files, 5), 0);
    assert_int_equal(packed.length, again.length);
    assert_memory_equal(packed.text, again.text, packed.length);
    assert_int_equal(package_read(&back, packed.text, packed.length, &err), 0);
    assert_int_equal(back.count, 5);
    assert_int_equal(back.bytes, 8 + 4 + sizeof zeros + 1);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(back.files[i].name, files[i].name);
        assert_int_equal(back.files[i].length, files[i].length);
        assert_memory_equal(back.files[i].bytes, files[i].bytes, files[i].length);
    }
    package_free(&back);
    for (size_t length = 0; length < packed.length; length++) {
        assert_int_equal(package_read(&back, packed.text, length, &err), -1);
        assert_true(err.text[0]);
    }
    strbuf_free(&packed);
    strbuf_free(&again);
}

static void what_is_not_written(void **state)
{
    struct tar_file head = {"course.lua", "return 1", 8};
    const struct {
        struct tar_file file;
        const char *words;
    } bad[] = {{{"../x", "", 0}, "\"..\""}, {{"COURSE.lua", "", 0}, "capitals"}, {{"course.lua", "", 0}, "twice"},
               {{"course.lua/x.lua", "", 0}, "no place"}, {{"files/.x", "", 0}, "hidden"}};
    struct strbuf packed = {0};
    (void)state;
    need_libarchive();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        strbuf_clear(&packed);
        assert_int_equal(pack(&packed, (struct tar_file[]){head, bad[i].file}, 2), -1);
        if (!strstr(err.text, bad[i].words))
            fail_msg("%s: %s", bad[i].file.name, err.text);
    }
    assert_int_equal(pack(&packed, NULL, 0), -1);
    strbuf_free(&packed);
}

static void a_file_longer_than_allowed(void **state)
{
    struct tar_file files[] = {{"course.lua", "return 1", 8}, {"files/x", NULL, TAR_BYTES_MAX}};
    struct strbuf packed = {0};
    uint32_t number = 1;
    (void)state;
    need_libarchive();
    char *bytes = malloc(TAR_BYTES_MAX);
    assert_non_null(bytes);
    for (size_t i = 0; i < TAR_BYTES_MAX; i++)
        bytes[i] = (char)((number = number * 1664525 + 1013904223) >> 24 & 3);
    files[1].bytes = bytes;
    assert_int_equal(pack(&packed, files, 2), -1);
    assert_non_null(strstr(err.text, "more than 32 MiB"));
    free(bytes);
    strbuf_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),          cmocka_unit_test(long_names),          cmocka_unit_test(places),
        cmocka_unit_test(ids),            cmocka_unit_test(there_and_back),      cmocka_unit_test(what_is_not_written),
        cmocka_unit_test(a_file_longer_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
