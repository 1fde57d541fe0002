/* The watch over a learner's program. */
#ifndef APP_WORK_WATCH_H
#define APP_WORK_WATCH_H

#include "app/watch.h"
#include "app/work_file.h"

void work_watch_open(struct watch *watch, const struct work_file *file, int64_t now); /* the file is borrowed */
void work_watch_read(struct watch *watch, const struct work_stamp *stamp); /* that is what was read */

#endif
