#include "ui/highlight.h"

#include <stdbool.h>
#include <string.h>

#include "ui/grid.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_keyword(const char *word, size_t length)
{
    static const char *const keywords[] = {"and", "break", "do",  "else", "elseif", "end",    "false",  "for",
                                           "function", "goto", "if", "in", "local",  "nil",    "not",    "or",
                                           "repeat", "return", "then", "true", "until", "while"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i]) == length && strncmp(keywords[i], word, length) == 0)
            return true;
    return false;
}

/* The equals signs of a long bracket that opens at `at`; -1: there is none. */
static int long_bracket(const char *text, size_t length, size_t at, char bracket)
{
    int level = 0;
    if (at >= length || text[at] != bracket)
        return -1;
    while (++at < length && text[at] == '=')
        level++;
    return at < length && text[at] == bracket ? level : -1;
}

static size_t long_end(const char *text, size_t length, size_t at, int level)
{
    for (; at < length; at++)
        if (long_bracket(text, length, at, ']') == level)
            return at + (size_t)level + 2;
    return length;
}

static size_t string_end(const char *text, size_t length, size_t at)
{
    char quote = text[at++];
    for (; at < length && text[at] != '\n'; at++) {
        if (text[at] == '\\' && at + 1 < length)
            at++;
        else if (text[at] == quote)
            return at + 1;
    }
    return at;
}

static size_t comment_end(const char *text, size_t length, size_t at)
{
    int level = long_bracket(text, length, at + 2, '[');
    if (level >= 0)
        return long_end(text, length, at + 2, level);
    while (at < length && text[at] != '\n')
        at++;
    return at;
}

static size_t number_end(const char *text, size_t length, size_t at)
{
    bool hexadecimal = at + 1 < length && text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X');
    for (char last = '\0'; at < length; last = text[at++]) {
        bool exponent = hexadecimal ? last == 'p' || last == 'P' : last == 'e' || last == 'E';
        bool sign = exponent && (text[at] == '+' || text[at] == '-');
        if (!sign && !is_digit(text[at]) && !is_letter(text[at]) && text[at] != '.')
            break;
    }
    return at;
}

static size_t name_end(const char *text, size_t length, size_t at)
{
    while (at < length && (is_letter(text[at]) || is_digit(text[at])))
        at++;
    return at;
}

/* Where the piece that begins at `at` ends, and what it is. */
static size_t piece(const char *text, size_t length, size_t at, enum style *style)
{
    int level = long_bracket(text, length, at, '[');
    char c = text[at], next = at + 1 < length ? text[at + 1] : '\0';
    if (c == '-' && next == '-') {
        *style = STYLE_COMMENT;
        return comment_end(text, length, at);
    }
    if (level >= 0) {
        *style = STYLE_STRING;
        return long_end(text, length, at, level);
    }
    if (c == '"' || c == '\'') {
        *style = STYLE_STRING;
        return string_end(text, length, at);
    }
    if (is_digit(c) || (c == '.' && is_digit(next))) {
        *style = STYLE_NUMBER;
        return number_end(text, length, at);
    }
    if (is_letter(c)) {
        size_t end = name_end(text, length, at);
        *style = is_keyword(text + at, end - at) ? STYLE_KEYWORD : STYLE_PLAIN;
        return end;
    }
    *style = STYLE_PLAIN;
    if (c == '.') /* of ".." no number begins */
        while (at + 1 < length && text[at + 1] == '.')
            at++;
    return at + 1;
}

void highlight_lua(uint8_t *styles, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        enum style style;
        size_t end = piece(text, length, at, &style);
        memset(styles + at, (int)style, end - at);
        at = end;
    }
}
