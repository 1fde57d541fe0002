#include "base/hash.h"

#include <string.h>

static uint64_t add(uint64_t hash, uint64_t byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = add(hash, at[i]);
    return hash;
}

uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

uint64_t hash_number(uint64_t hash, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        hash = add(hash, number >> (8 * i) & 0xff);
    return hash;
}
