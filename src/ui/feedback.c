#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "ui/flow.h"
#include "ui/markdown.h"

static void add_marked(struct flow *flow, int columns, enum style style, const char *mark, const char *words)
{
    int row = markdown_add(&flow->text, 2, columns, words);
    if (row >= flow->text.rows)
        row = sheet_row(&flow->text);
    sheet_put(&flow->text, 0, row, style, mark);
}

static void add_words(struct flow *flow, int columns, const char *words)
{
    if (*words)
        markdown_add(&flow->text, 2, columns, words);
}

static void add_joined(struct flow *flow, int columns, enum style style, const char *mark, const char *first,
                       const char *second)
{
    struct strbuf words = {0};
    strbuf_addf(&words, "%s%s%s", first, *first && *second ? " " : "", second);
    flow->text.failed |= words.failed;
    add_marked(flow, columns, style, mark, strbuf_string(&words));
    strbuf_free(&words);
}

/* "You said: both, alike (I think so)." */
static void add_said(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    bool listed = (question->several || screen->scene->step->kind == STEP_ORDER) && !question->final; /* above */
    if (listed || !*question->said || (question->predict == PREDICT_NO && !question->option_count))
        return;
    struct strbuf words = {0};
    strbuf_addf(&words, _("You said: %.*s"), said_length(question->said), question->said);
    if (question->predict != PREDICT_NO && screen->sure >= 1 && screen->sure <= 3)
        strbuf_addf(&words, " *(%s)*", _(sure_words[screen->sure]));
    strbuf_add(&words, ".");
    flow->text.failed |= words.failed;
    markdown_add(&flow->text, 0, columns, strbuf_string(&words));
    strbuf_free(&words);
}

static void add_comparison(struct flow *flow, int columns, const char *name, const char *words)
{
    if (!*words)
        return;
    size_t length = strlen(name);
    bool named = strncmp(words, name, length) == 0;
    int row = sheet_text(&flow->text, 9, columns, STYLE_PLAIN,
                         named ? words + length + strspn(words + length, " :") : words);
    sheet_put(&flow->text, 2, row, STYLE_DIM, name);
}

static void add_answer(struct flow *flow, const struct scene_question *question, int columns)
{
    if (!*question->answer)
        return;
    struct strbuf words = {0};
    strbuf_addf(&words, _("The answer: **%s**"), question->answer);
    flow->text.failed |= words.failed;
    add_words(flow, columns, strbuf_string(&words));
    strbuf_free(&words);
}

static void add_unread(struct flow *flow, const struct scene_question *question, int columns)
{
    if (!question->code) {
        add_joined(flow, columns, STYLE_NOTICE, "–",
                   *question->say ? question->say : _("That could not be read."), _("*It did not count.*"));
        return;
    }
    add_marked(flow, columns, STYLE_NOTICE, "–",
               *question->say ? question->say : _("The program could not be run."));
    sheet_text(&flow->text, 2, columns, STYLE_EMPHASIS, _("It did not count."));
}

static void add_verdict(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    switch (question->verdict) {
    case VERDICT_RIGHT:
        add_said(flow, screen, columns);
        add_joined(flow, columns, STYLE_RIGHT, "✓", _("**Right.**"), question->say);
        break;
    case VERDICT_WRONG:
        add_said(flow, screen, columns);
        add_marked(flow, columns, STYLE_WRONG, "✗", *question->say ? question->say : _("That is not it."));
        add_comparison(flow, columns, _("Yours"), question->yours);
        add_comparison(flow, columns, _("Asked"), question->asked);
        break;
    case VERDICT_UNREAD:
        add_unread(flow, question, columns);
        break;
    case VERDICT_NONE:
        break;
    }
    if (!question->final)
        return;
    if (question->verdict != VERDICT_RIGHT && !question->code) /* a program stands above, as a listing */
        add_answer(flow, question, columns);
    if (*question->why) {
        sheet_gap(&flow->text);
        add_words(flow, columns, question->why);
    }
}

static void add_hints(struct flow *flow, const struct scene_question *question, int columns)
{
    for (size_t i = 0; i < question->hints.count; i++) {
        char name[32];
        snprintf(name, sizeof name, _("Hint %zu"), i + 1);
        int indent = sheet_width(&flow->text, name) + 2;
        int row = markdown_add(&flow->text, indent, columns, question->hints.item[i]);
        sheet_put(&flow->text, 0, row, STYLE_NOTICE, name);
    }
}

void feedback_add(struct flow *flow, const struct lesson_screen *screen, int columns)
{
    const struct scene_question *question = screen->scene->step->question;
    if (question->verdict == VERDICT_NONE && !question->final && !question->hints.count)
        return;
    int first = flow->text.rows;
    if (flow->field.rows)
        sheet_row(&flow->text); /* between the answer's line and what is said about it */
    else
        sheet_gap(&flow->text);
    if (question->verdict != VERDICT_NONE || question->final) {
        add_verdict(flow, screen, columns);
        if (question->hints.count && !question->final)
            sheet_gap(&flow->text);
    }
    if (!question->final)
        add_hints(flow, question, columns);
    flow->follow_from = first + 1;
    flow->follow_to = flow->text.rows;
}
