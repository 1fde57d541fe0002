/* Lists that grow one by one: their room doubles when it is used up. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stddef.h>

/* A list of `count` elements of `size` bytes with room for one more: itself, or where realloc has put it, which is the caller's to
 * free; `room` follows. NULL when memory is out: the list is as it was. */
void *list_room(void *list, size_t count, size_t *room, size_t size);

#endif
