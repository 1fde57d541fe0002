/* The learner's program on the screen: saved, probed, opened in an editor, begun anew. */
#include <stdlib.h>

#include "app/editor.h"
#include "app/mode.h"
#include "base/clock.h"

static void take_news(struct app *app, enum work_news news, const struct error *err)
{
    if (news == WORK_SAY || (news == WORK_SEND && err->text[0]))
        app_notice(app, "%s", err->text);
    if (news == WORK_SEND)
        lesson_send(app);
}

void lesson_open_work(struct app *app)
{
    struct error err = {0};
    char *root = tutor_work(app->tutor);
    take_news(app, work_open(&app->lesson.work, root, &app->lesson.session, app->now, &err), &err);
    free(root);
}

void lesson_look_at_work(struct app *app)
{
    struct error err = {0};
    enum work_news news = work_look(app->lesson.work, &app->lesson.session, app->now, &err);
    if (news == WORK_SEND)
        app->notice[0] = '\0'; /* what it said of the text before */
    take_news(app, news, &err);
}

void lesson_probe_work(struct app *app)
{
    struct error err = {0};
    take_news(app, work_probe(app->lesson.work, &app->lesson.session, false, &err), &err);
}

void lesson_start_over(struct app *app)
{
    struct error err = {0};
    take_news(app, work_start_over(app->lesson.work, &app->lesson.session, &err), &err);
}

void lesson_edit_work(struct app *app)
{
    struct error err = {0};
    const char *path = work_path(app->lesson.work);
    if (!path) {
        lesson_probe_work(app); /* which says why there is none */
        return;
    }
    tty_leave(app->tty);
    int status = editor_run(path, &err);
    tty_return(app->tty);
    app->now = clock_ms();
    app->dirty = true;
    if (status != 0)
        app_notice(app, "%s. Any editor will do for %s: the probes run when it is saved.", err.text, work_shown(app->lesson.work));
}
