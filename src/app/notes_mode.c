/* On the course list: the learner's notes are written, a question after the other, while the list stays alive. */
#include "app/mode.h"
#include "app/notes.h"
#include "base/language.h"

void notes_begin(struct app *app)
{
    app->list.notes = notes_new(app->tutor);
    if (!app->list.notes)
        app_notice(app, "%s", _("out of memory"));
}

void notes_stop(struct app *app)
{
    struct list *list = &app->list;
    if (list->noting) {
        app_drop(app);
        list->asking = list->noting = false;
    }
    notes_free(list->notes);
    list->notes = NULL;
}

bool notes_key(struct app *app, struct key key)
{
    switch (key.code) {
    case KEY_UP_:
    case KEY_DOWN_:
    case KEY_PAGE_UP_:
    case KEY_PAGE_DOWN_:
    case KEY_HOME_:
    case KEY_END_:
    case KEY_F_: return false;
    case KEY_ESC_:
        notes_stop(app);
        app_notice(app, "Your notes were not written.");
        return true;
    default:
        if (key.code == KEY_CHAR_ && (key.rune == '?' || key.rune == 'j' || key.rune == 'k'))
            return false;
        app_notice(app, "Your notes are being written. Esc stops that.");
        return true;
    }
}

static void finish(struct app *app)
{
    struct error err = {0};
    struct strbuf said = {0};
    bool kept = notes_keep(app->list.notes, &said, &err) == 0;
    app_notice(app, "%s", kept ? strbuf_string(&said) : err.text);
    strbuf_free(&said);
    notes_stop(app);
    list_refresh(app);
}

void notes_ask(struct app *app)
{
    struct list *list = &app->list;
    struct request request;
    while (list->notes && !list->asking) {
        if (!notes_next(list->notes, &request)) {
            finish(app);
            return;
        }
        list->asked_number = app_send(app, &request);
        app->hold_until = 0;
        list->asking = list->noting = list->asked_number != 0;
        if (!list->asking)
            notes_fail(list->notes, app->notice);
    }
}

void notes_answered(struct app *app, struct scene *scene, const char *words)
{
    struct list *list = &app->list;
    long what;
    bool wanted = course_wants(list->course, &what);
    list->asking = list->noting = false;
    if (scene)
        notes_take(list->notes, scene);
    else
        notes_fail(list->notes, words);
    if (wanted)
        list_refresh(app);
}
