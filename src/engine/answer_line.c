/* The line a learner types, in plain ASCII; and whether its commas might be decimal points. */
#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "base/visible.h"
#include "engine/answer_line.h"

static const char *plain_spelling(uint32_t rune)
{
    if (rune == 0x2212 || (rune >= 0x2010 && rune <= 0x2015) || rune == 0xfe58 || rune == 0xfe63 || rune == 0xff0d)
        return "-";
    if (rune == 0xd7 || rune == 0x22c5 || rune == 0xb7 || rune == 0x2217)
        return "*";
    if (rune == 0xf7 || rune == 0x2215 || rune == 0x2044)
        return "/";
    if (rune == '\t' || rune == 0xa0 || rune == 0x1680 || (rune >= 0x2000 && rune <= 0x200a) || rune == 0x202f || rune == 0x205f || rune == 0x3000)
        return " ";
    if (rune == '\r' || (rune >= 0x200b && rune <= 0x200f) || (rune >= 0x202a && rune <= 0x202e) || (rune >= 0x2060 && rune <= 0x2069) || rune == 0xfeff)
        return "";
    switch (rune) {
    case 0x221a: return "sqrt";
    case 0x221e: return "inf";
    case 0x3b5: case 0x3f5: return "eps";
    case 0x3c0: return "pi";
    case 0xff0c: return ",";
    case 0xff0e: return ".";
    default: return NULL;
    }
}

/* The ASCII of a raised digit or sign; 0: it is none. */
static char raised(uint32_t rune)
{
    switch (rune) {
    case 0xb9: return '1';
    case 0xb2: return '2';
    case 0xb3: return '3';
    case 0x207a: return '+';
    case 0x207b: return '-';
    default: return rune == 0x2070 || (rune >= 0x2074 && rune <= 0x2079) ? (char)('0' + (rune - 0x2070)) : '\0';
    }
}

int answer_line(struct strbuf *out, const char *text, struct error *err)
{
    size_t length = strlen(text);
    bool power = false;
    for (size_t i = 0; i < length;) {
        uint32_t rune;
        size_t taken = utf8_decode(text + i, length - i, &rune);
        const char *plain = plain_spelling(rune);
        if (raised(rune))
            strbuf_addf(out, "%s%c", power ? "" : "^", raised(rune));
        else if (plain)
            strbuf_add(out, plain);
        else if (rune >= 0xff10 && rune <= 0xff19)
            strbuf_addf(out, "%c", (int)('0' + (rune - 0xff10)));
        else if (rune == '\n' || (rune >= ' ' && rune < 0x7f))
            strbuf_addn(out, text + i, 1);
        else
            return error_set(err, "the character `%.*s` has no meaning here", (int)taken, text + i);
        power = raised(rune);
        i += taken;
    }
    /* 1 e-5: an exponent that strayed from its number */
    for (char *at = out->text; at && *at; at++) {
        size_t blanks = strspn(at, " ");
        if (!blanks || at == out->text || !(isdigit((unsigned char)at[-1]) || at[-1] == '.') || (at[blanks] != 'e' && at[blanks] != 'E'))
            continue;
        const char *after = at + blanks + 1;
        after += *after == '-' || *after == '+';
        if (isdigit((unsigned char)*after))
            memmove(at, at + blanks, strlen(at + blanks) + 1);
    }
    return out->failed ? error_set(err, "out of memory") : 0;
}

/* The first "0,5" in the line, or NULL. */
const char *answer_comma(const char *text)
{
    for (const char *at = strchr(text, ','); at; at = strchr(at + 1, ','))
        if (at > text && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]))
            return at;
    return NULL;
}

/* Numbers parted by blanks, semicolons or lines, with one comma at most in each: decimal commas, perhaps. Between
   brackets semicolons and lines say nothing. */
bool answer_parted(const char *text)
{
    bool brackets = strpbrk(text, "[{("), parted = false;
    size_t commas = 0;
    for (const char *at = text; *at; at++) {
        bool ends = (*at == ';' || *at == '\n') && at[1 + strspn(at + 1, " ;\n")];
        if (*at == ' ' && at > text && isdigit((unsigned char)at[-1])) {
            const char *next = at + strspn(at, " ");
            parted = parted || isdigit((unsigned char)*next) || ((*next == '-' || *next == '.') && isdigit((unsigned char)next[1]));
            commas = 0;
        }
        if (ends) {
            parted = parted || !brackets;
            commas = 0;
        }
        commas += *at == ',';
        if (commas > 1)
            return false;
    }
    return parted;
}

/* "-0,6, 5,8": some commas are followed by a blank and some are not, so those within numbers may be decimal ones. */
bool answer_mixed(const char *text)
{
    bool parted = false;
    for (const char *at = strchr(text, ','); at; at = strchr(at + 1, ','))
        parted = parted || at[1] == ' ' || at[1] == '\n';
    return parted && answer_comma(text);
}

int answer_ask_comma(const char *text, const char *comma, bool many, struct error *err)
{
    const char *from = comma, *to = comma + 1;
    while (from > text && (isdigit((unsigned char)from[-1]) || from[-1] == '-'))
        from--;
    to += strspn(to, "0123456789");
    int before = (int)(comma - from), after = (int)(to - comma - 1);
    return error_set(err, many ? N_("Is `%.*s,%.*s` one number? Write decimals with a point: %.*s.%.*s; commas part the numbers.")
                               : N_("Does `%.*s,%.*s` mean %.*s.%.*s? Write decimals with a point."),
                     before, from, after, comma + 1, before, from, after, comma + 1);
}
