/* Layer norm, RMS norm and reductions: what they mean, and how exact they are on rows that break others. */
#include "tensor_help.h"
#include "tensor/layout.h"

enum { LAST = 1 << 1 }; /* the axis set of a matrix's rows */

typedef int norm_function(struct tensor_norm *, const struct tensor *, const struct tensor_norm_options *,
                          struct error *);

static struct tensor_norm normed(norm_function *function, const struct tensor *x, tensor_axes axes,
                                 double eps, const struct tensor *scale, const struct tensor *bias)
{
    struct tensor_norm norm;
    ok(function(&norm, x, &(struct tensor_norm_options){.axes = axes, .eps = eps, .scale = scale, .bias = bias}, err));
    return norm;
}

static void normalizes_one_two_three(void **state)
{
    (void)state;
    struct tensor *x = row_of(1, 2, 3);
    struct tensor_norm norm = normed(layer_norm, x, 1, 0, NULL, NULL);
    assert_true(same_float(tensor_get_flat(norm.y, 0), -1.22474487f));
    assert_true(same_float(tensor_get_flat(norm.y, 1), 0));
    assert_true(same_float(tensor_get_flat(norm.y, 2), 1.22474487f));
    assert_true(same_float(tensor_get_flat(norm.mean, 0), 2));
    assert_true(same_float(tensor_get_flat(norm.var, 0), 2.0f / 3));
    assert_true(same_float(tensor_get_flat(norm.rstd, 0), 1.22474487f));
    free_norm(&norm);
    norm = normed(rms_norm, x, 1, 0, NULL, NULL);
    assert_null(norm.mean);
    assert_true(same_float(tensor_get_flat(norm.var, 0), 14.0f / 3));
    assert_true(same_float(tensor_get_flat(norm.y, 0), 0.462910050f));
    free_norm(&norm);
    tensor_set_flat(x, 0, -0.0f);
    norm = normed(rms_norm, x, 1, 0, NULL, NULL);
    assert_true(same_float(tensor_get_flat(norm.y, 0), 0)); /* not shown as -0 */
    free_norm(&norm);
    tensor_free(x);
}

static void statistics_keep_their_axes(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(2, 3, 4), 1, 0, 1);
    struct tensor_norm norm = normed(layer_norm, x, 5, 1e-5, NULL, NULL);
    char text[TENSOR_SHAPE_TEXT];
    assert_string_equal(tensor_shape_text(norm.mean, text), "(1, 3, 1)");
    assert_string_equal(tensor_shape_text(norm.var, text), "(1, 3, 1)");
    assert_string_equal(tensor_shape_text(norm.rstd, text), "(1, 3, 1)");
    assert_string_equal(tensor_shape_text(norm.y, text), "(2, 3, 4)");
    assert_string_equal(tensor_axis_name(norm.rstd, 1), "token");
    free_norm(&norm);
    tensor_free(x);
}

static void one_bad_row_spoils_no_other(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int layer = 0; layer < 2; layer++)
        for (size_t k = 0; k < 3; k++)
            for (size_t length = 1; length <= 33; length += 4)
                for (size_t place = 0; place < length; place += 3) {
                    struct tensor *x = normals(2, (size_t[]){3, length}, 5, 1, 2);
                    norm_function *function = layer ? layer_norm : rms_norm;
                    struct tensor_norm good = normed(function, x, LAST, 1e-5, NULL, NULL);
                    tensor_set(x, (size_t[]){1, place}, bad[k]);
                    struct tensor_norm norm = normed(function, x, LAST, 1e-5, NULL, NULL);
                    for (size_t i = 0; i < 3 * length; i++) {
                        const float y = tensor_get_flat(norm.y, i);
                        assert_true(i / length == 1 ? isnan(y) : same_float(y, tensor_get_flat(good.y, i)));
                    }
                    if (layer)
                        assert_true(same_float(tensor_get_flat(norm.mean, 1), bad[k]));
                    else
                        assert_true(same_float(tensor_get_flat(norm.var, 1), bad[k] * bad[k]));
                    free_norm(&good);
                    free_norm(&norm);
                    tensor_free(x);
                }
}

static void a_constant_row_gives_exactly_the_bias(void **state)
{
    (void)state;
    const float constants[] = {0, -0.0f, 14, 1234, 0.1f, -3e3f, 1e30f, 3.4e38f, 1e-45f, 16777216};
    const size_t lengths[] = {1, 2, 3, 7, 8, 9, 768, 1025, 20011};
    for (size_t c = 0; c < sizeof constants / sizeof *constants; c++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            const size_t extents[] = {2, lengths[l]};
            struct tensor *x = zeros(2, extents), *scale = normals(1, extents + 1, 1, 0, 9),
                          *bias = normals(1, extents + 1, 2, 0, 9);
            for (size_t i = 0; i < tensor_count(x); i++)
                tensor_set_flat(x, i, constants[c]);
            struct tensor_norm plain = normed(layer_norm, x, LAST, 1e-5, scale, NULL),
                               with = normed(layer_norm, x, LAST, 1e-12, scale, bias),
                               lost = normed(layer_norm, x, LAST, 0, scale, bias);
            for (size_t i = 0; i < tensor_count(x); i++) {
                assert_true(same_float(tensor_get_flat(plain.y, i), 0)); /* and not -0 */
                assert_true(same_float(tensor_get_flat(with.y, i), tensor_get_flat(bias, i % lengths[l])));
                assert_true(isnan(tensor_get_flat(lost.y, i)));
            }
            assert_true(same_float(tensor_get_flat(with.mean, 1), constants[c] + 0.0f));
            assert_true(same_float(tensor_get_flat(with.var, 1), 0));
            free_norm(&plain);
            free_norm(&with);
            free_norm(&lost);
            tensor_free(x);
            tensor_free(scale);
            tensor_free(bias);
        }
}

/* Rows that kernels get wrong, against two passes in long double. */
static const double TARGET = 2.5; /* units in the last place of max(1, |y|) */

static double worst_error(norm_function *function, const struct tensor *x, double eps,
                          const struct tensor *scale, const struct tensor *bias)
{
    const bool layer = function == layer_norm;
    const size_t rows = tensor_extent(x, 0), n = tensor_extent(x, 1);
    struct tensor_norm norm = normed(function, x, LAST, eps, scale, bias);
    double worst = 0;
    for (size_t row = 0; row < rows; row++) {
        long double mean = 0, squares = 0;
        for (size_t i = 0; layer && i < n; i++)
            mean += (long double)tensor_get(x, (size_t[]){row, i});
        mean /= (long double)n;
        for (size_t i = 0; i < n; i++) {
            const long double d = (long double)tensor_get(x, (size_t[]){row, i}) - mean;
            squares += d * d;
        }
        const long double rstd = 1 / sqrtl(squares / (long double)n + (long double)eps);
        for (size_t i = 0; i < n; i++) {
            const size_t at[] = {row, i};
            const long double z = ((long double)tensor_get(x, at) - mean) * rstd;
            const long double times = scale ? (long double)tensor_get_flat(scale, i) : 1;
            const long double y = z * times + (bias ? (long double)tensor_get_flat(bias, i) : 0);
            /* What comes before scale and bias is that near; a scale above 1 enlarges it. */
            const double least = (double)(fmaxl(fabsl(z), 1) * fmaxl(fabsl(times), 1));
            const double off = ulps(tensor_get(norm.y, at), y, scale ? least : 1);
            worst = off > worst ? off : worst;
        }
    }
    free_norm(&norm);
    return worst;
}

static void accurate_on_hard_rows(void **state)
{
    (void)state;
    const struct {
        const char *name;
        size_t rows, features;
        double mean, deviation, eps;
    } cases[] = {
        {"N(0,1)", 16, 768, 0, 1, 1e-5},
        {"262,144 features", 2, 262144, 0, 1, 1e-5},
        {"262,144 features, mean 1e6", 1, 262144, 1e6, 1, 1e-5},
        {"one feature", 64, 1, 0, 1, 1e-5},
        {"two features", 64, 2, 0, 1, 1e-5},
        {"three features", 64, 3, 0, 1, 0},
        {"mean 100, deviation 1", 16, 768, 100, 1, 1e-5},
        {"mean 1e4, deviation 1e-2", 16, 768, 1e4, 1e-2, 1e-5},
        {"mean 1e6, deviation 1", 16, 768, 1e6, 1, 1e-5},
        {"mean -1e30, deviation 1e23", 16, 768, -1e30, 1e23, 1e-5},
        {"1e30 N(0,1)", 16, 768, 0, 1e30, 1e-5},
        {"1e19 N(0,1)", 16, 768, 0, 1e19, 1e-5},
        {"1e-25, eps 0", 16, 768, 0, 1e-25, 0},
        {"1e-42 (subnormal), eps 0", 16, 768, 0, 1e-42, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const size_t extents[] = {cases[c].rows, cases[c].features};
        struct tensor *x = normals(2, extents, c, cases[c].mean, cases[c].deviation),
                      *scale = normals(1, extents + 1, 100 + c, 1, 0.5),
                      *bias = normals(1, extents + 1, 200 + c, 0, 1);
        const double errors[] = {
            worst_error(layer_norm, x, cases[c].eps, NULL, NULL),
            worst_error(layer_norm, x, cases[c].eps, scale, bias),
            worst_error(layer_norm, x, cases[c].eps, scale, NULL),
            worst_error(layer_norm, x, cases[c].eps, NULL, bias),
            worst_error(rms_norm, x, cases[c].eps, NULL, NULL),
            worst_error(rms_norm, x, cases[c].eps, scale, bias),
        };
        for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
            if (!(errors[i] <= TARGET))
                fail_msg("%s, run %zu: %g units", cases[c].name, i, errors[i]);
        tensor_free(x);
        tensor_free(scale);
        tensor_free(bias);
    }
}

static void accurate_on_given_rows(void **state)
{
    (void)state;
    const size_t extents[] = {1, 768};
    struct tensor *x = zeros(2, extents);
    struct random_stream random;
    random_start(&random, 3, 0);
    for (size_t i = 0; i < 768; i++)
        tensor_set_flat(x, i, (float)(3e38 * (2 * random_uniform(&random) - 1)));
    assert_true(worst_error(layer_norm, x, 1e-5, NULL, NULL) <= TARGET);
    assert_true(worst_error(rms_norm, x, 1e-5, NULL, NULL) <= TARGET);
    tensor_free(x);

    x = normals(2, extents, 4, 0, 1); /* one feature of -3e3 among small ones */
    tensor_set_flat(x, 500, -3e3f);
    assert_true(worst_error(layer_norm, x, 1e-5, NULL, NULL) <= TARGET);
    tensor_set_flat(x, 500, 1);
    tensor_set_flat(x, 0, -3e3f);
    assert_true(worst_error(layer_norm, x, 1e-5, NULL, NULL) <= TARGET);
    tensor_free(x);

    x = filled(EXTENTS(1, 4), (float[]){40000, 40001, 40002, 40003});
    assert_true(worst_error(layer_norm, x, 1e-5, NULL, NULL) <= TARGET);
    tensor_free(x);

    x = zeros(
        EXTENTS(1, 250007)); /* one element one place above a large constant: no double holds their mean */
    for (size_t i = 0; i < 250007; i++)
        tensor_set_flat(x, i, i == 777 ? 16777215.0f : 16777214.0f);
    assert_true(worst_error(layer_norm, x, 0, NULL, NULL) <= TARGET);
    tensor_free(x);
}

static struct tensor *permuted(const struct tensor *x, const int *order)
{
    struct tensor *view = NULL;
    ok(tensor_view(&view, x, err));
    for (int axis = 0; axis < x->rank; axis++) {
        view->extent[axis] = x->extent[order[axis]];
        view->stride[axis] = x->stride[order[axis]];
        strcpy(view->name[axis], x->name[order[axis]]);
    }
    return view;
}

/* Which row an index belongs to, and which element of it that is. */
static void split(const struct tensor *x, const size_t *index, tensor_axes axes, size_t *row, size_t *element)
{
    *row = *element = 0;
    for (int axis = 0; axis < tensor_rank(x); axis++) {
        size_t *part = axes >> axis & 1 ? element : row;
        *part = *part * tensor_extent(x, axis) + index[axis];
    }
}

static size_t row_length(const struct tensor *x, tensor_axes axes)
{
    size_t length = 1;
    for (int axis = 0; axis < tensor_rank(x); axis++)
        length *= axes >> axis & 1 ? tensor_extent(x, axis) : 1;
    return length;
}

/* Each row of x, laid out as a matrix; t is read as x's shape. */
static struct tensor *as_rows(const struct tensor *t, const struct tensor *x, tensor_axes axes)
{
    const size_t length = row_length(x, axes), extents[] = {tensor_count(x) / length, length};
    struct tensor *matrix = zeros(2, extents), *whole = NULL, *wide = NULL;
    ok(tensor_binary_number(&whole, TENSOR_MUL, x, 0, false, err));
    ok(tensor_binary(&wide, TENSOR_ADD, whole, t, err));
    for (size_t i = 0; i < tensor_count(x); i++) {
        const size_t e1 = tensor_extent(x, 1), e2 = tensor_extent(x, 2),
                     index[] = {i / e2 / e1, i / e2 % e1, i % e2};
        size_t at[2];
        split(x, index, axes, &at[0], &at[1]);
        tensor_set(matrix, at, tensor_get(wide, index));
    }
    tensor_free(whole);
    tensor_free(wide);
    return matrix;
}

/* The matrix's rows normalized one by one, each alone. */
static void check_rows(const struct tensor_norm *norm, const struct tensor *x, const struct tensor *scale,
                       const struct tensor *bias, tensor_axes axes)
{
    struct tensor *rows = as_rows(x, x, axes), *scales = as_rows(scale, x, axes),
                  *biases = as_rows(bias, x, axes);
    struct tensor *y = as_rows(norm->y, x, axes), *const statistics[] = {norm->mean, norm->var, norm->rstd};
    for (size_t row = 0; row < tensor_extent(rows, 0); row++) {
        struct tensor *r = NULL, *s = NULL, *b = NULL;
        ok(tensor_at(&r, rows, row, err));
        ok(tensor_at(&s, scales, row, err));
        ok(tensor_at(&b, biases, row, err));
        struct tensor_norm alone = normed(layer_norm, r, 1, 1e-5, s, b);
        for (size_t i = 0; i < tensor_count(r); i++)
            assert_true(same_float(tensor_get(y, (size_t[]){row, i}), tensor_get_flat(alone.y, i)));
        struct tensor *const alone_statistics[] = {alone.mean, alone.var, alone.rstd};
        for (int k = 0; k < 3; k++)
            assert_true(
                same_float(tensor_get_flat(statistics[k], row), tensor_get_flat(alone_statistics[k], 0)));
        free_norm(&alone);
        tensor_free(r);
        tensor_free(s);
        tensor_free(b);
    }
    tensor_free(rows);
    tensor_free(scales);
    tensor_free(biases);
    tensor_free(y);
}

/* Over any axes in any layout, with scale and bias of any shape: the bits of the same row laid out alone. */
static void any_axes_and_strides_give_the_same_bits(void **state)
{
    (void)state;
    const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct tensor *base = normals(EXTENTS(3, 5, 20), 8, 3, 2);
    for (size_t order = 0; order < 6; order++) {
        struct tensor *x = permuted(base, orders[order]);
        for (unsigned shape = 0; shape < 8; shape++) {
            size_t extents[3];
            for (int axis = 0; axis < 3; axis++)
                extents[axis] = shape >> axis & 1 ? tensor_extent(x, axis) : 1;
            struct tensor *scale = normals(3, extents, 9, 1, 1), *bias = normals(1, extents + 2, 10, 0, 1);
            for (tensor_axes axes = 1; axes < 8; axes++) {
                struct tensor_norm norm = normed(layer_norm, x, axes, 1e-5, scale, bias);
                check_rows(&norm, x, scale, bias, axes);
                free_norm(&norm);
            }
            tensor_free(scale);
            tensor_free(bias);
        }
        tensor_free(x);
    }
    tensor_free(base);
}

static void long_strided_rows_too(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(300000, 3), 8, 3, 2), *y = NULL; /* longer than a gathered tile */
    struct tensor *turned = permuted(x, (int[]){1, 0}), *flat = NULL;
    ok(tensor_copy(&flat, turned, err));
    struct tensor_norm norm = normed(layer_norm, x, 1, 1e-5, NULL, NULL),
                       expected = normed(layer_norm, flat, LAST, 1e-5, NULL, NULL);
    for (size_t i = 0; i < 300000; i += 7)
        for (size_t k = 0; k < 3; k++)
            assert_true(
                same_float(tensor_get(norm.y, (size_t[]){i, k}), tensor_get(expected.y, (size_t[]){k, i})));
    ok(tensor_reduce(&y, TENSOR_MEAN, x, 1, err));
    for (size_t k = 0; k < 3; k++)
        assert_true(same_float(tensor_get_flat(y, k), tensor_get_flat(expected.mean, k)));
    free_norm(&norm);
    free_norm(&expected);
    tensor_free(x);
    tensor_free(turned);
    tensor_free(flat);
    tensor_free(y);
}

static void reductions_meet_nan_and_infinity(void **state)
{
    (void)state;
    struct tensor *x = row_of(1, NAN, 3), *y = row_of(1, INFINITY, 3), *both = row_of(1, INFINITY, -INFINITY),
                  *first = row_of(NAN, 1), *one = row_of(4);
    double value;
    for (int op = TENSOR_SUM; op <= TENSOR_MIN; op++) {
        ok(tensor_reduce_all(&value, (enum tensor_reduction)op, x, err));
        assert_true(isnan(value));
        ok(tensor_reduce_all(&value, (enum tensor_reduction)op, first, err));
        assert_true(isnan(value));
        ok(tensor_reduce_all(&value, (enum tensor_reduction)op, y, err));
        if (op == TENSOR_SUM || op == TENSOR_MEAN || op == TENSOR_MAX)
            assert_true(value == (double)INFINITY);
        else if (op == TENSOR_MIN)
            assert_true(value == 1);
        else
            assert_true(isnan(value));
    }
    ok(tensor_reduce_all(&value, TENSOR_SUM, both, err));
    assert_true(isnan(value));
    ok(tensor_reduce_all(&value, TENSOR_VAR, one, err));
    assert_true(value == 0);
    ok(tensor_reduce_all(&value, TENSOR_VAR_UNBIASED, one, err));
    assert_true(isnan(value));
    ok(tensor_reduce_all(&value, TENSOR_STD_UNBIASED, one, err));
    assert_true(isnan(value));
    tensor_free(x);
    tensor_free(y);
    tensor_free(both);
    tensor_free(first);
    tensor_free(one);
}

static void sums_in_double(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(100001)), *y = NULL;
    for (size_t i = 0; i < 100001; i++)
        tensor_set_flat(x, i, i ? 1 : 16777216); /* a float32 sum would stay there */
    double sum = 0, whole = 0;
    ok(tensor_reduce_all(&sum, TENSOR_SUM, x, err));
    assert_true(sum == 16877216);
    tensor_free(x);
    x = row_of(3e38f, 3e38f, -3e38f);
    ok(tensor_reduce_all(&sum, TENSOR_SUM, x, err));
    assert_true(sum == (double)3e38f);
    ok(tensor_reduce(&y, TENSOR_VAR, x, 1, err)); /* about 8e76 */
    assert_true(tensor_get_flat(y, 0) == INFINITY);
    ok(tensor_reduce_all(&whole, TENSOR_VAR, x, err));
    assert_true(whole > 7.9e76 && whole < 8.1e76);
    tensor_free(x);
    tensor_free(y);
}

static void no_axes_leave_each_element_alone(void **state)
{
    (void)state;
    struct tensor *x = counting(EXTENTS(2, 3)), *y = NULL;
    ok(tensor_reduce(&y, TENSOR_SUM, x, 0, err));
    assert_true(tensor_same_shape(x, y));
    for (size_t i = 0; i < 6; i++)
        assert_true(tensor_get_flat(y, i) == (float)i);
    tensor_free(x);
    tensor_free(y);
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(2, 3, 4)), *three = zeros(EXTENTS(3)),
                  *deep = zeros(EXTENTS(1, 2, 3, 4)), *number = NULL, *small = zeros(EXTENTS(1, 1, 4));
    ok(tensor_scalar(&number, NULL, 2, err));
    struct tensor_norm norm = {.y = NULL};
    refused("a norm needs at least one axis to normalize over",
            layer_norm(&norm, x, &(struct tensor_norm_options){.eps = 1}, err));
    refused("a norm needs at least one axis to normalize over",
            layer_norm(&norm, number, &(struct tensor_norm_options){.eps = 1}, err));
    refused("(2,3,4) has only 3 axes", layer_norm(&norm, x, &(struct tensor_norm_options){.axes = 9}, err));
    refused("eps must not be negative or NaN: it is -1e-05",
            rms_norm(&norm, x, &(struct tensor_norm_options){.axes = 4, .eps = -1e-5}, err));
    refused("eps must not be negative or NaN: it is nan",
            rms_norm(&norm, x, &(struct tensor_norm_options){.axes = 4, .eps = fabs((double)NAN)}, err));
    refused("scale (3,) does not fit (2,3,4): feature is 3, not 4",
            layer_norm(&norm, x, &(struct tensor_norm_options){.axes = 4, .scale = three}, err));
    refused("bias (1,2,3,4) has more axes than (2,3,4)",
            layer_norm(&norm, x, &(struct tensor_norm_options){.axes = 4, .bias = deep}, err));
    refused("scale (2,3,4) does not fit (1,1,4): token is 3, not 1",
            layer_norm(&norm, small, &(struct tensor_norm_options){.axes = 4, .scale = x}, err));
    assert_null(norm.y);
    struct tensor *const all[] = {x, three, deep, number, small};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalizes_one_two_three),
        cmocka_unit_test(statistics_keep_their_axes),
        cmocka_unit_test(one_bad_row_spoils_no_other),
        cmocka_unit_test(a_constant_row_gives_exactly_the_bias),
        cmocka_unit_test(accurate_on_hard_rows),
        cmocka_unit_test(accurate_on_given_rows),
        cmocka_unit_test(any_axes_and_strides_give_the_same_bits),
        cmocka_unit_test(long_strided_rows_too),
        cmocka_unit_test(reductions_meet_nan_and_infinity),
        cmocka_unit_test(sums_in_double),
        cmocka_unit_test(no_axes_leave_each_element_alone),
        cmocka_unit_test(refuses_what_makes_no_sense),
    };
    return cmocka_run_group_tests_name("tensor: norms and reductions", tests, NULL, NULL);
}
