#include "app/reload.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/watch.h"
#include "base/hash.h"
#include "base/path.h"

enum {
    GONE_MS = 1000, /* an editor that saves by renaming has put the file back by then */
    FOLDERS_DEEP = 4,
};

/* Where something happens: beside the lessons; in shared/; in files/ or lang/, or below them. */
enum { BESIDE, SHARED, BELOW };

struct reload {
    struct course *course;
    char *folder; /* the lessons are in it */
    struct watch watch;
    int64_t gone_since; /* 0: all is there */
    struct error trouble;
};

/* ---- what is watched ---- */

static uint64_t hash_stamp(uint64_t hash, const char *path)
{
    char *stamp = path ? lesson_text_stamp(path) : NULL;
    if (stamp)
        hash = hash_bytes(hash, stamp, strlen(stamp));
    free(stamp);
    return hash;
}

static int is_lua(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && path_ends(entry->d_name, ".lua");
}

/* A course.lua may name other lessons when it is saved: all that lie in the folder count. */
static uint64_t stamp(const void *what)
{
    const struct reload *reload = what;
    if (!reload->course->folder)
        return hash_stamp(HASH_START, reload->course->lessons[0].path);
    struct dirent **entries = NULL;
    int count = scandir(reload->folder, &entries, is_lua, alphasort);
    uint64_t hash = HASH_START;
    for (int i = 0; i < count; i++) {
        char *path = path_join(reload->folder, entries[i]->d_name);
        hash = hash_text(hash, entries[i]->d_name);
        hash = hash_stamp(hash, path);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return hash;
}

static void watch_below(struct watch *watch, const char *folder, int kind, int depth)
{
    struct dirent **entries = NULL;
    watch_folder(watch, folder, kind);
    int count = depth > 0 ? scandir(folder, &entries, NULL, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        struct stat at;
        char *path = entries[i]->d_name[0] != '.' ? path_join(folder, entries[i]->d_name) : NULL;
        if (path && lstat(path, &at) == 0 && S_ISDIR(at.st_mode))
            watch_below(watch, path, kind, depth - 1);
        free(path);
        free(entries[i]);
    }
    free(entries);
}

static void folders(const void *what, struct watch *watch)
{
    static const struct {
        const char *name;
        int kind, depth;
    } beside[] = {{"shared", SHARED, 0}, {"files", BELOW, FOLDERS_DEEP}, {"lang", BELOW, 1}};
    const struct reload *reload = what;
    watch_folder(watch, reload->folder, BESIDE);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0] && watch->fd >= 0; i++) {
        struct stat at;
        char *path = path_join(reload->folder, beside[i].name);
        if (path && stat(path, &at) == 0 && S_ISDIR(at.st_mode))
            watch_below(watch, path, beside[i].kind, beside[i].depth);
        free(path);
    }
}

/* Editors leave much beside the lessons that is no lesson. */
static bool concerns(const void *what, int folder, const char *name)
{
    (void)what;
    if (folder == BELOW)
        return name[0] != '.';
    return path_ends(name, ".lua") || (folder == BESIDE && (strcmp(name, "shared") == 0 || strcmp(name, "files") == 0));
}

int reload_open(struct reload **out, struct course *course, int64_t now, struct error *err)
{
    struct reload *reload = calloc(1, sizeof *reload);
    if (reload)
        reload->folder = course->folder ? strdup(course->folder) : path_folder(course->lessons[0].path);
    if (!reload || !reload->folder) {
        free(reload);
        return error_set(err, "out of memory");
    }
    reload->course = course;
    watch_open(&reload->watch, &(struct watched){reload, stamp, folders, concerns}, now);
    watch_read(&reload->watch, stamp(reload));
    *out = reload;
    return 0;
}

void reload_close(struct reload *reload)
{
    if (!reload)
        return;
    watch_close(&reload->watch);
    free(reload->folder);
    free(reload);
}

int reload_fd(const struct reload *reload)
{
    return reload ? reload->watch.fd : -1;
}

void reload_take(struct reload *reload, int64_t now)
{
    if (reload)
        watch_take(&reload->watch, now);
}

int64_t reload_due(const struct reload *reload)
{
    return reload ? watch_due(&reload->watch) : WATCH_IDLE;
}

const char *reload_trouble(const struct reload *reload)
{
    return reload ? reload->trouble.text : "";
}

/* ---- what takes its place ---- */

/* The course as its files have it now. */
static int load_course(struct course **out, struct tutor *tutor, const struct course *old, struct error *err)
{
    struct course *course;
    int status = old->folder ? course_new_folder(&course, old->folder, old->label, old->builtin, err)
                             : course_new_alone(&course, old->lessons[0].path, err);
    if (status != 0)
        return -1;
    course_recall(course, tutor->store);
    status = tutor_learn(tutor, course, false, err);
    if (status == 0 && course->error)
        status = error_set(err, "%s", course->error);
    if (status != 0) {
        course_free(course);
        return -1;
    }
    *out = course;
    return 0;
}

/* Can the step that stands there be shown with the new text? */
static int try_step(struct tutor *tutor, const struct session *session, const struct course *course, size_t lesson,
                    const struct lesson_text *text, struct error *err)
{
    struct request request;
    struct scene *scene = NULL;
    struct session trial = *session;
    trial.course = course;
    trial.lesson = lesson;
    trial.text = *text;
    trial.step = session_step_in(session, course_outline(course, lesson));
    session_request(&trial, &request);
    if (tutor_ask(tutor, &request, &scene, err) != 0)
        return -1;
    int status = scene->error ? error_set(err, "%s", scene->error) : 0;
    scene_free(scene);
    return status;
}

static int load_lesson(struct lesson_text *text, struct tutor *tutor, const struct session *session, struct course *course,
                       size_t *lesson, struct error *err)
{
    const struct course_lesson *old = &session->course->lessons[session->lesson];
    long at = course->folder ? course_find(course, old->id) : 0;
    if (at < 0)
        return error_set(err, "%s no longer lists \"%s\"; what is shown is the lesson before that", course->head_label, old->id);
    *lesson = (size_t)at;
    course_call(course, *lesson, old->label);
    if (tutor_learn_lesson(tutor, course, *lesson, err) != 0)
        return -1;
    const struct course_lesson *file = &course->lessons[*lesson];
    if (lesson_text_read(text, file->path, err) != 0)
        return -1;
    int status = lesson_text_translate(text, file->path, file->label, course_language(course), err);
    if (status == 0)
        status = lesson_text_open(text, file->path, file->label, &course_outline(course, *lesson)->files, err);
    if (status == 0)
        status = try_step(tutor, session, course, *lesson, text, err);
    if (status != 0)
        lesson_text_free(text);
    return status;
}

static enum reload_news load(struct reload *reload, struct tutor *tutor, struct session *session)
{
    struct course *course;
    struct lesson_text text;
    size_t lesson = 0;
    struct error err = {0};
    int status = load_course(&course, tutor, reload->course, &err);
    if (status == 0 && session && (status = load_lesson(&text, tutor, session, course, &lesson, &err)) != 0)
        course_free(course);
    if (status != 0) {
        reload->trouble = err;
        return RELOAD_FAILED;
    }
    reload->trouble.text[0] = '\0';
    course_become(reload->course, course);
    if (session)
        session_reload(session, lesson, &text);
    return RELOAD_DONE;
}

static bool is_gone(const struct reload *reload, const struct session *session)
{
    const struct course *course = reload->course;
    char *head = course->folder ? path_join(course->folder, "course.lua") : NULL;
    bool gone = (head && access(head, F_OK) != 0) || (session && access(course->lessons[session->lesson].path, F_OK) != 0);
    free(head);
    return gone;
}

enum reload_news reload_look(struct reload *reload, struct tutor *tutor, struct session *session, int64_t now)
{
    if (!reload || !watch_ready(&reload->watch, now))
        return RELOAD_NOTHING;
    if (session && session->course != reload->course)
        session = NULL;
    if (session && session->review) { /* its round counts on the course as it is */
        watch_again(&reload->watch, now);
        return RELOAD_NOTHING;
    }
    uint64_t there = stamp(reload);
    bool gone = is_gone(reload, session);
    if (gone && reload->gone_since == 0)
        reload->gone_since = now;
    if (gone && now - reload->gone_since < GONE_MS) {
        watch_again(&reload->watch, now);
        return RELOAD_NOTHING;
    }
    if (!gone)
        reload->gone_since = 0;
    if (there == reload->watch.known)
        return RELOAD_NOTHING;
    enum reload_news news = load(reload, tutor, session);
    watch_read(&reload->watch, there);
    return news;
}
