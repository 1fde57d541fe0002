/* Some of a question's options, as they are picked or put in order; and the text that says so. */
#ifndef SCENE_PICKS_H
#define SCENE_PICKS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "scene/scene.h"

struct picks {
    size_t count, place[OPTIONS_MAX]; /* as shown, from 0 */
};

/* An id, or a number as shown, from 1; `count`: it is none of them. */
size_t option_find(const struct scene_option *options, size_t count, const char *text, size_t length);
/* Ids or numbers with blanks, commas or arrows between; 0, or -1 with words for the learner. */
int picks_read(struct picks *out, const struct scene_option *options, size_t count, const char *text, struct error *err);
void picks_write(struct strbuf *out, const struct picks *picks, const struct scene_option *options); /* ids with blanks between */

bool picks_have(const struct picks *picks, size_t place);
void picks_toggle(struct picks *picks, size_t place); /* goes to the end, or out */
/* One place on towards the end or, by < 0, the start; past the end it is out, and from there it comes back to the end. */
void picks_carry(struct picks *picks, size_t place, int by);
/* A list of the picked ones in their order, then of the rest as shown: where an option stands in it, and which stands there. */
size_t picks_row(const struct picks *picks, size_t place);
size_t picks_at(const struct picks *picks, size_t row);

#endif
