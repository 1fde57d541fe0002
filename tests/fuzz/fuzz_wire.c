/* Both decoders against a fuzzer. What is decoded must encode again, and decode to the same bytes. To run it:

     F="-std=c11 -D_GNU_SOURCE -Isrc -Itests/unit -g -O1"; S="src/scene/[a-z]*.c src/base/arena.c src/base/error.c src/base/language.c src/base/strbuf.c"
     clang $F -fsanitize=fuzzer,address,undefined tests/fuzz/fuzz_wire.c $S -lmsgpackc -lm -o build/fuzz_wire
     clang $F tests/fuzz/corpus_wire.c $S -lmsgpackc -lm -o build/corpus_wire
     mkdir -p build/corpus && build/corpus_wire build/corpus && build/fuzz_wire -max_total_time=300 -max_len=8192 build/corpus */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth)
        abort();
}

static void try_scene(const uint8_t *data, size_t size)
{
    struct error err;
    struct scene *scene, *again;
    struct strbuf once = { 0 }, twice = { 0 };
    if (wire_decode_scene(&scene, data, size, &err) < 0)
        return;
    require(wire_encode_scene(&once, scene, &err) == 0);
    require(wire_decode_scene(&again, once.text, once.length, &err) == 0);
    require(wire_encode_scene(&twice, again, &err) == 0);
    require(once.length == twice.length && !memcmp(once.text, twice.text, once.length));
    scene_free(scene);
    scene_free(again);
    strbuf_free(&once);
    strbuf_free(&twice);
}

static void try_request(const uint8_t *data, size_t size)
{
    struct error err;
    struct request request, again;
    struct strbuf once = { 0 }, twice = { 0 };
    struct arena *arena = arena_new();
    if (wire_decode_request(&request, arena, data, size, &err) == 0) {
        require(wire_encode_request(&once, &request, &err) == 0);
        require(wire_decode_request(&again, arena, once.text, once.length, &err) == 0);
        require(wire_encode_request(&twice, &again, &err) == 0);
        require(once.length == twice.length && !memcmp(once.text, twice.text, once.length));
    }
    arena_free(arena);
    strbuf_free(&once);
    strbuf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] % 2)
        try_scene(data + 1, size - 1);
    else
        try_request(data + 1, size - 1);
    return 0;
}
