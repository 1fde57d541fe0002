/* The core's numbers beside PyTorch's, from tests/data/torch-values.txt (made by scripts/make-torch-values).
 */
#include "tensor_help.h"

#include <stdio.h>
#include <stdlib.h>

/* Units in the last place. Against PyTorch in float64: the nearest float32 is at most half a unit off.
   Against PyTorch in float32: its own error, which compute kernels of its kind keep below 4 on well-behaved
   rows. */
static const double NEAREST = 0.51, FLOAT32 = 4;

enum { TENSORS_MAX = 2000, WORDS_MAX = 16 };

static struct known {
    int rank;
    size_t extents[TENSOR_RANK_MAX], count;
    double *values;
} known[TENSORS_MAX];

static size_t checks;
static double worst_nearest, worst_float32;

static const struct known *find(const char *name)
{
    const size_t number = strtoul(name + 1, NULL, 10);
    if (*name != 't' || number >= TENSORS_MAX || !known[number].values)
        fail_msg("no tensor %s", name);
    return &known[number];
}

static void read_tensor(char *line)
{
    char *at = NULL;
    const size_t number = strtoul(strtok_r(line, " ", &at) + 1, NULL, 10);
    assert_true(number < TENSORS_MAX);
    struct known *t = &known[number];
    t->rank = atoi(strtok_r(NULL, " ", &at));
    t->count = 1;
    for (int axis = 0; axis < t->rank; axis++)
        t->count *= t->extents[axis] = strtoul(strtok_r(NULL, " ", &at), NULL, 10);
    assert_string_equal(strtok_r(NULL, " ", &at), ":");
    t->values = malloc((t->count + 1) * sizeof *t->values);
    assert_non_null(t->values);
    for (size_t i = 0; i < t->count; i++) {
        char *end, *word = strtok_r(NULL, " \n", &at);
        assert_non_null(word);
        t->values[i] = strtod(word, &end);
        assert_int_equal(*end, 0);
    }
}

struct check {
    const char *operation;
    const char *words[WORDS_MAX];
    size_t count;
};

static const char *word(const struct check *check, const char *key)
{
    const size_t length = strlen(key);
    for (size_t i = 0; i < check->count; i++)
        if (strncmp(check->words[i], key, length) == 0 && check->words[i][length] == '=')
            return check->words[i] + length + 1;
    return NULL;
}

static struct tensor *input(const struct check *check, const char *key)
{
    const char *name = word(check, key);
    if (!name)
        return NULL;
    const struct known *t = find(name);
    struct tensor *x = zeros((size_t)t->rank, t->extents);
    for (size_t i = 0; i < t->count; i++)
        tensor_set_flat(x, i, (float)t->values[i]);
    return x;
}

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

static tensor_axes read_axes(const struct check *check, const struct tensor *x)
{
    tensor_axes axes = 0;
    for (const char *at = word(check, "axes"); at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        ok(tensor_axes_add_index(&axes, x, strtol(at, NULL, 10), err));
    return axes;
}

static void check_norm(const struct check *check, bool layer)
{
    struct tensor *x = input(check, "x"), *scale = input(check, "scale"), *bias = input(check, "bias");
    struct tensor_norm norm;
    struct tensor_norm_options options = {
        .axes = read_axes(check, x), .eps = strtod(word(check, "eps"), NULL), .scale = scale, .bias = bias};
    ok((layer ? layer_norm : rms_norm)(&norm, x, &options, err));
    compare(check, "want", norm.y, 1, NEAREST, &worst_nearest);
    if (word(check, "want32"))
        compare(check, "want32", norm.y, 1, FLOAT32, &worst_float32);
    if (layer)
        compare(check, "mean", norm.mean, 1e-6, NEAREST, &worst_nearest);
    else
        assert_null(norm.mean);
    compare(check, "var", norm.var, 0, NEAREST, &worst_nearest);
    compare(check, "rstd", norm.rstd, 0, NEAREST, &worst_nearest);
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

static void read_check(char *line)
{
    char *at = NULL;
    struct check check = {.operation = strtok_r(line, " \n", &at)};
    for (char *item; (item = strtok_r(NULL, " \n", &at));) {
        assert_true(check.count < WORDS_MAX);
        check.words[check.count++] = item;
    }
    if (strcmp(check.operation, "layer_norm") == 0 || strcmp(check.operation, "rms_norm") == 0) {
        check_norm(&check, *check.operation == 'l');
        return;
    }
    if (strcmp(check.operation, "dropout") == 0) {
        check_dropout(&check);
        return;
    }
    for (size_t op = 0; op < sizeof reductions / sizeof *reductions; op++)
        if (strcmp(check.operation, reductions[op]) == 0) {
            check_reduction(&check, (enum tensor_reduction)op);
            return;
        }
    for (size_t op = 0; op < sizeof operations / sizeof *operations; op++)
        if (strcmp(check.operation, operations[op]) == 0) {
            check_operation(&check, (enum tensor_binary)op);
            return;
        }
    fail_msg("unknown operation %s", check.operation);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    const char *folder = getenv("NORMTUTOR_TEST_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/torch-values.txt", folder ? folder : "tests/data");
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot read %s: run from the repository's root, or set NORMTUTOR_TEST_DATA", path);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        if (strncmp(line, "tensor ", 7) == 0)
            read_tensor(line + 7);
        else if (strncmp(line, "check ", 6) == 0)
            read_check(line + 6);
    }
    free(line);
    fclose(file);
    for (size_t i = 0; i < TENSORS_MAX; i++)
        free(known[i].values);
    print_message("%zu comparisons; worst: %.3f units from float64, %.2f from float32\n", checks,
                  worst_nearest, worst_float32);
    assert_true(checks > 800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_pytorch)};
    return cmocka_run_group_tests_name("tensor: PyTorch's numbers", tests, NULL, NULL);
}
