/* A line typed in plain mode, as verb and rest. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

enum verb {
    VERB_NOTHING, /* an empty line */
    VERB_NEXT, VERB_BACK, VERB_HINT, VERB_HINTS, VERB_STEP, VERB_NEW, VERB_SHOW_ANSWER, VERB_ANSWER, VERB_SURE, VERB_LOOK, VERB_VIEW, VERB_VIEW_ALL, VERB_EXACT, VERB_RESET, VERB_OPEN, VERB_LIST, VERB_REVIEW, VERB_NOTES,
    VERB_HELP, VERB_QUIT,
    VERB_LEAVE, /* other words for quit */
    VERB_EDIT, VERB_PROBES, VERB_START_OVER, /* a program */
    VERB_OFF, VERB_ON,                       /* a branch */
    VERB_COMPUTE, /* "= EXPR" */
    VERB_SET,  /* `name` and `rest`, if the step has such a name; else an answer */
    VERB_OTHER /* `rest` is the line: an answer, where one is waited for */
};

struct command {
    enum verb verb;
    char name[128];   /* VERB_SET */
    const char *line; /* the whole line, trimmed */
    const char *rest; /* what follows the verb or the name, trimmed */
};

/* Borrows from `line`, which it trims. */
struct command command_read(char *line);

#endif
