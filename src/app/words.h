/* Names and answers that outlive the scene they came from: each text is kept once, until the keeper goes. */
#ifndef APP_WORDS_H
#define APP_WORDS_H

struct words;

struct words *words_new(void); /* NULL: out of memory */
void words_free(struct words *words);
const char *words_keep(struct words *words, const char *text); /* the kept copy; NULL: out of memory, or text is NULL */

#endif
