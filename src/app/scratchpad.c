#include "app/scratchpad.h"

#include <stdlib.h>
#include <string.h>

#include "app/completion.h"
#include "app/desk.h"
#include "base/list.h"
#include "base/strbuf.h"

enum { ROWS_MAX = 400, HISTORY_MAX = 200 };

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

static void free_rows(struct scratchpad *scratch)
{
    for (size_t i = 0; i < scratch->row_count; i++)
        free((char *)scratch->rows[i].text);
    free(scratch->rows);
    scratch->rows = NULL;
    scratch->row_count = scratch->row_capacity = 0;
}

void scratchpad_leave(struct scratchpad *scratch)
{
    free_rows(scratch);
    free_texts(scratch->names, scratch->name_count);
    free(scratch->pending);
    free(scratch->value);
    free(scratch->facts);
    size_t count = scratch->history_count;
    *scratch = (struct scratchpad){.history = scratch->history, .history_count = count, .at = count, .scroll = SCROLL_AUTO};
}

void scratchpad_free(struct scratchpad *scratch)
{
    scratchpad_leave(scratch);
    free_texts(scratch->history, scratch->history_count);
    *scratch = (struct scratchpad){0};
}

/* ---- rows ---- */

static void drop_first(struct scratchpad *scratch)
{
    free((char *)scratch->rows[0].text);
    memmove(scratch->rows, scratch->rows + 1, --scratch->row_count * sizeof *scratch->rows);
}

static void add_row(struct scratchpad *scratch, enum scratch_sort sort, const char *text, size_t length)
{
    if (scratch->row_count == ROWS_MAX)
        drop_first(scratch);
    struct scratch_row *rows = list_room(scratch->rows, scratch->row_count, &scratch->row_capacity, sizeof *rows);
    if (!rows)
        return;
    scratch->rows = rows;
    char *copy = strndup(text, length);
    if (copy)
        scratch->rows[scratch->row_count++] = (struct scratch_row){sort, copy};
    scratch->scroll = SCROLL_AUTO;
}

static void add_lines(struct scratchpad *scratch, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_row(scratch, SCRATCH_RESULT, text, length);
        text += length + (text[length] == '\n');
    }
}

/* ---- asking ---- */

const char *scratchpad_wanted(const struct scratchpad *scratch)
{
    if (scratch->pending)
        return scratch->pending;
    return scratch->open && !scratch->named ? "" : NULL;
}

static void take_names(struct scratchpad *scratch, const struct scene_scratch *reply)
{
    struct strbuf facts = {0};
    free_texts(scratch->names, scratch->name_count);
    scratch->name_count = 0;
    scratch->names = calloc(reply->names.count + 1, sizeof *scratch->names);
    for (size_t i = 0; scratch->names && i < reply->names.count; i++)
        if ((scratch->names[scratch->name_count] = strdup(reply->names.item[i])))
            scratch->name_count++;
    for (size_t i = 0; i < reply->facts.count; i++)
        strbuf_addf(&facts, "%s%s", i ? ", " : "", reply->facts.item[i]);
    free(scratch->facts);
    scratch->facts = facts.text;
    scratch->named = true;
}

static void forget_pending(struct scratchpad *scratch)
{
    free(scratch->pending);
    scratch->pending = NULL;
}

void scratchpad_take(struct scratchpad *scratch, const struct scene_scratch *reply)
{
    if (!scratch->pending) {
        if (scratch->open && reply->names.count > 0)
            take_names(scratch, reply);
        return;
    }
    if (reply->names.count > 0) /* of the request before */
        return;
    forget_pending(scratch);
    add_lines(scratch, reply->output);
    if (reply->error[0])
        add_row(scratch, SCRATCH_TROUBLE, reply->error, strlen(reply->error));
    free(scratch->value);
    scratch->value = reply->value[0] ? strdup(reply->value) : NULL;
}

void scratchpad_failed(struct scratchpad *scratch, const char *words)
{
    scratch->named |= scratch->open; /* not again and again */
    if (!scratch->pending)
        return;
    forget_pending(scratch);
    add_row(scratch, SCRATCH_TROUBLE, words, strlen(words));
}

static void remember(struct scratchpad *scratch, const char *text)
{
    bool again = scratch->history_count > 0 && strcmp(scratch->history[scratch->history_count - 1], text) == 0;
    if (!again && scratch->history_count == HISTORY_MAX) {
        free(scratch->history[0]);
        memmove(scratch->history, scratch->history + 1, --scratch->history_count * sizeof *scratch->history);
    }
    char **more = again ? NULL : realloc(scratch->history, (scratch->history_count + 1) * sizeof *more);
    char *copy = more ? strdup(text) : NULL;
    if (more)
        scratch->history = more;
    if (copy)
        scratch->history[scratch->history_count++] = copy;
    scratch->at = scratch->history_count;
}

static bool compute(struct scratchpad *scratch)
{
    if (scratch->line.length == strspn(scratch->line.text, " ") || scratch->pending)
        return false;
    scratch->pending = strdup(scratch->line.text);
    if (!scratch->pending)
        return false;
    add_row(scratch, SCRATCH_TYPED, scratch->line.text, scratch->line.length);
    remember(scratch, scratch->line.text);
    line_set(&scratch->line, "");
    return true;
}

static void go_through_history(struct scratchpad *scratch, int by)
{
    if (by < 0 ? scratch->at == 0 : scratch->at >= scratch->history_count)
        return;
    scratch->at = by < 0 ? scratch->at - 1 : scratch->at + 1;
    line_set(&scratch->line, scratch->at < scratch->history_count ? scratch->history[scratch->at] : "");
}

/* ---- completion ---- */

static void complete(struct scratchpad *scratch)
{
    struct line *line = &scratch->line;
    char before[LINE_MAX_BYTES + 1];
    struct completion found;
    memcpy(before, line->text, line->cursor);
    before[line->cursor] = '\0';
    completion_find(&found, scratch->names, scratch->name_count, before);
    if (found.insert.length > 0)
        line_paste(line, strbuf_string(&found.insert));
    else if (found.count > 1)
        add_row(scratch, SCRATCH_NAMES, strbuf_string(&found.list), found.list.length);
    completion_free(&found);
}

bool scratchpad_key(struct scratchpad *scratch, struct key key, const char *pasted)
{
    switch (key.code) {
    case KEY_ENTER_: return compute(scratch);
    case KEY_UP_: go_through_history(scratch, -1); break;
    case KEY_DOWN_: go_through_history(scratch, 1); break;
    case KEY_TAB_: complete(scratch); break;
    case KEY_PASTE_: line_paste(&scratch->line, pasted); break;
    default: line_key(&scratch->line, key);
    }
    return false;
}

void scratchpad_screen(const struct scratchpad *scratch, bool answer, struct scratch_screen *out)
{
    *out = (struct scratch_screen){
        .rows = scratch->rows,
        .row_count = scratch->row_count,
        .line = {scratch->line.text, scratch->line.cursor},
        .facts = scratch->facts ? scratch->facts : "",
        .computing = scratch->pending != NULL,
        .answer = answer && scratch->value,
        .scroll = scratch->scroll,
    };
}
