/* Every operation's gradient, and its result, beside the same formula in long double, differentiated by
   central differences of fourth order.

   A loss is the sum of the result's elements, each times a weight of its own, so that the operation under
   test is the only one that rounds. The bound of a check is in units of 2^-24 of what is right, which is one
   rounding; beside it DIFFERENCE of the largest element is allowed for, the differences' own error. */
#include "reference_help.h"

static const double UNIT = 0x1p-24, DIFFERENCE = 1e-9, KERNEL = 8;

enum { INPUTS_MAX = 4 };

struct trial {
    int kind; /* of the operation, where several share their functions */
    tensor_axes axes;
    double number, eps;
    bool flag, scale, bias;
    size_t heads, index;
    int first, second, inputs;
};

typedef struct tensor *make_tensor(const struct trial *trial, struct tensor *const *in);
typedef struct ref make_ref(const struct trial *trial, const struct ref *in);

struct shape {
    int rank;
    size_t extents[5];
};

static size_t trials, gradients;
static double worst;

/* ---- the comparison ---- */

static long double loss_of(const struct trial *trial, make_ref *make, const struct ref *in,
                           const struct ref *weights)
{
    const struct ref y = make(trial, in);
    long double sum = 0;
    assert_int_equal(y.count, weights->count);
    for (size_t i = 0; i < y.count; i++)
        sum += y.v[i] * weights->v[i];
    return sum;
}

static double slope(const struct trial *trial, make_ref *make, const struct ref *in,
                    const struct ref *weights, long double *at)
{
    const long double x = *at, h = 1e-4L;
    long double loss[5];
    for (int step = -2; step <= 2; step++) {
        const size_t mark = ref_count;
        *at = x + step * h;
        loss[step + 2] = loss_of(trial, make, in, weights);
        while (ref_count > mark)
            free(ref_blocks[--ref_count]);
    }
    *at = x;
    return (double)((8 * (loss[3] - loss[1]) - (loss[4] - loss[0])) / (12 * h));
}

static struct tensor *draw(const struct shape *shape, uint64_t seed, double from, double to)
{
    struct random_stream random;
    random_start(&random, seed, 7);
    struct tensor *x = zeros((size_t)shape->rank, shape->extents);
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(x, i, (float)(from + (to - from) * random_uniform(&random)));
    return x;
}

static void check_result(const char *name, const struct tensor *y, const struct ref *want, double bound)
{
    assert_int_equal(tensor_rank(y), want->rank);
    for (int axis = 0; axis < want->rank; axis++)
        assert_int_equal(tensor_extent(y, axis), want->extents[axis]);
    double most = 0;
    for (size_t i = 0; i < want->count; i++)
        most = fmax(most, (double)fabsl(want->v[i]));
    for (size_t i = 0; i < want->count; i++) {
        const double right = (double)want->v[i], off = fabs((double)tensor_get_flat(y, i) - right);
        if (!(off <=
              bound * UNIT * (bound == KERNEL ? fmax(1, fabs(right)) : fabs(right)) + 1e-12 * most + 1e-300))
            fail_msg("%s: element %zu is %.9g, not %.12g", name, i, (double)tensor_get_flat(y, i), right);
    }
}

/* Each input in turn is left untracked too, and all are once given as views that are not contiguous. */
static void check(const char *name, const struct trial *trial, make_tensor *make, make_ref *reference,
                  int count, const struct shape *shapes, const double *range, double bound)
{
    struct tensor *in[INPUTS_MAX], *y, *weights, *weighted, *loss, *found[INPUTS_MAX];
    struct ref refs[INPUTS_MAX];
    trials++;
    for (int i = 0; i < count; i++) {
        in[i] = draw(&shapes[i], trials * 10 + (uint64_t)i, range[0], range[1]);
        refs[i] = ref_of(in[i]);
        ok(tensor_track(in[i], err));
    }
    y = make(trial, in);
    const struct ref want = reference(trial, refs);
    check_result(name, y, &want, bound);
    struct shape shape = {.rank = want.rank};
    memcpy(shape.extents, want.extents, sizeof shape.extents);
    weights = draw(&shape, trials, -2, 2);
    const struct ref w = ref_of(weights);
    assert_true(tensor_tracked(y));
    ok(tensor_binary(&weighted, TENSOR_MUL, y, weights, err));
    ok(tensor_reduce(&loss, TENSOR_SUM, weighted, tensor_all_axes(weighted), err));
    ok(tensor_grad(found, loss, (const struct tensor *const *)in, (size_t)count, err));
    for (int i = 0; i < count; i++) {
        double most = 0, slopes[600];
        assert_true(tensor_same_shape(found[i], in[i]) && refs[i].count <= 600);
        assert_false(tensor_tracked(found[i]));
        for (size_t n = 0; n < refs[i].count; n++) {
            slopes[n] = slope(trial, reference, refs, &w, &refs[i].v[n]);
            most = fmax(most, fabs(slopes[n]));
        }
        for (size_t n = 0; n < refs[i].count; n++) {
            const double got = (double)tensor_get_flat(found[i], n), off = fabs(got - slopes[n]);
            if (!(off <=
                  bound * UNIT * (bound == KERNEL ? most : fabs(slopes[n])) + DIFFERENCE * fmax(most, 1)))
                fail_msg("%s (trial %zu): the gradient of input %d, element %zu, is %.9g, not %.12g", name,
                         trials, i, n, got, slopes[n]);
            if (most > 1e-3 && fabs(slopes[n]) > 0.1 * most)
                worst = fmax(worst, off / (UNIT * fabs(slopes[n])));
            gradients++;
        }
    }
    /* One alone has the same bits. */
    for (int i = 0; i < count; i++) {
        struct tensor *alone;
        ok(tensor_grad(&alone, loss, (const struct tensor *const[]){in[i]}, 1, err));
        for (size_t n = 0; n < tensor_count(alone); n++)
            assert_true(same_float(tensor_get_flat(alone, n), tensor_get_flat(found[i], n)));
        tensor_free(alone);
    }
    for (int i = 0; i < count; i++) {
        tensor_free(in[i]);
        tensor_free(found[i]);
    }
    tensor_free(y);
    tensor_free(weights);
    tensor_free(weighted);
    tensor_free(loss);
    refs_free();
}

#define SHAPE(...)                                                                                           \
    {                                                                                                        \
        sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t),                                                    \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

/* ---- arithmetic ---- */

static struct tensor *binary(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL;
    ok(tensor_binary(&y, (enum tensor_binary)trial->kind, in[0], in[1], err));
    return y;
}

static struct ref binary_ref(const struct trial *trial, const struct ref *in)
{
    return ref_binary((enum tensor_binary)trial->kind, in[0], in[1]);
}

static struct tensor *number(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL;
    ok(tensor_binary_number(&y, (enum tensor_binary)trial->kind, in[0], trial->number, trial->flag, err));
    return y;
}

static struct ref number_ref(const struct trial *trial, const struct ref *in)
{
    const struct ref n = ref_number(trial->number);
    return trial->flag ? ref_binary((enum tensor_binary)trial->kind, n, in[0])
                       : ref_binary((enum tensor_binary)trial->kind, in[0], n);
}

/* The same tensor on both sides. */
static struct tensor *twice(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL;
    ok(tensor_binary(&y, (enum tensor_binary)trial->kind, in[0], in[0], err));
    return y;
}

static struct ref twice_ref(const struct trial *trial, const struct ref *in)
{
    return ref_binary((enum tensor_binary)trial->kind, in[0], in[0]);
}

static void arithmetic(void **state)
{
    (void)state;
    static const struct shape shapes[][2] = {
        {SHAPE(4), SHAPE(4)},
        {SHAPE(2, 3, 4), SHAPE(4)},
        {SHAPE(3, 1), SHAPE(1, 4)},
        {SHAPE(2, 3, 4), SHAPE(2, 1, 4)},
        {SHAPE(1), SHAPE(2, 3)},
        {{0, {0}}, SHAPE(2, 2)},
        {SHAPE(2, 1, 3, 1), SHAPE(3, 1, 4)},
        {SHAPE(2, 3, 4), SHAPE(3, 1)},
        {{0, {0}}, {0, {0}}},
        {SHAPE(1, 1, 3), SHAPE(2, 3)},
    };
    static const double around[2] = {-2, 2}, above[2] = {0.3, 2.5};
    for (int op = TENSOR_ADD; op <= TENSOR_MINIMUM; op++) {
        const struct trial trial = {.kind = op};
        const bool positive = op == TENSOR_POW || op == TENSOR_DIV;
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            check("binary", &trial, binary, binary_ref, 2, shapes[i], positive ? above : around, 1.01);
        const double numbers[] = {0.7, 2, 3};
        for (size_t i = 0; i < 6; i++)
            check("number", &(struct trial){.kind = op, .number = numbers[i / 2], .flag = i % 2}, number,
                  number_ref, 1, &(struct shape)SHAPE(2, 3), positive ? above : around, 1.01);
        if (op < TENSOR_POW)
            check("twice", &trial, twice, twice_ref, 1, &(struct shape)SHAPE(2, 3), above,
                  op == TENSOR_DIV ? 2 : 1.01);
    }
}

/* ---- functions ---- */

static struct tensor *unary(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL;
    ok(tensor_unary(&y, (enum tensor_unary)trial->kind, in[0], err));
    return y;
}

static struct ref unary_ref(const struct trial *trial, const struct ref *in)
{
    return ref_unary((enum tensor_unary)trial->kind, in[0]);
}

static void functions(void **state)
{
    (void)state;
    static const struct shape shapes[] = {SHAPE(3, 5), SHAPE(40), {0, {0}}};
    static const double around[2] = {-3, 3}, above[2] = {0.2, 5};
    for (int op = TENSOR_NEG; op <= TENSOR_SILU; op++)
        for (size_t i = 0; i < 3; i++)
            check("unary", &(struct trial){.kind = op}, unary, unary_ref, 1, &shapes[i],
                  op == TENSOR_SQRT || op == TENSOR_LOG ? above : around, 1.01);
}

/* ---- reductions ---- */

static struct tensor *reduce(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL;
    ok(tensor_reduce(&y, (enum tensor_reduction)trial->kind, in[0], trial->axes, err));
    return y;
}

static struct ref reduce_ref(const struct trial *trial, const struct ref *in)
{
    return ref_reduce((enum tensor_reduction)trial->kind, in[0], trial->axes);
}

static void reductions(void **state)
{
    (void)state;
    static const struct shape shapes[] = {SHAPE(5), SHAPE(3, 4), SHAPE(2, 3, 4)};
    for (int op = TENSOR_SUM; op <= TENSOR_MIN; op++)
        for (size_t i = 0; i < 3; i++)
            for (tensor_axes axes = 1; axes < (tensor_axes)1 << shapes[i].rank; axes++)
                check("reduce", &(struct trial){.kind = op, .axes = axes}, reduce, reduce_ref, 1, &shapes[i],
                      (const double[2]){-2, 2}, 1.01);
}

static struct tensor *softmax(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL;
    ok(tensor_softmax(&y, in[0], trial->axes, err));
    return y;
}

static struct ref softmax_ref(const struct trial *trial, const struct ref *in)
{
    return ref_softmax(in[0], trial->axes);
}

static void softmaxes(void **state)
{
    (void)state;
    for (tensor_axes axes = 1; axes < 8; axes++)
        check("softmax", &(struct trial){.axes = axes}, softmax, softmax_ref, 1,
              &(struct shape)SHAPE(2, 3, 4), (const double[2]){-3, 3}, 1.01);
}

/* ---- norms ---- */

static struct tensor_norm_options options_of(const struct trial *trial, struct tensor *const *in)
{
    return (struct tensor_norm_options){.axes = trial->axes,
                                        .eps = trial->eps,
                                        .scale = trial->scale ? in[1] : NULL,
                                        .bias = trial->bias ? in[trial->scale ? 2 : 1] : NULL};
}

static struct ref none(void)
{
    return (struct ref){.v = NULL};
}

static struct ref scale_of(const struct trial *trial, const struct ref *in)
{
    return trial->scale ? in[1] : none();
}

static struct ref bias_of(const struct trial *trial, const struct ref *in)
{
    return trial->bias ? in[trial->scale ? 2 : 1] : none();
}

/* kind 0: the result; 1, 2, 3: mean, var, rstd. */
static struct tensor *take(struct tensor_norm *norm, int kind)
{
    struct tensor **parts[] = {&norm->y, &norm->mean, &norm->var, &norm->rstd}, *taken = *parts[kind];
    *parts[kind] = NULL;
    free_norm(norm);
    return taken;
}

static struct tensor *norm(const struct trial *trial, struct tensor *const *in)
{
    struct tensor_norm made;
    const struct tensor_norm_options options = options_of(trial, in);
    ok((trial->flag ? layer_norm : rms_norm)(&made, in[0], &options, err));
    return take(&made, trial->kind);
}

/* Of x + update; the sum comes along: y + 0.5 * sum. */
static struct tensor *add_norm(const struct trial *trial, struct tensor *const *in)
{
    struct tensor_add_norm made;
    struct tensor *half = NULL, *y = NULL;
    const struct tensor_norm_options options = options_of(trial, in + 1);
    ok((trial->flag ? add_layer_norm : add_rms_norm)(&made, in[0], in[1], &options, err));
    ok(tensor_binary_number(&half, TENSOR_MUL, made.sum, 0.5, false, err));
    ok(tensor_binary(&y, TENSOR_ADD, made.norm.y, half, err));
    free_norm(&made.norm);
    tensor_free(made.sum);
    tensor_free(half);
    return y;
}

static struct ref norm_ref(const struct trial *trial, const struct ref *in)
{
    switch (trial->kind) {
    case 1:
        return ref_reduce(TENSOR_MEAN, in[0], trial->axes);
    case 2:
        return trial->flag ? ref_reduce(TENSOR_VAR, in[0], trial->axes)
                           : ref_reduce(TENSOR_MEAN, ref_binary(TENSOR_MUL, in[0], in[0]), trial->axes);
    case 3:
        return ref_rstd(in[0], trial->axes, trial->eps, trial->flag);
    }
    return ref_norm(in[0], trial->axes, trial->eps, scale_of(trial, in), bias_of(trial, in), trial->flag);
}

static struct ref add_norm_ref(const struct trial *trial, const struct ref *in)
{
    const struct ref sum = ref_binary(TENSOR_ADD, in[0], in[1]);
    const struct ref y = ref_norm(sum, trial->axes, trial->eps, scale_of(trial, in + 1), bias_of(trial, in + 1),
                                  trial->flag);
    return ref_binary(TENSOR_ADD, y, ref_binary(TENSOR_MUL, sum, ref_number(0.5)));
}

static void added_norms(void **state)
{
    (void)state;
    static const struct shape shapes[][4] = {
        {SHAPE(2, 3, 4), SHAPE(2, 3, 4), SHAPE(4), SHAPE(4)},
        {SHAPE(2, 3, 4), SHAPE(3, 1), SHAPE(1, 4), SHAPE(2, 1, 1)},
        {SHAPE(2, 1, 40), SHAPE(2, 1, 40), SHAPE(40), SHAPE(40)},
    };
    for (unsigned layer = 0; layer < 2; layer++)
        for (tensor_axes axes = 1; axes < 8; axes++)
            for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
                struct trial trial = {.axes = axes, .eps = 0.1, .flag = layer};
                for (int inputs = 2; inputs <= 4; inputs++) {
                    trial.scale = inputs > 2;
                    trial.bias = inputs > 3;
                    check("added norm", &trial, add_norm, add_norm_ref, inputs, shapes[i], (const double[2]){-2, 2},
                          KERNEL);
                }
            }
}

/* What a norm may be off: the fast path's share is its forward's, and its own way back. */
static void norms(void **state)
{
    (void)state;
    static const double epsilons[] = {1e-5, 0.1, 1, 0};
    static const struct shape factors[][2] = {
        {SHAPE(4), SHAPE(4)},       {SHAPE(3, 1), SHAPE(2, 1, 4)}, {SHAPE(2, 3, 4), SHAPE(1)},
        {SHAPE(1, 3, 4), SHAPE(4)}, {{0, {0}}, {0, {0}}},
    };
    for (int layer = 0; layer < 2; layer++)
        for (tensor_axes axes = 1; axes < 8; axes++)
            for (size_t i = 0; i < 5; i++) {
                const struct shape shapes[3] = {SHAPE(2, 3, 4), factors[i][0], factors[i][1]};
                struct trial trial = {
                    .axes = axes, .eps = epsilons[i % 4], .flag = layer, .scale = true, .bias = true};
                check("norm", &trial, norm, norm_ref, 3, shapes, (const double[2]){-2, 2}, KERNEL);
                trial.bias = false;
                check("norm without bias", &trial, norm, norm_ref, 2, shapes, (const double[2]){-2, 2},
                      KERNEL);
                trial.scale = false;
                check("norm alone", &trial, norm, norm_ref, 1, shapes, (const double[2]){-2, 2}, KERNEL);
                for (trial.kind = layer ? 1 : 2; trial.kind <= 3; trial.kind++)
                    check("statistic", &trial, norm, norm_ref, 1, shapes, (const double[2]){-2, 2}, 2);
            }
    const struct shape wide[3] = {SHAPE(3, 65), SHAPE(65), SHAPE(65)};
    for (int layer = 0; layer < 2; layer++)
        check("wide norm",
              &(struct trial){.axes = 2, .eps = 1e-5, .flag = layer, .scale = true, .bias = true}, norm,
              norm_ref, 3, wide, (const double[2]){-2, 2}, KERNEL);
}

static struct tensor *batch(const struct trial *trial, struct tensor *const *in)
{
    struct tensor_batch_norm made;
    const struct tensor_norm_options factors = options_of(trial, in);
    struct tensor *mean = NULL, *var = NULL;
    if (!trial->flag) {
        ok(tensor_new(&mean, NULL, 1, (size_t[]){tensor_extent(in[0], trial->first)}, NULL, err));
        ok(tensor_copy(&var, mean, err));
        for (size_t i = 0; i < tensor_count(mean); i++) {
            tensor_set_flat(mean, i, (double)i / 4 - 1);
            tensor_set_flat(var, i, (double)(i + 1) / 8);
        }
    }
    ok(batch_norm(&made, in[0],
                  &(struct tensor_batch_norm_options){.channel = trial->first,
                                                      .eps = trial->eps,
                                                      .momentum = 0.1,
                                                      .training = trial->flag,
                                                      .scale = factors.scale,
                                                      .bias = factors.bias,
                                                      .running_mean = mean,
                                                      .running_var = var},
                  err));
    tensor_free(mean);
    tensor_free(var);
    tensor_free(made.running_mean);
    tensor_free(made.running_var);
    return take(&made.norm, 0);
}

/* A vector along the channels. */
static struct ref along(struct ref v, struct ref x, int channel)
{
    size_t extents[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x.rank; axis++)
        extents[axis] = axis == channel ? x.extents[axis] : 1;
    return v.v ? ref_reshape(v, x.rank, extents) : v;
}

static struct ref batch_ref(const struct trial *trial, const struct ref *in)
{
    const struct ref scale = along(scale_of(trial, in), in[0], trial->first);
    const struct ref bias = along(bias_of(trial, in), in[0], trial->first);
    const tensor_axes axes = (((tensor_axes)1 << in[0].rank) - 1) & ~((tensor_axes)1 << trial->first);
    if (trial->flag)
        return ref_norm(in[0], axes, trial->eps, scale, bias, true);
    struct ref mean = ref_new(1, &in[0].extents[trial->first]),
               rstd = ref_new(1, &in[0].extents[trial->first]);
    for (size_t i = 0; i < mean.count; i++) {
        mean.v[i] = (long double)i / 4 - 1;
        rstd.v[i] = 1 / sqrtl((long double)(i + 1) / 8 + trial->eps);
    }
    struct ref y = ref_binary(TENSOR_MUL, ref_binary(TENSOR_SUB, in[0], along(mean, in[0], trial->first)),
                              along(rstd, in[0], trial->first));
    y = scale.v ? ref_binary(TENSOR_MUL, y, scale) : y;
    return bias.v ? ref_binary(TENSOR_ADD, y, bias) : y;
}

static void batch_norms(void **state)
{
    (void)state;
    for (int channel = 0; channel < 3; channel++)
        for (int i = 0; i < 8; i++) {
            static const size_t extents[] = {2, 3, 4};
            const struct shape shapes[3] = {SHAPE(2, 3, 4), {1, {extents[channel]}}, {1, {extents[channel]}}};
            const struct trial trial = {
                .first = channel, .eps = 1e-2, .flag = i & 1, .scale = i & 2, .bias = i & 4};
            check("batch norm", &trial, batch, batch_ref, 1 + (i >> 1 & 1) + (i >> 2 & 1), shapes,
                  (const double[2]){-2, 2}, KERNEL);
        }
}

static struct tensor *group(const struct trial *trial, struct tensor *const *in)
{
    struct tensor_norm made;
    const struct tensor_norm_options options = options_of(trial, in);
    if (trial->heads)
        ok(group_norm(&made, in[0], trial->first, trial->heads, &options, err));
    else
        ok(instance_norm(&made, in[0], trial->first, &options, err));
    return take(&made, 0);
}

static struct ref group_ref(const struct trial *trial, const struct ref *in)
{
    const int channel = trial->first;
    const struct ref scale = along(scale_of(trial, in), in[0], channel),
                     bias = along(bias_of(trial, in), in[0], channel);
    struct ref y;
    if (trial->heads) {
        size_t extents[TENSOR_RANK_MAX];
        tensor_axes axes = 0;
        for (int axis = 0; axis <= in[0].rank; axis++)
            extents[axis] = in[0].extents[axis > channel ? axis - 1 : axis];
        extents[channel] = trial->heads;
        extents[channel + 1] /= trial->heads;
        for (int axis = 0; axis < in[0].rank; axis++)
            if (trial->axes >> axis & 1)
                axes |= (tensor_axes)1 << (axis >= channel ? axis + 1 : axis);
        y = ref_norm(ref_reshape(in[0], in[0].rank + 1, extents), axes, trial->eps, none(), none(), true);
        y = ref_reshape(y, in[0].rank, in[0].extents);
    } else {
        y = ref_norm(in[0], trial->axes, trial->eps, none(), none(), true);
    }
    y = scale.v ? ref_binary(TENSOR_MUL, y, scale) : y;
    return bias.v ? ref_binary(TENSOR_ADD, y, bias) : y;
}

static void group_and_instance_norms(void **state)
{
    (void)state;
    static const size_t extents[] = {2, 4, 6};
    for (int channel = 0; channel < 3; channel++)
        for (tensor_axes axes = 1; axes < 8; axes++)
            for (size_t groups = 0; groups <= 2; groups++) {
                const struct shape shapes[3] = {
                    SHAPE(2, 4, 6), {1, {extents[channel]}}, {1, {extents[channel]}}};
                struct trial trial = {.first = channel,
                                      .axes = axes,
                                      .heads = groups,
                                      .eps = 1e-2,
                                      .scale = true,
                                      .bias = true};
                if ((axes >> channel & 1) != (groups != 0))
                    continue;
                check("group norm", &trial, group, group_ref, 3, shapes, (const double[2]){-2, 2}, KERNEL);
                trial.scale = trial.bias = false;
                check("group norm alone", &trial, group, group_ref, 1, shapes, (const double[2]){-2, 2},
                      KERNEL);
            }
}

/* ---- matrices ---- */

static struct tensor *matmul(const struct trial *trial, struct tensor *const *in)
{
    (void)trial;
    struct tensor *y = NULL;
    ok(tensor_matmul(&y, in[0], in[1], err));
    return y;
}

static struct ref matmul_ref(const struct trial *trial, const struct ref *in)
{
    (void)trial;
    return ref_matmul(in[0], in[1]);
}

static struct tensor *linear(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL;
    ok(tensor_linear(&y, in[0], in[1], trial->bias ? in[2] : NULL, err));
    return y;
}

static struct ref linear_ref(const struct trial *trial, const struct ref *in)
{
    return ref_linear(in[0], in[1], trial->bias ? in[2] : none());
}

static void matrices(void **state)
{
    (void)state;
    static const struct shape pairs[][2] = {
        {SHAPE(2, 3), SHAPE(3, 4)},       {SHAPE(1, 1), SHAPE(1, 1)},    {SHAPE(2, 2, 3), SHAPE(2, 3, 2)},
        {SHAPE(2, 2, 3), SHAPE(3, 2)},    {SHAPE(2, 3), SHAPE(2, 3, 2)}, {SHAPE(2, 1, 2, 3), SHAPE(3, 3, 2)},
        {SHAPE(1, 2, 3), SHAPE(2, 3, 2)}, {SHAPE(5, 9), SHAPE(9, 7)},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check("matmul", &(struct trial){.kind = 0}, matmul, matmul_ref, 2, pairs[i], (const double[2]){-2, 2},
              1.01);
    static const struct shape inputs[] = {SHAPE(3), SHAPE(4, 3), SHAPE(2, 2, 3), SHAPE(2, 1, 2, 3)};
    for (size_t i = 0; i < 4; i++)
        for (int bias = 0; bias < 2; bias++)
            check("linear", &(struct trial){.bias = bias}, linear, linear_ref, 2 + bias,
                  (const struct shape[3]){inputs[i], SHAPE(5, 3), SHAPE(5)}, (const double[2]){-2, 2}, 1.01);
}

static struct tensor *attention(const struct trial *trial, struct tensor *const *in)
{
    struct tensor_attention made;
    ok(tensor_attention(&made, in[0], in[trial->inputs > 1 ? 1 : 0], in[trial->inputs > 2 ? 2 : 0],
                        trial->heads, trial->flag, err));
    tensor_free(made.weights);
    return made.y;
}

static struct ref attention_ref(const struct trial *trial, const struct ref *in)
{
    return ref_attention(in[0], in[trial->inputs > 1 ? 1 : 0], in[trial->inputs > 2 ? 2 : 0], trial->heads,
                         trial->flag);
}

static void attentions(void **state)
{
    (void)state;
    for (size_t heads = 1; heads <= 2; heads++)
        for (int causal = 0; causal < 2; causal++) {
            struct trial trial = {.heads = heads, .flag = causal, .inputs = 3};
            check("attention", &trial, attention, attention_ref, 3,
                  (const struct shape[3]){SHAPE(2, 3, 4), SHAPE(2, 3, 4), SHAPE(2, 3, 6)},
                  (const double[2]){-2, 2}, 1.01);
            trial.inputs = 1;
            /* Three ways are added up: what is rounded is as large as the largest of them. */
            check("attention on itself", &trial, attention, attention_ref, 1, &(struct shape)SHAPE(1, 4, 4),
                  (const double[2]){-1, 1}, KERNEL);
        }
    check("cross attention", &(struct trial){.heads = 2, .inputs = 3}, attention, attention_ref, 3,
          (const struct shape[3]){SHAPE(2, 2, 4), SHAPE(2, 5, 4), SHAPE(2, 5, 2)}, (const double[2]){-2, 2},
          1.01);
}

/* ---- elements moved ---- */

enum { AT, STACK, TRANSPOSE, RESHAPE, COPY, WITH, WITH_NUMBER, RENAME, DROPOUT, CAST };

static struct tensor *moved(const struct trial *trial, struct tensor *const *in)
{
    struct tensor *y = NULL, *half = NULL;
    struct tensor_dropout dropout;
    switch (trial->kind) {
    case AT:
        ok(tensor_at(&y, in[0], trial->index, err));
        break;
    case STACK:
        ok(tensor_stack(&y, (const struct tensor *const[]){in[0], in[1], in[0]}, 3, err));
        break;
    case TRANSPOSE:
        ok(tensor_transpose(&y, in[0], trial->first, trial->second, err));
        break;
    case RESHAPE: /* of what is not contiguous */
        ok(tensor_transpose(&half, in[0], 0, 2, err));
        ok(tensor_reshape(&y, half, 2, (size_t[]){6, 4}, NULL, err));
        tensor_free(half);
        break;
    case COPY:
        ok(tensor_copy(&y, in[0], err));
        break;
    case WITH:
        ok(tensor_with(&y, in[0], (size_t[]){1, 2}, 2, in[1], 0, err));
        break;
    case WITH_NUMBER:
        ok(tensor_with(&y, in[0], (size_t[]){1}, 1, NULL, 3, err));
        break;
    case RENAME:
        ok(tensor_rename(&y, in[0], NAMES("a", "b", "c"), err));
        break;
    case DROPOUT:
        ok(tensor_dropout(&dropout, in[0], in[1], 0.4, err));
        tensor_free(dropout.mask);
        return dropout.y;
    case CAST: /* all are whole eighths of small numbers: nothing is rounded */
        ok(tensor_cast(&half, in[0], TENSOR_FLOAT32, err));
        ok(tensor_cast(&y, half, TENSOR_FLOAT32, err));
        tensor_free(half);
        break;
    }
    return y;
}

static struct ref moved_ref(const struct trial *trial, const struct ref *in)
{
    struct ref y = ref_reshape(in[0], in[0].rank, in[0].extents);
    switch (trial->kind) {
    case AT:
        return ref_at(in[0], trial->index);
    case STACK:
        return ref_stack((const struct ref[]){in[0], in[1], in[0]}, 3);
    case TRANSPOSE:
        return ref_transpose(in[0], trial->first, trial->second);
    case RESHAPE:
        return ref_reshape(ref_transpose(in[0], 0, 2), 2, (size_t[]){6, 4});
    case WITH:
        memcpy(y.v + 20, in[1].v, 4 * sizeof *y.v);
        return y;
    case WITH_NUMBER:
        for (size_t i = 12; i < 24; i++)
            y.v[i] = 3;
        return y;
    case DROPOUT:
        for (size_t i = 0; i < y.count; i++)
            y.v[i] = in[1].v[i] >= 0.4 ? y.v[i] / (1 - 0.4) : 0;
        return y;
    default:
        return y;
    }
}

static void moved_elements(void **state)
{
    (void)state;
    const struct shape x = SHAPE(2, 3, 4);
    const double range[2] = {-2, 2};
    for (size_t i = 0; i < 2; i++)
        check("at", &(struct trial){.kind = AT, .index = i}, moved, moved_ref, 1, &x, range, 1.01);
    check("stack", &(struct trial){.kind = STACK}, moved, moved_ref, 2, (const struct shape[2]){x, x}, range,
          1.01);
    for (int i = 0; i < 9; i++)
        check("transpose", &(struct trial){.kind = TRANSPOSE, .first = i / 3, .second = i % 3}, moved,
              moved_ref, 1, &x, range, 1.01);
    for (int kind = RESHAPE; kind <= CAST; kind++)
        if (kind != WITH && kind != DROPOUT)
            check("moved", &(struct trial){.kind = kind}, moved, moved_ref, 1, &x, range, 1.01);
    check("with", &(struct trial){.kind = WITH}, moved, moved_ref, 2, (const struct shape[2]){x, SHAPE(4)},
          range, 1.01);
    check("dropout", &(struct trial){.kind = DROPOUT}, moved, moved_ref, 2, (const struct shape[2]){x, x},
          (const double[2]){0, 1}, 1.01);
}

static void said(void **state)
{
    (void)state;
    print_message("%zu operations, %zu slopes; worst %.2f units\n", trials, gradients, worst);
    assert_true(trials > 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(functions),
        cmocka_unit_test(reductions),
        cmocka_unit_test(softmaxes),
        cmocka_unit_test(norms),
        cmocka_unit_test(added_norms),
        cmocka_unit_test(batch_norms),
        cmocka_unit_test(group_and_instance_norms),
        cmocka_unit_test(matrices),
        cmocka_unit_test(attentions),
        cmocka_unit_test(moved_elements),
        cmocka_unit_test(said),
    };
    return cmocka_run_group_tests_name("tensor: slopes", tests, NULL, NULL);
}
