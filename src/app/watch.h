/* Has somebody saved? Folders are watched, since editors save by renaming; and what is in them is looked at now and then, since
   watching fails on some file systems. */
#ifndef APP_WATCH_H
#define APP_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WATCH_FOLDERS = 64 };
#define WATCH_IDLE INT64_MAX

struct watch;

/* What is watched; `what` is handed to each function. */
struct watched {
    const void *what;
    uint64_t (*stamp)(const void *what);                /* another one when anything has changed */
    void (*folders)(const void *what, struct watch *watch); /* watch_folder with each of them that there is, the one they are in first */
    bool (*concerns)(const void *what, int folder, const char *name); /* something has happened to it: `folder` as watch_folder was told */
};

struct watch {
    struct watched of;
    int fd; /* to wait on for reading; -1: the folders cannot be watched */
    struct {
        int wd, folder;
    } folders[WATCH_FOLDERS];
    int folder_count;
    uint64_t known; /* of what was read last */
    uint64_t seen;
    int64_t read_at; /* WATCH_IDLE: nothing has happened */
    int64_t look_at;
};

void watch_open(struct watch *watch, const struct watched *of, int64_t now);
void watch_close(struct watch *watch);
void watch_folder(struct watch *watch, const char *path, int folder);

void watch_take(struct watch *watch, int64_t now); /* there is something to read from `fd` */
int64_t watch_due(const struct watch *watch);      /* when to ask watch_ready */
/* There may be a change, and nobody is writing it: read it, then say watch_read or, when it is gone, watch_again. */
bool watch_ready(struct watch *watch, int64_t now);
void watch_read(struct watch *watch, uint64_t stamp);
void watch_again(struct watch *watch, int64_t now);


#endif
