/* A growing string. Zero-initialise it; `text` is NULL or ends in a NUL byte. Out of memory is
   remembered in `failed`, so a chain of additions is checked once at its end. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf {
    char *text;
    size_t length, capacity;
    bool failed;
};

void strbuf_add(struct strbuf *buf, const char *text);
void strbuf_addn(struct strbuf *buf, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) void strbuf_addf(struct strbuf *buf, const char *format, ...);
void strbuf_clear(struct strbuf *buf);             /* keeps the memory */
const char *strbuf_string(const struct strbuf *buf); /* never NULL; borrowed */
void strbuf_free(struct strbuf *buf);

#endif
