#include "app/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/strbuf.h"

static const struct store_step *find_step(const struct store_step *steps, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(steps[i].step, id) == 0)
            return &steps[i];
    return NULL;
}

static void count_steps(struct rows *rows, struct course_row *row, size_t *right, const struct scene_lesson *lesson,
                        const struct store_step *known, size_t known_count)
{
    struct strbuf open = {0};
    row->steps = lesson->step_count;
    for (size_t i = 0; i < lesson->step_count; i++) {
        const struct store_step *step = find_step(known, known_count, lesson->steps[i].id);
        bool question = lesson->steps[i].kind != STEP_TELL;
        row->questions += question;
        row->seen += step && step->seen;
        row->settled += question && step && step->settled;
        *right += question && step && step->right;
        if (!step || !(question ? step->settled : step->seen))
            strbuf_addf(&open, "%s%zu", open.length ? ", " : "", i + 1);
    }
    char *copy = open.length ? arena_text(rows->arena, strbuf_string(&open)) : NULL;
    row->open = copy ? copy : "";
    strbuf_free(&open);
    row->done = row->steps > 0 && row->seen == row->steps && row->settled == row->questions;
}

static void find_last_said(struct rows *rows, struct course_row *row, const struct store_step *known, size_t count)
{
    int64_t last = -1;
    for (size_t i = 0; i < count; i++) {
        if (known[i].last_said[0] && known[i].last_time > last) {
            char *copy = arena_text(rows->arena, known[i].last_said);
            row->last_said = copy ? copy : "";
            last = known[i].last_time;
        }
    }
}

/* "after 3": the lessons of this course that come first and are not done. */
static void find_needs(struct rows *rows, struct course_row *row, const struct course *course, const struct scene_lesson *lesson)
{
    struct strbuf words = {0};
    for (size_t i = 0; i < lesson->needs.count; i++) {
        long at = course_find(course, lesson->needs.item[i]);
        if (at >= 0 && !rows->row[at].done)
            strbuf_addf(&words, "%s%ld", words.length ? ", " : _("after "), at + 1);
    }
    char *copy = words.length ? arena_text(rows->arena, strbuf_string(&words)) : NULL;
    row->needs = copy ? copy : "";
    strbuf_free(&words);
}

int rows_make(struct rows *out, const struct course *course, struct store *store, struct error *err)
{
    *out = (struct rows){.arena = arena_new(), .count = course->lesson_count};
    out->row = out->arena ? arena_zero(out->arena, out->count + 1, sizeof *out->row) : NULL;
    out->right = out->arena ? arena_zero(out->arena, out->count + 1, sizeof *out->right) : NULL;
    if (!out->row || !out->right) {
        rows_free(out);
        return error_set(err, "out of memory");
    }
    if (review_make(&out->review, course, store, review_clock(), err) != 0) {
        rows_free(out);
        return -1;
    }
    for (size_t i = 0; i < out->count; i++) {
        const struct scene_lesson *lesson = course_outline(course, i);
        const struct course_lesson *file = &course->lessons[i];
        struct store_step *known = NULL;
        size_t count = 0;
        if (store && store_steps(store, course_key(course), file->id, &known, &count) != 0)
            count = 0;
        out->row[i] = (struct course_row){
            .number = course->folder ? (int)i + 1 : 0,
            .title = lesson ? lesson->title : file->id,
            .about = lesson ? lesson->about : "",
            .minutes = lesson ? lesson->minutes : 0,
            .needs = "",
            .last_said = "",
            .error = file->error,
        };
        if (lesson)
            count_steps(out, &out->row[i], &out->right[i], lesson, known, count);
        find_last_said(out, &out->row[i], known, count);
        store_steps_free(known, count);
    }
    for (size_t i = 0; i < out->review.count; i++)
        out->row[out->review.items[i].lesson].due++;
    for (size_t i = 0; i < out->count; i++)
        if (course_outline(course, i))
            find_needs(out, &out->row[i], course, course_outline(course, i));
    return 0;
}

void rows_free(struct rows *rows)
{
    arena_free(rows->arena);
    review_free(&rows->review);
    *rows = (struct rows){0};
}

size_t rows_last(const struct rows *rows, const struct course *course, struct store *store)
{
    char *last = store ? store_last_lesson(store, course_key(course)) : NULL;
    long at = last ? course_find(course, last) : -1;
    free(last);
    if (at < 0)
        return 0;
    size_t row = (size_t)at;
    return rows->row[row].done && row + 1 < rows->count ? row + 1 : row;
}
