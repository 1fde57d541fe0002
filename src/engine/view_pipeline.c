/* One row through every stage of layer norm: from which numbers each number came. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/view_parts.h"

enum stage { X, MEAN, CENTRED, SQUARED, VAR, RSTD, NORMALIZED, SCALED, SHIFTED, QUANTITIES };
enum { SUM_WHOLE = 6 /* numbers of a sum that are all written */, SOURCES = 2 };

/* In `hide`; the mean is hidden with what it comes from and leads to. */
static const char *const hidden_as[QUANTITIES] = { "x", "centred", "centred", "squared", "var", "rstd", "normalized", "scaled", "shifted" };

struct pipeline {
    struct drawing *d;
    size_t n, row;                 /* features, and which row of x it is, from 0 */
    const double *before;
    struct normed plain, scaled, shifted;
    const struct tensor *scale, *bias;
    double eps;
    enum stage order[QUANTITIES]; /* of the stages */
    size_t stages, now;            /* how many there are, and as far as which; now 0: the whole */
    size_t columns, column[QUANTITIES];
    struct part_table *table;
};

/* One number for the whole token. */
static bool is_whole(enum stage q)
{
    return q == MEAN || q == VAR || q == RSTD;
}

static const char *head_of(enum stage q)
{
    static const char *const heads[QUANTITIES] = { "x", N_("mean"), N_("centred"), N_("squared"), N_("var"), "1/√(var+ε)", N_("normalized"),
                                                   N_("× scale"), N_("+ bias") };
    return _(heads[q]);
}

/* The mean stands below x; what is of the whole token, in the last row. */
static struct cell *cell_of(const struct pipeline *p, enum stage q, size_t i)
{
    return &p->table->cells[(is_whole(q) ? p->n : i) * p->columns + p->column[q]];
}

static double value_of(const struct pipeline *p, enum stage q, size_t i)
{
    size_t at = p->row * p->n + i;
    double mean = (double)tensor_get_flat(p->plain.mean, p->row), centred = p->before[i] - mean;
    switch (q) {
    case X: return p->before[i];
    case MEAN: return mean;
    case CENTRED: return centred;
    case SQUARED: return centred * centred;
    case VAR: return (double)tensor_get_flat(p->plain.var, p->row);
    case RSTD: return (double)tensor_get_flat(p->plain.rstd, p->row);
    case SCALED: return (double)tensor_get_flat(p->scaled.y, at);
    case SHIFTED: return (double)tensor_get_flat(p->shifted.y, at);
    default: return (double)tensor_get_flat(p->plain.y, at);
    }
}

static void read_row(struct drawing *d, struct pipeline *p, struct rows *x)
{
    lua_State *L = d->engine->L;
    lua_rawgeti(L, d->fields, 1);
    drawing_rows(d, lua_gettop(L), "show", x);
    p->d = d;
    p->n = x->width;
    p->row = x->count > 1 ? drawing_cursor(d, "token", x->count) - 1 : 0;
    p->before = drawing_values(d, x->tensor, p->row * p->n, p->n);
    p->eps = drawing_number(d, "eps", NORM_EPS);
    p->scale = drawing_tensor(d, "scale");
    p->bias = drawing_tensor(d, "bias");
    drawing_normalize(d, x->tensor, false, p->eps, NULL, NULL, &p->plain);
    if (p->scale)
        drawing_normalize(d, x->tensor, false, p->eps, p->scale, NULL, &p->scaled);
    if (p->bias)
        drawing_normalize(d, x->tensor, false, p->eps, p->scale, p->bias, &p->shifted);
    for (enum stage q = X; q < QUANTITIES; q++) {
        if ((q == SCALED && !p->scale) || (q == SHIFTED && !p->bias))
            continue;
        p->order[p->stages++] = q;
        if (q != MEAN)
            p->column[q] = p->columns++;
    }
    p->now = d->engine->request->stage < p->stages ? d->engine->request->stage : p->stages * (d->engine->request->stage > 0);
}

/* ---- the table ---- */

static void fill_table(struct pipeline *p)
{
    struct engine *engine = p->d->engine;
    size_t n = p->n, rows = n + 1;
    struct part_table *table = p->table;
    table->labels = (struct strings){ scene_zero(engine, rows, sizeof(char *)), rows };
    for (size_t i = 0; i < n; i++)
        table->labels.item[i] = arena_printf(engine->scene->arena, "x%zu", i + 1);
    table->labels.item[n] = _("mean");
    table->head = (struct strings){ scene_zero(engine, p->columns, sizeof(char *)), p->columns };
    table->cells = scene_zero(engine, rows * p->columns, sizeof *table->cells);
    for (size_t i = 0; i < rows * p->columns; i++)
        table->cells[i] = (struct cell){ "", (double)NAN, 0 };
    double *values = scene_zero(engine, n, sizeof *values);
    for (size_t stage = 0; stage < p->stages; stage++) {
        enum stage q = p->order[stage];
        size_t count = is_whole(q) ? 1 : n;
        if (q != MEAN)
            table->head.item[p->column[q]] = head_of(q);
        for (size_t i = 0; i < count; i++)
            values[i] = value_of(p, q, i);
        int places = is_whole(q) ? -1 : column_places(values, n);
        for (size_t i = 0; i < count; i++) {
            struct cell *cell = cell_of(p, q, i);
            cell->flags |= stage + 1 == p->now ? CELL_STAGE : 0u;
            if (p->now && stage >= p->now)
                continue;
            if (drawing_hides(p->d, hidden_as[q]) || (q == MEAN && drawing_hides(p->d, "x")))
                cell_hide(cell);
            else
                cell_number(engine, cell, values[i], places);
        }
    }
}

/* ---- from what a number comes ---- */

static const struct source {
    size_t count;
    enum stage of[SOURCES];
} sources[QUANTITIES] = {
    [MEAN] = { 1, { X } },     [CENTRED] = { 2, { X, MEAN } },        [SQUARED] = { 1, { CENTRED } },   [VAR] = { 1, { SQUARED } },
    [RSTD] = { 1, { VAR } },   [NORMALIZED] = { 2, { CENTRED, RSTD } }, [SCALED] = { 1, { NORMALIZED } }, [SHIFTED] = { 1, { SCALED } },
};

/* Without scale, bias is added to what is normalized. */
static enum stage source_of(const struct pipeline *p, enum stage q, size_t which)
{
    enum stage source = sources[q].of[which];
    return source == SCALED && !p->scale ? NORMALIZED : source;
}

/* Lights them; false: something among them is hidden. */
static bool light_sources(const struct pipeline *p, enum stage q, size_t feature)
{
    bool known = true;
    for (size_t s = 0; s < sources[q].count; s++) {
        enum stage source = source_of(p, q, s);
        bool all = is_whole(q) && !is_whole(source);
        for (size_t i = all ? 0 : feature; i < (all ? p->n : feature + 1); i++) {
            cell_of(p, source, i)->flags |= CELL_SET;
            known = known && !(cell_of(p, source, i)->flags & CELL_HIDDEN);
        }
    }
    return known;
}

static const char *name_of(const struct pipeline *p, enum stage q, size_t i)
{
    const char *words = q == SCALED ? _("scaled") : q == SHIFTED ? _("shifted") : head_of(q);
    return is_whole(q) ? words : arena_printf(p->d->engine->scene->arena, q == X ? "%s%zu" : "%s %zu", words, i + 1);
}

/* As it stands behind an operator. */
static const char *bracketed(const struct pipeline *p, const char *number, const char *what)
{
    return strpbrk(number, what) ? arena_printf(p->d->engine->scene->arena, "(%s)", number) : number;
}

static const char *operand(const struct pipeline *p, enum stage q, size_t i)
{
    const char *text = cell_of(p, q, i)->text;
    return *text == '-' ? bracketed(p, text, "-") : text;
}

/* "(49 + 1 + … + 49) / 8" */
static const char *written_mean(const struct pipeline *p, enum stage q)
{
    struct arena *arena = p->d->engine->scene->arena;
    const char *sum = cell_of(p, q, 0)->text;
    for (size_t i = 1; i < p->n; i++) {
        bool left_out = p->n > SUM_WHOLE && i > 1 && i + 1 < p->n;
        if (!left_out || i == 2)
            sum = arena_printf(arena, "%s + %s", sum, left_out ? "…" : operand(p, q, i));
    }
    return arena_printf(arena, "(%s) / %zu", sum, p->n);
}

/* What is given beside the row: eps, or scale or bias at a feature. With it a hidden number could be computed back. */
static const char *written_given(const struct pipeline *p, const struct tensor *x, double value, size_t i, bool known)
{
    char text[NUMBER_TEXT];
    if (!known)
        return "?";
    number_text(text, x ? (double)tensor_get_flat(x, (p->row * p->n + i) % tensor_count(x)) : value);
    return scene_text(p->d->engine, *text == '-' ? bracketed(p, text, "-") : text);
}

/* "centred 2 = x2 − mean = 7 − 8 = -1" */
static const char *formula_of(const struct pipeline *p, enum stage q, size_t i, bool known)
{
    struct arena *arena = p->d->engine->scene->arena;
    const char *name = name_of(p, q, i), *result = cell_of(p, q, i)->text;
    enum stage from = sources[q].count ? source_of(p, q, 0) : q;
    const char *first = name_of(p, from, i), *number = cell_of(p, from, i)->text;
    if (cell_of(p, q, i)->flags & CELL_HIDDEN) /* what stands on its right could be typed as the answer */
        return arena_printf(arena, "%s = ?", name);
    switch (q) {
    case MEAN:
    case VAR:
        return arena_printf(arena, _("%s = sum of %s / n = %s = %s"), name, head_of(from), written_mean(p, from), result);
    case CENTRED: return arena_printf(arena, "%s = %s − %s = %s − %s = %s", name, first, head_of(MEAN), number, operand(p, MEAN, 0), result);
    case SQUARED: return arena_printf(arena, "%s = (%s)² = %s² = %s", name, first, bracketed(p, number, "-e"), result);
    case RSTD: return arena_printf(arena, "%s = 1/√(%s + %s) = %s", name, number, written_given(p, NULL, p->eps, 0, known), result);
    case NORMALIZED: return arena_printf(arena, "%s = %s × %s = %s × %s = %s", name, first, head_of(RSTD), number, operand(p, RSTD, 0), result);
    case SCALED:
        return arena_printf(arena, _("%s = %s × scale %zu = %s × %s = %s"), name, first, i + 1, number, written_given(p, p->scale, 0, i, known), result);
    case SHIFTED:
        return arena_printf(arena, _("%s = %s + bias %zu = %s + %s = %s"), name, first, i + 1, number, written_given(p, p->bias, 0, i, known), result);
    default: return arena_printf(arena, "%s = %s", name, result);
    }
}

/* A stage has the cursor at one number; the whole, at all those of a feature. */
static void point(struct pipeline *p, size_t feature)
{
    p->table->cursor_row = (int32_t)feature;
    for (size_t column = 0; column < p->columns && !p->now; column++)
        p->table->cells[feature * p->columns + column].flags |= CELL_CURSOR;
    if (!p->now)
        return;
    enum stage q = p->order[p->now - 1];
    p->table->cursor_row = (int32_t)(is_whole(q) ? p->n : feature);
    cell_of(p, q, feature)->flags |= CELL_CURSOR;
    p->table->note = formula_of(p, q, feature, light_sources(p, q, feature));
}

/* ---- the view ---- */

static bool reached(const struct pipeline *p, enum stage q)
{
    return !p->now || p->order[p->now - 1] >= q;
}

void view_pipeline(struct drawing *d, struct view *view)
{
    struct pipeline p = { .d = d };
    struct rows x;
    struct arena *arena = d->engine->scene->arena;
    read_row(d, &p, &x);
    size_t n = p.n, feature = drawing_cursor(d, "feature", n) - 1;
    view->stages = (uint32_t)p.stages;

    struct part *parts = view_parts(d, view, 2);
    parts[0].kind = PART_TABLE;
    p.table = &parts[0].as.table;
    p.table->corner = x.count > 1 ? arena_printf(arena, _("token %u"), (unsigned)p.row + 1) : "";
    fill_table(&p);
    point(&p, feature);

    struct part_bars *bars = &parts[1].as.bars;
    const double *after = drawing_values(d, p.plain.y, p.row * n, n);
    parts[1].kind = PART_BARS;
    bars->title = "";
    bars->labels = (struct strings){ p.table->labels.item, n };
    bars->cursor_row = (int32_t)feature;
    bars->series_count = reached(&p, NORMALIZED) ? 2 : 1;
    bars->series = scene_zero(d->engine, 2, sizeof *bars->series);
    fill_series(d, &bars->series[0], "x", p.before, n, largest_of(p.before, n), drawing_hides(d, "x"));
    fill_series(d, &bars->series[1], _("normalized"), after, n, full_reach(p.before, after, n, false), drawing_hides(d, "normalized"));
    if (drawing_editable(d, x.name)) {
        for (size_t i = 0; i < n; i++)
            cell_of(&p, X, i)->flags |= CELL_EDITABLE;
        mark_editable(bars->series[0].cells, n);
    }
    if (!*view->alt)
        view->alt = arena_printf(arena, _("One token of %zu features through every stage of layer norm."), n);
}
