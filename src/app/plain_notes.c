/* In plain lines: the learner's notes. */
#include "app/notes.h"
#include "app/plain.h"
#include "base/strbuf.h"

void plain_notes(struct plain *p)
{
    struct error err = {0};
    struct strbuf said = {0};
    struct notes *notes = notes_make(p->tutor, &err);
    if (notes && notes_keep(notes, &said, &err) == 0)
        plain_say(p, strbuf_string(&said));
    else
        plain_say(p, err.text);
    strbuf_free(&said);
    notes_free(notes);
}
