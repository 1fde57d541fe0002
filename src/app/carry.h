/* Ids that were renamed: what the learner did under the old one goes on under the new one. */
#ifndef APP_CARRY_H
#define APP_CARRY_H

#include "app/course.h"

/* As the lesson's outline says it. An id that is still in use is nobody's former one. */
void carry_over(const struct course *course, size_t lesson, const struct scene_lesson *outline, struct store *store);

/* The lesson's former id, if it is nobody's now, and that of the step; "" where there is none. */
const char *carry_former_lesson(const struct course *course, const struct scene_lesson *outline);
const char *carry_former_step(const struct scene_lesson *outline, const char *step);

#endif
