/* The learner's language. It is chosen once, before anything is said.

   What a person reads is marked where it is written, for scripts/translations to find it: `_("words")` are said in the language,
   N_("words") are words that somebody else will say by _(). error_set, cmd_fail, lesson_error and what else scripts/translations
   names say their format by themselves. */
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

/* Speaks these languages ("de_AT:de", best first; "": the tutor's own), as far as `folder` has catalogues of them: afterwards nothing
   need be opened. False: it has none. */
bool language_speak(const char *names, const char *folder);
const char *language_spoken(void); /* for language_speak in another process */
const char *language_wanted(void); /* of the names that were chosen, those that come before English; borrowed, until the next call */

/* The words in the language. */
__attribute__((format_arg(1))) const char *language_say(const char *words);
__attribute__((format_arg(1), format_arg(2))) const char *language_count(const char *one, const char *many, size_t count);

#define _(words) language_say(words)
#define N_(words) words

#endif
