/* The fuzzer's target for archives, run on what is well and on thousands of ways to spoil it, always the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../fuzz/fuzz_install.c"
#include "spoil_help.h"

enum { ROUNDS = 4000, SPOILS_MOST = 6, SIZE_MOST = 16384 };

static const struct tar_file course[] = {
    {"blocks/course.lua", "return course \"blocks\" {}\n", 26},
    {"blocks/files/a/poem.txt", "Roses\n", 6},
    {"blocks/lang/de/one.lua", "return {}\n", 10},
    {"blocks/one.lua", "return lesson \"one\" {}\n", 23},
    {"blocks/shared/norms.lua", "return {}\n", 10},
};
enum { FILES = sizeof course / sizeof course[0] };

static void add_entry(struct strbuf *out, const char *name, const struct tar_file *file)
{
    add_number(out, 0, 1);
    add_number(out, (uint32_t)strlen(name), 1);
    add_number(out, (uint32_t)file->length, 1);
    strbuf_add(out, name);
    strbuf_addn(out, file->bytes, file->length);
}

static void add_entries(struct strbuf *out)
{
    for (size_t i = 0; i < FILES; i++)
        add_entry(out, course[i].name, &course[i]);
}

/* Files of the course once more, by names that are theirs or nearly so. */
static void add_namesakes(struct strbuf *out)
{
    for (size_t count = chance(4); count > 0; count--) {
        const struct tar_file *file = &course[chance(FILES)];
        char name[64];
        snprintf(name, sizeof name, "%s%s", file->name, chance(4) ? "" : "/x.lua");
        char *letter = &name[chance(strlen(name))];
        if (chance(2))
            *letter = (char)(*letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter);
        add_entry(out, name, file);
    }
}

/* One input of each of the target's three kinds, all of them a course. */
static void make_inputs(struct strbuf inputs[3])
{
    struct error err = {0};
    struct strbuf entries = {0};
    add_entries(&entries);
    for (uint32_t kind = 0; kind < 3; kind++)
        add_number(&inputs[kind], kind, 1);
    assert_int_equal(tar_write(&inputs[0], course, FILES, &err), 0);
    make_tar(&inputs[1], (const uint8_t *)entries.text, entries.length);
    strbuf_addn(&inputs[2], entries.text, entries.length);
    strbuf_free(&entries);
}

static const char *const words[] = {"../", "/", "//", "\\", "\0", "blocks/", "course.lua", "path=", "777777777777", "\xff\xff\xff\xff"};

static void whatever_is_spoiled_is_refused_or_well(void **state)
{
    struct error err = {0};
    struct strbuf inputs[3] = {{0}, {0}, {0}};
    static uint8_t bytes[SIZE_MOST];
    (void)state;
    if (tar_possible(&err) != 0)
        skip();
    make_inputs(inputs);
    for (int kind = 0; kind < 3; kind++) {
        LLVMFuzzerTestOneInput((const uint8_t *)inputs[kind].text, inputs[kind].length);
        for (int round = 0; round < ROUNDS; round++) {
            struct strbuf input = {0};
            strbuf_addn(&input, inputs[kind].text, inputs[kind].length);
            if (kind == 2)
                add_namesakes(&input);
            size_t size = input.length;
            assert_true(size <= SIZE_MOST);
            memcpy(bytes, input.text, size);
            strbuf_free(&input);
            for (size_t i = chance(SPOILS_MOST); i > 0 && size > 1; i--) {
                size = 1 + spoil(bytes + 1, size - 1, SIZE_MOST - 1, words, sizeof words / sizeof words[0]);
                bytes[0] = (uint8_t)kind;
            }
            LLVMFuzzerTestOneInput(bytes, size);
        }
        strbuf_free(&inputs[kind]);
    }
}

/* Or all of the above would only ever look at what is refused at once. */
static void what_is_not_spoiled_is_taken(void **state)
{
    struct error err = {0};
    struct strbuf inputs[3] = {{0}, {0}, {0}};
    (void)state;
    if (tar_possible(&err) != 0)
        skip();
    make_inputs(inputs);
    for (int kind = 0; kind < 3; kind++) {
        struct package package;
        struct strbuf tar = {0}, archive = {0};
        if (kind == 1)
            strbuf_addn(&tar, inputs[1].text + 1, inputs[1].length - 1);
        if (kind == 2)
            make_tar(&tar, (const uint8_t *)inputs[2].text + 1, inputs[2].length - 1);
        if (kind == 0) {
            strbuf_addn(&archive, inputs[0].text + 1, inputs[0].length - 1);
        } else {
            end_tar(&tar);
            add_gzip(&archive, tar.text, tar.length);
        }
        assert_int_equal(package_read(&package, archive.text, archive.length, &err), 0);
        assert_int_equal(package.count, FILES);
        package_free(&package);
        strbuf_free(&tar);
        strbuf_free(&archive);
        strbuf_free(&inputs[kind]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_spoiled_is_taken),
        cmocka_unit_test(whatever_is_spoiled_is_refused_or_well),
    };
    return cmocka_run_group_tests_name("install, spoiled archives", tests, NULL, NULL);
}
