/* Where things are. Results are the caller's to free; NULL: not found or out of memory. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

char *path_join(const char *folder, const char *name);
char *path_folder(const char *path); /* the folder that a file is in: "a/b" -> "a", "/a" -> "/", "a" -> "." */
char *path_state_home(void);   /* $XDG_STATE_HOME/normtutor, or ~/.local/state/normtutor */
char *path_data_home(void);    /* $XDG_DATA_HOME/normtutor, or ~/.local/share/normtutor */
char *path_courses(void);      /* in it, the courses that the learner has installed */
char *path_program(void);      /* this program's file */
char *path_lessons(void);      /* the built-in course: ../lessons beside build/, or ../share/normtutor/lessons of an installed program */
char *path_locale(void);       /* the catalogues of its words: locale/ beside it in build/, or ../share/locale of an installed program */
const char *path_name(const char *path); /* its last part, borrowed: "a/b" -> "b" */
bool path_ends(const char *path, const char *tail); /* in `tail`, and something stands before that */
/* Is it the name of a file below a folder: relative, no part of it empty, "." or ".."? */
bool path_is_below(const char *name);
int path_make_folders(const char *path, struct error *err);
/* One part of a way: the folder `name` in `*folder`, which is closed and replaced. No link is followed: -1, errno ELOOP. */
int path_enter(int *folder, const char *name);
/* A regular file in `folder`, to be read; no link is followed, no device wakes. -1 with words that say what it is ("it is a folder, not a file"). */
int path_open_regular(int folder, const char *name, struct error *err);
/* The whole of a regular file: beside its place first, so that no half of it is ever there. */
int path_write_all(int fd, const char *bytes, size_t length); /* -1: errno says why */
int path_write(const char *path, const char *bytes, size_t length, struct error *err);
char *path_with_tilde(const char *path); /* as to be read: "~/a" for what is below the user's home */
/* The whole of a regular file, NUL added; -1 with words when it is not regular, unreadable or longer than `limit`. */
int path_read(const char *path, size_t limit, char **text, size_t *length, struct error *err);
/* As path_read, of an open file that messages call `path`. */
int path_read_from(int fd, const char *path, size_t limit, char **text, size_t *length, struct error *err);

#endif
