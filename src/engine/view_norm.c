/* Tokens before and after the norm, and their statistics. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/view_parts.h"

static bool is_rms(struct drawing *d)
{
    lua_State *L = d->engine->L;
    int top = lua_gettop(L);
    bool rms = false;
    if (lua_getfield(L, d->fields, "norm") == LUA_TSTRING) {
        const char *word = lua_tostring(L, -1);
        if (strcmp(word, "rms") && strcmp(word, "layer"))
            formula_value(d->engine, d->construct, "norm", lua_gettop(L), d->env);
        word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        rms = !strcmp(word, "rms");
        if (!rms && strcmp(word, "layer"))
            lesson_error(d->engine, lesson_line(d->engine, d->construct, "norm"), "view.tokens: `norm` is \"layer\" or \"rms\", not \"%s\"", word);
    }
    lua_settop(L, top);
    return rms;
}

void drawing_normalize(struct drawing *d, const struct tensor *x, bool rms, double eps, const struct tensor *scale, const struct tensor *bias,
                       struct normed *out)
{
    lua_State *L = d->engine->L;
    struct tensor **y = tensor_push(L), **mean = tensor_push(L), **var = tensor_push(L), **rstd = tensor_push(L);
    struct tensor_norm_options options = { .axes = (tensor_axes)1 << (tensor_rank(x) - 1), .eps = eps, .scale = scale, .bias = bias };
    struct tensor_norm norm = { 0 };
    struct error err;
    if (rms ? rms_norm(&norm, x, &options, &err) : layer_norm(&norm, x, &options, &err))
        lesson_error(d->engine, d->construct->line, "%s: %s", construct_name(d->construct->kind), err.text);
    *y = norm.y;
    *mean = norm.mean;
    *var = norm.var;
    *rstd = norm.rstd;
    *out = (struct normed){ norm.y, norm.mean, norm.var, norm.rstd };
}

double *drawing_values(struct drawing *d, const struct tensor *x, size_t from, size_t count)
{
    double *values = scene_zero(d->engine, count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = (double)tensor_get_flat(x, from + i);
    return values;
}

double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

double deviation_of(const double *values, size_t count)
{
    double mean = mean_of(values, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (double)count);
}

double without_noise(double value, const double *values, size_t count)
{
    return fabs(value) < 1e-6 * largest_of(values, count) ? 0 : value;
}

void fill_series(struct drawing *d, struct bars_series *series, const char *label, const double *values, size_t count, double reach, bool hidden)
{
    series->label = label;
    series->reach = hidden ? 1 : reach; /* or it would tell the largest of them */
    series->cells = scene_zero(d->engine, count, sizeof *series->cells);
    cells_column(d->engine, series->cells, count, 1, 0, values, hidden);
}

void mark_editable(struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cells[i].flags |= CELL_EDITABLE;
}

double full_reach(const double *before, const double *after, size_t count, bool rms)
{
    double mean = rms ? 0 : mean_of(before, count), squares = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (before[i] - mean) * (before[i] - mean);
        largest = fmax(largest, fabs(before[i] - mean));
    }
    double own = squares > 0 ? largest / sqrt(squares / (double)count) : 1;
    return fmax(own, largest_of(after, count));
}

void view_tokens(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    struct rows x;
    lua_rawgeti(L, d->fields, 1);
    drawing_rows(d, lua_gettop(L), "show", &x);
    bool rms = is_rms(d);
    double eps = drawing_number(d, "eps", NORM_EPS);
    const struct tensor *scale = drawing_tensor(d, "scale"), *bias = drawing_tensor(d, "bias");
    struct normed norm;
    drawing_normalize(d, x.tensor, rms, eps, scale, bias, &norm);

    const char *heads[] = { _("mean"), rms ? _("mean x²") : _("var"), rms ? _("1/√(mean x²+ε)") : _("1/√(var+ε)"), _("mean after"), _("std after") };
    static const char *const quantities[] = { "mean", "var", "rstd", "mean_after", "std_after" };
    bool affine = scale || bias || rms;
    size_t order[5], columns = 0;
    for (size_t q = 0; q < 5; q++)
        if (q != 3 || affine)
            order[columns++] = q;
    struct strings names = drawing_names(d, x.count, x.count > 1 ? _("token ") : _("token"));
    if (x.count == 1 && !drawing_has(d, "names"))
        names.item[0] = x.name ? x.name : _("row");
    uint32_t token = x.count > 1 ? drawing_cursor(d, "token", x.count) : 1;
    uint32_t feature = drawing_cursor(d, "feature", x.width);

    struct part *parts = view_parts(d, view, 2);
    struct part_table *table = &parts[0].as.table;
    parts[0].kind = PART_TABLE;
    table->corner = x.count > 1 ? _("token") : "";
    table->labels = names;
    table->head = (struct strings){ scene_zero(d->engine, columns, sizeof(char *)), columns };
    table->cells = scene_zero(d->engine, x.count * columns, sizeof *table->cells);
    table->cursor_row = x.count > 1 ? (int32_t)token - 1 : -1;
    double *column = scene_zero(d->engine, x.count, sizeof *column);
    for (size_t c = 0; c < columns; c++) {
        table->head.item[c] = heads[order[c]];
        for (size_t row = 0; row < x.count; row++) {
            const double *before = drawing_values(d, x.tensor, row * x.width, x.width), *after = drawing_values(d, norm.y, row * x.width, x.width);
            switch (order[c]) {
            case 0: column[row] = norm.mean ? (double)tensor_get_flat(norm.mean, row) : mean_of(before, x.width); break;
            case 1: column[row] = (double)tensor_get_flat(norm.var, row); break;
            case 2: column[row] = (double)tensor_get_flat(norm.rstd, row); break;
            case 3: column[row] = without_noise(mean_of(after, x.width), after, x.width); break;
            default: column[row] = deviation_of(after, x.width);
            }
        }
        cells_column(d->engine, table->cells, x.count, columns, c, column, drawing_hides(d, quantities[order[c]]));
        for (size_t row = 0; row < x.count && x.count > 1; row++)
            if (row + 1 == token)
                table->cells[row * columns + c].flags |= CELL_CURSOR;
    }

    const double *before = drawing_values(d, x.tensor, (token - 1) * x.width, x.width), *after = drawing_values(d, norm.y, (token - 1) * x.width, x.width);
    struct part_bars *bars = &parts[1].as.bars;
    parts[1].kind = PART_BARS;
    bars->title = x.count > 1 ? arena_printf(d->engine->scene->arena, _("%s, by feature"), names.item[token - 1]) : _("feature by feature");
    bars->labels = (struct strings){ scene_zero(d->engine, x.width, sizeof(char *)), x.width };
    for (size_t i = 0; i < x.width; i++)
        bars->labels.item[i] = arena_printf(d->engine->scene->arena, "x%zu", i + 1);
    bars->cursor_row = (int32_t)feature - 1;
    bars->series_count = 2;
    bars->series = scene_zero(d->engine, 2, sizeof *bars->series);
    fill_series(d, &bars->series[0], _("before"), before, x.width, largest_of(before, x.width), drawing_hides(d, "before"));
    fill_series(d, &bars->series[1], _("after"), after, x.width, full_reach(before, after, x.width, rms), drawing_hides(d, "after"));
    if (drawing_editable(d, x.name))
        mark_editable(bars->series[0].cells, x.width);
    for (size_t s = 0; s < 2; s++)
        bars->series[s].cells[feature - 1].flags |= CELL_CURSOR;
    if (!*view->alt) {
        char text[NUMBER_TEXT];
        number_text(text, eps);
        view->alt = arena_printf(d->engine->scene->arena, rms ? language_count("%zu token with %zu features, RMS-normalized with eps %s.", "%zu tokens with %zu features, RMS-normalized with eps %s.", x.count)
                                     : language_count("%zu token with %zu features, normalized with eps %s.", "%zu tokens with %zu features, normalized with eps %s.", x.count),
                                 x.count, x.width, text);
    }
}
