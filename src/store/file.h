/* The progress file as a file: made, told apart, put aside. */
#ifndef STORE_FILE_H
#define STORE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct file_id {
    dev_t device;
    ino_t inode;
};

/* Makes sure that `path` is a regular file (an empty one is made, readable by its owner alone) and says
 * which. -1 with words. */
int file_make(const char *path, struct file_id *id, struct error *err);
/* Renames a damaged database with its journals to PATH.damaged-DATE-TIME. Returns 0 and the new name, the
   caller's to free; 0 and NULL when the name no longer leads to `id`: another tutor did it; -1 with words. */
int file_put_aside(const char *path, const struct file_id *id, char **name, struct error *err);
bool file_on_network(const char *path); /* also when it might be */

#endif
