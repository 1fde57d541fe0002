/* A file of a course with the modules beside it, read whole: what a request carries. */
#ifndef APP_LESSON_TEXT_H
#define APP_LESSON_TEXT_H

#include "app/lesson_files.h"
#include "app/translation_file.h"

enum { LESSON_TEXT_MAX = 256 * 1024, LESSON_ALL_MAX = 900 * 1024 };

struct lesson_text {
    char *source;
    size_t source_length;
    struct request_shared *shared; /* the modules of shared/, by name */
    size_t shared_count;
    struct lesson_files files; /* none until lesson_text_open */
    struct translation_file translation; /* none until lesson_text_translate */
};

/* Reads `path` and the *.lua in shared/ beside it. -1 with words: unreadable, or longer than a request may carry. */
int lesson_text_read(struct lesson_text *out, const char *path, struct error *err);
/* Opens what the lesson declares, in place of what was open; -1 with words leaves nothing open. */
int lesson_text_open(struct lesson_text *text, const char *path, const char *label, const struct strings *names, struct error *err);
/* Adds its translation into the learner's language, where there is one; `own` is the course's ("": not known). */
int lesson_text_translate(struct lesson_text *text, const char *path, const char *label, const char *own, struct error *err);
void lesson_text_free(struct lesson_text *text);
void lesson_text_to_request(const struct lesson_text *text, struct request *request); /* borrowed */

/* What changes when the file, something in shared/, files/ or lang/ beside it, the learner's language or this program changes; the caller frees it. NULL: no such file. */
char *lesson_text_stamp(const char *path);

#endif
