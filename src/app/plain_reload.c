/* In plain lines: a lesson that its author is writing, loaded again while a line is awaited. */
#include <poll.h>
#include <string.h>

#include "app/plain.h"
#include "base/clock.h"

int plain_watch(struct plain *p, struct error *err)
{
    setvbuf(p->in, NULL, _IONBF, 0); /* or lines would wait where poll does not see them */
    return reload_open(&p->reload, p->course, clock_ms(), err);
}

static void show_again(struct plain *p, const char *step)
{
    plain_say(p, "Saved, and loaded again.");
    if (!p->in_lesson)
        return;
    work_close(&p->work); /* what the learner begins with may be another program */
    if (strcmp(step, p->session.step) != 0)
        desk_clear(&p->desk);
    if (plain_refresh(p))
        plain_say_scene(p, plain_lesson);
}

static void look(struct plain *p)
{
    const char *step = p->in_lesson ? p->session.step : "";
    enum reload_news news = reload_look(p->reload, p->tutor, p->in_lesson ? &p->session : NULL, clock_ms());
    if (news == RELOAD_NOTHING)
        return;
    fputc('\n', p->out);
    if (news == RELOAD_DONE)
        show_again(p, step);
    else
        plain_say(p, reload_trouble(p->reload));
    fputs("> ", p->out);
    fflush(p->out);
}

void plain_wait(struct plain *p)
{
    struct pollfd fds[] = {{.fd = fileno(p->in), .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    while (p->reload && !fds[0].revents) {
        int64_t left = reload_due(p->reload) - clock_ms();
        fds[1].fd = reload_fd(p->reload);
        if (poll(fds, sizeof fds / sizeof fds[0], left < 0 ? 0 : (int)left) < 0)
            continue;
        reload_take(p->reload, clock_ms());
        if (!fds[0].revents)
            look(p);
    }
}
