#include "app/course.h"

#include <stdlib.h>
#include <string.h>

#include "app/carry.h"
#include "base/language.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "scene/wire.h"

enum { HEAD = -1 };

int course_new_folder(struct course **out, const char *folder, const char *label, bool builtin, struct error *err)
{
    struct course *course = calloc(1, sizeof *course);
    if (!course)
        return error_set(err, "out of memory");
    course->folder = strdup(folder);
    course->label = strdup(label);
    course->head_label = path_join(label, "course.lua");
    course->builtin = builtin;
    course->place = path_with_tilde(folder);
    if (!course->folder || !course->label || !course->head_label) {
        course_free(course);
        return error_set(err, "out of memory");
    }
    *out = course;
    return 0;
}

static char *id_of_file(const char *path)
{
    const char *name = path_name(path);
    return strndup(name, strlen(name) - (path_ends(name, ".lua") ? 4 : 0));
}

int course_new_alone(struct course **out, const char *path, struct error *err)
{
    struct course *course = calloc(1, sizeof *course);
    struct course_lesson *lesson = calloc(1, sizeof *lesson);
    if (!course || !lesson) {
        free(course);
        free(lesson);
        return error_set(err, "out of memory");
    }
    *lesson = (struct course_lesson){.id = id_of_file(path), .path = strdup(path), .label = strdup(path)};
    course->lessons = lesson;
    course->lesson_count = 1;
    if (!lesson->id || !lesson->path || !lesson->label) {
        course_free(course);
        return error_set(err, "out of memory");
    }
    *out = course;
    return 0;
}

static void free_lessons(struct course *course)
{
    for (size_t i = 0; i < course->lesson_count; i++) {
        struct course_lesson *lesson = &course->lessons[i];
        free(lesson->id);
        free(lesson->path);
        free(lesson->label);
        free(lesson->error);
        scene_free(lesson->outline);
        scene_free(lesson->draft);
    }
    free(course->lessons);
    course->lessons = NULL;
    course->lesson_count = 0;
}

void course_free(struct course *course)
{
    if (!course)
        return;
    free_lessons(course);
    scene_free(course->head);
    free(course->key);
    free(course->rights);
    free(course->place);
    free(course->error);
    free(course->asked_stamp);
    free(course->folder);
    free(course->label);
    free(course->head_label);
    free(course);
}

void course_become(struct course *course, struct course *other)
{
    struct course before = *course;
    *course = *other;
    *other = before;
    course_free(other);
}

const char *course_id(const struct course *course)
{
    return course->head ? course->head->course->id : "";
}

const char *course_key(const struct course *course)
{
    return course->key ? course->key : course_id(course);
}

const char *course_language(const struct course *course)
{
    return course->head ? course->head->course->language : "";
}

const char *course_title(const struct course *course)
{
    if (course->head)
        return course->head->course->title;
    if (!course->folder) {
        const struct scene_lesson *lesson = course_outline(course, 0);
        return lesson ? lesson->title : course->lessons[0].id;
    }
    return course->error ? course->label : "";
}

const char *course_origin(const struct course *course)
{
    return course->rights && !course->builtin ? course->rights : "";
}

void course_tell(const struct course *course, struct course_about *out)
{
    const struct scene_course *head = course->head ? course->head->course : NULL;
    *out = (struct course_about){
        .rights = course->rights ? course->rights : "",
        .sources = head ? head->sources : (struct strings){0},
        .report = head ? head->report : "",
        .place = course->place ? course->place : "",
    };
}

static char *say_rights(const struct scene_course *head)
{
    struct strbuf words = {0};
    strbuf_addf(&words, _("by %s"), head->author[0] ? head->author : _("nobody named"));
    if (head->licence[0])
        strbuf_addf(&words, ", %s", head->licence);
    if (head->version[0])
        strbuf_addf(&words, _(", version %s"), head->version);
    if (!words.failed)
        return words.text;
    strbuf_free(&words);
    return NULL;
}

const struct scene_lesson *course_outline(const struct course *course, size_t lesson)
{
    const struct scene *outline = lesson < course->lesson_count ? course->lessons[lesson].outline : NULL;
    return outline ? outline->lesson : NULL;
}

long course_find(const struct course *course, const char *id)
{
    for (size_t i = 0; i < course->lesson_count; i++)
        if (strcmp(course->lessons[i].id, id) == 0)
            return (long)i;
    return -1;
}

bool course_wants(const struct course *course, long *what)
{
    if (course->folder && !course->head) {
        *what = HEAD;
        return !course->error;
    }
    for (size_t i = 0; i < course->lesson_count; i++) {
        if (!course->lessons[i].outline && !course->lessons[i].error) {
            *what = (long)i;
            return true;
        }
    }
    return false;
}

static char *path_of(const struct course *course, long what)
{
    return what == HEAD ? path_join(course->folder, "course.lua") : strdup(course->lessons[what].path);
}

int course_request(struct course *course, long what, struct lesson_text *text, struct request *request)
{
    struct error err = {0};
    char *path = path_of(course, what);
    free(course->asked_stamp);
    course->asked_stamp = path ? lesson_text_stamp(path) : NULL;
    int status = path ? lesson_text_read(text, path, &err) : error_set(&err, "out of memory");
    if (status == 0) {
        status = lesson_text_translate(text, path, what == HEAD ? course->head_label : course->lessons[what].label, course_language(course), &err);
        if (status != 0)
            lesson_text_free(text);
    }
    free(path);
    if (status == 0 && what != HEAD && course->lessons[what].draft) {
        const struct course_lesson *lesson = &course->lessons[what];
        status = lesson_text_open(text, lesson->path, lesson->label, &lesson->draft->lesson->files, &err);
        if (status != 0)
            lesson_text_free(text);
    }
    if (status != 0) {
        course_fail(course, what, err.text);
        return -1;
    }
    *request = (struct request){
        .kind = what == HEAD ? REQUEST_COURSE : REQUEST_LESSON,
        .course = course_id(course),
        .file = what == HEAD ? course->head_label : course->lessons[what].label,
    };
    lesson_text_to_request(text, request);
    return 0;
}

static void set_text(char **place, const char *text)
{
    free(*place);
    *place = strdup(text);
}

void course_call(struct course *course, size_t lesson, const char *label)
{
    char *copy = strdup(label);
    if (!copy)
        return;
    free(course->lessons[lesson].label);
    course->lessons[lesson].label = copy;
}

void course_fail(struct course *course, long what, const char *words)
{
    set_text(what == HEAD ? &course->error : &course->lessons[what].error, words);
}

static int make_lessons(struct course *course, const struct scene_course *head)
{
    free_lessons(course);
    if (head->lessons.count == 0)
        return 0;
    course->lessons = calloc(head->lessons.count, sizeof *course->lessons);
    if (!course->lessons)
        return -1;
    for (size_t i = 0; i < head->lessons.count; i++) {
        struct course_lesson *lesson = &course->lessons[course->lesson_count++];
        struct strbuf file = {0};
        strbuf_addf(&file, "%s.lua", head->lessons.item[i]);
        lesson->id = strdup(head->lessons.item[i]);
        lesson->path = file.failed ? NULL : path_join(course->folder, strbuf_string(&file));
        lesson->label = file.failed ? NULL : path_join(course->label, strbuf_string(&file));
        strbuf_free(&file);
        if (!lesson->id || !lesson->path || !lesson->label)
            return -1;
        if (strchr(lesson->id, '/'))
            set_text(&lesson->error, _("course.lua: a lesson is named by its file's name without .lua, not by a path"));
    }
    return 0;
}

/* What the store has of it before others may ask. */
static void meet_store(struct course *course, long what, struct store *store)
{
    if (store && what == HEAD) {
        const struct scene_course *head = course->head->course;
        free(course->key);
        course->key = store_course(store, head->id, head->author, head->title);
    } else if (store) {
        carry_over(course, (size_t)what, course_outline(course, (size_t)what), store);
    }
}

/* Takes the scene if it is what was asked for. */
static int put(struct course *course, long what, struct scene *scene, struct store *store)
{
    if (scene->error) {
        course_fail(course, what, scene->error);
        scene_free(scene);
        return 0;
    }
    if (what == HEAD && scene->course && make_lessons(course, scene->course) == 0) {
        course->head = scene;
        if (!course->rights)
            course->rights = say_rights(scene->course);
        meet_store(course, what, store);
        return 0;
    }
    if (what >= 0 && scene->lesson) {
        course->lessons[what].outline = scene;
        meet_store(course, what, store);
        return 0;
    }
    if (what == HEAD)
        free_lessons(course);
    course_fail(course, what, _("the worker's answer has no outline in it"));
    scene_free(scene);
    return -1;
}

static bool recall_one(struct course *course, struct store *store, long what)
{
    char *path = path_of(course, what);
    char *real = path ? realpath(path, NULL) : NULL;
    char *stamp = real ? lesson_text_stamp(path) : NULL;
    void *bytes = NULL;
    size_t length = 0;
    struct scene *scene = NULL;
    if (stamp && store_catalogue_get(store, real, stamp, &bytes, &length) == 0 &&
        wire_decode_scene(&scene, bytes, length, NULL) != 0)
        scene = NULL;
    free(bytes);
    free(stamp);
    free(real);
    free(path);
    if (scene && (scene->error || (what == HEAD ? !scene->course : !scene->lesson))) {
        scene_free(scene);
        scene = NULL;
    }
    return scene && put(course, what, scene, store) == 0;
}

void course_recall(struct course *course, struct store *store)
{
    if (!store)
        return;
    if (course->folder && !course->head && !recall_one(course, store, HEAD))
        return;
    for (size_t i = 0; i < course->lesson_count; i++)
        if (!course->lessons[i].outline && !course->lessons[i].error)
            recall_one(course, store, (long)i);
}

static void remember(struct course *course, struct store *store, long what, const struct scene *scene)
{
    char *path = path_of(course, what);
    char *real = path ? realpath(path, NULL) : NULL;
    struct strbuf bytes = {0};
    if (real && course->asked_stamp && wire_encode_scene(&bytes, scene, NULL) == 0 && !bytes.failed)
        store_catalogue_put(store, real, course->asked_stamp, bytes.text, bytes.length);
    strbuf_free(&bytes);
    free(real);
    free(path);
}

bool course_halfway(const struct course *course, long what)
{
    return what != HEAD && course->lessons[what].draft && !course->lessons[what].outline && !course->lessons[what].error;
}

static bool same_list(const struct strings *a, const struct strings *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->item[i], b->item[i]) == 0;
    return same;
}

/* Takes an outline that was made without the files it declares. */
static bool take_draft(struct course *course, long what, struct scene *scene)
{
    struct course_lesson *lesson = &course->lessons[what];
    if (lesson->draft ? same_list(&lesson->draft->lesson->files, &scene->lesson->files) : scene->lesson->files.count == 0)
        return false;
    if (lesson->draft)
        course_fail(course, what, _("the lesson was changed while it was being read"));
    scene_free(lesson->draft);
    lesson->draft = scene;
    return true;
}

void course_take(struct course *course, long what, struct scene *scene, struct store *store)
{
    if (what != HEAD && !scene->error && scene->lesson && take_draft(course, what, scene))
        return;
    if (store && !scene->error)
        remember(course, store, what, scene);
    if (put(course, what, scene, store) == 0 && what == HEAD && course->head)
        course_recall(course, store);
}
