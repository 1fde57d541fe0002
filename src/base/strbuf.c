#include "base/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct strbuf *buf, size_t more)
{
    if (buf->failed || more > SIZE_MAX / 4 || buf->length > SIZE_MAX / 4) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->length + more + 1;
    if (need <= buf->capacity)
        return true;
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    char *text = realloc(buf->text, capacity);
    if (!text) {
        buf->failed = true;
        return false;
    }
    buf->text = text;
    buf->capacity = capacity;
    return true;
}

void strbuf_addn(struct strbuf *buf, const char *text, size_t length)
{
    if (!reserve(buf, length))
        return;
    if (length)
        memcpy(buf->text + buf->length, text, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void strbuf_add(struct strbuf *buf, const char *text)
{
    strbuf_addn(buf, text, strlen(text));
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && reserve(buf, (size_t)n)) {
        vsnprintf(buf->text + buf->length, (size_t)n + 1, format, again);
        buf->length += (size_t)n;
    }
    va_end(again);
}

void strbuf_clear(struct strbuf *buf)
{
    buf->length = 0;
    if (buf->text)
        buf->text[0] = '\0';
}

const char *strbuf_string(const struct strbuf *buf)
{
    return buf->text ? buf->text : "";
}

void strbuf_free(struct strbuf *buf)
{
    free(buf->text);
    *buf = (struct strbuf){ 0 };
}
