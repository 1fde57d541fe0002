/* normtutor translate LESSON LANGUAGE: makes lang/LANGUAGE/LESSON.lua and keeps it in step with the lesson. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/translate.h"
#include "base/language.h"
#include "base/path.h"
#include "cmd/cmd.h"

static bool is_course_file(const char *name)
{
    return strcmp(name, "course.lua") == 0 || path_ends(name, "/course.lua");
}

/* The course of a course.lua; the exit status. */
static int find_course(struct tutor *tutor, const char *name, struct course **course)
{
    struct error err = {0};
    char *folder = path_folder(name);
    if (access(name, F_OK) != 0) {
        free(folder);
        return cmd_fail(EXIT_USAGE, "there is no file \"%s\"", name);
    }
    int status = folder ? course_new_folder(course, folder, folder, false, &err) : -1;
    free(folder);
    if (status == 0)
        status = tutor_add(tutor, *course, &err);
    if (status == 0)
        status = tutor_may_run(tutor, *course, &err);
    if (status == 0)
        status = tutor_learn(tutor, *course, false, &err);
    if (status != 0 || (*course)->error)
        return cmd_fail(EXIT_WRONG, "%s", status != 0 ? err.text : (*course)->error);
    return 0;
}

static void add_count(struct strbuf *line, uint32_t count, const char *what)
{
    if (count)
        strbuf_addf(line, "%s%u %s", line->length ? ", " : "", count, what);
}

static void print_summary(const struct course *course, long what, const char *language, const struct scene_translation *translation)
{
    struct strbuf counts = {0}, line = {0};
    const char *label = what == TRANSLATE_COURSE ? course->head_label : course->lessons[what].label;
    const char *name = path_name(label);
    add_count(&counts, translation->fresh, _("new"));
    add_count(&counts, translation->changed, _("changed"));
    add_count(&counts, translation->kept - translation->moved, _("kept"));
    add_count(&counts, translation->moved, _("found under another key"));
    add_count(&counts, translation->empty, _("still to translate"));
    add_count(&counts, translation->gone, _("no longer in the lesson, kept as comments at the end"));
    strbuf_addn(&line, label, (size_t)(name - label));
    strbuf_addf(&line, "lang/%s/%s: %s\n", language, name, counts.length ? strbuf_string(&counts) : _("nothing to translate"));
    cmd_print_words(&line);
    strbuf_free(&counts);
    strbuf_free(&line);
}

/* What the learner sees in the lesson's own words until it is mended: a second look, by the lines of the file as it is now. */
static int print_faults(struct tutor *tutor, const struct course *course, long what, const char *language)
{
    struct scene *scene;
    struct error err = {0};
    struct strbuf lines = {0};
    if (translate_ask(tutor, course, what, language, &scene, &err) != 0)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    for (size_t i = 0; i < scene->translation->fault_count; i++) {
        const struct scene_fault *fault = &scene->translation->faults[i];
        if (!fault->advice)
            strbuf_addf(&lines, "%s:%u: %s\n", fault->file, fault->line, fault->what);
    }
    cmd_print_words(&lines);
    strbuf_free(&lines);
    scene_free(scene);
    return 0;
}

static int run(const struct tutor_options *options, const char *name, const char *language)
{
    struct tutor tutor;
    struct course *course;
    struct scene *scene;
    struct error err = {0};
    size_t lesson = 0;
    bool head = is_course_file(name);
    int status = cmd_open(&tutor, options);
    if (status != 0)
        return status;
    status = head ? find_course(&tutor, name, &course) : cmd_find(&tutor, name, false, &course, &lesson);
    long what = head ? TRANSLATE_COURSE : (long)lesson;
    const char *own = status == 0 && course_language(course)[0] ? course_language(course) : "en";
    if (status == 0 && strcmp(own, language) == 0)
        status = cmd_fail(EXIT_USAGE, "%s is written in the language %s", name, language);
    if (status == 0 && translate_renew(&tutor, course, what, language, &scene, &err) != 0)
        status = cmd_fail(EXIT_WRONG, "%s", err.text);
    else if (status == 0) {
        print_summary(course, what, language, scene->translation);
        scene_free(scene);
        status = print_faults(&tutor, course, what, language);
    }
    tutor_close(&tutor);
    return cmd_flush(status);
}

int cmd_translate(int argc, char **argv)
{
    enum { NO_CAGE = 256 };
    static const struct option options[] = {{"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    struct tutor_options tutor = {.no_store = true};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case NO_CAGE: tutor.open = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind + 2 != argc)
        return cmd_fail(EXIT_USAGE, "translate takes a lesson, or a course.lua, and a language: normtutor translate epsilon.lua de");
    if (!language_is_name(argv[optind + 1]))
        return cmd_fail(EXIT_USAGE, "\"%s\" is not a language's name, such as de or pt_BR", argv[optind + 1]);
    return run(&tutor, argv[optind], argv[optind + 1]);
}
