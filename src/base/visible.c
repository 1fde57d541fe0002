#include "base/visible.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

size_t utf8_decode(const char *text, size_t length, uint32_t *rune)
{
    *rune = REPLACEMENT;
    if (!length)
        return 0;
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80) {
        *rune = byte[0];
        return 1;
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t want = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
    if (byte[0] < 0xC2 || byte[0] > 0xF4)
        return 1;
    uint32_t value = byte[0] & (0x7FU >> want);
    for (size_t i = 1; i < want; i++) {
        if (i >= length || (byte[i] & 0xC0) != 0x80)
            return i;
        value = value << 6 | (byte[i] & 0x3F);
    }
    if (value >= least[want] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF))
        *rune = value;
    return want;
}

size_t utf8_encode(char out[4], uint32_t rune)
{
    if (rune > 0x10FFFF || (rune >= 0xD800 && rune <= 0xDFFF))
        rune = REPLACEMENT;
    if (rune < 0x80) {
        out[0] = (char)rune;
        return 1;
    }
    size_t count = rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = count; i-- > 1; rune >>= 6)
        out[i] = (char)(0x80 | (rune & 0x3F));
    out[0] = (char)(lead[count] | rune);
    return count;
}

static bool is_bidi_control(uint32_t rune)
{
    return rune == 0x061C || rune == 0x200E || rune == 0x200F || (rune >= 0x202A && rune <= 0x202E) ||
           (rune >= 0x2066 && rune <= 0x2069);
}

uint32_t visible_rune(uint32_t rune)
{
    if (rune < 0x20)
        return 0x2400 + rune;
    if (rune == 0x7F)
        return 0x2421;
    if (rune == 0x2028 || rune == 0x2029)
        return 0x240A;
    if ((rune >= 0x80 && rune < 0xA0) || is_bidi_control(rune) || (rune & 0xFFFE) == 0xFFFE)
        return REPLACEMENT;
    return rune;
}

void visible_add(struct strbuf *out, const char *text, bool lines)
{
    size_t length = strlen(text);
    while (length) {
        uint32_t rune;
        size_t took = utf8_decode(text, length, &rune);
        if (!lines || (rune != '\n' && rune != '\t'))
            rune = visible_rune(rune);
        char bytes[4];
        strbuf_addn(out, bytes, utf8_encode(bytes, rune));
        text += took;
        length -= took;
    }
}
