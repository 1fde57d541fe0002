/* Philox4x32-10, after Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011). */
#include "tensor/tensor.h"

void philox4x32_10(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    const uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
    const uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85; /* golden ratio, sqrt(3) - 1 */
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t product0 = multiplier0 * a, product1 = multiplier1 * c;
        a = (uint32_t)(product1 >> 32) ^ b ^ k0;
        b = (uint32_t)product1;
        c = (uint32_t)(product0 >> 32) ^ d ^ k1;
        d = (uint32_t)product0;
        k0 += weyl0;
        k1 += weyl1;
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

void random_start(struct random_stream *random, uint64_t key, uint64_t stream)
{
    *random = (struct random_stream){
        .key = {(uint32_t)key, (uint32_t)(key >> 32)},
        .stream = {(uint32_t)stream, (uint32_t)(stream >> 32)},
        .used = 4,
    };
}

uint32_t random_bits(struct random_stream *random)
{
    if (random->used == 4) {
        const uint32_t counter[4] = {(uint32_t)random->counter, (uint32_t)(random->counter >> 32),
                                     random->stream[0], random->stream[1]};
        philox4x32_10(random->block, counter, random->key);
        random->counter++;
        random->used = 0;
    }
    return random->block[random->used++];
}
