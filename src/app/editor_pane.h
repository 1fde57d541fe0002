/* The learner's program in the tutor's own editor. What is typed belongs into its file half a second later. */
#ifndef APP_EDITOR_PANE_H
#define APP_EDITOR_PANE_H

#include "app/text_buffer.h"
#include "ui/key.h"

enum { PANE_SAVE_MS = 500, PANE_AGAIN_MS = 2000 /* after it could not be saved */ };

struct editor_pane {
    bool open;
    struct text_buffer buffer;
    int top;          /* the first line shown */
    int64_t save_at;  /* 0: it is saved */
    bool trouble;     /* the last time it could not be saved */
};

bool editor_pane_open(struct editor_pane *out, const char *text); /* false: it is too long, or memory is out */
void editor_pane_close(struct editor_pane *pane);

enum pane_key { PANE_NOT_MINE, PANE_TAKEN, PANE_CHANGED, PANE_FULL /* what it would add does not fit */ };
/* `pasted`: with KEY_PASTE_. `page`: the lines of a page. */
enum pane_key editor_pane_key(struct editor_pane *pane, struct key key, const char *pasted, int page);

void editor_pane_touched(struct editor_pane *pane, int64_t now); /* it has changed, and is to be saved */
void editor_pane_saved(struct editor_pane *pane, bool done, int64_t now);

#endif
