/* A lesson on the screen: requests go out when something changes, scenes come in, and the clock moves what moves by itself. */
#include <string.h>

#include "app/mode.h"

void lesson_send(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    struct request request;
    session_request(&lesson->session, &request);
    request.typed = desk_typed(&lesson->desk, &lesson->session);
    request.scratch = scratchpad_wanted(&lesson->scratch);
    uint64_t number = app_send(app, &request);
    if (number != 0)
        session_sent(&lesson->session, number);
    else
        session_failed(&lesson->session);
}

void lesson_refresh(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    lesson_save_work(app);
    editor_pane_close(&lesson->pane);
    scratchpad_leave(&lesson->scratch);
    desk_clear(&lesson->desk);
    work_close(&lesson->work);
    lesson->offered = OFFERED_NOTHING;
    lesson->settling = lesson->reloaded = false;
    lesson->marks_until = lesson->travel_at = lesson->play_at = 0;
    app->dirty = true;
    if (app->working)
        app_drop(app);
    if (lesson->session.page == PAGE_STEP || !session_lesson(&lesson->session))
        lesson_send(app);
}

void lesson_reloaded(struct app *app, const char *step)
{
    struct lesson *lesson = &app->lesson;
    if (strcmp(step, lesson->session.step) != 0 || lesson->session.page != PAGE_STEP) {
        lesson_refresh(app);
        return;
    }
    lesson_save_work(app);
    work_close(&lesson->work); /* what the learner begins with may be another program */
    lesson->reloaded = true;
    lesson_send(app);
}

void lesson_close(struct app *app)
{
    lesson_save_work(app);
    editor_pane_close(&app->lesson.pane);
    scratchpad_free(&app->lesson.scratch);
    work_close(&app->lesson.work);
    if (app->lesson.open)
        session_close(&app->lesson.session);
    app->lesson.open = false;
}

void lesson_show(struct app *app, const struct session *session)
{
    app_drop(app);
    app->list.asking = false;
    lesson_close(app);
    app->lesson.session = *session;
    app->lesson.open = true;
    app->lesson.hasty = false;
    app->mode = &lesson_mode;
    lesson_refresh(app);
}

bool lesson_enter(struct app *app, struct course *course, size_t at)
{
    struct session session;
    struct error err = {0};
    if (tutor_may_run(app->tutor, course, &err) != 0 ||
        session_open(&session, course, at, app->tutor->store, &err) != 0) {
        app_notice(app, "%s", err.text);
        return false;
    }
    lesson_show(app, &session);
    return true;
}

void lesson_leave(struct app *app)
{
    struct course *course = app->list.course;
    if (!course->folder) {
        app->quit = true;
        return;
    }
    if (!app->lesson.session.review) {
        app->list.selected = app->lesson.session.lesson;
        app->list.placed = true;
    }
    app_drop(app);
    lesson_close(app);
    list_enter(app, course);
}

static const char *next_title(const struct session *session)
{
    size_t next = session->lesson + 1;
    if (next >= session->course->lesson_count)
        return "";
    const struct scene_lesson *outline = course_outline(session->course, next);
    return outline ? outline->title : session->course->lessons[next].id;
}

static void draw(struct app *app)
{
    struct lesson_screen screen;
    desk_screen(&app->lesson.desk, &app->lesson.session, &screen);
    screen.notice = app_words(app);
    screen.working = app->working;
    screen.spinner = app->spinner;
    screen.next_title = next_title(&app->lesson.session);
    if (app->lesson.session.review) {
        screen.review_at = app->review.at + 1;
        screen.review_count = app->review.count;
    }
    if (app->lesson.work)
        screen.code_path = work_shown(app->lesson.work);
    struct editor_pane *pane = &app->lesson.pane;
    struct code_pane code = {.text = pane->buffer.text, .cursor = pane->buffer.cursor, .top = pane->top, .unsaved = pane->trouble};
    if (pane->open && desk_has(&app->lesson.session, FOCUS_CODE))
        screen.pane = &code;
    struct scratch_screen scratch;
    scratchpad_screen(&app->lesson.scratch, desk_has(&app->lesson.session, FOCUS_FIELD), &scratch);
    if (app->lesson.scratch.open)
        screen.scratch = &scratch;
    draw_lesson(app->grid, &screen, &app->drawn);
    if (screen.focus == FOCUS_CODE && !screen.scratch)
        pane->top = app->drawn.pane_top;
}

static bool same_options(const struct scene_question *a, const struct scene_question *b)
{
    bool same = a->option_count == b->option_count && a->several == b->several;
    for (size_t i = 0; i < a->option_count && same; i++)
        same = strcmp(a->options[i].id, b->options[i].id) == 0;
    return same;
}

/* What lies before the learner stays, where there is still a place for it. */
static void take_reloaded(struct lesson *lesson, const struct scene *before)
{
    const struct scene_step *was = before ? before->step : NULL, *now = session_step(&lesson->session);
    bool same = was && now && was->kind == now->kind && (!now->question || same_options(was->question, now->question));
    lesson->reloaded = false;
    if (!same) {
        editor_pane_close(&lesson->pane);
        desk_clear(&lesson->desk);
    }
}

static void scene(struct app *app, struct scene *scene)
{
    struct lesson *lesson = &app->lesson;
    struct scene *before = NULL;
    char words[sizeof app->notice] = "";
    bool was_judging = session_judging(&lesson->session);
    session_files(&lesson->session, scene);
    if (scene->error)
        strncat(words, scene->error, sizeof words - 1);
    if (scene->scratch)
        scratchpad_take(&lesson->scratch, scene->scratch);
    else if (scene->error)
        scratchpad_failed(&lesson->scratch, scene->error);
    enum session_took took = session_take(&lesson->session, scene, &before);
    if (took == SESSION_STALE)
        return;
    if (took == SESSION_AGAIN)
        lesson_send(app);
    bool shown = lesson->session.scene && lesson->session.scene->error;
    if (words[0] && !shown)
        app_notice(app, "%s", words);
    if (before && !lesson->settling && scene_mark_changes(lesson->session.scene, before))
        lesson->marks_until = app->now + MARKS_MS;
    if (lesson->reloaded && took == SESSION_SHOW)
        take_reloaded(lesson, before);
    scene_free(before);
    lesson->settling = took == SESSION_AGAIN;
    desk_settle(&lesson->desk, &lesson->session);
    if (was_judging && !session_judging(&lesson->session))
        lesson->desk.scroll = SCROLL_AUTO;
    if (lesson->session.travel_frame > 0)
        lesson->travel_at = app->now + TRAVEL_MS;
    lesson_open_work(app);
    if (lesson->hasty && session_lesson(&lesson->session)) {
        lesson->hasty = false;
        if (lesson->session.page == PAGE_GOAL && session_next(&lesson->session))
            lesson_refresh(app);
    }
}

static void failed(struct app *app, const char *words)
{
    session_failed(&app->lesson.session);
    scratchpad_failed(&app->lesson.scratch, words);
    app->lesson.travel_at = app->lesson.play_at = 0;
    app_notice(app, "%s", words);
}

static int64_t due(const struct app *app)
{
    const struct lesson *lesson = &app->lesson;
    const int64_t times[] = {lesson->marks_until, lesson->travel_at, lesson->play_at, lesson->pane.save_at};
    int64_t soonest = work_due(lesson->work);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (times[i] != 0 && times[i] < soonest)
            soonest = times[i];
    return soonest;
}

static bool passed(struct app *app, int64_t *time)
{
    if (*time == 0 || *time > app->now)
        return false;
    *time = 0;
    app->dirty = true;
    return true;
}

static void tick(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    if (passed(app, &lesson->marks_until) && lesson->session.scene)
        scene_clear_changes(lesson->session.scene);
    if (passed(app, &lesson->travel_at) && session_travel_step(&lesson->session))
        lesson_send(app);
    if (passed(app, &lesson->play_at) && session_stage(&lesson->session, 1)) {
        lesson_send(app);
        if (lesson->session.inputs.stage != 0)
            lesson->play_at = app->now + PLAY_MS;
    }
    if (lesson->pane.save_at != 0 && lesson->pane.save_at <= app->now)
        lesson_save_work(app);
    lesson_look_at_work(app);
}

const struct mode lesson_mode = {true, draw, lesson_key, scene, failed, due, tick};
