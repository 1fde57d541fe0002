#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *const *names, size_t count)
{
    void *library = NULL;
    for (size_t i = 0; i < count && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

bool library_find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found;
}
