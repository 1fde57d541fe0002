/* Norms and layers beside PyTorch's, there and back, from tests/data/torch-layers.txt (made by
   scripts/make-torch-values). Its numbers are float64; BOUND is in 2^-24 of the largest element, and one
   rounding of each element is allowed beside. */
#include "torch_help.h"

static const double BOUND = 2.5, BACK_BOUND = 8;
static double worst, worst_back;
static size_t gradients;

enum { PARTS_MAX = 5 };

struct layer {
    const struct check *check;
    const char *keys[PARTS_MAX];
    struct tensor *in[PARTS_MAX]; /* NULL: not given */
    struct tensor *y;
};

static void hold(const struct check *check, const char *key, const struct tensor *got, double bound,
                 double *most_off)
{
    const struct known *want = find(word(check, key));
    double most = 0;
    assert_int_equal(tensor_count(got), want->count);
    for (size_t i = 0; i < want->count; i++)
        most = fmax(most, fabs(want->values[i]));
    for (size_t i = 0; i < want->count; i++) {
        const double off =
            fabs((double)tensor_get_flat(got, i) - want->values[i]) / 0x1p-24 / fmax(most, 1e-30);
        if (!(off <= bound))
            fail_msg("%s, x=%s, axes=%s, eps=%s, %s=%s, element %zu: %.9g, not %.12g: %g units",
                     check->operation, word(check, "x"), word(check, "axes"), word(check, "eps"), key,
                     word(check, key), i, (double)tensor_get_flat(got, i), want->values[i], off);
        *most_off = fmax(*most_off, off);
    }
    checks++;
}

static void open_layer(struct layer *layer, const struct check *check, const char *const keys[PARTS_MAX])
{
    *layer = (struct layer){.check = check};
    for (int i = 0; i < PARTS_MAX; i++) {
        layer->keys[i] = keys[i];
        layer->in[i] = keys[i] ? input(check, keys[i]) : NULL;
        if (layer->in[i])
            ok(tensor_track(layer->in[i], err));
    }
}

static void close_layer(struct layer *layer)
{
    const struct check *check = layer->check;
    struct tensor *dy = input(check, "dy"), *product = NULL, *loss = NULL;
    hold(check, "want", layer->y, BOUND, &worst);
    ok(tensor_binary(&product, TENSOR_MUL, layer->y, dy, err));
    ok(tensor_reduce(&loss, TENSOR_SUM, product, tensor_all_axes(product), err));
    for (int i = 0; i < PARTS_MAX; i++) {
        char key[40];
        struct tensor *g = NULL;
        snprintf(key, sizeof key, "d%s", layer->keys[i] ? layer->keys[i] : "");
        if (!layer->in[i] || !word(check, key))
            continue;
        ok(tensor_grad(&g, loss, (const struct tensor *const[]){layer->in[i]}, 1, err));
        hold(check, key, g, BACK_BOUND, &worst_back);
        tensor_free(g);
        gradients++;
    }
    for (int i = 0; i < PARTS_MAX; i++)
        tensor_free(layer->in[i]);
    tensor_free(layer->y);
    tensor_free(dy);
    tensor_free(product);
    tensor_free(loss);
}

static struct tensor *result_of(struct tensor_norm *norm)
{
    struct tensor *y = norm->y;
    norm->y = NULL;
    free_norm(norm);
    return y;
}

static double number(const struct check *check, const char *key)
{
    assert_non_null(word(check, key));
    return strtod(word(check, key), NULL);
}

static void run_norm(const struct check *check)
{
    struct layer layer;
    struct tensor_norm norm;
    open_layer(&layer, check, (const char *const[PARTS_MAX]){"x", "scale", "bias"});
    const struct tensor *x = layer.in[0];
    struct tensor_norm_options options = {
        .eps = number(check, "eps"), .scale = layer.in[1], .bias = layer.in[2]};
    if (strcmp(check->operation, "group_norm") == 0) {
        options.axes = tensor_all_axes(x) & ~(tensor_axes)1;
        ok(group_norm(&norm, x, 1, (size_t)number(check, "groups"), &options, err));
    } else if (strcmp(check->operation, "instance_norm") == 0) {
        options.axes = tensor_all_axes(x) & ~(tensor_axes)3;
        ok(instance_norm(&norm, x, 1, &options, err));
    } else {
        options.axes = read_axes(check, x);
        ok((*check->operation == 'l' ? layer_norm : rms_norm)(&norm, x, &options, err));
    }
    layer.y = result_of(&norm);
    close_layer(&layer);
}

/* y = norm(x + update) + (x + update) * by_sum: the sum has a gradient of its own. */
static void run_add_norm(const struct check *check)
{
    struct layer layer;
    struct tensor_add_norm out;
    struct tensor *by_sum = input(check, "by_sum"), *part = NULL;
    open_layer(&layer, check, (const char *const[PARTS_MAX]){"x", "update", "scale", "bias"});
    const struct tensor_norm_options options = {.axes = read_axes(check, layer.in[0]),
                                                .eps = number(check, "eps"),
                                                .scale = layer.in[2],
                                                .bias = layer.in[3]};
    ok((strcmp(check->operation, "add_layer_norm") == 0 ? add_layer_norm : add_rms_norm)(
        &out, layer.in[0], layer.in[1], &options, err));
    hold(check, "sum", out.sum, BOUND, &worst);
    ok(tensor_binary(&part, TENSOR_MUL, out.sum, by_sum, err));
    struct tensor *y = result_of(&out.norm);
    ok(tensor_binary(&layer.y, TENSOR_ADD, y, part, err));
    tensor_free(out.sum);
    tensor_free(by_sum);
    tensor_free(part);
    tensor_free(y);
    close_layer(&layer);
}

static void run_batch_norm(const struct check *check)
{
    struct layer layer;
    struct tensor_batch_norm out;
    struct tensor *mean = input(check, "running_mean"), *var = input(check, "running_var");
    open_layer(&layer, check, (const char *const[PARTS_MAX]){"x", "scale", "bias"});
    ok(batch_norm(&out, layer.in[0],
                  &(struct tensor_batch_norm_options){.channel = 1,
                                                      .eps = number(check, "eps"),
                                                      .momentum = number(check, "momentum"),
                                                      .training = number(check, "training") != 0,
                                                      .scale = layer.in[1],
                                                      .bias = layer.in[2],
                                                      .running_mean = mean,
                                                      .running_var = var},
                  err));
    hold(check, "new_mean", out.running_mean, BOUND, &worst);
    hold(check, "new_var", out.running_var, BOUND, &worst);
    tensor_free(mean);
    tensor_free(var);
    tensor_free(out.running_mean);
    tensor_free(out.running_var);
    layer.y = result_of(&out.norm);
    close_layer(&layer);
}

static void run_attention(const struct check *check)
{
    struct layer layer;
    struct tensor_attention out;
    open_layer(&layer, check, (const char *const[PARTS_MAX]){"q", "k", "v"});
    ok(tensor_attention(&out, layer.in[0], layer.in[1], layer.in[2], (size_t)number(check, "heads"),
                        number(check, "causal") != 0, err));
    tensor_free(out.weights);
    layer.y = out.y;
    close_layer(&layer);
}

static void run_matrices(const struct check *check)
{
    struct layer layer;
    const bool linear = strcmp(check->operation, "linear") == 0;
    open_layer(&layer, check,
               linear ? (const char *const[PARTS_MAX]){"x", "weight", "bias"}
                      : (const char *const[PARTS_MAX]){"input", "other"});
    if (linear)
        ok(tensor_linear(&layer.y, layer.in[0], layer.in[1], layer.in[2], err));
    else
        ok(tensor_matmul(&layer.y, layer.in[0], layer.in[1], err));
    close_layer(&layer);
}

/* One input: functions of each element, softmax, reductions. */
static void run_other(const struct check *check)
{
    static const char *const functions[] = {[TENSOR_EXP] = "exp",   [TENSOR_TANH] = "tanh",
                                            [TENSOR_GELU] = "gelu", [TENSOR_GELU_TANH] = "gelu_tanh",
                                            [TENSOR_RELU] = "relu", [TENSOR_SILU] = "silu"};
    static const char *const reductions[] = {[TENSOR_MAX] = "max",
                                             [TENSOR_MIN] = "min",
                                             [TENSOR_STD] = "std",
                                             [TENSOR_VAR_UNBIASED] = "var_unbiased"};
    struct layer layer;
    open_layer(&layer, check, (const char *const[PARTS_MAX]){"x"});
    const struct tensor *x = layer.in[0];
    for (size_t op = 0; op < sizeof functions / sizeof *functions; op++)
        if (functions[op] && strcmp(functions[op], check->operation) == 0)
            ok(tensor_unary(&layer.y, (enum tensor_unary)op, x, err));
    for (size_t op = 0; op < sizeof reductions / sizeof *reductions; op++)
        if (reductions[op] && strcmp(reductions[op], check->operation) == 0)
            ok(tensor_reduce(&layer.y, (enum tensor_reduction)op, x, read_axes(check, x), err));
    if (strcmp("softmax", check->operation) == 0)
        ok(tensor_softmax(&layer.y, x, read_axes(check, x), err));
    if (!layer.y)
        fail_msg("unknown operation %s", check->operation);
    close_layer(&layer);
}

static void run(const struct check *check)
{
    if (strcmp(check->operation, "batch_norm") == 0)
        run_batch_norm(check);
    else if (strncmp(check->operation, "add_", 4) == 0)
        run_add_norm(check);
    else if (strstr(check->operation, "norm"))
        run_norm(check);
    else if (strcmp(check->operation, "attention") == 0)
        run_attention(check);
    else if (strcmp(check->operation, "linear") == 0 || strcmp(check->operation, "matmul") == 0)
        run_matrices(check);
    else
        run_other(check);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    read_checks("torch-layers.txt", run);
    print_message("%zu comparisons, %zu of gradients; worst: %.2f units there, %.2f back\n", checks,
                  gradients, worst, worst_back);
    assert_true(gradients > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_pytorch)};
    return cmocka_run_group_tests_name("tensor: PyTorch's layers", tests, NULL, NULL);
}
