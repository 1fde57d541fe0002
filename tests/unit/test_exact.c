/* Numbers with all their digits, and which of a view are under the cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/exact.h"

static void digits(void **state)
{
    (void)state;
    static const struct { double value; const char *text; } cases[] = {
        { 0, "0" }, { 1, "1" }, { -2, "-2" }, { 100, "100" }, { 4096, "4096" }, { 0.5, "0.5" }, { -0.25, "-0.25" },
        { (double)0.1f, "0.1, exactly 0.100000001490116119384765625" },
        { (double)1e-5f, "1e-5, exactly 9.99999974737875163555145263671875e-6" },
        { (double)0.17407763f, "0.17407763, exactly 0.17407763004302978515625" },
        { (double)-1.2247449f, "-1.2247449, exactly -1.2247449159622192382812" /* … */ },
        { (double)16777216.0f, "16777216" },
        { (double)1e30f, "1e30, exactly 1.000000015047466219876688855040e30" /* … without its last 0 */ },
        { 0.1, "0.1, exactly 0.1000000000000000055511151231257827021181583404541015625" },
        { 1.0 / 3, "0.3333333333333333, exactly 0.333333333333333314829616256247390992939472198486328125" },
        { (double)NAN, "nan" }, { (double)INFINITY, "inf" }, { -(double)INFINITY, "-inf" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf out = { 0 };
        exact_number(&out, cases[i].value);
        size_t length = strlen(cases[i].text) < 40 ? strlen(cases[i].text) : 40;
        if (strncmp(strbuf_string(&out), cases[i].text, length) || (length < 40 && strlen(strbuf_string(&out)) != length))
            fail_msg("%.17g: %s; wanted %s", cases[i].value, strbuf_string(&out), cases[i].text);
        strbuf_free(&out);
    }
}

/* What is written is the number, to the last bit. */
static void nothing_is_lost(void **state)
{
    (void)state;
    uint64_t noise = 88172645463325252u;
    for (int i = 0; i < 5000; i++) {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        double value;
        float single;
        uint32_t half = (uint32_t)noise;
        memcpy(&value, &noise, sizeof value);
        memcpy(&single, &half, sizeof single);
        for (int kind = 0; kind < 2; kind++) {
            double number = kind ? value : (double)single;
            if (!isfinite(number))
                continue;
            struct strbuf out = { 0 };
            exact_number(&out, number);
            const char *text = strbuf_string(&out), *whole = strstr(text, ", exactly ");
            assert_true(kind || (double)(float)number != number ? kind == 0 || strtod(text, NULL) == number : strtof(text, NULL) == single);
            assert_true(strtod(whole ? whole + strlen(", exactly ") : text, NULL) == number);
            strbuf_free(&out);
        }
    }
}

static void only_open_numbers_under_the_cursor(void **state)
{
    (void)state;
    const char *rows[] = { "x1", "x2" }, *head[] = { "x", "x²", "note" };
    struct cell cells[] = { { "1", 1, 0 }, { "1", 1, 0 }, { "a", 0, CELL_WORDS },
                            { "0.1", (double)0.1f, CELL_CURSOR }, { "?", (double)NAN, CELL_CURSOR | CELL_HIDDEN }, { "b", 0, CELL_CURSOR | CELL_WORDS } };
    struct cell after[] = { { "7", 7, 0 }, { "8", 8, CELL_CURSOR } };
    struct bars_series series = { "after", after, 8 };
    struct part parts[] = {
        { .kind = PART_TABLE, .as.table = { .corner = "", .head = { head, 3 }, .labels = { rows, 2 }, .cells = cells, .cursor_row = 1 } },
        { .kind = PART_BARS, .as.bars = { .title = "", .labels = { rows, 2 }, .series = &series, .series_count = 1, .cursor_row = 1 } },
    };
    struct view inner = { .kind = VIEW_PARTS, .name = "pipeline", .alt = "", .parts = parts, .part_count = 2 };
    struct view column = { .kind = VIEW_COLUMN, .name = "column", .alt = "", .children = &inner, .child_count = 1 };
    assert_int_equal(exact_count(NULL), 0);
    assert_int_equal(exact_count(&column), 2);
    static const char *const wanted[] = { "x2, x: 0.1, exactly 0.100000001490116119384765625", "x2, after: 8" };
    for (size_t i = 0; i < 2; i++) {
        struct strbuf out = { 0 };
        exact_say(&out, &column, i);
        assert_string_equal(strbuf_string(&out), wanted[i]);
        strbuf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(only_open_numbers_under_the_cursor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
