/* Probes that hold a result against the right one. */
#include <string.h>

#include "base/language.h"
#include "engine/probe_trial.h"

/* Rows of four features have a shape of their own. */
enum { FOUR = 4, FOUR_BATCH = 3, FOUR_TOKENS = 5 };

static const double FRESH = 1e-5, FIXED = 1e-4; /* tolerances; FIXED leaves a wrong eps to the one row that it shows in */
static const float ROW[FOUR] = { 1, 7, 9, 15 };

/* Row `row` against what is right there: true when they agree, else *at is where they do so least. */
static bool right_row(struct trial *trial, const double *y, const double *right, size_t row, double tolerance, size_t *at)
{
    size_t n = trial->in.extents[2];
    return probe_compare(y + row * n, right + row * n, n, tolerance, at);
}

/* The first row of one call; `named`: what it is, in the sentence about a failure. */
static bool judge_first(struct trial *trial, const char *named)
{
    struct probe_result *out = trial->out;
    double y[PROBE_ELEMENTS], right[PROBE_ELEMENTS];
    size_t at;
    if (!trial_call(trial, y))
        return false;
    trial_call_right(trial, right);
    out->passes = right_row(trial, y, right, 0, FIXED, &at);
    out->measures[0] = y[at];
    probe_texts(out, trial->engine, y[at], right[at]);
    if (!out->passes)
        out->told = SAY(trial, _("%s came out as %s at feature %zu, not %s."), named, out->yours, at + 1, out->should);
    return true;
}

bool probe_constant_row(struct trial *trial)
{
    trial_draw(trial);
    int64_t value = random_integer(&trial->random, 2, 9); /* whole: its mean is exact in any precision */
    for (size_t i = 0; i < FEATURES; i++)
        trial->in.x[i] = (float)value;
    return judge_first(trial, _("A row of equal numbers"));
}

static void put_row(struct trial *trial, size_t row, float factor, float shift)
{
    for (size_t i = 0; i < FOUR; i++)
        trial->in.x[row * FOUR + i] = ROW[i] * factor + shift;
}

bool probe_tiny_row(struct trial *trial)
{
    probe_input_draw(&trial->in, &trial->random, FOUR_BATCH, FOUR_TOKENS, FOUR);
    put_row(trial, 0, 1e-3f, 0);
    return judge_first(trial, _("The row [0.001, 0.007, 0.009, 0.015]"));
}

bool probe_ramp(struct trial *trial)
{
    static const float scale[FOUR] = { 1, 2, 3, 4 }, bias[FOUR] = { 0.5f, 0, 0, -0.5f };
    probe_input_draw(&trial->in, &trial->random, FOUR_BATCH, FOUR_TOKENS, FOUR);
    put_row(trial, 0, 1, 0);
    memcpy(trial->in.scale, scale, sizeof scale);
    memcpy(trial->in.bias, bias, sizeof bias);
    return judge_first(trial, _("The row [1, 7, 9, 15] with scale [1, 2, 3, 4] and bias [0.5, 0, 0, -0.5]"));
}

bool probe_large(struct trial *trial)
{
    static const char *const named[MEASURES_MAX] = { "[40, 280, 360, 600]", "[40001, 40007, 40009, 40015]" };
    const size_t rows[MEASURES_MAX] = { 0, FOUR_TOKENS };
    struct probe_result *out = trial->out;
    double y[PROBE_ELEMENTS], right[PROBE_ELEMENTS];
    size_t at[MEASURES_MAX];
    bool good[MEASURES_MAX];
    probe_input_draw(&trial->in, &trial->random, FOUR_BATCH, FOUR_TOKENS, FOUR);
    put_row(trial, rows[0], 40, 0);
    put_row(trial, rows[1], 1, 40000);
    if (!trial_call(trial, y))
        return false;
    trial_call_right(trial, right);
    out->measure_count = MEASURES_MAX;
    for (size_t i = 0; i < MEASURES_MAX; i++) {
        good[i] = right_row(trial, y, right, rows[i], FIXED, &at[i]);
        out->measures[i] = y[rows[i] * FOUR + at[i]];
    }
    size_t shown = good[0] && !good[1];
    out->passes = good[0] && good[1];
    probe_texts(out, trial->engine, out->measures[shown], right[rows[shown] * FOUR + at[shown]]);
    if (!out->passes)
        out->told = SAY(trial, _("The row %s came out as %s at feature %zu, not %s."), named[shown], out->yours, at[shown] + 1, out->should);
    return true;
}

bool probe_value(struct trial *trial)
{
    struct probe_result *out = trial->out;
    double y[PROBE_ELEMENTS], right[PROBE_ELEMENTS];
    size_t at;
    trial_draw(trial);
    for (size_t i = 0; i < FEATURES; i++) {
        double scale = trial_between(trial, 0.5, 2);
        trial->in.scale[i] = (float)(random_bits(&trial->random) & 1 ? scale : -scale);
        trial->in.bias[i] = (float)trial_between(trial, -2, 2);
    }
    trial->in.eps = trial_between(trial, 0.05, 1);
    if (!trial_call(trial, y))
        return false;
    trial_call_right(trial, right);
    out->passes = probe_compare(y, right, BATCH * TOKENS * FEATURES, FRESH, &at);
    out->measures[0] = y[at];
    probe_texts(out, trial->engine, y[at], right[at]);
    if (!out->passes)
        out->told = SAY(trial, _("Fresh numbers came out as %s at sample %zu, token %zu, feature %zu, not %s."), out->yours, at / (TOKENS * FEATURES) + 1,
                        at / FEATURES % TOKENS + 1, at % FEATURES + 1, out->should);
    return true;
}
