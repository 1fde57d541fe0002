/* What is wrong with a lesson: a line each, whatever number of seeds shows it. */
#ifndef CHECK_FINDING_H
#define CHECK_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_kind { FINDING_FAULT, FINDING_ADVICE /* does not count */ };

enum finding_scope {
    SCOPE_ALL,    /* it is about all seeds together, or nobody tried another */
    SCOPE_SEEDS,  /* every seed may show it or not */
    SCOPE_FRAMES, /* every seed may whose frames are drawn, … */
    SCOPE_BETWEEN, /* … with the knobs between their ends */
};

struct finding {
    enum finding_kind kind;
    size_t rank;        /* of its lesson */
    char *lesson;       /* id; "": of the course */
    char *file;         /* as messages name it */
    uint32_t line;      /* 0: no line is to blame */
    char *what;         /* as the lowest of the seeds has it */
    char *key;          /* alike for the same finding under other seeds; to be added: NULL, then it is made of the words */
    enum finding_scope scope;
    uint64_t seed;      /* the lowest */
    size_t seeds;       /* how many show it */
    unsigned char *seen; /* a bit a seed */
    size_t seen_size;
};

struct findings {
    struct finding *item;
    size_t count, room;
    bool failed; /* out of memory: something is missing */
};

/* Adds it, or counts the seed for the one that is there: same kind, file and line, and the same words but for their numbers. */
void findings_add(struct findings *findings, const struct finding *finding);
void findings_sort(struct findings *findings); /* by lesson, file and line, then words */
void findings_free(struct findings *findings);

#endif
