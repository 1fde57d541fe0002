/* A database of progress, in a file or in memory. Its source is the one file that knows SQLite. */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/schema.h"

struct database;

enum database_state {
    DATABASE_OK,
    DATABASE_FULL,   /* no room on the disk */
    DATABASE_LOCKED, /* another program held it for longer than `wait_ms` */
    DATABASE_READ_ONLY,
    DATABASE_DAMAGED,
    DATABASE_FOREIGN, /* a newer tutor's, or another program's: not touched */
    DATABASE_NO_MEMORY,
    DATABASE_FAILED, /* anything else */
};

/* Every function that gives a state puts the reason in words into `err` when the state is not DATABASE_OK. */

/* `path` NULL: in memory; else a file that exists, an empty one is given the schema. After a failure *out is
   a database that can only be read, or NULL. */
enum database_state database_open(struct database **out, const char *path, int wait_ms, struct error *err);
/* A damaged file, to copy what can still be read; it is not changed. */
enum database_state database_open_damaged(struct database **out, const char *path, struct error *err);
void database_close(struct database *db);
void database_abandon(struct database *db); /* closes it and leaves the file and its log as they are */
void database_set_wait(struct database *db, int wait_ms);
bool database_moved(struct database *db); /* the name no longer leads to the file that is open */

enum value_kind { VALUE_NULL, VALUE_NUMBER, VALUE_BYTES, VALUE_TEXT };
struct value {
    enum value_kind kind;
    int64_t number;
    const void *bytes; /* borrowed; text also ends in a NUL byte, which `length` does not count */
    size_t length;
};

/* On disk when it returns DATABASE_OK outside database_begin. */
enum database_state database_write(struct database *db, enum statement what, const struct value *values,
                                   int count, struct error *err);
/* Calls `row` with each row; other than 0 stops the reading, which is then DATABASE_NO_MEMORY. */
typedef int database_row(void *payload, const struct value *columns, int count);
enum database_state database_read(struct database *db, enum statement what, const struct value *values,
                                  int count, database_row *row, void *payload, struct error *err);

enum database_state database_begin(struct database *db, struct error *err);
enum database_state database_commit(struct database *db, struct error *err);
void database_cancel(struct database *db);

/* Copies what can be read of `from` and is not in `to` yet; the state is that of writing. *answers: how many
 * answers were read. */
enum database_state database_copy(struct database *to, struct database *from, size_t *answers,
                                  struct error *err);

uint64_t database_random(void);
const char *database_version(void); /* SQLite's, as it runs here */

#endif
