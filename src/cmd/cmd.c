#include "cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/nearest.h"
#include "base/language.h"
#include "base/path.h"
#include "base/visible.h"
#include "ui/screen.h"
#include "ui/tty.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"play", cmd_play}, {"list", cmd_list}, {"notes", cmd_notes}, {"show", cmd_show}, {"new", cmd_new}, {"check", cmd_check}, {"eval", cmd_eval},
    {"pack", cmd_pack}, {"install", cmd_install}, {"remove", cmd_remove}, {"translate", cmd_translate}, {"help", cmd_help}, {"version", cmd_version},
};

/* Takes --lang LANGUAGE out of argv, wherever it stands: what is wrong with the rest is said in that language, too. The exit status. */
static int take_language(int *argc, char **argv)
{
    const char *asked = NULL;
    int kept = 1;
    bool options = true;
    for (int i = 1; i < *argc; i++) {
        options = options && strcmp(argv[i], "--") != 0;
        bool alone = options && strcmp(argv[i], "--lang") == 0;
        if (alone && i + 1 == *argc)
            return cmd_fail(EXIT_USAGE, "--lang wants a language, such as de");
        if (alone || (options && strncmp(argv[i], "--lang=", 7) == 0))
            asked = alone ? argv[++i] : argv[i] + 7;
        else
            argv[kept++] = argv[i];
    }
    argv[kept] = NULL;
    *argc = kept;
    if (asked && !language_is_name(asked))
        return cmd_fail(EXIT_USAGE, "--lang takes a language, such as de or pt_BR, not \"%s\"", asked);
    language_choose(asked);
    char *catalogues = path_locale();
    if (catalogues)
        language_speak(language_wanted(), catalogues);
    free(catalogues);
    return 0;
}

int cmd_main(int argc, char **argv)
{
    int status = take_language(&argc, argv);
    if (status != 0)
        return status;
    if (argc < 2)
        return cmd_course(argc, argv);
    const char *first = argv[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return cmd_help(argc - 1, argv + 1);
    if (strcmp(first, "--version") == 0)
        return cmd_version(argc - 1, argv + 1);
    if (first[0] == '-')
        return cmd_course(argc, argv);
    struct nearest nearest = {.wanted = first};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, first) != 0) {
            nearest_offer(&nearest, commands[i].name);
            continue;
        }
        for (int a = 2; a < argc; a++)
            if (strcmp(argv[a], "--help") == 0)
                return cmd_help(2, (char *[]){argv[0], argv[1], NULL});
        return commands[i].run(argc - 1, argv + 1);
    }
    if (nearest.best)
        return cmd_fail(EXIT_USAGE, "there is no command \"%s\"; did you mean \"%s\"?", first, nearest.best);
    return cmd_fail(EXIT_USAGE, "there is no command \"%s\"; normtutor --help says which there are", first);
}

int cmd_fail(int status, const char *format, ...)
{
    struct error words = {0};
    struct strbuf line = {0};
    va_list args;
    va_start(args, format);
    error_setv(&words, format, args);
    va_end(args);
    if (status == EXIT_USAGE)
        strbuf_add(&line, "normtutor: ");
    visible_add(&line, words.text, false);
    strbuf_add(&line, "\n");
    fputs(strbuf_string(&line), stderr);
    strbuf_free(&line);
    return status;
}

int cmd_bad_option(int answer, char **argv)
{
    const char *option = optind > 0 ? argv[optind - 1] : "";
    if (answer == ':')
        return cmd_fail(EXIT_USAGE, "%s wants a value; normtutor --help says which", option);
    if (optopt && optopt < 128 && strncmp(option, "--", 2) != 0)
        return cmd_fail(EXIT_USAGE, "there is no option -%c here; normtutor --help says which there are", optopt);
    return cmd_fail(EXIT_USAGE, "there is no option %s here; normtutor --help says which there are", option);
}

int cmd_flush(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno == EPIPE)
        return EXIT_WRONG;
    return cmd_fail(EXIT_WRONG, "normtutor: standard output: %s", errno ? strerror(errno) : _("cannot be written"));
}

void cmd_print(const struct strbuf *text)
{
    fwrite(strbuf_string(text), 1, text->length, stdout);
}

void cmd_print_words(const struct strbuf *text)
{
    struct strbuf shown = {0}, ascii = {0};
    visible_add(&shown, strbuf_string(text), true);
    if (!tty_unicode())
        plain_ascii(&ascii, strbuf_string(&shown));
    cmd_print(tty_unicode() ? &shown : &ascii);
    strbuf_free(&shown);
    strbuf_free(&ascii);
}

void cmd_add_short(struct strbuf *text, const char *words)
{
    enum { RUNES = 120 };
    struct strbuf line = {0};
    size_t left = strlen(words), took = 0, runes = 0;
    for (uint32_t rune; took < left && runes < RUNES; runes++)
        took += utf8_decode(words + took, left - took, &rune);
    strbuf_addn(&line, words, took);
    visible_add(text, strbuf_string(&line), false);
    if (took < left)
        strbuf_add(text, "...");
    strbuf_free(&line);
}

void cmd_add_json(struct strbuf *out, const char *text)
{
    strbuf_add(out, "\"");
    for (size_t left = strlen(text); left > 0;) {
        uint32_t rune;
        char bytes[4];
        size_t took = utf8_decode(text, left, &rune);
        if (rune == '"' || rune == '\\')
            strbuf_addf(out, "\\%c", (char)rune);
        else if (rune < 0x20 || (rune <= 0xffff && visible_rune(rune) != rune))
            strbuf_addf(out, "\\u%04x", rune);
        else
            strbuf_addn(out, bytes, utf8_encode(bytes, rune));
        text += took;
        left -= took;
    }
    strbuf_add(out, "\"");
}

void cmd_add_size(struct strbuf *text, size_t files, size_t bytes)
{
    strbuf_addf(text, language_count("%zu file, ", "%zu files, ", files), files);
    if (bytes < 1024)
        strbuf_addf(text, _("%zu bytes"), bytes);
    else if (bytes < 1024 * 1024)
        strbuf_addf(text, "%zu KiB", (bytes + 512) / 1024);
    else
        strbuf_addf(text, "%.1f MiB", (double)bytes / 1024 / 1024);
}

bool cmd_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    if (text[0] < '0' || text[0] > '9')
        return false;
    unsigned long long value = strtoull(text, &end, 10);
    *number = value;
    return errno == 0 && *end == '\0';
}

int cmd_open(struct tutor *tutor, const struct tutor_options *options)
{
    struct error err = {0};
    if (tutor_open(tutor, options, &err) != 0)
        return cmd_fail(EXIT_WRONG, "normtutor: %s", err.text);
    return 0;
}

int cmd_find(struct tutor *tutor, const char *name, bool broken, struct course **course, size_t *lesson)
{
    struct error err = {0};
    switch (tutor_find(tutor, name, course, lesson, &err)) {
    case TUTOR_FOUND: break;
    case TUTOR_UNKNOWN: return cmd_fail(EXIT_USAGE, "%s", err.text);
    case TUTOR_BROKEN: return cmd_fail(EXIT_WRONG, "%s", err.text);
    }
    if (tutor_learn_lesson(tutor, *course, *lesson, &err) != 0 && !broken)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    return 0;
}

void cmd_keep_progress(const struct course *course)
{
    const struct scene_course *head = course->head ? course->head->course : NULL;
    struct store *store = head ? store_open(NULL) : NULL;
    if (!store)
        return;
    free(store_course(store, head->id, head->author, head->title));
    store_close(store);
}

int cmd_check_step(const struct course *course, size_t lesson, const char *step)
{
    const struct scene_lesson *outline = course_outline(course, lesson);
    struct nearest nearest = {.wanted = step};
    for (size_t i = 0; outline && i < outline->step_count; i++) {
        if (strcmp(outline->steps[i].id, step) == 0)
            return 0;
        nearest_offer(&nearest, outline->steps[i].id);
    }
    const char *id = course->lessons[lesson].id;
    if (nearest.best)
        return cmd_fail(EXIT_USAGE, "the lesson %s has no step \"%s\"; did you mean \"%s\"?", id, step, nearest.best);
    if (outline && outline->step_count > 0)
        return cmd_fail(EXIT_USAGE, "the lesson %s has no step \"%s\"; its first is \"%s\"", id, step, outline->steps[0].id);
    return cmd_fail(EXIT_USAGE, "the lesson %s has no step \"%s\"", id, step);
}
