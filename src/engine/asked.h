/* Typed numbers and what they are held against. Between asked.c, judge.c and nearly.c. */
#ifndef ENGINE_ASKED_H
#define ENGINE_ASKED_H

#include "engine/judge.h"

struct asked {
    struct quantity truth, *also; /* also right */
    size_t also_count;
    bool exact;       /* an integer answer */
    double tolerance; /* absolute; by place where `digits` is asked for */
    int places;       /* for writing the answer; -1: as number_text does */
    int digits;       /* significant digits; 0: none asked */
    struct mistaken { /* those that count for these numbers */
        const struct part_def *part;
        struct quantity by;
    } *mistakes;
    size_t mistake_count;
};

/* All that the question knows; raises where something is not a number that can be asked for. */
void asked_take(struct engine *engine, const struct step_def *step, int env, struct asked *out);

double asked_allowed(const struct asked *asked, double want); /* how far from it is still right */
bool near(double got, double want, double tolerance);
bool same_shape(const struct quantity *a, const struct quantity *b); /* axes of one element make no difference */
/* As exactly as the answer is asked for; and to the digits that were typed, where those are fewer. */
bool fits(const struct asked *asked, const struct quantity *got, const struct quantity *want);
bool fits_typed(const struct asked *asked, const struct quantity *got, const struct quantity *want);
bool asked_right(const struct asked *asked, const struct quantity *got);
bool asked_alike(const struct asked *asked, size_t mistake, struct alike *pair); /* to what is right, or a mistake before it: within two tolerances */

struct recognised {
    const struct part_def *part; /* the mistake that it is, and no other; or NULL */
    bool truth;                  /* only the truth fits, but not exactly enough */
};
struct recognised asked_recognise(const struct asked *asked, const struct quantity *got);

/* nearly.c: what to say when no mistake of the lesson's is recognised; at: the first wrong element, from 0 */
const char *wrong_words(struct engine *engine, const struct asked *asked, const struct quantity *got, size_t at, bool truth);
const char *expects_words(struct engine *engine, const struct step_def *step, const struct asked *asked);

#endif
