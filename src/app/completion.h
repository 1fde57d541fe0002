/* What may follow where code is typed. */
#ifndef APP_COMPLETION_H
#define APP_COMPLETION_H

#include "base/strbuf.h"

struct completion {
    size_t count;         /* names that fit */
    struct strbuf insert; /* what all of them go on with; empty: nothing */
    struct strbuf list;   /* their names, without what stands before a point or colon that was typed */
};

/* Looks at the name that `before` ends in: "x", "tensor.ze"; of "x:me" the member alone, for any x. `names`: as scene_scratch.names. */
void completion_find(struct completion *out, char *const *names, size_t name_count, const char *before);
void completion_free(struct completion *completion);

#endif
