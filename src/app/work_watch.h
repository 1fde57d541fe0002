/* Has the learner's file been saved? Its folder is watched, since editors save by renaming; and the file is looked at now and
   then, since watching fails on some file systems. */
#ifndef APP_WORK_WATCH_H
#define APP_WORK_WATCH_H

#include "app/work_file.h"

struct work_watch {
    const struct work_file *file; /* borrowed */
    int fd;                  /* to wait on for reading; -1: the folder cannot be watched */
    struct work_stamp known; /* of what was read last */
    struct work_stamp seen;
    int64_t read_at; /* WATCH_IDLE: nothing has happened */
    int64_t look_at;
};

#define WATCH_IDLE INT64_MAX

void work_watch_open(struct work_watch *watch, const struct work_file *file, int64_t now);
void work_watch_close(struct work_watch *watch);

void work_watch_take(struct work_watch *watch, int64_t now); /* there is something to read from `fd` */
int64_t work_watch_due(const struct work_watch *watch);      /* when to ask work_watch_ready */
/* The file may have changed, and nobody is writing it: read it, then say work_watch_read or, when it is gone, work_watch_again. */
bool work_watch_ready(struct work_watch *watch, int64_t now);
void work_watch_read(struct work_watch *watch, const struct work_stamp *stamp);
void work_watch_again(struct work_watch *watch, int64_t now);

#endif
