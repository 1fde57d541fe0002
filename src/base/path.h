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
char *path_program(void);      /* this program's file */
char *path_lessons(void);      /* the built-in course: ../lessons beside build/, or ../share/normtutor/lessons of an installed program */
bool path_ends(const char *path, const char *tail); /* in `tail`, and something stands before that */
/* Is it the name of a file below a folder: relative, no part of it empty, "." or ".."? */
bool path_is_below(const char *name);
int path_make_folders(const char *path, struct error *err);
/* The whole of a regular file, NUL added; -1 with words when it is not regular, unreadable or longer than `limit`. */
int path_read(const char *path, size_t limit, char **text, size_t *length, struct error *err);

#endif
