#include "base/error.h"

#include <stdio.h>

#include "base/language.h"

int error_setv(struct error *err, const char *format, va_list args)
{
    if (err)
        vsnprintf(err->text, sizeof err->text, language_say(format), args);
    return -1;
}

int error_set(struct error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_setv(err, format, args);
    va_end(args);
    return -1;
}

int error_prefix(struct error *err, const char *format, ...)
{
    if (!err)
        return -1;
    struct error old = *err;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof err->text, language_say(format), args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof err->text)
        snprintf(err->text + n, sizeof err->text - (size_t)n, "%s", old.text);
    return -1;
}
