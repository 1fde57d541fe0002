/* What Lua's parser complains of, and what the author has most likely done. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

enum { BRACES_MAX = 64 };

/* "… near 'token'" */
static bool near_token(const char *message, const char *token)
{
    static const char before[] = " near '";
    const char *at = strstr(message, before);
    return at && !strncmp(at + strlen(before), token, strlen(token)) && !strcmp(at + strlen(before) + strlen(token), "'");
}

static bool begins_step(const char *at)
{
    return (!strncmp(at, "step", 4) && strchr(" \t\"'", at[4])) || !strncmp(at, "ask.", 4);
}

/* The first step that begins on a line of its own while more is open than the lesson's braces: its line, and that of the brace; or 0. */
static int open_brace(const char *source, int *step)
{
    int opened[BRACES_MAX], depth = 0, line = 1;
    bool fresh = true; /* nothing but blanks on this line yet */
    for (const char *at = source; *at;) {
        if (fresh && depth > 1 && depth <= BRACES_MAX && begins_step(at)) {
            *step = line;
            return opened[depth - 1];
        }
        const char *after = skip_quoted(at);
        fresh = *at == '\n' || (fresh && isspace((unsigned char)*at));
        if (*at == '{' && ++depth <= BRACES_MAX)
            opened[depth - 1] = line;
        else if (*at == '}' && depth > 0)
            depth--;
        for (after = after ? after : at + 1; at < after; at++)
            line += *at == '\n';
    }
    return 0;
}

/* Does a quoted text with an open hole end where the parser stumbled: "… {x:mean("feature")} …"? */
static bool quote_in_hole(const char *source, int line)
{
    for (; *source && line > 1; source++)
        line -= *source == '\n';
    for (const char *end = source + strcspn(source, "\n"); source < end;) {
        const char *after = skip_quoted(source);
        int holes = 0;
        if (*source == '"' || *source == '\'') {
            for (const char *at = source; at < after; at++)
                holes += (*at == '{') - (*at == '}');
            if (holes > 0 && (isalnum((unsigned char)*after) || *after == '_'))
                return true;
        }
        source = after ? after : source + 1;
    }
    return false;
}

const char *formula_hint(const char *message)
{
    static const struct { const char *token, *words; } hints[] = {
        { "=", N_("a formula is one expression, without `=`; equal is ==") }, { "return", N_("a formula is one expression, without `return`") },
        { "local", N_("a formula is one expression, without `local`") }, { "!", N_("not equal is written ~=, and not is `not`") },
        { "*", N_("a power is written ^") }, { "&", N_("write `and`") }, { "|", N_("write `or`") },
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (near_token(message, hints[i].token))
            return _(hints[i].words);
    return NULL;
}

const char *syntax_hint(struct engine *engine, const char *message)
{
    const char *source = engine->request->source;
    int line = 0, step = 0, brace;
    sscanf(message, FILE_MARK ":%d:", &line);
    if (near_token(message, "!"))
        return formula_hint(message);
    if (!strstr(message, "'}' expected"))
        return NULL;
    if (quote_in_hole(source, line))
        return _("a text in \"double quotes\" ends at the next one: write 'single quotes' in its holes");
    brace = open_brace(source, &step);
    if (brace)
        return arena_printf(engine->scene->arena, _("a } may be missing: the brace of line %d is still open on line %d, where a step begins"), brace, step);
    return strstr(message, "near <eof>") ? NULL : _("a comma may be missing before it");
}
