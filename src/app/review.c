#include "app/review.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/schedule.h"
#include "base/language.h"

enum { HOUR = 60 * 60, DAY = 24 * HOUR };

int64_t review_clock(void)
{
    return (int64_t)time(NULL);
}

/* The lesson of the question that was answered; -1: it is not, or no longer, in the course. */
static long lesson_with(const struct course *course, const struct store_past *answer)
{
    long at = course_find(course, answer->lesson);
    const struct scene_lesson *lesson = at >= 0 ? course_outline(course, (size_t)at) : NULL;
    for (size_t i = 0; lesson && i < lesson->step_count; i++)
        if (strcmp(lesson->steps[i].id, answer->step) == 0)
            return lesson->steps[i].kind == STEP_TELL ? -1 : at;
    return -1;
}

static int add(struct review *review, const struct course *course, const struct store_past *answers, size_t count)
{
    struct schedule schedule = schedule_of(answers, count, review->now);
    long lesson = schedule.box > 0 ? lesson_with(course, &answers[0]) : -1;
    if (lesson < 0)
        return 0;
    if (schedule.due > review->now) {
        review->next = review->next == 0 || schedule.due < review->next ? schedule.due : review->next;
        return 0;
    }
    const char *step = arena_text(review->arena, answers[0].step);
    review->items[review->count++] = (struct review_item){(size_t)lesson, step, schedule.first, schedule.due, false};
    return step ? 0 : -1;
}

static int compare(const void *a, const void *b)
{
    const struct review_item *x = a, *y = b;
    if (x->first != y->first)
        return x->first ? -1 : 1;
    if (x->due != y->due)
        return x->due < y->due ? -1 : 1;
    if (x->lesson != y->lesson)
        return x->lesson < y->lesson ? -1 : 1;
    return strcmp(x->step, y->step);
}

static bool same_step(const struct store_past *a, const struct store_past *b)
{
    return strcmp(a->lesson, b->lesson) == 0 && strcmp(a->step, b->step) == 0;
}

int review_make(struct review *out, const struct course *course, struct store *store, int64_t now, struct error *err)
{
    struct store_past *past = NULL;
    size_t count = 0;
    *out = (struct review){.arena = arena_new(), .now = now};
    int status = out->arena ? 0 : -1;
    if (status == 0 && store && store_past(store, course_key(course), &past, &count) != 0)
        count = 0;
    out->items = status == 0 ? arena_zero(out->arena, count + 1, sizeof *out->items) : NULL;
    if (!out->items)
        status = -1;
    for (size_t from = 0, to; from < count && status == 0; from = to) {
        for (to = from + 1; to < count && same_step(&past[from], &past[to]); to++) {
        }
        status = add(out, course, past + from, to - from);
    }
    store_past_free(past, count);
    if (status != 0) {
        review_free(out);
        return error_set(err, "out of memory");
    }
    qsort(out->items, out->count, sizeof *out->items, compare);
    return 0;
}

void review_free(struct review *review)
{
    arena_free(review->arena);
    *review = (struct review){0};
}

static void say_span(struct strbuf *out, int64_t seconds)
{
    int64_t unit = seconds > DAY / 2 ? DAY : HOUR, count = (seconds + unit - 1) / unit;
    size_t number = (size_t)count;
    strbuf_addf(out, unit == DAY ? language_count("%zu day", "%zu days", number) : language_count("%zu hour", "%zu hours", number), number);
}

void review_say(const struct review *review, struct strbuf *out)
{
    if (review->count > 0) {
        strbuf_addf(out, language_count("%zu question is due.", "%zu questions are due.", review->count), review->count);
    } else if (review->next != 0) {
        strbuf_add(out, _("Nothing is due; the next in "));
        say_span(out, review->next - review->now);
        strbuf_add(out, ".");
    } else {
        strbuf_add(out, _("Nothing is due. What you answer wrongly, or rightly without being sure, comes back here."));
    }
}
