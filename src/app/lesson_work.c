/* The learner's program on the screen: saved, probed, opened in an editor, begun anew. */
#include <stdlib.h>
#include <string.h>

#include "app/editor.h"
#include "app/mode.h"
#include "base/clock.h"

static bool unsaved(const struct lesson *lesson)
{
    return lesson->pane.open && lesson->pane.save_at != 0;
}

/* The editor shows what is in the file now; it can be undone. */
static bool take_file(struct lesson *lesson)
{
    const char *text = work_text(lesson->work);
    return lesson->pane.open && text && strlen(text) <= TEXT_BUFFER_MAX && text_buffer_become(&lesson->pane.buffer, text);
}

static void open_pane(struct lesson *lesson)
{
    const struct scene_question *question = session_question(&lesson->session);
    const char *text = work_text(lesson->work);
    if (!lesson->pane.open && lesson->work && question && question->code)
        editor_pane_open(&lesson->pane, text ? text : question->code->start);
}

void lesson_save_work(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    struct error err = {0};
    if (!unsaved(lesson))
        return;
    bool told = lesson->pane.trouble, done = work_save(lesson->work, lesson->pane.buffer.text, &err) == 0;
    editor_pane_saved(&lesson->pane, done, app->now);
    if (err.text[0] && !(told && !done))
        app_notice(app, "%s", err.text);
}

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
    open_pane(&app->lesson);
}

void lesson_look_at_work(struct app *app)
{
    struct error err = {0};
    if (work_due(app->lesson.work) <= app->now)
        lesson_save_work(app); /* or another program's text would take its place */
    enum work_news news = work_look(app->lesson.work, &app->lesson.session, app->now, &err);
    if (news == WORK_SEND)
        app->notice[0] = '\0'; /* what it said of the text before */
    take_news(app, news, &err);
    if (!unsaved(&app->lesson) && take_file(&app->lesson) && app->lesson.desk.focus == FOCUS_CODE)
        app_notice(app, "Another program has changed the file. Ctrl-_ brings back what stood here.");
}

void lesson_probe_work(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    struct error err = {0};
    enum work_news news = WORK_SAY;
    lesson_save_work(app);
    if (unsaved(lesson)) /* as it stands here: the file is not to be had */
        news = session_probe(&lesson->session, lesson->pane.buffer.text, &err) == 0 ? WORK_SEND : WORK_SAY;
    else
        news = work_probe(lesson->work, &lesson->session, false, &err);
    take_news(app, news, &err);
    if (!unsaved(lesson))
        take_file(lesson);
}

void lesson_start_over(struct app *app)
{
    struct error err = {0};
    lesson_save_work(app);
    take_news(app, work_start_over(app->lesson.work, &app->lesson.session, &err), &err);
    if (!unsaved(&app->lesson))
        take_file(&app->lesson);
}

void lesson_edit_work(struct app *app)
{
    struct error err = {0};
    const char *path = work_path(app->lesson.work);
    if (!path) {
        lesson_probe_work(app); /* which says why there is none */
        return;
    }
    lesson_save_work(app);
    tty_leave(app->tty);
    int status = editor_run(path, &err);
    tty_return(app->tty);
    app->now = clock_ms();
    app->dirty = true;
    if (status != 0)
        app_notice(app, "%s. Any editor will do for %s: the probes run when it is saved.", err.text, work_shown(app->lesson.work));
}

void lesson_type_work(struct app *app, struct key key)
{
    struct lesson *lesson = &app->lesson;
    switch (editor_pane_key(&lesson->pane, key, tty_pasted(app->tty), app->drawn.pane_lines)) {
    case PANE_CHANGED: editor_pane_touched(&lesson->pane, app->now); break;
    case PANE_FULL: app_notice(app, "That does not fit: a program has at most %d KiB.", TEXT_BUFFER_MAX / 1024); break;
    case PANE_TAKEN:
    case PANE_NOT_MINE: break;
    }
}

bool lesson_work_is_safe(struct app *app)
{
    lesson_save_work(app);
    return !unsaved(&app->lesson);
}
