/* Lessons tried as learners would: every answer and mistake for every seed, frames for some of them. What is wrong becomes findings,
   in an order that never changes. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdbool.h>

#include "app/tutor.h"
#include "check/finding.h"

enum {
    CHECK_FRAME_SEEDS = 8,  /* of the first seeds the frames are drawn as well, … */
    CHECK_BETWEEN_SEEDS = 2 /* … of these with the knobs between their ends, too */
};

struct check_options {
    uint64_t seeds;   /* 1 to this */
    size_t workers;   /* 0: one a processor */
    bool open;        /* --no-cage */
};

struct check_counts {
    size_t lessons, questions;
    size_t mistakes; /* that the lessons know: options and programs that are wrong among them */
    size_t views;    /* steps that show one */
    size_t answers;  /* judged */
    size_t frames;   /* drawn */
};

struct check;

int check_open(struct check **out, const struct check_options *options, struct error *err);
void check_close(struct check *check); /* NULL is allowed */

/* A lesson file, a course's folder, or a lesson's id. -1 with words: there is no such thing. What is wrong with it is a finding. */
int check_add(struct check *check, const char *path, struct error *err);

/* Tries all that was added. `go_on` is called again and again with how much is done of how much; false ends it. -1 with words: no
   worker could be had, or it was ended. */
int check_run(struct check *check, bool (*go_on)(void *context, size_t done, size_t all), void *context, struct error *err);

const struct findings *check_findings(const struct check *check); /* sorted, after check_run */
void check_count(const struct check *check, struct check_counts *out);

#endif
