/* What is kept, as SQL text. Rows are named by the ids of course, lesson and step, never by their positions; a course by the key that
   tells it from others with its id. */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

enum {
    SCHEMA_VERSION = 3,              /* user_version: raised when a table changes */
    SCHEMA_APPLICATION = 0x6e6f726d, /* application_id: "norm" */
};

extern const char schema_create[];
/* What makes of a file of version n + 1 one of version n + 2. */
extern const char *const schema_upgrades[SCHEMA_VERSION - 1];

/* ?1, ?2, … are the values in the order given here; a value that a text does not name is ignored. */
enum statement {
    ADD_ANSWER,    /* course lesson step seed attempt answer verdict mistake said sure time mark */
    MAKE_PLACE,    /* course lesson seed time */
    SET_PLACE,     /* course lesson seed time step page */
    SET_SEED,      /* course lesson seed time */
    SET_SEEN,      /* course lesson step */
    SET_ATTEMPT,   /* course lesson step attempt */
    SET_HINTS,     /* course lesson step hints */
    SET_REVIEW,    /* course lesson step attempt */
    SET_REVIEW_HINTS, /* course lesson step hints */
    PUT_CATALOGUE, /* path stamp outline */
    PUT_COURSE,    /* id author title key: the key where the id is another course's key already */
    MOVE_LESSON,   /* course from to */
    MOVE_STEP,     /* course lesson from to */
    GET_PLACE,     /* course lesson: seed step page time */
    LAST_LESSON,   /* course: lesson */
    GET_STEPS,     /* course lesson: the columns of struct store_step */
    GET_ANSWERS,   /* course: the columns of struct store_past */
    GET_GIVEN,     /* course lesson: the columns of struct store_given */
    GET_REVIEW,    /* course lesson step seed: the columns of struct store_review */
    GET_CATALOGUE, /* path stamp: outline */
    GET_COURSE,    /* id author: key title */
    HAS_LESSON,    /* course lesson: is anything known of it */
    HAS_STEP,      /* course lesson step: the same */
    STATEMENT_COUNT,
};

enum { STATEMENT_PARTS = 9 }; /* run as one transaction */
extern const char *const schema_statements[STATEMENT_COUNT][STATEMENT_PARTS];

/* How a table is copied. `forward` starts at row ?1 and puts the row's number first when `numbered`; else
   `backward` reads the table from its end. Rows that are there already stay as they are. */
struct schema_copy {
    int numbered;
    const char *forward, *backward, *insert;
};
enum { SCHEMA_COPIES = 5 }; /* the first copies the answers */
extern const struct schema_copy schema_copies[SCHEMA_COPIES];

#endif
