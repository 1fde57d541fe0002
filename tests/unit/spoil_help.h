/* Ways to spoil bytes, the same ones in every run. */
#ifndef SPOIL_HELP_H
#define SPOIL_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t state_of_chance = 0x9e3779b97f4a7c15u;

/* From 0 to `below` - 1. */
static inline size_t chance(size_t below)
{
    state_of_chance ^= state_of_chance << 13;
    state_of_chance ^= state_of_chance >> 7;
    state_of_chance ^= state_of_chance << 17;
    return below ? (size_t)(state_of_chance % below) : 0;
}

/* Changes, cuts out or repeats a little of what is there, up to `most` bytes; the new size. `words`: what may be written over it. */
static inline size_t spoil(uint8_t *bytes, size_t size, size_t most, const char *const *words, size_t word_count)
{
    size_t at = chance(size), length = 1 + chance(16);
    switch (chance(6)) {
    case 0: bytes[at] ^= (uint8_t)(1u << chance(8)); break;
    case 1: bytes[at] = (uint8_t)chance(256); break;
    case 2: /* what is cut out */
        length = length > size - at ? size - at : length;
        memmove(bytes + at, bytes + at + length, size - at - length);
        return size - length;
    case 3: /* what is there twice */
        length = length > size - at ? size - at : length;
        if (size + length <= most) {
            memmove(bytes + at + length, bytes + at, size - at);
            return size + length;
        }
        break;
    case 4: {
        const char *word = words[chance(word_count)];
        for (size_t i = 0; word[i] && at + i < size; i++)
            bytes[at + i] = (uint8_t)word[i];
        break;
    }
    default: { /* one place as another is */
        size_t from = chance(size);
        length = length > size - (at > from ? at : from) ? size - (at > from ? at : from) : length;
        memmove(bytes + at, bytes + from, length);
    }
    }
    return size;
}

#endif
