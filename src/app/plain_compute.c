/* In plain lines: the scratchpad. */
#include "app/plain.h"

static void say_result(struct plain *p, const struct scene *scene)
{
    const struct scene_scratch *scratch = scene->scratch;
    struct strbuf words = {0};
    if (!scratch) {
        plain_say(p, scene->error ? scene->error : "There is nothing to compute with yet.");
        return;
    }
    strbuf_add(&words, scratch->output);
    if (scratch->error[0])
        strbuf_add(&words, scratch->error);
    else if (words.length > 0)
        words.text[words.length - 1] = '\0'; /* plain_say ends the line */
    plain_say(p, strbuf_string(&words));
    strbuf_free(&words);
}

void plain_compute(struct plain *p, const char *text)
{
    struct request request;
    struct scene *scene = NULL;
    struct error err = {0};
    if (!session_step(&p->session)) {
        plain_say(p, "There is nothing to compute with on this page.");
        return;
    }
    if (!*text) {
        plain_say(p, "= what? Type an expression after the sign: = 2/3.");
        return;
    }
    session_request(&p->session, &request);
    request.scratch = text;
    if (tutor_ask(p->tutor, &request, &scene, &err) != 0)
        plain_say(p, err.text);
    else
        say_result(p, scene);
    scene_free(scene);
}
