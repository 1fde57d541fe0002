/* The fuzzer's target for .npy files, run on good ones and on thousands of ways to spoil them, always the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../fuzz/fuzz_npy.c"
#include "npy_help.h"
#include "spoil_help.h"

enum { ROUNDS = 3000, SPOILS_MOST = 5, SIZE_MOST = 4096 };

static const char *const words[] = {"(99999999999,", "(-1,)", "'<f8'", "'|O'", "True", "}", "'", "\xff\xff\xff\xff", "(2, 3, 4, 5, 6, 7, 8, 9)"};

static void spoiled_files_are_refused_or_well(void **state)
{
    static const struct { const char *descr, *shape; size_t bytes; } files[] = {{"<f4", "(2, 3)", 24}, {"<f8", "(4,)", 32}, {">i2", "()", 2}, {"|u1", "(0, 5)", 0}};
    static struct npy npy;
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (int version = 1; version <= 3; version++) {
            npy_header(&npy, version, files[i].descr, version == 2, files[i].shape);
            memset(npy.bytes + npy.size, 1, files[i].bytes);
            size_t whole = npy.size + files[i].bytes;
            for (int round = 0; round < ROUNDS; round++) {
                static uint8_t bytes[SIZE_MOST];
                size_t size = whole;
                memcpy(bytes, npy.bytes, whole);
                for (size_t n = round ? 1 + chance(SPOILS_MOST) : 0; n > 0 && size > 0; n--)
                    size = spoil(bytes, size, SIZE_MOST, words, sizeof words / sizeof words[0]);
                LLVMFuzzerTestOneInput(bytes, size);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoiled_files_are_refused_or_well)};
    return cmocka_run_group_tests_name("npy: spoiled files", tests, NULL, NULL);
}
