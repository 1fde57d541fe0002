/* The learner's program as a file of their own: where it lies, how it is made, read, saved and begun anew. What is not a regular file
   is never followed, and nothing that was written by another hand is ever overwritten. */
#ifndef APP_WORK_FILE_H
#define APP_WORK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"

enum { WORK_TEXT_MAX = 64 * 1024 };

/* Whose program it is. Another seed or attempt has another bug, and so another file. */
struct work_place {
    const char *course; /* its key; "": a lesson alone */
    const char *lesson, *step;
    uint64_t seed;
    uint32_t attempt;
    const char *name; /* "layer_norm.lua" */
};

struct work_file {
    char *root, *below; /* the folder is root/below */
    char *name;
    char *folder, *path;
    char *shown; /* the path as to be read: "~/…" */
};

/* Tells the file from another that has its name: all 0 where there is none. */
struct work_stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

/* Touches nothing. -1 with words: names that no path may be made of. */
int work_file_place(struct work_file *out, const char *root, const struct work_place *place, struct error *err);
void work_file_free(struct work_file *file);

/* The folder of `former`, with all that is in it, becomes this file's, which has none yet. What cannot be moved stays. */
void work_file_adopt(const struct work_file *file, const struct work_file *former);

/* Writes `start` where there is no file yet; what is there stays. *made: it was not there. On disk when it returns 0. */
int work_file_make(const struct work_file *file, const char *start, bool *made, struct error *err);

enum work_read { WORK_READ, WORK_GONE, WORK_UNREADABLE };
/* *text is the caller's to free; WORK_UNREADABLE: words with the path and what to do. *stamp is that of what was looked at. */
enum work_read work_file_read(const struct work_file *file, char **text, struct work_stamp *stamp, struct error *err);

struct work_stamp work_file_stamp(const struct work_file *file);
bool work_stamp_same(const struct work_stamp *a, const struct work_stamp *b);

/* The text is in the file, on disk, or the file is as it was. What is there gives way only when it is the file that `known` tells of;
   else it is put aside: *aside as below. *stamp: the new file's. */
int work_file_save(const struct work_file *file, const char *text, const struct work_stamp *known, struct work_stamp *stamp,
                   char **aside, struct error *err);

/* Puts what is there aside as NAME~ (NAME~2, … where that is taken), and writes `start`. *aside: the new name, the caller's to
   free, or NULL when nothing was there. */
int work_file_start_over(const struct work_file *file, const char *start, char **aside, struct error *err);

#endif
