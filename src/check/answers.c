/* Answers that the lesson knows, given as a learner gives them: is each taken for what it is? */
#include <string.h>

#include "base/language.h"
#include "base/strbuf.h"
#include "check/internal.h"
#include "ui/markdown.h"

/* One line of plain words, not too long. */
static void shorten(struct strbuf *out, const char *words)
{
    enum { MOST = 90 };
    struct strbuf plain = {0};
    markdown_plain(&plain, words);
    const char *text = strbuf_string(&plain);
    size_t length = strcspn(text, "\n"), kept = length > MOST ? MOST : length;
    while (kept < length && kept > 0 && ((unsigned char)text[kept] & 0xC0) == 0x80)
        kept--;
    strbuf_addn(out, text, kept);
    strbuf_add(out, text[kept] ? "…" : "");
    strbuf_free(&plain);
}

/* "0.1475", or "the program" */
static void add_typed(struct strbuf *out, const struct job *job, const char *typed)
{
    if (job->base->step->kind == STEP_CODE) {
        strbuf_add(out, _("its program"));
        return;
    }
    strbuf_add(out, "`");
    shorten(out, typed);
    strbuf_add(out, "`");
}

static const char *verdict_words(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_RIGHT: return _("is judged right");
    case VERDICT_WRONG: return _("is judged wrong");
    case VERDICT_UNREAD: return _("cannot be read");
    default: return _("is not judged");
    }
}

static void take_right(struct check *check, struct job *job, const struct scene_question *question, size_t which)
{
    const struct scene_check *behind = job->base->check;
    enum step_kind kind = job->base->step->kind;
    const char *field = kind == STEP_CODE ? "solution" : which == 0 ? "answer" : "also";
    struct strbuf words = {0};
    if (question->verdict == VERDICT_RIGHT)
        return;
    add_typed(&words, job, behind->declared[which].typed);
    strbuf_addf(&words, " %s: ", verdict_words(question->verdict));
    shorten(&words, question->say);
    note(check, job, FINDING_FAULT, SCOPE_SEEDS, line_of(behind, field),
         "`%s`: what is right, typed as it is asked for, %s It must come out the same each time, and `tolerance` must be no "
         "finer than what can be typed", field,
         strbuf_string(&words));
    strbuf_free(&words);
}

static void take_wrong(struct check *check, struct job *job, const struct scene_question *question, size_t which)
{
    const struct scene_check *behind = job->base->check;
    const struct scene_declared *declared = &behind->declared[which];
    enum step_kind kind = job->base->step->kind;
    const char *what = kind == STEP_CHOICE ? "option" : "mistake";
    uint32_t line = line_of(behind, declared->id);
    struct strbuf typed = {0};
    add_typed(&typed, job, declared->typed);
    const char *shown = strbuf_string(&typed);
    if (question->verdict == VERDICT_WRONG && strcmp(question->mistake, declared->id) == 0) {
        if (!*question->say)
            note(check, job, FINDING_FAULT, SCOPE_SEEDS, line, "%s \"%s\": nothing is said about it: give it a `say`", what, declared->id);
    } else if (question->verdict != VERDICT_WRONG) {
        note(check, job, FINDING_FAULT, SCOPE_SEEDS, line, "%s \"%s\": %s %s: it must be wrong for these numbers, or not count "
             "by its `when`", what, declared->id,
             shown, verdict_words(question->verdict));
    } else if (*question->mistake && kind == STEP_CODE) {
        note(check, job, FINDING_FAULT, SCOPE_SEEDS, line, "mistake \"%s\": no probe tells its program from that of \"%s\": add "
             "a probe that does, or take one away",
             declared->id, question->mistake);
    } else if (*question->mistake) {
        note(check, job, FINDING_FAULT, SCOPE_SEEDS, line, "%s \"%s\": %s is taken for \"%s\": make them differ, or say by "
             "`when` for which numbers each counts", what,
             declared->id, shown, question->mistake);
    } else {
        note(check, job, FINDING_FAULT, SCOPE_SEEDS, line, "%s \"%s\": %s is not recognised, so its words are never said: it "
             "comes out otherwise each time, or another is as near", what, declared->id, shown);
    }
    strbuf_free(&typed);
}

static void take_reread(struct check *check, struct job *job, const struct scene_question *question)
{
    const struct scene_check *behind = job->base->check;
    struct strbuf names = {0};
    for (size_t i = 0; i < behind->rounded.count; i++)
        strbuf_addf(&names, "%s{%s}", i == 0 ? "" : i + 1 < behind->rounded.count ? ", " : " and ", behind->rounded.item[i]);
    if (question->verdict != VERDICT_RIGHT)
        note(check, job, FINDING_FAULT, SCOPE_SEEDS, line_of(behind, "text"),
             "`text` prints %s with fewer digits than the answer is computed from: who computes with what is printed gets `%s`, "
             "where `%s` is right. Round what is drawn by `places`, or print more digits", strbuf_string(&names),
             behind->reread, behind->declared[0].typed);
    strbuf_free(&names);
}

void answers_take(struct check *check, struct job *job, const struct scene *scene)
{
    const struct try *try = &job->tries[job->at];
    const struct scene_question *question = scene->step->question;
    check->counts.answers++;
    if (try->kind == TRY_REREAD)
        take_reread(check, job, question);
    else if (*job->base->check->declared[try->which].id)
        take_wrong(check, job, question, try->which);
    else
        take_right(check, job, question, try->which);
}
