/* The course list: what is in the course, and how far the learner is. */
#ifndef APP_ROWS_H
#define APP_ROWS_H

#include "app/course.h"
#include "app/review.h"
#include "store/store.h"
#include "ui/screen.h"

struct rows {
    struct arena *arena;
    struct course_row *row; /* one a lesson */
    size_t count;
    size_t *right; /* one a lesson: questions that were answered right */
    struct review review;
};

/* Reads the store (which may be NULL). Borrows from the course. */
int rows_make(struct rows *out, const struct course *course, struct store *store, struct error *err);
void rows_free(struct rows *rows);
/* The lesson to point at when the list opens: where the learner was last, or the one after it when that is done. */
size_t rows_last(const struct rows *rows, const struct course *course, struct store *store);

#endif
