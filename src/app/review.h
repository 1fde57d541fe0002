/* What is to be asked again in a course, and when the rest of it will be. */
#ifndef APP_REVIEW_H
#define APP_REVIEW_H

#include "app/course.h"
#include "base/strbuf.h"
#include "store/store.h"

struct review_item {
    size_t lesson;
    const char *step; /* id */
    bool first;
    int64_t due;
    bool opened; /* in this round: it stands at its numbers */
};

/* One round of what is due, in the order in which it is asked. */
struct review {
    struct arena *arena;
    struct review_item *items;
    size_t count, at;
    int64_t now, next; /* when it was made; when the first of the others is due, 0: there are none */
};

/* Reads the store (which may be NULL). Only questions that are known to be in a lesson are asked. */
int review_make(struct review *out, const struct course *course, struct store *store, int64_t now, struct error *err);
void review_free(struct review *review);
int64_t review_clock(void); /* seconds since 1970 */

/* Without due items: when there will be some. With items: how many. */
void review_say(const struct review *review, struct strbuf *out);

#endif
