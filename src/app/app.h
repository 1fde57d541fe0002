/* The tutor at work: on a full screen, or in plain lines. */
#ifndef APP_APP_H
#define APP_APP_H

#include <stdio.h>

#include "app/tutor.h"

/* Where to begin. */
struct app_start {
    struct course *course;
    bool in_lesson; /* else the course list */
    size_t lesson;
    const char *step; /* with in_lesson; NULL: where the learner was */
    bool seeded;
    uint64_t seed;
    bool watch; /* with in_lesson: its files are loaded again whenever they are saved */
};

/* Until the learner leaves. *status: the program's exit status. -1: no screen could be had. */
int app_run(struct tutor *tutor, const struct app_start *start, int *status, struct error *err);
/* The same talk in lines. Ends when `in` does; -1: where to begin, or `in`, cannot be read. */
int plain_run(struct tutor *tutor, const struct app_start *start, FILE *in, FILE *out, int *status, struct error *err);

#endif
