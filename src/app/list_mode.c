/* The course list: drawn at once from what the catalogue knows; the rest is asked of the worker while the learner looks. */
#include <string.h>
#include <strings.h>

#include "app/mode.h"
#include "base/language.h"

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

/* The lessons whose title or line has what is typed. */
static void find(struct list *list)
{
    list->found_count = list->found_selected = 0;
    for (size_t i = 0; list->finding && i < list->rows.count; i++) {
        const struct course_row *row = &list->rows.row[i];
        if (!contains(row->title, list->find.text) && !contains(row->about, list->find.text))
            continue;
        if (i == list->selected)
            list->found_selected = list->found_count;
        list->found[list->found_count] = *row;
        list->found_at[list->found_count++] = i;
    }
}

void list_refresh(struct app *app)
{
    struct list *list = &app->list;
    struct rows rows;
    if (rows_make(&rows, list->course, app->tutor->store, NULL) != 0)
        return;
    struct course_row *found = arena_zero(rows.arena, rows.count + 1, sizeof *found);
    size_t *found_at = arena_zero(rows.arena, rows.count + 1, sizeof *found_at);
    if (!found || !found_at) {
        rows_free(&rows);
        return;
    }
    rows_free(&list->rows);
    list->rows = rows;
    list->found = found;
    list->found_at = found_at;
    if (!list->placed && rows.count > 0) {
        list->selected = rows_last(&rows, list->course, app->tutor->store);
        list->placed = true;
    }
    if (list->selected >= rows.count)
        list->selected = rows.count > 0 ? rows.count - 1 : 0;
    find(list);
    app->dirty = true;
}

static void ask_next(struct app *app)
{
    struct list *list = &app->list;
    struct error err = {0};
    long what;
    if (list->notes) {
        notes_ask(app);
        return;
    }
    while (!list->asking && !list->refused && course_wants(list->course, &what)) {
        struct lesson_text text;
        struct request request;
        if (tutor_may_run(app->tutor, list->course, &err) != 0) {
            list->refused = true;
            app_notice(app, "%s", err.text);
            return;
        }
        if (course_request(list->course, what, &text, &request) != 0) {
            list_refresh(app);
            continue;
        }
        list->asked = what;
        list->asked_number = app_send(app, &request);
        list->asking = list->asked_number != 0;
        lesson_text_free(&text);
        if (!list->asking) {
            list->refused = true;
            return;
        }
        app->hold_until = list->patience;
    }
}

static bool knows_nothing(const struct course *course)
{
    for (size_t i = 0; i < course->lesson_count; i++)
        if (course->lessons[i].outline || course->lessons[i].error)
            return false;
    return true;
}

void list_enter(struct app *app, struct course *course)
{
    struct list *list = &app->list;
    if (list->course != course) {
        list->course = course;
        list->placed = false;
        list->selected = 0;
    }
    list->asking = list->refused = list->reviewing = list->finding = list->help = false;
    list->patience = knows_nothing(course) ? app->now + HOLD_MS : 0;
    app->mode = &list_mode;
    list_refresh(app);
}

void list_reloaded(struct app *app)
{
    notes_stop(app);
    app->list.asking = false;
    list_leave(app);
    list_refresh(app);
}

void list_leave(struct app *app)
{
    struct list *list = &app->list;
    notes_stop(app);
    rows_free(&list->rows);
    list->found_count = 0;
}

static void draw(struct app *app)
{
    const struct list *list = &app->list;
    const char *notice = app_words(app);
    if (!notice[0] && list->course->error)
        notice = list->course->error;
    if (!notice[0] && list->notes)
        notice = _("Your notes are being written. Esc stops that.");
    struct course_screen screen = {
        .title = course_title(list->course),
        .origin = course_origin(list->course),
        .rows = list->finding ? list->found : list->rows.row,
        .row_count = list->finding ? list->found_count : list->rows.count,
        .selected = list->finding ? list->found_selected : list->selected,
        .notice = notice,
        .find = list->finding ? list->find.text : NULL,
        .help = list->help,
        .help_scroll = list->help_scroll,
        .due = list->rows.review.count,
        .coming = list->rows.review.next != 0,
    };
    course_tell(list->course, &screen.about);
    draw_course(app->grid, &screen, &app->drawn);
}

static size_t moved(size_t from, long by, size_t count)
{
    long last = (long)count - 1, to = (long)from + by;
    return (size_t)(to > last ? (last > 0 ? last : 0) : to < 0 ? 0 : to);
}

static void move(struct list *list, long by)
{
    if (list->finding) {
        list->found_selected = moved(list->found_selected, by, list->found_count);
        if (list->found_count > 0)
            list->selected = list->found_at[list->found_selected];
    } else {
        list->selected = moved(list->selected, by, list->rows.count);
    }
}

static void open_selected(struct app *app)
{
    struct list *list = &app->list;
    if (list->selected >= list->rows.count) {
        app_notice(app, "There is no lesson to open yet.");
        return;
    }
    const char *error = list->rows.row[list->selected].error;
    if (error)
        app_notice(app, "%s", error);
    else
        lesson_enter(app, list->course, list->selected);
}

static void find_key(struct app *app, struct key key)
{
    struct list *list = &app->list;
    if (key.code == KEY_ESC_) {
        list->finding = false;
    } else if (key.code == KEY_ENTER_) {
        if (list->found_count == 0)
            return;
        list->selected = list->found_at[list->found_selected];
        list->finding = false;
        open_selected(app);
    } else if (key.code == KEY_DOWN_ || key.code == KEY_UP_) {
        move(list, key.code == KEY_DOWN_ ? 1 : -1);
    } else if (key.code == KEY_PASTE_ ? line_paste(&list->find, tty_pasted(app->tty)) : line_key(&list->find, key)) {
        find(list);
    }
}

/* Tab goes through the courses that are installed. */
static void other_course(struct app *app, long by)
{
    struct tutor *tutor = app->tutor;
    long count = (long)tutor->course_count;
    if (count < 2) {
        app_notice(app, "There is one course here; others live in $XDG_DATA_HOME/normtutor/courses.");
        return;
    }
    long at = 0;
    while (at < count && tutor->courses[at] != app->list.course)
        at++;
    at = (at + by + count) % count;
    app_drop(app);
    list_enter(app, tutor->courses[at]);
    app_notice(app, "Course %ld of %ld. Tab shows the next.", at + 1, count);
}

static void open_help(struct list *list)
{
    list->help = true;
    list->help_scroll = 0;
}

static void help_key(struct app *app, struct key key)
{
    struct list *list = &app->list;
    int page = app->drawn.page_lines > 1 ? app->drawn.page_lines - 1 : 1, by = 0;
    switch (key.code) {
    case KEY_UP_: by = -1; break;
    case KEY_DOWN_: by = 1; break;
    case KEY_PAGE_UP_: by = -page; break;
    case KEY_PAGE_DOWN_: by = page; break;
    default: list->help = false; return;
    }
    int to = list->help_scroll + by;
    to = to > app->drawn.scroll_max ? app->drawn.scroll_max : to;
    list->help_scroll = to < 0 ? 0 : to;
}

static void key(struct app *app, struct key key)
{
    struct list *list = &app->list;
    list->reviewing = false;
    if (list->help) {
        help_key(app, key);
        return;
    }
    if (list->finding) {
        find_key(app, key);
        return;
    }
    if (list->notes && notes_key(app, key))
        return;
    switch (key.code) {
    case KEY_UP_: move(list, -1); break;
    case KEY_DOWN_: move(list, 1); break;
    case KEY_PAGE_UP_: move(list, -10); break;
    case KEY_PAGE_DOWN_: move(list, 10); break;
    case KEY_HOME_: move(list, -(long)list->rows.count); break;
    case KEY_END_: move(list, (long)list->rows.count); break;
    case KEY_ENTER_: open_selected(app); break;
    case KEY_TAB_: other_course(app, 1); break;
    case KEY_BACKTAB_: other_course(app, -1); break;
    case KEY_ESC_: app_notice(app, "q leaves the tutor."); break;
    case KEY_F_:
        if (key.rune == 1)
            open_help(list);
        break;
    case KEY_CHAR_:
        if (key.rune == 'q')
            app->quit = true;
        else if (key.rune == '?')
            open_help(list);
        else if (key.rune == 'r')
            review_enter(app);
        else if (key.rune == 'n')
            notes_begin(app);
        else if (key.rune == 'k')
            move(list, -1);
        else if (key.rune == 'j')
            move(list, 1);
        else if (key.rune == '/') {
            list->finding = true;
            line_set(&list->find, "");
            find(list);
        }
        break;
    default: break;
    }
}

static void scene(struct app *app, struct scene *scene)
{
    struct list *list = &app->list;
    if (!list->asking || scene->number != list->asked_number) {
        scene_free(scene);
        return;
    }
    if (list->noting) {
        notes_answered(app, scene, NULL);
        return;
    }
    list->asking = false;
    course_take(list->course, list->asked, scene, app->tutor->store);
    list_refresh(app);
    if (list->reviewing)
        review_enter(app);
}

static void failed(struct app *app, const char *words)
{
    struct list *list = &app->list;
    if (list->noting) {
        notes_answered(app, NULL, words);
        return;
    }
    if (list->asking)
        course_fail(list->course, list->asked, words);
    list->asking = false;
    app_notice(app, "%s", words);
    list_refresh(app);
    if (list->reviewing)
        review_enter(app);
}

static int64_t due(const struct app *app)
{
    const struct list *list = &app->list;
    long what;
    if (list->notes)
        return list->asking ? NEVER : app->now;
    bool later = !app->shown && list->patience == 0; /* the first screen comes before the worker */
    return !later && !list->asking && !list->refused && course_wants(list->course, &what) ? app->now : NEVER;
}

const struct mode list_mode = {false, draw, key, scene, failed, due, ask_next};
