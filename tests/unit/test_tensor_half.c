/* float16 and bfloat16: every pattern, every boundary of rounding, and what operations make of halves. */
#include "tensor_help.h"

static const enum tensor_type halves[] = {TENSOR_FLOAT16, TENSOR_BFLOAT16};

/* The magnitudes of a type in order, from their definition; the last is where infinity begins. */
enum { PATTERNS = 1 << 15 };
struct magnitudes {
    int fraction_bits, least_exponent; /* of the smallest subnormal */
    uint16_t infinity;
    double value[PATTERNS];
};

static struct magnitudes magnitudes[2];

static int fill_magnitudes(void **state)
{
    (void)state;
    magnitudes[0] = (struct magnitudes){.fraction_bits = 10, .least_exponent = -24, .infinity = 0x7C00};
    magnitudes[1] = (struct magnitudes){.fraction_bits = 7, .least_exponent = -133, .infinity = 0x7F80};
    for (int t = 0; t < 2; t++) {
        struct magnitudes *m = &magnitudes[t];
        const int one = 1 << m->fraction_bits;
        for (int i = 0; i <= m->infinity; i++) {
            const int exponent = i / one, fraction = i % one;
            m->value[i] = exponent ? ldexp(one + fraction, m->least_exponent + exponent - 1)
                                   : ldexp(fraction, m->least_exponent);
        }
    }
    return 0;
}

static double nth(int t, int pattern)
{
    const struct magnitudes *m = &magnitudes[t];
    const int magnitude = pattern & (PATTERNS - 1);
    const double size = magnitude > m->infinity    ? (double)NAN
                        : magnitude == m->infinity ? (double)INFINITY
                                                   : m->value[magnitude];
    return pattern & PATTERNS ? -size : size;
}

/* By looking for the neighbours and measuring to both: exact, since they are within a factor of two. */
static double reference(int t, double x)
{
    const struct magnitudes *m = &magnitudes[t];
    const double size = fabs(x);
    if (isnan(x))
        return x;
    int low = 0, high = m->infinity;
    if (size >= m->value[high])
        return copysign((double)INFINITY, x);
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(m->value[middle] <= size ? &low : &high) = middle;
    }
    const double below = size - m->value[low], above = m->value[high] - size;
    const int nearest = below < above || (below == above && low % 2 == 0) ? low : high;
    return copysign(nth(t, nearest), x);
}

static void same(const char *what, int t, double x, double got, double want)
{
    if (isnan(want) ? !isnan(got) : got != want || signbit(got) != signbit(want))
        fail_msg("%s: %a in %s is %a, not %a", what, x, tensor_type_name(halves[t]), got, want);
}

static struct tensor *cast(const struct tensor *x, enum tensor_type type)
{
    struct tensor *y = NULL;
    ok(tensor_cast(&y, x, type, err));
    assert_int_equal(tensor_type(y), type);
    return y;
}

static void the_reference_knows_the_types(void **state)
{
    (void)state;
    assert_true(nth(0, 0x3C00) == 1 && nth(0, 0x7BFF) == 65504 && nth(0, 1) == 0x1p-24 &&
                nth(0, 0xC000) == -2);
    assert_true(nth(1, 0x3F80) == 1 && nth(1, 0x7F7F) == 0x1.FEp127 && nth(1, 1) == 0x1p-133);
    assert_true(magnitudes[0].value[0x7C00] == 65536 && magnitudes[1].value[0x7F80] == 0x1p128);
    assert_true(reference(0, 65519.99) == 65504 && isinf(reference(0, 65520)) && reference(0, 0x1p-25) == 0);
    assert_true(reference(0, 0x1.8p-24) == 0x1p-23 && reference(0, 2049) == 2048 &&
                reference(0, 2051) == 2052);
}

/* All 65,536 patterns, both ways, through tensors. */
static void every_pattern_comes_back(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        struct tensor *wide = zeros(EXTENTS(1 << 16));
        for (int p = 0; p < 1 << 16; p++)
            tensor_set_flat(wide, (size_t)p, nth(t, p));
        struct tensor *half = cast(wide, halves[t]), *back = cast(half, TENSOR_FLOAT32);
        assert_int_equal(tensor_type(wide), TENSOR_FLOAT32);
        for (int p = 0; p < 1 << 16; p++) {
            same("kept", t, nth(t, p), (double)tensor_get_flat(half, (size_t)p), nth(t, p));
            same("widened", t, nth(t, p), (double)tensor_get_flat(back, (size_t)p), nth(t, p));
        }
        tensor_free(wide);
        tensor_free(half);
        tensor_free(back);
    }
}

/* Between every two neighbours: the tie, what is a hair to its sides, and next to both. */
static void every_boundary_is_rounded_right(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int p = 0; p < magnitudes[t].infinity; p++) {
            const double low = magnitudes[t].value[p], high = magnitudes[t].value[p + 1],
                         tie = (low + high) / 2;
            const double near[] = {low,  nextafter(low, 0),    nextafter(low, high), nextafter(tie, low), tie,
                                   high, nextafter(tie, high), nextafter(high, low)};
            for (size_t i = 0; i < sizeof near / sizeof *near; i++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    const double x = sign * near[i];
                    same("round", t, x, tensor_round(x, halves[t]), reference(t, x));
                }
        }
    for (int t = 0; t < 2; t++) {
        const double far[] = {0,          -0.0,   0x1p-1074,        0x1p-1022,
                              1e-320,     1e300,  -1e300,           0x1.FFFFFFFFFFFFFp1023,
                              1e38,       -1e-40, (double)INFINITY, -(double)INFINITY,
                              (double)NAN};
        for (size_t i = 0; i < sizeof far / sizeof *far; i++)
            same("round", t, far[i], tensor_round(far[i], halves[t]), reference(t, far[i]));
        struct random_stream random;
        random_start(&random, 7, (uint64_t)t);
        for (int i = 0; i < 300000; i++) {
            const double x = ldexp(random_uniform(&random) - 0.5, (int)random_integer(&random, -160, 140));
            same("round", t, x, tensor_round(x, halves[t]), reference(t, x));
        }
    }
}

/* The same from float32 tensors, whose ties and their neighbours are other numbers. */
static void float32_is_rounded_right(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        struct tensor *x = zeros(EXTENTS(PATTERNS, 6));
        for (int p = 0; p < magnitudes[t].infinity; p++) {
            const float low = (float)magnitudes[t].value[p],
                        tie = (float)((magnitudes[t].value[p] + magnitudes[t].value[p + 1]) / 2);
            const float near[] = {
                low, nextafterf(low, tie), nextafterf(tie, low), tie, nextafterf(tie, (float)INFINITY), -tie};
            for (size_t i = 0; i < 6; i++)
                tensor_set(x, (size_t[]){(size_t)p, i}, (double)near[i]);
        }
        struct tensor *half = cast(x, halves[t]);
        for (size_t i = 0; i < tensor_count(x); i++) {
            const double from = (double)tensor_get_flat(x, i);
            same("cast", t, from, (double)tensor_get_flat(half, i), reference(t, from));
        }
        tensor_free(x);
        tensor_free(half);
    }
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void nan_keeps_its_sign_and_payload(void **state)
{
    (void)state;
    const uint32_t from[] = {0x7FC00000, 0xFFC00000, 0x7FA00000, 0xFF800001, 0x7FD54000};
    const uint32_t want[2][5] = {{0x7FC00000, 0xFFC00000, 0x7FE00000, 0xFFC00000, 0x7FD54000},
                                 {0x7FC00000, 0xFFC00000, 0x7FE00000, 0xFFC00000, 0x7FD50000}};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 5; i++) {
            float x;
            memcpy(&x, &from[i], sizeof x);
            struct tensor *one = filled(EXTENTS(1), &x), *half = cast(one, halves[t]);
            assert_int_equal(bits_of(tensor_get_flat(half, 0)), want[t][i]);
            tensor_free(one);
            tensor_free(half);
        }
}

/* What a half is set to is rounded from the number itself: by way of float32 these would be other halves. */
static void nothing_is_rounded_twice(void **state)
{
    (void)state;
    const double just_above[2] = {0x1p-11 + 0x1p-40, 0x1p-8 + 0x1p-40}, step[2] = {0x1p-10, 0x1p-7};
    for (int t = 0; t < 2; t++) {
        struct tensor *one = row_of(1, 1), *x = cast(one, halves[t]), *y = NULL;
        assert_true(tensor_round((double)(float)(1 + just_above[t]), halves[t]) == 1);
        tensor_set_flat(x, 0, 1 + just_above[t]);
        assert_true((double)tensor_get_flat(x, 0) == 1 + step[t]);
        ok(tensor_binary_number(&y, TENSOR_ADD, x, just_above[t], false, err));
        assert_true((double)tensor_get_flat(y, 1) == 1 + step[t]);
        tensor_free(one);
        tensor_free(x);
        tensor_free(y);
    }
}

/* Random halves of every size, specials among them. */
static struct tensor *assorted(int t, size_t rank, const size_t *extents, uint64_t seed)
{
    struct random_stream random;
    random_start(&random, seed, 0);
    struct tensor *wide = zeros(rank, extents);
    for (size_t i = 0; i < tensor_count(wide); i++)
        tensor_set_flat(wide, i, nth(t, (int)random_integer(&random, 0, 0xFFFF)));
    struct tensor *half = cast(wide, halves[t]);
    tensor_free(wide);
    return half;
}

static double binary_in_double(enum tensor_binary op, double a, double b)
{
    switch (op) {
    case TENSOR_ADD:
        return a + b;
    case TENSOR_SUB:
        return a - b;
    case TENSOR_MUL:
        return a * b;
    case TENSOR_DIV:
        return a / b;
    case TENSOR_POW:
        return pow(a, b);
    case TENSOR_MAXIMUM:
        return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
    case TENSOR_MINIMUM:
        return isnan(a) || isnan(b) ? (double)NAN : fmin(a, b);
    }
    return 0;
}

static void arithmetic_is_rounded_once(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int op = TENSOR_ADD; op <= TENSOR_MINIMUM; op++) {
            struct tensor *a = assorted(t, EXTENTS(40, 500), 1), *b = assorted(t, EXTENTS(500), 2), *y = NULL,
                          *z = NULL;
            ok(tensor_binary(&y, (enum tensor_binary)op, a, b, err));
            ok(tensor_binary_number(&z, (enum tensor_binary)op, a, 0.1, true, err));
            assert_int_equal(tensor_type(y), halves[t]);
            assert_int_equal(tensor_type(z), halves[t]);
            for (size_t i = 0; i < tensor_count(a); i++) {
                const double l = (double)tensor_get_flat(a, i), r = (double)tensor_get_flat(b, i % 500);
                const double want = reference(t, binary_in_double((enum tensor_binary)op, l, r));
                const double got = (double)tensor_get_flat(y, i);
                if ((op == TENSOR_MAXIMUM || op == TENSOR_MINIMUM) && l == 0 && r == 0)
                    assert_true(got == 0);
                else
                    same("pair", t, l, got, want);
                same("number", t, l, (double)tensor_get_flat(z, i),
                     reference(t, binary_in_double((enum tensor_binary)op, 0.1, l)));
            }
            tensor_free(a);
            tensor_free(b);
            tensor_free(y);
            tensor_free(z);
        }
}

static double negative(double x)
{
    return -x;
}

static void functions_are_rounded_once(void **state)
{
    (void)state;
    double (*const want[])(double) = {negative, sqrt, exp, log, tanh, fabs};
    for (int t = 0; t < 2; t++)
        for (int op = TENSOR_NEG; op <= TENSOR_ABS; op++) {
            struct tensor *x = assorted(t, EXTENTS(30000), 3), *y = NULL;
            ok(tensor_unary(&y, (enum tensor_unary)op, x, err));
            assert_int_equal(tensor_type(y), halves[t]);
            for (size_t i = 0; i < tensor_count(x); i++) {
                const double v = (double)tensor_get_flat(x, i);
                same("function", t, v, (double)tensor_get_flat(y, i), reference(t, want[op](v)));
            }
            tensor_free(x);
            tensor_free(y);
        }
}

static void unlike_types_make_float32(void **state)
{
    (void)state;
    struct tensor *wide = normals(EXTENTS(3, 40), 5, 0, 1),
                  *types[3] = {wide, cast(wide, TENSOR_FLOAT16), cast(wide, TENSOR_BFLOAT16)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            struct tensor *y = NULL, *stacked = NULL, *l = cast(types[i], TENSOR_FLOAT32),
                          *r = cast(types[j], TENSOR_FLOAT32), *want = NULL;
            ok(tensor_binary(&y, TENSOR_DIV, types[i], types[j], err));
            ok(tensor_binary(&want, TENSOR_DIV, l, r, err));
            ok(tensor_stack(&stacked, (const struct tensor *const[]){types[i], types[j]}, 2, err));
            assert_int_equal(tensor_type(y), i == j ? tensor_type(types[i]) : TENSOR_FLOAT32);
            assert_int_equal(tensor_type(stacked), tensor_type(y));
            for (size_t e = 0; e < tensor_count(y); e++) {
                if (i != j)
                    assert_true(same_float(tensor_get_flat(y, e), tensor_get_flat(want, e)));
                assert_true(tensor_get_flat(stacked, e) == tensor_get_flat(l, e));
                assert_true(tensor_get_flat(stacked, e + tensor_count(y)) == tensor_get_flat(r, e));
            }
            tensor_free(y);
            tensor_free(stacked);
            tensor_free(l);
            tensor_free(r);
            tensor_free(want);
        }
    for (int i = 0; i < 3; i++)
        tensor_free(types[i]);
}

static void views_of_halves_are_halves(void **state)
{
    (void)state;
    struct tensor *wide = counting(EXTENTS(2, 3, 4)), *x = cast(wide, TENSOR_BFLOAT16), *row = NULL,
                  *named = NULL, *copy = NULL;
    assert_string_equal(tensor_axis_name(x, 1), "token");
    ok(tensor_at(&row, x, 1, err));
    ok(tensor_rename(&named, row, NAMES("in", "out"), err));
    tensor_set(named, (size_t[]){2, 3}, 200);
    ok(tensor_copy(&copy, x, err));
    assert_int_equal(tensor_type(copy), TENSOR_BFLOAT16);
    assert_true(tensor_get_flat(copy, 23) == 200 && tensor_get_flat(copy, 22) == 22);
    assert_true(tensor_get(row, (size_t[]){0, 1}) == 13);
    tensor_free(wide);
    tensor_free(x);
    tensor_free(row);
    tensor_free(named);
    tensor_free(copy);
}

/* By every set of axes, also where rows do not lie together. */
static void reductions_of_halves_are_rounded_once(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        struct tensor *wide = normals(EXTENTS(3, 5, 7), 9, 3, 2), *x = cast(wide, halves[t]),
                      *exact = cast(x, TENSOR_FLOAT32);
        for (tensor_axes axes = 0; axes < 8; axes++)
            for (int op = TENSOR_SUM; op <= TENSOR_MIN; op++) {
                struct tensor *y = NULL, *want = NULL;
                ok(tensor_reduce(&y, (enum tensor_reduction)op, x, axes, err));
                ok(tensor_reduce(&want, (enum tensor_reduction)op, exact, axes, err));
                assert_int_equal(tensor_type(y), halves[t]);
                for (size_t i = 0; i < tensor_count(y); i++)
                    same("reduced", t, (double)axes, (double)tensor_get_flat(y, i),
                         reference(t, (double)tensor_get_flat(want, i)));
                tensor_free(y);
                tensor_free(want);
            }
        double sum = 0, want = 0;
        ok(tensor_reduce_all(&sum, TENSOR_SUM, x, err));
        ok(tensor_reduce_all(&want, TENSOR_SUM, exact, err));
        assert_true(sum == want);
        tensor_free(wide);
        tensor_free(x);
        tensor_free(exact);
    }
}

static void empty_tensors_have_types_too(void **state)
{
    (void)state;
    struct tensor *none = zeros(EXTENTS(2, 0, 3)), *x = cast(none, TENSOR_FLOAT16), *y = NULL;
    ok(tensor_reduce(&y, TENSOR_SUM, x, 2, err));
    assert_int_equal(tensor_type(y), TENSOR_FLOAT16);
    assert_int_equal(tensor_count(y), 6);
    assert_true(tensor_get_flat(y, 5) == 0);
    tensor_free(y);
    ok(tensor_binary(&y, TENSOR_ADD, x, x, err));
    assert_int_equal(tensor_count(y), 0);
    tensor_free(y);
    tensor_free(none);
    tensor_free(x);
}

static void types_have_names(void **state)
{
    (void)state;
    enum tensor_type type = TENSOR_FLOAT32;
    ok(tensor_type_find(&type, "bfloat16", err));
    assert_int_equal(type, TENSOR_BFLOAT16);
    assert_string_equal(tensor_type_name(TENSOR_FLOAT16), "float16");
    refused("no type \"half\": there are float32, float16, bfloat16 and float64",
            tensor_type_find(&type, "half", err));
    struct tensor *x = row_of(1), *y = NULL;
    refused("a tensor is kept as float32, float16 or bfloat16: float64 is for computing",
            tensor_cast(&y, x, TENSOR_FLOAT64, err));
    assert_null(y);
    tensor_free(x);
}

static void dropout_keeps_the_type(void **state)
{
    (void)state;
    struct tensor *wide = row_of(1, 2, 3, 4), *x = cast(wide, TENSOR_FLOAT16),
                  *random = row_of(0.1f, 0.4f, 0.9f, 0.3f);
    struct tensor_dropout out;
    ok(tensor_dropout(&out, x, random, 0.3, err));
    assert_int_equal(tensor_type(out.y), TENSOR_FLOAT16);
    const double want[] = {0, 2 / 0.7, 3 / 0.7, 4 / 0.7};
    for (size_t i = 0; i < 4; i++) {
        same("dropped", 0, want[i], (double)tensor_get_flat(out.y, i), reference(0, want[i]));
        assert_true(tensor_get_flat(out.mask, i) == (i > 0 ? 1.f : 0.f));
    }
    tensor_free(out.y);
    tensor_free(out.mask);
    tensor_free(wide);
    tensor_free(x);
    tensor_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_knows_the_types),
        cmocka_unit_test(every_pattern_comes_back),
        cmocka_unit_test(every_boundary_is_rounded_right),
        cmocka_unit_test(float32_is_rounded_right),
        cmocka_unit_test(nan_keeps_its_sign_and_payload),
        cmocka_unit_test(nothing_is_rounded_twice),
        cmocka_unit_test(arithmetic_is_rounded_once),
        cmocka_unit_test(functions_are_rounded_once),
        cmocka_unit_test(unlike_types_make_float32),
        cmocka_unit_test(views_of_halves_are_halves),
        cmocka_unit_test(reductions_of_halves_are_rounded_once),
        cmocka_unit_test(empty_tensors_have_types_too),
        cmocka_unit_test(types_have_names),
        cmocka_unit_test(dropout_keeps_the_type),
    };
    return cmocka_run_group_tests_name("tensor: halves", tests, fill_magnitudes, NULL);
}
