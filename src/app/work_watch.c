#include "app/work_watch.h"

#include <string.h>

#include "base/hash.h"

static uint64_t mark(const struct work_stamp *stamp)
{
    const int64_t fields[] = {(int64_t)stamp->device, (int64_t)stamp->inode, (int64_t)stamp->size, (int64_t)stamp->changed.tv_sec,
                              (int64_t)stamp->changed.tv_nsec};
    return hash_bytes(HASH_START, fields, sizeof fields);
}

static uint64_t stamp(const void *what)
{
    struct work_stamp now = work_file_stamp(what);
    return mark(&now);
}

static void folders(const void *what, struct watch *watch)
{
    const struct work_file *file = what;
    watch_folder(watch, file->folder, 0);
}

static bool concerns(const void *what, int folder, const char *name)
{
    const struct work_file *file = what;
    return folder == 0 && strcmp(name, file->name) == 0;
}

void work_watch_open(struct watch *watch, const struct work_file *file, int64_t now)
{
    watch_open(watch, &(struct watched){file, stamp, folders, concerns}, now);
}

void work_watch_read(struct watch *watch, const struct work_stamp *read)
{
    watch_read(watch, mark(read));
}
