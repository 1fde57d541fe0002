/* A file of a newer lesson format may be such that nothing of it can be run. What it says of its format is then read from its text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

static bool in_comment(const char *text, const char *at)
{
    const char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    const char *comment = strstr(line, "--");
    return comment && comment < at;
}

/* The first `format = N` outside of a comment: N, and on which line; 0: there is none. */
static double find_format(const char *text, int *line)
{
    static const char word[] = "format";
    for (const char *at = text; (at = strstr(at, word)); at += sizeof word - 1) {
        const char *after = skip_blanks(at + sizeof word - 1);
        if ((at > text && !strchr(" \t\n{,(;", at[-1])) || *after != '=' || in_comment(text, at))
            continue;
        *line = 1;
        for (const char *before = text; before < at; before++)
            *line += *before == '\n';
        return strtod(skip_blanks(after + 1), NULL);
    }
    return 0;
}

const char *newer_format(struct engine *engine)
{
    char words[400];
    int line = 0;
    double format = engine->request->source ? find_format(engine->request->source, &line) : 0;
    if (!(format > FORMAT))
        return NULL;
    snprintf(words, sizeof words, _("%s:%d: it is written in lesson format %g; this normtutor reads format %d: a newer one is needed"),
             engine->request->file, line, format, FORMAT);
    return arena_text(engine->scene->arena, words);
}
