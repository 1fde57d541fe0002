/* What is to be checked: from what a person types to lessons, and from a lesson to its requests. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/translate.h"
#include "base/language.h"
#include "base/path.h"
#include "check/internal.h"

/* ---- paths ---- */

static bool same_file(const char *a, const char *b)
{
    struct stat at, other;
    return stat(a, &at) == 0 && stat(b, &other) == 0 && at.st_dev == other.st_dev && at.st_ino == other.st_ino;
}

static int add_target(struct check *check, struct course *course, size_t index, struct error *err)
{
    for (size_t i = 0; i < check->target_count; i++)
        if (same_file(check->targets[i].course->lessons[check->targets[i].index].path, course->lessons[index].path))
            return 0;
    struct target *more = realloc(check->targets, (check->target_count + 1) * sizeof *more);
    if (!more)
        return error_set(err, "out of memory");
    check->targets = more;
    more[check->target_count] = (struct target){.course = course, .index = index, .rank = check->ranks++, .next_seed = 1};
    check->target_count++;
    return 0;
}

static bool is_folder(const char *path)
{
    struct stat at;
    return stat(path, &at) == 0 && S_ISDIR(at.st_mode);
}

static int is_lesson(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && path_ends(entry->d_name, ".lua") && strcmp(entry->d_name, "course.lua") != 0 &&
           strcmp(entry->d_name, "api.lua") != 0 /* what editors read, copied from lessons/ */;
}

/* Lessons that were written and not listed. */
static void check_unlisted(struct check *check, size_t rank, const struct course *course)
{
    struct dirent **entries = NULL;
    int count = scandir(course->folder, &entries, is_lesson, alphasort);
    for (int i = 0; i < count; i++) {
        char *id = strndup(entries[i]->d_name, strlen(entries[i]->d_name) - 4);
        struct strbuf words = {0};
        if (id && course_find(course, id) < 0)
            strbuf_addf(&words, _("%s lies beside it and is not in `lessons`"), entries[i]->d_name);
        if (words.length > 0)
            note_alone(check, FINDING_ADVICE, rank, "", course->head_label, strbuf_string(&words));
        strbuf_free(&words);
        free(id);
        free(entries[i]);
    }
    free(entries);
}

static int add_folder(struct check *check, const char *path, struct error *err)
{
    struct course *course;
    char *folder = strdup(path);
    if (!folder)
        return error_set(err, "out of memory");
    while (strlen(folder) > 1 && path_ends(folder, "/"))
        folder[strlen(folder) - 1] = '\0';
    char *head = path_join(folder, "course.lua");
    int status = head && access(head, F_OK) != 0 ? error_set(err, "there is no course.lua in %s", folder) : 0;
    free(head);
    if (status == 0)
        status = course_new_folder(&course, folder, folder, false, err);
    if (status == 0)
        status = tutor_add(&check->tutor, course, err);
    free(folder);
    if (status == 0)
        status = tutor_learn(&check->tutor, course, false, err);
    if (status != 0)
        return -1;
    size_t rank = check->ranks++;
    if (course->error)
        note_alone(check, FINDING_FAULT, rank, "", course->head_label, course->error);
    else
        check_unlisted(check, rank, course);
    if (course->head)
        check_translations(check, rank, course, TRANSLATE_COURSE);
    for (size_t i = 0; i < course->lesson_count && status == 0; i++)
        status = add_target(check, course, i, err);
    return status;
}

int check_add(struct check *check, const char *path, struct error *err)
{
    struct course *course;
    size_t lesson;
    if (is_folder(path))
        return add_folder(check, path, err);
    switch (tutor_find(&check->tutor, path, &course, &lesson, err)) {
    case TUTOR_FOUND: return add_target(check, course, lesson, err);
    case TUTOR_UNKNOWN: return -1;
    case TUTOR_BROKEN: note_alone(check, FINDING_FAULT, check->ranks++, "", path, err->text); break;
    }
    return 0;
}

/* ---- a lesson ---- */

static void give_up(struct check *check, struct target *target, uint32_t line, const char *words)
{
    struct job job = {.target = target, .seed = 1};
    target->stopped = true;
    note_words(check, &job, SCOPE_ALL, line, words, "");
}

bool target_begin(struct check *check, struct target *target)
{
    const struct course_lesson *lesson = &target->course->lessons[target->index];
    struct error err = {0};
    target->begun = true;
    if (lesson->error)
        give_up(check, target, 0, lesson->error);
    else if (tutor_may_run(&check->tutor, target->course, &err) != 0 || lesson_text_read(&target->text, lesson->path, &err) != 0)
        give_up(check, target, 0, err.text);
    return !target->stopped;
}

bool target_open_files(struct check *check, struct target *target, const struct scene_lesson *outline)
{
    struct error err = {0};
    if (lesson_files_are(&target->text.files, &outline->files))
        return false;
    if (target->text.files.count > 0)
        give_up(check, target, outline->files_line, _("the files that the lesson declares are others each time"));
    else if (lesson_text_open(&target->text, target->course->lessons[target->index].path, target_file(target), &outline->files, &err) != 0)
        give_up(check, target, outline->files_line, err.text);
    return !target->stopped;
}

static void check_needs(struct check *check, struct target *target, const struct scene *scene)
{
    const struct scene_lesson *lesson = scene->lesson;
    struct job job = {.target = target, .seed = 1};
    for (size_t i = 0; i < lesson->needs.count; i++)
        if (course_find(target->course, lesson->needs.item[i]) < 0)
            note(check, &job, FINDING_ADVICE, SCOPE_ALL, line_of_lesson(scene->check, "needs"),
                 "`needs`: there is no lesson \"%s\" in this course, so it only advises",
                 lesson->needs.item[i]);
}

void target_whole(struct check *check, struct target *target, const struct scene *scene)
{
    check_needs(check, target, scene);
    check_translations(check, target->rank, target->course, (long)target->index);
    target->former_line = line_of_lesson(scene->check, "renamed_from");
}

static const char *former_of(const struct target *target)
{
    return target->outline ? target->outline->lesson->renamed_from : "";
}

/* Progress goes from one lesson to one. */
void target_former(struct check *check, const struct target *target)
{
    const struct job job = {.target = (struct target *)target, .seed = 1};
    const char *former = former_of(target);
    if (!*former)
        return;
    if (course_find(target->course, former) >= 0)
        note(check, &job, FINDING_FAULT, SCOPE_ALL, target->former_line, "`renamed_from`: the lesson \"%s\" is still in this "
             "course, and keeps its progress", former);
    for (const struct target *other = check->targets; other < target; other++)
        if (other->course == target->course && strcmp(former_of(other), former) == 0)
            note(check, &job, FINDING_FAULT, SCOPE_ALL, target->former_line, "`renamed_from`: the lesson \"%s\" was called "
                 "\"%s\" already, and takes its progress",
                 target->course->lessons[other->index].id, former);
}

bool target_know(struct target *target, struct scene *outline)
{
    target->steps = calloc(outline->lesson->step_count, sizeof *target->steps);
    if (!target->steps)
        return false;
    target->outline = outline;
    target->ready = true;
    return true;
}

void target_free(struct target *target)
{
    for (size_t i = 0; target->outline && i < target->outline->lesson->step_count; i++)
        tally_free(&target->steps[i]);
    tally_free(&target->whole);
    free(target->steps);
    scene_free(target->outline);
    lesson_text_free(&target->text);
}
