/* The probes, on the bugs that they are there to tell apart. */
#include "probe_help.h"

#include "engine/probe_call.h"

static const char *const NAMES[] = { "right", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K",
                                     "L",     "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V" };
enum { COMPANION, FUTURE, PAST, ONE_FEATURE, ONE_ROW, CONSTANT_ROW, TINY_ROW, RAMP, AGAIN, LARGE, ALONE, VALUE, ALL };
enum { MODULE_COUNT = HELP_COUNT(NAMES), KEYS = 200, FEW_KEYS = 40 };

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.9g, not %.9g", got, want);
}

/* All probes on the module at the top, popped. */
static struct probe_result *probe(struct bench *bench, uint64_t key)
{
    struct probe_result *results;
    lua_State *L = bench->engine->L;
    assert_int_equal(probes_run(bench->engine, &NOWHERE, bench->list, lua_gettop(L), 0, key, &results), ALL);
    lua_pop(L, 1);
    return results;
}

/* One probe on the module at the top, popped. */
static struct probe_result *probe_one(struct bench *bench, int which, uint64_t key)
{
    struct probe_result *results;
    lua_State *L = bench->engine->L;
    lua_newtable(L);
    lua_rawgeti(L, bench->list, which + 1);
    lua_rawseti(L, -2, 1);
    assert_int_equal(probes_run(bench->engine, &NOWHERE, lua_gettop(L), lua_gettop(L) - 1, 0, key, &results), 1);
    lua_pop(L, 2);
    return results;
}

static struct probe_result *probe_named(struct bench *bench, const char *name, uint64_t key)
{
    push_module(bench, name);
    return probe(bench, key);
}

static struct probe_result *probe_text(struct bench *bench, const char *text, uint64_t key)
{
    push(bench, text);
    return probe(bench, key);
}

/* ---- which probe finds what ---- */

/* What fails, a letter a probe in their order: c f p o r k t m a l s v. */
static const char LETTERS[] = "cfporktmalsv";
static const char *const FAILS[MODULE_COUNT] = {
    /* right */ "",
    /* A batch axis */ "corktmlsv",
    /* B sequence axis */ "fporktmlv",
    /* C batch and sequence */ "cfporktmlsv",
    /* D sequence and features */ "fporktmlv",
    /* E all axes */ "cfporktmlsv",
    /* F n - 1 */ "tmlv",
    /* G eps outside the root */ "tv",
    /* H no eps */ "ktv",
    /* I no root */ "rtmlv",
    /* J no centring */ "rktmlv",
    /* K scale before the norm */ "mv",
    /* L bias scaled too */ "mv",
    /* M scale on the token axis */ "cfporktmalsv",
    /* N running statistics */ "rktmlv",
    /* O writes into its input */ "a",
    /* P float16 accumulation */ NULL, /* rounding decides; see the_figures_of_the_table_come_out */
    /* Q one-pass float32 */ "l",
    /* R cumulative over tokens */ "pv",
    /* S groups */ "tmlv",
    /* T statistics cached */ "rktmalsv",
    /* U eps 1e-3 */ "tv",
    /* V variance over the batch */ "cortmlsv",
};

/* Those in plain Lua take their time: few of the keys do for them. */
static bool takes_part(size_t module, uint64_t key)
{
    return key < KEYS / 10 || !strchr("PRS", NAMES[module][0]);
}

static void each_bug_fails_its_probes_and_no_two_measure_alike(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < KEYS; key++) {
        struct bench bench;
        bench_open(&bench);
        struct probe_result *results[MODULE_COUNT];
        for (size_t m = 0; m < MODULE_COUNT; m++) {
            if (!takes_part(m, key))
                continue;
            char failed[ALL + 1];
            size_t count = 0;
            results[m] = probe_named(&bench, NAMES[m], key);
            for (size_t p = 0; p < ALL; p++) {
                const struct probe_result *result = &results[m][p];
                if (!result->passes)
                    failed[count++] = LETTERS[p];
                assert_int_equal(result->passes, !*result->told);
                if (!result->passes && !strcmp(result->yours, result->should))
                    fail_msg("key %d, %s: %s fails with %s, as it should be", (int)key, NAMES[m], result->id, result->yours);
            }
            failed[count] = '\0';
            if (FAILS[m] && strcmp(failed, FAILS[m]))
                fail_msg("key %d: %s fails \"%s\", not \"%s\"", (int)key, NAMES[m], failed, FAILS[m]);
        }
        for (size_t a = 0; a < MODULE_COUNT; a++)
            for (size_t b = 0; b < MODULE_COUNT; b++) {
                if (!takes_part(a, key) || !takes_part(b, key))
                    continue;
                bool agree = true;
                for (size_t p = 0; p < ALL; p++)
                    agree = agree && probe_results_agree(&results[a][p], &results[b][p]);
                if (agree != (a == b))
                    fail_msg("key %d: %s and %s measure %s", (int)key, NAMES[a], NAMES[b], agree ? "alike" : "unlike");
            }
        bench_close(&bench);
    }
}

static void another_text_of_the_same_bug_measures_alike(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        { "A", "return function(x, s, b, e) local d = x - x:mean(-3) return b + s * d * (x:var(-3) + e) ^ -.5 end" },
        { "E", "return function(x, s, b, e) local d = x - x:mean() return d / sqrt((d * d):mean() + e) * s + b end" },
        { "F", "return function(x, s, b, e) local d = x - x:mean(-1) return d / sqrt((d * d):sum(-1) / (#s - 1) + e) * s + b end" },
        { "G", "return function(x, s, b, e) local d = x - x:mean(-1) return s * d / (x:std(-1) + e) + b end" },
        { "J", "return function(x, s, b, e) return nn.rms_norm(x, { eps = e, scale = s, bias = b }) end" },
        { "U", "return function(x, s, b) return nn.layer_norm(x, { eps = 1e-3, scale = s, bias = b }) end" },
        { "N", "return function(x, s, b, e) return s * x * (1 + e) ^ -.5 + b end" },
    };
    struct bench bench;
    bench_open(&bench);
    for (uint64_t key = 0; key < FEW_KEYS; key++)
        for (size_t i = 0; i < HELP_COUNT(texts); i++) {
            const struct probe_result *a = probe_named(&bench, texts[i][0], key), *b = probe_text(&bench, texts[i][1], key);
            for (size_t p = 0; p < ALL; p++)
                if (!probe_results_agree(&a[p], &b[p]))
                    fail_msg("key %d, %s, %s: %s (%.9g) and %s (%.9g)", (int)key, texts[i][0], a[p].id, a[p].yours, a[p].measures[0], b[p].yours,
                             b[p].measures[0]);
        }
    bench_close(&bench);
}

static void the_figures_of_the_table_come_out(void **state)
{
    (void)state;
    static const struct {
        const char *module;
        int probe, measure;
        double value;
        const char *yours, *should;
    } figures[] = {
        { "right", CONSTANT_ROW, 0, 0, "0", "0" },
        { "right", TINY_ROW, 0, 1.183216, "1.183", "1.183" },
        { "right", RAMP, 0, 5.1, "5.1", "5.1" },
        { "right", LARGE, 1, 1.4, "1.4", "1.4" },
        { "F", LARGE, 0, 1.212436, "1.212", "1.4" },
        { "G", TINY_ROW, 0, 1.397206, "1.397", "1.183" },
        { "H", CONSTANT_ROW, 0, NAN, "nan", "0" },
        { "H", TINY_ROW, 0, 1.4, "1.4", "1.183" },
        { "J", CONSTANT_ROW, 0, 1, "1", "0" },
        { "J", LARGE, 1, 1, NULL, NULL },
        { "K", RAMP, 0, 1.072679, "1.073", "5.1" },
        { "L", RAMP, 0, 3.6, "3.6", "5.1" },
        { "P", LARGE, 0, 0, "0", "1.4" },
        { "S", LARGE, 0, -1, "-1", NULL },
        { "U", TINY_ROW, 0, 0.218633, "0.2186", "1.183" },
    };
    struct bench bench;
    bench_open(&bench);
    for (uint64_t key = 0; key < 20; key++) {
        for (size_t i = 0; i < HELP_COUNT(figures); i++) {
            const struct probe_result *result = &probe_named(&bench, figures[i].module, key)[figures[i].probe];
            double got = result->measures[figures[i].measure], want = figures[i].value;
            if (isnan(want) ? !isnan(got) : !(fabs(got - want) < 1e-3))
                fail_msg("%s, %s: %.6f, not %.6f", figures[i].module, result->id, got, want);
            if (figures[i].yours)
                assert_string_equal(result->yours, figures[i].yours);
            if (figures[i].should)
                assert_string_equal(result->should, figures[i].should);
        }
        double q = probe_named(&bench, "Q", key)[LARGE].measures[1];
        assert_false(fabs(q - 1.4) < 0.1);
        const struct probe_result *i = &probe_named(&bench, "I", key)[ONE_ROW];
        assert_true(i->measures[0] < 1e-5 && i->measures[1] > 0.01);
        const struct probe_result *p = probe_named(&bench, "P", key);
        for (int n = COMPANION; n <= ONE_FEATURE; n++)
            assert_true(p[n].passes);
        assert_true(!p[LARGE].passes && !p[VALUE].passes && p[CONSTANT_ROW].passes && p[RAMP].passes);
    }
    bench_close(&bench);
}

static void one_feature_counts_what_moves(void **state)
{
    (void)state;
    static const struct {
        const char *module;
        double future, companion;
        const char *yours;
    } counts[] = { { "right", 0, 0, "none moves" }, { "A", 0, 1, "1 of 5 moves" }, { "B", 1, 0, "1 of 5 moves" }, { "C", 1, 1, "1 of 5 moves" },
                   { "D", 5, 0, "all 5 move" },     { "E", 5, 5, "all 5 move" },   { "R", 0, 0, "none moves" },   { "V", 0, 1, "1 of 5 moves" } };
    struct bench bench;
    bench_open(&bench);
    for (uint64_t key = 0; key < KEYS; key++)
        for (size_t i = 0; i < HELP_COUNT(counts); i++) {
            push_module(&bench, counts[i].module);
            const struct probe_result *result = probe_one(&bench, ONE_FEATURE, key);
            near(result->measures[0], counts[i].future, 0);
            near(result->measures[1], counts[i].companion, 0);
            assert_string_equal(result->yours, counts[i].yours);
        }
    bench_close(&bench);
}

/* ---- what the probes put in ---- */

enum { CALLS_MAX = 64, ELEMENTS = 60 };

static struct {
    size_t count;
    struct seen {
        size_t extents[3];
        double x[ELEMENTS], scale[5], bias[5], eps;
    } calls[CALLS_MAX];
} record;

/* A right module that keeps what it was called with, and spoils it afterwards. */
static int recorder(lua_State *L)
{
    struct seen *seen = &record.calls[record.count++];
    assert_true(record.count <= CALLS_MAX);
    *seen = (struct seen){ 0 };
    struct tensor *x = tensor_check(L, 1), *scale = tensor_check(L, 2), *bias = tensor_check(L, 3);
    static const char *const axes[] = { "batch", "token", "feature" };
    assert_int_equal(tensor_rank(x), 3);
    assert_int_equal(tensor_rank(scale), 1);
    for (int axis = 0; axis < 3; axis++) {
        seen->extents[axis] = tensor_extent(x, axis);
        assert_string_equal(tensor_axis_name(x, axis), axes[axis]);
    }
    assert_string_equal(tensor_axis_name(scale, 0), "feature");
    assert_string_equal(tensor_axis_name(bias, 0), "feature");
    size_t n = seen->extents[2];
    assert_int_equal(tensor_count(scale), n);
    assert_int_equal(tensor_count(bias), n);
    for (size_t i = 0; i < n; i++) {
        seen->scale[i] = (double)tensor_get_flat(scale, i);
        seen->bias[i] = (double)tensor_get_flat(bias, i);
        tensor_set_flat(scale, i, 77);
        tensor_set_flat(bias, i, 77);
    }
    seen->eps = lua_tonumber(L, 4);
    struct error err;
    struct tensor **y = tensor_push(L);
    assert_int_equal(tensor_copy(y, x, &err), 0);
    for (size_t i = 0; i < tensor_count(x); i++)
        seen->x[i] = (double)tensor_get_flat(x, i);
    for (size_t row = 0; row < tensor_count(x); row += n) {
        double mean = 0, var = 0;
        for (size_t i = 0; i < n; i++)
            mean += seen->x[row + i] / (double)n;
        for (size_t i = 0; i < n; i++)
            var += (seen->x[row + i] - mean) * (seen->x[row + i] - mean) / (double)n;
        for (size_t i = 0; i < n; i++)
            tensor_set_flat(*y, row + i, (float)((seen->x[row + i] - mean) / sqrt(var + seen->eps) * seen->scale[i] + seen->bias[i]));
    }
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(x, i, 99);
    return 1;
}

static const struct probe_result *record_probe(struct bench *bench, int which, uint64_t key)
{
    lua_pushcfunction(bench->engine->L, recorder);
    record.count = 0;
    return probe_one(bench, which, key);
}

/* A set of rows, a bit a row, that differ between two calls. */
static unsigned rows_changed(const struct seen *a, const struct seen *b)
{
    unsigned rows = 0;
    for (size_t i = 0; i < ELEMENTS; i++)
        if (a->x[i] != b->x[i])
            rows |= 1u << i / 5;
    return rows;
}

static int features_changed(const struct seen *a, const struct seen *b)
{
    int count = 0;
    for (size_t i = 0; i < ELEMENTS; i++)
        count += a->x[i] != b->x[i];
    return count;
}

static void each_probe_changes_one_thing(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    unsigned later = 0, earlier = 0, companions = 0;
    for (uint64_t key = 0; key < 50; key++) {
        struct seen *calls = record.calls;
        for (int which = 0; which < ALL; which++) {
            const struct probe_result *result = record_probe(&bench, which, key);
            assert_true(result->passes == (which != AGAIN)); /* it does write into its input */
            for (size_t i = 0; i < record.count; i++) {
                size_t *extents = calls[i].extents;
                assert_true(extents[0] != extents[1] && extents[1] != extents[2] && extents[0] != extents[2]);
                assert_true(extents[0] >= 3 || which == ALONE);
                for (size_t f = 0; f < extents[2] && which != RAMP && which != VALUE; f++)
                    assert_true(calls[i].scale[f] == 1 && calls[i].bias[f] == 0 && calls[i].eps == 1e-5);
            }
            unsigned changed = record.count > 1 && which != ALONE ? rows_changed(&calls[0], &calls[1]) : 0;
            switch (which) {
            case COMPANION: assert_int_equal(changed, 0xff8); break;
            case FUTURE:
                assert_true(changed == 2 || changed == 4);
                later |= changed;
                break;
            case PAST:
                assert_true(changed == 1 || changed == 2);
                earlier |= changed;
                break;
            case ONE_FEATURE:
                assert_int_equal(record.count, 3);
                assert_int_equal(features_changed(&calls[0], &calls[1]), 1);
                assert_int_equal(features_changed(&calls[0], &calls[2]), 1);
                assert_true(changed == 2 || changed == 4);
                changed = rows_changed(&calls[0], &calls[2]);
                assert_true(changed == 1 << 3 || changed == 1 << 6 || changed == 1 << 9);
                companions |= changed;
                break;
            case ONE_ROW:
                assert_int_equal(record.count, 3);
                assert_int_equal(changed, 1);
                assert_int_equal(rows_changed(&calls[0], &calls[2]), 1);
                for (size_t f = 0; f < 5; f++) {
                    near(calls[1].x[f] - calls[0].x[f], calls[1].x[0] - calls[0].x[0], 1e-5);
                    near(calls[2].x[f] / calls[0].x[f], calls[2].x[0] / calls[0].x[0], 1e-5);
                }
                break;
            case AGAIN:
                assert_int_equal(record.count, 3);
                assert_int_equal(rows_changed(&calls[0], &calls[2]), 0);
                assert_memory_equal(calls[1].x, calls[0].x + 15, 45 * sizeof(double));
                assert_memory_equal(calls[1].x + 45, calls[0].x, 15 * sizeof(double));
                break;
            case ALONE:
                assert_int_equal(calls[1].extents[0], 1);
                assert_memory_equal(calls[1].x, calls[0].x, 15 * sizeof(double));
                break;
            case CONSTANT_ROW:
                for (size_t f = 1; f < 5; f++)
                    assert_true(calls[0].x[f] == calls[0].x[0] && calls[0].x[0] == floor(calls[0].x[0]));
                break;
            case VALUE: assert_true(calls[0].eps > 0.01 && calls[0].scale[0] != calls[0].scale[1] && calls[0].bias[0] != calls[0].bias[1]); break;
            default: assert_int_equal(record.count, 1);
            }
        }
    }
    assert_int_equal(later, 6);
    assert_int_equal(earlier, 3);
    assert_int_equal(companions, 1 << 3 | 1 << 6 | 1 << 9);
    bench_close(&bench);
}

static void inputs_come_from_the_key_alone(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    struct seen first = { 0 };
    for (int which = 0; which < ALL; which++) {
        record_probe(&bench, which, 7);
        first = record.calls[0];
        record_probe(&bench, which, 7);
        assert_memory_equal(&first, &record.calls[0], sizeof first);
        record_probe(&bench, which, 8);
        assert_true(features_changed(&first, &record.calls[0]) > 30);
        record.count = 0;
        lua_pushcfunction(bench.engine->L, recorder);
        probe(&bench, 7); /* the same among all others */
        bool found = false;
        for (size_t i = 0; i < record.count; i++)
            found = found || !memcmp(&first, &record.calls[i], sizeof first);
        assert_true(found);
    }
    bench_close(&bench);
}

/* Over the batch, in double, from what `companion` and `alone` put in. */
static double over_batch(const struct seen *seen, size_t at, size_t stride)
{
    double mean = 0, var = 0, n = (double)seen->extents[0];
    for (size_t b = 0; b < seen->extents[0]; b++)
        mean += seen->x[b * stride + at] / n;
    for (size_t b = 0; b < seen->extents[0]; b++)
        var += (seen->x[b * stride + at] - mean) * (seen->x[b * stride + at] - mean) / n;
    return (seen->x[at] - mean) / sqrt(var + 1e-5);
}

static void measures_are_those_of_the_formula_in_double(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    for (uint64_t key = 0; key < 50; key++) {
        const struct probe_result *results = probe_named(&bench, "A", key);
        double most = 0;
        record_probe(&bench, COMPANION, key);
        for (size_t f = 0; f < 5; f++)
            most = fmax(most, fabs(over_batch(&record.calls[1], f, 15) - over_batch(&record.calls[0], f, 15)));
        near(results[COMPANION].measures[0], most, 1e-5 * fmax(1, most));
        most = 0;
        record_probe(&bench, ALONE, key);
        for (size_t at = 0; at < 15; at++)
            most = fmax(most, fabs(over_batch(&record.calls[0], at, 15))); /* alone: all 0 */
        near(results[ALONE].measures[0], most, 1e-5 * fmax(1, most));
    }
    bench_close(&bench);
}

/* ---- results that are none ---- */

static void what_is_no_result_is_told_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *module, *yours, *told, *error;
    } odd[] = {
        { "return function() return 3 end", "a number", "It returned a number, not a tensor of shape (4, 3, 5).", NULL },
        { "return function() end", "nothing", "It returned nothing, not a tensor of shape (4, 3, 5).", NULL },
        { "return function() return {} end", "a table", "It returned a table, not a tensor of shape (4, 3, 5).", NULL },
        { "return function(x) return x[1] end", "a tensor of shape (3, 5)", "It returned a tensor of shape (3, 5), not a tensor of shape (4, 3, 5).", NULL },
        { "return function(x) return x:mean('feature') end", "a tensor of shape (4, 3, 1)",
          "It returned a tensor of shape (4, 3, 1), not a tensor of shape (4, 3, 5).", NULL },
        { "return function(x) return x * nan end", "nan", "The first token came out as nan.", NULL },
        { "return function(x) return x * 0 - inf end", "inf", "The first token came out as inf.", NULL },
        { "return function(x)\nerror('no') end", "an error", "It raised an error: lessons/try.lua:2: no", "lessons/try.lua:2: no" },
        { "return function() error({}) end", "an error", "It raised an error: an error that is not a text", "an error that is not a text" },
    };
    struct bench bench;
    bench_open(&bench);
    for (size_t i = 0; i < HELP_COUNT(odd); i++) {
        const struct probe_result *results = probe_text(&bench, odd[i].module, 1);
        for (int p = 0; p < ALL; p++) {
            assert_true(!results[p].passes && *results[p].told && strcmp(results[p].yours, results[p].should));
            if (odd[i].error)
                assert_string_equal(results[p].error, odd[i].error);
            else
                assert_null(results[p].error);
        }
        if (odd[i].yours) {
            assert_string_equal(results[COMPANION].yours, odd[i].yours);
            assert_string_equal(results[COMPANION].should, "stays");
            assert_string_equal(results[COMPANION].told, odd[i].told);
        }
    }
    bench_close(&bench);
}

static void a_failure_is_told_in_the_learners_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *module;
        int probe;
        const char *begin, *end;
    } told[] = {
        { "A", COMPANION, "The first token moved by ", " when only the other samples changed." },
        { "B", FUTURE, "The first token moved by ", " when only a later token changed." },
        { "R", PAST, "The last token moved by ", " when only an earlier token changed." },
        { "A", ONE_FEATURE, "One feature of another sample moved 1 of the 5 features of the first token.", "" },
        { "D", ONE_FEATURE, "One feature of a later token moved 5 of the 5 features of the first token.", "" },
        { "J", ONE_ROW, "The first token moved by ", " was added to it alone." },
        { "I", ONE_ROW, "The first token moved by ", "" },
        { "H", CONSTANT_ROW, "A row of equal numbers came out as nan at feature 5, not 0.", "" },
        { "G", TINY_ROW, "The row [0.001, 0.007, 0.009, 0.015] came out as 1.397 at feature 4, not 1.183.", "" },
        { "L", RAMP, "The row [1, 7, 9, 15] with scale [1, 2, 3, 4] and bias [0.5, 0, 0, -0.5] came out as 3.6 at feature 4, not 5.1.", "" },
        { "T", AGAIN, "The same samples came out differently in a later call, by ", "." },
        { "O", AGAIN, "It writes into its input: after the call, x differs by ", "." },
        { "P", LARGE, "The row [40, 280, 360, 600] came out as 0 at feature 4, not 1.4.", "" },
        { "Q", LARGE, "The row [40001, 40007, 40009, 40015] came out as ", " not 1.4." },
        { "A", ALONE, "The first sample came out differently without the others in its batch, by ", "." },
        { "F", VALUE, "Fresh numbers came out as ", "." },
    };
    struct bench bench;
    bench_open(&bench);
    for (size_t i = 0; i < HELP_COUNT(told); i++) {
        const char *text = probe_named(&bench, told[i].module, 3)[told[i].probe].told;
        size_t length = strlen(told[i].end);
        if (strncmp(text, told[i].begin, strlen(told[i].begin)) || strlen(text) < length || strcmp(text + strlen(text) - length, told[i].end))
            fail_msg("%s: %s", told[i].module, text);
    }
    bench_close(&bench);
}

/* ---- a reference, and probes of a lesson's own ---- */

static void the_reference_says_what_is_right(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench);
    lua_State *L = bench.engine->L;
    static const char *const modules[] = { "J", "right" };
    for (uint64_t key = 0; key < 50; key++)
        for (size_t m = 0; m < 2; m++) {
            struct probe_result *results;
            push_module(&bench, "J");
            push_module(&bench, modules[m]);
            probes_run(bench.engine, &NOWHERE, bench.list, lua_gettop(L), lua_gettop(L) - 1, key, &results);
            for (int p = 0; p < ALL; p++)
                if (results[p].passes != (m == 0 || p < ONE_ROW || p == AGAIN || p == ALONE))
                    fail_msg("%s: %s %s", modules[m], results[p].id, results[p].told);
            lua_pop(L, 2);
        }
    bench_close(&bench);
}

static int run_list(lua_State *L)
{
    struct bench *bench = lua_touserdata(L, 1);
    struct probe_result **out = lua_touserdata(L, 2);
    probes_run(bench->engine, &NOWHERE, 3, 4, 0, 5, out);
    return 0;
}

/* The only result, or the error. */
static const char *own(struct bench *bench, const char *list, const char *module, struct probe_result **out)
{
    lua_State *L = bench->engine->L;
    lua_pushcfunction(L, run_list);
    lua_pushlightuserdata(L, bench);
    lua_pushlightuserdata(L, out);
    push(bench, list);
    push_module(bench, module);
    const char *error = lua_pcall(L, 4, 0, 0) == LUA_OK ? NULL : lua_tostring(L, -1);
    return error ? arena_text(bench->scene.arena, error) : NULL;
}

#define OWN(run) "return { probe 'mean' { text = 'the mean', run = " run " } }"

static void a_lesson_brings_probes_of_its_own(void **state)
{
    (void)state;
    struct bench bench;
    struct probe_result *result;
    bench_open(&bench);
    const char *mean = OWN("function(call, random)\n"
                           "local y = call(random:normal { 2, 3, 4, mean = 3 }, tensor.ones { 4 }, tensor.zeros { 4 }, 1e-5)\n"
                           "return y:mean('feature'), tensor.zeros { 2, 3, 1 } end");
    assert_null(own(&bench, mean, "right", &result));
    assert_true(result->passes);
    assert_string_equal(result->id, "mean");
    assert_string_equal(result->text, "the mean");
    assert_null(own(&bench, mean, "J", &result));
    assert_true(!result->passes && fabs(result->measures[0]) > 0.1);
    assert_string_equal(result->should, "0");
    assert_true(!strncmp(result->told, "the mean: it gave ", 18));

    assert_null(own(&bench, OWN("function() return 1.00001, 1 end"), "right", &result));
    assert_false(result->passes);
    assert_string_equal(result->yours, "1.00001");
    assert_null(own(&bench, "return { probe 'mean' { text = 'm', tolerance = .1, run = function() return 2.05, 2 end } }", "right", &result));
    assert_true(result->passes);
    assert_null(own(&bench, OWN("function() return nan, 1 end"), "right", &result));
    assert_string_equal(result->yours, "nan");
    assert_null(own(&bench, OWN("function() return tensor { 1, 2 }, tensor { 1, 2, 3 } end"), "right", &result));
    assert_false(result->passes);
    assert_string_equal(result->yours, "a tensor of shape (2,)");
    assert_null(own(&bench, OWN("function() return nil, 1 end"), "right", &result));
    assert_string_equal(result->yours, "nothing");

    assert_null(own(&bench, OWN("function(call) return call(1), 0 end"), "right", &result)); /* the module's error */
    assert_true(!result->passes && result->error);
    assert_string_equal(result->yours, "an error");
    const char *error = own(&bench, OWN("function(call) return call.x, 0 end"), "right", &result); /* the lesson's */
    assert_non_null(error);
    assert_non_null(strstr(error, "attempt to index a function value"));
    error = own(&bench, OWN("function(call) return 1 end"), "right", &result);
    assert_non_null(strstr(error, "probe \"mean\": `run` must return two numbers or two tensors"));
    error = own(&bench, "return { 'companion', 'futur' }", "right", &result);
    assert_non_null(strstr(error, "there is no probe \"futur\""));
    bench_close(&bench);
}

static void two_that_are_as_bad_are_told_apart_by_their_place(void **state)
{
    (void)state;
    const double want[] = { -1.4, 0, 1.4 }, got[] = { -1.5000001, 0, 1.5 }, worse[] = { -1.6, 0, 1.5 }, right[] = { -1.4000001, 0, 1.4 };
    size_t at;
    assert_false(probe_compare(got, want, 3, 1e-5, &at));
    assert_int_equal(at, 2);
    assert_false(probe_compare(worse, want, 3, 1e-5, &at));
    assert_int_equal(at, 0);
    assert_true(probe_compare(right, want, 3, 1e-5, &at));
    assert_int_equal(at, 2);
}

static void results_agree_when_the_modules_behave_alike(void **state)
{
    (void)state;
    struct probe_result a = { .id = "large", .measures = { 1, NAN }, .measure_count = 2, .yours = "nan" }, b = a;
    assert_true(probe_results_agree(&a, &b));
    b.measures[0] = 1.0005;
    assert_true(probe_results_agree(&a, &b));
    b.measures[0] = 1.002;
    assert_false(probe_results_agree(&a, &b));
    b = a;
    b.measures[1] = 0;
    assert_false(probe_results_agree(&a, &b));
    b = a;
    b.yours = "a number";
    assert_false(probe_results_agree(&a, &b));
    b = a;
    b.id = "ramp";
    assert_false(probe_results_agree(&a, &b));
    a.measures[0] = b.measures[0] = INFINITY;
    b.id = a.id;
    assert_true(probe_results_agree(&a, &b));
    a.error = "here: no";
    a.yours = b.yours = "an error";
    assert_false(probe_results_agree(&a, &b));
    b.error = "there: no";
    assert_true(probe_results_agree(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bug_fails_its_probes_and_no_two_measure_alike),
        cmocka_unit_test(another_text_of_the_same_bug_measures_alike),
        cmocka_unit_test(the_figures_of_the_table_come_out),
        cmocka_unit_test(one_feature_counts_what_moves),
        cmocka_unit_test(each_probe_changes_one_thing),
        cmocka_unit_test(inputs_come_from_the_key_alone),
        cmocka_unit_test(measures_are_those_of_the_formula_in_double),
        cmocka_unit_test(what_is_no_result_is_told_in_words),
        cmocka_unit_test(a_failure_is_told_in_the_learners_numbers),
        cmocka_unit_test(the_reference_says_what_is_right),
        cmocka_unit_test(a_lesson_brings_probes_of_its_own),
        cmocka_unit_test(two_that_are_as_bad_are_told_apart_by_their_place),
        cmocka_unit_test(results_agree_when_the_modules_behave_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
