/* .npy files in memory. */
#include "npy_help.h"
#include "tensor_help.h"

#include <stdlib.h>

static struct npy npy;

static struct tensor *load(void)
{
    struct tensor *x = NULL;
    /* a block of its very size: what is read behind it is seen */
    unsigned char *bytes = malloc(npy.size ? npy.size : 1);
    assert_non_null(bytes);
    memcpy(bytes, npy.bytes, npy.size);
    ok(tensor_from_npy(&x, NULL, bytes, npy.size, err));
    free(bytes);
    return x;
}

static void refuse(const char *words)
{
    struct tensor *x = NULL;
    unsigned char *bytes = malloc(npy.size ? npy.size : 1);
    assert_non_null(bytes);
    memcpy(bytes, npy.bytes, npy.size);
    refused(words, tensor_from_npy(&x, NULL, bytes, npy.size, err));
    assert_null(x);
    free(bytes);
}

static uint16_t half_bits(double value)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const int exponent = bits >> 10 & 31;
        const double size = exponent ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
        if ((bits >> 15 ? -size : size) == value)
            return (uint16_t)bits;
    }
    fail_msg("%g is no float16", value);
    return 0;
}

/* Small numbers that every type holds, in every version and in both orders of bytes and axes. */
static void every_type_and_order(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t width;
    } types[] = {{"f2", 2}, {"f4", 4}, {"f8", 8}, {"i1", 1}, {"i2", 2}, {"i4", 4},
                 {"i8", 8}, {"u1", 1}, {"u2", 2}, {"u4", 4}, {"u8", 8}, {"b1", 1}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int way = 0; way < 12; way++) {
            const bool big = way & 1, columns = way & 2;
            const int version = 1 + way / 4;
            const char kind = types[t].name[0];
            char descr[4] = {types[t].width == 1 ? '|' : big ? '>' : '<', types[t].name[0], types[t].name[1]};
            double want[2][3][4];
            npy_header(&npy, version, descr, columns, "(2, 3, 4)");
            for (int i = 0; i < 24; i++) {
                const int at[3] = {columns ? i % 2 : i / 12, columns ? i / 2 % 3 : i / 4 % 3,
                                   columns ? i / 6 : i % 4};
                const double value = kind == 'b' ? i % 2 : kind == 'u' ? i * 10 : i - 12;
                want[at[0]][at[1]][at[2]] = value;
                if (types[t].width == 2 && kind == 'f')
                    npy_add(&npy, half_bits(value), 2, big);
                else if (kind == 'f')
                    npy_add_float(&npy, value, types[t].width, big);
                else
                    npy_add(&npy, (uint64_t)(int64_t)value, types[t].width, big);
            }
            struct tensor *x = load();
            assert_int_equal(tensor_rank(x), 3);
            assert_string_equal(tensor_axis_name(x, 2), "feature");
            assert_int_equal(tensor_type(x), !strcmp(types[t].name, "f2") ? TENSOR_FLOAT16 : TENSOR_FLOAT32);
            for (size_t i = 0; i < 24; i++)
                if ((double)tensor_get_flat(x, i) != ((double *)want)[i])
                    fail_msg("%s version %d columns %d: element %zu is %g", descr, version, columns, i,
                             (double)tensor_get_flat(x, i));
            tensor_free(x);
        }
}

static double one(const char *descr, uint64_t bits, size_t width)
{
    npy_header(&npy, 1, descr, false, "()");
    npy_add(&npy, bits, width, false);
    struct tensor *x = load();
    assert_int_equal(tensor_rank(x), 0);
    const double value = (double)tensor_get_flat(x, 0);
    tensor_free(x);
    return value;
}

static double one_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return one("<f8", bits, 8);
}

static void extremes_are_rounded_as_the_contract_says(void **state)
{
    (void)state;
    assert_true(one("<i8", (uint64_t)INT64_MIN, 8) == -0x1p63 &&
                one("<i8", (uint64_t)INT64_MAX, 8) == 0x1p63);
    assert_true(one("<u8", UINT64_MAX, 8) == 0x1p64 && one("<i4", 0x80000000, 4) == -0x1p31 &&
                one("<u4", UINT32_MAX, 4) == 0x1p32);
    assert_true(one("|i1", 0x80, 1) == -128 && one("|u1", 0xFF, 1) == 255 && one("<i2", 0x8000, 2) == -32768);
    /* a tie in double, not in the integer: 2^60 + 2^36 + 1 */
    assert_true(one("<i8", ((uint64_t)1 << 60) + ((uint64_t)1 << 36) + 1, 8) == 0x1.000002p60);
    assert_true(one("|b1", 7, 1) == 1);
    assert_true(one_double(0.1) == (double)0.1f && isinf(one_double(1e39)) && isnan(one_double((double)NAN)));
    assert_true(one_double(1e-46) == 0 && signbit(one_double(-0.0)) &&
                one_double(-(double)INFINITY) == -(double)INFINITY);
    assert_true(one("<f2", 0x0001, 2) == 0x1p-24 && isinf(one("<f2", 0x7C00, 2)) &&
                isnan(one("<f2", 0x7E00, 2)));
}

static void shapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int rank;
        size_t count;
    } all[] = {{"()", 0, 1},       {"(3,)", 1, 3}, {"(2,3)", 2, 6},     {"( 2 , 1 , 3 )", 3, 6},
               {"(2L, 3L)", 2, 6}, {"(0,)", 1, 0}, {"(5, 0, 2)", 3, 0}, {"(1, 1, 1, 1, 1, 1, 2, 1)", 8, 2},
               {"(2, 3,)", 2, 6}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int columns = 0; columns < 2; columns++) {
            npy_header(&npy, 1, "|u1", columns, all[i].text);
            for (size_t n = 0; n < all[i].count; n++)
                npy_add(&npy, n, 1, false);
            struct tensor *x = load();
            assert_int_equal(tensor_rank(x), all[i].rank);
            assert_int_equal(tensor_count(x), all[i].count);
            tensor_free(x);
        }
}

static void headers_may_be_written_otherwise(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{\"shape\":(2,),\"descr\":\"<f4\",\"fortran_order\":True}",
        "{'fortran_order': False, 'descr': '=f4', 'shape': (2,)}\n",
        "  {  'descr' : '<f4' ,\n'fortran_order' :\tFalse , 'shape' : ( 2 , ) , }   \n"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        npy_begin(&npy, 3, headers[i]);
        npy_add_float(&npy, 1.5, 4, false);
        npy_add_float(&npy, -2, 4, false);
        struct tensor *x = load();
        assert_true(tensor_get_flat(x, 0) == 1.5f && tensor_get_flat(x, 1) == -2.f);
        tensor_free(x);
    }
}

static void refuse_header(const char *dictionary, const char *words)
{
    npy_begin(&npy, 1, dictionary);
    refuse(words);
}

static void refuse_shape(const char *shape, const char *words)
{
    npy_header(&npy, 1, "<f4", false, shape);
    refuse(words);
}

static void refuse_type(const char *descr, const char *words)
{
    npy_header(&npy, 1, descr, false, "(2,)");
    refuse(words);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    npy_header(&npy, 1, "<f4", false, "(2, 3)");
    for (int i = 0; i < 5; i++)
        npy_add_float(&npy, 1, 4, false);
    refuse("cut short: (2,3) elements of type <f4 take 24 bytes, and there are 20");
    npy_add(&npy, 0, 8, false);
    refuse("damaged: (2,3) elements of type <f4 take 24 bytes, and there are 28");
    npy.size = 40;
    refuse("cut short: its header takes 118 bytes, and there are 30");
    npy.size = 9;
    refuse("cut short: there are 9 bytes in all");
    npy.size = 7;
    refuse("cut short: there are 7 bytes in all");
    npy.size = 5;
    refuse("no .npy file");
    npy.size = 0;
    refuse("no .npy file");
    npy_begin(&npy, 4, "{}");
    refuse("of version 4.0: there are 1.0, 2.0 and 3.0");
    strcpy((char *)npy.bytes, "PK\3\4 something zipped");
    refuse("no .npy file");

    refuse_type("<c8", "of type <c8: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_type("<f16", "of type <f16: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_type("|O", "of type |O: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_type("<U4", "of type <U4: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_type("<i3", "of type <i3: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_type("|f4", "of type |f4: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_type("f4", "of type f4: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_type("<f1", "of type <f1: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    refuse_header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }",
                  "of a type with fields: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");

    refuse_shape("(-1, 2)", "damaged: a size in its shape is negative");
    refuse_shape("(99999999999999999999,)", "too large: a size in its shape has no end");
    refuse_shape("(4000000000, 4000000000)", "too large: (4000000000,4000000000)");
    refuse_shape("(0, 9000000000000000000, 9000000000000000000)",
                 "too large: (0,9000000000000000000,9000000000000000000)");
    refuse_shape("(4611686018427387904,)", "too large: (4611686018427387904,)");
    refuse_shape("(1, 1, 1, 1, 1, 1, 1, 1, 1)", "of 9 axes: a tensor has at most 8");
    refuse_shape("(2)", "damaged: its header has \")\" at byte 63, where \",\" should be");
    refuse_shape("2", "damaged: its header has \"2\" at byte 61, where \"(\" should be");
    refuse_shape("(2, x)", "damaged: its header has \"x\" at byte 65, where a size should be");
    refuse_shape("(2 3)", "damaged: its header has \"3\" at byte 64, where \",\" should be");

    refuse_header("", "damaged: its header ends where \"{\" should be");
    refuse_header("{'descr': '<f4', 'fortran_order': 1, 'shape': (2,)}",
                  "damaged: its header has \"1\" at byte 45, where True or False should be");
    refuse_header("{'descr': '<f4', 'shape': (2,)}", "damaged: its header has no fortran_order");
    refuse_header("{'descr': '<f4', 'descr': '<f4'}", "damaged: its header has twice the key \"descr\"");
    refuse_header("{'dtype': '<f4'}", "damaged: its header has the unknown key \"dtype\"");
    refuse_header("{'descr': '<f4", "damaged: its header ends where the end of a text should be");
    refuse_header("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)} x",
                  "damaged: its header has \"x\" at byte 66, where nothing should be");
}

/* Cut after every byte, and with every byte changed: words or a tensor, and the sanitizers are content. */
static void no_damage_is_a_crash(void **state)
{
    (void)state;
    npy_header(&npy, 1, "<f4", true, "(2, 3)");
    for (int i = 0; i < 6; i++)
        npy_add_float(&npy, i, 4, false);
    const struct npy whole = npy;
    for (size_t size = 0; size < whole.size; size++)
        for (int change = 0; change < 256; change += 5) {
            struct tensor *x = NULL;
            struct error err = {""};
            unsigned char *bytes = malloc(whole.size);
            assert_non_null(bytes);
            memcpy(bytes, whole.bytes, whole.size);
            bytes[size] = (unsigned char)(bytes[size] ^ change);
            if (tensor_from_npy(&x, NULL, bytes, change ? whole.size : size, &err) == 0)
                tensor_free(x);
            else
                assert_true(!x && *err.text);
            free(bytes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_order),
        cmocka_unit_test(extremes_are_rounded_as_the_contract_says),
        cmocka_unit_test(shapes),
        cmocka_unit_test(headers_may_be_written_otherwise),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(no_damage_is_a_crash),
    };
    return cmocka_run_group_tests_name("tensor: .npy files", tests, NULL, NULL);
}
