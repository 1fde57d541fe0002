/* A key as the tutor sees it. */
#ifndef UI_KEY_H
#define UI_KEY_H

#include <stdint.h>

enum key_code {
    KEY_NONE_, KEY_CHAR_, KEY_ENTER_, KEY_ESC_, KEY_TAB_, KEY_BACKTAB_, KEY_BACKSPACE_, KEY_DELETE_, KEY_INSERT_, KEY_LEFT_, KEY_RIGHT_,
    KEY_UP_, KEY_DOWN_, KEY_HOME_, KEY_END_, KEY_PAGE_UP_, KEY_PAGE_DOWN_, KEY_WORD_LEFT_, KEY_WORD_RIGHT_ /* with Ctrl */,
    KEY_TEXT_START_, KEY_TEXT_END_ /* Home and End with Ctrl */, KEY_F_, KEY_CTRL_, KEY_PASTE_ /* its text is the terminal's to lend */,
    KEY_RESIZE_, KEY_GONE_ /* the terminal went away */
};

struct key {
    enum key_code code;
    uint32_t rune; /* KEY_CHAR_: the character; KEY_F_: 1 to 12; KEY_CTRL_: the letter, 'a' to 'z', or '_' */
};

#endif
