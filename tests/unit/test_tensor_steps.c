/* Arithmetic step by step: the lessons' figures, what NumPy and PyTorch compute one operation at a time (from
   tests/data/step-values.txt, made by scripts/make-step-values), and norms of halves. */
#include "tensor_help.h"

#include <stdio.h>
#include <stdlib.h>

static const struct tensor_steps in_float16 = {.type = TENSOR_FLOAT16}, in_float32 = {.type = TENSOR_FLOAT32};

static double all_steps(enum tensor_reduction op, const struct tensor *x, enum tensor_type type,
                        enum tensor_method method)
{
    double value = 0;
    ok(tensor_reduce_all_steps(&value, op, x, &(struct tensor_steps){type, method}, err));
    return value;
}

static struct tensor *cast(const struct tensor *x, enum tensor_type type)
{
    struct tensor *y = NULL;
    ok(tensor_cast(&y, x, type, err));
    return y;
}

/* ---- the figures of the lesson on precision ---- */

static void ones_stop_adding_up(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(4096)), *sum = NULL;
    for (size_t i = 0; i < 4096; i++)
        tensor_set_flat(x, i, 1);
    assert_true(all_steps(TENSOR_SUM, x, TENSOR_FLOAT16, TENSOR_TWO_PASS) == 2048);
    assert_true(all_steps(TENSOR_MEAN, x, TENSOR_FLOAT16, TENSOR_TWO_PASS) == 0.5);
    assert_true(all_steps(TENSOR_SUM, x, TENSOR_BFLOAT16, TENSOR_TWO_PASS) == 256);
    assert_true(all_steps(TENSOR_SUM, x, TENSOR_FLOAT32, TENSOR_TWO_PASS) == 4096);
    assert_true(all_steps(TENSOR_VAR, x, TENSOR_FLOAT16, TENSOR_TWO_PASS) == 0.125);
    assert_true(all_steps(TENSOR_VAR, x, TENSOR_FLOAT16, TENSOR_ONE_PASS) == 0.25);
    assert_true(all_steps(TENSOR_VAR, x, TENSOR_FLOAT16, TENSOR_WELFORD) == 0);
    /* float16 ones, added in float32: exact, and so without steps */
    struct tensor *half = cast(x, TENSOR_FLOAT16);
    ok(tensor_reduce_steps(&sum, TENSOR_SUM, half, 1, &in_float32, err));
    assert_int_equal(tensor_type(sum), TENSOR_FLOAT16);
    assert_true(tensor_get_flat(sum, 0) == 4096);
    tensor_free(sum);
    ok(tensor_reduce(&sum, TENSOR_SUM, half, 1, err));
    assert_true(tensor_get_flat(sum, 0) == 4096);
    tensor_free(sum);
    tensor_free(half);
    tensor_free(x);
}

static void a_small_epsilon_is_none(void **state)
{
    (void)state;
    assert_true(tensor_round(1e-8, TENSOR_FLOAT16) == 0);
    assert_true(tensor_round(1e-5, TENSOR_FLOAT16) != 0 && tensor_round(1e-8, TENSOR_BFLOAT16) != 0);
    struct tensor *x = row_of(5, 5, 5);
    struct tensor_norm out;
    ok(layer_norm(&out, x, &(struct tensor_norm_options){.axes = 1, .eps = 1e-8, .steps = &in_float16}, err));
    for (size_t i = 0; i < 3; i++)
        assert_true(isnan(tensor_get_flat(out.y, i)));
    free_norm(&out);
    ok(layer_norm(&out, x, &(struct tensor_norm_options){.axes = 1, .eps = 1e-5, .steps = &in_float16}, err));
    assert_true(tensor_get_flat(out.y, 0) == 0);
    free_norm(&out);
    tensor_free(x);
}

static void squares_overflow(void **state)
{
    (void)state;
    struct tensor *x = row_of(300, 100, -200, 50), *half = cast(x, TENSOR_FLOAT16);
    struct tensor_norm out;
    ok(rms_norm(&out, half, &(struct tensor_norm_options){.axes = 1, .eps = 1e-5, .steps = &in_float16},
                err));
    assert_int_equal(tensor_type(out.y), TENSOR_FLOAT16);
    assert_true(isinf(tensor_get_flat(out.var, 0)) && tensor_get_flat(out.rstd, 0) == 0);
    for (size_t i = 0; i < 4; i++)
        assert_true(tensor_get_flat(out.y, i) == 0);
    free_norm(&out);
    /* the safe recipe: float16 kept, float32 computed in */
    const float want[] = {1.589f, .530f, -1.060f, .265f};
    ok(rms_norm(&out, half, &(struct tensor_norm_options){.axes = 1, .eps = 1e-5, .steps = &in_float32},
                err));
    for (size_t i = 0; i < 4; i++)
        assert_true(fabsf(tensor_get_flat(out.y, i) - want[i]) < 1e-3f);
    free_norm(&out);
    tensor_free(half);
    tensor_free(x);
}

static void one_pass_goes_below_zero(void **state)
{
    (void)state;
    struct tensor *x = row_of(40000, 40001, 40002, 40003);
    assert_true(all_steps(TENSOR_VAR, x, TENSOR_FLOAT32, TENSOR_ONE_PASS) == -128);
    assert_true(isnan(all_steps(TENSOR_STD, x, TENSOR_FLOAT32, TENSOR_ONE_PASS)));
    assert_true(all_steps(TENSOR_VAR, x, TENSOR_FLOAT32, TENSOR_TWO_PASS) == 1.25);
    assert_true(all_steps(TENSOR_VAR, x, TENSOR_FLOAT32, TENSOR_WELFORD) == 1.25);
    assert_true(all_steps(TENSOR_VAR, x, TENSOR_FLOAT64, TENSOR_ONE_PASS) == 1.25);
    struct tensor_norm out;
    const struct tensor_steps one_pass = {TENSOR_FLOAT32, TENSOR_ONE_PASS};
    ok(layer_norm(&out, x, &(struct tensor_norm_options){.axes = 1, .eps = 1e-5, .steps = &one_pass}, err));
    assert_true(tensor_get_flat(out.var, 0) == -128 && isnan(tensor_get_flat(out.y, 0)));
    free_norm(&out);
    tensor_free(x);
}

/* ---- beside NumPy and PyTorch ---- */

enum { NAMES_MAX = 16, COUNT_MAX = 64 };
static struct {
    char name[32];
    struct tensor *x;
} sets[NAMES_MAX];
static int set_count;
static size_t lines_read;

static const struct tensor *set(const char *name)
{
    for (int i = 0; i < set_count; i++)
        if (!strcmp(sets[i].name, name))
            return sets[i].x;
    fail_msg("no set %s", name);
    return NULL;
}

static enum tensor_method method_of(const char *name)
{
    return !strcmp(name, "one-pass")  ? TENSOR_ONE_PASS
           : !strcmp(name, "welford") ? TENSOR_WELFORD
                                      : TENSOR_TWO_PASS;
}

static void agree(const char *line, double want, double got)
{
    if (isnan(want) ? !isnan(got) : got != want)
        fail_msg("%s: %a, not %a", line, got, want);
}

static void check_reductions(const char *line, const struct tensor *x, const struct tensor_steps *steps,
                             const enum tensor_reduction *ops, const double *want, int count)
{
    for (int i = 0; i < count; i++)
        agree(line, want[i], all_steps(ops[i], x, steps->type, steps->method));
}

static void check_norm(const char *line, const struct tensor *x, const struct tensor_steps *steps, double eps,
                       bool rms, const double *want)
{
    struct tensor_norm out;
    const struct tensor_norm_options options = {.axes = 1, .eps = eps, .steps = steps};
    ok((rms ? rms_norm : layer_norm)(&out, x, &options, err));
    for (size_t i = 0; i < tensor_count(x); i++)
        agree(line, (double)(float)want[i], (double)tensor_get_flat(out.y, i));
    free_norm(&out);
}

static void check_line(char *line)
{
    static const enum tensor_reduction sums[] = {TENSOR_SUM, TENSOR_MEAN},
                                       moments[] = {TENSOR_VAR, TENSOR_VAR_UNBIASED, TENSOR_STD,
                                                    TENSOR_STD_UNBIASED};
    char *at = NULL, *words[8], *colon = strchr(line, ':');
    double numbers[COUNT_MAX];
    int word_count = 0, count = 0;
    assert_non_null(colon);
    *colon = '\0';
    for (char *word = strtok_r(line, " ", &at); word; word = strtok_r(NULL, " ", &at))
        words[word_count++] = word;
    for (char *word = strtok_r(colon + 1, " \n", &at); word && count < COUNT_MAX;
         word = strtok_r(NULL, " \n", &at))
        numbers[count++] = strtod(word, NULL);
    if (!strcmp(words[0], "values")) {
        assert_int_equal(count, atoi(words[2]));
        struct tensor *x = zeros(EXTENTS((size_t)count));
        for (int i = 0; i < count; i++)
            tensor_set_flat(x, (size_t)i, numbers[i]);
        sets[set_count].x = x;
        strcpy(sets[set_count++].name, words[1]);
        return;
    }
    const struct tensor *x = set(words[1]);
    struct tensor_steps steps = {.method = word_count > 3 ? method_of(words[3]) : TENSOR_TWO_PASS};
    ok(tensor_type_find(&steps.type, words[2], err));
    char name[128];
    snprintf(name, sizeof name, "%s %s %s %s", words[0], words[1], words[2], word_count > 3 ? words[3] : "");
    if (!strcmp(words[0], "sums"))
        check_reductions(name, x, &steps, sums, numbers, count);
    else if (!strcmp(words[0], "moments"))
        check_reductions(name, x, &steps, moments, numbers, count);
    else
        check_norm(name, x, &steps, strtod(words[word_count - 1], NULL), !strcmp(words[0], "rms"), numbers);
    lines_read++;
}

static void steps_are_those_of_numpy_and_pytorch(void **state)
{
    (void)state;
    FILE *file = fopen("tests/data/step-values.txt", "r");
    char *line = NULL;
    size_t size = 0;
    assert_non_null(file);
    while (getline(&line, &size, file) > 0)
        if (*line != '#')
            check_line(line);
    free(line);
    fclose(file);
    for (int i = 0; i < set_count; i++)
        tensor_free(sets[i].x);
    assert_true(lines_read > 300);
}

/* ---- the rest ---- */

/* Strided rows, scale and bias: as a loop over rounded scalars has it. */
static void norms_take_scale_and_bias_in_steps(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(3, 4, 5), 3, 2, 3), *scale = normals(EXTENTS(4, 1), 4, 1, 1),
                  *bias = normals(EXTENTS(5), 5, 0, 1);
    for (int type = TENSOR_FLOAT32; type <= TENSOR_FLOAT64; type++)
        for (tensor_axes axes = 1; axes < 8; axes++) {
            const struct tensor_steps steps = {(enum tensor_type)type, TENSOR_WELFORD};
            struct tensor_norm out;
            ok(layer_norm(&out, x,
                          &(struct tensor_norm_options){
                              .axes = axes, .eps = 1e-3, .scale = scale, .bias = bias, .steps = &steps},
                          err));
            for (size_t i = 0; i < tensor_count(x); i++) {
                const size_t at[] = {i / 20, i / 5 % 4, i % 5};
                const size_t row[] = {axes & 1 ? 0 : at[0], axes & 2 ? 0 : at[1], axes & 4 ? 0 : at[2]};
#define R(v) tensor_round(v, steps.type)
                const double centred = R(R((double)tensor_get(x, at)) - R((double)tensor_get(out.mean, row)));
                const double normal = R(centred * R((double)tensor_get(out.rstd, row)));
                const double want = R(R(normal * R((double)tensor_get_flat(scale, at[1]))) +
                                      R((double)tensor_get_flat(bias, at[2])));
#undef R
                const double got = (double)tensor_get_flat(out.y, i);
                /* in float64 the statistics themselves were rounded to float32 */
                assert_true(type == TENSOR_FLOAT64 ? fabs(got - want) < 1e-5 : got == (double)(float)want);
            }
            free_norm(&out);
        }
    tensor_free(x);
    tensor_free(scale);
    tensor_free(bias);
}

/* Of halves, without steps: in double and rounded once; the same as of their float32 copy, but for a tie. */
static void norms_of_halves_are_rounded_once(void **state)
{
    (void)state;
    for (int type = TENSOR_FLOAT16; type <= TENSOR_BFLOAT16; type++)
        for (tensor_axes axes = 1; axes < 8; axes++)
            for (int rms = 0; rms < 2; rms++) {
                int (*norm)(struct tensor_norm *, const struct tensor *, const struct tensor_norm_options *,
                            struct error *) = rms ? rms_norm : layer_norm;
                struct tensor *wide = normals(EXTENTS(3, 5, 8), 6, 50, 3),
                              *x = cast(wide, (enum tensor_type)type), *exact = cast(x, TENSOR_FLOAT32);
                struct tensor *weights = normals(EXTENTS(5, 8), 7, 1, 1),
                              *scale = cast(weights, (enum tensor_type)type),
                              *same = cast(scale, TENSOR_FLOAT32);
                struct tensor_norm got, want, mixed;
                ok(norm(&got, x, &(struct tensor_norm_options){.axes = axes, .eps = 1e-5, .scale = scale},
                        err));
                ok(norm(&want, exact, &(struct tensor_norm_options){.axes = axes, .eps = 1e-5, .scale = same},
                        err));
                ok(norm(&mixed, x, &(struct tensor_norm_options){.axes = axes, .eps = 1e-5, .scale = same},
                        err));
                assert_int_equal(tensor_type(got.y), type);
                assert_int_equal(tensor_type(mixed.y), TENSOR_FLOAT32);
                assert_int_equal(tensor_type(got.var), TENSOR_FLOAT32);
                for (size_t i = 0; i < tensor_count(x); i++) {
                    const double value = (double)tensor_get_flat(want.y, i);
                    assert_true(fabs((double)tensor_get_flat(mixed.y, i) - value) <
                                4e-7 * fmax(1, fabs(value)));
                    assert_true((double)tensor_get_flat(got.y, i) ==
                                tensor_round(value, (enum tensor_type)type));
                }
                for (size_t i = 0; i < tensor_count(got.var); i++) {
                    assert_true(fabsf(tensor_get_flat(got.var, i) / tensor_get_flat(want.var, i) - 1) <
                                2e-7f);
                    assert_true(fabsf(tensor_get_flat(got.rstd, i) / tensor_get_flat(want.rstd, i) - 1) <
                                2e-7f);
                }
                assert_int_equal(!got.mean, rms);
                free_norm(&got);
                free_norm(&want);
                free_norm(&mixed);
                tensor_free(wide);
                tensor_free(x);
                tensor_free(exact);
                tensor_free(weights);
                tensor_free(scale);
                tensor_free(same);
            }
}

static void empty_rows_and_single_elements(void **state)
{
    (void)state;
    struct tensor *none = zeros(EXTENTS(2, 0)), *one = row_of(3), *y = NULL;
    for (int method = TENSOR_TWO_PASS; method <= TENSOR_WELFORD; method++) {
        const struct tensor_steps steps = {TENSOR_FLOAT16, (enum tensor_method)method};
        ok(tensor_reduce_steps(&y, TENSOR_VAR, none, 2, &steps, err));
        assert_int_equal(tensor_count(y), 2);
        assert_true(isnan(tensor_get_flat(y, 1)));
        tensor_free(y);
        ok(tensor_reduce_steps(&y, TENSOR_SUM, none, 2, &steps, err));
        assert_true(tensor_get_flat(y, 1) == 0);
        tensor_free(y);
        assert_true(isnan(all_steps(TENSOR_VAR_UNBIASED, one, TENSOR_FLOAT32, (enum tensor_method)method)));
        assert_true(isnan(all_steps(TENSOR_VAR_UNBIASED, none, TENSOR_FLOAT32, (enum tensor_method)method)));
        assert_true(all_steps(TENSOR_VAR, one, TENSOR_FLOAT32, (enum tensor_method)method) == 0);
        struct tensor_norm out;
        ok(layer_norm(&out, none, &(struct tensor_norm_options){.axes = 2, .eps = 1, .steps = &steps}, err));
        assert_true(isnan(tensor_get_flat(out.mean, 0)));
        free_norm(&out);
    }
    tensor_free(none);
    tensor_free(one);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct tensor *x = row_of(1, 2), *scale = row_of(1, 2, 3), *y = NULL;
    struct tensor_norm out = {.y = NULL};
    double value;
    refused("the max adds nothing up: it has no steps to choose",
            tensor_reduce_steps(&y, TENSOR_MAX, x, 1, &in_float16, err));
    refused("the min adds nothing up: it has no steps to choose",
            tensor_reduce_all_steps(&value, TENSOR_MIN, x, &in_float16, err));
    refused("(2,) has only 1 axes", tensor_reduce_steps(&y, TENSOR_SUM, x, 2, &in_float16, err));
    refused(
        "scale (3,) does not fit (2,): feature is 3, not 2",
        layer_norm(&out, x,
                   &(struct tensor_norm_options){.axes = 1, .eps = 1, .scale = scale, .steps = &in_float16},
                   err));
    assert_true(!y && !out.y);
    ok(tensor_track(x, err));
    tensor_free(x);
    tensor_free(scale);
}

/* The way back is the formula's. */
static void gradients_know_no_steps(void **state)
{
    (void)state;
    struct tensor *x = row_of(2049, 1, 3, 5), *y = NULL, *plain = NULL, *stepped = NULL, *exact = NULL;
    ok(tensor_track(x, err));
    ok(tensor_reduce_steps(&y, TENSOR_VAR, x, 1, &in_float16, err));
    ok(tensor_reduce(&plain, TENSOR_VAR, x, 1, err));
    assert_true(tensor_get_flat(y, 0) != tensor_get_flat(plain, 0));
    ok(tensor_grad(&stepped, y, (const struct tensor *const[]){x}, 1, err));
    ok(tensor_grad(&exact, plain, (const struct tensor *const[]){x}, 1, err));
    for (size_t i = 0; i < 4; i++)
        assert_true(same_float(tensor_get_flat(stepped, i), tensor_get_flat(exact, i)));
    tensor_free(x);
    tensor_free(y);
    tensor_free(plain);
    tensor_free(stepped);
    tensor_free(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ones_stop_adding_up),
        cmocka_unit_test(a_small_epsilon_is_none),
        cmocka_unit_test(squares_overflow),
        cmocka_unit_test(gradients_know_no_steps),
        cmocka_unit_test(one_pass_goes_below_zero),
        cmocka_unit_test(steps_are_those_of_numpy_and_pytorch),
        cmocka_unit_test(norms_take_scale_and_bias_in_steps),
        cmocka_unit_test(norms_of_halves_are_rounded_once),
        cmocka_unit_test(empty_rows_and_single_elements),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("tensor: arithmetic step by step", tests, NULL, NULL);
}
