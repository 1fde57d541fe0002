#include "app/session.h"

#include <stdlib.h>
#include <string.h>

#include "app/carry.h"
#include "app/turn.h"
#include "base/language.h"

static const char *course_of(const struct session *s)
{
    return course_key(s->course);
}

static const char *lesson_of(const struct session *s)
{
    return s->course->lessons[s->lesson].id;
}

const struct scene_lesson *session_lesson(const struct session *s)
{
    if (s->scene && s->scene->lesson)
        return s->scene->lesson;
    return course_outline(s->course, s->lesson);
}

const struct scene_step *session_step(const struct session *s)
{
    return s->page == PAGE_STEP && s->scene ? s->scene->step : NULL;
}

const struct scene_question *session_question(const struct session *s)
{
    const struct scene_step *step = session_step(s);
    return step ? step->question : NULL;
}

bool session_open_question(const struct session *s)
{
    const struct scene_question *question = session_question(s);
    return question && !question->final;
}

static long step_index(const struct scene_lesson *lesson, const char *step)
{
    if (!lesson)
        return -1;
    for (size_t i = 0; i < lesson->step_count; i++)
        if (strcmp(lesson->steps[i].id, step) == 0)
            return (long)i;
    return -1;
}

/* A program's text comes with every save: what nothing points at any more makes room. */
const char *session_keep_answer(struct session *s, const char *text)
{
    char **place = NULL;
    for (size_t i = 0; i < ANSWERS_KEPT; i++) {
        char *kept = s->answers[i];
        if (kept && strcmp(kept, text) == 0)
            return kept;
        if (!kept || (kept != s->inputs.answer && kept != s->sent.answer && kept != s->good.answer && kept != s->stored))
            place = &s->answers[i];
    }
    char *copy = place ? strdup(text) : NULL;
    if (copy) {
        free(*place);
        *place = copy;
    }
    return copy;
}

/* ---- what the store knows ---- */

static void refresh_settled(struct session *s)
{
    const struct scene_lesson *lesson = session_lesson(s);
    if (!lesson || !s->store)
        return;
    struct store_step *steps = NULL;
    size_t count = 0;
    if (store_steps(s->store, course_of(s), lesson_of(s), &steps, &count) != 0)
        return;
    for (size_t i = 0; i < s->settled_count; i++)
        s->settled[i] = false;
    for (size_t i = 0; i < count; i++) {
        long at = step_index(lesson, steps[i].step);
        if (at >= 0 && (size_t)at < s->settled_count)
            s->settled[at] = lesson->steps[at].kind == STEP_TELL ? steps[i].seen : steps[i].settled;
    }
    store_steps_free(steps, count);
}

/* The flags can be made once it is known how many steps there are. */
static void make_settled(struct session *s)
{
    const struct scene_lesson *lesson = session_lesson(s);
    if (!lesson || s->settled_count == lesson->step_count)
        return;
    bool *flags = calloc(lesson->step_count + 1, sizeof *flags);
    if (!flags)
        return;
    free(s->settled);
    s->settled = flags;
    s->settled_count = lesson->step_count;
    refresh_settled(s);
}

static void recall_answer(struct session *s, const char *answer, enum store_verdict verdict, uint32_t sure)
{
    s->inputs.sure = sure;
    if (verdict == STORE_GIVEN_UP)
        s->inputs.give_up = true;
    else if (verdict != 0)
        s->inputs.answer = session_keep_answer(s, answer);
    s->stored = s->inputs.answer;
    s->stored_verdict = verdict;
}

static void recall_step(struct session *s)
{
    struct store_step *steps = NULL;
    size_t count = 0;
    if (!s->store || store_steps(s->store, course_of(s), lesson_of(s), &steps, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct store_step *at = &steps[i];
        if (strcmp(at->step, s->step) != 0)
            continue;
        s->attempt = at->attempt;
        s->inputs.hints = at->hints;
        recall_answer(s, at->last_answer, at->last_verdict, at->last_sure);
    }
    store_steps_free(steps, count);
}

static void recall_review(struct session *s, bool anew)
{
    struct store_review known = {0};
    if (s->store)
        store_review(s->store, course_of(s), lesson_of(s), s->step, s->seed, &known);
    bool answered = anew && known.last_verdict != 0;
    s->attempt = known.attempt < STORE_REVIEW ? STORE_REVIEW : known.attempt + answered;
    if (s->attempt != known.attempt) {
        if (s->store)
            store_set_review(s->store, course_of(s), lesson_of(s), s->step, s->attempt);
    } else {
        s->inputs.hints = known.hints;
        recall_answer(s, known.last_answer, known.last_verdict, known.last_sure);
    }
    store_review_free(&known);
}

static void store_verdict(struct session *s, const struct scene_question *question)
{
    bool given_up = s->inputs.give_up;
    if (!given_up && question->verdict != VERDICT_RIGHT && question->verdict != VERDICT_WRONG)
        return;
    if (question->final && !s->review) {
        long at = step_index(session_lesson(s), s->step);
        if (at >= 0 && (size_t)at < s->settled_count)
            s->settled[at] = true;
    }
    enum store_verdict verdict = given_up ? STORE_GIVEN_UP : question->verdict == VERDICT_RIGHT ? STORE_RIGHT : STORE_WRONG;
    bool known = question->code && s->stored && s->stored == s->inputs.answer && s->stored_verdict == verdict;
    if (!s->store || known) /* a program that is probed again is no other answer */
        return;
    struct store_answer answer = {
        .course = course_of(s),
        .lesson = lesson_of(s),
        .step = s->step,
        .seed = s->seed,
        .attempt = s->attempt,
        .answer = s->inputs.answer && !given_up ? s->inputs.answer : "",
        .verdict = verdict,
        .mistake = question->mistake,
        .said = question->mistake[0] ? question->say : "", /* what was recognised is worth recalling */
        .sure = question->predict != PREDICT_NO ? s->inputs.sure : 0,
    };
    store_add_answer(s->store, &answer);
    s->stored = s->inputs.answer;
    s->stored_verdict = verdict;
}

/* ---- pages ---- */

/* A step begins anew, as the lesson has it. */
static void clear_step(struct session *s)
{
    s->inputs = (struct inputs){0};
    s->turning = (struct turning){0};
    s->stored = NULL;
    s->attempt = 0;
    s->unjudged = false;
    s->seen_stored = false;
    s->travelled = false;
    s->travel_frame = 0;
    s->turned_away = true;
    scene_free(s->scene);
    s->scene = NULL;
}

/* … with what the store remembers of the learner's answers. */
static void begin_step(struct session *s)
{
    clear_step(s);
    recall_step(s);
    s->good = s->inputs;
}

static void store_place(struct session *s)
{
    if (s->store)
        store_set_place(s->store, course_of(s), lesson_of(s), s->step, (int)s->page);
}

bool session_goto(struct session *s, const char *step)
{
    const struct scene_lesson *lesson = session_lesson(s);
    const char *kept = lesson && step_index(lesson, step) < 0 ? NULL : words_keep(s->words, step);
    if (!kept || s->review)
        return false;
    s->page = PAGE_STEP;
    s->step = kept;
    begin_step(s);
    store_place(s);
    return true;
}

static void goto_page(struct session *s, enum lesson_page page)
{
    s->page = page;
    begin_step(s);
    store_place(s);
}

bool session_next(struct session *s)
{
    const struct scene_lesson *lesson = session_lesson(s);
    if (!lesson || s->page == PAGE_END || s->review)
        return false;
    long at = s->page == PAGE_GOAL ? -1 : step_index(lesson, s->step);
    if (s->page == PAGE_STEP && (size_t)(at + 1) >= lesson->step_count) {
        goto_page(s, PAGE_END);
        return true;
    }
    return lesson->step_count > 0 && session_goto(s, lesson->steps[at + 1].id);
}

bool session_back(struct session *s)
{
    const struct scene_lesson *lesson = session_lesson(s);
    if (!lesson || lesson->step_count == 0 || s->page == PAGE_GOAL || s->review)
        return false;
    if (s->page == PAGE_END)
        return session_goto(s, lesson->steps[lesson->step_count - 1].id);
    long at = step_index(lesson, s->step);
    if (at > 0)
        return session_goto(s, lesson->steps[at - 1].id);
    if (!lesson->goal[0])
        return false;
    goto_page(s, PAGE_GOAL);
    return true;
}

/* The step that was called so before, or -1. */
static long renamed_index(const struct scene_lesson *lesson, const char *step)
{
    for (size_t i = 0; i < lesson->step_count; i++)
        if (*step && strcmp(lesson->steps[i].renamed_from, step) == 0)
            return (long)i;
    return -1;
}

/* A lesson without a goal begins with its first step; a step that is gone gives way to what it is now, or to the first. */
static bool moved_on(struct session *s, const struct scene_lesson *lesson)
{
    if (!lesson || lesson->step_count == 0)
        return false;
    bool no_goal = s->page == PAGE_GOAL && !lesson->goal[0];
    bool gone = s->page == PAGE_STEP && step_index(lesson, s->step) < 0;
    long now = gone ? renamed_index(lesson, s->step) : 0;
    return (no_goal || gone) && session_goto(s, lesson->steps[now > 0 ? now : 0].id);
}

/* The course does this where it knows the outline before the lesson is opened. */
static void carry(struct session *s, const struct scene_lesson *lesson)
{
    if (s->carried || !lesson)
        return;
    s->carried = true;
    if (s->store && !course_outline(s->course, s->lesson))
        carry_over(s->course, s->lesson, lesson, s->store);
}

static int open_lesson(struct session *s, const struct course *course, size_t lesson, struct store *store, struct error *err)
{
    *s = (struct session){.course = course, .lesson = lesson, .store = store, .step = "", .turned_away = true};
    s->words = words_new();
    if (!s->words)
        return error_set(err, _("out of memory"));
    const struct course_lesson *file = &course->lessons[lesson];
    if (lesson_text_read(&s->text, file->path, err) != 0 ||
        lesson_text_translate(&s->text, file->path, file->label, course_language(course), err) != 0) {
        session_close(s);
        return -1;
    }
    const struct scene_lesson *outline = course_outline(course, lesson);
    if (outline)
        lesson_text_open(&s->text, file->path, "", &outline->files, NULL); /* what is amiss, session_files will say */
    struct store_place place;
    if (store && store_lesson_place(store, course_of(s), lesson_of(s), &place) == 0) {
        const char *step = words_keep(s->words, place.step);
        s->seed = place.seed;
        s->step = step ? step : "";
        s->page = place.page == PAGE_STEP || place.page == PAGE_END ? (enum lesson_page)place.page : PAGE_GOAL;
        store_place_free(&place);
    }
    return 0;
}

int session_open(struct session *s, const struct course *course, size_t lesson, struct store *store, struct error *err)
{
    if (open_lesson(s, course, lesson, store, err) != 0)
        return -1;
    make_settled(s);
    if (!moved_on(s, session_lesson(s))) {
        begin_step(s);
        store_place(s);
    }
    return 0;
}

int session_open_review(struct session *s, const struct course *course, size_t lesson, const char *step, bool anew,
                        struct store *store, struct error *err)
{
    if (open_lesson(s, course, lesson, store, err) != 0)
        return -1;
    const char *kept = words_keep(s->words, step);
    if (!kept) {
        session_close(s);
        return error_set(err, _("out of memory"));
    }
    s->review = true;
    s->page = PAGE_STEP;
    s->step = kept;
    make_settled(s);
    clear_step(s);
    recall_review(s, anew);
    s->good = s->inputs;
    return 0;
}

const char *session_step_in(const struct session *s, const struct scene_lesson *outline)
{
    long at = step_index(outline, s->step);
    if (at < 0)
        at = renamed_index(outline, s->step);
    if (at < 0)
        at = step_index(session_lesson(s), s->step);
    if (at < 0 || outline->step_count == 0)
        return s->step;
    return outline->steps[(size_t)at < outline->step_count ? (size_t)at : outline->step_count - 1].id;
}

void session_reload(struct session *s, size_t lesson, struct lesson_text *text)
{
    const struct scene_lesson *outline = course_outline(s->course, lesson);
    const char *step = words_keep(s->words, session_step_in(s, outline));
    lesson_text_free(&s->text);
    s->text = *text;
    s->lesson = lesson;
    s->turned_away = true;
    free(s->settled); /* the steps may be others */
    s->settled = NULL;
    s->settled_count = 0;
    if (s->page != PAGE_STEP) {
        scene_free(s->scene);
        s->scene = NULL;
        make_settled(s);
        moved_on(s, outline);
    } else if (step && strcmp(step, s->step) != 0) {
        s->step = step;
        begin_step(s);
        store_place(s);
    }
}

void session_close(struct session *s)
{
    scene_free(s->scene);
    free(s->settled);
    for (size_t i = 0; i < ANSWERS_KEPT; i++)
        free(s->answers[i]);
    lesson_text_free(&s->text);
    words_free(s->words);
    *s = (struct session){0};
}

void session_set_seed(struct session *s, uint64_t seed)
{
    if (s->store && seed != s->seed)
        store_set_seed(s->store, course_of(s), lesson_of(s), seed);
    s->seed = seed;
    begin_step(s);
}

/* ---- requests and scenes ---- */

void session_request(const struct session *s, struct request *request)
{
    *request = (struct request){
        .kind = s->page == PAGE_STEP ? REQUEST_FRAME : REQUEST_LESSON,
        .course = course_id(s->course), /* its numbers are anybody's */
        .file = s->course->lessons[s->lesson].label,
        .step = s->step,
        .seed = s->seed,
        .attempt = s->attempt,
    };
    lesson_text_to_request(&s->text, request);
    inputs_to_request(&s->inputs, request);
}

void session_sent(struct session *s, uint64_t number)
{
    s->sent = s->inputs;
    s->sent_number = number;
    if (s->turned_away)
        s->floor = number;
    s->turned_away = false;
    if (s->unjudged && s->answer_number == 0)
        s->answer_number = number;
}

static int settings_put(struct inputs *out, struct words *words, const struct setting *settings, size_t count)
{
    out->setting_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct setting setting = settings[i];
        setting.name = words_keep(words, setting.name);
        setting.word = setting.kind == SETTING_WORD ? words_keep(words, setting.word) : NULL;
        if (!setting.name || inputs_set(out, setting, NULL) != 0)
            return -1;
    }
    return 0;
}

static void put_all(struct inputs *inputs, const struct inputs *settings)
{
    for (size_t i = 0; i < settings->setting_count; i++)
        inputs_set(inputs, settings->settings[i], NULL);
}

/* A prediction is settled: its knobs travel if it was made just now, else they stand at their end already. */
static enum session_took arrive(struct session *s, const struct scene_question *question, bool just_now)
{
    if (s->travelled || !question->final || question->predict != PREDICT_TRAVEL)
        return SESSION_SHOW;
    s->travelled = true;
    if (settings_put(&s->travel_from, s->words, question->travel_from, question->travel_from_count) != 0 ||
        settings_put(&s->travel_to, s->words, question->travel_to, question->travel_to_count) != 0)
        return SESSION_SHOW;
    if (just_now) {
        s->travel_frame = 1;
        return SESSION_SHOW;
    }
    put_all(&s->inputs, &s->travel_to);
    return SESSION_AGAIN;
}

static void show(struct session *s, struct scene *scene, struct scene **before)
{
    struct scene *old = s->scene;
    s->scene = scene;
    bool same = old && old->step && scene->step && strcmp(old->step->id, scene->step->id) == 0 &&
                old->step->attempt == scene->step->attempt;
    if (before && same)
        *before = old;
    else
        scene_free(old);
    make_settled(s);
    if (s->page == PAGE_STEP && scene->step && !s->seen_stored && s->store && !s->review) {
        store_set_seen(s->store, course_of(s), lesson_of(s), s->step);
        refresh_settled(s);
        s->seen_stored = true;
    }
}

static bool stale(const struct session *s, const struct scene *scene)
{
    return scene->number < s->floor || s->turned_away;
}

void session_files(struct session *s, struct scene *scene)
{
    const struct course_lesson *file = &s->course->lessons[s->lesson];
    struct error err = {0};
    if (stale(s, scene) || scene->error || !scene->lesson || lesson_files_are(&s->text.files, &scene->lesson->files))
        return;
    s->files_opened = lesson_text_open(&s->text, file->path, file->label, &scene->lesson->files, &err) == 0;
    if (s->files_opened)
        return;
    scene->error = arena_text(scene->arena, err.text);
    if (!scene->error)
        scene->error = _("out of memory");
}

static void step_back(struct session *s)
{
    s->inputs = s->good;
    s->unjudged = false;
    s->travel_frame = 0;
}

enum session_took session_take(struct session *s, struct scene *scene, struct scene **before)
{
    if (stale(s, scene)) {
        scene_free(scene);
        return SESSION_STALE;
    }
    if (s->files_opened) {
        s->files_opened = false;
        scene_free(scene);
        return SESSION_AGAIN;
    }
    carry(s, scene->lesson);
    if (moved_on(s, scene->lesson)) {
        scene_free(scene);
        return SESSION_AGAIN;
    }
    bool last = scene->number == s->sent_number;
    if (!scene->step && s->page == PAGE_STEP && s->scene) {
        if (last) {
            step_back(s);
            s->turning.failed = s->turning.knob;
        }
        scene_free(scene);
        return SESSION_SHOW;
    }
    enum session_took took = SESSION_SHOW;
    const struct scene_question *question = scene->step ? scene->step->question : NULL;
    bool judged = s->unjudged && s->answer_number != 0 && scene->number >= s->answer_number;
    if (judged && question)
        store_verdict(s, question);
    if (judged)
        s->unjudged = false;
    if (question && (last || judged))
        took = arrive(s, question, judged);
    if (last) {
        s->good = s->sent;
        s->turning = (struct turning){0};
    }
    show(s, scene, before);
    return took;
}

void session_failed(struct session *s)
{
    step_back(s);
    s->turning = (struct turning){0};
}

bool session_judging(const struct session *s)
{
    return s->unjudged;
}

/* ---- travelling knobs ---- */

void session_travel_end(struct session *s)
{
    s->travel_frame = 0;
    put_all(&s->inputs, &s->travel_to);
}

bool session_travel_step(struct session *s)
{
    const struct scene_step *step = session_step(s);
    if (s->travel_frame == 0)
        return false;
    if (!step || s->travel_frame >= TRAVEL_FRAMES) {
        session_travel_end(s);
        return true;
    }
    double part = (double)s->travel_frame++ / TRAVEL_FRAMES;
    for (size_t i = 0; i < s->travel_to.setting_count; i++) {
        const struct setting *to = &s->travel_to.settings[i];
        const struct setting *from = inputs_setting(&s->travel_from, to->name);
        const struct scene_knob *knob = knob_named(step, to->name);
        if (!knob)
            continue;
        double start = from ? knob_setting_value(knob, from) : knob->at;
        knob_put(&s->inputs, s->words, knob, knob_between(knob, start, knob_setting_value(knob, to), part), NULL);
    }
    return true;
}
