/* The record of operations and the walk back: what is tracked, chains of any depth, sharing, kinks, memory.
 */
#include "tensor_help.h"
#include "tensor/layout.h"

#include <stdlib.h>
#include <sys/resource.h>

static struct tensor *tracked(struct tensor *x)
{
    ok(tensor_track(x, err));
    return x;
}

static struct tensor *binary(enum tensor_binary op, const struct tensor *a, const struct tensor *b)
{
    struct tensor *y = NULL;
    ok(tensor_binary(&y, op, a, b, err));
    return y;
}

static struct tensor *with_number(enum tensor_binary op, const struct tensor *x, double number)
{
    struct tensor *y = NULL;
    ok(tensor_binary_number(&y, op, x, number, false, err));
    return y;
}

static struct tensor *sum_of(const struct tensor *x)
{
    struct tensor *y = NULL;
    ok(tensor_reduce(&y, TENSOR_SUM, x, tensor_all_axes(x), err));
    return y;
}

static struct tensor *grad(const struct tensor *loss, const struct tensor *x)
{
    struct tensor *g = NULL;
    ok(tensor_grad(&g, loss, &x, 1, err));
    return g;
}

static void assert_row(struct tensor *x, const float *want)
{
    for (size_t i = 0; i < tensor_count(x); i++)
        if (!same_float(tensor_get_flat(x, i), want[i]))
            fail_msg("element %zu is %.9g, not %.9g", i, (double)tensor_get_flat(x, i), (double)want[i]);
    tensor_free(x);
}

#define assert_elements(x, ...) assert_row(x, (const float[]){__VA_ARGS__})

/* The gradient of the sum of a function of one row. */
static struct tensor *slope_of(enum tensor_unary op, struct tensor *x)
{
    struct tensor *y = NULL;
    ok(tensor_unary(&y, op, tracked(x), err));
    struct tensor *loss = sum_of(y), *g = grad(loss, x);
    tensor_free(x);
    tensor_free(y);
    tensor_free(loss);
    return g;
}

static void kinks_are_as_said(void **state)
{
    (void)state;
    assert_elements(slope_of(TENSOR_ABS, row_of(-2, -0.0f, 0, 3, NAN)), -1, 0, 0, 1, NAN);
    assert_elements(slope_of(TENSOR_RELU, row_of(-2, -0.0f, 0, 3, NAN, INFINITY)), 0, 0, 0, 1, 1, 1);
    assert_elements(slope_of(TENSOR_SQRT, row_of(0, 4, -1, INFINITY)), INFINITY, 0.25f, NAN, 0);
    assert_elements(slope_of(TENSOR_LOG, row_of(0, 4, INFINITY)), INFINITY, 0.25f, 0);
    assert_elements(slope_of(TENSOR_TANH, row_of(0, 40, -INFINITY)), 1, 4 * expf(-80), 0);
    assert_elements(slope_of(TENSOR_GELU, row_of(0, 50, -50)), 0.5f, 1, 0);
    static const struct {
        enum tensor_binary op;
        float a, b, da, db;
    } pairs[] = {
        {TENSOR_MAXIMUM, 1, 1, 0.5f, 0.5f},
        {TENSOR_MAXIMUM, 2, 1, 1, 0},
        {TENSOR_MAXIMUM, NAN, 1, 1, 1},
        {TENSOR_MINIMUM, 1, 1, 0.5f, 0.5f},
        {TENSOR_MINIMUM, 2, 1, 0, 1},
        {TENSOR_POW, 0, 0, 0, 0},
        {TENSOR_POW, 0, 2, 0, 0},
        {TENSOR_POW, -2, 3, 12, NAN},
        {TENSOR_POW, 0, 1, 1, 0},
        {TENSOR_DIV, 1, 0, INFINITY, -INFINITY},
        {TENSOR_MUL, INFINITY, 0, 0, INFINITY},
        {TENSOR_POW, 5, 0, 0, 1.60943791f},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct tensor *a = tracked(row_of(pairs[i].a)), *b = tracked(row_of(pairs[i].b));
        struct tensor *y = binary(pairs[i].op, a, b);
        assert_elements(grad(y, a), pairs[i].da);
        assert_elements(grad(y, b), pairs[i].db);
        tensor_free(a);
        tensor_free(b);
        tensor_free(y);
    }
    static const struct {
        enum tensor_reduction op;
        float x[3], g[3];
    } reductions[] = {
        {TENSOR_MAX, {1, 3, 3}, {0, 0.5f, 0.5f}},   {TENSOR_MIN, {1, 1, 1}, {1.0f / 3, 1.0f / 3, 1.0f / 3}},
        {TENSOR_MAX, {1, NAN, 3}, {NAN, NAN, NAN}}, {TENSOR_STD, {2, 2, 2}, {0, 0, 0}},
        {TENSOR_VAR, {2, 2, 2}, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        struct tensor *x = tracked(filled(EXTENTS(3), reductions[i].x)), *y = NULL;
        ok(tensor_reduce(&y, reductions[i].op, x, 1, err));
        assert_row(grad(y, x), reductions[i].g);
        tensor_free(x);
        tensor_free(y);
    }
}

/* loss = sum(x * x + 3 x): the same tensor by several ways, and a tensor that is a way itself. */
static void ways_add_up(void **state)
{
    (void)state;
    struct tensor *x = tracked(row_of(1, -2, 5)), *square = binary(TENSOR_MUL, x, x);
    struct tensor *thrice = with_number(TENSOR_MUL, x, 3), *both = binary(TENSOR_ADD, square, thrice),
                  *loss = sum_of(both);
    const struct tensor *inputs[] = {x, square, x, both, loss};
    struct tensor *found[5];
    ok(tensor_grad(found, loss, inputs, 5, err));
    assert_elements(found[0], 5, -1, 13);
    assert_elements(found[1], 1, 1, 1);
    assert_elements(found[2], 5, -1, 13);
    assert_elements(found[3], 1, 1, 1);
    assert_elements(found[4], 1);
    struct tensor *doubled = binary(TENSOR_ADD, x, x), *twice = binary(TENSOR_ADD, doubled, doubled),
                  *four = sum_of(twice);
    assert_elements(grad(four, x), 4, 4, 4);
    struct tensor *all[] = {x, square, thrice, both, loss, doubled, twice, four};
    for (size_t i = 0; i < 8; i++)
        tensor_free(all[i]);
}

static void what_is_tracked(void **state)
{
    (void)state;
    struct tensor *x = row_of(1, 2), *w = row_of(3, 4), *plain = binary(TENSOR_MUL, x, w);
    assert_false(tensor_tracked(x) || tensor_tracked(plain) || tensor_recorded(x) || tensor_recorded(plain));
    tracked(x);
    assert_true(tensor_tracked(x) && !tensor_recorded(x));
    struct tensor *y = binary(TENSOR_MUL, x, w), *loss = sum_of(y), *cut = NULL;
    assert_true(tensor_tracked(y) && tensor_recorded(x) && tensor_recorded(w) && tensor_recorded(y) &&
                !tensor_tracked(w));
    ok(tensor_detach(&cut, y, err));
    assert_true(!tensor_tracked(cut) && tensor_recorded(cut)); /* the same elements */
    assert_elements(grad(loss, x), 3, 4);
    assert_elements(grad(loss, w), 0, 0); /* not tracked */
    assert_elements(grad(loss, cut), 0, 0);
    struct tensor *alone = tracked(row_of(7, 8)), *other = sum_of(alone);
    assert_elements(grad(other, x), 0, 0); /* of no part in it */
    char words[] = "a gradient is that of one number: the loss has the shape (2,); sum it first";
    struct tensor *g = NULL;
    refused(words, tensor_grad(&g, y, (const struct tensor *const[]){x}, 1, err));
    assert_null(g);
    ok(tensor_grad(NULL, loss, NULL, 0, err));
    /* A view is no use of the elements; what is computed with it is one. */
    struct tensor *z = tracked(counting(EXTENTS(2, 2))), *row = NULL;
    ok(tensor_at(&row, z, 1, err));
    assert_true(tensor_tracked(row) && !tensor_recorded(z));
    struct tensor *s = sum_of(row);
    assert_true(tensor_recorded(z));
    assert_elements(grad(s, z), 0, 0, 1, 1);
    struct tensor *all[] = {x, w, plain, y, loss, cut, alone, other, z, row, s};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
}

static void gradients_bear_the_input_s_names(void **state)
{
    (void)state;
    struct tensor *x = NULL, *turned = NULL;
    ok(tensor_new(&x, NULL, 2, (size_t[]){2, 3}, NAMES("out", "in"), err));
    tracked(x);
    ok(tensor_transpose(&turned, x, 0, 1, err));
    struct tensor *square = binary(TENSOR_MUL, turned, turned), *loss = sum_of(square);
    const struct tensor *inputs[] = {x, turned};
    struct tensor *found[2];
    ok(tensor_grad(found, loss, inputs, 2, err));
    assert_string_equal(tensor_axis_name(found[0], 0), "out");
    assert_string_equal(tensor_axis_name(found[0], 1), "in");
    assert_string_equal(tensor_axis_name(found[1], 0), "in");
    assert_int_equal(tensor_extent(found[1], 0), 3);
    struct tensor *all[] = {x, turned, square, loss, found[0], found[1]};
    for (size_t i = 0; i < 6; i++)
        tensor_free(all[i]);
}

/* What the record keeps is float32, and so are gradients, whatever the type. */
static void halves_have_gradients(void **state)
{
    (void)state;
    struct tensor *x = NULL, *wide = tracked(row_of(1, 2, 0.1f));
    ok(tensor_cast(&x, wide, TENSOR_FLOAT16, err));
    struct tensor *square = binary(TENSOR_MUL, x, x), *loss = sum_of(square);
    assert_int_equal(tensor_type(square), TENSOR_FLOAT16);
    const float half = tensor_get_flat(x, 2);
    assert_elements(grad(loss, x), 2, 4, 2 * half);
    assert_elements(grad(loss, wide), 2, 4, 2 * half);
    struct tensor_norm norm;
    ok(layer_norm(&norm, x, &(struct tensor_norm_options){.axes = 1, .eps = 1}, err));
    struct tensor *first = NULL;
    ok(tensor_at(&first, norm.y, 0, err));
    struct tensor *g = grad(first, x);
    assert_int_equal(tensor_type(g), TENSOR_FLOAT32);
    assert_true(tensor_get_flat(g, 0) > 0.1f &&
                fabsf(tensor_get_flat(g, 0) + tensor_get_flat(g, 1) + tensor_get_flat(g, 2)) < 1e-6f);
    struct tensor *all[] = {x, wide, square, loss, first, g};
    for (size_t i = 0; i < 6; i++)
        tensor_free(all[i]);
    free_norm(&norm);
}

static void no_elements_are_no_trouble(void **state)
{
    (void)state;
    struct tensor *x = tracked(zeros(EXTENTS(2, 0))), *y = with_number(TENSOR_MUL, x, 2), *loss = sum_of(y);
    struct tensor *g = grad(loss, x), *soft = NULL, *lin = NULL, *none = tracked(zeros(EXTENTS(3, 0)));
    assert_int_equal(tensor_count(g), 0);
    ok(tensor_softmax(&soft, x, 2, err));
    ok(tensor_linear(&lin, x, none, NULL, err));
    struct tensor *s = sum_of(soft), *l = sum_of(lin), *gs = grad(s, x), *gl = grad(l, none);
    assert_float_equal(tensor_get_flat(l, 0), 0, 0);
    struct tensor_norm norm;
    ok(layer_norm(&norm, x, &(struct tensor_norm_options){.axes = 2, .eps = 1}, err));
    struct tensor *ln = sum_of(norm.y), *gn = grad(ln, x);
    struct tensor *all[] = {x, y, loss, g, soft, lin, none, s, l, gs, gl, ln, gn};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
    free_norm(&norm);
}

/* ---- depth ---- */

static double seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* x halved and doubled, `depth` times, and the way back. */
static double chain(size_t depth)
{
    const double start = seconds();
    struct tensor *x = tracked(row_of(1)), *y = NULL;
    ok(tensor_copy(&y, x, err));
    for (size_t i = 0; i < depth; i++) {
        struct tensor *next = with_number(TENSOR_MUL, y, i % 2 ? 2 : 0.5);
        tensor_free(y);
        y = next;
    }
    assert_elements(grad(y, x), 1);
    assert_elements(grad(y, x), 1);
    tensor_free(y);
    tensor_free(x);
    return seconds() - start;
}

static void a_million_operations(void **state)
{
    (void)state;
    /* On a stack that a recursion of this depth would leave at once. */
    const double tenth = chain(100000), whole = chain(1000000);
    print_message("a chain of 100,000: %.2f s, of 1,000,000: %.2f s\n", tenth, whole);
    assert_true(whole < 15 * (tenth + 0.05));
}

/* x[0] … x[n-1], each used alone: linear in n, not in its square. */
static void elements_one_by_one(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct tensor *x = tracked(counting(EXTENTS(N))), **parts = malloc(N * sizeof *parts), *all = NULL;
    const double start = seconds();
    for (size_t i = 0; i < N; i++)
        ok(tensor_at(&parts[i], x, i, err));
    ok(tensor_stack(&all, (const struct tensor *const *)parts, N, err));
    struct tensor *square = binary(TENSOR_MUL, all, all), *loss = sum_of(square), *g = grad(loss, x);
    assert_true(seconds() - start < 2);
    for (size_t i = 0; i < N; i++)
        assert_float_equal(tensor_get_flat(g, i), 2.0f * (float)i, 0);
    for (size_t i = 0; i < N; i++)
        tensor_free(parts[i]);
    free(parts);
    struct tensor *rest[] = {x, all, square, loss, g};
    for (size_t i = 0; i < 5; i++)
        tensor_free(rest[i]);
}

/* ---- memory ---- */

struct counted {
    size_t calls, fail_at, bytes, blocks, most; /* fail_at counts from 1; 0: never */
};

static void *counted_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    struct counted *counted = context;
    if (new_size == 0) {
        assert_true(counted->bytes >= old_size && counted->blocks > 0);
        counted->bytes -= old_size;
        counted->blocks--;
        memset(block, 0xA5, old_size);
        free(block);
        return NULL;
    }
    assert_null(block);
    if (++counted->calls == counted->fail_at)
        return NULL;
    counted->bytes += new_size;
    counted->blocks++;
    counted->most = counted->bytes > counted->most ? counted->bytes : counted->most;
    return malloc(new_size);
}

enum { NODES = 40 };

/* A net that has every operation in it, and the gradients of all that it is given; 0 or -1. */
static int try_net(const struct tensor_memory *memory, struct error *err)
{
    struct tensor *in[5] = {NULL}, *t[NODES] = {NULL}, *found[5] = {NULL};
    struct tensor_norm n[4] = {{.y = NULL}};
    struct tensor_dropout drop = {.y = NULL};
    struct tensor_attention att = {.y = NULL};
    struct tensor_batch_norm bn[2] = {{.running_mean = NULL}};
    struct tensor_norm_gradients backward = {.dx = NULL};
    struct tensor_adam_state adam = {.x = NULL};
    struct tensor_sgd_state sgd = {.x = NULL};
    const tensor_axes last = 4;
    int status = -1, k = 0;
    static const size_t extents[5][3] = {{2, 2, 4}, {4, 4}, {4}, {4}, {2, 2, 4}};
    static const int ranks[5] = {3, 2, 1, 1, 3};
    for (int i = 0; i < 5; i++) {
        if (tensor_new(&in[i], memory, ranks[i], extents[i], NULL, err) < 0)
            goto out;
        for (size_t e = 0; e < in[i]->count; e++)
            tensor_set_flat(in[i], e, 0.25 + (double)((e * 7 + (size_t)i) % 5) / 8);
        if (tensor_track(in[i], err) < 0)
            goto out;
    }
#define STEP(call)                                                                                           \
    if ((call) < 0)                                                                                          \
        goto out;                                                                                            \
    k++
    STEP(tensor_linear(&t[k], in[0], in[1], in[2], err));
    STEP(tensor_unary(&t[k], TENSOR_GELU, t[k - 1], err));
    STEP(tensor_softmax(&t[k], t[k - 1], last, err));
    STEP(tensor_matmul(&t[k], t[k - 1], in[1], err));
    STEP(tensor_binary(&t[k], TENSOR_POW, in[4], in[3], err));
    STEP(tensor_binary(&t[k], TENSOR_MUL, t[k - 2], t[k - 1], err));
    STEP(tensor_binary_number(&t[k], TENSOR_DIV, t[k - 1], 3, true, err));
    STEP(tensor_reduce(&t[k], TENSOR_STD, t[k - 1], last, err));
    STEP(tensor_binary(&t[k], TENSOR_ADD, t[k - 1], t[k - 2], err));
    struct tensor_norm_options options = {.axes = last, .eps = 1e-5, .scale = in[2], .bias = in[3]};
    if (layer_norm(&n[0], t[k - 1], &options, err) < 0)
        goto out;
    options.axes = 1;
    if (rms_norm(&n[1], n[0].y, &options, err) < 0)
        goto out;
    options.axes = 6;
    if (group_norm(&n[2], n[1].y, 2, 2, &options, err) < 0)
        goto out;
    options.axes = 2;
    if (instance_norm(&n[3], n[2].y, 2, &options, err) < 0)
        goto out;
    struct tensor_batch_norm_options batch = {.channel = 2,
                                              .eps = 1e-5,
                                              .momentum = 0.1,
                                              .training = true,
                                              .scale = in[2],
                                              .bias = in[3],
                                              .running_mean = in[2],
                                              .running_var = in[3]};
    if (batch_norm(&bn[0], n[3].y, &batch, err) < 0)
        goto out;
    batch.training = false;
    if (batch_norm(&bn[1], bn[0].norm.y, &batch, err) < 0)
        goto out;
    if (tensor_dropout(&drop, bn[1].norm.y, in[4], 0.3, err) < 0)
        goto out;
    if (tensor_attention(&att, drop.y, in[0], in[4], 2, true, err) < 0)
        goto out;
    STEP(tensor_transpose(&t[k], att.y, 0, 2, err));
    STEP(tensor_reshape(&t[k], t[k - 1], 2, (size_t[]){8, 2}, NULL, err));
    STEP(tensor_at(&t[k], t[k - 1], 3, err));
    STEP(tensor_with(&t[k], t[k - 2], (size_t[]){1}, 1, t[k - 1], 0, err));
    STEP(tensor_copy(&t[k], t[k - 1], err));
    STEP(tensor_rename(&t[k], t[k - 1], NAMES("a", "b"), err));
    STEP(tensor_cast(&t[k], t[k - 1], TENSOR_FLOAT16, err));
    const struct tensor *const parts[] = {t[k - 1], t[k - 2]};
    STEP(tensor_stack(&t[k], parts, 2, err));
    STEP(tensor_reduce(&t[k], TENSOR_MAX, t[k - 1], 1, err));
    STEP(tensor_binary(&t[k], TENSOR_MAXIMUM, t[k - 1], t[k - 1], err));
    STEP(tensor_reduce(&t[k], TENSOR_SUM, t[k - 1], 7, err));
    struct tensor *statistics = NULL;
    if (tensor_binary(&statistics, TENSOR_MUL, n[0].mean, n[0].rstd, err) < 0)
        goto out;
    t[k++] = statistics;
    STEP(tensor_reduce(&t[k], TENSOR_SUM, t[k - 1], 7, err));
    STEP(tensor_binary(&t[k], TENSOR_ADD, t[k - 1], t[k - 3], err));
    if (tensor_grad(found, t[k - 1], (const struct tensor *const *)in, 5, err) < 0)
        goto out;
    options.axes = 4;
    if (layer_norm_backward(&backward, in[4], in[0], &options, err) < 0)
        goto out;
    const struct tensor_adam numbers = {1e-3, 0.9, 0.999, 1e-8, 0};
    if (tensor_adam(&adam, &numbers, 1, in[0], found[0], NULL, NULL, err) < 0)
        goto out;
    if (tensor_sgd(&sgd, &(struct tensor_sgd){.rate = 1, .momentum = 0.5}, in[0], found[0], NULL, err) < 0)
        goto out;
    status = 0;
out:
    for (int i = 0; i < 5; i++) {
        tensor_free(in[i]);
        if (status == 0)
            assert_true(found[i] && !isnan(tensor_get_flat(found[i], 0)));
        tensor_free(found[i]);
    }
    for (int i = 0; i < NODES; i++)
        tensor_free(t[i]);
    for (int i = 0; i < 4; i++)
        free_norm(&n[i]);
    for (int i = 0; i < 2; i++) {
        free_norm(&bn[i].norm);
        tensor_free(bn[i].running_mean);
        tensor_free(bn[i].running_var);
    }
    struct tensor *rest[] = {drop.y,         drop.mask, att.y,     att.weights, backward.dx, backward.dscale,
                             backward.dbias, adam.x,    adam.mean, adam.square, sgd.x,       sgd.momentum};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        tensor_free(rest[i]);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at++) {
        struct counted counted = {.fail_at = fail_at};
        const struct tensor_memory memory = {counted_resize, &counted};
        struct error err = {""};
        const int status = try_net(&memory, &err);
        if (counted.bytes || counted.blocks)
            fail_msg("allocation %zu failed, and %zu blocks of %zu bytes are left: %s", fail_at,
                     counted.blocks, counted.bytes, err.text);
        if (status == 0)
            break;
        if (strncmp(err.text, "out of memory", 13) != 0)
            fail_msg("allocation %zu failed: %s", fail_at, err.text);
        failures++;
    }
    print_message("%zu allocations failed in turn\n", failures);
    assert_true(failures > 150);
}

/* What is dropped on the way is freed: a chain of sums keeps no elements, one of products those that it
 * needs. */
static void only_what_is_needed_is_kept(void **state)
{
    (void)state;
    struct counted counted = {.calls = 0};
    const struct tensor_memory memory = {counted_resize, &counted};
    struct tensor *x = NULL, *y = NULL;
    enum { N = 100000, DEPTH = 50 };
    ok(tensor_new(&x, &memory, 1, (size_t[]){N}, NULL, err));
    tracked(x);
    ok(tensor_copy(&y, x, err));
    for (int i = 0; i < DEPTH; i++) {
        struct tensor *next = binary(TENSOR_ADD, y, x);
        tensor_free(y);
        y = next;
    }
    struct tensor *loss = sum_of(y);
    tensor_free(y);
    assert_true(counted.bytes < 2 * N * sizeof(float));
    struct tensor *g = grad(loss, x);
    assert_float_equal(tensor_get_flat(g, 5), DEPTH + 1, 0);
    /* x, its gradient, and on the way: what comes, what goes, and what is summed. */
    assert_true(counted.most < 6 * N * sizeof(float));
    tensor_free(g);
    tensor_free(loss);
    tensor_free(x);
    assert_int_equal(counted.bytes, 0);
}

/* As tensor.h states, for a million elements. */
static void temporary_memory_is_as_said(void **state)
{
    (void)state;
    struct counted counted = {.calls = 0};
    const struct tensor_memory memory = {counted_resize, &counted};
    enum { ROWS = 1000, FEATURES = 1000, SMALL = 8192 };
    struct tensor *x = NULL, *scale = NULL, *product = NULL;
    ok(tensor_new(&x, &memory, 2, (size_t[]){ROWS, FEATURES}, NULL, err));
    ok(tensor_new(&scale, &memory, 1, (size_t[]){FEATURES}, NULL, err));
    const struct tensor_norm_options options = {.axes = 2, .eps = 1, .scale = scale, .bias = scale};
    struct tensor_norm_gradients back;
    size_t before = counted.most = counted.bytes;
    ok(layer_norm_backward(&back, x, x, &options, err));
    assert_true(counted.most - before <
                sizeof(float) * (ROWS * FEATURES + 2 * FEATURES) + 40 * ROWS + 8 * FEATURES + SMALL);
    tensor_free(back.dx);
    tensor_free(back.dscale);
    tensor_free(back.dbias);
    tracked(scale);
    product = binary(TENSOR_MUL, x, scale);
    struct tensor *loss = sum_of(product);
    before = counted.most = counted.bytes;
    struct tensor *g = grad(loss, scale);
    assert_true(counted.most - before <
                sizeof(float) * (ROWS * FEATURES + 2 * FEATURES) + 8 * FEATURES + SMALL);
    struct tensor *all[] = {x, scale, product, loss, g};
    for (size_t i = 0; i < 5; i++)
        tensor_free(all[i]);
    assert_int_equal(counted.bytes, 0);
}

/* ---- words ---- */

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct tensor *a = zeros(EXTENTS(2, 3)), *b = zeros(EXTENTS(4, 5)), *c = zeros(EXTENTS(3, 4, 5)),
                  *d = zeros(EXTENTS(2, 2, 4));
    struct tensor *row = zeros(EXTENTS(3)), *y = NULL, *q = zeros(EXTENTS(2, 3, 4)),
                  *k = zeros(EXTENTS(2, 5, 4)), *six = zeros(EXTENTS(6));
    struct tensor_norm norm;
    struct tensor_batch_norm bn;
    struct tensor_attention att;
    refused("cannot multiply the matrices of (2,3) by those of (4,5): feature is 3, token is 4",
            tensor_matmul(&y, a, b, err));
    refused("cannot multiply the matrices of (2,2,4) by those of (3,4,5): batch is 2, batch is 3",
            tensor_matmul(&y, d, c, err));
    refused("a matrix has two axes: (3,) is none", tensor_matmul(&y, a, row, err));
    refused("the weight (4,5) does not fit x (2,3): feature is 5, feature is 3",
            tensor_linear(&y, a, b, NULL, err));
    refused("the bias (3,) does not fit the weight (4,5): it needs one number for each of 4",
            tensor_linear(&y, c, b, row, err));
    refused("a weight has two axes, what comes out and what goes in: it is (3,)",
            tensor_linear(&y, a, row, NULL, err));
    refused("softmax needs at least one axis", tensor_softmax(&y, a, 0, err));
    refused("the keys (2,5,4) do not fit the queries (2,3,4): token is 5, not 3",
            tensor_attention(&att, q, k, k, 1, true, err));
    refused("4 features of (2, 3, 4) cannot be shared out among 3 heads",
            tensor_attention(&att, q, q, q, 3, true, err));
    refused("the values (2,5,4) do not fit the keys (2,3,4): token is 5, not 3",
            tensor_attention(&att, q, q, k, 1, false, err));
    refused("axis feature of (2, 3, 4) has size 4, which cannot be shared out among 3 groups",
            group_norm(&norm, q, 2, 3, &(struct tensor_norm_options){.axes = 6, .eps = 1}, err));
    refused("group norm normalizes over feature too: its axes must hold that one",
            group_norm(&norm, q, 2, 2, &(struct tensor_norm_options){.axes = 2, .eps = 1}, err));
    refused("instance norm normalizes each feature by itself, so not over that axis",
            instance_norm(&norm, q, 2, &(struct tensor_norm_options){.axes = 4, .eps = 1}, err));
    refused(
        "scale (3,) does not fit (2,3,4): it needs one number for each of 4 of feature",
        instance_norm(&norm, q, 2, &(struct tensor_norm_options){.axes = 2, .eps = 1, .scale = row}, err));
    refused("batch norm in evaluation needs the running mean and variance",
            batch_norm(&bn, q, &(struct tensor_batch_norm_options){.channel = 2, .eps = 1}, err));
    struct tensor *one = zeros(EXTENTS(1, 1, 4));
    refused("batch norm needs more than one element in each channel while training: (1,1,4) has one",
            batch_norm(&bn, one,
                       &(struct tensor_batch_norm_options){.channel = 2, .eps = 1, .training = true}, err));
    refused("running_mean (3,) does not fit: it needs one number for each of 4 channels",
            batch_norm(&bn, q,
                       &(struct tensor_batch_norm_options){
                           .channel = 2, .eps = 1, .training = true, .running_mean = row},
                       err));
    refused("(2,3) cannot be read as (4,2): it has another number of elements",
            tensor_reshape(&y, a, 2, (size_t[]){4, 2}, NULL, err));
    refused("(2,3) cannot be read as (4611686018427387904,4,6): it has another number of elements",
            tensor_reshape(&y, a, 3, (size_t[]){(size_t)1 << 62, 4, 6}, NULL, err));
    refused("(2,3) has only 2 axes", tensor_transpose(&y, a, 0, 2, err));
    refused("cannot put (6,) where (3,) stands", tensor_with(&y, a, (size_t[]){0}, 1, six, 0, err));
    refused("there is no token 3: there are 2", tensor_with(&y, a, (size_t[]){2}, 1, row, 0, err));
    refused("dy is (6,) and x (3,): they must have the same shape",
            layer_norm_backward(&(struct tensor_norm_gradients){.dx = NULL}, six, row,
                                &(struct tensor_norm_options){.axes = 1}, err));
    assert_null(y);
    struct tensor *all[] = {a, b, c, d, row, q, k, six, one};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_free(all[i]);
}

static void products_name_their_axes(void **state)
{
    (void)state;
    struct tensor *a = NULL, *b = NULL, *y = NULL, *turned = NULL;
    ok(tensor_new(&a, NULL, 2, (size_t[]){2, 3}, NAMES("token", "in"), err));
    ok(tensor_new(&b, NULL, 2, (size_t[]){3, 4}, NAMES("in", "out"), err));
    ok(tensor_matmul(&y, a, b, err));
    assert_string_equal(tensor_axis_name(y, 0), "token");
    assert_string_equal(tensor_axis_name(y, 1), "out");
    tensor_free(y);
    ok(tensor_transpose(&turned, a, 0, 1, err));
    ok(tensor_matmul(&y, a, turned, err));
    assert_string_equal(tensor_axis_name(y, 0), "token");
    assert_string_equal(tensor_axis_name(y, 1), "feature");
    tensor_free(y);
    tensor_free(a);
    tensor_free(b);
    tensor_free(turned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinks_are_as_said),
        cmocka_unit_test(ways_add_up),
        cmocka_unit_test(what_is_tracked),
        cmocka_unit_test(gradients_bear_the_input_s_names),
        cmocka_unit_test(halves_have_gradients),
        cmocka_unit_test(no_elements_are_no_trouble),
        cmocka_unit_test(a_million_operations),
        cmocka_unit_test(elements_one_by_one),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(only_what_is_needed_is_kept),
        cmocka_unit_test(temporary_memory_is_as_said),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(products_name_their_axes),
    };
    return cmocka_run_group_tests_name("tensor: gradients", tests, NULL, NULL);
}
