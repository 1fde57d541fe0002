/* normtutor remove COURSE [--yes] */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "app/nearest.h"
#include "archive/shelf.h"
#include "base/language.h"
#include "base/path.h"
#include "cmd/cmd.h"

/* By its id, or by its folder's name where the id cannot be known. The exit status. */
static int find(const struct tutor *tutor, const char *name, const struct course **found)
{
    struct nearest nearest = {.wanted = name};
    for (size_t i = 0; i < tutor->course_count; i++) {
        const struct course *course = tutor->courses[i];
        const char *id = course->head ? course_id(course) : path_name(course->folder);
        if (strcmp(id, name) == 0) {
            *found = course;
            return course->builtin ? cmd_fail(EXIT_USAGE, "%s is the built-in course, and stays", name) : 0;
        }
        if (!course->builtin)
            nearest_offer(&nearest, id);
    }
    if (nearest.best)
        return cmd_fail(EXIT_USAGE, "there is no course \"%s\"; did you mean \"%s\"?", name, nearest.best);
    return cmd_fail(EXIT_USAGE, "there is no course \"%s\" that was installed; normtutor list says which there are", name);
}

static bool agreed(const struct course *course)
{
    struct strbuf text = {0};
    char *place = path_with_tilde(course->folder);
    cmd_add_short(&text, course_title(course)[0] ? course_title(course) : path_name(course->folder));
    if (course->head && course->head->course->version[0]) {
        strbuf_add(&text, _(", version "));
        cmd_add_short(&text, course->head->course->version);
    }
    strbuf_addf(&text, "\n  %s\n", place ? place : course->folder);
    cmd_print_words(&text);
    strbuf_free(&text);
    free(place);
    return cmd_ask(_("Remove this folder? Your progress stays, for when the course is installed again."));
}

static int remove_course(struct tutor *tutor, const char *name, bool yes)
{
    struct error err = {0};
    const struct course *course = NULL;
    struct shelf shelf;
    tutor_learn_heads(tutor);
    int status = find(tutor, name, &course);
    if (status != 0)
        return status;
    if (!yes && !agreed(course))
        return cmd_fail(EXIT_WRONG, "%s was not removed: you did not say yes", name);
    cmd_keep_progress(course);
    char *path = path_courses();
    if (shelf_open(&shelf, path ? path : "", &err) == 0) {
        if (shelf_remove(&shelf, path_name(course->folder), &err) != 0)
            status = cmd_fail(EXIT_WRONG, "%s", err.text);
        shelf_close(&shelf);
    } else {
        status = cmd_fail(EXIT_WRONG, "%s", err.text);
    }
    free(path);
    if (status == 0) {
        struct strbuf text = {0};
        strbuf_addf(&text, _("%s is removed. Your progress in it stays, for when it is installed again.\n"), name);
        cmd_print_words(&text);
        strbuf_free(&text);
    }
    return status;
}

int cmd_remove(int argc, char **argv)
{
    enum { YES = 256 };
    static const struct option options[] = {{"yes", no_argument, NULL, YES}, {0}};
    bool yes = false;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case YES: yes = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind + 1 != argc)
        return cmd_fail(EXIT_USAGE, "remove takes one course's id; normtutor list says which courses there are");
    if (!yes && !cmd_can_ask())
        return cmd_fail(EXIT_USAGE, "remove asks first, and there is no terminal to ask on; --yes removes without asking");
    struct tutor tutor;
    int status = cmd_open(&tutor, &(struct tutor_options){.no_store = true});
    if (status != 0)
        return status;
    status = remove_course(&tutor, argv[optind], yes);
    tutor_close(&tutor);
    return cmd_flush(status);
}
