/* In plain lines: answers, hints, and what is said of them. */
#include <ctype.h>
#include <string.h>
#include <wctype.h>

#include "app/assign.h"
#include "app/plain.h"
#include "base/language.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "scene/picks.h"
#include "ui/plain_say.h"

bool plain_judged(struct plain *p)
{
    struct strbuf before = {0}, after = {0};
    plain_write_scene(p, &before, plain_seen);
    bool there = plain_refresh(p);
    if (there) {
        plain_say_scene(p, plain_verdict);
        plain_write_scene(p, &after, plain_seen);
        if (strcmp(strbuf_string(&before), strbuf_string(&after)) != 0)
            plain_say_scene(p, plain_seen);
    }
    strbuf_free(&before);
    strbuf_free(&after);
    return there;
}

/* ---- options by their words ---- */

/* As they sound: no capitals, one blank between words, none of Markdown's signs. */
static void sound(struct strbuf *out, const char *words)
{
    struct strbuf said = {0};
    say_words(&said, words);
    const char *text = strbuf_string(&said);
    size_t length = strlen(text);
    while (length > 0 && (isspace((unsigned char)text[length - 1]) || text[length - 1] == '.'))
        length--;
    while (length > 0) {
        uint32_t rune;
        char bytes[4];
        size_t took = utf8_decode(text, length, &rune);
        bool blank = rune < 0x80 && isspace((int)rune);
        if (!blank)
            strbuf_addn(out, bytes, utf8_encode(bytes, (uint32_t)towlower((wint_t)rune)));
        else if (out->length > 0 && out->text[out->length - 1] != ' ')
            strbuf_add(out, " ");
        text += took;
        length -= took;
    }
    out->failed |= said.failed;
    strbuf_free(&said);
}

/* The option with which `text` begins, by its words, the longest; the bytes it takes in *length. */
static size_t option_first(const struct scene_question *question, const char *text, size_t *length)
{
    size_t found = question->option_count;
    *length = 0;
    for (size_t i = 0; i < question->option_count; i++) {
        struct strbuf words = {0};
        sound(&words, question->options[i].text);
        size_t size = words.length;
        if (size > *length && strncmp(text, strbuf_string(&words), size) == 0 && (!text[size] || strchr(" ,;", text[size]))) {
            found = i;
            *length = size;
        }
        strbuf_free(&words);
    }
    return found;
}

/* The ids of the options whose words `text` consists of; false: of something else too, or of nothing. */
static bool options_said(const struct scene_question *question, const char *text, struct strbuf *ids)
{
    for (text += strspn(text, " ,;"); *text; text += strspn(text, " ,;")) {
        size_t length, option = option_first(question, text, &length);
        if (option == question->option_count) { /* a number, or an id, among words */
            length = strcspn(text, " ,;");
            option = option_find(question->options, question->option_count, text, length);
        }
        if (option == question->option_count)
            return false;
        strbuf_addf(ids, "%s%s", ids->length ? " " : "", question->options[option].id);
        text += length;
    }
    return ids->length > 0;
}

const char *plain_option(struct plain *p, const char *text)
{
    const struct scene_step *step = session_step(&p->session);
    const struct scene_question *question = step ? step->question : NULL;
    const char *known = session_option(&p->session, text);
    if (!question || !question->option_count || known != text ||
        option_find(question->options, question->option_count, text, strlen(text)) < question->option_count)
        return known;
    struct strbuf said = {0}, ids = {0};
    sound(&said, text);
    bool several = question->several || step->kind == STEP_ORDER;
    if (options_said(question, strbuf_string(&said), &ids) && !ids.failed && (several || !strchr(strbuf_string(&ids), ' '))) {
        const char *kept = words_keep(p->session.words, strbuf_string(&ids));
        known = kept ? kept : text;
    }
    strbuf_free(&said);
    strbuf_free(&ids);
    return known;
}

/* ---- commands ---- */

void plain_answer(struct plain *p, const char *text)
{
    struct error err = {0};
    if (!*text) {
        plain_say(p, "answer what? Type the answer after the word.");
        return;
    }
    if (p->work) {
        plain_say(p, "The answer is your program. edit opens it; probes probes it as it is.");
        return;
    }
    text = plain_option(p, text);
    if (session_open_question(&p->session) && session_judged(&p->session, text)) {
        plain_say(p, "That is the answer just judged.");
        return;
    }
    if (session_answer(&p->session, text, p->desk.sure, &err) != 0)
        plain_say(p, err.text);
    else
        plain_judged(p);
}

void plain_give_up(struct plain *p)
{
    if (!session_give_up(&p->session))
        plain_say(p, "There is no open question here.");
    else
        plain_judged(p);
}

void plain_hint_more(struct plain *p)
{
    bool offered = p->offered == VERB_HINT;
    p->offered = VERB_NOTHING;
    switch (session_hint(&p->session)) {
    case HINT_OPENED:
        if (plain_refresh(p))
            plain_say_scene(p, plain_hint);
        break;
    case HINT_LAST:
        if (offered) {
            plain_give_up(p);
        } else {
            p->offered = VERB_HINT;
            plain_say(p, p->session.inputs.hints > 0 ? N_("That was the last hint. hint once more shows the answer.")
                                               : N_("This question has no hints. hint once more shows the answer."));
        }
        break;
    case HINT_NONE: plain_say(p, "There is nothing to give a hint about here."); break;
    }
}

void plain_sure(struct plain *p, const char *text)
{
    double number;
    const struct scene_step *step = session_step(&p->session);
    if (!step || !session_open_question(&p->session) || step->question->predict == PREDICT_NO) {
        plain_say(p, "There is no open prediction here.");
    } else if (number_read(text, &number) && (number == 1 || number == 2 || number == 3)) {
        p->desk.sure = (uint32_t)number;
        plain_say(p, "Noted. Now the answer.");
    } else {
        plain_say(p, "sure takes 1 (a guess), 2 (I think so) or 3 (certain).");
    }
}

void plain_hints_open(struct plain *p)
{
    const struct scene_question *question = session_question(&p->session);
    if (!question || question->hints.count == 0)
        plain_say(p, "No hint is open here; hint opens one where there is a question.");
    else
        plain_say_scene(p, plain_hints);
}
