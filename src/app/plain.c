/* The tutor in plain lines: for pipes, terminals that cannot move a cursor, and screen readers. */
#include "app/plain.h"

#include <errno.h>
#include <string.h>

#include "app/assign.h"
#include "app/rows.h"
#include "base/language.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "ui/exact.h"
#include "ui/tty.h"
#include "ui/view.h"

enum { LINE_LIMIT = 8192 };

/* ---- saying ---- */

static void print(struct plain *p, const struct strbuf *text)
{
    struct strbuf ascii = {0};
    if (!tty_unicode())
        plain_ascii(&ascii, strbuf_string(text));
    fputs(tty_unicode() ? strbuf_string(text) : strbuf_string(&ascii), p->out);
    strbuf_free(&ascii);
}

void plain_say(struct plain *p, const char *text)
{
    struct strbuf line = {0};
    visible_add(&line, _(text), true);
    strbuf_add(&line, "\n");
    print(p, &line);
    strbuf_free(&line);
}

static void say_trouble(struct plain *p)
{
    const char *trouble;
    while (p->tutor->store && (trouble = store_trouble(p->tutor->store)) != NULL)
        plain_say(p, trouble);
}

void plain_write_scene(struct plain *p, struct strbuf *out, plain_writer write)
{
    struct lesson_screen screen;
    desk_screen(&p->desk, &p->session, &screen);
    size_t next = p->session.lesson + 1;
    if (next < p->course->lesson_count) {
        const struct scene_lesson *outline = course_outline(p->course, next);
        screen.next_title = outline ? outline->title : p->course->lessons[next].id;
    }
    if (p->work)
        screen.code_path = work_shown(p->work);
    if (p->session.review) {
        screen.review_at = p->review.at + 1;
        screen.review_count = p->review.count;
    }
    write(out, &screen);
}

void plain_say_scene(struct plain *p, plain_writer write)
{
    struct strbuf text = {0};
    plain_write_scene(p, &text, write);
    print(p, &text);
    strbuf_free(&text);
}

static void say_list(struct plain *p)
{
    struct error err = {0};
    struct rows rows;
    if (tutor_learn(p->tutor, p->course, true, &err) != 0)
        plain_say(p, err.text);
    if (rows_make(&rows, p->course, p->tutor->store, &err) != 0) {
        plain_say(p, err.text);
        return;
    }
    if (p->selected >= rows.count)
        p->selected = rows_last(&rows, p->course, p->tutor->store);
    struct course_screen screen = {.title = course_title(p->course),
                                   .origin = course_origin(p->course),
                                   .rows = rows.row,
                                   .row_count = rows.count,
                                   .selected = p->selected,
                                   .due = rows.review.count,
                                   .coming = rows.review.next != 0,
                                   .notice = p->course->error ? p->course->error : ""};
    struct strbuf text = {0};
    plain_course(&text, &screen);
    print(p, &text);
    strbuf_free(&text);
    rows_free(&rows);
}

static void say_about(struct plain *p)
{
    struct course_about about;
    struct strbuf text = {0};
    course_tell(p->course, &about);
    plain_about(&text, &about);
    print(p, &text);
    strbuf_free(&text);
}

static void say_help(struct plain *p)
{
    if (!p->in_lesson) {
        plain_say(p, "list: the lessons again.  NUMBER, or open NUMBER: that lesson.  next: the one you were in last.\n"
               "review: what is due to be asked again, with new numbers.  notes: writes down what you have done, as Markdown.\n"
               "quit: leave.");
        say_about(p);
        return;
    }
    plain_say(p, "next, back: go on, go back.  step N: to that step.  list: the lessons.  quit: leave.\n"
           "look: the whole step again.  view: its view.  view all: all of it, where it is long.\n"
           "answer TEXT, or just TEXT: answer the question; an option by its number or its words, several with commas between.\n"
           "hint: one hint more; after the last one it offers the answer.  hints: all that are open.  show answer: the answer and why.\n"
           "sure N: before a prediction, 1 a guess, 2 I think so, 3 certain; 2 unless you say so.  new: the question with new numbers.\n"
           "= EXPRESSION: compute it with the numbers of this step.  notes: writes down what you have done.");
    const struct scene_step *step = session_step(&p->session);
    for (size_t i = 0; step && i < step->knob_count; i++) {
        struct strbuf line = {0};
        strbuf_addf(&line, _("%s VALUE: turn that knob; it is at %s.  %s alone: where it can go."), step->knobs[i].name,
                    step->knobs[i].value_text, step->knobs[i].name);
        plain_say(p, strbuf_string(&line));
        strbuf_free(&line);
    }
    if (step && view_stages(step->view) > 0)
        plain_say(p, "stage N: the view as far as its stage N.  stage 0: the whole.");
    if (step && exact_count(step->view) > 0)
        plain_say(p, "exact: the numbers under the cursor with all their digits.");
    for (size_t i = 0; step && i < step->axis_count; i++) {
        struct strbuf line = {0};
        strbuf_addf(&line, _("%s N: look at %s N, 1 to %u."), step->axes[i].name, step->axes[i].name, step->axes[i].size);
        plain_say(p, strbuf_string(&line));
        strbuf_free(&line);
    }
    for (size_t i = 0; step && i < step->editable_count; i++) {
        struct strbuf line = {0};
        strbuf_add(&line, step->editables[i].name);
        for (int k = 0; k < step->editables[i].rank; k++)
            strbuf_add(&line, "[1]");
        strbuf_add(&line, _(" VALUE: change that cell.  reset: everything back as the lesson has it."));
        plain_say(p, strbuf_string(&line));
        strbuf_free(&line);
    }
    if (step && step->branches > 0)
        plain_say(p, "off N, on N: switch the branch of layer N off, or on again.  reset: everything back as the lesson has it.");
    if (p->work)
        plain_say(p, "edit: your program in your editor.  probes: probe it as it is.  start over: as it was at the start.");
}

/* ---- asking the worker ---- */

bool plain_refresh(struct plain *p)
{
    struct session *s = &p->session;
    for (int round = 0; round < 4; round++) {
        struct request request;
        struct scene *scene = NULL;
        struct error err = {0};
        if (s->page != PAGE_STEP && session_lesson(s))
            return true;
        session_request(s, &request);
        if (tutor_ask(p->tutor, &request, &scene, &err) != 0) {
            session_failed(s);
            plain_say(p, err.text);
            return false;
        }
        session_sent(s, scene->number);
        session_files(s, scene);
        if (scene->error)
            plain_say(p, scene->error);
        enum session_took took = session_take(s, scene, NULL);
        if (s->travel_frame > 0) {
            session_travel_end(s);
            took = SESSION_AGAIN;
        }
        desk_settle(&p->desk, s);
        if (!plain_open_work(p) && took != SESSION_AGAIN)
            break;
    }
    return true;
}

void plain_open_page(struct plain *p)
{
    desk_clear(&p->desk);
    work_close(&p->work);
    p->offered = VERB_NOTHING;
    if (plain_refresh(p))
        plain_say_scene(p, plain_lesson);
}

static void close_lesson(struct plain *p)
{
    work_close(&p->work);
    if (p->in_lesson)
        session_close(&p->session);
    p->in_lesson = false;
}

void plain_show(struct plain *p, const struct session *session)
{
    close_lesson(p);
    p->session = *session;
    p->in_lesson = true;
}

void plain_list(struct plain *p)
{
    close_lesson(p);
    say_list(p);
}

static bool open_lesson(struct plain *p, size_t lesson, struct error *err)
{
    struct session session;
    if (lesson >= p->course->lesson_count) {
        error_set(err, "there is no lesson %zu; the last is %zu", lesson + 1, p->course->lesson_count);
        return false;
    }
    if (tutor_may_run(p->tutor, p->course, err) != 0 ||
        session_open(&session, p->course, lesson, p->tutor->store, err) != 0)
        return false;
    plain_show(p, &session);
    p->selected = lesson;
    return true;
}

static void enter_lesson(struct plain *p, size_t lesson)
{
    struct error err = {0};
    if (open_lesson(p, lesson, &err))
        plain_open_page(p);
    else
        plain_say(p, err.text);
}

/* ---- commands ---- */

static void open_named(struct plain *p, const char *name)
{
    size_t place;
    long at = course_find(p->course, name);
    if (at >= 0)
        enter_lesson(p, (size_t)at);
    else if (place_read(name, p->course->lesson_count, &place))
        enter_lesson(p, place - 1);
    else
        plain_say(p, "open takes a lesson's number or id; list shows them.");
}

static void go_next(struct plain *p)
{
    if (p->session.review) {
        plain_go_review(p, 1);
        return;
    }
    if (p->session.page != PAGE_END) {
        if (session_next(&p->session))
            plain_open_page(p);
        return;
    }
    if (p->session.lesson + 1 < p->course->lesson_count) {
        enter_lesson(p, p->session.lesson + 1);
    } else {
        plain_list(p);
    }
}

static void go_back(struct plain *p)
{
    if (p->session.review)
        plain_go_review(p, -1);
    else if (session_back(&p->session))
        plain_open_page(p);
    else
        plain_say(p, "This is where the lesson begins.");
}

static void new_numbers(struct plain *p)
{
    struct error err = {0};
    if (session_new_numbers(&p->session, &err) != 0)
        plain_say(p, err.text);
    else
        plain_open_page(p);
}

static void say_exactly(struct plain *p)
{
    const struct scene_step *step = session_step(&p->session);
    size_t count = step ? exact_count(step->view) : 0;
    if (!count)
        plain_say(p, "There is no number under the cursor.");
    for (size_t i = 0; i < count; i++) {
        struct strbuf line = {0};
        exact_say(&line, step->view, i);
        plain_say(p, strbuf_string(&line));
        strbuf_free(&line);
    }
}

static void say_view(struct plain *p, plain_writer write)
{
    const struct scene_step *step = session_step(&p->session);
    if (!step || !step->view)
        plain_say(p, "There is no view here.");
    if (step && (step->view || step->knob_count))
        plain_say_scene(p, write);
}

static void go_to_step(struct plain *p, const struct command *command)
{
    const struct scene_lesson *lesson = session_lesson(&p->session);
    size_t count = lesson ? lesson->step_count : 0, place;
    struct strbuf line = {0};
    if (session_step(&p->session) && assign_knows(session_step(&p->session), "step")) {
        plain_other(p, command);
    } else if (p->session.review) {
        plain_say(p, "In review the questions come one after the other: next, back.");
    } else if (place_read(command->rest, count, &place)) {
        if (session_goto(&p->session, lesson->steps[place - 1].id))
            plain_open_page(p);
    } else {
        strbuf_addf(&line, _("step takes a number, 1 to %zu."), count);
        plain_say(p, strbuf_string(&line));
    }
    strbuf_free(&line);
}

static void do_in_lesson(struct plain *p, const struct command *command)
{
    switch (command->verb) {
    case VERB_NEXT: go_next(p); break;
    case VERB_BACK: go_back(p); break;
    case VERB_STEP: go_to_step(p, command); break;
    case VERB_HINT: plain_hint_more(p); break;
    case VERB_HINTS: plain_hints_open(p); break;
    case VERB_NEW: new_numbers(p); break;
    case VERB_SHOW_ANSWER: plain_give_up(p); break;
    case VERB_ANSWER: plain_answer(p, command->rest); break;
    case VERB_SURE: plain_sure(p, command->rest); break;
    case VERB_LOOK: plain_say_scene(p, plain_lesson); break;
    case VERB_EXACT: say_exactly(p); break;
    case VERB_VIEW: say_view(p, plain_view); break;
    case VERB_VIEW_ALL: say_view(p, plain_view_all); break;
    case VERB_RESET: plain_reset(p); break;
    case VERB_SET: plain_other(p, command); break;
    case VERB_COMPUTE: plain_compute(p, command->rest); break;
    case VERB_EDIT:
    case VERB_PROBES:
    case VERB_START_OVER: plain_do_program(p, command->verb); break;
    case VERB_OFF:
    case VERB_ON:
        if (session_step(&p->session) && session_step(&p->session)->branches > 0)
            plain_switch_branch(p, command->rest, command->verb == VERB_OFF);
        else
            plain_other(p, command);
        break;
    default: plain_other(p, command);
    }
}

static void do_in_list(struct plain *p, const struct command *command)
{
    double number;
    if (command->verb == VERB_NEXT)
        enter_lesson(p, p->selected);
    else if (number_read(command->line, &number))
        open_named(p, command->line);
    else
        plain_say(p, "That is no command here; help says what is.");
}

static void obey(struct plain *p, const struct command *command)
{
    if (command->verb != p->offered && command->verb != VERB_NOTHING)
        p->offered = VERB_NOTHING;
    switch (command->verb) {
    case VERB_NOTHING: return;
    case VERB_QUIT: p->quit = true; return;
    case VERB_HELP: say_help(p); return;
    case VERB_OPEN: open_named(p, command->rest); return;
    case VERB_LIST: plain_list(p); return;
    case VERB_REVIEW: plain_begin_review(p); return;
    case VERB_NOTES: plain_notes(p); return;
    case VERB_LEAVE: plain_say(p, "quit leaves."); return;
    default:
        if (p->in_lesson)
            do_in_lesson(p, command);
        else
            do_in_list(p, command);
    }
}

/* A line of the learner's; false at the end of the input. What is longer than a line may be is dropped whole, in words. */
static bool read_line(struct plain *p, char line[LINE_LIMIT])
{
    plain_wait(p);
    if (!fgets(line, LINE_LIMIT, p->in))
        return false;
    if (strchr(line, '\n') || strlen(line) + 1 < LINE_LIMIT)
        return true;
    int c;
    while ((c = getc(p->in)) != EOF && c != '\n') {
    }
    line[0] = '\0';
    plain_say(p, "That line is too long.");
    return true;
}

static bool begin(struct plain *p, const struct app_start *start, struct error *err)
{
    if (!start->in_lesson) {
        say_list(p);
        return true;
    }
    if ((start->watch && plain_watch(p, err) != 0) || !open_lesson(p, start->lesson, err))
        return false;
    if (start->seeded)
        session_set_seed(&p->session, start->seed);
    if (start->step)
        session_goto(&p->session, start->step);
    plain_open_page(p);
    return true;
}

int plain_run(struct tutor *tutor, const struct app_start *start, FILE *in, FILE *out, int *status, struct error *err)
{
    struct plain p = {.tutor = tutor, .in = in, .out = out, .course = start->course, .selected = SIZE_MAX};
    char line[LINE_LIMIT];
    int result = 0;
    *status = 0;
    if (!begin(&p, start, err)) {
        reload_close(p.reload);
        return -1;
    }
    while (!p.quit) {
        say_trouble(&p);
        fputs("> ", out);
        if (fflush(out) != 0)
            break;
        if (!read_line(&p, line)) {
            if (ferror(in))
                result = error_set(err, "normtutor: standard input: %s", strerror(errno));
            fputc('\n', out);
            break;
        }
        struct command command = command_read(line);
        obey(&p, &command);
    }
    close_lesson(&p);
    reload_close(p.reload);
    review_free(&p.review);
    if (fflush(out) != 0 || ferror(out))
        *status = 1;
    return result;
}
