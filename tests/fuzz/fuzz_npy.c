/* The reader of .npy files against a fuzzer: a tensor, every element of which can be read, or words. To run
   it:

     clang -std=c11 -D_GNU_SOURCE -Isrc -g -O1 -pthread -fsanitize=fuzzer,address,undefined
   tests/fuzz/fuzz_npy.c \ src/tensor/[a-z]*.c src/base/error.c src/base/language.c -lm -o build/fuzz_npy mkdir -p
   build/corpus-npy && build/fuzz_npy -max_total_time=300 -max_len=4096 build/corpus-npy

   Any .npy file is a good first input. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/tensor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    struct tensor *x = NULL;
    if (tensor_from_npy(&x, NULL, data, size, &err) < 0) {
        if (x || !*err.text)
            abort();
        return 0;
    }
    /* no element takes less than a byte */
    if (!x || tensor_count(x) > size)
        abort();
    volatile float sum = 0;
    for (size_t i = 0; i < tensor_count(x); i++)
        sum = sum + tensor_get_flat(x, i);
    tensor_free(x);
    return 0;
}
