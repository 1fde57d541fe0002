/* Where rows go: the file, and while it cannot be written, memory. Nothing that was handed over is lost as
   long as the program runs: it is written as soon as the file takes it. */
#ifndef STORE_BACKING_H
#define STORE_BACKING_H

#include "store/database.h"

struct backing;

struct backing *
backing_open(const char *path); /* NULL path: no place is known; returns NULL only when memory is out */
void backing_close(struct backing *backing);
const char *backing_trouble(struct backing *backing); /* as store_trouble */

/* 0: on disk. -1: in memory. */
int backing_write(struct backing *backing, enum statement what, const struct value *values, int count);
/* As database_read; `row` is called with NULL first, and again when reading starts anew. -1: memory is out.
 */
int backing_read(struct backing *backing, enum statement what, const struct value *values, int count,
                 database_row *row, void *payload);

#endif
