/* One probe, being run on a module. Between probes.c, which lists them, and probe_moves.c and probe_values.c, which are they. */
#ifndef ENGINE_PROBE_TRIAL_H
#define ENGINE_PROBE_TRIAL_H

#include "engine/probe_call.h"

/* Every extent differs, and no batch is smaller than 3: at 2, normalizing over it leaves signs. */
enum { BATCH = 4, TOKENS = 3, FEATURES = 5 };

struct trial {
    struct engine *engine;
    const struct construct *where;
    struct probe_callee module, reference;
    struct random_stream random;
    struct probe_input in;
    struct probe_result *out;
};

void trial_draw(struct trial *trial);                       /* fresh inputs of those sizes */
bool trial_call(struct trial *trial, double *y);            /* false: the module gives no result */
void trial_call_right(struct trial *trial, double *y);      /* what the reference makes of the same inputs; raises */
double trial_between(struct trial *trial, double from, double to);
const char *trial_digits(struct trial *trial, double value); /* three digits are enough for how far something moved */
/* Whether what moved by so much is, but for rounding, where `y` was. */
bool trial_stays(double moved, const double *y, size_t count);
#define SAY(trial, ...) arena_printf((trial)->engine->scene->arena, __VA_ARGS__)

/* Each fills in trial->out, of which one measure and `should` are there already. False: the module gave no result. */
typedef bool probe_function(struct trial *trial);
probe_function probe_companion, probe_future, probe_past, probe_one_feature, probe_one_row, probe_again, probe_alone; /* probe_moves.c */
probe_function probe_constant_row, probe_tiny_row, probe_ramp, probe_large, probe_value;                              /* probe_values.c */

#endif
