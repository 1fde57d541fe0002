#include <string.h>

#include "base/language.h"
#include "base/visible.h"
#include "ui/flow.h"
#include "ui/knobs.h"
#include "ui/markdown.h"
#include "ui/plain_say.h"
#include "ui/view.h"

void say_text(struct strbuf *out, const char *text)
{
    size_t length = strlen(text);
    while (length) {
        uint32_t rune;
        size_t took = utf8_decode(text, length, &rune);
        rune = rune == '\n' ? rune : visible_rune(rune == '\t' ? ' ' : rune);
        const char *words = glyph_spoken(rune, length > took ? text[took] : '\0');
        char bytes[4];
        if (words)
            strbuf_add(out, words);
        else
            strbuf_addn(out, bytes, utf8_encode(bytes, rune));
        text += took;
        length -= took;
    }
}

void say_words(struct strbuf *out, const char *words)
{
    struct strbuf text = {0};
    markdown_plain(&text, words);
    out->failed |= text.failed;
    say_text(out, strbuf_string(&text));
    strbuf_free(&text);
}

static void say_line(struct strbuf *out, const char *name, const char *words)
{
    if (!*words)
        return;
    strbuf_add(out, name);
    say_words(out, words);
    strbuf_add(out, "\n");
}

void plain_ascii(struct strbuf *out, const char *text)
{
    size_t length = strlen(text);
    while (length) {
        uint32_t rune;
        size_t took = utf8_decode(text, length, &rune);
        if (rune < 0x80) {
            strbuf_addn(out, text, 1);
        } else if (utf8_width(rune) > 0) {
            const char *words = glyph_stand_in(rune, length > took ? text[took] : '\0');
            strbuf_add(out, words ? words : "?");
        }
        text += took;
        length -= took;
    }
}

/* ---- question, feedback ---- */

static void say_program(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_question *question = screen->scene->step->question;
    bool given = question->final && question->verdict != VERDICT_RIGHT;
    say_code(out, given ? _("The answer, a program that does it right") : question->code->name, question->code->text,
             question->code->error_line);
    if (!screen->code_path)
        return;
    if (!*screen->code_path) {
        strbuf_add(out, _("No file can be written here, so the program can be read alone.\n"));
        return;
    }
    strbuf_add(out, given ? _("Your own program is as you left it. File: ") : _("File: "));
    visible_add(out, screen->code_path, false);
    strbuf_add(out, question->final ? "\n" : _("\nChange it with an editor, then type \"probes\".\n"));
}

static void say_question(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_question *question = screen->scene->step->question;
    for (size_t i = 0; i < question->option_count; i++) {
        strbuf_addf(out, "%zu. ", i + 1);
        say_words(out, question->options[i].text);
        strbuf_add(out, "\n");
    }
    if (question->code)
        say_program(out, screen);
    if (question->final)
        return;
    if (question->predict != PREDICT_NO)
        strbuf_add(out, _("This is a prediction: you answer once, then see. How sure are you: 1 a guess, 2 I "
                        "think so, 3 certain. It is taken as 2 unless you say sure 1 or sure 3 before.\n"));
    if (*question->expects) {
        strbuf_add(out, _("Expected: "));
        say_text(out, question->expects);
        strbuf_add(out, ".\n");
    }
    if (question->allow.count) {
        strbuf_addf(out, "%s", language_count("You may use the name ", "You may use the names ", question->allow.count));
        for (size_t i = 0; i < question->allow.count; i++) {
            strbuf_add(out, i ? ", " : "");
            say_text(out, question->allow.item[i]);
        }
        strbuf_add(out, ".\n");
    }
}

static void say_verdict(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_question *question = screen->scene->step->question;
    if (question->verdict != VERDICT_NONE && *question->said && !question->code) {
        struct strbuf said = {0};
        strbuf_addn(&said, question->said, (size_t)said_length(question->said));
        strbuf_add(out, _("You said: "));
        say_words(out, strbuf_string(&said));
        strbuf_free(&said);
        if (question->predict != PREDICT_NO && screen->sure >= 1 && screen->sure <= 3)
            strbuf_addf(out, " (%s)", _(sure_words[screen->sure]));
        strbuf_add(out, ".\n");
    }
    if (question->verdict == VERDICT_RIGHT)
        strbuf_add(out, _("Right.\n"));
    else if (question->verdict == VERDICT_WRONG)
        say_line(out, _("Wrong: "), *question->say ? question->say : _("that is not it."));
    else if (question->verdict == VERDICT_UNREAD)
        say_line(out,
                 question->code ? _("Could not run it, so it did not count. ")
                                : _("Could not read that, so it did not count. "),
                 *question->say   ? question->say
                 : question->code ? _("Please change it.")
                                  : _("Please type it again."));
    if (question->verdict == VERDICT_RIGHT)
        say_line(out, "", question->say);
    if (question->verdict == VERDICT_WRONG) {
        say_line(out, strncmp(question->yours, "Yours", 5) ? _("Yours: ") : "", question->yours);
        say_line(out, strncmp(question->asked, "Asked", 5) ? _("Asked: ") : "", question->asked);
    }
}

static void say_hints(struct strbuf *out, const struct scene_question *question, size_t first)
{
    for (size_t i = first; i < question->hints.count; i++) {
        strbuf_addf(out, _("Hint %zu of %u: "), i + 1, question->hint_total);
        say_line(out, "", question->hints.item[i]);
    }
}

static void say_why(struct strbuf *out, const struct scene_question *question)
{
    if (!question->final)
        return;
    if (question->verdict != VERDICT_RIGHT && !question->code)
        say_line(out, _("The answer: "), question->answer);
    say_line(out, "", question->why);
}

static const struct scene_question *question_of(const struct lesson_screen *screen)
{
    return screen->scene && screen->scene->step ? screen->scene->step->question : NULL;
}

static void say_feedback(struct strbuf *out, const struct lesson_screen *screen, bool verdict)
{
    const struct scene_question *question = question_of(screen);
    if (!question)
        return;
    if (verdict)
        say_verdict(out, screen);
    if (!question->final)
        say_hints(out, question, 0);
    say_why(out, question);
}

void plain_feedback(struct strbuf *out, const struct lesson_screen *screen)
{
    say_feedback(out, screen, true);
}

void plain_verdict(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_question *question = question_of(screen);
    if (!question)
        return;
    say_verdict(out, screen);
    if (question->code && question->final && question->verdict != VERDICT_RIGHT)
        say_program(out, screen);
    say_why(out, question);
}

void plain_hints(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_question *question = question_of(screen);
    if (question)
        say_hints(out, question, 0);
}

void plain_hint(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_question *question = question_of(screen);
    if (question && question->hints.count)
        say_hints(out, question, question->hints.count - 1);
}

static void say_commands(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_step *step = screen->scene ? screen->scene->step : NULL;
    strbuf_add(out, _("Commands: "));
    if (screen->page != PAGE_STEP || !step) {
        strbuf_add(out, screen->page == PAGE_GOAL ? "next, help, quit\n" : "next, back, help, quit\n");
        return;
    }
    const struct scene_question *question = step->question;
    strbuf_add(out, screen->review_count && screen->review_at == 1 ? "next" : "next, back");
    if (question && !question->final) {
        bool predict = question->predict != PREDICT_NO, file = screen->code_path && *screen->code_path;
        strbuf_add(out, question->several || step->kind == STEP_ORDER ? _(", answer NUMBERS")
                        : step->kind == STEP_CHOICE                    ? _(", answer NUMBER")
                        : step->kind != STEP_CODE ? ", answer ..."
                        : file                    ? ", edit, probes, start over"
                                                  : "");
        strbuf_add(out, predict                                     ? _(", sure 1 to 3")
                        : screen->hints_open < question->hint_total ? ", hint"
                                                                    : _(", hint (shows the answer)"));
    }
    if (question)
        strbuf_add(out, ", new");
    for (size_t i = 0; i < step->knob_count && !step->locked; i++) {
        strbuf_add(out, ", ");
        say_text(out, step->knobs[i].name);
        strbuf_add(out, _(" VALUE"));
    }
    for (size_t i = 0; i < step->axis_count && !step->locked; i++) {
        strbuf_add(out, ", ");
        say_text(out, step->axes[i].name);
        strbuf_add(out, " N");
    }
    if (step->branches && !step->locked)
        strbuf_add(out, ", off N, on N");
    for (size_t i = 0; i < step->editable_count && !step->locked; i++) {
        strbuf_add(out, ", ");
        say_text(out, step->editables[i].name);
        for (int axis = 0; axis < step->editables[i].rank; axis++)
            strbuf_add(out, axis ? "[M]" : "[N]");
        strbuf_add(out, _(" = VALUE"));
    }
    if (view_stages(step->view) > 0)
        strbuf_add(out, ", stage N");
    strbuf_add(out, step->view ? ", view" : "");
    strbuf_add(out, screen->review_count ? ", list, help, quit\n" : ", help, quit\n");
}

/* A program that does not run fails every probe: its error is said once, with the verdict. */
static bool view_tells(const struct scene_step *step)
{
    const struct scene_question *question = step->question;
    return step->view && !(question && question->code && question->verdict == VERDICT_UNREAD);
}

void plain_seen(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_step *step = screen->scene ? screen->scene->step : NULL;
    if (!step)
        return;
    if (view_tells(step))
        say_view(out, step->view, false);
    say_knobs(out, step);
}

static void say_whole(struct strbuf *out, const struct lesson_screen *screen, bool all)
{
    const struct scene_step *step = screen->scene ? screen->scene->step : NULL;
    if (!step)
        return;
    if (view_tells(step))
        say_view(out, step->view, all);
    else if (step->view)
        say_verdict(out, screen);
    say_knobs(out, step);
}

void plain_view(struct strbuf *out, const struct lesson_screen *screen)
{
    say_whole(out, screen, false);
}

void plain_view_all(struct strbuf *out, const struct lesson_screen *screen)
{
    say_whole(out, screen, true);
}

static void say_named(struct strbuf *out, const char *format, const char *what)
{
    struct strbuf line = {0};
    strbuf_addf(&line, format, what);
    out->failed |= line.failed;
    say_text(out, strbuf_string(&line));
    strbuf_add(out, "\n");
    strbuf_free(&line);
}

void plain_about(struct strbuf *out, const struct course_about *about)
{
    if (*about->rights)
        say_named(out, _("This course is %s."), about->rights);
    if (*about->report)
        say_named(out, "%s", about->report);
    if (*about->place) { /* as it is to be typed */
        struct strbuf line = {0};
        strbuf_addf(&line, _("Its files are in %s."), about->place);
        visible_add(out, strbuf_string(&line), false);
        strbuf_add(out, "\n");
        strbuf_free(&line);
    }
    for (size_t i = 0; i < about->sources.count; i++)
        say_named(out, _("Source: %s"), about->sources.item[i]);
}

static void end_sentence(struct strbuf *out, const char *text)
{
    strbuf_add(out, *text && !strchr(".?!", text[strlen(text) - 1]) ? "." : "");
}

static void say_heading(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene *scene = screen->scene;
    if (screen->review_count)
        strbuf_addf(out, _("Review %zu of %zu. "), screen->review_at, screen->review_count);
    if (screen->number)
        strbuf_addf(out, _("Lesson %d"), screen->number);
    else
        strbuf_add(out, _("Lesson"));
    if (scene && scene->lesson) {
        strbuf_add(out, screen->number ? ", " : " ");
        say_text(out, scene->lesson->title);
        end_sentence(out, scene->lesson->title);
    } else {
        strbuf_add(out, ".");
    }
    if (screen->page == PAGE_STEP && scene && scene->step && scene->lesson) {
        const char *title = flow_step_title(scene);
        if (screen->review_count)
            strbuf_add(out, *title ? " " : "");
        else
            strbuf_addf(out, _(" Step %zu of %zu%s"), scene->step->index + 1, scene->lesson->step_count,
                        *title ? ": " : ".");
        say_text(out, title);
        end_sentence(out, title);
    }
    strbuf_add(out, "\n");
}

static void say_open_steps(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene_lesson *lesson = screen->scene->lesson;
    size_t said = 0, first = 0;
    for (size_t i = 0; screen->settled && i < lesson->step_count; i++) {
        if (lesson->steps[i].kind == STEP_TELL || screen->settled[i])
            continue;
        strbuf_addf(out, "%s%zu", said++ ? ", " : _("Questions still open, by their steps: "), i + 1);
        first = first ? first : i + 1;
    }
    if (said)
        strbuf_addf(out, _(". \"step %zu\" goes to one.\n"), first);
}

void plain_lesson(struct strbuf *out, const struct lesson_screen *screen)
{
    const struct scene *scene = screen->scene;
    say_heading(out, screen);
    if (screen->notice && *screen->notice) {
        strbuf_add(out, _("Notice: "));
        say_text(out, screen->notice);
        strbuf_add(out, "\n");
    }
    if (scene && scene->error) {
        strbuf_add(out, _("Error: "));
        say_text(out, scene->error);
        strbuf_add(out, "\n");
    }
    if (scene && scene->lesson && screen->page == PAGE_GOAL) {
        say_line(out, "", *scene->lesson->goal ? scene->lesson->goal : scene->lesson->about);
        if (scene->lesson->minutes > 0)
            strbuf_addf(out, _("About %.0f minutes.\n"), scene->lesson->minutes);
    } else if (scene && scene->lesson && screen->page == PAGE_END) {
        say_line(out, _("What to remember:\n"), scene->lesson->remember);
        for (size_t i = 0; i < scene->lesson->sources.count; i++) {
            strbuf_add(out, _("Source: "));
            say_text(out, scene->lesson->sources.item[i]);
            strbuf_add(out, "\n");
        }
        if (screen->about.rights)
            plain_about(out, &screen->about);
        say_open_steps(out, screen);
        if (screen->next_title && *screen->next_title) {
            strbuf_add(out, _("Next lesson: "));
            say_text(out, screen->next_title);
            end_sentence(out, screen->next_title);
            strbuf_add(out, "\n");
        }
    } else if (scene && scene->step) {
        bool broken = scene->step->view && !view_tells(scene->step);
        if (broken)
            say_verdict(out, screen);
        say_line(out, "", scene->step->text);
        if (view_tells(scene->step))
            say_view(out, scene->step->view, false);
        say_knobs(out, scene->step);
        if (scene->step->question) {
            say_question(out, screen);
            say_feedback(out, screen, !broken);
        }
    }
    say_commands(out, screen);
}

void plain_course(struct strbuf *out, const struct course_screen *screen)
{
    size_t done = 0;
    for (size_t i = 0; i < screen->row_count; i++)
        done += screen->rows[i].done;
    say_text(out, screen->title);
    strbuf_addf(out, _(". %zu of %zu lessons done.\n"), done, screen->row_count);
    if (screen->origin && *screen->origin) {
        say_text(out, screen->origin);
        strbuf_add(out, ".\n");
    }
    if (screen->notice && *screen->notice) {
        strbuf_add(out, _("Notice: "));
        say_text(out, screen->notice);
        strbuf_add(out, "\n");
    }
    for (size_t i = 0; i < screen->row_count; i++) {
        const struct course_row *row = &screen->rows[i];
        strbuf_addf(out, "%d. ", row->number);
        say_text(out, row->title);
        if (row->error) {
            strbuf_add(out, _(": cannot be loaded: "));
            say_text(out, row->error);
        } else if (row->done) {
            strbuf_add(out, _(": done"));
        } else if (row->settled || row->seen) {
            strbuf_addf(out, _(": %zu of %zu questions settled"), row->settled, row->questions);
            if (row->open && *row->open)
                strbuf_addf(out, language_count(", step %s still open", ", steps %s still open", strchr(row->open, ',') ? 2 : 1), row->open);
        } else if (row->minutes > 0) {
            strbuf_addf(out, _(": about %.0f minutes"), row->minutes);
        }
        if (row->due)
            strbuf_add(out, _(", review due"));
        if (!row->error && !row->done && row->needs && *row->needs) {
            strbuf_add(out, ", ");
            say_text(out, row->needs);
        }
        strbuf_add(out, ".\n");
    }
    strbuf_add(out, _("Commands: NUMBER opens a lesson, "));
    if (screen->due)
        strbuf_addf(out, _("review (%zu due), "), screen->due);
    else if (screen->coming)
        strbuf_add(out, "review, ");
    bool begun = false;
    for (size_t i = 0; i < screen->row_count; i++)
        begun |= screen->rows[i].seen > 0;
    strbuf_add(out, begun ? "notes, help, quit\n" : "help, quit\n");
}
