/* In plain lines: the learner's program. */
#include <stdlib.h>
#include <unistd.h>

#include "app/editor.h"
#include "app/plain.h"
#include "base/clock.h"
#include "base/language.h"
#include "base/strbuf.h"

bool plain_open_work(struct plain *p)
{
    struct error err = {0};
    char *root = tutor_work(p->tutor);
    enum work_news news = work_open(&p->work, root, &p->session, clock_ms(), &err);
    free(root);
    if (news == WORK_SAY)
        plain_say(p, err.text);
    return news == WORK_SEND;
}

static void take_news(struct plain *p, enum work_news news, const struct error *err)
{
    if (err->text[0])
        plain_say(p, err->text);
    if (news == WORK_SEND)
        plain_judged(p);
}

static enum work_news probe(struct plain *p, bool only_changed)
{
    struct error err = {0};
    enum work_news news = work_probe(p->work, &p->session, only_changed, &err);
    take_news(p, news, &err);
    return news;
}

static void edit(struct plain *p)
{
    struct error err = {0};
    struct strbuf line = {0};
    const char *path = work_path(p->work);
    if (!path) {
        probe(p, true); /* which says why there is none */
        return;
    }
    if (!isatty(fileno(p->in)) || !isatty(fileno(p->out)))
        strbuf_addf(&line, _("There is no terminal for an editor here. Your program is %s: change it there, then say probes."), path);
    else if (fflush(p->out) == 0 && editor_run(path, &err) != 0)
        strbuf_addf(&line, _("%s. Any editor will do for %s: save it, then say probes."), err.text, path);
    if (line.length > 0)
        plain_say(p, strbuf_string(&line));
    if (probe(p, true) == WORK_NOTHING && line.length == 0)
        plain_say(p, "The file is as it was. Once it is saved, say probes.");
    strbuf_free(&line);
}

static void start_over(struct plain *p)
{
    struct error err = {0};
    bool offered = p->offered == VERB_START_OVER;
    p->offered = offered ? VERB_NOTHING : VERB_START_OVER;
    if (offered)
        take_news(p, work_start_over(p->work, &p->session, &err), &err);
    else
        plain_say(p, "start over once more writes the program anew, as it was at the start; your text is kept beside it.");
}

void plain_do_program(struct plain *p, enum verb verb)
{
    if (!p->work)
        plain_say(p, "There is no program to mend here.");
    else if (verb == VERB_EDIT)
        edit(p);
    else if (verb == VERB_PROBES)
        probe(p, false);
    else
        start_over(p);
}
