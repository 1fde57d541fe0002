/* Scaled dot-product attention with several heads (Vaswani et al. 2017), computed in double.

     scores(i, j)  = q(i) . k(j) / sqrt(size),  j <= i only where it is causal
     weights(i, .) = softmax(scores(i, .)),     y(i) = sum over j of weights(i, j) v(j)

   each head on its own `size` features of q and k, and its own of v. */
#include "tensor/backward.h"
#include "tensor/pool.h"

#include <math.h>
#include <string.h>

/* q (batch, queries, heads * size), k (batch, keys, heads * size), v (batch, keys, heads * out) */
struct attention {
    size_t batch, queries, keys, heads, size, out;
    bool causal;
    const float *q, *k, *v;
    float *y, *weights; /* weights (batch, heads, queries, keys) */
    double *scratch;    /* keys + out a lane */
};

static double dot(const float *a, const float *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

static size_t seen(const struct attention *a, size_t query)
{
    return a->causal && query + 1 < a->keys ? query + 1 : a->keys;
}

static const float *row_of(const float *x, size_t batch, size_t rows, size_t row, size_t heads, size_t head,
                           size_t size)
{
    return x + ((batch * rows + row) * heads + head) * size;
}

/* The weights of one query, those of the keys it does not see left alone. */
static void weigh(double *p, const struct attention *a, size_t batch, size_t head, size_t query)
{
    const float *q = row_of(a->q, batch, a->queries, query, a->heads, head, a->size);
    const size_t n = seen(a, query);
    double most = -(double)INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++) {
        p[j] =
            dot(q, row_of(a->k, batch, a->keys, j, a->heads, head, a->size), a->size) / sqrt((double)a->size);
        most = p[j] > most || isnan(p[j]) ? p[j] : most;
    }
    for (size_t j = 0; j < n; j++)
        sum += p[j] = exp(p[j] - most);
    for (size_t j = 0; j < n; j++)
        p[j] /= sum;
}

static void attend(void *context, size_t lane, size_t part)
{
    const struct attention *a = context;
    const size_t batch = part / a->heads, head = part % a->heads;
    double *p = a->scratch + lane * (a->keys + a->out), *sum = p + a->keys;
    for (size_t i = 0; i < a->queries; i++) {
        float *weights = a->weights + ((batch * a->heads + head) * a->queries + i) * a->keys;
        float *y = a->y + ((batch * a->queries + i) * a->heads + head) * a->out;
        const size_t n = seen(a, i);
        weigh(p, a, batch, head, i);
        memset(sum, 0, a->out * sizeof *sum);
        for (size_t j = 0; j < n; j++) {
            const float *v = row_of(a->v, batch, a->keys, j, a->heads, head, a->out);
            for (size_t f = 0; f < a->out; f++)
                sum[f] += p[j] * (double)v[f];
        }
        for (size_t j = 0; j < a->keys; j++)
            weights[j] = j < n ? (float)p[j] : 0;
        for (size_t f = 0; f < a->out; f++)
            y[f] = (float)sum[f];
    }
}

/* ---- the way back ----
   With p the weights and g the gradient of y: dv(j) = sum p(i, j) g(i), dp(i, j) = g(i) . v(j),
   ds(i, j) = p(i, j) (dp(i, j) - sum over j of p dp) / sqrt(size), dq(i) = sum ds k(j), dk(j) = sum ds q(i).
 */

struct sums {
    double *q, *k, *v, *p, *dp;
};

static void attend_back(const struct attention *a, const struct sums *sums, const float *dy, size_t batch,
                        size_t head)
{
    for (size_t i = 0; i < a->queries; i++) {
        const size_t n = seen(a, i), q_at = ((batch * a->queries + i) * a->heads + head) * a->size;
        const float *g = row_of(dy, batch, a->queries, i, a->heads, head, a->out);
        double along = 0;
        weigh(sums->p, a, batch, head, i);
        for (size_t j = 0; j < n; j++) {
            const size_t v_at = ((batch * a->keys + j) * a->heads + head) * a->out;
            sums->dp[j] = dot(g, a->v + v_at, a->out);
            along += sums->p[j] * sums->dp[j];
            for (size_t f = 0; f < a->out; f++)
                sums->v[v_at + f] += sums->p[j] * (double)g[f];
        }
        for (size_t j = 0; j < n; j++) {
            const size_t k_at = ((batch * a->keys + j) * a->heads + head) * a->size;
            const double ds = sums->p[j] * (sums->dp[j] - along) / sqrt((double)a->size);
            for (size_t f = 0; f < a->size; f++) {
                sums->q[q_at + f] += ds * (double)a->k[k_at + f];
                sums->k[k_at + f] += ds * (double)a->q[q_at + f];
            }
        }
    }
}

static int give_rounded(struct node *node, size_t operand, const struct tensor *g, const double *sums,
                        struct error *err)
{
    struct tensor *back;
    if (!node_wants(node, operand))
        return 0;
    if (node_gradient(&back, g, node, operand, err) < 0)
        return -1;
    sums_round(back->values, sums, back->count);
    return node_give(node, operand, back, err);
}

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    struct attention a = *(const struct attention *)node->details;
    const struct tensor *q = node->saved[0], *k = node->saved[1], *v = node->saved[2];
    const size_t count = q->count + k->count + v->count + 2 * a.keys;
    double *all = sums_new(g, count, err);
    if (!all)
        return -1;
    const struct sums sums = {all, all + q->count, all + q->count + k->count,
                              all + q->count + k->count + v->count,
                              all + q->count + k->count + v->count + a.keys};
    a.q = q->values;
    a.k = k->values;
    a.v = v->values;
    for (size_t part = 0; part < a.batch * a.heads; part++)
        attend_back(&a, &sums, g->values, part / a.heads, part % a.heads);
    int status = give_rounded(node, 0, g, sums.q, err);
    if (status == 0)
        status = give_rounded(node, 1, g, sums.k, err);
    if (status == 0)
        status = give_rounded(node, 2, g, sums.v, err);
    sums_free(g, all, count);
    return status;
}

/* ---- what it is given ---- */

static int fit(const struct tensor *a, const char *what_a, const struct tensor *b, const char *what_b,
               int axes, struct error *err)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    shape_compact(left, a->rank, a->extent);
    shape_compact(right, b->rank, b->extent);
    if (a->rank != b->rank)
        return error_set(err, "the %s %s and the %s %s of attention must have as many axes", what_a, left,
                         what_b, right);
    for (int axis = 0; axis < a->rank; axis++)
        if (axes >> axis & 1 && a->extent[axis] != b->extent[axis])
            return error_set(err, "the %s %s do not fit the %s %s: %s is %zu, not %zu", what_b, right, what_a,
                             left, a->name[axis], b->extent[axis], a->extent[axis]);
    return 0;
}

static int check(const struct tensor *q, const struct tensor *k, const struct tensor *v, size_t heads,
                 bool causal, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    const int rank = q->rank;
    if (rank < 2 || rank == TENSOR_RANK_MAX)
        return error_set(err, "attention needs tokens and features, and room for the heads' axis: %s",
                         shape_compact(shape, rank, q->extent));
    const int all = (1 << rank) - 1, token = 1 << (rank - 2), feature = 1 << (rank - 1);
    if (fit(q, "queries", k, "keys", causal ? all : all & ~token, err) < 0 ||
        fit(k, "keys", v, "values", all & ~feature, err) < 0)
        return -1;
    if (heads == 0 || q->extent[rank - 1] % heads || v->extent[rank - 1] % heads)
        return error_set(err, "%zu features of %s cannot be shared out among %zu heads",
                         heads && q->extent[rank - 1] % heads == 0 ? v->extent[rank - 1]
                                                                   : q->extent[rank - 1],
                         tensor_shape_text(q, shape), heads);
    return 0;
}

static int contiguous(struct tensor **out, const struct tensor *x, struct error *err)
{
    struct tensor *view;
    *out = NULL;
    if (tensor_detach(&view, x, err) < 0)
        return -1;
    if (x->type == TENSOR_FLOAT32 && tensor_is_contiguous(x)) {
        *out = view;
        return 0;
    }
    struct tensor *copy;
    const int status = tensor_cast(&copy, view, TENSOR_FLOAT32, err);
    tensor_free(view);
    if (status == 0)
        *out = copy;
    return status;
}

static int new_results(struct tensor_attention *out, const struct tensor *q, const struct tensor *k,
                       const struct tensor *v, size_t heads, struct error *err)
{
    const char *names[TENSOR_RANK_MAX], *weight_names[TENSOR_RANK_MAX];
    size_t extents[TENSOR_RANK_MAX], weight_extents[TENSOR_RANK_MAX];
    const int rank = q->rank;
    for (int axis = 0; axis < rank; axis++) {
        names[axis] = weight_names[axis] = q->name[axis];
        extents[axis] = weight_extents[axis] = q->extent[axis];
    }
    extents[rank - 1] = v->extent[rank - 1];
    weight_names[rank - 2] = "head";
    weight_names[rank - 1] = "query";
    weight_names[rank] = "key";
    weight_extents[rank - 2] = heads;
    weight_extents[rank - 1] = q->extent[rank - 2];
    weight_extents[rank] = k->extent[rank - 2];
    if (tensor_like_typed(&out->y, q, TENSOR_FLOAT32, rank, extents, names, err) < 0)
        return -1;
    return tensor_like_typed(&out->weights, q, TENSOR_FLOAT32, rank + 1, weight_extents, weight_names, err);
}

static struct attention describe(const struct tensor *q, const struct tensor *k, const struct tensor *v,
                                 size_t heads, bool causal)
{
    struct attention a = {.batch = 1,
                          .queries = q->extent[q->rank - 2],
                          .keys = k->extent[k->rank - 2],
                          .heads = heads,
                          .size = q->extent[q->rank - 1] / heads,
                          .out = v->extent[v->rank - 1] / heads,
                          .causal = causal,
                          .q = q->values,
                          .k = k->values,
                          .v = v->values};
    for (int axis = 0; axis < q->rank - 2; axis++)
        a.batch *= q->extent[axis];
    return a;
}

static int compute(struct tensor_attention *out, struct attention *a, struct error *err)
{
    const size_t parts = a->batch * a->heads, work = parts * a->queries * a->keys * (a->size + a->out);
    const size_t lanes = pool_lanes(work, parts), scratch = lanes * (a->keys + a->out);
    a->y = out->y->values;
    a->weights = out->weights->values;
    if (!(a->scratch = sums_new(out->y, scratch, err)))
        return -1;
    pool_run(parts, lanes, attend, a);
    sums_free(out->y, a->scratch, scratch);
    return 0;
}

int tensor_attention(struct tensor_attention *out, const struct tensor *query, const struct tensor *key,
                     const struct tensor *value, size_t heads, bool causal, struct error *err)
{
    struct tensor *q = NULL, *k = NULL, *v = NULL;
    struct tensor_attention made = {NULL, NULL};
    struct attention a;
    if (check(query, key, value, heads, causal, err) < 0)
        return -1;
    int status = -1;
    if (contiguous(&q, query, err) == 0 && contiguous(&k, key, err) == 0 && contiguous(&v, value, err) == 0 &&
        new_results(&made, q, k, v, heads, err) == 0) {
        a = describe(q, k, v, heads, causal);
        status = compute(&made, &a, err);
    }
    if (status == 0 && (status = type_narrow(&made.y, query->type, err)) == 0) {
        struct tensor *y = made.y;
        made.y = NULL;
        status = record_result(&made.y, y,
                               &(struct record){.backward = backward,
                                                .operands = {query, key, value},
                                                .saved = {q, k, v},
                                                .details = &a,
                                                .details_size = sizeof a},
                               err);
    }
    tensor_free(q);
    tensor_free(k);
    tensor_free(v);
    if (status == 0) {
        *out = made;
    } else {
        tensor_free(made.y);
        tensor_free(made.weights);
    }
    return status;
}
