/* What was pasted into the terminal, made a text: its line breaks are newlines, and control characters are dropped. */
#ifndef UI_PASTE_H
#define UI_PASTE_H

#include <stdint.h>

#include "base/strbuf.h"

enum { PASTE_MAX = 1 << 20 /* bytes; what is longer is of use nowhere, and the rest of it is dropped */ };

struct paste {
    struct strbuf text;
    uint32_t last;
};

void paste_begin(struct paste *paste);
void paste_add(struct paste *paste, uint32_t rune);

#endif
