#include "base/list.h"

#include <stdint.h>
#include <stdlib.h>

enum { ROOM_AT_FIRST = 16 };

void *list_room(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    if (*room > SIZE_MAX / 2 / size)
        return NULL;
    size_t wanted = *room ? 2 * *room : ROOM_AT_FIRST;
    void *moved = realloc(list, wanted * size);
    if (moved)
        *room = wanted;
    return moved;
}
