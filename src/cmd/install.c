/* normtutor install FILE [--yes] [--replace] */
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/shelf.h"
#include "base/language.h"
#include "base/path.h"
#include "cmd/cmd.h"

struct install {
    const char *file;
    bool yes, replace;
    struct tutor tutor;
    struct package package;
    struct shelf shelf;
    struct course *course;          /* the new one */
    const struct course *installed; /* the one in its place, or NULL */
    bool other;                     /* … and that is another course, which has the same id */
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct install *install, const char *format, ...)
{
    struct error why = {0};
    va_list args;
    va_start(args, format);
    error_setv(&why, format, args);
    va_end(args);
    return cmd_fail(EXIT_WRONG, "%s cannot be installed: %s", install->file, why.text);
}

static int read_archive(struct install *install)
{
    struct error err = {0};
    char *bytes;
    size_t length;
    if (path_read(install->file, TAR_BYTES_MAX, &bytes, &length, &err) != 0)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    int status = package_read(&install->package, bytes, length, &err);
    free(bytes);
    return status == 0 ? 0 : refuse(install, "%s", err.text);
}

static bool holds(const struct package *package, const char *lesson)
{
    size_t length = strlen(lesson);
    for (size_t i = 0; i < package->count; i++) {
        const char *name = package->files[i].name;
        if (strncmp(name, lesson, length) == 0 && strcmp(name + length, ".lua") == 0)
            return true;
    }
    return false;
}

/* Its course.lua alone is run before the learner is asked: it says who wrote what. */
static int learn_head(struct install *install)
{
    struct error err = {0};
    char *path;
    if (shelf_stage(&install->shelf, &install->package, &path, &err) != 0)
        return refuse(install, "%s", err.text);
    int status = course_new_folder(&install->course, path, install->file, false, &err);
    free(path);
    if (status != 0 || tutor_add(&install->tutor, install->course, &err) != 0 ||
        tutor_learn(&install->tutor, install->course, false, &err) != 0)
        return refuse(install, "%s", err.text);
    if (install->course->error)
        return cmd_fail(EXIT_WRONG, "%s", install->course->error);
    if (!package_names_course(course_id(install->course)))
        return refuse(install, _("the course's id is too long"));
    for (size_t i = 0; i < install->course->lesson_count; i++)
        if (!holds(&install->package, install->course->lessons[i].id))
            return refuse(install, _("course.lua names the lesson \"%s\", but there is no such file in it"),
                          install->course->lessons[i].id);
    return 0;
}

/* Two courses of one id cannot be told apart where an id is typed. */
static int look_for_others(struct install *install)
{
    const char *id = course_id(install->course);
    char *place = path_join(install->shelf.path, id);
    int status = place ? 0 : refuse(install, _("out of memory"));
    enum shelf_holds there = shelf_look(&install->shelf, id);
    for (size_t i = 0; i < install->tutor.course_count && status == 0; i++) {
        const struct course *course = install->tutor.courses[i];
        if (course == install->course)
            continue;
        bool same_place = strcmp(course->folder, place) == 0, same_id = strcmp(course_id(course), id) == 0;
        if (same_id && course->builtin)
            status = refuse(install, _("\"%s\" is the id of the built-in course; its author must choose another one"), id);
        else if (same_id && !same_place)
            status = refuse(install, _("%s has the course \"%s\" already; move it away first"), course->folder, id);
        else if (same_place)
            install->installed = course;
    }
    if (status == 0 && (there == SHELF_OTHER || (there == SHELF_FOLDER && !install->installed)))
        status = refuse(install, _("%s is no installed course; move it away first"), place);
    free(place);
    return status;
}

/* An author is known by the name alone; where none is given, by the title, also when a newer version gives one. */
static bool same_course(const struct course *newer, const struct course *older)
{
    const struct scene_course *x = newer->head ? newer->head->course : NULL, *y = older->head ? older->head->course : NULL;
    if (!x || !y || strcmp(x->id, y->id) != 0)
        return false;
    return y->author[0] ? strcmp(x->author, y->author) == 0 : strcmp(x->title, y->title) == 0;
}

/* The store tells courses of one id apart by their authors. */
static bool shares_progress(const struct course *a, const struct course *b)
{
    return a->head && b->head && strcmp(a->head->course->author, b->head->course->author) == 0;
}

static void add_field(struct strbuf *text, const char *name, const char *value)
{
    strbuf_addf(text, "  %-9s ", name);
    cmd_add_short(text, value[0] ? value : _("not said"));
    strbuf_add(text, "\n");
}

/* "Blocks, version 1.0, by A. Author" */
static void add_installed(struct strbuf *text, const struct course *course)
{
    if (!course->head) {
        strbuf_add(text, _("a course that cannot be loaded"));
        return;
    }
    const struct scene_course *head = course->head->course;
    cmd_add_short(text, head->title);
    strbuf_add(text, _(", version "));
    cmd_add_short(text, head->version[0] ? head->version : _("not said"));
    strbuf_add(text, _(", by "));
    cmd_add_short(text, head->author[0] ? head->author : _("nobody named"));
}

static void print_course(const struct install *install)
{
    const struct scene_course *head = install->course->head->course;
    struct strbuf text = {0};
    cmd_add_short(&text, head->title);
    strbuf_addf(&text, " (%s)\n", head->id);
    add_field(&text, _("author"), head->author);
    add_field(&text, _("licence"), head->licence);
    add_field(&text, _("version"), head->version);
    strbuf_addf(&text, _("  lessons   %zu\n  size      "), head->lessons.count);
    cmd_add_size(&text, install->package.count, install->package.bytes);
    strbuf_add(&text, "\n");
    if (install->installed) {
        strbuf_add(&text, install->other ? _("In the place of another course with this id: ") : _("In the place of: "));
        add_installed(&text, install->installed);
        strbuf_add(&text, "\n");
    }
    cmd_print_words(&text);
    strbuf_free(&text);
}

static int refuse_other(const struct install *install)
{
    struct strbuf words = {0};
    add_installed(&words, install->installed);
    int status = refuse(install, "its id \"%s\" belongs to %s%s; --replace puts it there all the same", course_id(install->course),
                        strbuf_string(&words),
                        shares_progress(install->course, install->installed) ? _(", and progress would count for both") : "");
    strbuf_free(&words);
    return status;
}

/* 0: it may be installed. */
static int ask(const struct install *install)
{
    if (install->yes)
        return install->other && !install->replace ? refuse_other(install) : 0;
    print_course(install);
    const char *question = _("Install it?");
    if (install->other)
        question = shares_progress(install->course, install->installed)
                       ? _("Replace that course by this one? Neither names its author: your progress in the one would count for the other.")
                       : _("Replace that course by this one? Your progress there stays, and does not count here.");
    else if (install->installed)
        question = _("Replace that one? Your progress stays.");
    return cmd_ask(question) ? 0 : cmd_fail(EXIT_WRONG, "%s was not installed: you did not say yes", install->file);
}

static int learn_lessons(struct install *install)
{
    struct error err = {0};
    int status = 0;
    for (size_t i = 0; i < install->course->lesson_count && !cmd_stopped(); i++)
        if (tutor_learn_lesson(&install->tutor, install->course, i, &err) != 0)
            status = cmd_fail(EXIT_WRONG, "%s", err.text);
    return cmd_stopped() ? refuse(install, _("it was interrupted")) : status;
}

static int place(struct install *install)
{
    struct error err = {0};
    struct strbuf text = {0};
    const struct course *course = install->course;
    if (install->installed)
        cmd_keep_progress(install->installed);
    if (shelf_place(&install->shelf, course_id(course), &err) != 0)
        return refuse(install, "%s", err.text);
    if (install->yes)
        print_course(install);
    const char *id = course_id(course);
    strbuf_addf(&text, _("Installed. normtutor play %s/%s opens its first lesson; normtutor remove %s removes it.\n"), id,
                course->lesson_count > 0 ? course->lessons[0].id : "", id);
    cmd_print_words(&text);
    strbuf_free(&text);
    return 0;
}

/* Nobody else changes what is installed meanwhile. */
static int install_locked(struct install *install, const struct tutor_options *options)
{
    int status = cmd_open(&install->tutor, options);
    if (status != 0)
        return status;
    tutor_learn_heads(&install->tutor);
    status = learn_head(install);
    if (status == 0)
        status = look_for_others(install);
    if (status == 0) {
        install->other = install->installed && !same_course(install->course, install->installed);
        status = ask(install);
    }
    if (status == 0)
        status = learn_lessons(install);
    if (status == 0)
        status = place(install);
    tutor_close(&install->tutor);
    return status;
}

static int run(struct install *install, const struct tutor_options *options)
{
    struct error err = {0};
    if (access(install->file, F_OK) != 0)
        return cmd_fail(EXIT_USAGE, "there is no file \"%s\"", install->file);
    if (tar_possible(&err) != 0)
        return cmd_fail(EXIT_WRONG, "normtutor: %s", err.text);
    int status = read_archive(install);
    if (status != 0)
        return status;
    cmd_heed_signals();
    char *path = path_courses();
    if (!path) {
        status = refuse(install, _("there is no home folder to install it in"));
    } else if (shelf_open(&install->shelf, path, &err) != 0) {
        status = refuse(install, "%s", err.text);
    } else {
        status = install_locked(install, options);
        shelf_close(&install->shelf);
    }
    free(path);
    package_free(&install->package);
    return cmd_flush(status);
}

int cmd_install(int argc, char **argv)
{
    enum { YES = 256, REPLACE, NO_CAGE };
    static const struct option options[] = {
        {"yes", no_argument, NULL, YES}, {"replace", no_argument, NULL, REPLACE}, {"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    struct tutor_options tutor = {.no_store = true};
    struct install install = {0};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case YES: install.yes = true; break;
        case REPLACE: install.replace = true; break;
        case NO_CAGE: tutor.open = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind + 1 != argc)
        return cmd_fail(EXIT_USAGE, "install takes one file, which normtutor pack has made");
    install.file = argv[optind];
    if (!install.yes && !cmd_can_ask())
        return cmd_fail(EXIT_USAGE, "install asks first, and there is no terminal to ask on; --yes installs without asking");
    return run(&install, &tutor);
}
