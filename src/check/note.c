/* How findings are made: with the place they are about. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/strbuf.h"
#include "check/internal.h"

const char *target_file(const struct target *target)
{
    return target->course->lessons[target->index].label;
}

static const char *target_id(const struct target *target)
{
    return target->course->lessons[target->index].id;
}

static void put(struct check *check, const struct job *job, enum finding_kind kind, enum finding_scope scope, const char *file,
                uint32_t line, const char *what,
                const char *key)
{
    if (scope == SCOPE_FRAMES && job->tries[job->at].kind == TRY_BETWEEN)
        scope = SCOPE_BETWEEN;
    findings_add(&check->findings, &(struct finding){.kind = kind, .rank = job->target->rank, .lesson = (char *)target_id(job->target),
                                                     .file = (char *)file, .line = line, .what = (char *)what, .key = (char *)key, .scope = scope,
                                                     .seed = job->seed});
}

void note(struct check *check, const struct job *job, enum finding_kind kind, enum finding_scope scope, uint32_t line,
          const char *format, ...)
{
    char *what = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&what, language_say(format), args) < 0)
        what = NULL;
    va_end(args);
    check->findings.failed |= !what;
    if (what)
        put(check, job, kind, scope, target_file(job->target), line, what, what);
    free(what);
}

/* The length of "file" in "file:12: words" (*line 12) or, for this file, in "file: words" (*line 0); 0: words have no place. */
static size_t split_place(const char *words, const char *file, uint32_t *line, const char **rest)
{
    size_t own = strlen(file);
    for (const char *colon = strchr(words, ':'); colon; colon = strchr(colon + 1, ':')) {
        size_t digits = strspn(colon + 1, "0123456789");
        if (digits > 0 && digits < 8 && strncmp(colon + 1 + digits, ": ", 2) == 0) {
            *line = (uint32_t)strtoul(colon + 1, NULL, 10);
            *rest = colon + 1 + digits + 2;
            return (size_t)(colon - words);
        }
        if (colon[1] == ' ' && (size_t)(colon - words) != own)
            return 0;
        if (colon[1] == ' ' && strncmp(words, file, own) == 0) {
            *line = 0;
            *rest = colon + 2;
            return own;
        }
    }
    return 0;
}

void note_words(struct check *check, const struct job *job, enum finding_scope scope, uint32_t line, const char *words, const char *context)
{
    const char *file = target_file(job->target), *rest = words;
    uint32_t own_line = 0;
    size_t length = split_place(words, file, &own_line, &rest);
    struct strbuf what = {0};
    char *place = length ? strndup(words, length) : strdup(file);
    strbuf_addf(&what, "%s%s", rest, context);
    if (place && !what.failed)
        put(check, job, FINDING_FAULT, scope, place, own_line ? own_line : line, strbuf_string(&what), rest);
    else
        check->findings.failed = true;
    strbuf_free(&what);
    free(place);
}

void note_alone(struct check *check, enum finding_kind kind, size_t rank, const char *lesson, const char *file, const char *words)
{
    const char *rest = words;
    uint32_t line = 0;
    size_t length = split_place(words, file, &line, &rest);
    char *place = length ? strndup(words, length) : strdup(file);
    if (place)
        findings_add(&check->findings, &(struct finding){.kind = kind, .rank = rank, .lesson = (char *)lesson, .file = place,
                     .line = line, .what = (char *)rest,
                                                         .scope = SCOPE_ALL, .seed = 1});
    check->findings.failed |= !place;
    free(place);
}

static uint32_t find_line(const struct scene_place *places, size_t count, const char *of, uint32_t otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(places[i].of, of) == 0)
            return places[i].line;
    return otherwise;
}

uint32_t line_of(const struct scene_check *check, const char *of)
{
    return find_line(check->places, check->place_count, of, check->step_line);
}

uint32_t line_of_lesson(const struct scene_check *check, const char *of)
{
    return find_line(check->lesson_places, check->lesson_place_count, of, check->lesson_line);
}
