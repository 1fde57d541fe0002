/* Errors travel as the caller's last argument; nothing below cmd/ prints or exits. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>

struct error {
    char text[1024]; /* UTF-8 words for a person, without a newline at the end; empty: no error */
};

/* Writes the message and returns -1, so that a caller can `return error_set(...)`. `err` may be NULL. */
__attribute__((format(printf, 2, 3))) int error_set(struct error *err, const char *format, ...);
__attribute__((format(printf, 2, 0))) int error_setv(struct error *err, const char *format, va_list args);

/* Puts words in front of the message that stands: "epsilon.lua:3: " + text. Returns -1. */
__attribute__((format(printf, 2, 3))) int error_prefix(struct error *err, const char *format, ...);

#endif
