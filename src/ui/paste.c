#include "ui/paste.h"

#include "base/visible.h"

void paste_begin(struct paste *paste)
{
    strbuf_clear(&paste->text);
    paste->last = 0;
}

void paste_add(struct paste *paste, uint32_t rune)
{
    char bytes[4];
    uint32_t last = paste->last;
    paste->last = rune;
    if (rune == '\n' && last == '\r')
        return;
    if (rune == '\r')
        rune = '\n';
    bool text = rune == '\n' || rune == '\t' || (rune != 0 && visible_rune(rune) == rune);
    if (text && paste->text.length + sizeof bytes <= PASTE_MAX)
        strbuf_addn(&paste->text, bytes, utf8_encode(bytes, rune));
}
