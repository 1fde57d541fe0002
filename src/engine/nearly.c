/* What is said of numbers: which are expected, and of wrong ones how near they are. The right number is never in it. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "engine/asked.h"

static const char *count_word(size_t n)
{
    static const char *const words[] = { N_("no"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight"), N_("nine"), N_("ten") };
    return n < sizeof words / sizeof *words ? _(words[n]) : NULL;
}

const char *ordinal(size_t n)
{
    static const char *const words[] = { N_("first"), N_("second"), N_("third"), N_("fourth"), N_("fifth"), N_("sixth"), N_("seventh"), N_("eighth"), N_("ninth"), N_("tenth") };
    return n < sizeof words / sizeof *words ? _(words[n]) : NULL;
}

const char *expects_words(struct engine *engine, const struct step_def *step, const struct asked *asked)
{
    struct arena *arena = engine->scene->arena;
    char precision[64] = "";
    if (asked->exact)
        snprintf(precision, sizeof precision, "%s", "");
    else if (asked->digits)
        snprintf(precision, sizeof precision, language_count(", %s significant digit", ", %s significant digits", (size_t)asked->digits), count_word((size_t)asked->digits));
    else if (asked->places >= 0)
        snprintf(precision, sizeof precision, language_count(", %s decimal", ", %s decimals", (size_t)asked->places), count_word((size_t)asked->places));
    const struct quantity *truth = &asked->truth;
    const char *many = count_word(truth->count);
    if (step->construct->kind == K_NUMBER)
        return arena_printf(arena, "%s%s", asked->exact ? _("a whole number") : _("a number"), precision);
    if (truth->rank == 1)
        return many ? arena_printf(arena, _("%s numbers%s"), many, precision) : arena_printf(arena, _("%zu numbers%s"), truth->count, precision);
    struct strbuf shape = { 0 };
    for (int i = 0; i < truth->rank; i++)
        strbuf_addf(&shape, "%s%zu", i ? _(" by ") : "", truth->extents[i]);
    const char *text = arena_printf(arena, _("%s numbers%s"), strbuf_string(&shape), precision);
    strbuf_free(&shape);
    return text;
}

/* ---- near ---- */

/* Decimals of the least exact of the numbers that are not exact enough; DECIMALS_ALL: none is. */
static int least_decimals(const struct asked *asked, const struct quantity *got)
{
    int least = DECIMALS_ALL;
    for (size_t i = 0; i < got->count; i++) {
        bool enough = near(got->values[i], asked->truth.values[i], asked_allowed(asked, asked->truth.values[i]));
        bool rough = got->decimals[i] < 1 && fabs(got->values[i]) < 10; /* one digit is a guess */
        if (!enough && (rough || got->decimals[i] < least))
            least = rough ? INT_MIN : got->decimals[i];
    }
    return least;
}

/* Right in the digits typed, which are too few. */
static const char *too_few_digits(struct engine *engine, const struct asked *asked, const struct quantity *got)
{
    struct arena *arena = engine->scene->arena;
    int least = got->decimals ? least_decimals(asked, got) : DECIMALS_ALL;
    if (least == INT_MIN || least == DECIMALS_ALL)
        return NULL;
    if (asked->digits)
        return arena_printf(arena, _("Nearly: right as far as it goes; %s significant digits are asked for."), count_word((size_t)asked->digits));
    if (asked->exact)
        return _("Nearly: right as far as it goes; all its digits are asked for.");
    if (asked->places < 0 || least > 9)
        return _("Nearly: right as far as it goes, but not exact enough.");
    if (least < 1)
        return arena_printf(arena, language_count("Nearly: right as far as it goes; %s decimal is asked for.",
                                                  "Nearly: right as far as it goes; %s decimals are asked for.", (size_t)asked->places),
                            count_word((size_t)asked->places));
    return arena_printf(arena, language_count("Nearly: right to %s decimal; %s are asked for.", "Nearly: right to %s decimals; %s are asked for.",
                                              (size_t)least), count_word((size_t)least), count_word((size_t)asked->places));
}

static bool fits_negated(const struct asked *asked, const struct quantity *got, const struct quantity *want)
{
    bool same = same_shape(got, want), some = false;
    for (size_t i = 0; same && i < want->count; i++) {
        same = near(-got->values[i], want->values[i], asked_allowed(asked, want->values[i]));
        some = some || got->values[i] != 0;
    }
    return same && some;
}

/* Which numbers have the wrong sign, where nothing else is wrong; 0: that is not so. */
static size_t wrong_signs(const struct asked *asked, const struct quantity *got)
{
    const struct quantity *want = &asked->truth;
    size_t wrong = 0;
    for (size_t i = 0; i < want->count; i++) {
        double allowed = asked_allowed(asked, want->values[i]);
        if (near(got->values[i], want->values[i], allowed))
            continue;
        if (!near(-got->values[i], want->values[i], allowed))
            return 0;
        wrong++;
    }
    return wrong;
}

/* The last of the places asked for is all that is wrong, and something stands before it. */
static bool fits_coarsely(const struct asked *asked, const struct quantity *got, const struct quantity *want)
{
    bool same = same_shape(got, want) && !asked->exact && (asked->places > 1 || asked->digits > 2);
    for (size_t i = 0; same && i < want->count; i++) {
        double allowed = asked_allowed(asked, want->values[i]);
        same = near(got->values[i], want->values[i], allowed) ||
               (near(got->values[i], want->values[i], 10 * allowed) && fabs(want->values[i]) >= 20 * allowed);
    }
    return same;
}

static bool mistake_fits(const struct asked *asked, const struct quantity *got,
                         bool (*how)(const struct asked *, const struct quantity *, const struct quantity *))
{
    for (size_t i = 0; i < asked->mistake_count; i++)
        if (how(asked, got, &asked->mistakes[i].by))
            return true;
    return false;
}

/* The numbers themselves, row by row or, for a matrix, column by column. */
static bool same_numbers(const struct asked *asked, const struct quantity *got, bool transposed)
{
    const struct quantity *want = &asked->truth;
    bool same = got->count == want->count && want->rank > 0;
    if (transposed && (got->rank != 2 || want->rank != 2 || got->extents[0] != want->extents[1]))
        return false;
    for (size_t i = 0; same && i < want->count; i++) {
        size_t from = transposed ? i % want->extents[1] * got->extents[1] + i / want->extents[1] : i;
        same = near(got->values[from], want->values[i], asked_allowed(asked, want->values[i]));
    }
    return same;
}

/* "2 by 3 numbers" */
static void shape_words(struct strbuf *out, const struct quantity *q)
{
    for (int i = 0; i < q->rank; i++)
        strbuf_addf(out, "%s%zu", i ? _(" by ") : "", q->extents[i]);
    strbuf_add(out, q->rank == 1 ? _(" numbers in one row") : _(" numbers"));
}

static const char *another_shape(struct engine *engine, const struct quantity *want, bool right)
{
    struct strbuf shape = { 0 };
    shape_words(&shape, want);
    const char *text = arena_printf(engine->scene->arena, right ? _("Nearly: the right numbers in another shape; %s are asked for%s.")
                                                                : _("The shape is another: %s are asked for%s."),
                                    strbuf_string(&shape), want->rank > 1 ? _(", a row a line") : "");
    strbuf_free(&shape);
    return text ? text : "";
}

/* NULL: too far off to be called near. */
static const char *nearly(struct engine *engine, const struct asked *asked, const struct quantity *got, size_t at)
{
    struct arena *arena = engine->scene->arena;
    const struct quantity *want = &asked->truth;
    if (!same_shape(got, want))
        return same_numbers(asked, got, true)    ? _("Nearly: the right numbers, but rows and columns have changed places.")
               : same_numbers(asked, got, false) ? another_shape(engine, want, true)
                                                 : NULL;
    if (want->rank == 2 && same_numbers(asked, got, true))
        return _("Nearly: the right numbers, but rows and columns have changed places.");
    size_t signs = wrong_signs(asked, got);
    if (fits_negated(asked, got, want))
        return want->count == 1 ? _("Nearly: right but for the sign.") : _("Nearly: right but for the signs, which are all the other way round.");
    if (signs == 1)
        return ordinal(at) ? arena_printf(arena, _("Nearly: right but for the sign of the %s number."), ordinal(at)) : _("Nearly: right but for one sign.");
    if (signs)
        return arena_printf(arena, _("Nearly: right but for the signs of %s numbers."), count_word(signs) ? count_word(signs) : _("many"));
    if (!fits_coarsely(asked, got, want) || mistake_fits(asked, got, fits_coarsely))
        return NULL;
    if (asked->digits)
        return arena_printf(arena, _("Nearly: right to %s of %s significant digits."), count_word((size_t)asked->digits - 1), count_word((size_t)asked->digits));
    return arena_printf(arena, _("Nearly: right to %s of %s decimals."), count_word((size_t)asked->places - 1), count_word((size_t)asked->places));
}

/* ---- far ---- */

/* The learner's number at the first wrong element. */
static const char *not_this(struct engine *engine, const struct quantity *got, const struct quantity *want, size_t at)
{
    struct arena *arena = engine->scene->arena;
    char text[NUMBER_TEXT];
    if (got->decimals && got->decimals[at] >= 0 && got->decimals[at] <= 9)
        number_places(text, got->values[at], got->decimals[at]);
    else
        number_text(text, got->values[at]);
    if (want->count == 1)
        return arena_printf(arena, isfinite(got->values[at]) ? _("%s is not it.") : _("It does not come to %s."), text);
    if (want->rank == 2)
        return arena_printf(arena, _("Row %zu: number %zu is not %s."), at / want->extents[1] + 1, at % want->extents[1] + 1, text);
    if (want->rank == 1 && ordinal(at))
        return arena_printf(arena, _("The %s number is not %s."), ordinal(at), text);
    return arena_printf(arena, _("Number %zu is not %s."), at + 1, text);
}

/* A sentence about a number of things. */
static const char *made(struct engine *engine, const char *format, size_t count)
{
    char text[160];
    int length = snprintf(text, sizeof text, format, count);
    return length < 0 ? "" : scene_text(engine, text);
}

const char *wrong_words(struct engine *engine, const struct asked *asked, const struct quantity *got, size_t at, bool truth)
{
    const struct quantity *want = &asked->truth;
    const char *words = truth ? too_few_digits(engine, asked, got) : NULL;
    if (!words)
        words = nearly(engine, asked, got, at);
    if (words)
        return words;
    if (same_shape(got, want))
        return not_this(engine, got, want, at);
    if (got->count == want->count)
        return another_shape(engine, want, false);
    return arena_printf(engine->scene->arena, "%s%s", made(engine, language_count("You gave %zu number; ", "You gave %zu numbers; ", got->count), got->count),
                        made(engine, language_count("%zu is asked for.", "%zu are asked for.", want->count), want->count));
}
