/* What the core takes: the temporary memory of a million elements, and what ten times the depth costs. Counted, not timed. */
#include "tensor_help.h"

#include <stdlib.h>

enum { ROWS = 1024, FEATURES = 1024, MILLION = ROWS * FEATURES };

static struct { size_t bytes, peak, calls; } used;

static void *counted(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    used.bytes += new_size - old_size;
    used.peak = used.bytes > used.peak ? used.bytes : used.peak;
    used.calls += new_size > 0;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static const struct tensor_memory memory = {counted, NULL};

static struct tensor *numbers(size_t rows, size_t features, enum tensor_type type)
{
    struct tensor *x = NULL;
    ok(tensor_new_typed(&x, &memory, type, 2, (size_t[]){rows, features}, NULL, err));
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(x, i, (float)(i * 37 % 101) - 50);
    return x;
}

/* Bytes at the most beyond what is there before and what is there after. */
static size_t temporary(size_t before)
{
    const size_t kept = used.bytes > before ? used.bytes : before;
    return used.peak - kept;
}

static void a_norm_of_a_million(void **state)
{
    (void)state;
    static const struct { enum tensor_type type; tensor_axes axes; bool rms; size_t most; } cases[] = {
        {TENSOR_FLOAT32, 1u << 1, false, 0}, {TENSOR_FLOAT32, 1u << 1, true, 0},
        {TENSOR_FLOAT32, 1u << 0, false, 1 << 17}, {TENSOR_FLOAT32, 3u, false, 0},
        {TENSOR_FLOAT16, 1u << 1, false, 1 << 16}, {TENSOR_BFLOAT16, 1u << 1, true, 1 << 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tensor *x = numbers(ROWS, FEATURES, cases[i].type);
        const struct tensor_norm_options options = {.axes = cases[i].axes, .eps = 1e-5};
        struct tensor_norm out = {0};
        const size_t before = used.bytes;
        used.peak = before;
        ok((cases[i].rms ? rms_norm : layer_norm)(&out, x, &options, err));
        assert_in_range(temporary(before), 0, cases[i].most);
        tensor_free(out.y);
        tensor_free(out.mean);
        tensor_free(out.var);
        tensor_free(out.rstd);
        tensor_free(x);
        assert_int_equal(used.bytes, 0);
    }
}

static void the_way_back_of_a_million(void **state)
{
    (void)state;
    for (int rms = 0; rms < 2; rms++) {
        struct tensor *x = numbers(ROWS, FEATURES, TENSOR_FLOAT32), *dy = numbers(ROWS, FEATURES, TENSOR_FLOAT32);
        struct tensor *scale = numbers(1, FEATURES, TENSOR_FLOAT32), *bias = numbers(1, FEATURES, TENSOR_FLOAT32);
        const struct tensor_norm_options options = {.axes = 1u << 1, .eps = 1e-5, .scale = scale, .bias = bias};
        struct tensor_norm_gradients out = {0};
        const size_t before = used.bytes;
        used.peak = before;
        ok((rms ? rms_norm_backward : layer_norm_backward)(&out, dy, x, &options, err));
        assert_in_range(temporary(before), 0, 1 << 16);
        tensor_free(out.dx);
        tensor_free(out.dscale);
        tensor_free(out.dbias);
        tensor_free(bias);
        tensor_free(scale);
        tensor_free(dy);
        tensor_free(x);
        assert_int_equal(used.bytes, 0);
    }
}

/* A pre-norm stack without weights, forwards and back. */
static void measure_stack(size_t depth, size_t features, size_t *calls, size_t *peak)
{
    const struct tensor_norm_options options = {.axes = 1u << 1, .eps = 1e-5};
    struct tensor *x = numbers(4, features, TENSOR_FLOAT32), *stream = x, *loss = NULL, *slope = NULL;
    ok(tensor_track(x, err));
    used.calls = 0;
    used.peak = used.bytes;
    for (size_t layer = 0; layer < depth; layer++) {
        struct tensor_norm norm = {0};
        struct tensor *next = NULL;
        ok(layer_norm(&norm, stream, &options, err));
        ok(tensor_binary(&next, TENSOR_ADD, stream, norm.y, err));
        tensor_free(norm.y);
        tensor_free(norm.mean);
        tensor_free(norm.var);
        tensor_free(norm.rstd);
        if (stream != x)
            tensor_free(stream);
        stream = next;
    }
    ok(tensor_reduce(&loss, TENSOR_SUM, stream, 3u, err));
    ok(tensor_grad(&slope, loss, (const struct tensor *const[]){x}, 1, err));
    *calls = used.calls;
    *peak = used.peak;
    tensor_free(slope);
    tensor_free(loss);
    tensor_free(stream);
    tensor_free(x);
    assert_int_equal(used.bytes, 0);
}

static void ten_times_the_depth(void **state)
{
    (void)state;
    size_t calls[2], peak[2], wide_calls, wide_peak;
    measure_stack(20, 64, &calls[0], &peak[0]);
    measure_stack(200, 64, &calls[1], &peak[1]);
    measure_stack(20, 640, &wide_calls, &wide_peak);
    assert_in_range(calls[1], 9 * calls[0], 10 * calls[0]);
    assert_in_range(peak[1], 5 * peak[0], 10 * peak[0]);
    assert_int_equal(wide_calls, calls[0]); /* nothing is allocated for an element */
    assert_in_range(wide_peak, peak[0], 10 * peak[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_norm_of_a_million),
        cmocka_unit_test(the_way_back_of_a_million),
        cmocka_unit_test(ten_times_the_depth),
    };
    return cmocka_run_group_tests_name("tensor: what it takes", tests, NULL, NULL);
}
