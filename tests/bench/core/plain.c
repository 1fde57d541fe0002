#include "plain.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

enum { BLOCK = 1024 /* elements: 4 KiB */ };

#define WIDE __attribute__((target("avx512f"), noinline)) static

WIDE void copy_wide(float *y, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_storeu_ps(y + i, _mm512_loadu_ps(x + i));
}

WIDE void copy_stream(float *y, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_stream_ps(y + i, _mm512_loadu_ps(x + i));
    _mm_sfence();
}

WIDE void copy_blocks(float *y, const float *x, size_t n)
{
    for (size_t block = 0; block < n; block += BLOCK) {
        const size_t end = n - block < BLOCK ? n : block + BLOCK;
        for (size_t i = block; i < end; i += 16)
            _mm_prefetch((const char *)(x + i + BLOCK), _MM_HINT_T0);
        for (size_t i = block; i < end; i += 16)
            _mm512_stream_ps(y + i, _mm512_loadu_ps(x + i));
    }
    _mm_sfence();
}

WIDE void triad_wide(float *z, const float *x, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_storeu_ps(z + i, _mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
}

WIDE void triad_stream(float *z, const float *x, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_stream_ps(z + i, _mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
    _mm_sfence();
}

WIDE void triad_blocks(float *z, const float *x, const float *y, size_t n)
{
    for (size_t block = 0; block < n; block += BLOCK) {
        const size_t end = n - block < BLOCK ? n : block + BLOCK;
        for (size_t i = block; i < end; i += 16) {
            _mm_prefetch((const char *)(x + i + BLOCK), _MM_HINT_T0);
            _mm_prefetch((const char *)(y + i + BLOCK), _MM_HINT_T0);
        }
        for (size_t i = block; i < end; i += 16)
            _mm512_stream_ps(z + i, _mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
    }
    _mm_sfence();
}

static int wide_here(void)
{
    return __builtin_cpu_supports("avx512f") != 0;
}
#endif

int plain_copy(int way, float *y, const float *x, size_t n)
{
    if (way == 0) {
        memcpy(y, x, n * sizeof *y);
        return 1;
    }
#if defined(__x86_64__)
    static void (*const ways[])(float *, const float *, size_t) = {copy_wide, copy_stream, copy_blocks};
    if (wide_here()) {
        ways[way - 1](y, x, n);
        return 1;
    }
#endif
    return 0;
}

int plain_triad(int way, float *z, const float *x, const float *y, size_t n)
{
    if (way == 0) {
        for (size_t i = 0; i < n; i++)
            z[i] = x[i] + y[i];
        return 1;
    }
#if defined(__x86_64__)
    static void (*const ways[])(float *, const float *, const float *, size_t) = {triad_wide, triad_stream,
                                                                                  triad_blocks};
    if (wide_here()) {
        ways[way - 1](z, x, y, n);
        return 1;
    }
#endif
    return 0;
}
