/* The fuzzer's target for the wire, run on one of everything that is sent and on thousands of ways to spoil it, always the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../fuzz/fuzz_wire.c"
#include "spoil_help.h"
#include "wire_help.h"

enum { ROUNDS = 3000, SPOILS_MOST = 4, SIZE_MOST = 1 << 16 };
enum { REQUEST, SCENE }; /* which decoder: the first byte of the target's input */

/* Heads of msgpack that promise much: arrays, maps, texts and binaries of 4 GiB, a float, nil. */
static const char *const words[] = {"\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\xdb\xff\xff\xff\xff", "\xc6\xff\xff\xff\xff",
                                    "\xcb\x7f\xf8", "\xc0", "\x9f", "\xdc\xff\xff"};

static void try_all(char decoder, const struct strbuf *good)
{
    static uint8_t bytes[SIZE_MOST];
    assert_true(good->length + 1 + SPOILS_MOST * 16 <= SIZE_MOST);
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = good->length + 1;
        bytes[0] = (uint8_t)decoder;
        memcpy(bytes + 1, good->text, good->length);
        for (size_t i = round ? 1 + chance(SPOILS_MOST) : 0; i > 0 && size > 1; i--)
            size = 1 + spoil(bytes + 1, size - 1, SIZE_MOST - 1, words, sizeof words / sizeof words[0]);
        LLVMFuzzerTestOneInput(bytes, size);
    }
}

/* Or all of this would only ever look at what is refused at once. */
static void require_well(const struct strbuf *bytes, bool scene)
{
    struct error err = {0};
    struct scene *out = NULL;
    struct request request;
    struct arena *arena = arena_new();
    int status = scene ? wire_decode_scene(&out, bytes->text, bytes->length, &err) : wire_decode_request(&request, arena, bytes->text, bytes->length, &err);
    if (status != 0)
        fail_msg("%s", err.text);
    if (scene)
        scene_free(out);
    arena_free(arena);
}

static void spoiled_scenes_are_refused_or_well(void **state)
{
    struct scene *scenes[] = {help_scene(), help_program(), help_order(), help_several(), help_scratch(), help_translated()};
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        struct error err = {0};
        struct strbuf bytes = {0};
        assert_int_equal(wire_encode_scene(&bytes, scenes[i], &err), 0);
        require_well(&bytes, true);
        try_all(SCENE, &bytes);
        strbuf_free(&bytes);
        scene_free(scenes[i]);
    }
}

static void spoiled_requests_are_refused_or_well(void **state)
{
    struct error err = {0};
    struct strbuf bytes = {0};
    struct request request = help_request();
    (void)state;
    assert_int_equal(wire_encode_request(&bytes, &request, &err), 0);
    require_well(&bytes, false);
    try_all(REQUEST, &bytes);
    strbuf_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spoiled_scenes_are_refused_or_well),
        cmocka_unit_test(spoiled_requests_are_refused_or_well),
    };
    return cmocka_run_group_tests_name("wire: spoiled messages", tests, NULL, NULL);
}
