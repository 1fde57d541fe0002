/* Shared libraries that are loaded when they are needed, and not with the program. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

void *library_open(const char *const *names, size_t count); /* the first that is there; NULL: none. For dlclose() */
bool library_find(void *library, const char *name, void *pointer); /* `pointer`: to a pointer to a function of that name */

#endif
