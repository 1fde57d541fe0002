#include "app/work_watch.h"

#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

enum {
    QUIET_MS = 40,     /* after a save */
    WRITING_MS = 2000, /* a writer that does not close the file is waited for that long */
    AGAIN_MS = 50,
    LOOK_MS = 1000
};

#ifdef __linux__

static const uint32_t events = IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR;

static void watch_folder(struct work_watch *watch)
{
    watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch->fd >= 0 && inotify_add_watch(watch->fd, watch->file->folder, events) < 0)
        work_watch_close(watch);
}

static void take_event(struct work_watch *watch, const struct inotify_event *event, int64_t now)
{
    if (event->mask & (IN_IGNORED | IN_UNMOUNT)) {
        work_watch_close(watch);
        watch->look_at = now;
    } else if (event->mask & IN_Q_OVERFLOW) {
        watch->read_at = now + QUIET_MS;
    } else if (event->len > 0 && strcmp(event->name, watch->file->name) == 0) {
        bool writing = event->mask & (IN_MODIFY | IN_CREATE);
        watch->read_at = now + (writing ? WRITING_MS : QUIET_MS);
    }
}

void work_watch_take(struct work_watch *watch, int64_t now)
{
    _Alignas(struct inotify_event) char bytes[4096];
    ssize_t got;
    while (watch->fd >= 0 && (got = read(watch->fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0; at < got && watch->fd >= 0;) {
            const struct inotify_event *event = (const void *)(bytes + at);
            take_event(watch, event, now);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
}

#else

static void watch_folder(struct work_watch *watch)
{
    watch->fd = -1;
}

void work_watch_take(struct work_watch *watch, int64_t now)
{
    (void)watch;
    (void)now;
}

#endif

void work_watch_open(struct work_watch *watch, const struct work_file *file, int64_t now)
{
    *watch = (struct work_watch){.file = file, .read_at = WATCH_IDLE, .look_at = now + LOOK_MS};
    watch_folder(watch);
}

void work_watch_close(struct work_watch *watch)
{
    if (watch->fd >= 0)
        close(watch->fd);
    watch->fd = -1;
}

int64_t work_watch_due(const struct work_watch *watch)
{
    return watch->read_at < watch->look_at ? watch->read_at : watch->look_at;
}

static void look(struct work_watch *watch, int64_t now)
{
    watch->look_at = now + LOOK_MS;
    if (watch->fd < 0)
        watch_folder(watch);
    struct work_stamp stamp = work_file_stamp(watch->file);
    if (watch->read_at != WATCH_IDLE || work_stamp_same(&stamp, &watch->known))
        return;
    watch->seen = stamp;
    watch->read_at = now + QUIET_MS;
}

bool work_watch_ready(struct work_watch *watch, int64_t now)
{
    if (now >= watch->look_at)
        look(watch, now);
    if (now < watch->read_at)
        return false;
    if (watch->fd < 0) { /* whether it is still being written only its stamp can tell */
        struct work_stamp stamp = work_file_stamp(watch->file);
        if (!work_stamp_same(&stamp, &watch->seen)) {
            watch->seen = stamp;
            watch->read_at = now + QUIET_MS;
            return false;
        }
    }
    watch->read_at = WATCH_IDLE;
    return true;
}

void work_watch_read(struct work_watch *watch, const struct work_stamp *stamp)
{
    watch->known = *stamp;
}

void work_watch_again(struct work_watch *watch, int64_t now)
{
    watch->read_at = now + AGAIN_MS;
}
