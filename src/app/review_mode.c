/* A round of review on the screen: each question that is due is a lesson's step, alone. */
#include "app/mode.h"
#include "base/language.h"

static bool open_item(struct app *app, size_t at)
{
    struct review_item *item = &app->review.items[at];
    struct session session;
    struct error err = {0};
    if (tutor_may_run(app->tutor, app->list.course, &err) != 0 ||
        session_open_review(&session, app->list.course, item->lesson, item->step, !item->opened, app->tutor->store, &err) != 0) {
        app_notice(app, "%s", err.text);
        return false;
    }
    item->opened = true;
    app->review.at = at;
    lesson_show(app, &session);
    return true;
}

static void say(struct app *app, const char *before)
{
    struct strbuf words = {0};
    review_say(&app->list.rows.review, &words);
    app_notice(app, "%s%s", before, strbuf_string(&words));
    strbuf_free(&words);
}

void review_enter(struct app *app)
{
    struct error err = {0};
    long what;
    app->list.reviewing = !app->list.refused && course_wants(app->list.course, &what);
    if (app->list.reviewing)
        return;
    review_free(&app->review);
    list_refresh(app);
    if (review_make(&app->review, app->list.course, app->tutor->store, review_clock(), &err) != 0)
        app_notice(app, "%s", err.text);
    else if (app->review.count == 0)
        say(app, "");
    else
        open_item(app, 0);
}

void review_go(struct app *app, int by)
{
    if (by < 0 && app->review.at == 0) {
        app_notice(app, "This is the first question of this review. Esc leaves it for the course list.");
    } else if (by > 0 && app->review.at + 1 >= app->review.count) {
        lesson_leave(app);
        say(app, _("That was the last one. "));
    } else {
        open_item(app, by < 0 ? app->review.at - 1 : app->review.at + 1);
    }
}
