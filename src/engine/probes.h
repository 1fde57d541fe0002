/* A module seen from outside: a function layer_norm(x, scale, bias, eps) -> y, x of shape (batch, token, feature), run on
   inputs that differ in one thing. */
#ifndef ENGINE_PROBES_H
#define ENGINE_PROBES_H

#include "engine/internal.h"

enum { MEASURES_MAX = 2 };

/* Texts are plain and never NULL, but that the text of a probe of the lesson's is its words. */
struct probe_result {
    const char *id;
    const char *text;               /* what is changed: "other samples changed" */
    double measures[MEASURES_MAX];  /* what came of it, NaN where nothing did: alike for two modules that behave alike */
    int measure_count;
    const char *yours, *should;     /* the same as short text, and what it ought to be: "moves by 1.02", "stays" */
    bool passes;
    const char *told;               /* a sentence about a failure, "" when it passes */
    const char *error;              /* what the module raised, or NULL */
};

bool probe_known(const char *id);
const char *const *probe_names(size_t *count);

/* Which inputs this run of the probes draws: by course, lesson, step and the request's seed, attempt and run. */
uint64_t probes_key(struct engine *engine, const struct step_def *step);

/* Runs the probes of the list at `list` (names, constructs K_PROBE) on the function at `module`, on inputs drawn by `key`: other
   keys, other inputs. `reference`: a function that does it right; 0: nn.layer_norm. Results live in the scene's arena. What the
   module raises is a result; what a probe of the lesson's raises, or the reference, is the lesson's error, at `where`. Returns how
   many there are. */
size_t probes_run(struct engine *engine, const struct construct *where, int list, int module, int reference, uint64_t key,
                  struct probe_result **out);

/* Whether two modules came to the same: how a mistake is recognised. NaN is the same as NaN, an error as an error. */
bool probe_results_agree(const struct probe_result *a, const struct probe_result *b);

/* Which inputs move the output of one token; sample and token count from 1. `out` has samples * tokens cells. False: the module
   raised or returned no such tensor, all is LEAK_HIDDEN, and *error says what: "it raised an error: …". */
enum { LEAK_SAMPLES = 4, LEAK_TOKENS = 3, LEAK_FEATURES = 5 };
bool leak_run(struct engine *engine, int module, uint64_t key, uint32_t sample, uint32_t token, enum leak *out, const char **error);

#endif
