/* Probes that ask what moves a result: other tokens, a change that layer norm takes out again, another call. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/probe_trial.h"

static const double MOVED = 1e-5;        /* a feature that moves at all */
static const double MOVED_BY_EPS = 1e-3; /* eps counts for less in a row that is scaled up */

/* ---- what moves a token ---- */

static const char *moves(struct trial *trial, double moved, bool still)
{
    return still ? _("stays") : isfinite(moved) ? SAY(trial, _("moves by %s"), trial_digits(trial, moved)) : trial_digits(trial, moved);
}

/* Draws the rows from `from` to before `to` afresh and looks at the row `watched`. */
static bool watch(struct trial *trial, size_t from, size_t to, size_t watched, const char *changed)
{
    struct probe_result *out = trial->out;
    double before[PROBE_ELEMENTS], after[PROBE_ELEMENTS];
    if (!trial_call(trial, before))
        return false;
    for (size_t row = from; row < to; row++)
        probe_row_draw(trial->in.x + row * FEATURES, FEATURES, &trial->random);
    if (!trial_call(trial, after))
        return false;
    double moved = probe_moved(before + watched * FEATURES, after + watched * FEATURES, FEATURES);
    const char *who = watched ? _("last") : _("first");
    out->measures[0] = moved;
    out->passes = trial_stays(moved, before + watched * FEATURES, FEATURES);
    out->yours = moves(trial, moved, out->passes);
    if (!out->passes)
        out->told = isfinite(moved) ? SAY(trial, _("The %s token moved by %s when only %s changed."), who, trial_digits(trial, moved), changed)
                                    : SAY(trial, _("The %s token came out as %s."), who, trial_digits(trial, moved));
    return true;
}

bool probe_companion(struct trial *trial)
{
    trial_draw(trial);
    return watch(trial, TOKENS, BATCH * TOKENS, 0, _("the other samples"));
}

bool probe_future(struct trial *trial)
{
    trial_draw(trial);
    size_t later = (size_t)random_integer(&trial->random, 1, TOKENS - 1);
    return watch(trial, later, later + 1, 0, _("a later token"));
}

bool probe_past(struct trial *trial)
{
    trial_draw(trial);
    size_t earlier = (size_t)random_integer(&trial->random, 0, TOKENS - 2);
    return watch(trial, earlier, earlier + 1, TOKENS - 1, _("an earlier token"));
}

/* How many features of the first token move with one of the row `row`; NaN or infinity where that comes out. What moved some is
   tried again by another amount: a feature may happen to stay where it is. */
static bool count_moved(struct trial *trial, size_t row, const double *before, double *count)
{
    double after[PROBE_ELEMENTS];
    bool seen[FEATURES] = { false };
    float *x = trial->in.x + row * FEATURES + random_integer(&trial->random, 0, FEATURES - 1), was = *x;
    const double up = trial_between(trial, 3, 6), down = trial_between(trial, 3, 6);
    *count = 0;
    for (int i = 0; i == 0 || (i < 2 && *count > 0 && *count < FEATURES); i++) {
        *x = was + (float)(i ? -down : up);
        bool called = trial_call(trial, after);
        *x = was;
        if (!called)
            return false;
        double moved = probe_moved(before, after, FEATURES);
        *count = isfinite(moved) ? 0 : moved;
        for (size_t f = 0; f < FEATURES && isfinite(moved); f++) {
            seen[f] = seen[f] || !probe_within(after[f], before[f], MOVED);
            *count += seen[f];
        }
    }
    return true;
}

bool probe_one_feature(struct trial *trial)
{
    struct probe_result *out = trial->out;
    double before[PROBE_ELEMENTS];
    trial_draw(trial);
    size_t later = (size_t)random_integer(&trial->random, 1, TOKENS - 1), other = (size_t)random_integer(&trial->random, 1, BATCH - 1);
    static const char *const changed[MEASURES_MAX] = { N_("a later token"), N_("another sample") };
    out->measure_count = MEASURES_MAX;
    if (!trial_call(trial, before) || !count_moved(trial, later, before, &out->measures[0]) ||
        !count_moved(trial, other * TOKENS, before, &out->measures[1]))
        return false;
    size_t most = out->measures[0] >= out->measures[1] ? 0 : 1;
    double count = out->measures[most];
    out->passes = count == 0 && out->measures[1 - most] == 0;
    if (out->passes) {
        out->yours = out->should;
    } else if (!isfinite(count)) {
        out->yours = trial_digits(trial, count);
        out->told = SAY(trial, _("The first token came out as %s."), out->yours);
    } else {
        out->yours = count == FEATURES ? SAY(trial, _("all %.0f move"), count)
                                       : SAY(trial, count == 1 ? _("%.0f of %d moves") : _("%.0f of %d move"), count, FEATURES);
        out->told = SAY(trial, _("One feature of %s moved %.0f of the %d features of the first token."), _(changed[most]), count, FEATURES);
    }
    return true;
}

/* The first row, shifted and scaled alone: by how much its result moves. */
static bool move_row(struct trial *trial, double shift, double factor, bool right, double moved[2])
{
    double y[3][PROBE_ELEMENTS];
    float kept[FEATURES];
    memcpy(kept, trial->in.x, sizeof kept);
    for (int i = 0; i < 3; i++) {
        for (size_t f = 0; f < FEATURES; f++)
            trial->in.x[f] = (float)(i == 1 ? (double)kept[f] + shift : i == 2 ? (double)kept[f] * factor : (double)kept[f]);
        if (right)
            trial_call_right(trial, y[i]);
        else if (!trial_call(trial, y[i]))
            return false;
    }
    memcpy(trial->in.x, kept, sizeof kept);
    for (int i = 0; i < 2; i++)
        moved[i] = probe_moved(y[0], y[i + 1], FEATURES);
    return true;
}

bool probe_one_row(struct trial *trial)
{
    struct probe_result *out = trial->out;
    double right[MEASURES_MAX];
    trial_draw(trial);
    double shift = trial_between(trial, 8, 16), factor = trial_between(trial, 3, 6);
    out->measure_count = MEASURES_MAX;
    if (!move_row(trial, shift, factor, false, out->measures))
        return false;
    move_row(trial, shift, factor, true, right);
    bool shifted = probe_within(out->measures[0], right[0], MOVED_BY_EPS), scaled = probe_within(out->measures[1], right[1], MOVED_BY_EPS);
    int shown = shifted && !scaled;
    double moved = out->measures[shown], want = right[shown];
    bool still = want <= MOVED_BY_EPS;
    out->passes = shifted && scaled;
    out->should = moves(trial, want, still);
    out->yours = out->passes ? out->should : moves(trial, moved, moved <= MOVED_BY_EPS);
    if (out->passes)
        return true;
    const char *what = shown ? SAY(trial, _("it alone was multiplied by %s"), trial_digits(trial, factor))
                             : SAY(trial, _("%s was added to it alone"), trial_digits(trial, shift));
    if (!isfinite(moved))
        out->told = SAY(trial, _("The first token came out as %s."), out->yours);
    else
        out->told = SAY(trial, _("The first token moved by %s when %s%s%s."), trial_digits(trial, moved), what, still ? "" : _("; right is "),
                        still ? "" : trial_digits(trial, want));
    return true;
}

/* ---- other calls ---- */

static const char *differs(struct trial *trial, double moved, bool same)
{
    return same ? _("the same") : isfinite(moved) ? SAY(trial, _("differs by %s"), trial_digits(trial, moved)) : trial_digits(trial, moved);
}

static void turn_samples(float *x, size_t sample)
{
    float first[PROBE_ELEMENTS];
    memcpy(first, x, sample * sizeof *x);
    memmove(x, x + sample, (BATCH - 1) * sample * sizeof *x);
    memcpy(x + (BATCH - 1) * sample, first, sample * sizeof *x);
}

/* The same samples again, first in another order: no axis's statistics notice that, what is kept from call to call does. */
bool probe_again(struct trial *trial)
{
    enum { SAMPLE = TOKENS * FEATURES, REST = (BATCH - 1) * SAMPLE };
    struct probe_result *out = trial->out;
    double y[3][PROBE_ELEMENTS], x[PROBE_ELEMENTS], left[PROBE_ELEMENTS];
    float kept[PROBE_ELEMENTS];
    trial_draw(trial);
    memcpy(kept, trial->in.x, sizeof kept);
    for (size_t i = 0; i < PROBE_ELEMENTS; i++)
        x[i] = (double)kept[i];
    if (!probe_call(&trial->module, &trial->in, y[0], left))
        return false;
    turn_samples(trial->in.x, SAMPLE);
    if (!trial_call(trial, y[1]))
        return false;
    memcpy(trial->in.x, kept, sizeof kept);
    if (!trial_call(trial, y[2]))
        return false;
    const double moved[] = { probe_moved(y[0] + SAMPLE, y[1], REST), probe_moved(y[0], y[1] + REST, SAMPLE),
                             probe_moved(y[0], y[2], PROBE_ELEMENTS) };
    double most = moved[0];
    for (size_t i = 1; i < 3 && isfinite(most); i++)
        most = moved[i] <= most ? most : moved[i];
    out->measure_count = 2;
    out->measures[0] = most;
    out->measures[1] = probe_moved(x, left, PROBE_ELEMENTS);
    bool same = trial_stays(most, y[0], PROBE_ELEMENTS), written = out->measures[1] != 0;
    out->passes = same && !written;
    out->yours = same && written ? _("writes into x") : differs(trial, most, same);
    if (!same)
        out->told = isfinite(most) ? SAY(trial, _("The same samples came out differently in a later call, by %s."), trial_digits(trial, most))
                                   : SAY(trial, _("It came out as %s."), trial_digits(trial, most));
    else if (written)
        out->told = SAY(trial, _("It writes into its input: after the call, x differs by %s."), trial_digits(trial, out->measures[1]));
    return true;
}

bool probe_alone(struct trial *trial)
{
    struct probe_result *out = trial->out;
    double before[PROBE_ELEMENTS], after[PROBE_ELEMENTS];
    trial_draw(trial);
    if (!trial_call(trial, before))
        return false;
    trial->in.extents[0] = 1;
    if (!trial_call(trial, after))
        return false;
    double moved = probe_moved(before, after, TOKENS * FEATURES);
    out->measures[0] = moved;
    out->passes = trial_stays(moved, before, TOKENS * FEATURES);
    out->yours = differs(trial, moved, out->passes);
    if (!out->passes)
        out->told = SAY(trial, isfinite(moved) ? _("The first sample came out differently without the others in its batch, by %s.")
                                               : _("The first sample came out as %s."), trial_digits(trial, moved));
    return true;
}
