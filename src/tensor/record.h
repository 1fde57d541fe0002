/* The record of operations, out of which gradients are found. Private to tensor/.

   A tracked tensor has a node; a node knows the operation that made the tensor, the nodes of its operands and
   what the way back needs of their values. Nodes point only backwards, at what was there before them. */
#ifndef TENSOR_RECORD_H
#define TENSOR_RECORD_H

#include "tensor/layout.h"

struct node;

/* Gives each operand that wants one (node_wants) its gradient (node_give …), out of `g`, that of the node's
   own tensor: contiguous, float32. */
typedef int rule_backward(struct node *node, const struct tensor *g, struct error *err);

/* What is recorded of one operation. Entries may be NULL: an operand that there is not, a value that the way
   back does not need. Nothing is recorded unless one of the operands is tracked. */
enum { RECORD_OPERANDS = 4, RECORD_SAVED = 6 };
struct record {
    rule_backward *backward;
    const struct tensor *operands[RECORD_OPERANDS];
    const struct tensor *saved[RECORD_SAVED];
    const void *details; /* copied */
    size_t details_size;
};

struct node {
    const struct tensor_memory *memory;
    size_t references, bytes;
    rule_backward *backward; /* NULL: a leaf */
    size_t operand_count, saved_count, details_size;
    struct node **operands; /* these four lie behind the node */
    struct tensor **saved;
    void *details;
    size_t *extents;
    int rank;
    /* While gradients are found, and 0 at all other times: */
    struct tensor *gradient;
    struct node *link; /* where the walk came from; what comes next */
    size_t looked_at;  /* of the operands */
    bool met, wanted, asked;
};

/* Whether an operation with these operands is to be recorded. */
bool record_wanted(const struct record *record);
/* The end of an operation: y becomes *out, recorded if it must be. On failure y is freed. */
int record_result(struct tensor **out, struct tensor *y, const struct record *record, struct error *err);
/* The same for a view, whose values are its operand's own. */
int record_view(struct tensor **out, struct tensor *y, const struct record *record, struct error *err);
/* The same for any number of operands. */
int record_many(struct tensor **out, struct tensor *y, rule_backward *backward,
                const struct tensor *const *operands, size_t count, struct error *err);
void node_release(struct node *node); /* NULL is allowed */

bool node_wants(const struct node *node, size_t operand);
/* Memory for the gradient of an operand, of its shape; its elements are not set yet. */
int node_gradient(struct tensor **out, const struct tensor *g, const struct node *node, size_t operand,
                  struct error *err);
/* Takes the gradient, which is the caller's, also on failure: adds it to what the operand has. */
int node_give(struct node *node, size_t operand, struct tensor *gradient, struct error *err);
/* What the operand has so far, which becomes the caller's; NULL if that is nothing. */
struct tensor *node_take(struct node *node, size_t operand);
/* Gives g itself, read in the operand's shape: they have as many elements in the same order. */
int node_pass(struct node *node, size_t operand, const struct tensor *g, struct error *err);
/* What the operand has so far, zeros if that is nothing, for the caller to add to in place. */
int node_sum(float **out, struct node *node, size_t operand, const struct tensor *g, struct error *err);

/* Zeros to sum in, in double; given back with the same count. */
double *sums_new(const struct tensor *x, size_t count, struct error *err);
void sums_free(const struct tensor *x, double *sums, size_t count);
void sums_round(float *to, const double *sums, size_t count);

#endif
