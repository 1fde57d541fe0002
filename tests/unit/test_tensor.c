/* Making tensors, their names, shapes, views and limits. */
#include "tensor_help.h"

static void starts_at_zero_with_default_names(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(5, 2, 3, 4));
    assert_int_equal(tensor_rank(x), 4);
    assert_int_equal(tensor_count(x), 120);
    assert_string_equal(tensor_axis_name(x, 0), "axis1");
    assert_string_equal(tensor_axis_name(x, 1), "batch");
    assert_string_equal(tensor_axis_name(x, 2), "token");
    assert_string_equal(tensor_axis_name(x, 3), "feature");
    assert_int_equal(tensor_find_axis(x, "token"), 2);
    assert_int_equal(tensor_find_axis(x, "tok"), -1);
    assert_int_equal(tensor_stride(x, 3), 1);
    assert_int_equal(tensor_stride(x, 0), 24);
    for (size_t i = 0; i < 120; i++)
        assert_true(same_float(tensor_get_flat(x, i), 0));
    tensor_free(x);
    tensor_free(NULL);
}

static void indexes_in_row_major_order(void **state)
{
    (void)state;
    struct tensor *x = counting(EXTENTS(2, 3, 4));
    for (size_t b = 0; b < 2; b++)
        for (size_t t = 0; t < 3; t++)
            for (size_t f = 0; f < 4; f++)
                assert_float_equal(tensor_get(x, (size_t[]){b, t, f}), (float)(b * 12 + t * 4 + f), 0);
    tensor_set(x, (size_t[]){1, 2, 3}, -1);
    assert_float_equal(tensor_get_flat(x, 23), -1, 0);
    tensor_free(x);
}

static void a_number_is_a_tensor_of_rank_0(void **state)
{
    (void)state;
    struct tensor *x = NULL, *y = NULL;
    ok(tensor_scalar(&x, NULL, 2.5f, err));
    assert_int_equal(tensor_rank(x), 0);
    assert_int_equal(tensor_count(x), 1);
    assert_float_equal(tensor_get(x, NULL), 2.5f, 0);
    ok(tensor_binary(&y, TENSOR_MUL, x, x, err));
    assert_float_equal(tensor_get_flat(y, 0), 6.25f, 0);
    double sum = 0;
    ok(tensor_reduce_all(&sum, TENSOR_SUM, y, err));
    assert_true(sum == 6.25);
    tensor_axes axes = 0;
    refused("no axis \"feature\": a tensor of shape () has none",
            tensor_axes_add_name(&axes, x, "feature", err));
    refused("no axis -1: a tensor of shape () has none", tensor_axes_add_index(&axes, x, -1, err));
    tensor_free(x);
    tensor_free(y);
}

static void writes_shapes_as_python_does(void **state)
{
    (void)state;
    char text[TENSOR_SHAPE_TEXT];
    struct tensor *x = zeros(EXTENTS(2, 3, 4)), *row = zeros(EXTENTS(3)), *number = NULL, *many = NULL;
    ok(tensor_scalar(&number, NULL, 0, err));
    assert_string_equal(tensor_shape_text(x, text), "(2, 3, 4)");
    assert_string_equal(tensor_shape_text(row, text), "(3,)");
    assert_string_equal(tensor_shape_text(number, text), "()");
    const size_t half = (size_t)1 << 57;
    const size_t extents[] = {half, half, half, half, half, half, half, 0};
    refused("(144115188075855872,144115188075855872,144115188075855872,144115188075855872,144115188075855872,"
            "144115188075855872,144115188075855872,0) has too many elements",
            tensor_new(&many, NULL, 8, extents, NULL, err));
    tensor_free(x);
    tensor_free(row);
    tensor_free(number);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    struct tensor *x = NULL;
    const size_t two[] = {2, 3}, nine[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    refused("a tensor has 0 to 8 axes, not 9", tensor_new(&x, NULL, 9, nine, NULL, err));
    refused("a tensor has 0 to 8 axes, not -1", tensor_new(&x, NULL, -1, nine, NULL, err));
    refused("two axes are named \"a\"", tensor_new(&x, NULL, 2, two, NAMES("a", "a"), err));
    refused("an axis of (2,3) has an empty name", tensor_new(&x, NULL, 2, two, NAMES("a", ""), err));
    refused("an axis of (2,3) has an empty name", tensor_new(&x, NULL, 2, two, NAMES(NULL, "a"), err));
    refused("an axis name has at most 23 bytes: \"abcdefghijklmnopqrstuvwx\" is too long",
            tensor_new(&x, NULL, 2, two, NAMES("abcdefghijklmnopqrstuvwx", "a"), err));
    refused("(4294967296,4294967296) has too many elements",
            tensor_new(&x, NULL, 2, (size_t[]){(size_t)1 << 32, (size_t)1 << 32}, NULL, err));
    refused("(18446744073709551615,) has too many elements",
            tensor_new(&x, NULL, 1, (size_t[]){SIZE_MAX}, NULL, err));
    refused("(2305843009213693951,) has too many elements",
            tensor_new(&x, NULL, 1, (size_t[]){SIZE_MAX / 8}, NULL, err));
    assert_null(x);
    ok(tensor_new(&x, NULL, 2, two, NAMES("abcdefghijklmnopqrstuvw", "a"), err));
    tensor_free(x);
}

static void views_share_and_copies_do_not(void **state)
{
    (void)state;
    struct tensor *x = counting(EXTENTS(2, 3, 4)), *second = NULL, *row = NULL, *copy = NULL;
    ok(tensor_at(&second, x, 1, err));
    ok(tensor_at(&row, second, 2, err));
    assert_int_equal(tensor_rank(row), 1);
    assert_string_equal(tensor_axis_name(second, 0), "token");
    assert_string_equal(tensor_axis_name(row, 0), "feature");
    assert_float_equal(tensor_get_flat(row, 1), 21, 0);
    ok(tensor_copy(&copy, row, err));
    tensor_set_flat(row, 1, -5);
    assert_float_equal(tensor_get(x, (size_t[]){1, 2, 1}), -5, 0);
    assert_float_equal(tensor_get_flat(copy, 1), 21, 0);
    struct tensor *number = NULL, *none = NULL;
    ok(tensor_at(&number, row, 1, err));
    tensor_free(x); /* the storage lives on in its views */
    tensor_free(second);
    assert_float_equal(tensor_get(number, NULL), -5, 0);
    refused("there is no feature 5: there are 4", tensor_at(&none, row, 4, err));
    refused("there is no feature 0: there are 4", tensor_at(&none, row, SIZE_MAX, err));
    refused("cannot index a tensor of shape (): it is one number", tensor_at(&none, number, 0, err));
    tensor_free(row);
    tensor_free(copy);
    tensor_free(number);
}

static void renames_axes_of_a_view(void **state)
{
    (void)state;
    struct tensor *x = counting(EXTENTS(2, 3)), *weight = NULL;
    ok(tensor_rename(&weight, x, NAMES("out", "in"), err));
    assert_string_equal(tensor_axis_name(weight, 0), "out");
    assert_string_equal(tensor_axis_name(x, 0), "token");
    tensor_set_flat(weight, 0, 9);
    assert_float_equal(tensor_get_flat(x, 0), 9, 0);
    struct tensor *none = NULL;
    refused("two axes are named \"in\"", tensor_rename(&none, x, NAMES("in", "in"), err));
    assert_null(none);
    tensor_free(x);
    tensor_free(weight);
}

static void stacks_along_a_new_first_axis(void **state)
{
    (void)state;
    struct tensor *a = row_of(1, 2, 3), *b = row_of(4, 5, 6), *ab = NULL, *deep = NULL, *other = row_of(1, 2);
    ok(tensor_stack(&ab, (const struct tensor *const[]){a, b}, 2, err));
    char text[TENSOR_SHAPE_TEXT];
    assert_string_equal(tensor_shape_text(ab, text), "(2, 3)");
    assert_string_equal(tensor_axis_name(ab, 0), "token");
    for (size_t i = 0; i < 6; i++)
        assert_float_equal(tensor_get_flat(ab, i), (float)(i + 1), 0);
    struct tensor *batches = zeros(EXTENTS(2, 2, 2));
    ok(tensor_stack(&deep, (const struct tensor *const[]){batches}, 1, err));
    assert_string_equal(tensor_axis_name(deep, 0), "axis1");
    assert_string_equal(tensor_axis_name(deep, 1), "batch");
    struct tensor *deeper = NULL;
    ok(tensor_stack(&deeper, (const struct tensor *const[]){deep, deep}, 2, err));
    assert_string_equal(tensor_axis_name(deeper, 0), "axis2");
    struct tensor *tokens = NULL, *named = NULL;
    ok(tensor_rename(&tokens, a, NAMES("token"), err));
    ok(tensor_stack(&named, (const struct tensor *const[]){tokens}, 1, err));
    assert_string_equal(tensor_axis_name(named, 0), "axis1"); /* "token" is taken */
    struct tensor *none = NULL, *full = zeros(EXTENTS(1, 1, 1, 1, 1, 1, 1, 1));
    refused("cannot stack (3,) and (2,): shapes must be equal",
            tensor_stack(&none, (const struct tensor *const[]){a, other}, 2, err));
    refused("cannot stack no tensors", tensor_stack(&none, NULL, 0, err));
    refused("cannot stack tensors of 8 axes: no more are possible",
            tensor_stack(&none, (const struct tensor *const[]){full}, 1, err));
    struct tensor *const all[] = {a, b, ab, deep, other, batches, deeper, tokens, named, full};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
}

static void names_axes_of_a_set(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(2, 3, 4)), *row = zeros(EXTENTS(3));
    tensor_axes axes = 0;
    ok(tensor_axes_add_name(&axes, x, "token", err));
    ok(tensor_axes_add_index(&axes, x, -1, err));
    assert_int_equal(axes, 6);
    ok(tensor_axes_add_index(&axes, x, -3, err));
    assert_int_equal(axes, tensor_all_axes(x));
    refused("axis token is named twice", tensor_axes_add_name(&axes, x, "token", err));
    axes = 0;
    refused("no axis \"channel\": there are batch, token, feature",
            tensor_axes_add_name(&axes, x, "channel", err));
    refused("no axis \"token\": there is feature", tensor_axes_add_name(&axes, row, "token", err));
    refused("axis 0: axes are counted from the end; PyTorch's dim 0 is batch here, or -3",
            tensor_axes_add_index(&axes, x, 0, err));
    refused("axis 2: axes are counted from the end; PyTorch's dim 2 is feature here, or -1",
            tensor_axes_add_index(&axes, x, 2, err));
    refused("no axis 3: there are batch, token, feature, and -1 is the last",
            tensor_axes_add_index(&axes, x, 3, err));
    refused("no axis -4: there are batch, token, feature, and -1 is the last",
            tensor_axes_add_index(&axes, x, -4, err));
    assert_int_equal(axes, 0);
    struct tensor *none = NULL;
    refused("(2,3,4) has only 3 axes", tensor_reduce(&none, TENSOR_SUM, x, 8, err));
    tensor_free(x);
    tensor_free(row);
}

static void empty_tensors_are_tensors(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(2, 0, 3)), *y = NULL, *none = NULL;
    assert_int_equal(tensor_count(x), 0);
    ok(tensor_copy(&y, x, err));
    tensor_free(y);
    ok(tensor_unary(&y, TENSOR_EXP, x, err));
    tensor_free(y);
    ok(tensor_binary(&y, TENSOR_ADD, x, x, err));
    tensor_free(y);
    ok(tensor_binary_number(&y, TENSOR_ADD, x, 1, false, err));
    tensor_free(y);
    ok(tensor_stack(&y, (const struct tensor *const[]){x, x}, 2, err));
    tensor_free(y);
    for (tensor_axes axes = 0; axes < 8; axes++) {
        ok(tensor_reduce(&y, TENSOR_SUM, x, axes, err));
        for (size_t i = 0; i < tensor_count(y); i++)
            assert_true(same_float(tensor_get_flat(y, i), 0));
        tensor_free(y);
        ok(tensor_reduce(&y, TENSOR_MEAN, x, axes, err));
        for (size_t i = 0; i < tensor_count(y); i++)
            assert_true(isnan(tensor_get_flat(y, i)));
        tensor_free(y);
        ok(tensor_reduce(&y, TENSOR_VAR_UNBIASED, x, axes, err));
        for (size_t i = 0; i < tensor_count(y); i++)
            assert_true(isnan(tensor_get_flat(y, i)));
        tensor_free(y);
        if (axes) {
            struct tensor_norm norm;
            ok(layer_norm(&norm, x, &(struct tensor_norm_options){.axes = axes, .eps = 1e-5, .scale = x},
                          err));
            assert_int_equal(tensor_count(norm.y), 0);
            free_norm(&norm);
        }
    }
    ok(tensor_reduce(&y, TENSOR_MAX, x, 1, err)); /* over batch: no element is asked for */
    tensor_free(y);
    refused("cannot take the max of (2,0,3): there are no elements",
            tensor_reduce(&none, TENSOR_MAX, x, 2, err));
    double least = 7;
    refused("cannot take the min of (2,0,3): there are no elements",
            tensor_reduce_all(&least, TENSOR_MIN, x, err));
    assert_true(least == 7);
    tensor_free(x);
}

static void says_its_path(void **state)
{
    (void)state;
    const char *path = tensor_processor_path();
    assert_true(strcmp(path, "AVX-512") == 0 || strcmp(path, "AVX2") == 0 || strcmp(path, "plain C") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_at_zero_with_default_names),
        cmocka_unit_test(indexes_in_row_major_order),
        cmocka_unit_test(a_number_is_a_tensor_of_rank_0),
        cmocka_unit_test(writes_shapes_as_python_does),
        cmocka_unit_test(refuses_what_cannot_be),
        cmocka_unit_test(views_share_and_copies_do_not),
        cmocka_unit_test(renames_axes_of_a_view),
        cmocka_unit_test(stacks_along_a_new_first_axis),
        cmocka_unit_test(names_axes_of_a_set),
        cmocka_unit_test(empty_tensors_are_tensors),
        cmocka_unit_test(says_its_path),
    };
    return cmocka_run_group_tests_name("tensor: shapes and views", tests, NULL, NULL);
}
