#include "app/notes.h"

#include <stdlib.h>
#include <string.h>

#include "app/lesson_text.h"
#include "app/notes_file.h"
#include "app/notes_page.h"
#include "base/path.h"
#include "base/language.h"

enum asked { ASKED_NOTHING, ASKED_OUTLINE, ASKED_END /* of the lesson */, ASKED_ANSWER };

/* The lesson that is being written. */
struct lesson {
    struct lesson_text text;
    struct store_given *given; /* all answers … */
    const struct store_given **order; /* … as the lesson has their questions */
    size_t count, at;
    uint64_t seed; /* where the learner stands */
    bool open, headed;
    bool finished;     /* its end has been shown to the learner */
    bool readable;     /* `text` is there, and the worker may be asked */
    size_t questions;  /* begun to be written */
};

struct notes {
    struct tutor *tutor;
    struct strbuf text;
    size_t course, answers;
    int64_t now;
    bool course_open, titled, sealed;
    struct rows rows;
    struct error may_run; /* why this course's lessons cannot be asked for, or "" */
    long wanted;
    size_t next_lesson;
    struct lesson lesson;
    enum asked asked;
    struct lesson_text asked_text;
    struct scene *final; /* a question's that is settled, while its answers are being written */
};

struct notes *notes_new(struct tutor *tutor)
{
    struct notes *notes = calloc(1, sizeof *notes);
    if (notes) {
        notes->tutor = tutor;
        notes->now = review_clock();
    }
    return notes;
}

static struct course *course_of(const struct notes *n)
{
    return n->tutor->courses[n->course];
}

static const struct scene_lesson *outline_of(const struct notes *n)
{
    return course_outline(course_of(n), n->next_lesson - 1);
}

static const struct course_lesson *file_of(const struct notes *n)
{
    return &course_of(n)->lessons[n->next_lesson - 1];
}

static void close_lesson(struct notes *n)
{
    struct lesson *lesson = &n->lesson;
    if (lesson->readable)
        lesson_text_free(&lesson->text);
    store_given_free(lesson->given, lesson->count);
    free(lesson->order);
    *lesson = (struct lesson){0};
    scene_free(n->final);
    n->final = NULL;
}

static void close_course(struct notes *n)
{
    rows_free(&n->rows);
    n->course_open = n->titled = false;
    n->course++;
}

void notes_free(struct notes *n)
{
    if (!n)
        return;
    close_lesson(n);
    rows_free(&n->rows);
    lesson_text_free(&n->asked_text);
    strbuf_free(&n->text);
    free(n);
}

/* ---- a lesson begins ---- */

static enum step_kind kind_of(const struct scene_lesson *outline, const char *step, const char **title)
{
    *title = "";
    for (size_t i = 0; outline && i < outline->step_count; i++) {
        if (strcmp(outline->steps[i].id, step) == 0) {
            *title = strcmp(outline->steps[i].title, step) != 0 ? outline->steps[i].title : "";
            return outline->steps[i].kind;
        }
    }
    return STEP_TELL;
}

static size_t put_step(struct lesson *lesson, bool *done, size_t put, const char *step)
{
    for (size_t i = 0; i < lesson->count; i++) {
        if (!done[i] && strcmp(lesson->given[i].step, step) == 0) {
            lesson->order[put++] = &lesson->given[i];
            done[i] = true;
        }
    }
    return put;
}

/* The answers as the lesson has their questions; then those to questions that it does not have, as they were first answered. */
static int put_in_order(struct lesson *lesson, const struct scene_lesson *outline)
{
    size_t put = 0;
    bool *done = calloc(lesson->count + 1, sizeof *done);
    lesson->order = calloc(lesson->count + 1, sizeof *lesson->order);
    if (!done || !lesson->order) {
        free(done);
        return -1;
    }
    for (size_t i = 0; outline && i < outline->step_count; i++)
        put = put_step(lesson, done, put, outline->steps[i].id);
    for (size_t i = 0; i < lesson->count; i++)
        if (!done[i])
            put = put_step(lesson, done, put, lesson->given[i].step);
    free(done);
    return 0;
}

static void read_text(struct notes *n)
{
    struct error ignored;
    struct lesson *lesson = &n->lesson;
    const struct course_lesson *file = file_of(n);
    const struct scene_lesson *outline = outline_of(n);
    if (!outline || n->may_run.text[0] || lesson_text_read(&lesson->text, file->path, &ignored) != 0)
        return;
    lesson->readable = lesson_text_translate(&lesson->text, file->path, file->label, course_language(course_of(n)), &ignored) == 0 &&
                       lesson_text_open(&lesson->text, file->path, file->label, &outline->files, &ignored) == 0;
    if (!lesson->readable)
        lesson_text_free(&lesson->text);
}

/* The next lesson that was begun; false: there is none left in this course. */
static bool open_lesson(struct notes *n)
{
    struct lesson *lesson = &n->lesson;
    const struct course *course = course_of(n);
    struct store *store = n->tutor->store;
    struct store_place place;
    while (n->next_lesson < course->lesson_count) {
        const struct course_row *row = &n->rows.row[n->next_lesson];
        const char *id = course->lessons[n->next_lesson++].id;
        if (store_given(store, course_key(course), id, &lesson->given, &lesson->count) != 0)
            lesson->count = 0;
        if (lesson->count == 0 && row->seen == 0)
            continue;
        if (put_in_order(lesson, outline_of(n)) != 0) {
            n->text.failed = true;
            return false;
        }
        if (store_lesson_place(store, course_key(course), id, &place) == 0) {
            lesson->seed = place.seed;
            lesson->finished = row->done || place.page == PAGE_END;
            store_place_free(&place);
        }
        read_text(n);
        return lesson->open = true;
    }
    return false;
}

/* ---- its answers ---- */

static const struct store_given *given_at(const struct lesson *lesson, size_t at)
{
    return at < lesson->count ? lesson->order[at] : NULL;
}

static bool same_step(const struct store_given *a, const struct store_given *b)
{
    return a && b && strcmp(a->step, b->step) == 0;
}

static bool same_numbers(const struct store_given *a, const struct store_given *b)
{
    return same_step(a, b) && a->seed == b->seed && a->attempt == b->attempt;
}

static const struct store_given *before(const struct lesson *lesson)
{
    return lesson->at > 0 ? given_at(lesson, lesson->at - 1) : NULL;
}

/* Was the question, with these numbers, settled by the answer at hand or one before it? */
static bool settled(const struct lesson *lesson, const struct scene_question *question)
{
    const struct store_given *given = given_at(lesson, lesson->at);
    if (question && question->predict != PREDICT_NO)
        return true;
    for (size_t i = lesson->at + 1; i-- > 0 && same_numbers(lesson->order[i], given);)
        if (lesson->order[i]->verdict != STORE_WRONG)
            return true;
    return false;
}

static bool is_last_program(const struct lesson *lesson)
{
    const struct store_given *given = given_at(lesson, lesson->at), *next = given_at(lesson, lesson->at + 1);
    return !same_numbers(given, next) || next->verdict == STORE_GIVEN_UP;
}

static void add_heading(struct notes *n, const char *title)
{
    struct strbuf number = {0};
    n->lesson.questions++;
    strbuf_addf(&number, _("Question %zu"), n->lesson.questions);
    notes_add_heading(&n->text, *title ? title : strbuf_string(&number));
    strbuf_free(&number);
}

/* Writes the answer at hand; scene NULL, or without the question: as much of it as the store knows. */
static void add_answer(struct notes *n, struct scene *scene, const char *trouble)
{
    struct lesson *lesson = &n->lesson;
    const struct store_given *given = given_at(lesson, lesson->at), *next = given_at(lesson, lesson->at + 1);
    const struct scene_step *step = scene && scene->step && scene->step->question ? scene->step : NULL;
    const struct scene_question *question = step ? step->question : NULL;
    const char *title;
    enum step_kind kind = kind_of(outline_of(n), given->step, &title);
    if (!same_step(before(lesson), given))
        add_heading(n, step && strcmp(step->title, step->id) != 0 ? step->title : title);
    if (!same_numbers(before(lesson), given))
        notes_add_question(&n->text, given, same_step(before(lesson), given), step, trouble);
    bool program = kind == STEP_CODE && is_last_program(lesson);
    notes_add_answer(&n->text, given, kind, question, !same_numbers(before(lesson), given), program);
    if (question && question->final && settled(lesson, question)) {
        scene_free(n->final);
        n->final = scene;
        scene = NULL;
    }
    if (n->final && !same_numbers(given, next)) {
        notes_add_end(&n->text, n->final->step->question, given->verdict == STORE_RIGHT);
        scene_free(n->final);
        n->final = NULL;
    }
    scene_free(scene);
    lesson->at++;
    n->answers++;
}

static const char *no_words(const struct notes *n)
{
    const char *title;
    const struct scene_lesson *outline = outline_of(n);
    if (outline && kind_of(outline, given_at(&n->lesson, n->lesson.at)->step, &title) == STEP_TELL)
        return _("The lesson no longer has this question.");
    return _("The words of this question cannot be had now.");
}

/* Does the worker know more of it than the store? A program is not run once more for words that are kept. */
static bool is_to_be_asked(const struct notes *n)
{
    const struct lesson *lesson = &n->lesson;
    const struct store_given *given = given_at(lesson, lesson->at);
    const char *title;
    enum step_kind kind = kind_of(outline_of(n), given->step, &title);
    bool known = kind == STEP_CODE && *given->said && same_numbers(before(lesson), given);
    return lesson->readable && kind != STEP_TELL && !known;
}

static void request_answer(struct notes *n, struct request *request)
{
    const struct lesson *lesson = &n->lesson;
    const struct store_given *given = given_at(lesson, lesson->at);
    bool given_up = given->verdict == STORE_GIVEN_UP;
    *request = (struct request){
        .kind = REQUEST_FRAME,
        .step = given->step,
        .seed = given->seed,
        .attempt = given->attempt,
        .answer = given_up ? NULL : given->answer,
        .give_up = given_up,
        .sure = given->sure,
        .no_view = true,
    };
}

/* ---- one after the other ---- */

static void begin_lesson(struct notes *n, const struct scene_lesson *end)
{
    const struct course_lesson *file = file_of(n);
    const char *trouble = file->error ? file->error : n->may_run.text;
    if (!n->titled)
        notes_add_course(&n->text, course_of(n), &n->rows, n->now);
    n->titled = true;
    n->lesson.headed = true;
    notes_add_lesson(&n->text, &n->rows.row[n->next_lesson - 1], trouble);
    if (end)
        notes_add_remember(&n->text, end);
}

/* What is to be known of the lesson; false: it is written. */
static bool next_of_lesson(struct notes *n, struct request *request)
{
    struct lesson *lesson = &n->lesson;
    if (!lesson->headed && lesson->finished && lesson->readable) {
        n->asked = ASKED_END;
        *request = (struct request){.kind = REQUEST_LESSON, .seed = lesson->seed};
    } else {
        if (!lesson->headed)
            begin_lesson(n, lesson->finished ? outline_of(n) : NULL);
        while (lesson->at < lesson->count && !is_to_be_asked(n))
            add_answer(n, NULL, no_words(n));
        if (lesson->at == lesson->count)
            return false;
        n->asked = ASKED_ANSWER;
        request_answer(n, request);
    }
    request->course = course_id(course_of(n));
    request->file = file_of(n)->label;
    lesson_text_to_request(&lesson->text, request);
    return true;
}

static bool next_of_course(struct notes *n, struct request *request)
{
    struct course *course = course_of(n);
    long wanted;
    while (!n->may_run.text[0] && course_wants(course, &wanted)) {
        if (wanted == n->wanted && !course_halfway(course, wanted)) {
            error_set(&n->may_run, _("out of memory"));
            break;
        }
        n->wanted = wanted;
        if (course_request(course, wanted, &n->asked_text, request) != 0)
            continue;
        n->asked = ASKED_OUTLINE;
        return true;
    }
    if (!n->rows.arena && rows_make(&n->rows, course, n->tutor->store, NULL) != 0) {
        n->text.failed = true;
        return false;
    }
    while (n->lesson.open || open_lesson(n)) {
        if (next_of_lesson(n, request))
            return true;
        close_lesson(n);
    }
    return false;
}

bool notes_next(struct notes *n, struct request *request)
{
    lesson_text_free(&n->asked_text);
    n->asked = ASKED_NOTHING;
    while (n->course < n->tutor->course_count) {
        if (!n->course_open) {
            n->course_open = true;
            n->next_lesson = 0;
            n->wanted = -2;
            n->may_run = (struct error){0};
            tutor_may_run(n->tutor, course_of(n), &n->may_run);
        }
        if (next_of_course(n, request))
            return true;
        close_course(n);
    }
    return false;
}

void notes_take(struct notes *n, struct scene *scene)
{
    switch (n->asked) {
    case ASKED_OUTLINE: course_take(course_of(n), n->wanted, scene, n->tutor->store); break;
    case ASKED_END:
        begin_lesson(n, scene->lesson && !scene->error ? scene->lesson : outline_of(n));
        scene_free(scene);
        break;
    case ASKED_ANSWER: {
        bool whole = !scene->error && scene->step;
        if (whole)
            add_answer(n, scene, no_words(n));
        else
            add_answer(n, NULL, scene->error ? scene->error : no_words(n));
        if (!whole)
            scene_free(scene);
        break;
    }
    case ASKED_NOTHING: scene_free(scene); break;
    }
    n->asked = ASKED_NOTHING;
}

void notes_fail(struct notes *n, const char *words)
{
    if (n->asked == ASKED_OUTLINE)
        course_fail(course_of(n), n->wanted, words);
    else if (n->asked == ASKED_ANSWER)
        add_answer(n, NULL, words);
    if (n->asked != ASKED_OUTLINE && n->lesson.readable) { /* it is not troubled again */
        lesson_text_free(&n->lesson.text);
        n->lesson.readable = false;
    }
    n->asked = ASKED_NOTHING;
}

struct notes *notes_make(struct tutor *tutor, struct error *err)
{
    struct notes *notes = notes_new(tutor);
    struct request request;
    if (!notes)
        error_set(err, "out of memory");
    while (notes && notes_next(notes, &request)) {
        struct scene *scene = NULL;
        struct error words = {0};
        if (tutor_ask(tutor, &request, &scene, &words) == 0)
            notes_take(notes, scene);
        else
            notes_fail(notes, words.text);
    }
    return notes;
}

bool notes_any(const struct notes *n)
{
    return n->text.length > 0;
}

int notes_text(struct notes *n, const struct strbuf **text, struct error *err)
{
    if (!n->sealed && !n->text.failed) {
        strbuf_add(&n->text, "\n");
        notes_seal(&n->text, n->answers);
        n->sealed = true;
    }
    *text = &n->text;
    return n->text.failed ? error_set(err, "out of memory") : 0;
}

/* The place as the learner knows it. */
static void shorten(struct error *err, const char *path)
{
    struct strbuf words = {0};
    char *shown = path_with_tilde(path), *at = strstr(err->text, path);
    if (shown && at) {
        strbuf_addn(&words, err->text, (size_t)(at - err->text));
        strbuf_addf(&words, "%s%s", shown, at + strlen(path));
        error_set(err, "%s", strbuf_string(&words));
    }
    strbuf_free(&words);
    free(shown);
}

int notes_keep(struct notes *n, struct strbuf *said, struct error *err)
{
    const struct strbuf *text;
    char *aside = NULL;
    if (!notes_any(n)) {
        strbuf_add(said, _("There is nothing to write down yet: no lesson was begun."));
        return 0;
    }
    char *path = notes_text(n, &text, err) == 0 ? notes_place(err) : NULL;
    int status = path ? notes_save(path, text, &aside, err) : -1;
    if (path && status != 0)
        shorten(err, path);
    char *shown = status == 0 ? path_with_tilde(path) : NULL;
    if (shown && aside)
        strbuf_addf(said, _("Your notes: %s; what was there: %s"), shown, path_name(aside));
    else if (shown)
        strbuf_addf(said, _("Your notes: %s"), shown);
    free(shown);
    free(aside);
    free(path);
    return status;
}
