/* An arena: many small allocations that are freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);        /* NULL when memory is out; the caller frees it */
void arena_free(struct arena *arena); /* and everything made in it; NULL is allowed */

/* Zeroed memory, aligned for any type; NULL when memory is out or count * size overflows. */
void *arena_zero(struct arena *arena, size_t count, size_t size);
char *arena_text(struct arena *arena, const char *text);                    /* a copy; NULL gives NULL */
char *arena_textn(struct arena *arena, const char *text, size_t length);    /* the first `length` bytes */
__attribute__((format(printf, 2, 3))) char *arena_printf(struct arena *arena, const char *format, ...);

#endif
