/* Memory that fails at every point: an error in words, nothing leaked, and sizes told back as they were asked
 * for. */
#include "tensor_help.h"
#include "tensor/layout.h"

#include <stdlib.h>

struct counted {
    size_t calls, fail_at, bytes, blocks; /* fail_at counts from 1; 0: never */
};

static void *counted_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    struct counted *counted = context;
    assert_int_equal(!block, old_size == 0);
    if (new_size == 0) {
        assert_non_null(block);
        assert_true(counted->bytes >= old_size && counted->blocks > 0);
        counted->bytes -= old_size;
        counted->blocks--;
        memset(block, 0xA5,
               old_size); /* the size told must be the block's: the sanitizer sees one too large */
        free(block);
        return NULL;
    }
    if (++counted->calls == counted->fail_at)
        return NULL;
    assert_null(block);
    counted->bytes += new_size;
    counted->blocks++;
    return malloc(new_size);
}

struct inputs {
    struct tensor *x, *turned, *row, *number, *wide;
};

typedef int operation(const struct inputs *in, struct error *err);

static int keep(int status, struct tensor **y)
{
    if (status == 0)
        tensor_free(*y);
    else
        assert_null(*y);
    return status;
}

static int try_new(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_new(&y, in->x->storage->memory, 2, (size_t[]){2, 3}, NULL, err), &y);
}

static int try_scalar(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_scalar(&y, in->x->storage->memory, 1, err), &y);
}

static int try_copy(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_copy(&y, in->turned, err), &y);
}

static int try_rename(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_rename(&y, in->row, (const char *const[]){"channel"}, err), &y);
}

static int try_at(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_at(&y, in->x, 1, err), &y);
}

static int try_stack(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_stack(&y, (const struct tensor *const[]){in->x, in->x}, 2, err), &y);
}

static int try_binary(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_binary(&y, TENSOR_MUL, in->x, in->row, err), &y);
}

static int try_number(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_binary_number(&y, TENSOR_POW, in->turned, 2, false, err), &y);
}

static int try_unary(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_unary(&y, TENSOR_TANH, in->turned, err), &y);
}

static int try_reduce(const struct inputs *in, struct error *err)
{
    struct tensor *y = NULL;
    return keep(tensor_reduce(&y, TENSOR_VAR, in->turned, 2, err), &y);
}

static int try_reduce_all(const struct inputs *in, struct error *err)
{
    double value = 0;
    return tensor_reduce_all(&value, TENSOR_VAR, in->turned, err);
}

static int try_norm(const struct inputs *in, tensor_axes axes, struct error *err,
                    int (*function)(struct tensor_norm *, const struct tensor *,
                                    const struct tensor_norm_options *, struct error *))
{
    struct tensor_norm norm = {.y = NULL};
    const struct tensor_norm_options options = {.axes = axes, .eps = 1, .scale = in->number, .bias = in->x};
    const int status = function(&norm, in->x, &options, err);
    if (status < 0)
        assert_true(!norm.y && !norm.mean && !norm.var && !norm.rstd);
    free_norm(&norm);
    return status;
}

static int try_layer_norm(const struct inputs *in, struct error *err)
{
    return try_norm(in, 2, err, layer_norm);
}

static int try_strided_layer_norm(const struct inputs *in, struct error *err)
{
    return try_norm(in, 1, err, layer_norm);
}

static int try_rms_norm(const struct inputs *in, struct error *err)
{
    return try_norm(in, 1, err, rms_norm);
}

static int try_add_norm(const struct inputs *in, const struct tensor *scale, struct error *err)
{
    struct tensor_add_norm out = {.sum = NULL};
    const struct tensor_norm_options options = {.axes = 2, .eps = 1, .scale = scale};
    const int status = add_layer_norm(&out, in->wide, in->wide, &options, err);
    if (status < 0)
        assert_true(!out.sum && !out.norm.y && !out.norm.mean && !out.norm.var && !out.norm.rstd);
    free_norm(&out.norm);
    tensor_free(out.sum);
    return status;
}

static int try_add_layer_norm(const struct inputs *in, struct error *err)
{
    return try_add_norm(in, NULL, err);
}

/* Which the kernels cannot have. */
static int try_add_scaled_norm(const struct inputs *in, struct error *err)
{
    return try_add_norm(in, in->number, err);
}

static int try_add_tracked_norm(const struct inputs *in, struct error *err)
{
    struct inputs tracked = *in;
    struct tensor *view;
    if (tensor_detach(&view, in->wide, err) < 0)
        return -1;
    int status = tensor_track(view, err);
    tracked.wide = view;
    if (status == 0)
        status = try_add_norm(&tracked, NULL, err);
    tensor_free(view);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static operation *const operations[] = {
        try_new,
        try_scalar,
        try_copy,
        try_rename,
        try_at,
        try_stack,
        try_binary,
        try_number,
        try_unary,
        try_reduce,
        try_reduce_all,
        try_layer_norm,
        try_strided_layer_norm,
        try_rms_norm,
        try_add_layer_norm,
        try_add_scaled_norm,
        try_add_tracked_norm,
    };
    struct counted counted = {.calls = 0};
    const struct tensor_memory memory = {counted_resize, &counted};
    struct inputs in;
    ok(tensor_new(&in.x, &memory, 2, (size_t[]){4, 5}, NULL, err));
    ok(tensor_new(&in.row, &memory, 1, (size_t[]){5}, NULL, err));
    ok(tensor_scalar(&in.number, &memory, 3, err));
    ok(tensor_new(&in.wide, &memory, 2, (size_t[]){2, 40}, NULL, err));
    ok(tensor_view(&in.turned, in.x, err)); /* transposed */
    in.turned->extent[0] = 5;
    in.turned->extent[1] = 4;
    in.turned->stride[0] = 1;
    in.turned->stride[1] = 5;
    const size_t bytes = counted.bytes, blocks = counted.blocks;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        for (size_t fail_at = 1;; fail_at++) {
            struct error err = {""};
            counted.calls = 0;
            counted.fail_at = fail_at;
            const int status = operations[i](&in, &err);
            assert_int_equal(counted.bytes, bytes);
            assert_int_equal(counted.blocks, blocks);
            if (status == 0) {
                assert_true(fail_at > 1 && counted.calls == fail_at - 1);
                break;
            }
            assert_int_equal(strncmp(err.text, "out of memory", 13), 0);
        }
        counted.fail_at = 0;
    }
    tensor_free(in.x);
    tensor_free(in.turned);
    tensor_free(in.row);
    tensor_free(in.number);
    tensor_free(in.wide);
    assert_int_equal(counted.bytes, 0);
    assert_int_equal(counted.blocks, 0);
}

static void all_memory_is_counted(void **state)
{
    (void)state;
    struct counted counted = {.calls = 0};
    const struct tensor_memory memory = {counted_resize, &counted};
    struct tensor *x = NULL, *view = NULL;
    ok(tensor_new(&x, &memory, 1, (size_t[]){1000}, NULL, err));
    assert_int_equal(counted.blocks, 2);
    assert_int_equal(counted.bytes, sizeof(struct tensor) + sizeof(struct storage) + 4000);
    ok(tensor_at(&view, x, 3, err));
    tensor_free(x);
    assert_int_equal(counted.bytes, sizeof(struct tensor) + sizeof(struct storage) + 4000);
    tensor_free(view);
    assert_int_equal(counted.bytes, 0);
}

static void a_size_that_no_machine_has_is_an_error(void **state)
{
    (void)state;
    struct counted counted = {.fail_at = 1};
    const struct tensor_memory memory = {counted_resize, &counted};
    struct tensor *x = NULL;
    struct error err = {""};
    assert_int_equal(tensor_new(&x, &memory, 2, (size_t[]){(size_t)1 << 40, 100000}, NULL, &err), -1);
    assert_non_null(strstr(err.text, "out of memory: (1099511627776,100000) takes 439804651110400"));
    assert_null(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(all_memory_is_counted),
        cmocka_unit_test(a_size_that_no_machine_has_is_an_error),
    };
    return cmocka_run_group_tests_name("tensor: memory", tests, NULL, NULL);
}
