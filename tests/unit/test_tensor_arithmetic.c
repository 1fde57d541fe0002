/* Element by element: values, broadcasting, words for pairs that do not fit. */
#include "tensor_help.h"
#include "tensor/layout.h"

static struct tensor *apply(enum tensor_binary op, const struct tensor *a, const struct tensor *b)
{
    struct tensor *y = NULL;
    ok(tensor_binary(&y, op, a, b, err));
    return y;
}

/* The axes in another order, on the same storage. */
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

static float one(enum tensor_binary op, float a, float b)
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
        return (float)pow((double)a, (double)b);
    case TENSOR_MAXIMUM:
        return isnan(a) || isnan(b) ? NAN : fmaxf(a, b);
    case TENSOR_MINIMUM:
        return isnan(a) || isnan(b) ? NAN : fminf(a, b);
    }
    return NAN;
}

/* Every pair of small shapes that broadcast, permuted views among them, against plain indexing. */
static void broadcasts_every_pair_of_shapes(void **state)
{
    (void)state;
    const size_t extents[3] = {2, 3, 5};
    const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    for (unsigned shape = 0; shape < 64; shape++)
        for (size_t order = 0; order < 3; order++) {
            struct tensor *side[2], *base[2];
            size_t full[2][3];
            for (int k = 0; k < 2; k++) { /* bits choose which extents are 1 */
                size_t stored[3];
                for (int axis = 0; axis < 3; axis++)
                    full[k][axis] = shape >> (3 * k + axis) & 1 ? 1 : extents[axis];
                const int *way = k == 0 ? orders[order] : orders[0];
                for (int axis = 0; axis < 3; axis++)
                    stored[way[axis]] = full[k][axis];
                base[k] = normals(3, stored, shape + 64 * (unsigned)k, 0, 1);
                side[k] = permuted(base[k], way);
            }
            for (int op = TENSOR_ADD; op <= TENSOR_MINIMUM; op++) {
                struct tensor *y = apply((enum tensor_binary)op, side[0], side[1]);
                for (size_t i = 0; i < tensor_extent(y, 0); i++)
                    for (size_t j = 0; j < tensor_extent(y, 1); j++)
                        for (size_t l = 0; l < tensor_extent(y, 2); l++) {
                            const size_t at[3] = {i, j, l};
                            float operand[2];
                            for (int k = 0; k < 2; k++)
                                operand[k] = tensor_get(side[k], (size_t[]){full[k][0] == 1 ? 0 : i,
                                                                            full[k][1] == 1 ? 0 : j,
                                                                            full[k][2] == 1 ? 0 : l});
                            assert_true(same_float(tensor_get(y, at),
                                                   one((enum tensor_binary)op, operand[0], operand[1])));
                        }
                tensor_free(y);
            }
            for (int k = 0; k < 2; k++) {
                tensor_free(base[k]);
                tensor_free(side[k]);
            }
        }
}

static void says_why_a_pair_does_not_fit(void **state)
{
    (void)state;
    struct tensor *a = zeros(EXTENTS(2, 3, 3)), *b = zeros(EXTENTS(2, 3, 4)), *c = zeros(EXTENTS(2, 4)),
                  *none = NULL;
    struct tensor *row = zeros(EXTENTS(3)), *renamed = NULL;
    refused("cannot add (2,3,3) to (2,3,4): feature is 3, not 4",
            tensor_binary(&none, TENSOR_ADD, b, a, err));
    refused("cannot subtract (2,3,4) from (2,3,3): feature is 4, not 3",
            tensor_binary(&none, TENSOR_SUB, a, b, err));
    refused("cannot multiply (2,3,3) by (2,3,4): feature is 3, not 4",
            tensor_binary(&none, TENSOR_MUL, a, b, err));
    refused("cannot divide (2,3,4) by (3,): feature is 4, not 3",
            tensor_binary(&none, TENSOR_DIV, b, row, err));
    refused("cannot raise (2,3,4) to the power (2,4): token is 3, not 2",
            tensor_binary(&none, TENSOR_POW, b, c, err));
    refused("cannot take the maximum of (2,4) and (2,3,4): token is 2, not 3",
            tensor_binary(&none, TENSOR_MAXIMUM, c, b, err));
    refused("cannot take the minimum of (2,4) and (2,3,4): token is 2, not 3",
            tensor_binary(&none, TENSOR_MINIMUM, c, b, err));
    ok(tensor_rename(&renamed, c, NAMES("out", "in"), err));
    refused("cannot add (2,4) to (2,3,3): in is 4, feature is 3",
            tensor_binary(&none, TENSOR_ADD, a, renamed, err));
    struct tensor *empty = zeros(EXTENTS(0));
    refused("cannot add (0,) to (3,): feature is 0, not 3",
            tensor_binary(&none, TENSOR_ADD, row, empty, err));
    assert_null(none);
    struct tensor *const all[] = {a, b, c, row, renamed, empty};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
}

static void tells_the_common_shape(void **state)
{
    (void)state;
    static const struct {
        int rank_a;
        size_t a[3];
        int rank_b;
        size_t b[3];
        int rank; /* -1: none */
        size_t want[3];
    } cases[] = {
        {3, {2, 1, 4}, 2, {3, 1}, 3, {2, 3, 4}},       {1, {1}, 1, {0}, 1, {0}},
        {3, {2, 3, 4}, 3, {2, 3, 1}, 3, {2, 3, 4}},    {3, {2, 3, 4}, 3, {2, 3, 3}, -1, {0}},
        {0, {0}, 2, {5, 6}, 2, {5, 6}},                {0, {0}, 0, {0}, 0, {0}},
        {2, {1 << 30, 1}, 2, {1, 1 << 30}, 2, {1 << 30, 1 << 30}}, {1, {3}, 1, {0}, -1, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int swap = 0; swap < 2; swap++) {
            size_t extents[TENSOR_RANK_MAX] = {42};
            int rank = 42;
            const int left = swap ? cases[i].rank_b : cases[i].rank_a, right = swap ? cases[i].rank_a : cases[i].rank_b;
            const bool fits = tensor_broadcast_shape(extents, &rank, left, swap ? cases[i].b : cases[i].a, right,
                                                     swap ? cases[i].a : cases[i].b);
            assert_int_equal(fits, cases[i].rank >= 0);
            assert_int_equal(rank, fits ? cases[i].rank : 42);
            for (int axis = 0; fits && axis < rank; axis++)
                assert_int_equal(extents[axis], cases[i].want[axis]);
            if (!fits)
                assert_int_equal(extents[0], 42);
        }
}

static void keeps_the_left_names(void **state)
{
    (void)state;
    struct tensor *plain = zeros(EXTENTS(2, 3)), *row = zeros(EXTENTS(3)), *weight = NULL, *in = NULL, *y;
    ok(tensor_rename(&weight, plain, NAMES("in", "out"), err));
    ok(tensor_rename(&in, row, NAMES("in"), err));
    y = apply(TENSOR_ADD, plain, weight);
    assert_string_equal(tensor_axis_name(y, 0), "token");
    tensor_free(y);
    y = apply(TENSOR_ADD, weight, plain);
    assert_string_equal(tensor_axis_name(y, 1), "out");
    tensor_free(y);
    y = apply(TENSOR_ADD, row, weight);
    assert_string_equal(tensor_axis_name(y, 0), "in");
    assert_string_equal(tensor_axis_name(y, 1), "feature");
    tensor_free(y);
    y = apply(TENSOR_ADD, in, weight); /* the left name would come twice */
    assert_string_equal(tensor_axis_name(y, 0), "in");
    assert_string_equal(tensor_axis_name(y, 1), "out");
    tensor_free(y);
    tensor_free(plain);
    tensor_free(row);
    tensor_free(weight);
    tensor_free(in);
}

static void a_product_of_shapes_that_overflows_is_an_error(void **state)
{
    (void)state;
    /* Views that repeat one element, so that no memory is needed. */
    struct tensor *x = zeros(EXTENTS(1, 1)), *tall = NULL, *wide = NULL, *none = NULL;
    ok(tensor_view(&tall, x, err));
    ok(tensor_view(&wide, x, err));
    tall->extent[0] = wide->extent[1] = (size_t)1 << 40;
    refused("(1099511627776,1099511627776) has too many elements",
            tensor_binary(&none, TENSOR_ADD, tall, wide, err));
    tensor_free(x);
    tensor_free(tall);
    tensor_free(wide);
}

static void numbers_stay_double_until_rounded(void **state)
{
    (void)state;
    struct tensor *x = row_of(16777216, 1, 0), *y = NULL;
    ok(tensor_binary_number(&y, TENSOR_SUB, x, 16777215.5, false, err)); /* a float32 would be 16777216 */
    assert_float_equal(tensor_get_flat(y, 0), 0.5f, 0);
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_SUB, x, 16777215.5, true, err));
    assert_float_equal(tensor_get_flat(y, 0), -0.5f, 0);
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_MUL, x, 1e-300, false, err));
    assert_float_equal(tensor_get_flat(y, 0), 0, 0);
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_SUB, x, 2, true, err));
    assert_float_equal(tensor_get_flat(y, 1), 1, 0);
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_DIV, x, 1, true, err));
    assert_true(tensor_get_flat(y, 2) == INFINITY);
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_POW, x, 2, true, err));
    assert_float_equal(tensor_get_flat(y, 1), 2, 0);
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_MAXIMUM, x, (double)NAN, false, err));
    assert_true(isnan(tensor_get_flat(y, 0)));
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_MINIMUM, x, 0.5, false, err));
    assert_float_equal(tensor_get_flat(y, 1), 0.5f, 0);
    assert_float_equal(tensor_get_flat(y, 2), 0, 0);
    tensor_free(y);
    struct tensor *grid = counting(EXTENTS(3, 4)), *turned = permuted(grid, (int[]){1, 0});
    ok(tensor_binary_number(&y, TENSOR_ADD, turned, 100, false, err));
    for (size_t i = 0; i < 12; i++)
        assert_float_equal(tensor_get_flat(y, i), 100 + tensor_get_flat(turned, i), 0);
    tensor_free(y);
    tensor_free(x);
    tensor_free(grid);
    tensor_free(turned);
}

static double unary_reference(enum tensor_unary op, double v)
{
    switch (op) {
    case TENSOR_NEG:
        return -v;
    case TENSOR_SQRT:
        return sqrt(v);
    case TENSOR_EXP:
        return exp(v);
    case TENSOR_LOG:
        return log(v);
    case TENSOR_TANH:
        return tanh(v);
    case TENSOR_ABS:
        return fabs(v);
    default: /* in test_tensor_slopes.c and test_tensor_torch.c */
        return 0;
    }
}

static void functions_give_the_nearest_float(void **state)
{
    (void)state;
    struct tensor *x = row_of(0, -0.0f, 1, -1, 0.3f, 88.7f, 100, -104, 1e-45f, 3e38f, INFINITY, -INFINITY,
                              NAN),
                  *y = NULL;
    for (int op = TENSOR_NEG; op <= TENSOR_ABS; op++) {
        ok(tensor_unary(&y, (enum tensor_unary)op, x, err));
        for (size_t i = 0; i < tensor_count(x); i++)
            assert_true(
                same_float(tensor_get_flat(y, i),
                           (float)unary_reference((enum tensor_unary)op, (double)tensor_get_flat(x, i))));
        tensor_free(y);
    }
    tensor_free(x);
    x = counting(EXTENTS(3, 4));
    struct tensor *turned = permuted(x, (int[]){1, 0});
    ok(tensor_unary(&y, TENSOR_NEG, turned, err));
    assert_string_equal(tensor_axis_name(y, 0), "feature");
    assert_float_equal(tensor_get(y, (size_t[]){3, 1}), -7, 0);
    struct tensor *copy = NULL;
    ok(tensor_copy(&copy, turned, err));
    assert_int_equal(tensor_stride(copy, 1), 1);
    assert_false(tensor_is_contiguous(turned));
    assert_true(tensor_is_contiguous(copy));
    for (size_t i = 0; i < 12; i++)
        assert_true(tensor_get_flat(copy, i) == tensor_get_flat(turned, i));
    tensor_free(copy);
    tensor_free(x);
    tensor_free(turned);
    tensor_free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broadcasts_every_pair_of_shapes),
        cmocka_unit_test(says_why_a_pair_does_not_fit),
        cmocka_unit_test(tells_the_common_shape),
        cmocka_unit_test(keeps_the_left_names),
        cmocka_unit_test(a_product_of_shapes_that_overflows_is_an_error),
        cmocka_unit_test(numbers_stay_double_until_rounded),
        cmocka_unit_test(functions_give_the_nearest_float),
    };
    return cmocka_run_group_tests_name("tensor: arithmetic", tests, NULL, NULL);
}
