#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16384, ALIGNMENT = _Alignof(max_align_t) };

struct block {
    struct block *next;
    size_t used, size;
    max_align_t bytes[];
};

struct arena {
    struct block *blocks;
};

struct arena *arena_new(void)
{
    return calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct block *b = arena->blocks; b;) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
    free(arena);
}

void *arena_zero(struct arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 2 - sizeof(struct block)) / size)
        return NULL;
    size_t need = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct block *b = arena->blocks;
    if (!b || b->size - b->used < need) {
        size_t room = need > BLOCK_SIZE ? need : BLOCK_SIZE;
        b = malloc(sizeof *b + room);
        if (!b)
            return NULL;
        b->used = 0;
        b->size = room;
        b->next = arena->blocks;
        arena->blocks = b;
    }
    void *at = (char *)b->bytes + b->used;
    b->used += need;
    return memset(at, 0, need);
}

char *arena_textn(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_zero(arena, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return text ? arena_textn(arena, text, strlen(text)) : NULL;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : arena_zero(arena, (size_t)n + 1, 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}
