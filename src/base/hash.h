/* FNV-1a of 64 bits (Fowler, Noll, Vo): fingerprints, and the keys of random numbers. Not against an adversary. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);
uint64_t hash_text(uint64_t hash, const char *text); /* the NUL included */
uint64_t hash_number(uint64_t hash, uint64_t number, size_t bytes); /* its lowest bytes, the lowest first, on every machine */

#endif
