#include "app/nearest.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits between two names: a letter put in, taken out or changed, or two neighbours swapped. */
static size_t edits_between(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    size_t row[3][NAME_MAX_LENGTH + 1];
    for (size_t j = 0; j <= n; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = row[i % 3], *above = row[(i + 2) % 3], *two_above = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two_above[j - 2] + 1);
        }
    }
    return row[m % 3][n];
}

void nearest_offer(struct nearest *nearest, const char *known)
{
    size_t wanted_length = strlen(nearest->wanted), known_length = strlen(known);
    if (wanted_length > NAME_MAX_LENGTH || known_length > NAME_MAX_LENGTH)
        return;
    size_t distance = edits_between(nearest->wanted, known);
    size_t near = wanted_length < 6 ? 1 : wanted_length / 3;
    if (distance > near || distance >= wanted_length)
        return;
    if (!nearest->best || distance < nearest->distance) {
        nearest->best = known;
        nearest->distance = distance;
    }
}
