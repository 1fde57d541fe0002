/* Where notes are kept. A file is replaced only when it is one of theirs, unchanged, and does not have more answers in it: the last line
   says so. Any other is kept beside it, as NAME~ (NAME~2, … where that is taken). */
#ifndef APP_NOTES_FILE_H
#define APP_NOTES_FILE_H

#include "base/error.h"
#include "base/strbuf.h"

void notes_seal(struct strbuf *text, size_t answers); /* adds that line */
char *notes_place(struct error *err); /* notes.md beside the learner's progress; NULL with words. The caller frees */
/* All of the text, sealed, is in the file, on disk, or everything is as it was. *aside: as what the file before is kept, the caller's to
   free; NULL: there was none, or none to be kept. */
int notes_save(const char *path, const struct strbuf *text, char **aside, struct error *err);

#endif
