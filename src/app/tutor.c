#include "app/tutor.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/language.h"
#include "base/path.h"

int tutor_add(struct tutor *tutor, struct course *course, struct error *err)
{
    struct course **more = realloc(tutor->courses, (tutor->course_count + 1) * sizeof *more);
    if (!more) {
        course_free(course);
        return error_set(err, _("out of memory"));
    }
    tutor->courses = more;
    more[tutor->course_count++] = course;
    course_recall(course, tutor->store);
    return 0;
}

static int add_folder(struct tutor *tutor, const char *folder, const char *label, bool builtin, struct error *err)
{
    char *head = path_join(folder, "course.lua");
    bool there = head && access(head, F_OK) == 0;
    free(head);
    struct course *course = NULL;
    if (!there && !builtin)
        return 0;
    if (course_new_folder(&course, folder, label, builtin, err) != 0)
        return -1;
    return tutor_add(tutor, course, err);
}

static int visible_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int add_learners(struct tutor *tutor, struct error *err)
{
    char *courses = path_courses();
    struct dirent **entries = NULL;
    int count = courses ? scandir(courses, &entries, visible_entry, alphasort) : 0;
    int status = 0;
    for (int i = 0; i < count; i++) {
        char *folder = path_join(courses, entries[i]->d_name);
        if (status == 0)
            status = folder ? add_folder(tutor, folder, folder, false, err) : error_set(err, _("out of memory"));
        free(folder);
        free(entries[i]);
    }
    free(entries);
    free(courses);
    return status;
}

int tutor_open(struct tutor *tutor, const struct tutor_options *options, struct error *err)
{
    *tutor = (struct tutor){.options = *options};
    if (!options->no_store) {
        tutor->store = store_open(NULL);
        if (!tutor->store)
            return error_set(err, _("out of memory"));
    }
    char *builtin = path_lessons();
    int status = builtin ? add_folder(tutor, builtin, "lessons", true, err) : 0;
    free(builtin);
    if (status == 0)
        status = add_learners(tutor, err);
    if (status != 0)
        tutor_close(tutor);
    return status;
}

void tutor_close(struct tutor *tutor)
{
    for (size_t i = 0; i < tutor->course_count; i++)
        course_free(tutor->courses[i]);
    free(tutor->courses);
    cage_close(tutor->cage);
    store_close(tutor->store);
    *tutor = (struct tutor){0};
}

char *tutor_work(const struct tutor *tutor)
{
    char *home = tutor->options.no_store ? NULL : path_state_home();
    char *work = home ? path_join(home, "work") : NULL;
    free(home);
    return work;
}

int tutor_cage(struct tutor *tutor, struct error *err)
{
    if (tutor->cage)
        return 0;
    struct cage_options options = {.open = tutor->options.open, .cpu_seconds = tutor->options.cpu_seconds};
    if (options.cpu_seconds > 0)
        options.wall_seconds = 10 + 4 * options.cpu_seconds;
    return cage_open(&tutor->cage, &options, err);
}

int tutor_ask(struct tutor *tutor, const struct request *request, struct scene **scene, struct error *err)
{
    if (tutor_cage(tutor, err) != 0)
        return -1;
    return cage_ask(tutor->cage, request, scene, err);
}

int tutor_may_run(const struct tutor *tutor, const struct course *course, struct error *err)
{
    if (tutor->options.open || (course && course->builtin) || cage_has_seccomp())
        return 0;
    return error_set(err, "this system cannot cage the worker (%s), so only the built-in course runs; "
                          "--no-cage runs the rest, as free as you are", cage_state());
}

/* One question to the worker about the course, or two about a lesson with files. -1: none could be asked; what came back is in the course. */
static int learn_one(struct tutor *tutor, struct course *course, long what, struct error *err)
{
    struct lesson_text text;
    struct request request;
    struct scene *scene = NULL;
    struct error words = {0};
    int status = tutor_may_run(tutor, course, err);
    do {
        if (status != 0 || course_request(course, what, &text, &request) != 0)
            return status;
        status = tutor_cage(tutor, err);
        if (status == 0 && tutor_ask(tutor, &request, &scene, &words) == 0)
            course_take(course, what, scene, tutor->store);
        else if (status == 0)
            course_fail(course, what, words.text);
        lesson_text_free(&text);
    } while (status == 0 && course_halfway(course, what));
    return status;
}

int tutor_learn(struct tutor *tutor, struct course *course, bool all, struct error *err)
{
    long what, before = -2;
    while (course_wants(course, &what) && (all || what < 0)) {
        if (what == before)
            return error_set(err, _("out of memory"));
        before = what;
        if (learn_one(tutor, course, what, err) != 0)
            return -1;
    }
    return 0;
}

int tutor_learn_lesson(struct tutor *tutor, struct course *course, size_t lesson, struct error *err)
{
    const struct course_lesson *file = &course->lessons[lesson];
    if (!file->outline && !file->error && learn_one(tutor, course, (long)lesson, err) != 0)
        return -1;
    return file->outline ? 0 : error_set(err, "%s", file->error ? file->error : _("out of memory"));
}
