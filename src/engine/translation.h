/* Lessons in other languages: keys for what is written in them, and what lang/ beside them has under those keys. */
#ifndef ENGINE_TRANSLATION_H
#define ENGINE_TRANSLATION_H

#include "engine/internal.h"

/* A text of the lesson that can be translated. */
struct translatable {
    const char *key;               /* the way there by ids: "near-eps.hints.2" */
    const char *words;             /* the lesson's own */
    const struct construct *where; /* whose it is, and in which field */
    const char *field;
    bool plain;                    /* no Markdown, no holes */
    int table, slot;               /* stack indices: the table it stands in, and its key there */
};

typedef void translatable_visit(struct engine *engine, void *payload, const struct translatable *text);

/* Visits what can be translated in the loaded lesson, or in the course whose fields are at `course` (a stack index; 0: the lesson),
   in the lesson's order; what stands in two places once. The visitor may put another string into its slot, and leaves the stack as
   it was. */
void translatables(struct engine *engine, const struct construct *where, int course, translatable_visit *visit, void *payload);

enum { FINGERPRINT_SIZE = 9 };
void words_fingerprint(char out[FINGERPRINT_SIZE], const char *words);

/* Puts the words of request->translation in the place of the lesson's: those that are translated, in step and have its holes. Of a
   file that is no translation none are. */
void translation_take(struct engine *engine, const struct construct *where, int course);

/* REQUEST_TRANSLATE: fills scene->translation. */
void translation_renew(struct engine *engine, const struct construct *where, int course);

/* ---- between the files of translation ---- */

/* Pushes the table that the translation returns, key -> { words, of = fingerprint }, checked, or an empty one. Raises. */
void translation_push(struct engine *engine);
/* The entry of `key` in the table at `table`: its words, "" where there are none; *of: the fingerprint, or NULL. Both borrowed from the
   table. NULL: there is no entry. */
const char *translation_entry(lua_State *L, int table, const char *key, const char **of);
/* What is amiss with the holes of words that are to stand in the text's place, or NULL; on the stack. Raises on an open hole. */
const char *translation_holes(struct engine *engine, const struct translatable *text, const char *words);

/* The file as a text: pushes { lines = { key = line }, notes = { key = comments before it }, head = , foot = comments }, the
   comments that begin with --: left out; each comment ends in a newline. False: it is more than `return { … }`. */
bool translation_scan(struct engine *engine);
uint32_t translation_line(struct engine *engine, const char *key); /* of an entry; 0: not found */

#endif
