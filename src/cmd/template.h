/* What `normtutor new` writes: the files of templates/, which the Makefile puts into the program. */
#ifndef CMD_TEMPLATE_H
#define CMD_TEMPLATE_H

/* In a text "new-course" and "new-lesson" stand for ids, "New course" and "New lesson" for titles. */
struct template {
    const char *name; /* below templates/ */
    const char *text;
};

extern const struct template templates[]; /* the last one has no name */

#endif
