/* The system call filter. Private to cage/. */
#ifndef CAGE_FILTER_H
#define CAGE_FILTER_H

#include "base/error.h"

/* On all threads. Only where cage_has_seccomp(). */
int filter_load(struct error *err);

/* Built with AddressSanitizer, which maps terabytes and needs an alternate signal stack. */
#if defined(__SANITIZE_ADDRESS__)
#define BUILT_WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BUILT_WITH_ASAN 1
#endif
#endif
#ifndef BUILT_WITH_ASAN
#define BUILT_WITH_ASAN 0
#endif

#endif
