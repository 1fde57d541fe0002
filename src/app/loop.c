/* The loop: waits for keys, the worker and the clock, and redraws when something has changed. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include "app/mode.h"
#include "app/signals.h"
#include "base/clock.h"
#include "base/language.h"

void app_notice(struct app *app, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(app->notice, sizeof app->notice, format, args);
    va_end(args);
    app->dirty = true;
}

const char *app_words(const struct app *app)
{
    return app->notice[0] ? app->notice : reload_trouble(app->reload);
}

uint64_t app_send(struct app *app, const struct request *request)
{
    struct error err = {0};
    if (tutor_cage(app->tutor, &err) != 0) {
        app_notice(app, "%s", err.text);
        return 0;
    }
    app->hold_until = app->now + HOLD_MS;
    app->dirty = true;
    return cage_send(app->tutor->cage, request);
}

void app_drop(struct app *app)
{
    if (app->tutor->cage && cage_busy(app->tutor->cage))
        cage_cancel(app->tutor->cage);
}

static bool busy(const struct app *app)
{
    return app->tutor->cage && cage_busy(app->tutor->cage);
}

/* ---- drawing ---- */

static int fit_grid(struct app *app)
{
    int columns, rows;
    tty_size(app->tty, &columns, &rows);
    if (app->grid && app->grid->columns == columns && app->grid->rows == rows)
        return 0;
    struct grid *grid = grid_new(columns, rows, !tty_unicode());
    if (!grid)
        return -1;
    grid_free(app->grid);
    app->grid = grid;
    return 0;
}

static void draw(struct app *app)
{
    app->dirty = false;
    if (fit_grid(app) != 0 && !app->grid)
        return;
    grid_clear(app->grid);
    app->mode->draw(app);
    tty_show(app->tty, app->grid);
    app->shown = true;
}

static bool holding(const struct app *app)
{
    return busy(app) && app->now < app->hold_until;
}

/* ---- what comes in ---- */

static void give_up_computation(struct app *app)
{
    cage_cancel(app->tutor->cage);
    app->mode->failed(app, _("Given up: this took too long for you. Everything stands as it was."));
}

static void take_key(struct app *app, struct key key)
{
    switch (key.code) {
    case KEY_GONE_:
        app->quit = true;
        app->status = 1;
        return;
    case KEY_RESIZE_:
        app->dirty = true;
        return;
    case KEY_CTRL_:
        if (key.rune == 'c') {
            app->quit = true;
            return;
        }
        if (key.rune == 'z') {
            lesson_save_work(app);
            tty_suspend(app->tty);
            app->dirty = true;
            return;
        }
        break;
    default: break;
    }
    if (app->drawn.too_small)
        return;
    app->notice[0] = '\0';
    app->dirty = true;
    bool helping = app->mode == &lesson_mode && app->lesson.desk.help; /* which lies above the computation */
    if (key.code == KEY_ESC_ && app->working && app->mode->shows_work && !helping)
        give_up_computation(app);
    else
        app->mode->key(app, key);
}

static void take_keys(struct app *app)
{
    while (!app->quit) {
        struct key key = tty_read(app->tty);
        if (key.code == KEY_NONE_)
            return;
        take_key(app, key);
    }
}

static void take_replies(struct app *app)
{
    while (app->tutor->cage && !app->quit) {
        struct scene *scene = NULL;
        struct error err = {0};
        switch (cage_step(app->tutor->cage, &scene, &err)) {
        case CAGE_NOTHING: return;
        case CAGE_SCENE:
            app->dirty = true;
            app->mode->scene(app, scene);
            if (err.text[0])
                app_notice(app, "%s", err.text);
            break;
        case CAGE_REPLACED: app_notice(app, "%s", err.text); break;
        case CAGE_FAILED: app->mode->failed(app, err.text); break;
        }
    }
}

static void look_at_files(struct app *app)
{
    struct session *session = app->mode == &lesson_mode ? &app->lesson.session : NULL;
    const char *step = session ? session->step : "";
    if (reload_due(app->reload) > app->now)
        return;
    enum reload_news news = reload_look(app->reload, app->tutor, session, app->now);
    if (news == RELOAD_NOTHING)
        return;
    app->now = clock_ms();
    app->dirty = true;
    app->notice[0] = '\0';
    if (news == RELOAD_DONE) {
        app_notice(app, "Saved, and loaded again.");
        list_reloaded(app);
    }
    if (session)
        lesson_reloaded(app, step);
}

static void take_time(struct app *app)
{
    if (!busy(app)) {
        app->dirty |= app->working;
        app->working = false;
        app->busy_since = 0;
    } else if (app->busy_since == 0) {
        app->busy_since = app->now;
    } else if (app->now - app->busy_since >= WORKING_MS && (!app->working || app->now - app->spun >= SPIN_MS)) {
        app->working = app->dirty = true;
        app->spinner++;
        app->spun = app->now;
    }
    look_at_files(app);
    if (app->mode->due(app) <= app->now)
        app->mode->tick(app);
    if (!app->notice[0] && app->tutor->store) {
        const char *trouble = store_trouble(app->tutor->store);
        if (trouble)
            app_notice(app, "%s", trouble);
    }
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t next_due(const struct app *app)
{
    int64_t due = sooner(app->mode->due(app), reload_due(app->reload));
    if (app->dirty)
        due = sooner(due, app->hold_until);
    int timeout = app->tutor->cage ? cage_timeout_ms(app->tutor->cage) : -1;
    if (timeout >= 0)
        due = sooner(due, app->now + timeout);
    if (busy(app))
        due = sooner(due, app->working ? app->spun + SPIN_MS : app->busy_since + WORKING_MS);
    return due;
}

static void wait_for_something(struct app *app, const sigset_t *waiting)
{
    struct pollfd fds[] = {{.fd = tty_fd(app->tty), .events = POLLIN},
                           {.fd = -1},
                           {.fd = work_fd(app->lesson.work), .events = POLLIN},
                           {.fd = reload_fd(app->reload), .events = POLLIN}};
    if (app->tutor->cage) {
        fds[1].fd = cage_fd(app->tutor->cage);
        fds[1].events = POLLIN;
        if (cage_wants_write(app->tutor->cage))
            fds[1].events |= POLLOUT;
    }
    int64_t due = next_due(app), left = due > app->now ? due - app->now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(left / 1000), .tv_nsec = (long)(left % 1000) * 1000000};
    if (ppoll(fds, sizeof fds / sizeof fds[0], due == NEVER ? NULL : &timeout, waiting) < 0 && errno == EINTR) {
        tty_redraw(app->tty); /* resized, perhaps there and back: what stood there is gone */
        app->dirty = true;
    }
    app->now = clock_ms();
    work_take(app->lesson.work, app->now);
    reload_take(app->reload, app->now);
}

static void run(struct app *app, const sigset_t *waiting)
{
    struct error err = {0};
    bool first = true;
    app->now = clock_ms();
    app->dirty = true;
    while (!app->quit) {
        take_time(app);
        if (app->dirty && !holding(app))
            draw(app);
        /* The worker starts while the learner looks at the first screen. */
        if (first && tutor_cage(app->tutor, &err) != 0)
            app_notice(app, "%s", err.text);
        first = false;
        wait_for_something(app, waiting);
        int end = signals_end();
        if (end) {
            app->quit = true;
            app->status = 128 + end;
            return;
        }
        take_keys(app);
        take_replies(app);
    }
}

static bool begin(struct app *app, const struct app_start *start)
{
    struct error err = {0};
    if (start->watch && reload_open(&app->reload, start->course, app->now, &err) != 0) {
        app_notice(app, "%s", err.text);
        return false;
    }
    list_enter(app, start->course);
    if (!start->in_lesson)
        return true;
    if (!lesson_enter(app, start->course, start->lesson))
        return false;
    if (start->seeded)
        session_set_seed(&app->lesson.session, start->seed);
    if (start->step)
        session_goto(&app->lesson.session, start->step);
    if (start->seeded || start->step)
        lesson_refresh(app);
    return true;
}

int app_run(struct tutor *tutor, const struct app_start *start, int *status, struct error *err)
{
    struct app app = {.tutor = tutor, .mode = &list_mode, .now = clock_ms()};
    sigset_t waiting;
    signals_take(&waiting);
    int result = tty_open(&app.tty, err);
    if (result == 0) {
        if (begin(&app, start))
            run(&app, &waiting);
        else
            result = error_set(err, "%s", app.notice);
    }
    tty_close(app.tty);
    lesson_close(&app);
    reload_close(app.reload);
    review_free(&app.review);
    list_leave(&app);
    grid_free(app.grid);
    signals_return();
    *status = app.status;
    return result;
}
