/* The text of a lesson's page: one sheet that scrolls, and the answer's line, which never scrolls out of
 * sight. */
#ifndef UI_FLOW_H
#define UI_FLOW_H

#include "ui/screen.h"
#include "ui/sheet.h"
#include "ui/view.h"

struct flow {
    struct sheet text;
    struct sheet field;         /* the answer's line and what stands below it; may have no rows */
    int field_at;               /* it stands before this row of the text */
    int follow_from, follow_to; /* rows of the text to be kept in sight */
};

/* With the step's title above; as it is; without the options of a choice that is settled. */
enum flow_size { FLOW_TITLED, FLOW_WHOLE, FLOW_BRIEF };
void flow_step(struct flow *flow, const struct lesson_screen *screen, int columns, bool ascii,
               enum flow_size size);
void flow_goal(struct flow *flow, const struct lesson_screen *screen, int columns, bool ascii);
void flow_end(struct flow *flow, const struct lesson_screen *screen, int columns, bool ascii);
void flow_close(struct flow *flow);
int flow_rows(const struct flow *flow); /* to show all of it */
/* Shows a window of it; scroll -1 follows. The caret becomes the grid's. */
void flow_show(const struct flow *flow, struct grid *grid, struct box box, int scroll, struct drawn *drawn);

/* What came of the answer, and the hints that are open. Adds to the text; follow_from and follow_to say
 * where. */
void feedback_add(struct flow *flow, const struct lesson_screen *screen, int columns);
/* The program that is asked for, and where its file is. Adds to the text. */
void flow_code_add(struct flow *flow, const struct lesson_screen *screen, int columns);
/* "" where the lesson gave none, so that it is the id. */
const char *flow_step_title(const struct scene *scene);
extern const char *const sure_words[4]; /* by 1 to 3 */
int said_length(const char *said); /* of what the learner said, without a full stop of its own */

/* A line being typed, its caret in the sheet. */
void field_line(struct sheet *sheet, int column, int row, int limit, const struct field *field, bool focused);

/* The help page: for whatever has the focus. */
void help_lesson(struct sheet *sheet, const struct lesson_screen *screen, int columns);
void about_add(struct sheet *sheet, const struct course_about *about, int columns); /* whose the course is, and where to turn */
void help_course(struct sheet *sheet, const struct course_screen *screen, int columns);

#endif
