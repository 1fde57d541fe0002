/* One ONNX case computed by the core and held against what ONNX expects. test_onnx.py calls it:

     onnx_case OPERATION [NAME=NUMBER]... inputs FILE... outputs FILE...

   It prints the largest error of each output, |got - want| / max(1, |want|), one a line, and exits with 0; with 77
   when the core has no such operation, with 1 and words when something is wrong. */
#include "tensor/tensor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 8, FILE_BYTES_MAX = 1 << 20, NO_OPERATION = 77 };

struct onnx_case {
    const char *operation, *attributes[MAX];
    int attribute_count, input_count, output_count;
    struct tensor *inputs[MAX], *want[MAX], *got[MAX];
};

static _Noreturn void stop(const char *words, const char *name)
{
    printf("%s: %s\n", name, words);
    exit(1);
}

static void must(int status, const struct error *err)
{
    if (status)
        stop(err->text, "the core refuses");
}

static struct tensor *load(const char *path)
{
    static unsigned char bytes[FILE_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    struct tensor *x;
    struct error err;
    if (!file)
        stop("cannot be opened", path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (tensor_from_npy(&x, NULL, bytes, size, &err))
        stop(err.text, path);
    return x;
}

static double attribute(const struct onnx_case *c, const char *name, double otherwise)
{
    const size_t length = strlen(name);
    for (int i = 0; i < c->attribute_count; i++)
        if (!strncmp(c->attributes[i], name, length) && c->attributes[i][length] == '=')
            return strtod(c->attributes[i] + length + 1, NULL);
    return otherwise;
}

static const struct tensor *input(const struct onnx_case *c, int i)
{
    return i < c->input_count ? c->inputs[i] : NULL;
}

/* ---- small expressions; what they make is never freed ---- */

static struct tensor *binary(enum tensor_binary op, const struct tensor *a, const struct tensor *b)
{
    struct tensor *y;
    struct error err;
    must(tensor_binary(&y, op, a, b, &err), &err);
    return y;
}

static struct tensor *number(enum tensor_binary op, const struct tensor *a, double b)
{
    struct tensor *y;
    struct error err;
    must(tensor_binary_number(&y, op, a, b, false, &err), &err);
    return y;
}

static struct tensor *unary(enum tensor_unary op, const struct tensor *x)
{
    struct tensor *y;
    struct error err;
    must(tensor_unary(&y, op, x, &err), &err);
    return y;
}

static struct tensor *reduce(enum tensor_reduction op, const struct tensor *x, tensor_axes axes)
{
    struct tensor *y;
    struct error err;
    must(tensor_reduce(&y, op, x, axes, &err), &err);
    return y;
}

static int axis_of(const struct onnx_case *c, double otherwise)
{
    const int axis = (int)attribute(c, "axis", otherwise);
    return axis < 0 ? axis + tensor_rank(c->inputs[0]) : axis;
}

/* ---- operations ---- */

/* Over the axis and all behind it. */
static void trailing_norm(struct onnx_case *c, int norm(struct tensor_norm *, const struct tensor *, const struct tensor_norm_options *, struct error *))
{
    const struct tensor *x = c->inputs[0];
    const tensor_axes before = ((tensor_axes)1 << axis_of(c, -1)) - 1;
    const struct tensor_norm_options options = { .axes = tensor_all_axes(x) & ~before, .eps = attribute(c, "epsilon", 1e-5),
                                                 .scale = input(c, 1), .bias = input(c, 2) };
    struct tensor_norm out;
    struct error err;
    must(norm(&out, x, &options, &err), &err);
    c->got[0] = out.y;
    c->got[1] = out.mean;
    c->got[2] = out.rstd;
}

static void layer(struct onnx_case *c)
{
    trailing_norm(c, layer_norm);
}

static void rms(struct onnx_case *c)
{
    trailing_norm(c, rms_norm);
}

/* x / (sum |x|^p)^(1/p), and 0 where that is 0 */
static void lp(struct onnx_case *c)
{
    const struct tensor *x = c->inputs[0];
    const tensor_axes axes = (tensor_axes)1 << axis_of(c, -1);
    const struct tensor *length = attribute(c, "p", 2) == 1 ? reduce(TENSOR_SUM, unary(TENSOR_ABS, x), axes)
                                                            : unary(TENSOR_SQRT, reduce(TENSOR_SUM, binary(TENSOR_MUL, x, x), axes));
    c->got[0] = binary(TENSOR_DIV, x, number(TENSOR_MAXIMUM, length, 1e-30));
}

/* (x - mean) / (deviation + 1e-9), over batch, height and width */
static void mean_variance(struct onnx_case *c)
{
    const struct tensor *x = c->inputs[0];
    const tensor_axes axes = 1 << 0 | 1 << 2 | 1 << 3;
    c->got[0] = binary(TENSOR_DIV, binary(TENSOR_SUB, x, reduce(TENSOR_MEAN, x, axes)), number(TENSOR_ADD, reduce(TENSOR_STD, x, axes), 1e-9));
}

/* (batch, channel, position...) */
static struct tensor_norm_options channel_options(const struct onnx_case *c)
{
    return (struct tensor_norm_options){ .axes = tensor_all_axes(c->inputs[0]) & ~(tensor_axes)3, .eps = attribute(c, "epsilon", 1e-5),
                                         .scale = input(c, 1), .bias = input(c, 2) };
}

static void group(struct onnx_case *c)
{
    struct tensor_norm_options options = channel_options(c);
    struct tensor_norm out;
    struct error err;
    options.axes |= 1 << 1;
    must(group_norm(&out, c->inputs[0], 1, (size_t)attribute(c, "num_groups", 1), &options, &err), &err);
    c->got[0] = out.y;
}

static void instance(struct onnx_case *c)
{
    const struct tensor_norm_options options = channel_options(c);
    struct tensor_norm out;
    struct error err;
    must(instance_norm(&out, c->inputs[0], 1, &options, &err), &err);
    c->got[0] = out.y;
}

/* ONNX keeps the biased variance, and its momentum weighs the old one. */
static void batch(struct onnx_case *c)
{
    const double momentum = attribute(c, "momentum", 0.9);
    const struct tensor_batch_norm_options options = {
        .channel = 1, .eps = attribute(c, "epsilon", 1e-5), .momentum = 1 - momentum, .training = attribute(c, "training_mode", 0) != 0,
        .scale = input(c, 1), .bias = input(c, 2), .running_mean = input(c, 3), .running_var = input(c, 4) };
    struct tensor_batch_norm out;
    struct error err;
    must(batch_norm(&out, c->inputs[0], &options, &err), &err);
    c->got[0] = out.norm.y;
    c->got[1] = out.running_mean;
    if (options.training) {
        struct tensor *var;
        must(tensor_reshape(&var, out.norm.var, 1, (const size_t[]){ tensor_count(out.norm.var) }, NULL, &err), &err);
        c->got[2] = binary(TENSOR_ADD, number(TENSOR_MUL, options.running_var, momentum), number(TENSOR_MUL, var, 1 - momentum));
    }
}

static const struct {
    const char *name;
    void (*compute)(struct onnx_case *c);
} operations[] = {
    { "LayerNormalization", layer },        { "RMSNormalization", rms },
    { "LpNormalization", lp },              { "MeanVarianceNormalization", mean_variance },
    { "GroupNormalization", group },        { "InstanceNormalization", instance },
    { "BatchNormalization", batch },
};

/* ---- */

static double largest_error(const struct tensor *got, const struct tensor *want)
{
    double largest = 0;
    if (!got)
        stop("the core gives no such output", "missing");
    if (!tensor_same_shape(got, want)) {
        char shape[TENSOR_SHAPE_TEXT];
        stop(tensor_shape_text(got, shape), "another shape");
    }
    for (size_t i = 0; i < tensor_count(want); i++) {
        const double w = (double)tensor_get_flat(want, i), error = fabs((double)tensor_get_flat(got, i) - w) / fmax(1, fabs(w));
        largest = error <= largest ? largest : isnan(error) ? (double)INFINITY : error;
    }
    return largest;
}

static void read_arguments(struct onnx_case *c, int count, char **words)
{
    int at = 2;
    if (count < 2)
        stop("an operation is needed", "onnx_case");
    c->operation = words[1];
    for (; at < count && strcmp(words[at], "inputs") && c->attribute_count < MAX; at++)
        c->attributes[c->attribute_count++] = words[at];
    for (at++; at < count && strcmp(words[at], "outputs") && c->input_count < MAX; at++)
        c->inputs[c->input_count++] = load(words[at]);
    for (at++; at < count && c->output_count < MAX; at++)
        c->want[c->output_count++] = load(words[at]);
    if (!c->input_count || !c->output_count)
        stop("it has no inputs or no outputs", c->operation);
}

int main(int count, char **words)
{
    static struct onnx_case c;
    size_t i = 0;
    read_arguments(&c, count, words);
    while (i < sizeof operations / sizeof *operations && strcmp(operations[i].name, c.operation))
        i++;
    if (i == sizeof operations / sizeof *operations)
        return NO_OPERATION;
    operations[i].compute(&c);
    for (int n = 0; n < c.output_count; n++)
        printf("%.3g\n", largest_error(c.got[n], c.want[n]));
    return 0;
}
