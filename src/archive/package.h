/* A course as one file: a .tar.gz with one folder in it, and in that course.lua, lessons, shared/, files/ and lang/. */
#ifndef ARCHIVE_PACKAGE_H
#define ARCHIVE_PACKAGE_H

#include <stdbool.h>

#include "archive/tar.h"

enum {
    PACKAGE_NAME_MAX = 150, /* bytes of a name, ... */
    PACKAGE_PART_MAX = 100, /* ... and of a part of it */
    PACKAGE_DEEP = 8,       /* parts of a name */
    PACKAGE_ID_MAX = 40,    /* bytes of a course's id */
};

struct package {
    struct arena *arena;
    struct tar_file *files; /* no folders; names below the course's folder, sorted */
    size_t count;
    size_t bytes;        /* of all files */
    const char **left;   /* what package_collect left out */
    size_t left_count;
};

/* What an archive holds, when all of it is what a course may hold. -1 with words: nothing of it is to be used. */
int package_read(struct package *out, const void *bytes, size_t length, struct error *err);

/* A course's folder: course.lua, the lessons named (without .lua) and what may stand in shared/, files/ and lang/. Other names are
   left out. -1 with words that begin with `label`, the folder: a link, a hidden file, or another thing that cannot be packed. */
int package_collect(struct package *out, const char *folder, const char *label, const char *const *lessons, size_t count,
                    struct error *err);
/* The archive, below a folder of that name. What package_read would refuse is not written. */
int package_write(struct strbuf *out, const struct package *package, const char *name, struct error *err);

void package_free(struct package *package);

/* Can a course of that id be installed: is it the name of a folder, and no way out of one? */
bool package_names_course(const char *id);

/* ---- for the two above ---- */

/* Why no course may hold such a name, whatever it is for, or NULL. */
const char *package_complaint(const char *name);
/* Is it one of the places that a course has: "course.lua", "LESSON.lua", "shared/NAME.lua", "files/...", "lang/LANGUAGE/NAME.lua"? */
bool package_has_place(const char *name);

#endif
