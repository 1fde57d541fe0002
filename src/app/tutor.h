/* What every command works with: the courses that are installed, the learner's store, and the worker. */
#ifndef APP_TUTOR_H
#define APP_TUTOR_H

#include "app/course.h"
#include "cage/cage.h"

struct tutor_options {
    bool open;          /* --no-cage */
    bool no_store;      /* nothing is remembered, no file is touched */
    double cpu_seconds; /* 0: the cage's own budget */
};

struct tutor {
    struct tutor_options options;
    struct store *store; /* NULL with no_store */
    struct cage *cage;   /* NULL until it is needed */
    struct course **courses; /* the built-in one first, then the learner's, by folder name */
    size_t course_count;
};

int tutor_open(struct tutor *tutor, const struct tutor_options *options, struct error *err);
void tutor_close(struct tutor *tutor);

char *tutor_work(const struct tutor *tutor); /* the folder of the learner's programs; NULL: there is none, or no memory. Caller frees */

int tutor_add(struct tutor *tutor, struct course *course, struct error *err); /* takes the course, even when it fails */
int tutor_cage(struct tutor *tutor, struct error *err); /* spawns the worker if there is none */
int tutor_ask(struct tutor *tutor, const struct request *request, struct scene **scene, struct error *err); /* and waits */

/* May code of this course run here? Without a seccomp cage only the built-in course may, unless --no-cage. */
int tutor_may_run(const struct tutor *tutor, const struct course *course, struct error *err);

/* Asks the worker, and waits, for all that the course wants (`all`), or for its course.lua; what cannot be loaded is noted there. */
int tutor_learn(struct tutor *tutor, struct course *course, bool all, struct error *err);

/* The outline of one lesson; -1: it cannot be loaded, and why. */
int tutor_learn_lesson(struct tutor *tutor, struct course *course, size_t lesson, struct error *err);

void tutor_learn_heads(struct tutor *tutor); /* the course.lua of every course, where it can be loaded */

enum tutor_found { TUTOR_FOUND = 0, TUTOR_UNKNOWN = -1 /* no such lesson */, TUTOR_BROKEN = -2 /* it is there, but cannot be read */ };
/* The lesson that ID, COURSE/ID or a path means; the course joins tutor->courses. Unknown: the nearest known id is said. */
enum tutor_found tutor_find(struct tutor *tutor, const char *name, struct course **course, size_t *lesson, struct error *err);

#endif
