/* One call of a module: inputs of its own go in, its numbers come out. What probes.c, probe_own.c and leak.c share. */
#ifndef ENGINE_PROBE_CALL_H
#define ENGINE_PROBE_CALL_H

#include "engine/probes.h"

enum { PROBE_ELEMENTS = 60, PROBE_FEATURES = 5 }; /* at most */

struct probe_input {
    size_t extents[3];       /* (batch, token, feature) */
    float x[PROBE_ELEMENTS]; /* row-major */
    float scale[PROBE_FEATURES], bias[PROBE_FEATURES];
    double eps;
};

struct probe_callee {
    struct engine *engine;
    int function;      /* stack index; 0: nn.layer_norm */
    const char *odd;   /* after a call that failed: what came instead of a tensor of x's shape, "a number", "an error", … */
    const char *error; /* … and what was raised, or NULL */
};

/* Fresh rows of numbers that differ well within each row, scale 1, bias 0, eps 1e-5. */
void probe_input_draw(struct probe_input *in, struct random_stream *random, size_t batch, size_t tokens, size_t features);
void probe_row_draw(float *row, size_t features, struct random_stream *random);

/* Calls with copies of the inputs. `x_after`: what the call left in its x, or NULL. False: it failed, and the callee says how. */
bool probe_call(struct probe_callee *callee, const struct probe_input *in, double y[PROBE_ELEMENTS], double *x_after);
/* "a number", "a tensor of shape (4, 3)": what a value is, in words. */
const char *probe_odd(struct engine *engine, int index);
/* The message at the top of the stack, with the file's name where it has a place; popped. */
const char *probe_message(struct engine *engine);

/* The greatest change between two results; NaN or infinity where either has one. */
double probe_moved(const double *before, const double *after, size_t count);
bool probe_within(double got, double want, double tolerance); /* relative above 1, absolute below */
/* Whether all are within; *at: where it is worst, the last element when nowhere. */
bool probe_compare(const double *got, const double *want, size_t count, double tolerance, size_t *at);
/* Both as short text, told apart when they fail; the same when they pass. */
void probe_texts(struct probe_result *out, struct engine *engine, double got, double want);

/* probe_own.c: the probe of the lesson's at `construct`, an absolute index as `module` is. */
void probe_own_run(struct engine *engine, int construct, int module, uint64_t key, struct probe_result *out);

#endif
