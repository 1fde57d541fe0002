#include "app/work.h"

#include <stdlib.h>
#include <string.h>

#include "app/carry.h"
#include "app/work_watch.h"
#include "base/language.h"

enum { GONE_MS = 1000 /* an editor that saves by renaming has put the file back by then */ };

struct work {
    struct work_file file;
    struct error trouble; /* why there is no file, or "" */
    struct watch watch;
    char *start, *probed; /* what the learner begins with; the text that was probed last, or NULL */
    char *text;           /* as the file was last read or written, or NULL, … */
    struct work_stamp own; /* … and which file that was */
    int64_t gone_since;   /* 0: it is there */
};

static enum work_news say(struct error *err, const struct error *words)
{
    error_set(err, "%s", words->text);
    return WORK_SAY;
}

static struct work_place place_of(const struct session *session, const struct scene_code *code)
{
    const struct course *course = session->course;
    const struct course_lesson *file = &course->lessons[session->lesson];
    const struct scene_lesson *lesson = session_lesson(session);
    return (struct work_place){
        .course = course_key(course),
        .lesson = course->folder || !lesson ? file->id : lesson->id, /* a lone file may have any name */
        .step = session->step,
        .seed = session->seed,
        .attempt = session->attempt,
        .name = code->name,
    };
}

/* A program that was begun under a former id of the lesson or the step. */
static void adopt(const struct work *work, const char *root, const struct session *session, const struct work_place *place)
{
    const struct scene_lesson *lesson = session_lesson(session);
    if (!lesson)
        return;
    const char *lessons[] = {place->lesson, carry_former_lesson(session->course, lesson)};
    const char *steps[] = {place->step, carry_former_step(lesson, place->step)};
    for (size_t i = 1; i < 4; i++) {
        struct work_place was = *place;
        struct work_file former;
        was.lesson = lessons[i / 2];
        was.step = steps[i % 2];
        if (!was.lesson[0] || !was.step[0] || work_file_place(&former, root, &was, NULL) != 0)
            continue;
        work_file_adopt(&work->file, &former);
        work_file_free(&former);
    }
}

static int find_file(struct work *work, const char *root, const struct session *session, const struct scene_code *code)
{
    struct work_place place = place_of(session, code);
    bool made;
    if (!root)
        return error_set(&work->trouble, "your program has no file: no folder for it is known; set HOME or XDG_STATE_HOME");
    if (work_file_place(&work->file, root, &place, &work->trouble) != 0)
        return -1;
    adopt(work, root, session, &place);
    return work_file_make(&work->file, work->start, &made, &work->trouble);
}

static void keep_probed(struct work *work, char *text)
{
    free(work->probed);
    work->probed = text;
}

/* False: out of memory. */
static bool keep_text(struct work *work, const char *text, const struct work_stamp *stamp)
{
    char *copy = text == work->text ? work->text : strdup(text);
    if (copy != work->text)
        free(work->text);
    work->text = copy;
    work->own = *stamp;
    return copy != NULL;
}

/* What the screen says is to be about the file as it is. */
static enum work_news begin(struct work *work, struct session *session, struct error *err)
{
    char *text;
    struct work_stamp stamp;
    enum work_read read = work_file_read(&work->file, &text, &stamp, err);
    work_watch_read(&work->watch, &stamp);
    if (read == WORK_UNREADABLE)
        return WORK_SAY;
    if (read == WORK_GONE)
        return WORK_NOTHING;
    keep_probed(work, text);
    keep_text(work, text, &stamp);
    if (session->inputs.give_up)
        return WORK_NOTHING;
    if (strcmp(text, work->start) != 0)
        return session_probe(session, text, err) == 0 ? WORK_SEND : WORK_SAY;
    return session->inputs.answer && session_begin_anew(session) ? WORK_SEND : WORK_NOTHING;
}

enum work_news work_open(struct work **out, const char *root, struct session *session, int64_t now, struct error *err)
{
    const struct scene_question *question = session_question(session);
    if (*out || !question || !question->code)
        return WORK_NOTHING;
    struct work *work = *out = calloc(1, sizeof *work);
    if (work)
        work->start = strdup(question->code->start);
    if (!work || !work->start) {
        work_close(out);
        error_set(err, "out of memory");
        return WORK_SAY;
    }
    work->watch.fd = -1;
    if (find_file(work, root, session, question->code) != 0)
        return say(err, &work->trouble);
    work_watch_open(&work->watch, &work->file, now);
    return begin(work, session, err);
}

void work_close(struct work **out)
{
    struct work *work = *out;
    *out = NULL;
    if (!work)
        return;
    watch_close(&work->watch);
    work_file_free(&work->file);
    free(work->start);
    free(work->probed);
    free(work->text);
    free(work);
}

static bool has_file(const struct work *work)
{
    return work && !work->trouble.text[0];
}

const char *work_path(const struct work *work)
{
    return has_file(work) ? work->file.path : NULL;
}

const char *work_shown(const struct work *work)
{
    return has_file(work) ? work->file.shown : work ? "" : NULL;
}

const char *work_text(const struct work *work)
{
    return work ? work->text : NULL;
}

bool work_gone(const struct work *work)
{
    static const struct work_stamp none;
    struct work_stamp stamp = has_file(work) ? work_file_stamp(&work->file) : (struct work_stamp){.inode = 1};
    return work_stamp_same(&stamp, &none);
}

/* ---- watching ---- */

int work_fd(const struct work *work)
{
    return has_file(work) ? work->watch.fd : -1;
}

void work_take(struct work *work, int64_t now)
{
    if (has_file(work))
        watch_take(&work->watch, now);
}

int64_t work_due(const struct work *work)
{
    return has_file(work) ? watch_due(&work->watch) : WATCH_IDLE;
}

/* Takes the text. */
static enum work_news probe(struct work *work, struct session *session, char *text, bool only_changed, struct error *err)
{
    bool same = work->probed && strcmp(work->probed, text) == 0;
    keep_probed(work, text);
    if (same && only_changed)
        return WORK_NOTHING;
    return session_probe(session, text, err) == 0 ? WORK_SEND : WORK_SAY;
}

/* Takes the text, which was found in the file: what the tutor itself put there is not probed. */
static enum work_news take_text(struct work *work, struct session *session, char *text, const struct work_stamp *stamp,
                                struct error *err)
{
    bool known = work->text && strcmp(work->text, text) == 0;
    if (!keep_text(work, known ? work->text : text, stamp)) {
        free(text);
        error_set(err, "out of memory");
        return WORK_SAY;
    }
    if (!known)
        return probe(work, session, text, true, err);
    free(text);
    return WORK_NOTHING;
}

static enum work_news gone(const struct work *work, struct error *err)
{
    error_set(err, "%s is gone. Save it there again, or start over.", work->file.shown);
    return WORK_SAY;
}

enum work_news work_look(struct work *work, struct session *session, int64_t now, struct error *err)
{
    char *text;
    struct work_stamp stamp;
    if (!has_file(work) || !watch_ready(&work->watch, now))
        return WORK_NOTHING;
    enum work_read read = work_file_read(&work->file, &text, &stamp, err);
    if (read == WORK_GONE) {
        if (work->gone_since == 0)
            work->gone_since = now;
        if (now - work->gone_since < GONE_MS) {
            watch_again(&work->watch, now);
            return WORK_NOTHING;
        }
    } else {
        work->gone_since = 0;
    }
    work_watch_read(&work->watch, &stamp);
    if (read == WORK_GONE)
        return gone(work, err);
    return read == WORK_READ ? take_text(work, session, text, &stamp, err) : WORK_SAY;
}

/* ---- on demand ---- */

enum work_news work_probe(struct work *work, struct session *session, bool only_changed, struct error *err)
{
    char *text;
    struct work_stamp stamp;
    if (!has_file(work))
        return say(err, &work->trouble);
    enum work_read read = work_file_read(&work->file, &text, &stamp, err);
    if (read == WORK_GONE)
        return gone(work, err);
    work_watch_read(&work->watch, &stamp);
    if (read != WORK_READ)
        return WORK_SAY;
    keep_text(work, text, &stamp);
    return probe(work, session, text, only_changed, err);
}

/* A file with the text that is known is known, whoever wrote it. */
static void recognize(struct work *work)
{
    char *text;
    struct work_stamp stamp = work_file_stamp(&work->file);
    struct error unused = {0};
    if (!work->text || work_stamp_same(&stamp, &work->own))
        return;
    if (work_file_read(&work->file, &text, &stamp, &unused) == WORK_READ && strcmp(text, work->text) == 0)
        work->own = stamp;
    free(text);
}

int work_save(struct work *work, const char *text, struct error *err)
{
    struct work_stamp stamp;
    char *aside;
    if (!has_file(work))
        return error_set(err, "%s", work ? work->trouble.text : _("there is no program to save"));
    recognize(work);
    if (work_file_save(&work->file, text, &work->own, &stamp, &aside, err) != 0)
        return -1;
    if (aside)
        error_set(err, "%s was changed by another program while you typed. Yours is kept; the other text lies beside it as %s.",
                  work->file.name, aside);
    free(aside);
    work_watch_read(&work->watch, &stamp);
    work->gone_since = 0;
    return keep_text(work, text, &stamp) ? 0 : error_set(err, "out of memory");
}

enum work_news work_start_over(struct work *work, struct session *session, struct error *err)
{
    char *aside;
    if (!has_file(work))
        return say(err, &work->trouble);
    if (work_file_start_over(&work->file, work->start, &aside, err) != 0)
        return WORK_SAY;
    struct work_stamp stamp = work_file_stamp(&work->file);
    work_watch_read(&work->watch, &stamp);
    keep_probed(work, strdup(work->start));
    keep_text(work, work->start, &stamp);
    if (aside)
        error_set(err, "The program is as at the start again; your text lies beside it as %s.", aside);
    else
        error_set(err, "The program is as at the start again.");
    free(aside);
    return session_begin_anew(session) ? WORK_SEND : WORK_SAY;
}
