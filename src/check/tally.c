/* What shows only when many seeds are seen together: data that make no difference, draws that are mostly refused, a view that tells
   what is asked, mistakes that never count. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/language.h"
#include "check/internal.h"
#include "scene/wire.h"

enum {
    SEEDS_LEAST = 8,   /* for a judgement over seeds */
    DRAWS_FOR_ONE = 20 /* at most, on the average */
};

/* ---- fingerprints ---- */

static int compare_options(const void *a, const void *b)
{
    const struct scene_option *x = a, *y = b;
    return strcmp(x->id, y->id);
}

/* Of the step as it is shown, but for what the seed does by itself: the order of options, the inputs of probes. 0: memory is out. */
static uint64_t fingerprint(const struct scene *scene)
{
    struct scene_step step = *scene->step;
    struct scene_question question = step.question ? *step.question : (struct scene_question){0};
    struct scene shown = {.lesson = scene->lesson, .step = &step};
    struct scene_check behind;
    struct strbuf bytes = {0};
    if (scene->check) {
        behind = *scene->check;
        behind.lesson_draws = behind.draws = (struct scene_draws){.pair = ""};
        shown.check = &behind;
    }
    if (step.kind == STEP_CODE)
        step.view = NULL;
    if (step.question) {
        struct scene_option *options = calloc(question.option_count + 1, sizeof *options);
        if (!options)
            return 0;
        if (question.option_count > 0) {
            memcpy(options, question.options, question.option_count * sizeof *options);
            qsort(options, question.option_count, sizeof *options, compare_options);
        }
        question.options = options;
        step.question = &question;
    }
    uint64_t hash = 0;
    if (wire_encode_scene(&bytes, &shown, NULL) == 0)
        hash = hash_bytes(HASH_START, bytes.text, bytes.length);
    strbuf_free(&bytes);
    if (step.question)
        free(question.options);
    return hash;
}

/* ---- adding up ---- */

static void add_draws(struct tally *tally, const struct scene_draws *draws)
{
    tally->draws += draws->all;
    tally->refused += draws->refused;
    tally->alike += draws->alike;
    if (*draws->pair && !tally->pair)
        tally->pair = strdup(draws->pair);
}

static bool is_among(const struct strings *strings, const char *text)
{
    for (size_t i = 0; i < strings->count; i++)
        if (strcmp(strings->item[i], text) == 0)
            return true;
    return false;
}

static void add_shown(struct check *check, struct shown **list, size_t *count, const char *where, bool drawn)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].where, where) == 0) {
            (*list)[i].seeds++;
            (*list)[i].drawn += drawn;
            return;
        }
    struct shown *more = realloc(*list, (*count + 1) * sizeof *more);
    char *copy = strdup(where);
    if (more)
        *list = more;
    if (more && copy)
        more[(*count)++] = (struct shown){copy, 1, drawn};
    else
        free(copy);
    check->findings.failed |= !more || !copy;
}

static void add_all_shown(struct check *check, struct shown **list, size_t *count, const struct strings *all, const struct strings *drawn)
{
    for (size_t i = 0; i < all->count; i++)
        add_shown(check, list, count, all->item[i], is_among(drawn, all->item[i]));
}

static void add_mistake(struct check *check, struct tally *tally, const char *id, uint32_t line, bool counts)
{
    size_t i = 0;
    while (i < tally->mistake_count && strcmp(tally->mistakes[i].id, id) != 0)
        i++;
    if (i == tally->mistake_count) {
        struct counted *more = realloc(tally->mistakes, (i + 1) * sizeof *more);
        char *copy = strdup(id);
        if (more)
            tally->mistakes = more;
        if (!more || !copy) {
            free(copy);
            check->findings.failed = true;
            return;
        }
        more[tally->mistake_count++] = (struct counted){copy, line, 0};
    }
    tally->mistakes[i].seeds += counts;
}

/* Those of the lesson's parts that have a `when`, and those that are known. */
static void add_mistakes(struct check *check, struct tally *tally, const struct scene_check *behind)
{
    for (size_t i = 0; i < behind->place_count; i++) {
        const char *of = behind->places[i].of, *dot = strchr(of, '.');
        if (!dot || strcmp(dot, ".when") != 0)
            continue;
        char *id = strndup(of, (size_t)(dot - of));
        if (id)
            add_mistake(check, tally, id, behind->places[i].line, false);
        free(id);
    }
    for (size_t i = 0; i < behind->declared_count; i++)
        if (*behind->declared[i].id)
            add_mistake(check, tally, behind->declared[i].id, line_of(behind, behind->declared[i].id), true);
}

static void add_endless(struct tally *tally, const struct job *job, const struct scene_check *behind)
{
    enum step_kind kind = job_outline(job)->kind;
    bool number = (kind == STEP_NUMBER || kind == STEP_TENSOR) && behind->declared_count > 0;
    if (!number || !(strstr(behind->declared[0].typed, "nan") || strstr(behind->declared[0].typed, "inf")))
        return;
    if (tally->endless++ == 0 || job->seed < tally->endless_seed)
        tally->endless_seed = job->seed;
}

static bool has(const struct scene_place *places, size_t count, const char *of)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(places[i].of, of) == 0)
            return true;
    return false;
}

static void compare_first(struct tally *whole, struct tally *tally, int which, uint64_t hash)
{
    if (tally->first[which] == 0)
        tally->first[which] = hash;
    tally->differs = tally->differs || hash != tally->first[which];
    whole->differs = whole->differs || tally->differs;
}

void tally_open(struct job *job, const struct scene *scene)
{
    compare_first(&job->target->whole, &job->target->steps[job->step], 1, fingerprint(scene));
}

void tally_take(struct check *check, struct job *job, const struct scene *scene)
{
    struct target *target = job->target;
    struct tally *tally = &target->steps[job->step], *whole = &target->whole;
    const struct scene_check *behind = scene->check;
    tally->line = behind->step_line;
    tally->text_line = line_of(behind, "text");
    tally->data_line = line_of(behind, "data");
    tally->accept_line = line_of(behind, "accept");
    tally->hide_line = line_of(behind, "show");
    tally->answer_line = line_of(behind, "answer");
    tally->own_data = has(behind->places, behind->place_count, "data");
    tally->edits = has(behind->places, behind->place_count, "edit");
    tally->view = tally->view || scene->step->view;
    tally->seeds++;
    compare_first(whole, tally, 0, fingerprint(scene));
    add_draws(tally, &behind->draws);
    add_all_shown(check, &tally->shown, &tally->shown_count, &behind->shown, &behind->drawn);
    add_all_shown(check, &tally->printed, &tally->printed_count, &behind->printed, &behind->chance);
    add_mistakes(check, tally, behind);
    add_endless(tally, job, behind);
    whole->edits = whole->edits || tally->edits;
    if (job->step > 0)
        return;
    whole->seeds++;
    whole->own_data = has(behind->lesson_places, behind->lesson_place_count, "data");
    whole->data_line = line_of_lesson(behind, "data");
    whole->accept_line = line_of_lesson(behind, "accept");
    add_draws(whole, &behind->lesson_draws);
}

/* ---- judging ---- */

static void judge_draws(struct check *check, const struct job *job, const struct tally *tally)
{
    if (tally->draws < SEEDS_LEAST * DRAWS_FOR_ONE || tally->draws <= tally->seeds * DRAWS_FOR_ONE)
        return;
    bool refused = tally->refused >= tally->alike;
    struct strbuf why = {0};
    if (tally->refused > 0)
        strbuf_addf(&why, _("`accept` refused %llu%s"), (unsigned long long)tally->refused, tally->alike > 0 ? "; " : "");
    if (tally->alike > 0)
        strbuf_addf(&why, _("in %llu %s came to the same"), (unsigned long long)tally->alike, tally->pair ? tally->pair : _("two mistakes"));
    note(check, job, FINDING_FAULT, SCOPE_ALL, refused ? tally->accept_line : tally->data_line,
         "of %llu draws of `data` only %zu were fit (%s): one in %d must be, so draw numbers that fit",
         (unsigned long long)tally->draws, tally->seeds,
         strbuf_string(&why), DRAWS_FOR_ONE);
    strbuf_free(&why);
}

static void judge_endless(struct check *check, const struct job *job, const struct tally *tally)
{
    if (tally->endless == tally->seeds)
        note(check, job, FINDING_ADVICE, SCOPE_ALL, tally->answer_line, "`answer` is nan or infinite, or has such a number in it, "
             "under every seed: mend it, unless that is what is asked");
    else if (tally->endless > 0)
        note(check, job, FINDING_FAULT, SCOPE_ALL, tally->answer_line, "`answer` is nan or infinite, or has such a number in it, "
             "under %zu of %zu seeds, the first is %llu: draw numbers for which it is not", tally->endless, tally->seeds,
             (unsigned long long)tally->endless_seed);
}

static void judge_step(struct check *check, const struct job *job, const struct tally *tally)
{
    bool question = job_outline(job)->kind != STEP_TELL;
    judge_draws(check, job, tally);
    judge_endless(check, job, tally);
    if (question && tally->own_data && !tally->edits && !tally->differs && tally->seeds >= SEEDS_LEAST)
        note(check, job, FINDING_FAULT, SCOPE_ALL, tally->data_line, "`data` makes no difference: %zu seeds give one and the "
             "same question. Draw something that it asks about, or say it by `given`", tally->seeds);
    for (size_t i = 0; i < tally->shown_count; i++)
        if (tally->shown[i].seeds == tally->seeds && tally->shown[i].drawn * 2 <= tally->seeds)
            note(check, job, FINDING_FAULT, SCOPE_ALL, tally->hide_line, "the question's own view shows its answer (%s): name "
                 "that in `hide`, or make the question a prediction", tally->shown[i].where);
    for (size_t i = 0; i < tally->printed_count; i++)
        if (tally->printed[i].seeds == tally->seeds && tally->printed[i].drawn < tally->seeds)
            note(check, job, FINDING_FAULT, SCOPE_ALL, tally->text_line, "the question's own `text` prints its answer, by the hole "
                 "{%s}: take that out", tally->printed[i].where);
    for (size_t i = 0; i < tally->mistake_count; i++)
        if (tally->mistakes[i].seeds == 0 && tally->seeds >= SEEDS_LEAST)
            note(check, job, FINDING_ADVICE, SCOPE_ALL, tally->mistakes[i].line, "mistake \"%s\": its `when` is true under none "
                 "of %zu seeds", tally->mistakes[i].id,
                 tally->seeds);
}

void tally_judge(struct check *check, struct target *target)
{
    struct job job = {.target = target, .seed = 1};
    if (!target->outline)
        return;
    check->counts.lessons++;
    for (; job.step < target->outline->lesson->step_count; job.step++) {
        const struct tally *tally = &target->steps[job.step];
        check->counts.questions += job_outline(&job)->kind != STEP_TELL;
        check->counts.mistakes += tally->mistake_count;
        check->counts.views += tally->view;
        if (tally->seeds > 0)
            judge_step(check, &job, tally);
    }
    const struct tally *whole = &target->whole;
    if (whole->seeds > 0)
        judge_draws(check, &job, whole);
    if (whole->own_data && !whole->differs && !whole->edits && whole->seeds >= SEEDS_LEAST)
        note(check, &job, FINDING_FAULT, SCOPE_ALL, whole->data_line, "`data` makes no difference: under %zu seeds every step "
             "is the same. Draw something that a step uses, or say it by `given`", whole->seeds);
}

void tally_free(struct tally *tally)
{
    for (size_t i = 0; i < tally->shown_count; i++)
        free(tally->shown[i].where);
    for (size_t i = 0; i < tally->printed_count; i++)
        free(tally->printed[i].where);
    for (size_t i = 0; i < tally->mistake_count; i++)
        free(tally->mistakes[i].id);
    free(tally->printed);
    free(tally->shown);
    free(tally->mistakes);
    free(tally->pair);
}
