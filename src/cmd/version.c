/* normtutor --version: what a report of a bug needs. */
#include <stdio.h>
#include <string.h>

#include "base/visible.h"
#include "cmd/cmd.h"
#include "scene/wire.h"
#include "store/store.h"
#include "ui/tty.h"

static const char build[] =
#if defined __clang__
    "clang " __clang_version__
#else
    "gcc " __VERSION__
#endif
#if defined __SANITIZE_ADDRESS__
    ", address sanitizer"
#endif
#if !defined __OPTIMIZE__
    ", not optimized"
#endif
    ;

/* What only the worker knows: Lua and the processor path. */
static void print_engine(struct tutor *tutor)
{
    static const char code[] = "print(engine_version())";
    struct request request = {
        .kind = REQUEST_EVAL, .course = "", .file = "version", .source = code, .source_length = sizeof code - 1};
    struct scene *scene = NULL;
    struct error err = {0};
    if (tutor_ask(tutor, &request, &scene, &err) != 0) {
        printf("engine: %s\n", err.text);
        return;
    }
    const char *words = scene->error ? scene->error : scene->output ? scene->output : "";
    struct strbuf line = {0}, shown = {0};
    strbuf_addn(&line, words, strcspn(words, "\n"));
    visible_add(&shown, strbuf_string(&line), false);
    printf("engine: %s\n", strbuf_string(&shown));
    strbuf_free(&line);
    strbuf_free(&shown);
    scene_free(scene);
}

int cmd_version(int argc, char **argv)
{
    if (argc > 1)
        return cmd_fail(EXIT_USAGE, "version takes no \"%s\"", argv[1]);
    struct tutor tutor;
    struct tutor_options options = {.no_store = true};
    int status = cmd_open(&tutor, &options);
    if (status != 0)
        return status;
    printf("normtutor %s (%s)\n", NORMTUTOR_VERSION, build);
    print_engine(&tutor);
    printf("libraries: %s, %s, %s\n", tty_version(), store_version(), wire_version());
    printf("cage: %s\n", cage_state());
    tutor_close(&tutor);
    return cmd_flush(0);
}
