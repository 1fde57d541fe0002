/* Philox and the distributions made of it. */
#include "tensor_help.h"

/* The known answers published with Random123. */
static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0}, {0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t out[4];
        philox4x32_10(out, known[i].counter, known[i].key);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

static void a_stream_counts_blocks(void **state)
{
    (void)state;
    struct random_stream random;
    const uint64_t key = 0x299f31d0a4093822, stream = 0x0370734413198a2e;
    random_start(&random, key, stream);
    for (uint32_t block = 0; block < 5; block++) {
        uint32_t out[4];
        philox4x32_10(out, (uint32_t[]){block, 0, 0x13198a2e, 0x03707344},
                      (uint32_t[]){0xa4093822, 0x299f31d0});
        for (int i = 0; i < 4; i++)
            assert_int_equal(random_bits(&random), out[i]);
    }
    random.counter = 0xffffffffffffffff; /* its last block */
    uint32_t last[4];
    philox4x32_10(last, (uint32_t[]){0xffffffff, 0xffffffff, 0x13198a2e, 0x03707344},
                  (uint32_t[]){0xa4093822, 0x299f31d0});
    assert_int_equal(random_bits(&random), last[0]);
}

static void keys_and_streams_differ(void **state)
{
    (void)state;
    struct random_stream a, b, c, d;
    random_start(&a, 1, 2);
    random_start(&b, 2, 1);
    random_start(&c, 1, 3);
    random_start(&d, 1, 2);
    const uint32_t first = random_bits(&a);
    assert_int_not_equal(first, random_bits(&b));
    assert_int_not_equal(first, random_bits(&c));
    assert_int_equal(first, random_bits(&d));
}

/* The same bits on every machine, compiler and optimisation. */
static void first_values_are_fixed(void **state)
{
    (void)state;
    static const double uniforms[] = {0x1.c78477c136125p-1, 0x1.81c1d47c06211p-1, 0x1.ab64457e3248p-8};
    static const double normal_values[] = {0x1.dea8156bca2e9p+0,  0x1.e0c0a154a49ecp-2,
                                           -0x1.2db86ce6c67fbp-1, -0x1.f025a1b6f0c71p-2,
                                           -0x1.f2b84e1ef22a2p+0, 0x1.95383fc5a53efp-2};
    struct random_stream random;
    random_start(&random, 20160721, 1);
    for (size_t i = 0; i < sizeof uniforms / sizeof *uniforms; i++)
        assert_true(random_uniform(&random) == uniforms[i]);
    random_start(&random, 20160721, 2);
    for (size_t i = 0; i < sizeof normal_values / sizeof *normal_values; i++)
        assert_true(random_normal(&random) == normal_values[i]);
    double sum = 0; /* a long run: rare branches, both tails */
    for (int i = 0; i < 1000000; i++)
        sum += random_normal(&random);
    assert_true(sum == -0x1.0d9ac8f479666p+11);
}

static void uniforms_are_uniform(void **state)
{
    (void)state;
    enum { COUNT = 1000000, BINS = 100 };
    struct random_stream random;
    random_start(&random, 3, 0);
    double sum = 0, squares = 0, least = 1, most = 0;
    unsigned bins[BINS] = {0};
    for (int i = 0; i < COUNT; i++) {
        const double u = random_uniform(&random);
        assert_true(u >= 0 && u < 1);
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
        least = fmin(least, u);
        most = fmax(most, u);
        bins[(int)(u * BINS)]++;
    }
    assert_true(fabs(sum / COUNT - 0.5) < 4 * sqrt(1.0 / 12 / COUNT));
    assert_true(fabs(squares / COUNT - 1.0 / 12) < 4 * sqrt(1.0 / 180 / COUNT));
    assert_true(least < 1e-5 && most > 1 - 1e-5);
    double chi2 = 0;
    for (int i = 0; i < BINS; i++)
        chi2 += (bins[i] - 1.0 * COUNT / BINS) * (bins[i] - 1.0 * COUNT / BINS) / (1.0 * COUNT / BINS);
    assert_true(chi2 > 50 && chi2 < 160); /* 99 degrees of freedom: beyond four deviations */
}

/* Moments within four deviations of what they should be, and the tails against the normal integral. */
static void normals_are_normal(void **state)
{
    (void)state;
    enum { COUNT = 4000000, PLACES = 6 };
    struct random_stream random;
    random_start(&random, 4, 0);
    double sum = 0, squares = 0, cubes = 0, fourths = 0, product = 0, last = 0;
    unsigned below[PLACES] = {0}, above[PLACES] = {0}; /* beyond -k and k deviations */
    for (int i = 0; i < COUNT; i++) {
        const double z = random_normal(&random);
        sum += z;
        squares += z * z;
        cubes += z * z * z;
        fourths += z * z * z * z;
        product += z * last;
        last = z;
        for (int k = 0; k < PLACES; k++) {
            below[k] += z < -k;
            above[k] += z > k;
        }
    }
    const double n = COUNT;
    assert_true(fabs(sum / n) < 4 * sqrt(1 / n));
    assert_true(fabs(squares / n - 1) < 4 * sqrt(2 / n));
    assert_true(fabs(cubes / n) < 4 * sqrt(15 / n));
    assert_true(fabs(fourths / n - 3) < 4 * sqrt(96 / n));
    assert_true(fabs(product / n) < 4 * sqrt(1 / n));
    for (int k = 0; k < PLACES; k++) {
        const double expected = n * erfc(k / sqrt(2)) / 2;
        assert_true(fabs(below[k] - expected) < 4 * sqrt(expected) + 1);
        assert_true(fabs(above[k] - expected) < 4 * sqrt(expected) + 1);
    }
}

/* The logarithm inside is the core's own: the C library's must tell the same to a few places in the last. */
static void normals_follow_the_polar_formula(void **state)
{
    (void)state;
    struct random_stream random, again;
    random_start(&random, 6, 0);
    random_start(&again, 6, 0);
    for (int i = 0; i < 200000; i++) {
        double u, s;
        do {
            u = 2 * random_uniform(&again) - 1;
            const double v = 2 * random_uniform(&again) - 1;
            s = u * u + v * v;
        } while (s >= 1 || s == 0);
        const double z = u * sqrt(-2 * log(s) / s);
        assert_true(fabs(random_normal(&random) - z) <= 6e-16 * fabs(z));
    }
}

static void integers_have_no_bias(void **state)
{
    (void)state;
    struct random_stream random;
    random_start(&random, 5, 0);
    unsigned seen[7] = {0};
    for (int i = 0; i < 700000; i++) {
        const int64_t value = random_integer(&random, -3, 3);
        assert_true(value >= -3 && value <= 3);
        seen[value + 3]++;
    }
    for (int i = 0; i < 7; i++)
        assert_true(fabs(seen[i] - 1e5) < 4 * sqrt(1e5));
    assert_int_equal(random_integer(&random, 42, 42), 42);
    assert_true(random_integer(&random, INT64_MIN, INT64_MIN) == INT64_MIN);
    unsigned negative = 0, low = 0;
    for (int i = 0; i < 10000; i++) {
        negative += random_integer(&random, INT64_MIN, INT64_MAX) < 0;
        /* Of 2^63 + 2^62 choices the lower 2^62 come one time in three; a plain remainder would give them
         * half. */
        low += random_integer(&random, INT64_MIN, INT64_MIN / 2 + INT64_MAX) < INT64_MIN + (INT64_C(1) << 62);
    }
    assert_true(fabs(negative - 5e3) < 4 * sqrt(2500));
    assert_true(fabs(low - 1e4 / 3) < 4 * sqrt(2e4 / 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(a_stream_counts_blocks),
        cmocka_unit_test(keys_and_streams_differ),
        cmocka_unit_test(first_values_are_fixed),
        cmocka_unit_test(uniforms_are_uniform),
        cmocka_unit_test(normals_are_normal),
        cmocka_unit_test(normals_follow_the_polar_formula),
        cmocka_unit_test(integers_have_no_bias),
    };
    return cmocka_run_group_tests_name("tensor: random numbers", tests, NULL, NULL);
}
