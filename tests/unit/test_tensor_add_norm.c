/* The residual add fused with a norm: the bits of the add and the norm one after the other, there and back. */
#include "tensor_help.h"

struct both {
    struct tensor *sum;
    struct tensor_norm norm;
    struct tensor *dx, *dupdate;
};

static void free_both(struct both *both)
{
    free_norm(&both->norm);
    tensor_free(both->sum);
    tensor_free(both->dx);
    tensor_free(both->dupdate);
}

/* Of sum(y * y) + 3 sum(sum). */
static void find_gradients(struct both *both, const struct tensor *x, const struct tensor *update)
{
    struct tensor *square = NULL, *triple = NULL, *parts[2] = {NULL}, *loss = NULL, *found[2];
    ok(tensor_binary(&square, TENSOR_MUL, both->norm.y, both->norm.y, err));
    ok(tensor_binary_number(&triple, TENSOR_MUL, both->sum, 3, false, err));
    ok(tensor_reduce(&parts[0], TENSOR_SUM, square, tensor_all_axes(square), err));
    ok(tensor_reduce(&parts[1], TENSOR_SUM, triple, tensor_all_axes(triple), err));
    ok(tensor_binary(&loss, TENSOR_ADD, parts[0], parts[1], err));
    ok(tensor_grad(found, loss, (const struct tensor *const[]){x, update}, 2, err));
    both->dx = found[0];
    both->dupdate = found[1];
    tensor_free(square);
    tensor_free(triple);
    tensor_free(parts[0]);
    tensor_free(parts[1]);
    tensor_free(loss);
}

static struct both at_once(const struct tensor *x, const struct tensor *update, bool layer,
                           const struct tensor_norm_options *options)
{
    struct tensor_add_norm made;
    ok((layer ? add_layer_norm : add_rms_norm)(&made, x, update, options, err));
    struct both both = {.sum = made.sum, .norm = made.norm};
    find_gradients(&both, x, update);
    return both;
}

static struct both in_turn(const struct tensor *x, const struct tensor *update, bool layer,
                           const struct tensor_norm_options *options)
{
    struct both both = {.sum = NULL};
    ok(tensor_binary(&both.sum, TENSOR_ADD, x, update, err));
    ok((layer ? layer_norm : rms_norm)(&both.norm, both.sum, options, err));
    find_gradients(&both, x, update);
    return both;
}

static void same(const char *what, const struct tensor *a, const struct tensor *b)
{
    if (!a && !b)
        return;
    assert_true(a && b && tensor_same_shape(a, b));
    assert_int_equal(tensor_type(a), tensor_type(b));
    for (size_t i = 0; i < tensor_count(a); i++)
        if (!same_float(tensor_get_flat(a, i), tensor_get_flat(b, i)))
            fail_msg("%s, element %zu: %a, not %a", what, i, (double)tensor_get_flat(a, i),
                     (double)tensor_get_flat(b, i));
}

static void compare(const struct tensor *x, const struct tensor *update, const struct tensor_norm_options *options)
{
    for (int layer = 0; layer < 2; layer++) {
        struct both one = at_once(x, update, layer, options), other = in_turn(x, update, layer, options);
        same("sum", one.sum, other.sum);
        same("y", one.norm.y, other.norm.y);
        same("mean", one.norm.mean, other.norm.mean);
        same("var", one.norm.var, other.norm.var);
        same("rstd", one.norm.rstd, other.norm.rstd);
        same("dx", one.dx, other.dx);
        same("dupdate", one.dupdate, other.dupdate);
        free_both(&one);
        free_both(&other);
    }
}

/* By the kernels and not, with every set of axes, an update that broadcasts, and one that lies transposed. */
static void gives_the_bits_of_the_two_in_turn(void **state)
{
    (void)state;
    static const size_t widths[] = {1, 5, 31, 32, 33, 64, 257, 1024};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const size_t n = widths[w];
        struct tensor *x = normals(EXTENTS(2, 9, n), 1, 0.3, 1), *scale = normals(EXTENTS(n), 2, 1, 0.3);
        struct tensor *column = normals(EXTENTS(9, 1), 5, 0, 1), *turned = normals(EXTENTS(2, n, 9), 6, 0, 1), *back;
        struct tensor *updates[] = {normals(EXTENTS(2, 9, n), 3, 0, 1), normals(EXTENTS(n), 4, 100, 1), NULL, x};
        ok(tensor_transpose(&back, turned, 1, 2, err));
        updates[2] = back;
        ok(tensor_track(x, err));
        for (size_t i = 0; i < sizeof updates / sizeof *updates; i++) {
            ok(tensor_track(updates[i], err));
            for (tensor_axes axes = 1; axes < 8; axes++) {
                compare(x, updates[i], &(struct tensor_norm_options){.axes = axes, .eps = 1e-5});
                compare(x, updates[i], &(struct tensor_norm_options){.axes = axes, .eps = 0.1, .scale = scale});
                compare(x, updates[i],
                        &(struct tensor_norm_options){.axes = axes, .eps = 0.1, .scale = scale, .bias = column});
            }
        }
        tensor_free(updates[0]);
        tensor_free(updates[1]);
        tensor_free(x);
        tensor_free(scale);
        tensor_free(column);
        tensor_free(turned);
        tensor_free(back);
    }
}

/* A sum that overflows, or is no number, spoils its own row alone. */
static void awkward_sums_too(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(6, 70), 1, 0, 1), *update = normals(EXTENTS(6, 70), 2, 0, 1);
    const float odd[] = {3e38f, NAN, INFINITY, 1e30f, -3e3f};
    for (size_t row = 0; row < 5; row++) {
        tensor_set_flat(x, row * 70 + 7 * row, odd[row]);
        tensor_set_flat(update, row * 70 + 7 * row, odd[row]);
    }
    ok(tensor_track(x, err));
    ok(tensor_track(update, err));
    compare(x, update, &(struct tensor_norm_options){.axes = 2, .eps = 1e-5});
    tensor_free(x);
    tensor_free(update);
}

static void halves_and_steps_too(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(3, 64), 1, 0, 1), *wide = normals(EXTENTS(3, 64), 2, 0, 1), *half, *update;
    ok(tensor_cast(&half, x, TENSOR_FLOAT16, err));
    ok(tensor_cast(&update, wide, TENSOR_BFLOAT16, err));
    const struct tensor_steps steps = {TENSOR_FLOAT16, TENSOR_ONE_PASS};
    struct tensor *const all[] = {x, half, wide, update};
    for (size_t i = 0; i < 4; i++)
        ok(tensor_track(all[i], err));
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 2; k < 4; k++) {
            compare(all[i], all[k], &(struct tensor_norm_options){.axes = 2, .eps = 1e-3});
            compare(all[i], all[k], &(struct tensor_norm_options){.axes = 2, .eps = 1e-3, .steps = &steps});
        }
    for (size_t i = 0; i < 4; i++)
        tensor_free(all[i]);
}

static void the_sum_has_the_stream_s_names(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(2, 40)), *update = zeros(EXTENTS(2, 40)), *named;
    struct tensor_add_norm out;
    ok(tensor_rename(&named, x, NAMES("place", "channel"), err));
    ok(add_layer_norm(&out, named, update, &(struct tensor_norm_options){.axes = 2, .eps = 1}, err));
    assert_string_equal(tensor_axis_name(out.sum, 0), "place");
    assert_string_equal(tensor_axis_name(out.norm.y, 1), "channel");
    assert_false(tensor_tracked(out.sum) || tensor_tracked(out.norm.y));
    free_norm(&out.norm);
    tensor_free(out.sum);
    tensor_free(named);
    tensor_free(x);
    tensor_free(update);
}

static void refuses_shapes_that_do_not_fit(void **state)
{
    (void)state;
    struct tensor *x = zeros(EXTENTS(2, 40)), *other = zeros(EXTENTS(3, 40)), *larger = zeros(EXTENTS(1, 2, 40));
    struct tensor_add_norm out;
    const struct tensor_norm_options options = {.axes = 2, .eps = 1};
    refused("update (3,40) does not fit (2,40): token is 3, not 2", add_layer_norm(&out, x, other, &options, err));
    refused("update (1,2,40) has more axes than (2,40)", add_rms_norm(&out, x, larger, &options, err));
    refused("scale (3,40) does not fit (2,40): token is 3, not 2",
            add_rms_norm(&out, x, x, &(struct tensor_norm_options){.axes = 2, .scale = other}, err));
    refused("a norm needs at least one axis to normalize over",
            add_rms_norm(&out, x, x, &(struct tensor_norm_options){.eps = 1}, err));
    refused("eps must not be negative or NaN: it is -1",
            add_layer_norm(&out, x, x, &(struct tensor_norm_options){.axes = 2, .eps = -1}, err));
    tensor_free(x);
    tensor_free(other);
    tensor_free(larger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_bits_of_the_two_in_turn), cmocka_unit_test(awkward_sums_too),
        cmocka_unit_test(halves_and_steps_too),              cmocka_unit_test(the_sum_has_the_stream_s_names),
        cmocka_unit_test(refuses_shapes_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("tensor: the add fused with a norm", tests, NULL, NULL);
}
