#include "app/editor_pane.h"

bool editor_pane_open(struct editor_pane *out, const char *text)
{
    *out = (struct editor_pane){0};
    out->open = text_buffer_open(&out->buffer, text) == 0;
    return out->open;
}

void editor_pane_close(struct editor_pane *pane)
{
    if (pane->open)
        text_buffer_close(&pane->buffer);
    *pane = (struct editor_pane){0};
}

static enum pane_key deleted(bool changed)
{
    return changed ? PANE_CHANGED : PANE_TAKEN;
}

static enum pane_key added(bool changed)
{
    return changed ? PANE_CHANGED : PANE_FULL;
}

static enum pane_key control(struct text_buffer *buffer, uint32_t letter)
{
    switch (letter) {
    case '_':
    case 'u': return deleted(text_buffer_undo(buffer));
    case 'y': return deleted(text_buffer_redo(buffer));
    case 'k': return deleted(text_buffer_delete_to_end(buffer));
    case 'w': return deleted(text_buffer_delete_word(buffer));
    default: return PANE_NOT_MINE;
    }
}

static enum pane_key move(struct text_buffer *buffer, enum text_move to)
{
    text_buffer_move(buffer, to);
    return PANE_TAKEN;
}

static enum pane_key move_lines(struct text_buffer *buffer, int lines)
{
    text_buffer_move_lines(buffer, lines);
    return PANE_TAKEN;
}

enum pane_key editor_pane_key(struct editor_pane *pane, struct key key, const char *pasted, int page)
{
    struct text_buffer *buffer = &pane->buffer;
    int stride = page > 1 ? page - 1 : 1;
    switch (key.code) {
    case KEY_CHAR_: return added(text_buffer_type(buffer, key.rune));
    case KEY_ENTER_: return added(text_buffer_enter(buffer));
    case KEY_TAB_: return added(text_buffer_indent(buffer));
    case KEY_BACKTAB_: return deleted(text_buffer_outdent(buffer));
    case KEY_PASTE_: return *pasted ? added(text_buffer_insert(buffer, pasted)) : PANE_TAKEN;
    case KEY_BACKSPACE_: return deleted(text_buffer_backspace(buffer));
    case KEY_DELETE_: return deleted(text_buffer_delete(buffer));
    case KEY_CTRL_: return control(buffer, key.rune);
    case KEY_LEFT_: return move(buffer, MOVE_LEFT);
    case KEY_RIGHT_: return move(buffer, MOVE_RIGHT);
    case KEY_WORD_LEFT_: return move(buffer, MOVE_WORD_LEFT);
    case KEY_WORD_RIGHT_: return move(buffer, MOVE_WORD_RIGHT);
    case KEY_HOME_: return move(buffer, MOVE_HOME);
    case KEY_END_: return move(buffer, MOVE_END);
    case KEY_TEXT_START_: return move(buffer, MOVE_START);
    case KEY_TEXT_END_: return move(buffer, MOVE_FINISH);
    case KEY_UP_: return move_lines(buffer, -1);
    case KEY_DOWN_: return move_lines(buffer, 1);
    case KEY_PAGE_UP_: return move_lines(buffer, -stride);
    case KEY_PAGE_DOWN_: return move_lines(buffer, stride);
    default: return PANE_NOT_MINE;
    }
}

void editor_pane_touched(struct editor_pane *pane, int64_t now)
{
    if (pane->save_at == 0)
        pane->save_at = now + PANE_SAVE_MS;
}

void editor_pane_saved(struct editor_pane *pane, bool done, int64_t now)
{
    pane->save_at = done ? 0 : now + PANE_AGAIN_MS;
    pane->trouble = !done;
}
