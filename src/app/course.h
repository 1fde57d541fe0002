/* A course on disk: course.lua and its lessons, or one lesson file alone. What is in the files only the worker can tell: a course
   begins with what the catalogue remembers, says what it still wants, and is given it. */
#ifndef APP_COURSE_H
#define APP_COURSE_H

#include <stdbool.h>

#include "app/lesson_text.h"
#include "store/store.h"
#include "ui/screen.h"

struct course_lesson {
    char *id, *path;
    char *label;           /* how messages name the file */
    struct scene *outline; /* with `lesson`; NULL: not known yet */
    struct scene *draft;   /* its outline as it is told before its files are opened, or NULL */
    char *error;           /* why the lesson cannot be loaded, or NULL */
};

struct course {
    char *folder;             /* NULL: a lesson alone */
    char *label, *head_label; /* how messages name the folder, and course.lua in it */
    bool builtin;
    char *key;          /* what the store knows the course by; NULL: by its id */
    struct scene *head; /* with `course`; NULL: not known yet, or a lesson alone */
    char *rights;       /* "by A. Author, MIT, version 1.0", or NULL */
    char *place;        /* its folder as to be read, or NULL */
    char *error;        /* why course.lua cannot be loaded, or NULL */
    char *asked_stamp; /* of the file that was last read to be asked about: taken before reading */
    struct course_lesson *lessons;
    size_t lesson_count;
};

int course_new_folder(struct course **out, const char *folder, const char *label, bool builtin, struct error *err);
int course_new_alone(struct course **out, const char *path, struct error *err);
void course_free(struct course *course); /* NULL is allowed */
/* Takes `other`, the same course read anew, in place of what it was. */
void course_become(struct course *course, struct course *other);

const char *course_id(const struct course *course);    /* "" for a lesson alone, or while it is not known */
const char *course_key(const struct course *course);   /* what progress and programs are kept under; "" as course_id */
const char *course_language(const struct course *course); /* "" where it is not said, or not known */
const char *course_title(const struct course *course); /* "" while it is not known */
const char *course_origin(const struct course *course); /* "by A. Author, MIT, version 1.0"; "" for the built-in course, or not known */
void course_tell(const struct course *course, struct course_about *out); /* borrowed */
const struct scene_lesson *course_outline(const struct course *course, size_t lesson); /* NULL: not known */

/* What the course still wants to know, most important first: course.lua (-1), or the outline of a lesson. */
bool course_wants(const struct course *course, long *what);
/* The request that asks for it, with `text` behind it. -1: the file cannot be read; the course has noted why. */
int course_request(struct course *course, long what, struct lesson_text *text, struct request *request);
/* The answer to it. Takes the scene; puts it into the catalogue (store may be NULL). A lesson that declares files is wanted once
   more: then the request brings them. */
void course_take(struct course *course, long what, struct scene *scene, struct store *store);
bool course_halfway(const struct course *course, long what); /* wanted once more */
void course_fail(struct course *course, long what, const char *words);
/* Fills in what the catalogue knows of the files as they are now. */
void course_recall(struct course *course, struct store *store);

void course_call(struct course *course, size_t lesson, const char *label); /* how messages are to name the file */
long course_find(const struct course *course, const char *id); /* index of the lesson, or -1 */

#endif
