/* The core's numbers beside PyTorch's, from tests/data/torch-values.txt (made by scripts/make-torch-values).
 */
#include "torch_help.h"

/* Units in the last place. Against PyTorch in float64: the nearest float32 is at most half a unit off.
   Against PyTorch in float32: its own error, which compute kernels of its kind keep below 4 on well-behaved
   rows. */
static const double NEAREST = 0.51, FLOAT32 = 4;
/* Norms of rows that are not short are computed in float32 where that loses little. */
static const double KERNEL = 2.5;
enum { SHORT_ROW = 31 };

static double worst_nearest, worst_float32;

/* Every element of `got` within `bound` of the tensor under `key`. */
static void compare(const struct check *check, const char *key, const struct tensor *got, double least,
                    double bound, double *worst)
{
    const struct known *want = find(word(check, key));
    assert_int_equal(tensor_rank(got), want->rank);
    for (int axis = 0; axis < want->rank; axis++)
        assert_int_equal(tensor_extent(got, axis), want->extents[axis]);
    const bool is_float = strcmp(key, "want32") == 0;
    for (size_t i = 0; i < want->count; i++) {
        const double value = is_float ? (double)(float)want->values[i] : want->values[i];
        const double off = ulps(tensor_get_flat(got, i), (long double)value, least);
        if (!(off <= bound))
            fail_msg("%s, x=%s, axes=%s, %s=%s, element %zu: %.9g, not %.12g: %g units", check->operation,
                     word(check, "x") ? word(check, "x") : word(check, "a"), word(check, "axes"), key,
                     word(check, key), i, (double)tensor_get_flat(got, i), want->values[i], off);
        *worst = fmax(*worst, off);
    }
    checks++;
}

static void check_norm(const struct check *check, bool layer)
{
    struct tensor *x = input(check, "x"), *scale = input(check, "scale"), *bias = input(check, "bias");
    struct tensor_norm norm;
    struct tensor_norm_options options = {
        .axes = read_axes(check, x), .eps = strtod(word(check, "eps"), NULL), .scale = scale, .bias = bias};
    ok((layer ? layer_norm : rms_norm)(&norm, x, &options, err));
    const bool is_short = tensor_count(x) <= SHORT_ROW * tensor_count(norm.rstd);
    const double bound = is_short ? NEAREST : KERNEL;
    double ignored = 0, *worst = is_short ? &worst_nearest : &ignored;
    compare(check, "want", norm.y, 1, bound, worst);
    if (word(check, "want32"))
        compare(check, "want32", norm.y, 1, FLOAT32, &worst_float32);
    if (layer)
        compare(check, "mean", norm.mean, is_short ? 1e-6 : 1, bound, worst);
    else
        assert_null(norm.mean);
    compare(check, "var", norm.var, 0, bound, worst);
    compare(check, "rstd", norm.rstd, 0, bound, worst);
    free_norm(&norm);
    tensor_free(x);
    tensor_free(scale);
    tensor_free(bias);
}

static const char *const reductions[] = {
    [TENSOR_SUM] = "sum", [TENSOR_MEAN] = "mean",
    [TENSOR_VAR] = "var", [TENSOR_VAR_UNBIASED] = "var_unbiased",
    [TENSOR_STD] = "std", [TENSOR_STD_UNBIASED] = "std_unbiased",
    [TENSOR_MAX] = "max", [TENSOR_MIN] = "min",
};

static void check_reduction(const struct check *check, enum tensor_reduction op)
{
    struct tensor *x = input(check, "x"), *y = NULL;
    const tensor_axes axes = read_axes(check, x);
    ok(tensor_reduce(&y, op, x, axes, err));
    compare(check, "want", y, 1e-6, NEAREST, &worst_nearest);
    if (axes == tensor_all_axes(x)) {
        double whole = 0;
        ok(tensor_reduce_all(&whole, op, x, err));
        assert_true(same_float((float)whole, tensor_get_flat(y, 0)));
    }
    tensor_free(x);
    tensor_free(y);
}

static const char *const operations[] = {
    [TENSOR_ADD] = "add",         [TENSOR_SUB] = "subtract", [TENSOR_MUL] = "multiply",
    [TENSOR_DIV] = "divide",      [TENSOR_POW] = "power",    [TENSOR_MAXIMUM] = "maximum",
    [TENSOR_MINIMUM] = "minimum",
};

static void check_operation(const struct check *check, enum tensor_binary op)
{
    struct tensor *a = input(check, "a"), *b = input(check, "b"), *y = NULL;
    double exact = 0;
    ok(tensor_binary(&y, op, a, b, err));
    compare(check, "want", y, 0, NEAREST, &worst_nearest);
    if (word(check, "want32"))
        compare(check, "want32", y, 0, 0, &exact);
    tensor_free(a);
    tensor_free(b);
    tensor_free(y);
}

static void check_dropout(const struct check *check)
{
    struct tensor *x = input(check, "x"), *random = input(check, "random");
    struct tensor_dropout dropout;
    double exact = 0;
    ok(tensor_dropout(&dropout, x, random, strtod(word(check, "rate"), NULL), err));
    compare(check, "want", dropout.y, 0, NEAREST, &worst_nearest);
    compare(check, "mask", dropout.mask, 0, 0, &exact);
    tensor_free(dropout.y);
    tensor_free(dropout.mask);
    tensor_free(x);
    tensor_free(random);
}

static void run(const struct check *check)
{
    if (strcmp(check->operation, "layer_norm") == 0 || strcmp(check->operation, "rms_norm") == 0) {
        check_norm(check, *check->operation == 'l');
        return;
    }
    if (strcmp(check->operation, "dropout") == 0) {
        check_dropout(check);
        return;
    }
    for (size_t op = 0; op < sizeof reductions / sizeof *reductions; op++)
        if (strcmp(check->operation, reductions[op]) == 0) {
            check_reduction(check, (enum tensor_reduction)op);
            return;
        }
    for (size_t op = 0; op < sizeof operations / sizeof *operations; op++)
        if (strcmp(check->operation, operations[op]) == 0) {
            check_operation(check, (enum tensor_binary)op);
            return;
        }
    fail_msg("unknown operation %s", check->operation);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    read_checks("torch-values.txt", run);
    print_message("%zu comparisons; worst: %.3f units from float64, %.2f from float32\n", checks,
                  worst_nearest, worst_float32);
    assert_true(checks > 800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_pytorch)};
    return cmocka_run_group_tests_name("tensor: PyTorch's numbers", tests, NULL, NULL);
}
