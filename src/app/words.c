#include "app/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct kept {
    struct kept *next;
    const char *text;
};

struct words {
    struct arena *arena;
    struct kept *first;
};

struct words *words_new(void)
{
    struct words *words = calloc(1, sizeof *words);
    if (!words)
        return NULL;
    words->arena = arena_new();
    if (!words->arena) {
        free(words);
        return NULL;
    }
    return words;
}

void words_free(struct words *words)
{
    if (!words)
        return;
    arena_free(words->arena);
    free(words);
}

const char *words_keep(struct words *words, const char *text)
{
    if (!text)
        return NULL;
    for (struct kept *k = words->first; k; k = k->next)
        if (strcmp(k->text, text) == 0)
            return k->text;
    struct kept *k = arena_zero(words->arena, 1, sizeof *k);
    char *copy = k ? arena_text(words->arena, text) : NULL;
    if (!copy)
        return NULL;
    *k = (struct kept){words->first, copy};
    words->first = k;
    return copy;
}
