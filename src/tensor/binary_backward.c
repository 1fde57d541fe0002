/* The way back of arithmetic: what a broadcast spread out is summed again, in double, and rounded once. */
#include "tensor/backward.h"
#include "tensor/broadcast.h"
#include "tensor/loop.h"

#include <math.h>

/* The gradient g of l op r goes to l, and to r, as … */
typedef double slope_term(double g, double l, double r);

#define TERM(name, expression)                                                                               \
    static double name(double g, double l, double r)                                                         \
    {                                                                                                        \
        (void)l;                                                                                             \
        (void)r;                                                                                             \
        return (expression);                                                                                 \
    }

TERM(pass, g)
TERM(turn, -g)
TERM(by_left, (g * l))
TERM(by_right, (g * r))
TERM(over_right, g / r)
TERM(quotient_right, -g *(l / r) / r)
/* A power of 0 has no slope; 0 raised to more has none in the exponent, as in PyTorch. */
TERM(power_left, r == 0 ? 0 : g * (r * pow(l, r - 1)))
TERM(power_right, l == 0 && r >= 0 ? 0 : g * (pow(l, r) * log(l)))
/* Half to each where they are equal, all to both where one is NaN, as in PyTorch. */
TERM(maximum_left, l == r ? g / 2 : l < r ? 0 : g)
TERM(maximum_right, l == r ? g / 2 : l > r ? 0 : g)
TERM(minimum_left, l == r ? g / 2 : l > r ? 0 : g)
TERM(minimum_right, l == r ? g / 2 : l < r ? 0 : g)

static const struct slopes {
    slope_term *left, *right;
    bool values; /* needs those of l and r */
} slopes[] = {
    [TENSOR_ADD] = {pass, pass, false},
    [TENSOR_SUB] = {pass, turn, false},
    [TENSOR_MUL] = {by_right, by_left, true},
    [TENSOR_DIV] = {over_right, quotient_right, true},
    [TENSOR_POW] = {power_left, power_right, true},
    [TENSOR_MAXIMUM] = {maximum_left, maximum_right, true},
    [TENSOR_MINIMUM] = {minimum_left, minimum_right, true},
};

/* For each element of the result: where its gradient, l and r are, and where what goes back is summed. */
struct pairs {
    slope_term *term;
    const float *g, *l, *r; /* l, r: NULL where the number stands, or where no value is needed */
    double number;
    ptrdiff_t l_stride, r_stride, sum_stride;
    double *sums; /* or, where each has an element of its own, … */
    float *own;
};

static void visit(void *context, size_t position, const ptrdiff_t offset[LOOP_TENSORS], size_t n)
{
    const struct pairs *p = context;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        const double l = p->l ? (double)p->l[offset[0] + i * p->l_stride] : p->number;
        const double r = p->r ? (double)p->r[offset[1] + i * p->r_stride] : p->number;
        const double back = p->term((double)p->g[(ptrdiff_t)position + i], l, r);
        if (p->own)
            p->own[(ptrdiff_t)position + i] = (float)back;
        else
            p->sums[offset[2] + i * p->sum_stride] += back;
    }
}

void spread_strides(ptrdiff_t strides[TENSOR_RANK_MAX], int rank, const size_t *extents, int to_rank)
{
    ptrdiff_t span = 1;
    for (int axis = to_rank - 1; axis >= 0; axis--) {
        const int own = axis - (to_rank - rank);
        strides[axis] = own < 0 || extents[own] == 1 ? 0 : span;
        span *= own < 0 || !extents[own] ? 1 : (ptrdiff_t)extents[own];
    }
}

static void loop_through(struct loop *loop, struct pairs *p, const struct node *node, size_t operand,
                         const struct tensor *g)
{
    const struct node *to = node->operands[operand];
    const struct tensor *l = node->saved[0], *r = node->saved[1];
    ptrdiff_t strides[3][TENSOR_RANK_MAX] = {{0}};
    if (l)
        broadcast_strides(strides[0], l, g->rank);
    if (r)
        broadcast_strides(strides[1], r, g->rank);
    spread_strides(strides[2], to->rank, to->extents, g->rank);
    loop_begin(loop);
    for (int axis = 0; axis < g->rank; axis++)
        loop_add_all(loop, g->extent[axis],
                     (const ptrdiff_t[LOOP_TENSORS]){strides[0][axis], strides[1][axis], strides[2][axis]});
    p->g = g->values;
    p->l = l ? l->values : NULL;
    p->r = r ? r->values : NULL;
    p->l_stride = loop_run_stride(loop, 0);
    p->r_stride = loop_run_stride(loop, 1);
    p->sum_stride = loop_run_stride(loop, 2);
}

static int go_back(struct node *node, size_t operand, const struct tensor *g, slope_term *term, double number,
                   struct error *err)
{
    struct tensor *back;
    struct loop loop;
    struct pairs pairs = {.term = term, .number = number};
    if (node_gradient(&back, g, node, operand, err) < 0)
        return -1;
    loop_through(&loop, &pairs, node, operand, g);
    if (back->count == g->count) {
        pairs.own = back->values;
        loop_each(&loop, visit, &pairs);
        return node_give(node, operand, back, err);
    }
    pairs.sums = sums_new(g, back->count, err);
    if (!pairs.sums) {
        tensor_free(back);
        return -1;
    }
    loop_in_order(&loop, visit, &pairs);
    sums_round(back->values, pairs.sums, back->count);
    sums_free(g, pairs.sums, back->count);
    return node_give(node, operand, back, err);
}

/* g itself when nothing happens to it on the way. */
static int go_back_or_pass(struct node *node, size_t operand, const struct tensor *g, slope_term *term,
                           double number, struct error *err)
{
    const struct node *to = node->operands[operand];
    size_t count = 1;
    for (int axis = 0; axis < to->rank; axis++)
        count *= to->extents[axis];
    if (term == pass && count == g->count)
        return node_pass(node, operand, g, err);
    return go_back(node, operand, g, term, number, err);
}

static int backward(struct node *node, const struct tensor *g, struct error *err)
{
    const enum tensor_binary op = *(const enum tensor_binary *)node->details;
    if (node_wants(node, 0) && go_back_or_pass(node, 0, g, slopes[op].left, 0, err) < 0)
        return -1;
    if (node_wants(node, 1) && go_back_or_pass(node, 1, g, slopes[op].right, 0, err) < 0)
        return -1;
    return 0;
}

int record_binary(struct tensor **out, struct tensor *y, enum tensor_binary op, const struct tensor *a,
                  const struct tensor *b, struct error *err)
{
    struct record record = {
        .backward = backward, .operands = {a, b}, .details = &op, .details_size = sizeof op};
    const bool alone = op == TENSOR_MUL || op == TENSOR_DIV; /* the slope for l does not read l */
    if (slopes[op].values) {
        record.saved[0] = alone && !b->node ? NULL : a;
        record.saved[1] = op == TENSOR_MUL && !a->node ? NULL : b;
    }
    return record_result(out, y, &record, err);
}

struct with_number {
    enum tensor_binary op;
    double number;
    bool number_first;
};

static int backward_number(struct node *node, const struct tensor *g, struct error *err)
{
    const struct with_number *with = node->details;
    const struct slopes *slope = &slopes[with->op];
    return go_back_or_pass(node, 0, g, with->number_first ? slope->right : slope->left, with->number, err);
}

int record_number(struct tensor **out, struct tensor *y, enum tensor_binary op, const struct tensor *x,
                  double number, bool number_first, struct error *err)
{
    const struct with_number with = {op, number, number_first};
    struct record record = {
        .backward = backward_number, .operands = {x}, .details = &with, .details_size = sizeof with};
    if (slopes[op].values && !(op == TENSOR_MUL || (op == TENSOR_DIV && !number_first)))
        record.saved[number_first ? 1 : 0] = x;
    return record_result(out, y, &record, err);
}
