/* The learner's language. It is chosen once, before anything is said. */
#ifndef BASE_LANGUAGE_H
#define BASE_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { LANGUAGE_SIZE = 16 /* bytes of a name, the NUL included */, LANGUAGES_MAX = 8 };

/* "de", "pt_BR", "sr@latin": good as the name of a folder, too. */
bool language_is_name(const char *name);

/* Chooses `asked`, or what LANGUAGE, LC_ALL, LC_MESSAGES and LANG say where it is NULL. */
void language_choose(const char *asked);

/* The names that a translation may bear to be the learner's, best first: "de_AT", "de"; "en" stands for what the tutor speaks by
   itself. Borrowed. */
const char *language_name(size_t place); /* NULL: no more */

#endif
