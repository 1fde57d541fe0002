/* .tar.gz in memory. Reading takes it for what a stranger sent: regular files and folders, or it is refused. */
#ifndef ARCHIVE_TAR_H
#define ARCHIVE_TAR_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

enum {
    TAR_BYTES_MAX = 32 * 1024 * 1024, /* of an archive, and of what is in it */
    TAR_ENTRIES_MAX = 2000,
    TAR_SMALL = 1024 * 1024, /* up to here nobody asks how well it was packed; ... */
    TAR_RATIO_MAX = 200,     /* ... beyond, it unpacks to this many times its size at most */
};

struct tar_file {
    const char *name;
    const char *bytes; /* a zero byte follows; NULL: a folder */
    size_t length;
};

/* Whether archives can be read and written here. -1 with words: this program was built without libarchive, or it is gone. */
int tar_possible(struct error *err);

/* Everything that is in it, in its order; names as they are, not judged. -1 with words about what is wrong with it. */
int tar_read(struct tar_file **files, size_t *count, struct arena *arena, const void *bytes, size_t length, struct error *err);

/* The same files give the same bytes. Names of at most 155 bytes, each part of them of at most 100. */
int tar_write(struct strbuf *out, const struct tar_file *files, size_t count, struct error *err);

#endif
