#include "app/notes_page.h"

#include <string.h>
#include <time.h>

#include "base/language.h"
#include "ui/flow.h"
#include "ui/markdown.h"

enum { DATE_SIZE = 32 };

static const char *date(char out[DATE_SIZE], int64_t when)
{
    struct tm day;
    time_t at = (time_t)when;
    if (!localtime_r(&at, &day) || strftime(out, DATE_SIZE, "%Y-%m-%d", &day) == 0)
        out[0] = '\0';
    return out;
}

static void paragraph(struct strbuf *out)
{
    strbuf_add(out, out->length ? "\n\n" : "");
}

void notes_add_course(struct strbuf *out, const struct course *course, const struct rows *rows, int64_t now)
{
    char day[DATE_SIZE];
    size_t done = 0;
    for (size_t i = 0; i < rows->count; i++)
        done += rows->row[i].done;
    paragraph(out);
    strbuf_add(out, "# ");
    markdown_literal(out, course_title(course));
    if (*course_origin(course)) {
        paragraph(out);
        markdown_literal(out, course_origin(course));
    }
    paragraph(out);
    strbuf_addf(out, _("Notes of %s: %zu of %zu lessons done."), date(day, now), done, rows->count);
}

void notes_add_lesson(struct strbuf *out, const struct course_row *row, const char *trouble)
{
    paragraph(out);
    strbuf_addf(out, "## %d. ", row->number);
    markdown_literal(out, row->title);
    paragraph(out);
    if (*trouble) {
        strbuf_add(out, _("The lesson's own words cannot be had now: "));
        markdown_literal(out, trouble);
        return;
    }
    if (row->done)
        strbuf_add(out, _("Done: "));
    strbuf_addf(out, _("%zu of %zu steps seen, %zu of %zu questions settled%s."), row->seen, row->steps, row->settled, row->questions, "");
}

void notes_add_remember(struct strbuf *out, const struct scene_lesson *lesson)
{
    if (*lesson->remember) {
        notes_add_heading(out, _("What to remember"));
        paragraph(out);
        markdown_write(out, lesson->remember, "");
    }
    for (size_t i = 0; i < lesson->sources.count; i++) {
        strbuf_add(out, i ? "\n" : "\n\n");
        strbuf_addf(out, "- %s", _("Source: "));
        markdown_literal(out, lesson->sources.item[i]);
    }
}

void notes_add_heading(struct strbuf *out, const char *title)
{
    struct strbuf words = {0};
    markdown_plain(&words, title);
    paragraph(out);
    strbuf_add(out, "### ");
    markdown_literal(out, strbuf_string(&words));
    strbuf_free(&words);
}

static void add_options(struct strbuf *out, const struct scene_question *question)
{
    for (size_t i = 0; i < question->option_count; i++) {
        strbuf_addf(out, i ? "\n> %zu. " : "\n>\n> %zu. ", i + 1);
        markdown_write(out, question->options[i].text, ">    ");
    }
}

void notes_add_question(struct strbuf *out, const struct store_given *given, bool again, const struct scene_step *step, const char *trouble)
{
    char day[DATE_SIZE];
    paragraph(out);
    strbuf_add(out, "*");
    strbuf_addf(out, given->attempt >= STORE_REVIEW ? _("%s, in review") : again ? _("%s, with other numbers") : "%s", date(day, given->time));
    strbuf_add(out, "*");
    paragraph(out);
    if (!step) {
        markdown_literal(out, trouble);
        return;
    }
    strbuf_add(out, "> ");
    markdown_write(out, step->text, "> ");
    add_options(out, step->question);
}

static bool add_answered(struct strbuf *out, const struct store_given *given, enum step_kind kind, const struct scene_question *question)
{
    if (kind == STEP_CODE) {
        strbuf_add(out, _("Your program"));
        return true;
    }
    if (question && question->option_count > 0 && *question->said)
        return markdown_write(out, question->said, "  ");
    markdown_code(out, given->answer);
    return true;
}

static void add_program(struct strbuf *out, const char *text, const char *indent)
{
    strbuf_addf(out, "\n\n%s", indent);
    markdown_listing(out, text, indent);
}

void notes_add_answer(struct strbuf *out, const struct store_given *given, enum step_kind kind, const struct scene_question *question,
                      bool first, bool program)
{
    strbuf_add(out, first ? "\n\n- " : "\n- ");
    if (given->verdict == STORE_GIVEN_UP) {
        strbuf_add(out, _("You had the answer shown to you."));
        return;
    }
    if (!add_answered(out, given, kind, question))
        strbuf_add(out, "\n\n  ");
    if (given->sure >= 1 && given->sure <= 3)
        strbuf_addf(out, " (%s)", _(sure_words[given->sure]));
    strbuf_addf(out, ": %s", given->verdict == STORE_RIGHT ? _("**Right.**") : _("**Wrong.**"));
    bool judged_so = question && (question->verdict == VERDICT_RIGHT) == (given->verdict == STORE_RIGHT);
    const char *say = *given->said ? given->said : judged_so ? question->say : "";
    if (*say)
        markdown_go_on(out, say, "  ");
    if (program)
        add_program(out, given->answer, "  ");
}

void notes_add_end(struct strbuf *out, const struct scene_question *question, bool right)
{
    if (!right && question->code) {
        paragraph(out);
        strbuf_add(out, _("One that does it right:"));
        add_program(out, question->code->text, "");
    } else if (!right && *question->answer) {
        struct strbuf words = {0};
        strbuf_addf(&words, _("The answer: **%s**"), question->answer);
        paragraph(out);
        markdown_write(out, strbuf_string(&words), "");
        strbuf_free(&words);
    }
    if (*question->why) {
        paragraph(out);
        markdown_write(out, question->why, "");
    }
}
