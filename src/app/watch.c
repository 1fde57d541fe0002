#include "app/watch.h"

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

void watch_folder(struct watch *watch, const char *path, int folder)
{
    int wd = watch->fd >= 0 ? inotify_add_watch(watch->fd, path, events) : -1;
    if (wd < 0) {
        if (watch->folder_count == 0)
            watch_close(watch);
        return;
    }
    for (int i = 0; i < watch->folder_count; i++)
        if (watch->folders[i].wd == wd)
            return;
    if (watch->folder_count < WATCH_FOLDERS) {
        watch->folders[watch->folder_count].wd = wd;
        watch->folders[watch->folder_count++].folder = folder;
    }
}

/* Those that are new as well: what is watched already is not watched twice. */
static void watch_folders(struct watch *watch)
{
    if (watch->fd < 0) {
        watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        watch->folder_count = 0;
    }
    watch->of.folders(watch->of.what, watch);
}

static int folder_of(const struct watch *watch, int wd)
{
    for (int i = 0; i < watch->folder_count; i++)
        if (watch->folders[i].wd == wd)
            return watch->folders[i].folder;
    return -1;
}

static void take_event(struct watch *watch, const struct inotify_event *event, int64_t now)
{
    int folder = folder_of(watch, event->wd);
    if (event->mask & (IN_IGNORED | IN_UNMOUNT)) {
        watch_close(watch);
        watch->look_at = now;
    } else if (event->mask & IN_Q_OVERFLOW) {
        watch->read_at = now + QUIET_MS;
    } else if (event->len > 0 && folder >= 0 && watch->of.concerns(watch->of.what, folder, event->name)) {
        bool writing = event->mask & (IN_MODIFY | IN_CREATE) && !(event->mask & IN_ISDIR);
        watch->read_at = now + (writing ? WRITING_MS : QUIET_MS);
    }
}

void watch_take(struct watch *watch, int64_t now)
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

void watch_folder(struct watch *watch, const char *path, int folder)
{
    (void)watch, (void)path, (void)folder;
}

static void watch_folders(struct watch *watch)
{
    watch->fd = -1;
}

void watch_take(struct watch *watch, int64_t now)
{
    (void)watch, (void)now;
}

#endif

void watch_open(struct watch *watch, const struct watched *of, int64_t now)
{
    *watch = (struct watch){.of = *of, .fd = -1, .read_at = WATCH_IDLE, .look_at = now + LOOK_MS};
    watch_folders(watch);
}

void watch_close(struct watch *watch)
{
    if (watch->fd >= 0)
        close(watch->fd);
    watch->fd = -1;
}

int64_t watch_due(const struct watch *watch)
{
    return watch->read_at < watch->look_at ? watch->read_at : watch->look_at;
}

static void look(struct watch *watch, int64_t now)
{
    watch->look_at = now + LOOK_MS;
    watch_folders(watch);
    uint64_t stamp = watch->of.stamp(watch->of.what);
    if (watch->read_at != WATCH_IDLE || stamp == watch->known)
        return;
    watch->seen = stamp;
    watch->read_at = now + QUIET_MS;
}

bool watch_ready(struct watch *watch, int64_t now)
{
    if (now >= watch->look_at)
        look(watch, now);
    if (now < watch->read_at)
        return false;
    if (watch->fd < 0) { /* whether it is still being written only its stamp can tell */
        uint64_t stamp = watch->of.stamp(watch->of.what);
        if (stamp != watch->seen) {
            watch->seen = stamp;
            watch->read_at = now + QUIET_MS;
            return false;
        }
    }
    watch_folders(watch);
    watch->read_at = WATCH_IDLE;
    return true;
}

void watch_read(struct watch *watch, uint64_t stamp)
{
    watch->known = stamp;
}

void watch_again(struct watch *watch, int64_t now)
{
    watch->read_at = now + AGAIN_MS;
}
