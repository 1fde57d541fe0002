#include "ui/glyph.h"

struct stand_in {
    uint32_t rune;
    const char *text;
};

static const struct stand_in spoken[] = {
    /* sorted */
    {0xB1, "+-"},    {0xB2, "^2"},     {0xB3, "^3"},     {0xB7, "*"},       {0xD7, "x"},
    {0xF7, "/"},     {0x393, "Gamma"}, {0x394, "Delta"}, {0x398, "Theta"},  {0x39B, "Lambda"},
    {0x3A0, "Pi"},   {0x3A3, "Sum"},   {0x3A6, "Phi"},   {0x3A9, "Omega"},  {0x3B1, "alpha"},
    {0x3B2, "beta"}, {0x3B3, "gamma"}, {0x3B4, "delta"}, {0x3B5, "eps"},    {0x3B6, "zeta"},
    {0x3B7, "eta"},  {0x3B8, "theta"}, {0x3B9, "iota"},  {0x3BA, "kappa"},  {0x3BB, "lambda"},
    {0x3BC, "mu"},   {0x3BD, "nu"},    {0x3BE, "xi"},    {0x3BF, "o"},      {0x3C0, "pi"},
    {0x3C1, "rho"},  {0x3C2, "s"},     {0x3C3, "sigma"}, {0x3C4, "tau"},    {0x3C5, "upsilon"},
    {0x3C6, "phi"},  {0x3C7, "chi"},   {0x3C8, "psi"},   {0x3C9, "omega"},  {0x207B, "^-"},
    {0x2080, "0"},   {0x2081, "1"},    {0x2082, "2"},    {0x2083, "3"},     {0x2084, "4"},
    {0x2190, "<-"},  {0x2192, "->"},   {0x2202, "d"},    {0x2207, "grad "}, {0x2208, "in"},
    {0x2211, "sum"}, {0x2212, "-"},    {0x2215, "/"},    {0x221A, "sqrt"},  {0x221E, "inf"},
    {0x2248, "~="},  {0x2260, "!="},   {0x2264, "<="},   {0x2265, ">="},    {0x22C5, "*"},
};

static const struct stand_in drawn[] = {
    /* sorted */
    {0xA0, " "},   {0xA1, "!"},     {0xA7, "S"},     {0xA9, "(c)"},  {0xAB, "\""},   {0xB0, "deg"},
    {0xB9, "^1"},  {0xBB, "\""},    {0xBC, "1/4"},   {0xBD, "1/2"},  {0xBE, "3/4"},  {0xC6, "AE"},
    {0xDF, "ss"},  {0xE6, "ae"},    {0x152, "OE"},   {0x153, "oe"},  {0x2009, " "},  {0x200A, " "},
    {0x2010, "-"}, {0x2011, "-"},   {0x2012, "-"},   {0x2013, "-"},  {0x2014, "--"}, {0x2018, "'"},
    {0x2019, "'"}, {0x201A, ","},   {0x201C, "\""},  {0x201D, "\""}, {0x201E, "\""}, {0x2020, "+"},
    {0x2022, "*"}, {0x2026, "..."}, {0x202F, " "},   {0x2032, "'"},  {0x2033, "\""}, {0x2039, "<"},
    {0x203A, ">"}, {0x203E, "-"},   {0x20AC, "EUR"}, {0x2191, "^"},  {0x2193, "v"},  {0x2194, "<->"},
    {0x2195, "^"},  {0x21AA, ">"}, {0x21D2, "=>"},  {0x22EE, ":"},   {0x2588, "#"},  {0x258C, "#"},  {0x258D, "!"},
    {0x258F, "|"}, {0x2590, "#"},   {0x2591, "."},   {0x2592, "+"},  {0x2593, "#"},  {0x2595, "|"},
    {0x25A0, "#"}, {0x25A1, "."},   {0x25A3, "+"},   {0x25B6, ">"},  {0x25B8, ">"},  {0x25BA, ">"},
    {0x25C0, "<"}, {0x25C2, "<"},   {0x25C6, "*"},   {0x25CB, "o"},  {0x25CF, "O"},  {0x25E6, "o"},
    {0x2713, "+"}, {0x2714, "+"},   {0x2715, "x"},   {0x2717, "x"},   {0x2718, "x"},
};

static const char *look_up(const struct stand_in *table, size_t count, uint32_t rune)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle].rune == rune)
            return table[middle].text;
        if (table[middle].rune < rune)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *glyph_spoken(uint32_t rune, char next)
{
    if (rune == 0x221A && next != '(') /* √ε is no single word */
        return "sqrt ";
    return look_up(spoken, sizeof spoken / sizeof *spoken, rune);
}

/* À to ÿ without what sits on the letter. */
static const char latin[][2] = {
    "A", "A", "A", "A", "A", "A", "A", "C", "E", "E", "E", "E", "I", "I", "I", "I",
    "D", "N", "O", "O", "O", "O", "O", "x", "O", "U", "U", "U", "U", "Y", "T", "s",
    "a", "a", "a", "a", "a", "a", "a", "c", "e", "e", "e", "e", "i", "i", "i", "i",
    "d", "n", "o", "o", "o", "o", "o", "/", "o", "u", "u", "u", "u", "y", "t", "y",
};

/* Control pictures, in the usual caret notation. */
static const char caret[][3] = {
    "^@", "^A", "^B", "^C", "^D", "^E", "^F", "^G", "^H", "^I", "^J", "^K", "^L",  "^M", "^N", "^O",
    "^P", "^Q", "^R", "^S", "^T", "^U", "^V", "^W", "^X", "^Y", "^Z", "^[", "^\\", "^]", "^^", "^_",
};

static const char *box_line(uint32_t rune)
{
    static const uint32_t flat[] = {0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x2550, 0x2574, 0x2576};
    static const uint32_t upright[] = {0x2502, 0x2503, 0x2506, 0x2507, 0x250A,
                                       0x250B, 0x2551, 0x2575, 0x2577};
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
        if (rune == flat[i])
            return "-";
        if (rune == upright[i])
            return "|";
    }
    return "+";
}

const char *glyph_stand_in(uint32_t rune, char next)
{
    const char *text = look_up(drawn, sizeof drawn / sizeof *drawn, rune);
    if (!text)
        text = glyph_spoken(rune, next);
    if (text)
        return text;
    if (rune >= 0xC0 && rune <= 0xFF)
        return latin[rune - 0xC0];
    if (rune >= 0x2400 && rune < 0x2420)
        return caret[rune - 0x2400];
    if (rune == 0x2421)
        return "^?";
    if (rune >= 0x2500 && rune < 0x2580)
        return box_line(rune);
    if (rune >= 0x2800 && rune < 0x2900)
        return rune == 0x2800 ? " " : "*";
    return NULL;
}
