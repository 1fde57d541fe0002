/* What lang/ beside a lesson lacks, or has otherwise than the lesson. What is shown all the same only advises. */
#include <stdlib.h>

#include "app/translate.h"
#include "base/strbuf.h"
#include "check/internal.h"

struct translations {
    struct check *check;
    size_t rank;
    const char *lesson, *file; /* of the lesson */
};

static void say(void *payload, const struct scene_fault *fault)
{
    struct translations *t = payload;
    struct strbuf words = {0};
    strbuf_add(&words, fault->file);
    if (fault->line > 0)
        strbuf_addf(&words, ":%u", fault->line);
    strbuf_addf(&words, "%s%s", *fault->file ? ": " : "", fault->what);
    if (words.failed)
        t->check->findings.failed = true;
    else
        note_alone(t->check, fault->advice ? FINDING_ADVICE : FINDING_FAULT, t->rank, t->lesson, *fault->file ? fault->file : t->file,
                   strbuf_string(&words));
    strbuf_free(&words);
}

void check_translations(struct check *check, size_t rank, const struct course *course, long what)
{
    bool head = what == TRANSLATE_COURSE;
    struct translations t = {check, rank, head ? "" : course->lessons[what].id, head ? course->head_label : course->lessons[what].label};
    struct error err = {0};
    if (translate_check(&check->tutor, course, what, say, &t, &err) != 0)
        check->findings.failed = true;
}
