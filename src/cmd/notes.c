/* normtutor notes [-o FILE] */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/notes.h"
#include "app/notes_file.h"
#include "base/language.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "ui/tty.h"

/* A file and a pipe get the bytes; a terminal what it can show. */
static void print(const struct strbuf *text)
{
    if (isatty(STDOUT_FILENO))
        cmd_print_words(text);
    else
        cmd_print(text);
}

static int save(const char *file, const struct strbuf *text)
{
    struct error err = {0};
    struct strbuf said = {0};
    char *aside;
    if (notes_save(file, text, &aside, &err) != 0)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    if (aside) {
        strbuf_addf(&said, _("What was in %s is kept as %s.\n"), file, path_name(aside));
        cmd_print_words(&said);
    }
    strbuf_free(&said);
    free(aside);
    return 0;
}

static int run(struct tutor *tutor, const char *file)
{
    struct error err = {0};
    const struct strbuf *text;
    int status;
    struct notes *notes = notes_make(tutor, &err);
    if (notes && !notes_any(notes))
        status = cmd_fail(EXIT_WRONG, "there is nothing to write down yet: no lesson was begun");
    else if (!notes || notes_text(notes, &text, &err) != 0)
        status = cmd_fail(EXIT_WRONG, "%s", err.text);
    else if (file)
        status = save(file, text);
    else {
        print(text);
        status = 0;
    }
    notes_free(notes);
    return status;
}

int cmd_notes(int argc, char **argv)
{
    enum { NO_CAGE = 256 };
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    struct tutor_options tutor_options = {0};
    const char *file = NULL;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        switch (option) {
        case 'o': file = optarg; break;
        case NO_CAGE: tutor_options.open = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind < argc)
        return cmd_fail(EXIT_USAGE, "notes takes no \"%s\"; -o names a file", argv[optind]);
    struct tutor tutor;
    int status = cmd_open(&tutor, &tutor_options);
    if (status != 0)
        return status;
    status = run(&tutor, file);
    for (const char *trouble; (trouble = store_trouble(tutor.store)) != NULL;)
        cmd_fail(0, "%s", trouble);
    tutor_close(&tutor);
    return cmd_flush(status);
}
