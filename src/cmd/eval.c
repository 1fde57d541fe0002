/* normtutor eval [FILE | - | -e CODE] [--timeout S]: Lua in the worker, with tensor, nn and random at hand. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/path.h"
#include "cmd/cmd.h"

enum { EVAL_MAX = 768 * 1024 };

static int read_input(struct strbuf *out, struct error *err)
{
    char piece[8192];
    size_t length;
    while ((length = fread(piece, 1, sizeof piece, stdin)) > 0) {
        strbuf_addn(out, piece, length);
        if (out->length > EVAL_MAX)
            return error_set(err, "standard input: more than %d KiB of Lua", EVAL_MAX / 1024);
    }
    if (ferror(stdin))
        return error_set(err, "standard input: %s", strerror(errno));
    return out->failed ? error_set(err, "out of memory") : 0;
}

static int read_source(struct strbuf *out, const char *file, struct error *err)
{
    if (strcmp(file, "-") == 0)
        return read_input(out, err);
    char *text = NULL;
    size_t length = 0;
    if (path_read(file, EVAL_MAX, &text, &length, err) != 0)
        return -1;
    strbuf_addn(out, text, length);
    free(text);
    return out->failed ? error_set(err, "out of memory") : 0;
}

static int run(const struct strbuf *source, const char *name, const struct tutor_options *options)
{
    struct tutor tutor;
    struct scene *scene = NULL;
    struct strbuf output = {0};
    struct error err = {0};
    int status = cmd_open(&tutor, options);
    if (status != 0)
        return status;
    struct request request = {
        .kind = REQUEST_EVAL, .course = "", .file = name, .source = strbuf_string(source), .source_length = source->length};
    if (tutor_may_run(&tutor, NULL, &err) != 0 || tutor_ask(&tutor, &request, &scene, &err) != 0) {
        tutor_close(&tutor);
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    }
    strbuf_add(&output, scene->output ? scene->output : "");
    cmd_print_words(&output);
    strbuf_free(&output);
    status = cmd_flush(0);
    if (scene->error)
        status = cmd_fail(EXIT_WRONG, "%s", scene->error);
    scene_free(scene);
    tutor_close(&tutor);
    return status;
}

int cmd_eval(int argc, char **argv)
{
    enum { NO_CAGE = 256, TIMEOUT };
    static const struct option options[] = {
        {"timeout", required_argument, NULL, TIMEOUT}, {"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    struct tutor_options tutor_options = {.no_store = true};
    const char *code = NULL, *name = "-e";
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":e:", options, NULL)) != -1;) {
        char *end;
        switch (option) {
        case 'e': code = optarg; break;
        case NO_CAGE: tutor_options.open = true; break;
        case TIMEOUT:
            tutor_options.cpu_seconds = strtod(optarg, &end);
            if (end == optarg || *end || !(tutor_options.cpu_seconds > 0 && tutor_options.cpu_seconds <= 86400))
                return cmd_fail(EXIT_USAGE, "--timeout takes seconds of computing, such as 5, not \"%s\"", optarg);
            break;
        default: return cmd_bad_option(option, argv);
        }
    }
    const char *file = optind < argc ? argv[optind] : "-";
    if (argc - optind > (code ? 0 : 1))
        return cmd_fail(EXIT_USAGE, "eval takes a file of Lua, - for standard input, or -e CODE");
    if (!code && argc == optind && cmd_can_ask())
        return cmd_console(&tutor_options);
    struct strbuf source = {0};
    struct error err = {0};
    int status = 0;
    if (code) {
        strbuf_add(&source, code);
    } else {
        name = strcmp(file, "-") == 0 ? _("standard input") : file;
        status = read_source(&source, file, &err);
    }
    status = status != 0 ? cmd_fail(EXIT_WRONG, "%s", err.text) : run(&source, name, &tutor_options);
    strbuf_free(&source);
    return status;
}
