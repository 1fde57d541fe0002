/* A key in a lesson: what it means where the focus is. */
#include <string.h>

#include "app/assign.h"
#include "app/mode.h"
#include "app/turn.h"
#include "base/language.h"
#include "ui/exact.h"
#include "ui/view.h"

static void page_changed(struct app *app, bool changed)
{
    if (changed)
        lesson_refresh(app);
}

/* What was written is not to be lost by leaving it. */
static bool may_leave(struct app *app, enum offered offered)
{
    if (offered == OFFERED_LEAVE || lesson_work_is_safe(app))
        return true;
    app->lesson.offered = OFFERED_LEAVE;
    app_notice(app, "Your program could not be saved. The same key once more leaves it all the same.");
    return false;
}

static void go_on(struct app *app)
{
    struct session *session = &app->lesson.session;
    if (session->review) {
        review_go(app, 1);
        return;
    }
    if (session->page != PAGE_END) {
        app->lesson.hasty = !session_lesson(session);
        page_changed(app, session_next(session));
        return;
    }
    size_t next = session->lesson + 1;
    if (next >= session->course->lesson_count)
        lesson_leave(app);
    else
        lesson_enter(app, app->list.course, next);
}

static void go_back(struct app *app)
{
    if (app->lesson.session.review)
        review_go(app, -1);
    else
        page_changed(app, session_back(&app->lesson.session));
}

static void scroll(struct app *app, int by)
{
    struct desk *desk = &app->lesson.desk;
    int *place = desk->help ? &desk->help_scroll : &desk->scroll;
    int from = desk->help ? desk->help_scroll : app->drawn.scroll;
    int to = from + by;
    *place = to > app->drawn.scroll_max ? app->drawn.scroll_max : to;
    if (*place < 0)
        *place = 0;
}

static bool scroll_key(struct app *app, struct key key)
{
    int page = app->drawn.page_lines > 1 ? app->drawn.page_lines - 1 : 1;
    if (key.code == KEY_PAGE_UP_)
        scroll(app, -page);
    else if (key.code == KEY_PAGE_DOWN_)
        scroll(app, page);
    else
        return false;
    return true;
}

/* ---- questions ---- */

static void answer(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    struct error err = {0};
    const char *text = desk_answer(&lesson->desk, &lesson->session);
    if (session_judging(&lesson->session))
        return;
    if (!text) {
        app_notice(app, desk_picks(session_step(&lesson->session))   ? N_("Pick something first, with Space or by its number.")
                        : desk_has(&lesson->session, FOCUS_CHOICE) ? N_("Choose one first, with the arrows or by its number.")
                                                                 : N_("Type an answer first. Esc, then Enter, leaves it for later."));
        return;
    }
    if (session_judged(&lesson->session, text)) {
        const struct scene_question *question = session_question(&lesson->session);
        app_notice(app, question && question->hint_total ? N_("That is the answer just judged. Change it, or ask for a hint.")
                                                          : N_("That is the answer just judged. Change it."));
        return;
    }
    if (session_answer(&lesson->session, text, lesson->desk.sure, &err) != 0)
        app_notice(app, "%s", err.text);
    else
        lesson_send(app);
}

static void hint(struct app *app, enum offered offered)
{
    struct lesson *lesson = &app->lesson;
    const char *key = lesson->desk.focus == FOCUS_FIELD || lesson->desk.focus == FOCUS_CODE ? "F2" : "h";
    switch (session_hint(&lesson->session)) {
    case HINT_OPENED:
        lesson->desk.scroll = SCROLL_AUTO;
        lesson_send(app);
        break;
    case HINT_LAST:
        if (offered == OFFERED_ANSWER && session_give_up(&lesson->session)) {
            lesson_send(app);
            break;
        }
        lesson->offered = OFFERED_ANSWER;
        app_notice(app, "%s %s once more shows the answer.",
                   lesson->session.inputs.hints > 0 ? _("That was the last hint.") : _("This question has no hints."), key);
        break;
    case HINT_NONE:
        if (session_open_question(&lesson->session))
            app_notice(app, "A prediction has no hints: guess, and see.");
        else
            app_notice(app, "Hints are for a question that is still open.");
        break;
    }
}

static void new_numbers(struct app *app, enum offered offered)
{
    struct error err = {0};
    if (!may_leave(app, offered))
        return;
    if (session_new_numbers(&app->lesson.session, &err) != 0)
        app_notice(app, "%s", err.text);
    else
        lesson_refresh(app);
}

static void surer(struct desk *desk, int by)
{
    int sure = (int)desk->sure + by;
    desk->sure = (uint32_t)(sure < 1 ? 1 : sure > 3 ? 3 : sure);
}

static void point_at(struct app *app, long option)
{
    const struct scene_question *question = session_question(&app->lesson.session);
    if (option < 0 || (size_t)option >= question->option_count)
        return;
    app->lesson.desk.choice = (size_t)option;
    app->lesson.desk.scroll = SCROLL_AUTO;
}

/* ---- several options, and pieces in order ---- */

static bool picking(const struct app *app)
{
    return app->lesson.desk.focus == FOCUS_CHOICE && desk_picks(session_step(&app->lesson.session));
}

/* To the next row, or the piece in hand with it. */
static void pick_along(struct app *app, int by)
{
    struct desk *desk = &app->lesson.desk;
    const struct scene_step *step = session_step(&app->lesson.session);
    desk->scroll = SCROLL_AUTO;
    if (step->kind != STEP_ORDER) {
        point_at(app, (long)desk->choice + by);
    } else if (desk->held) {
        picks_carry(&desk->picks, desk->choice, by);
        desk->held = picks_have(&desk->picks, desk->choice);
    } else {
        long row = (long)picks_row(&desk->picks, desk->choice) + by;
        if (row >= 0 && (size_t)row < step->question->option_count)
            desk->choice = picks_at(&desk->picks, (size_t)row);
    }
}

/* Space: an option in or out; a piece to the end of the order, or one that is there into the hand. */
static void pick(struct app *app)
{
    struct desk *desk = &app->lesson.desk;
    const struct scene_step *step = session_step(&app->lesson.session);
    size_t row = picks_row(&desk->picks, desk->choice);
    desk->scroll = SCROLL_AUTO;
    if (step->kind != STEP_ORDER) {
        picks_toggle(&desk->picks, desk->choice);
    } else if (picks_have(&desk->picks, desk->choice)) {
        desk->held = !desk->held;
    } else {
        picks_toggle(&desk->picks, desk->choice);
        if (row + 1 < step->question->option_count)
            desk->choice = picks_at(&desk->picks, row + 1);
    }
}

static void pick_number(struct app *app, size_t option)
{
    struct desk *desk = &app->lesson.desk;
    if (option >= session_question(&app->lesson.session)->option_count)
        return;
    desk->choice = option;
    desk->held = false;
    desk->scroll = SCROLL_AUTO;
    picks_toggle(&desk->picks, option);
}

static void take_back(struct app *app)
{
    struct picks *picks = &app->lesson.desk.picks;
    app->lesson.desk.held = false;
    if (picks->count > 0)
        picks->count--;
}

/* ---- knobs, cells, cursor, stages ---- */

static void turn(struct app *app, int by)
{
    struct error err = {0};
    if (session_turn(&app->lesson.session, app->lesson.desk.knob, by, &err) != 0)
        app_notice(app, "%s", err.text);
    else
        lesson_send(app);
}

static void look(struct app *app, int axis, int by)
{
    if (axis >= 0 && session_look(&app->lesson.session, (size_t)axis, by))
        lesson_send(app);
}

static void look_down(struct app *app, int by)
{
    const struct scene_step *step = session_step(&app->lesson.session);
    int axis = desk_row_axis(step);
    if (axis >= 0 && session_look_through(&app->lesson.session, (size_t)axis, desk_depth_axis(step), by))
        lesson_send(app);
}

/* The number under the cursor with all its digits; where there are several, each time the next. */
static void show_exactly(struct app *app)
{
    const struct scene_step *step = session_step(&app->lesson.session);
    size_t count = step ? exact_count(step->view) : 0, n = count ? app->lesson.desk.exact++ % count : 0;
    struct strbuf line = {0};
    if (count)
        exact_say(&line, step->view, n);
    if (count > 1)
        app_notice(app, "%zu of %zu  %s", n + 1, count, strbuf_string(&line));
    else
        app_notice(app, "%s", count ? strbuf_string(&line) : _("There is no number under the cursor."));
    strbuf_free(&line);
}

static void switch_branch(struct app *app)
{
    const struct scene_step *step = session_step(&app->lesson.session);
    uint32_t layer = desk_layer(&app->lesson.session);
    if (layer == 0)
        app_notice(app, "There is no branch to switch off here.");
    else if (session_switch(&app->lesson.session, layer))
        lesson_send(app);
    else
        app_notice(app, step->locked ? N_("The view moves once the prediction is made.") : N_("This branch cannot be switched off."));
}

static void bracket(struct app *app, int by)
{
    struct desk *desk = &app->lesson.desk;
    const struct scene_step *step = session_step(&app->lesson.session);
    if (desk->focus == FOCUS_VIEW && desk_depth_axis(step) >= 0) {
        look(app, desk_depth_axis(step), by);
    } else if (desk_has(&app->lesson.session, FOCUS_KNOB)) {
        if (desk->focus == FOCUS_KNOB)
            desk->knob = (desk->knob + (by > 0 ? 1 : step->knob_count - 1)) % step->knob_count;
        desk->focus = FOCUS_KNOB;
    }
}

static void reset(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    bool view = lesson->desk.focus == FOCUS_VIEW;
    if (view ? session_reset_view(&lesson->session) : session_reset_knob(&lesson->session, lesson->desk.knob))
        lesson_send(app);
}

static void stage(struct app *app, int by)
{
    app->lesson.play_at = 0;
    if (session_stage(&app->lesson.session, by))
        lesson_send(app);
}

static void space(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    const struct scene_step *step = session_step(&lesson->session);
    if (picking(app)) {
        pick(app);
    } else if (lesson->desk.focus == FOCUS_KNOB && step->knobs[lesson->desk.knob].kind == KNOB_SWITCH) {
        turn(app, knob_value(&step->knobs[lesson->desk.knob], &lesson->session.inputs) >= 0.5 ? -1 : 1);
    } else if (lesson->play_at != 0) {
        lesson->play_at = 0;
    } else if (step && view_stages(step->view) > 0) {
        stage(app, 1);
        lesson->play_at = app->now + PLAY_MS;
    } else {
        scroll(app, app->drawn.page_lines > 1 ? app->drawn.page_lines - 1 : 1);
    }
}

static void commit_cell(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    struct error err = {0};
    double value;
    if (!number_read(lesson->desk.cell.text, &value)) {
        app_notice(app, "A cell holds a number, such as 2, -0.5 or 1e-3. Esc leaves it as it was.");
        return;
    }
    lesson->desk.cell_edit.value = value;
    if (session_edit(&lesson->session, &lesson->desk.cell_edit, &err) != 0)
        app_notice(app, "%s", err.text);
    lesson->desk.focus = desk_has(&lesson->session, FOCUS_VIEW) ? FOCUS_VIEW : FOCUS_TEXT;
    lesson_send(app);
}

/* ---- the scratchpad ---- */

static void open_scratch(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    if (!session_step(&lesson->session))
        return;
    lesson->scratch.open = true;
    if (scratchpad_wanted(&lesson->scratch))
        lesson_send(app);
}

static void result_into_answer(struct app *app)
{
    struct lesson *lesson = &app->lesson;
    if (!desk_has(&lesson->session, FOCUS_FIELD)) {
        app_notice(app, "No answer is to be typed here.");
    } else if (!lesson->scratch.value) {
        app_notice(app, "There is no result that could be an answer.");
    } else {
        line_set(&lesson->desk.field, lesson->scratch.value);
        lesson->scratch.open = false;
        lesson->desk.focus = FOCUS_FIELD;
        lesson_send(app);
    }
}

static void scratch_scroll(struct app *app, int pages)
{
    int by = pages * (app->drawn.page_lines > 1 ? app->drawn.page_lines - 1 : 1), to = app->drawn.scroll + by;
    app->lesson.scratch.scroll = to >= app->drawn.scroll_max ? SCROLL_AUTO : to < 0 ? 0 : to;
}

static void pad_key(struct app *app, struct key key)
{
    struct scratchpad *scratch = &app->lesson.scratch;
    if (key.code == KEY_ESC_ || (key.code == KEY_F_ && key.rune == 3)) {
        scratch->open = false;
    } else if (key.code == KEY_F_ && key.rune == 1) {
        app->lesson.desk.help = true;
        app->lesson.desk.help_scroll = 0;
    } else if (key.code == KEY_F_ && key.rune == 5) {
        result_into_answer(app);
    } else if (key.code == KEY_PAGE_UP_ || key.code == KEY_PAGE_DOWN_) {
        scratch_scroll(app, key.code == KEY_PAGE_UP_ ? -1 : 1);
    } else if (scratchpad_key(scratch, key, tty_pasted(app->tty))) {
        lesson_send(app);
    }
}

/* ---- by focus ---- */

static void cycle(struct app *app, bool back)
{
    struct lesson *lesson = &app->lesson;
    do
        desk_cycle(&lesson->desk, &lesson->session, back);
    while (lesson->desk.focus == FOCUS_CODE && !lesson->pane.open);
}

static void function_key(struct app *app, uint32_t number, enum offered offered)
{
    if (number == 1) {
        app->lesson.desk.help = true;
        app->lesson.desk.help_scroll = 0;
    } else if (number == 2) {
        hint(app, offered);
    } else if (number == 3) {
        open_scratch(app);
    } else if (number == 4) {
        new_numbers(app, offered);
    }
}

/* A key that types into a line, or moves in it. */
static bool type(struct app *app, struct line *line, struct key key)
{
    if (key.code != KEY_PASTE_)
        return line_key(line, key);
    const char *text = tty_pasted(app->tty);
    if (strlen(text) > LINE_MAX_BYTES - line->length)
        app_notice(app, "That does not fit into a line.");
    return line_paste(line, text);
}

static void type_into_cell(struct app *app, struct key key)
{
    struct desk *desk = &app->lesson.desk;
    if (desk->cell_fresh && (key.code == KEY_CHAR_ || key.code == KEY_PASTE_))
        line_set(&desk->cell, "");
    desk->cell_fresh = false;
    type(app, &desk->cell, key);
}

static void cell_key(struct app *app, struct key key)
{
    struct desk *desk = &app->lesson.desk;
    if (key.code == KEY_ENTER_)
        commit_cell(app);
    else if (key.code == KEY_ESC_)
        desk->focus = desk_has(&app->lesson.session, FOCUS_VIEW) ? FOCUS_VIEW : FOCUS_TEXT;
    else if (key.code == KEY_F_ && key.rune == 1)
        function_key(app, 1, OFFERED_NOTHING);
    else
        type_into_cell(app, key);
}

static void leave_field(struct app *app)
{
    struct desk *desk = &app->lesson.desk;
    const struct session *session = &app->lesson.session;
    desk->focus = desk_has(session, FOCUS_KNOB) ? FOCUS_KNOB : desk_has(session, FOCUS_VIEW) ? FOCUS_VIEW : FOCUS_TEXT;
}

static void field_key(struct app *app, struct key key, enum offered offered)
{
    struct desk *desk = &app->lesson.desk;
    switch (key.code) {
    case KEY_ENTER_: answer(app); break;
    case KEY_ESC_: leave_field(app); break;
    case KEY_TAB_:
    case KEY_BACKTAB_: cycle(app, key.code == KEY_BACKTAB_); break;
    case KEY_UP_: scroll(app, -1); break;
    case KEY_DOWN_: scroll(app, 1); break;
    case KEY_F_: function_key(app, key.rune, offered); break;
    default:
        if (type(app, &desk->field, key))
            lesson_send(app);
    }
}

static void arrow(struct app *app, int right, int down)
{
    struct lesson *lesson = &app->lesson;
    struct desk *desk = &lesson->desk;
    const struct scene_step *step = session_step(&lesson->session);
    switch (desk->focus) {
    case FOCUS_KNOB:
        if (right)
            turn(app, right);
        else
            look_down(app, down);
        break;
    case FOCUS_VIEW:
        if (right)
            look(app, desk_column_axis(step), right);
        else
            look_down(app, down);
        break;
    case FOCUS_CHOICE:
        if (down && desk_picks(step))
            pick_along(app, down);
        else if (down)
            point_at(app, desk->choice == NO_CHOICE ? 0 : (long)desk->choice + down);
        else if (step->question->predict != PREDICT_NO)
            surer(desk, right);
        break;
    case FOCUS_SURE: surer(desk, right - down); break;
    default: scroll(app, down);
    }
}

static void enter(struct app *app, enum offered offered)
{
    enum focus focus = app->lesson.desk.focus;
    app->lesson.desk.held = false;
    if (focus == FOCUS_CHOICE || focus == FOCUS_SURE)
        answer(app);
    else if (may_leave(app, offered))
        go_on(app);
}

static void escape(struct app *app, enum offered offered)
{
    if (app->lesson.desk.focus == FOCUS_SURE)
        app->lesson.desk.focus = FOCUS_FIELD;
    else if (app->lesson.desk.held)
        app->lesson.desk.held = false;
    else if (may_leave(app, offered))
        lesson_leave(app);
}

/* A number begun outside the field is meant for it. */
static void type_on(struct app *app, uint32_t rune)
{
    struct desk *desk = &app->lesson.desk;
    if (!desk_has(&app->lesson.session, FOCUS_FIELD) || !session_open_question(&app->lesson.session))
        return;
    desk->focus = FOCUS_FIELD;
    if (line_key(&desk->field, (struct key){.code = KEY_CHAR_, .rune = rune}))
        lesson_send(app);
}

static void start_over(struct app *app, enum offered offered)
{
    if (offered == OFFERED_START_OVER) {
        lesson_start_over(app);
        return;
    }
    app->lesson.offered = OFFERED_START_OVER;
    app_notice(app, "%s once more writes the program anew, as it was at the start; your text is kept beside it.",
               app->lesson.desk.focus == FOCUS_CODE ? "Ctrl-R" : "0");
}

/* ---- the program ---- */

static void write_program(struct app *app)
{
    if (desk_has(&app->lesson.session, FOCUS_CODE) && app->lesson.pane.open)
        app->lesson.desk.focus = FOCUS_CODE;
}

static void code_key(struct app *app, struct key key, enum offered offered)
{
    if (key.code == KEY_ESC_) {
        lesson_save_work(app);
        app->lesson.desk.focus = FOCUS_TEXT;
    } else if (key.code == KEY_F_) {
        function_key(app, key.rune, offered);
    } else if (key.code == KEY_CTRL_ && key.rune == 's') {
        if (work_gone(app->lesson.work))
            editor_pane_touched(&app->lesson.pane, app->now);
        lesson_probe_work(app);
    } else if (key.code == KEY_CTRL_ && key.rune == 'e') {
        lesson_edit_work(app);
    } else if (key.code == KEY_CTRL_ && key.rune == 'r') {
        start_over(app, offered);
    } else {
        lesson_type_work(app, key);
    }
}

static void digit(struct app *app, uint32_t digit, enum offered offered)
{
    struct desk *desk = &app->lesson.desk;
    if (picking(app) && digit > 0)
        pick_number(app, digit - 1);
    else if (desk->focus == FOCUS_CHOICE && digit > 0)
        point_at(app, (long)digit - 1);
    else if (desk->focus == FOCUS_SURE && digit >= 1 && digit <= 3)
        desk->sure = digit;
    else if (digit == 0 && app->lesson.work)
        start_over(app, offered);
    else if (digit == 0)
        reset(app);
    else
        type_on(app, '0' + digit);
}

static void edit(struct app *app)
{
    if (app->lesson.work)
        lesson_edit_work(app);
    else if (!desk_edit_cell(&app->lesson.desk, &app->lesson.session))
        app_notice(app, "No cell can be changed here.");
}

static void letter(struct app *app, uint32_t rune, enum offered offered)
{
    switch (rune) {
    case '?': function_key(app, 1, offered); break;
    case 'h': hint(app, offered); break;
    case 'n': new_numbers(app, offered); break;
    case 'b':
        if (may_leave(app, offered))
            go_back(app);
        break;
    case 'i': write_program(app); break;
    case 's': open_scratch(app); break;
    case 'e': edit(app); break;
    case 'p':
        if (app->lesson.work)
            lesson_probe_work(app);
        break;
    case 'x': switch_branch(app); break;
    case '=': show_exactly(app); break;
    case '[': bracket(app, -1); break;
    case ']': bracket(app, 1); break;
    case ' ': space(app); break;
    case '.': stage(app, 1); break;
    case ',': stage(app, -1); break;
    default:
        if (rune >= '0' && rune <= '9')
            digit(app, rune - '0', offered);
    }
}

static void help_key(struct app *app, struct key key)
{
    if (key.code == KEY_UP_)
        scroll(app, -1);
    else if (key.code == KEY_DOWN_)
        scroll(app, 1);
    else if (!scroll_key(app, key))
        app->lesson.desk.help = false;
}

static void end_key(struct app *app, int end)
{
    if (app->lesson.desk.focus == FOCUS_KNOB)
        turn(app, 2 * end);
    else
        scroll(app, end * 10000);
}

void lesson_key(struct app *app, struct key key)
{
    struct lesson *lesson = &app->lesson;
    enum offered offered = lesson->offered;
    lesson->offered = OFFERED_NOTHING;
    if (key.code != KEY_CHAR_ || key.rune != '=')
        lesson->desk.exact = 0;
    if (lesson->desk.help) {
        help_key(app, key);
        return;
    }
    if (lesson->travel_at != 0 || lesson->session.travel_frame != 0) {
        lesson->travel_at = 0;
        session_travel_end(&lesson->session);
        lesson_send(app);
        return;
    }
    if (lesson->scratch.open) {
        pad_key(app, key);
        return;
    }
    if (lesson->desk.focus == FOCUS_CODE) {
        code_key(app, key, offered);
        return;
    }
    if (scroll_key(app, key))
        return;
    if (lesson->desk.focus == FOCUS_CELL) {
        cell_key(app, key);
        return;
    }
    if (lesson->desk.focus == FOCUS_FIELD) {
        field_key(app, key, offered);
        return;
    }
    switch (key.code) {
    case KEY_LEFT_: arrow(app, -1, 0); break;
    case KEY_RIGHT_: arrow(app, 1, 0); break;
    case KEY_UP_: arrow(app, 0, -1); break;
    case KEY_DOWN_: arrow(app, 0, 1); break;
    case KEY_HOME_: end_key(app, -1); break;
    case KEY_END_: end_key(app, 1); break;
    case KEY_ENTER_: enter(app, offered); break;
    case KEY_ESC_: escape(app, offered); break;
    case KEY_TAB_:
    case KEY_BACKTAB_: cycle(app, key.code == KEY_BACKTAB_); break;
    case KEY_BACKSPACE_:
    case KEY_DELETE_:
        if (picking(app))
            take_back(app);
        break;
    case KEY_F_: function_key(app, key.rune, offered); break;
    case KEY_CHAR_: letter(app, key.rune, offered); break;
    default: break;
    }
}
