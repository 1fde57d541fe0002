/* From what a person types to a lesson. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/nearest.h"
#include "app/tutor.h"
#include "base/language.h"
#include "base/path.h"
#include "base/strbuf.h"

static bool is_path(const char *name)
{
    return path_ends(name, ".lua") || name[0] == '/' || strncmp(name, "./", 2) == 0 || strncmp(name, "../", 3) == 0;
}

static bool same_file(const char *a, const char *b)
{
    char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
    bool same = real_a && real_b && strcmp(real_a, real_b) == 0;
    free(real_a);
    free(real_b);
    return same;
}

static struct course *course_in(struct tutor *tutor, const char *folder)
{
    for (size_t i = 0; i < tutor->course_count; i++)
        if (tutor->courses[i]->folder && same_file(tutor->courses[i]->folder, folder))
            return tutor->courses[i];
    return NULL;
}

/* The course whose course.lua beside the file lists it. 0 with *course NULL: none does. */
static int course_beside(struct tutor *tutor, const char *path, struct course **course, size_t *lesson, struct error *err)
{
    char *folder = path_folder(path);
    char *head = folder ? path_join(folder, "course.lua") : NULL;
    int status = 0;
    *course = NULL;
    if (head && access(head, F_OK) == 0) {
        struct course *beside = course_in(tutor, folder);
        if (!beside) {
            status = course_new_folder(&beside, folder, folder, false, err);
            if (status == 0)
                status = tutor_add(tutor, beside, err);
        }
        if (status == 0)
            status = tutor_learn(tutor, beside, false, err);
        if (status == 0) {
            for (size_t i = 0; i < beside->lesson_count && !*course; i++) {
                if (same_file(beside->lessons[i].path, path)) {
                    *course = beside;
                    *lesson = i;
                    course_call(beside, i, path);
                }
            }
            if (beside->error)
                status = error_set(err, "%s", beside->error);
        }
    }
    free(head);
    free(folder);
    return status;
}

static enum tutor_found find_path(struct tutor *tutor, const char *path, struct course **course, size_t *lesson,
                                  struct error *err)
{
    if (course_beside(tutor, path, course, lesson, err) != 0)
        return TUTOR_BROKEN;
    if (*course)
        return TUTOR_FOUND;
    struct course *alone;
    if (course_new_alone(&alone, path, err) != 0 || tutor_add(tutor, alone, err) != 0)
        return TUTOR_BROKEN;
    *course = alone;
    *lesson = 0;
    return tutor_may_run(tutor, alone, err) == 0 ? TUTOR_FOUND : TUTOR_BROKEN;
}

static enum tutor_found unknown(const struct tutor *tutor, const char *name, const char *id, struct error *err)
{
    struct nearest nearest = {.wanted = id};
    for (size_t i = 0; i < tutor->course_count; i++)
        for (size_t j = 0; j < tutor->courses[i]->lesson_count; j++)
            nearest_offer(&nearest, tutor->courses[i]->lessons[j].id);
    if (nearest.best)
        error_set(err, "there is no lesson \"%s\"; did you mean \"%s\"?", name, nearest.best);
    else
        error_set(err, "there is no lesson \"%s\"; `normtutor list` says which there are", name);
    return TUTOR_UNKNOWN;
}

/* What is wrong with one course is no reason not to find a lesson in another. */
void tutor_learn_heads(struct tutor *tutor)
{
    for (size_t i = 0; i < tutor->course_count; i++)
        tutor_learn(tutor, tutor->courses[i], false, NULL);
}

enum tutor_found tutor_find(struct tutor *tutor, const char *name, struct course **course, size_t *lesson, struct error *err)
{
    if (is_path(name)) {
        if (access(name, F_OK) != 0) {
            error_set(err, "there is no file \"%s\"", name);
            return TUTOR_UNKNOWN;
        }
        return find_path(tutor, name, course, lesson, err);
    }
    tutor_learn_heads(tutor);
    const char *slash = strchr(name, '/');
    const char *id = slash ? slash + 1 : name;
    size_t hits = 0;
    struct strbuf all = {0};
    for (size_t i = 0; i < tutor->course_count; i++) {
        struct course *at = tutor->courses[i];
        long index = course_find(at, id);
        size_t length = slash ? (size_t)(slash - name) : 0;
        if (index < 0 || (slash && (strlen(course_id(at)) != length || strncmp(course_id(at), name, length) != 0)))
            continue;
        strbuf_addf(&all, "%s%s/%s", hits ? _(" or ") : "", course_id(at), id);
        hits++;
        *course = at;
        *lesson = (size_t)index;
    }
    enum tutor_found found = TUTOR_FOUND;
    if (hits > 1) {
        error_set(err, "more than one course has a lesson \"%s\": say %s", name, strbuf_string(&all));
        found = TUTOR_UNKNOWN;
    } else if (hits == 0 && access(name, F_OK) == 0) {
        found = find_path(tutor, name, course, lesson, err);
    } else if (hits == 0) {
        found = unknown(tutor, name, id, err);
    } else if (tutor_may_run(tutor, *course, err) != 0) {
        found = TUTOR_BROKEN;
    }
    strbuf_free(&all);
    return found;
}
