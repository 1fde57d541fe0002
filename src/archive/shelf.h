/* The folder of the courses that are installed, changed by one process at a time. What is there under a name is a whole course,
   the old one or the new one; what a process that died has left behind is put in order by the next. */
#ifndef ARCHIVE_SHELF_H
#define ARCHIVE_SHELF_H

#include "archive/package.h"

struct shelf {
    char *path;
    int fd;
    char staged[32]; /* the name of the course that is not in its place yet, or "" */
};

/* Locks it; makes it where there is none. -1 with words: another process is at it, or it cannot be made. */
int shelf_open(struct shelf *shelf, const char *path, struct error *err);
/* Takes away what was staged and not placed, and folders that are empty. */
void shelf_close(struct shelf *shelf);

/* Unpacks into a folder of its own, in which nobody looks for courses; *path is the caller's to free. */
int shelf_stage(struct shelf *shelf, const struct package *package, char **path, struct error *err);
/* Puts what is staged under that name, in place of what is there. */
int shelf_place(struct shelf *shelf, const char *name, struct error *err);
/* Takes a course away. A link is refused, and none is followed below. */
int shelf_remove(struct shelf *shelf, const char *name, struct error *err);

enum shelf_holds { SHELF_NOTHING, SHELF_FOLDER, SHELF_OTHER /* a link, say */ };
enum shelf_holds shelf_look(const struct shelf *shelf, const char *name);

#endif
