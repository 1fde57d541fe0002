/* The files that a lesson declares, opened for the worker, which opens none itself. */
#ifndef APP_LESSON_FILES_H
#define APP_LESSON_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "scene/scene.h"

struct lesson_files {
    struct lesson_file *item;
    struct request_file *sent; /* the same, for requests */
    size_t count;
};

/* Opens regular files below files/ beside the lesson at `path`, and follows no link on the way there. -1 with words that name
   the file and, as `label`, the lesson. */
int lesson_files_open(struct lesson_files *out, const char *path, const char *label, const struct strings *names, struct error *err);
void lesson_files_free(struct lesson_files *files);
bool lesson_files_are(const struct lesson_files *files, const struct strings *names);
/* Borrowed; the stamps tell the files as they are now. */
void lesson_files_to_request(const struct lesson_files *files, struct request *request);

#endif
