/* What lies before the learner in a lesson beside the session itself: where the keys go, the lines being typed, how far the text is
   scrolled. With the session it makes a screen. */
#ifndef APP_DESK_H
#define APP_DESK_H

#include "app/line.h"
#include "app/session.h"
#include "scene/picks.h"

enum { DESK_CELL_NAME = 160, DESK_OPTION_ID = 68 /* bytes, a blank included */, SCROLL_AUTO = -1 };

struct desk {
    enum focus focus;
    bool fresh; /* the step's first scene is still awaited: the focus is chosen when it comes */
    size_t knob, choice;
    struct picks picks; /* of several options, or the pieces in their order so far */
    size_t exact;       /* which of the numbers under the cursor `=` shows next */
    bool held;          /* the piece pointed at goes where the arrows go */
    char picked[OPTIONS_MAX * DESK_OPTION_ID]; /* the picks as an answer */
    uint32_t sure; /* 1..3 */
    struct line field, cell;
    bool cell_fresh; /* nothing typed yet: the first character replaces the old value */
    char cell_name[DESK_CELL_NAME];
    struct edit cell_edit; /* its name points into `cell_data` */
    char cell_data[DESK_CELL_NAME];
    int scroll;
    bool help;
    int help_scroll;
};

void desk_clear(struct desk *desk); /* a step (or new numbers) opens */
/* After a scene: chooses the focus when the step is new, takes it back from what is no longer there. */
void desk_settle(struct desk *desk, const struct session *session);
void desk_cycle(struct desk *desk, const struct session *session, bool back);
bool desk_has(const struct session *session, enum focus focus);

bool desk_field(const struct scene_step *step); /* the step's answer is typed into a field */
bool desk_picks(const struct scene_step *step); /* it is several options, or pieces in order */
/* An answer as it would lie there: in the field, picked, pointed at. */
void desk_lay(struct desk *desk, const struct scene_step *step, const char *answer);

/* Opens the editor of the cell under the cursor, its value in the line; false: nothing here can be edited. */
bool desk_edit_cell(struct desk *desk, const struct session *session);

/* The axes that the arrows move along, which are the last two; a lone one is both; -1: none. */
int desk_row_axis(const struct scene_step *step);    /* up and down */
int desk_column_axis(const struct scene_step *step); /* left and right */
int desk_depth_axis(const struct scene_step *step);  /* the one before them: up and down go on into it */
uint32_t desk_layer(const struct session *session);  /* whose branch the cursor stands at; 0: there are no branches */

/* What `typed` of a request is while the field is open; NULL: nothing. */
const char *desk_typed(const struct desk *desk, const struct session *session);
/* The answer that Enter would give: the field's line, the id of the option pointed at, or those picked; NULL: none. */
const char *desk_answer(struct desk *desk, const struct session *session);

/* All but notice, working, spinner, next_title, code_path and the review's numbers. Borrows from both. */
void desk_screen(const struct desk *desk, const struct session *session, struct lesson_screen *out);

#endif
