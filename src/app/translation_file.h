/* Lessons in other languages: lang/LANGUAGE/NAME.lua beside the lesson, as lang/de/epsilon.lua. */
#ifndef APP_TRANSLATION_FILE_H
#define APP_TRANSLATION_FILE_H

#include "base/error.h"
#include "base/language.h"
#include "base/strbuf.h"
#include "scene/request.h"

enum { TRANSLATION_MAX = 256 * 1024 };

struct translation_file {
    char *language; /* NULL: the lesson's own */
    char *file;     /* how messages name it */
    char *text;
    struct request_translation sent; /* the same, for requests */
};

/* Reads the first of the learner's languages that there is for the file at `path`; none where the lesson's `own` ("": English) comes
   before. `label` is how messages name the lesson. Follows no link; -1 with words: it is there and cannot be read. */
int translation_file_choose(struct translation_file *out, const char *path, const char *label, const char *own, struct error *err);
/* The same in one language. A file that is not there has an empty text. */
int translation_file_read(struct translation_file *out, const char *path, const char *label, const char *language, struct error *err);
void translation_file_free(struct translation_file *file);
const struct request_translation *translation_file_to_request(const struct translation_file *file); /* borrowed; NULL: none */

/* Adds what changes when translation_file_choose may choose another text. */
void translation_file_stamp(struct strbuf *out, const char *path);

/* Calls `found` for each language that the file at `path` has been translated into, by name. */
void translation_file_languages(const char *path, void (*found)(void *payload, const char *language), void *payload);

/* Writes the file, with the folders it needs, in one piece: the old one is there until the new one is whole. */
int translation_file_write(const char *path, const char *language, const char *text, struct error *err);

#endif
