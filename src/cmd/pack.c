/* normtutor pack DIR [-o FILE] */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/translate.h"
#include "archive/package.h"
#include "base/language.h"
#include "base/path.h"
#include "cmd/cmd.h"

static void say_fault(void *payload, const struct scene_fault *fault)
{
    int *status = payload;
    if (fault->advice)
        return;
    if (fault->line > 0)
        *status = cmd_fail(EXIT_WRONG, "%s:%u: %s", fault->file, fault->line, fault->what);
    else
        *status = cmd_fail(EXIT_WRONG, "%s%s%s", fault->file, *fault->file ? ": " : "", fault->what);
}

/* A translation with a fault would go unseen: the learner is shown the lesson's own words there. */
static int learn_translations(struct tutor *tutor, const struct course *course)
{
    struct error err = {0};
    int status = 0;
    for (long what = TRANSLATE_COURSE; what < (long)course->lesson_count; what++)
        if (translate_check(tutor, course, what, say_fault, &status, &err) != 0)
            return cmd_fail(EXIT_WRONG, "%s", err.text);
    return status;
}

/* Everything must load: each lesson that does not is said. */
static int learn(struct tutor *tutor, struct course *course)
{
    struct error err = {0};
    int status = 0;
    if (tutor_learn(tutor, course, true, &err) != 0)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    if (course->error)
        return cmd_fail(EXIT_WRONG, "%s", course->error);
    for (size_t i = 0; i < course->lesson_count; i++)
        if (course->lessons[i].error)
            status = cmd_fail(EXIT_WRONG, "%s", course->lessons[i].error);
    if (status == 0)
        status = learn_translations(tutor, course);
    if (status != 0)
        return status;
    const char *id = course_id(course);
    if (!package_names_course(id))
        return cmd_fail(EXIT_WRONG, "%s: the id \"%s\" is too long: at most %d letters", course->head_label, id, PACKAGE_ID_MAX);
    if (tutor->course_count > 0 && tutor->courses[0]->builtin) {
        tutor_learn(tutor, tutor->courses[0], false, NULL);
        if (strcmp(course_id(tutor->courses[0]), id) == 0)
            return cmd_fail(EXIT_WRONG, "%s: \"%s\" is the built-in course's id; give yours another one", course->head_label, id);
    }
    return 0;
}

static void print_list(const struct package *package, const char *file, size_t packed)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < package->count; i++)
        strbuf_addf(&text, "%9zu  %s\n", package->files[i].length, package->files[i].name);
    for (size_t i = 0; i < package->left_count; i++)
        strbuf_addf(&text, _("left out:  %s\n"), package->left[i]);
    strbuf_addf(&text, "%s: ", file);
    cmd_add_size(&text, package->count, packed);
    strbuf_addf(&text, _(". normtutor install %s installs it.\n"), file);
    cmd_print_words(&text);
    strbuf_free(&text);
}

static int pack(const struct course *course, const char *folder, const char *file)
{
    struct error err = {0};
    struct package package;
    struct strbuf bytes = {0}, name = {0};
    const struct scene_course *head = course->head->course;
    if (package_collect(&package, folder, course->label, head->lessons.item, head->lessons.count, &err) != 0)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    strbuf_addf(&name, "%s.tar.gz", head->id);
    if (!file)
        file = strbuf_string(&name);
    int status = 0;
    if (package_write(&bytes, &package, head->id, &err) != 0)
        status = cmd_fail(EXIT_WRONG, "%s: %s", course->label, err.text);
    else if (path_write(file, bytes.text, bytes.length, &err) != 0)
        status = cmd_fail(EXIT_WRONG, "%s", err.text);
    else
        print_list(&package, file, bytes.length);
    strbuf_free(&bytes);
    strbuf_free(&name);
    package_free(&package);
    return status;
}

static int run(const struct tutor_options *options, const char *folder, const char *file)
{
    struct error err = {0};
    struct tutor tutor;
    struct course *course;
    char *head = path_join(folder, "course.lua");
    bool there = head && access(head, F_OK) == 0;
    free(head);
    if (!there)
        return cmd_fail(EXIT_USAGE, "%s is not a course: there is no course.lua in it", folder);
    if (tar_possible(&err) != 0)
        return cmd_fail(EXIT_WRONG, "normtutor: %s", err.text);
    int status = cmd_open(&tutor, options);
    if (status != 0)
        return status;
    if (course_new_folder(&course, folder, folder, false, &err) != 0 || tutor_add(&tutor, course, &err) != 0)
        status = cmd_fail(EXIT_WRONG, "%s", err.text);
    if (status == 0)
        status = learn(&tutor, course);
    if (status == 0)
        status = pack(course, folder, file);
    tutor_close(&tutor);
    return cmd_flush(status);
}

int cmd_pack(int argc, char **argv)
{
    enum { NO_CAGE = 256 };
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    struct tutor_options tutor = {.no_store = true};
    const char *file = NULL;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        switch (option) {
        case 'o': file = optarg; break;
        case NO_CAGE: tutor.open = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind + 1 != argc)
        return cmd_fail(EXIT_USAGE, "pack takes one folder, a course's");
    char *folder = argv[optind];
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/';)
        folder[--length] = '\0';
    return run(&tutor, folder, file);
}
