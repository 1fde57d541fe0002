#include "app/translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/path.h"

static char *path_of(const struct course *course, long what)
{
    return what == TRANSLATE_COURSE ? path_join(course->folder, "course.lua") : strdup(course->lessons[what].path);
}

static const char *label_of(const struct course *course, long what)
{
    return what == TRANSLATE_COURSE ? course->head_label : course->lessons[what].label;
}

static int ask(struct tutor *tutor, const struct course *course, long what, const struct lesson_text *text, struct scene **out,
               struct error *err)
{
    struct request request = {.kind = REQUEST_TRANSLATE, .course = course_id(course), .file = label_of(course, what)};
    lesson_text_to_request(text, &request);
    if (tutor_ask(tutor, &request, out, err) != 0)
        return -1;
    if (!(*out)->error && (*out)->translation)
        return 0;
    error_set(err, "%s", (*out)->error ? (*out)->error : _("the worker's answer has no translation in it"));
    scene_free(*out);
    *out = NULL;
    return -1;
}

int translate_ask(struct tutor *tutor, const struct course *course, long what, const char *language, struct scene **out, struct error *err)
{
    struct lesson_text text;
    const struct scene_lesson *outline = what == TRANSLATE_COURSE ? NULL : course_outline(course, (size_t)what);
    char *path = path_of(course, what);
    *out = NULL;
    if (!path)
        return error_set(err, "out of memory");
    int status = lesson_text_read(&text, path, err);
    if (status == 0) {
        status = translation_file_read(&text.translation, path, label_of(course, what), language, err);
        if (status == 0 && outline)
            status = lesson_text_open(&text, path, label_of(course, what), &outline->files, err);
        if (status == 0)
            status = ask(tutor, course, what, &text, out, err);
        lesson_text_free(&text);
    }
    free(path);
    return status;
}

struct checking {
    struct tutor *tutor;
    const struct course *course;
    long what;
    void (*say)(void *payload, const struct scene_fault *fault);
    void *payload;
};

/* A fault of a lesson that no translation can have mended is said with every language: once is enough. */
static void check_language(void *payload, const char *language)
{
    struct checking *c = payload;
    struct scene *scene;
    struct error err = {0};
    if (translate_ask(c->tutor, c->course, c->what, language, &scene, &err) != 0) {
        c->say(c->payload, &(struct scene_fault){.file = "", .what = err.text});
        return;
    }
    for (size_t i = 0; i < scene->translation->fault_count; i++)
        c->say(c->payload, &scene->translation->faults[i]);
    scene_free(scene);
}

int translate_check(struct tutor *tutor, const struct course *course, long what, void (*say)(void *payload, const struct scene_fault *fault),
                    void *payload, struct error *err)
{
    struct checking checking = {tutor, course, what, say, payload};
    char *path = path_of(course, what);
    if (!path)
        return error_set(err, "out of memory");
    translation_file_languages(path, check_language, &checking);
    free(path);
    return 0;
}

int translate_renew(struct tutor *tutor, const struct course *course, long what, const char *language, struct scene **counts, struct error *err)
{
    char *path = path_of(course, what);
    int status = path ? translate_ask(tutor, course, what, language, counts, err) : error_set(err, "out of memory");
    if (status == 0 && translation_file_write(path, language, (*counts)->translation->text, err) != 0) {
        scene_free(*counts);
        *counts = NULL;
        status = -1;
    }
    free(path);
    return status;
}
