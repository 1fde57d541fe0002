/* In plain lines: the questions that are due, one after the other. */
#include "app/plain.h"
#include "base/language.h"
#include "base/strbuf.h"

static void open_item(struct plain *p, size_t at)
{
    struct review_item *item = &p->review.items[at];
    struct session session;
    struct error err = {0};
    if (tutor_may_run(p->tutor, p->course, &err) != 0 ||
        session_open_review(&session, p->course, item->lesson, item->step, !item->opened, p->tutor->store, &err) != 0) {
        plain_say(p, err.text);
        return;
    }
    item->opened = true;
    p->review.at = at;
    plain_show(p, &session);
    plain_open_page(p);
}

static bool make(struct plain *p)
{
    struct error err = {0};
    review_free(&p->review);
    if (tutor_learn(p->tutor, p->course, true, &err) == 0 &&
        review_make(&p->review, p->course, p->tutor->store, review_clock(), &err) == 0)
        return true;
    plain_say(p, err.text);
    return false;
}

static void say(struct plain *p, const char *before)
{
    struct strbuf words = {0};
    strbuf_add(&words, before);
    review_say(&p->review, &words);
    plain_say(p, strbuf_string(&words));
    strbuf_free(&words);
}

void plain_begin_review(struct plain *p)
{
    if (!make(p))
        return;
    if (p->review.count == 0)
        say(p, "");
    else
        open_item(p, 0);
}

void plain_go_review(struct plain *p, int by)
{
    if (by < 0 && p->review.at == 0) {
        plain_say(p, "This is the first question of this review. list leaves it.");
    } else if (by > 0 && p->review.at + 1 >= p->review.count) {
        plain_list(p);
        if (make(p))
            say(p, _("That was the last one. "));
    } else {
        open_item(p, by < 0 ? p->review.at - 1 : p->review.at + 1);
    }
}
