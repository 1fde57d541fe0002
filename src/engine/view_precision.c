/* One number as each type keeps it, bit by bit; and the variance of its row by each method in each type, beside the exact one. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "engine/bind_precision.h"
#include "engine/check.h"
#include "engine/view_parts.h"

enum { WORDS_MAX = 4 /* as many as there are types */ };

struct words {
    enum tensor_type types[WORDS_MAX];
    enum tensor_method methods[WORDS_MAX];
    size_t type_count, method_count;
};

/* ---- what is asked for ---- */

/* `count` stays where there is no such field. */
static void take_list(struct engine *engine, const struct construct *view, int fields, const char *field, struct words *out, size_t *count)
{
    lua_State *L = engine->L;
    bool types = !strcmp(field, "types");
    if (lua_getfield(L, fields, field) != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    *count = lua_rawlen(L, -1);
    if (*count > WORDS_MAX || (types && !*count))
        lesson_error(engine, lesson_line(engine, view, field), "view.precision: `%s` names one to %d of them", field, WORDS_MAX);
    for (size_t i = 0; i < *count; i++) {
        struct error err;
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        if (types ? tensor_type_find(&out->types[i], word, &err) : method_find(&out->methods[i], word, &err))
            lesson_error(engine, lesson_line(engine, view, field), "view.precision: `%s`: %s", field, err.text);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void take_words(struct engine *engine, const struct construct *view, int fields, struct words *out)
{
    *out = (struct words){ { TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_BFLOAT16 }, { TENSOR_ONE_PASS, TENSOR_TWO_PASS, TENSOR_WELFORD }, 3, 3 };
    take_list(engine, view, fields, "types", out, &out->type_count);
    take_list(engine, view, fields, "methods", out, &out->method_count);
}

void precision_check(struct engine *engine, const struct construct *view, int fields)
{
    struct words words;
    take_words(engine, view, fields, &words);
}

/* ---- the bits of a number (IEEE 754; bfloat16 is float32's upper half) ---- */

static void bits_of_type(enum tensor_type type, int *exponent, int *fraction)
{
    *exponent = type == TENSOR_FLOAT64 ? 11 : type == TENSOR_FLOAT16 ? 5 : 8;
    *fraction = type == TENSOR_FLOAT64 ? 52 : type == TENSOR_FLOAT16 ? 10 : type == TENSOR_BFLOAT16 ? 7 : 23;
}

static const char *bits_text(struct drawing *d, double stored, enum tensor_type type)
{
    int exponent_bits, fraction_bits;
    bits_of_type(type, &exponent_bits, &fraction_bits);
    int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
    uint64_t exponent = 0, fraction = 0;
    if (!isfinite(stored)) {
        exponent = (uint64_t)top;
        fraction = isnan(stored) ? (uint64_t)1 << (fraction_bits - 1) : 0;
    } else if (stored != 0) {
        int power = ilogb(stored) + bias; /* at most 0: subnormal, with the exponent of the smallest normal and no leading one */
        double significand = scalbn(fabs(stored), fraction_bits + bias - (power > 0 ? power : 1));
        exponent = power > 0 ? (uint64_t)power : 0;
        fraction = (uint64_t)significand & (((uint64_t)1 << fraction_bits) - 1);
    }
    char text[80], *at = text;
    *at++ = signbit(stored) ? '1' : '0';
    *at++ = ' ';
    for (int i = exponent_bits; i-- > 0;)
        *at++ = (char)('0' + (exponent >> i & 1));
    *at++ = ' ';
    for (int i = fraction_bits; i-- > 0;)
        *at++ = (char)('0' + (fraction >> i & 1));
    *at = '\0';
    return scene_text(d->engine, text);
}

/* ---- the two tables ---- */

enum { STORED, OFF, BITS, COLUMNS };

static double difference(double value, double truth)
{
    return value == truth ? 0 : value - truth; /* two infinities too */
}

static void fill_number(struct drawing *d, struct part_table *table, const struct words *words, double value, size_t feature)
{
    struct engine *engine = d->engine;
    size_t rows = words->type_count;
    static const char *const head[COLUMNS] = { N_("is kept as"), N_("off float32 by"), N_("sign, exponent, fraction") };
    table->corner = arena_printf(engine->scene->arena, "x%zu", feature);
    table->head = (struct strings){ scene_zero(engine, COLUMNS, sizeof(char *)), COLUMNS };
    for (int i = 0; i < COLUMNS; i++)
        table->head.item[i] = _(head[i]);
    table->labels = (struct strings){ scene_zero(engine, rows, sizeof(char *)), rows };
    table->cells = scene_zero(engine, rows * COLUMNS, sizeof *table->cells);
    table->cursor_row = -1;
    for (size_t i = 0; i < rows; i++) {
        struct cell *cells = &table->cells[i * COLUMNS];
        double stored = tensor_round(value, words->types[i]);
        table->labels.item[i] = tensor_type_name(words->types[i]);
        if (drawing_hides(d, "value")) {
            cell_hide(&cells[STORED]);
            cell_hide(&cells[BITS]);
        } else {
            char text[NUMBER_TEXT];
            number_digits(text, stored, 9);
            cells[STORED] = (struct cell){ .text = scene_text(engine, text), .value = stored };
            cells[BITS].text = bits_text(d, stored, words->types[i]);
        }
        cells[BITS].flags |= CELL_WORDS;
        if (drawing_hides(d, "error"))
            cell_hide(&cells[OFF]);
        else
            cell_number(engine, &cells[OFF], difference(stored, value), -1);
    }
}

/* `steps` NULL: exactly, but for double's own rounding. */
static double variance(struct drawing *d, const struct rows *x, const struct tensor_steps *steps)
{
    struct error err;
    double value = 0;
    if (steps ? tensor_reduce_all_steps(&value, TENSOR_VAR, x->tensor, steps, &err) : tensor_reduce_all(&value, TENSOR_VAR, x->tensor, &err))
        raise_error(d->engine->L, &err);
    return value;
}

static void fill_cell(struct drawing *d, struct cell *cell, double value, bool hidden)
{
    if (hidden)
        cell_hide(cell);
    else
        cell_number(d->engine, cell, value, -1);
}

static void fill_variance(struct drawing *d, struct part_table *table, const struct words *words, const struct rows *x, double exact)
{
    struct engine *engine = d->engine;
    size_t rows = words->method_count + 1, columns = 2 * words->type_count;
    bool no_value = drawing_hides(d, "value"), no_error = drawing_hides(d, "error");
    table->corner = _("variance");
    table->head = (struct strings){ scene_zero(engine, columns, sizeof(char *)), columns };
    table->labels = (struct strings){ scene_zero(engine, rows, sizeof(char *)), rows };
    table->cells = scene_zero(engine, rows * columns, sizeof *table->cells);
    table->cursor_row = -1;
    for (size_t type = 0; type < words->type_count; type++) {
        table->head.item[2 * type] = tensor_type_name(words->types[type]);
        table->head.item[2 * type + 1] = _("off by");
    }
    table->labels.item[0] = _("exact");
    for (size_t c = 0; c < columns; c++) {
        table->cells[c].text = "";
        table->cells[c].flags |= c ? CELL_WORDS : 0u;
    }
    fill_cell(d, &table->cells[0], exact, no_value);
    for (size_t i = 0; i < words->method_count; i++) {
        table->labels.item[i + 1] = method_name(words->methods[i]);
        for (size_t type = 0; type < words->type_count; type++) {
            struct cell *cells = &table->cells[(i + 1) * columns + 2 * type];
            double value = variance(d, x, &(struct tensor_steps){ words->types[type], words->methods[i] });
            fill_cell(d, &cells[0], value, no_value);
            fill_cell(d, &cells[1], difference(value, exact), no_error);
        }
    }
}

/* Each number of the row as each type keeps it: on a screen the cursor goes from one to the next. */
static void fill_row(struct drawing *d, struct view *view, const struct words *words, const struct rows *x)
{
    struct engine *engine = d->engine;
    view->spoken = scene_zero(engine, 1, sizeof *view->spoken);
    view->spoken_count = 1;
    view->spoken->kind = PART_TABLE;
    struct part_table *table = &view->spoken->as.table;
    table->corner = "";
    table->head = (struct strings){ scene_zero(engine, words->type_count, sizeof(char *)), words->type_count };
    table->labels = (struct strings){ scene_zero(engine, x->width, sizeof(char *)), x->width };
    table->cells = scene_zero(engine, x->width * words->type_count, sizeof *table->cells);
    table->cursor_row = -1;
    for (size_t type = 0; type < words->type_count; type++)
        table->head.item[type] = tensor_type_name(words->types[type]);
    for (size_t i = 0; i < x->width; i++) {
        table->labels.item[i] = arena_printf(engine->scene->arena, "x%zu", i + 1);
        for (size_t type = 0; type < words->type_count; type++) {
            struct cell *cell = &table->cells[i * words->type_count + type];
            double stored = tensor_round((double)tensor_get_flat(x->tensor, i), words->types[type]);
            char text[NUMBER_TEXT];
            number_digits(text, stored, 9);
            *cell = (struct cell){ .text = scene_text(engine, text), .value = stored };
        }
    }
}

void view_precision(struct drawing *d, struct view *view)
{
    lua_State *L = d->engine->L;
    struct rows x;
    struct words words;
    lua_rawgeti(L, d->fields, 1);
    drawing_rows(d, lua_gettop(L), "show", &x);
    if (x.count != 1)
        lesson_error(d->engine, d->construct->line, "view.precision looks at one row; this is a tensor of %zu", x.count);
    take_words(d->engine, d->construct, d->fields, &words);
    size_t feature = drawing_cursor(d, "feature", x.width);
    double value = (double)tensor_get_flat(x.tensor, feature - 1);
    bool variances = words.method_count != 0, no_value = drawing_hides(d, "value");
    struct part *parts = view_parts(d, view, variances ? 2 : 1), *bits = &parts[variances ? 1 : 0];
    parts[0].kind = bits->kind = PART_TABLE;
    if (variances)
        fill_variance(d, &parts[0].as.table, &words, &x, variance(d, &x, NULL));
    fill_number(d, &bits->as.table, &words, value, feature);
    if (x.width > 1 && !no_value)
        fill_row(d, view, &words, &x);
    if (!*view->alt) {
        struct arena *arena = d->engine->scene->arena;
        char number[NUMBER_TEXT];
        number_digits(number, value, 9);
        const char *is = no_value ? "" : " = ", *shown = no_value ? "" : number;
        view->alt = variances ? arena_printf(arena, _("The variance of %zu numbers by each method in each type, beside the exact one; and x%zu%s%s as each type keeps it."),
                                             x.width, feature, is, shown)
                              : arena_printf(arena, _("x%zu%s%s as each type keeps it."), feature, is, shown);
    }
}
