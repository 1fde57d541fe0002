/* normtutor new course NAME; normtutor new lesson NAME */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/nearest.h"
#include "archive/package.h"
#include "base/language.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "cmd/template.h"

static const char lesson_template[] = "new-lesson.lua", first_lesson[] = "first";

/* What is made, and for whom. */
struct made {
    const char *course, *lesson; /* ids */
    char **paths;                /* files and folders that are there now, in that order: to be taken away again */
    size_t count;
};

/* ---- names ---- */

/* The id that is nearest to what somebody would like to call it. */
static void add_id(struct strbuf *out, const char *name)
{
    bool gap = false;
    size_t start = out->length;
    for (const unsigned char *at = (const unsigned char *)name; *at; at++) {
        char letter = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
        bool fits = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
        if (fits && gap && out->length > start)
            strbuf_add(out, "-");
        if (fits && out->length - start < PACKAGE_ID_MAX)
            strbuf_addn(out, &letter, 1);
        gap = !fits;
    }
}

static int check_id(const char *kind, const char *id)
{
    if (package_names_course(id))
        return 0;
    if (strlen(id) > PACKAGE_ID_MAX)
        return cmd_fail(EXIT_USAGE, "a %s's name has at most %d letters: it is its id", kind, PACKAGE_ID_MAX);
    struct strbuf better = {0};
    add_id(&better, id);
    int status = better.length > 0 ? cmd_fail(EXIT_USAGE, "\"%s\" cannot be a %s's id, which has a-z, 0-9 and -; perhaps \"%s\"", id,
                                              kind, strbuf_string(&better))
                                   : cmd_fail(EXIT_USAGE, "\"%s\" cannot be a %s's id, which has a-z, 0-9 and -", id, kind);
    strbuf_free(&better);
    return status;
}

/* "two-tokens": "Two tokens". */
static void add_title(struct strbuf *out, const char *id)
{
    for (const char *at = id; *at; at++) {
        char letter = *at == '-' ? ' ' : at == id && *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
        strbuf_addn(out, &letter, 1);
    }
}

static void fill_in(struct strbuf *out, const char *text, const struct made *made)
{
    static const char course_id_[] = "new-course", lesson_id[] = "new-lesson", course_title_[] = "New course", lesson_title[] = "New lesson";
    while (*text) {
        size_t took = 1;
        if (strncmp(text, course_id_, took = sizeof course_id_ - 1) == 0)
            strbuf_add(out, made->course);
        else if (strncmp(text, lesson_id, took = sizeof lesson_id - 1) == 0)
            strbuf_add(out, made->lesson);
        else if (strncmp(text, course_title_, took = sizeof course_title_ - 1) == 0)
            add_title(out, made->course);
        else if (strncmp(text, lesson_title, took = sizeof lesson_title - 1) == 0)
            add_title(out, made->lesson);
        else
            strbuf_addn(out, text, took = 1);
        text += took;
    }
}

/* ---- files ---- */

static int note(struct made *made, const char *path)
{
    char **more = realloc(made->paths, (made->count + 1) * sizeof *more);
    char *copy = strdup(path);
    if (more)
        made->paths = more;
    if (!more || !copy) {
        free(copy);
        return -1;
    }
    made->paths[made->count++] = copy;
    return 0;
}

/* All of it, or nothing is left of it. */
static void take_back(const struct made *made)
{
    for (size_t i = made->count; i > 0; i--)
        remove(made->paths[i - 1]);
}

static void forget(struct made *made)
{
    for (size_t i = 0; i < made->count; i++)
        free(made->paths[i]);
    free(made->paths);
}

static int refuse(const char *path, int why)
{
    if (why == EEXIST)
        return cmd_fail(EXIT_WRONG, "%s is there already, and stays as it is; choose another name", path);
    return cmd_fail(EXIT_WRONG, "cannot make %s: %s", path, strerror(why));
}

static int make_folder(struct made *made, const char *path)
{
    if (mkdir(path, 0777) != 0)
        return refuse(path, errno);
    return note(made, path) == 0 ? 0 : cmd_fail(EXIT_WRONG, "normtutor: out of memory");
}

static int make_file(struct made *made, const char *path, const char *template)
{
    struct strbuf text = {0};
    fill_in(&text, template, made);
    if (text.failed)
        return cmd_fail(EXIT_WRONG, "normtutor: out of memory");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int status = fd < 0 ? refuse(path, errno) : note(made, path) == 0 ? 0 : cmd_fail(EXIT_WRONG, "normtutor: out of memory");
    if (status == 0 && path_write_all(fd, strbuf_string(&text), text.length) != 0)
        status = refuse(path, errno);
    if (fd >= 0 && close(fd) != 0 && status == 0)
        status = refuse(path, errno);
    strbuf_free(&text);
    return status;
}

/* ---- a course ---- */

/* "shared/rows.lua" below the course's folder, and the folder on the way. */
static int make_part(struct made *made, const char *folder, const struct template *template)
{
    struct strbuf name = {0};
    fill_in(&name, template->name, made);
    char *path = name.failed ? NULL : path_join(folder, strbuf_string(&name));
    char *below = path ? path_folder(path) : NULL;
    int status = below ? 0 : cmd_fail(EXIT_WRONG, "normtutor: out of memory");
    if (status == 0 && access(below, F_OK) != 0)
        status = make_folder(made, below);
    if (status == 0)
        status = make_file(made, path, template->text);
    free(below);
    free(path);
    strbuf_free(&name);
    return status;
}

/* Progress hangs on ids, and that of the built-in course is taken. */
static int check_free(const char *id)
{
    struct tutor tutor;
    int status = cmd_open(&tutor, &(struct tutor_options){.no_store = true});
    if (status != 0)
        return status;
    const struct course *builtin = tutor.course_count > 0 && tutor.courses[0]->builtin ? tutor.courses[0] : NULL;
    if (builtin)
        tutor_learn(&tutor, tutor.courses[0], false, NULL);
    if (builtin && strcmp(course_id(builtin), id) == 0)
        status = cmd_fail(EXIT_USAGE, "\"%s\" is the id of the built-in course; choose another name", id);
    tutor_close(&tutor);
    return status;
}

static int new_course(struct made *made, char *folder)
{
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/';)
        folder[--length] = '\0';
    made->course = path_name(folder);
    made->lesson = first_lesson;
    int status = check_id("course", made->course);
    if (status == 0)
        status = check_free(made->course);
    if (status == 0)
        status = make_folder(made, folder);
    for (const struct template *at = templates; at->name && status == 0; at++)
        status = make_part(made, folder, at);
    if (status != 0)
        return status;
    struct strbuf text = {0};
    for (size_t i = 1; i < made->count; i++) {
        struct stat at;
        if (stat(made->paths[i], &at) == 0 && S_ISREG(at.st_mode))
            strbuf_addf(&text, "  %s\n", made->paths[i]);
    }
    strbuf_addf(&text, _("The course \"%s\" is made. normtutor play --watch %s/%s.lua shows a lesson of it, and again whenever you save.\n"),
                made->course, folder, made->lesson);
    cmd_print_words(&text);
    strbuf_free(&text);
    return 0;
}

/* ---- a lesson ---- */

/* Into the course beside it the lesson is put by its author: nobody else writes into what they have written. */
static void say_what_is_missing(const char *folder, const char *id)
{
    struct tutor tutor;
    struct course *course = NULL;
    struct strbuf text = {0};
    struct error err = {0};
    char *head = path_join(folder, "course.lua");
    if (!head || access(head, F_OK) != 0 || tutor_open(&tutor, &(struct tutor_options){.no_store = true}, &err) != 0) {
        free(head);
        return;
    }
    if (course_new_folder(&course, folder, folder, false, &err) != 0 || tutor_add(&tutor, course, &err) != 0)
        course = NULL;
    bool known = course && tutor_learn(&tutor, course, false, &err) == 0 && course->head;
    if (!known) {
        strbuf_addf(&text, _("To have it in the course, put \"%s\" among the lessons in %s.\n"), id, head);
    } else if (course_find(course, id) < 0) {
        strbuf_addf(&text, _("To have it in the course, put it among the lessons in %s:\n"), head);
        strbuf_add(&text, "  lessons  = { ");
        for (size_t i = 0; i < course->lesson_count; i++)
            strbuf_addf(&text, "\"%s\", ", course->lessons[i].id);
        strbuf_addf(&text, "\"%s\" },\n", id);
    }
    cmd_print_words(&text);
    strbuf_free(&text);
    tutor_close(&tutor);
    free(head);
}

static const char *text_of(const char *name)
{
    const struct template *at = templates;
    while (at->name && strcmp(at->name, name) != 0)
        at++;
    return at->text;
}

static int new_lesson(struct made *made, char *path)
{
    if (path_ends(path, ".lua"))
        path[strlen(path) - 4] = '\0';
    made->lesson = path_name(path);
    made->course = "";
    int status = check_id("lesson", made->lesson);
    if (status == 0 && strcmp(made->lesson, "course") == 0)
        status = cmd_fail(EXIT_USAGE, "a lesson cannot be called \"course\": course.lua is the course; normtutor new course NAME makes one");
    struct strbuf file = {0};
    strbuf_addf(&file, "%s.lua", path);
    if (status == 0)
        status = file.failed ? cmd_fail(EXIT_WRONG, "normtutor: out of memory") : make_file(made, file.text, text_of(lesson_template));
    if (status == 0) {
        struct strbuf text = {0};
        char *folder = path_folder(file.text);
        strbuf_addf(&text, _("The lesson \"%s\" is made. normtutor play --watch %s shows it, and again whenever you save.\n"), made->lesson,
                    file.text);
        cmd_print_words(&text);
        strbuf_free(&text);
        if (folder)
            say_what_is_missing(folder, made->lesson);
        free(folder);
    }
    strbuf_free(&file);
    return status;
}

/* ---- the command ---- */

static const struct {
    const char *name;
    int (*make)(struct made *made, char *path);
} kinds[] = {{"course", new_course}, {"lesson", new_lesson}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int no_such_kind(const char *name)
{
    struct nearest nearest = {.wanted = name};
    for (size_t i = 0; i < KINDS; i++)
        nearest_offer(&nearest, kinds[i].name);
    if (nearest.best)
        return cmd_fail(EXIT_USAGE, "new makes a course or a lesson, not a \"%s\"; did you mean \"%s\"?", name, nearest.best);
    return cmd_fail(EXIT_USAGE, "new makes a course or a lesson, not a \"%s\"; say which: normtutor new lesson %s", name, name);
}

int cmd_new(int argc, char **argv)
{
    static const struct option options[] = {{0}};
    opterr = 0;
    int option = getopt_long(argc, argv, ":", options, NULL);
    if (option != -1)
        return cmd_bad_option(option, argv);
    if (optind == argc)
        return cmd_fail(EXIT_USAGE, "new takes what to make and its name: normtutor new course NAME, or normtutor new lesson NAME");
    for (size_t i = 0; i < KINDS; i++) {
        struct made made = {0};
        if (strcmp(argv[optind], kinds[i].name) != 0)
            continue;
        if (optind + 2 != argc)
            return cmd_fail(EXIT_USAGE, "new %s takes one name: that of the %s", kinds[i].name,
                            strcmp(kinds[i].name, "course") == 0 ? "course's folder" : "lesson's file");
        int status = kinds[i].make(&made, argv[optind + 1]);
        if (status != 0)
            take_back(&made);
        forget(&made);
        return cmd_flush(status);
    }
    return no_such_kind(argv[optind]);
}
