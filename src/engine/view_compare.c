/* Two tensors and their difference. */
#include <math.h>

#include "base/language.h"
#include "engine/view_parts.h"

enum { A, B, DIFFERENCE, ROWS };

static const double ROUNDING = 1e-5; /* of the larger numbers: what float32 may leave between two ways to the same result */

struct pair {
    struct rows a, b;
    size_t count, row; /* of elements; the row shown in full, from 0 */
    double *values[ROWS];
    const char *names[ROWS];
};

static void read_pair(struct drawing *d, struct pair *pair)
{
    lua_State *L = d->engine->L;
    char a[TENSOR_SHAPE_TEXT], b[TENSOR_SHAPE_TEXT];
    for (int i = 0; i < 2; i++) {
        lua_rawgeti(L, d->fields, i + 1);
        drawing_map(d, lua_gettop(L), i == 0 ? &pair->a : &pair->b);
    }
    if (!tensor_same_shape(pair->a.tensor, pair->b.tensor))
        lesson_error(d->engine, d->construct->line, "view.compare needs two tensors of one shape, not %s and %s", tensor_shape_text(pair->a.tensor, a),
                     tensor_shape_text(pair->b.tensor, b));
    pair->count = tensor_count(pair->a.tensor);
    for (int i = 0; i < ROWS; i++)
        pair->values[i] = scene_zero(d->engine, pair->count, sizeof(double));
    for (size_t i = 0; i < pair->count; i++) {
        double first = (double)tensor_get_flat(pair->a.tensor, i), second = (double)tensor_get_flat(pair->b.tensor, i);
        pair->values[A][i] = first;
        pair->values[B][i] = second;
        pair->values[DIFFERENCE][i] = first == second ? 0 : second - first; /* two infinities too */
    }
}

/* The row under the cursor: a, b and their difference, feature by feature. */
static void fill_rows(struct drawing *d, struct part *part, const struct pair *pair, size_t feature)
{
    static const char *const quantities[ROWS] = { "a", "b", "difference" };
    size_t width = pair->a.width, from = pair->row * width;
    struct part_table *table = &part->as.table;
    double *both = scene_zero(d->engine, 2 * width, sizeof *both);
    for (size_t i = 0; i < width; i++) {
        both[i] = pair->values[A][from + i];
        both[width + i] = pair->values[B][from + i];
    }
    part->kind = PART_TABLE;
    table->labels = (struct strings){ scene_zero(d->engine, ROWS, sizeof(char *)), ROWS };
    table->head = (struct strings){ scene_zero(d->engine, width, sizeof(char *)), width };
    table->cells = scene_zero(d->engine, ROWS * width, sizeof *table->cells);
    table->cursor_row = -1;
    for (size_t i = 0; i < width; i++)
        table->head.item[i] = arena_printf(d->engine->scene->arena, "x%zu", i + 1);
    for (int row = 0; row < ROWS; row++) {
        const double *values = pair->values[row] + from;
        int places = row == DIFFERENCE ? column_places(values, width) : column_places(both, 2 * width);
        const char *name = row == A ? pair->a.name : row == B ? pair->b.name : NULL;
        table->labels.item[row] = pair->names[row];
        for (size_t i = 0; i < width; i++) {
            struct cell *cell = &table->cells[(size_t)row * width + i];
            if (drawing_hides(d, quantities[row]))
                cell_hide(cell);
            else
                cell_number(d->engine, cell, values[i], places);
            cell->flags |= (i == feature ? CELL_CURSOR : 0u) | (drawing_editable(d, name) ? CELL_EDITABLE : 0u);
        }
    }
}

/* "batch 2, token 1" */
static const char *place_words(struct drawing *d, const struct tensor *x, const size_t *cursor)
{
    const char *words = "";
    for (int axis = 0; axis < tensor_rank(x) - 1; axis++)
        if (tensor_extent(x, axis) > 1)
            words = arena_printf(d->engine->scene->arena, "%s%s%s %zu", words, *words ? ", " : "", map_axis_name(x, axis), cursor[axis] + 1);
    return words;
}

static const char *verdict(struct drawing *d, const struct pair *pair)
{
    double largest = 0, size = 0;
    bool apart = false; /* NaN or an infinity in one alone */
    for (size_t i = 0; i < pair->count; i++) {
        double a = pair->values[A][i], b = pair->values[B][i], difference = fabs(pair->values[DIFFERENCE][i]);
        if (!isfinite(difference))
            apart = apart || !(isnan(a) && isnan(b));
        else if (difference > largest)
            largest = difference;
        size = fmax(size, fmax(isfinite(a) ? fabs(a) : 0, isfinite(b) ? fabs(b) : 0));
    }
    char text[NUMBER_TEXT];
    number_text(text, largest);
    if (apart)
        return arena_printf(d->engine->scene->arena, _("they differ: one has nan or inf where the other has not"));
    if (largest == 0)
        return _("they agree");
    return arena_printf(d->engine->scene->arena, largest <= ROUNDING * size ? _("they agree but for rounding: the largest difference is %s")
                                                                           : _("they differ: the largest difference is %s"), text);
}

void view_compare(struct drawing *d, struct view *view)
{
    struct pair pair = { .row = 0 };
    size_t cursor[MAP_AXES_MAX];
    read_pair(d, &pair);
    const struct tensor *x = pair.a.tensor;
    struct strings names = drawing_words(d, "names", 2, "");
    pair.names[A] = *names.item[0] ? names.item[0] : pair.a.name ? pair.a.name : _("first");
    pair.names[B] = *names.item[1] ? names.item[1] : pair.b.name ? pair.b.name : _("second");
    pair.names[DIFFERENCE] = _("difference");
    map_cursor(d, x, cursor);
    pair.row = map_position(x, cursor) / pair.a.width;
    bool several = pair.a.count > 1, hidden = drawing_hides(d, "difference");

    struct part *parts = view_parts(d, view, several ? 2 : 1);
    fill_rows(d, &parts[0], &pair, cursor[tensor_rank(x) - 1]);
    parts[0].as.table.corner = several ? place_words(d, x, cursor) : "";
    if (several) {
        map_fill(d, &parts[1], x, pair.values[DIFFERENCE], _("difference"), hidden);
        parts[1].as.map.cells[map_position(x, cursor)].flags |= CELL_CURSOR;
        parts[1].as.map.reach = hidden ? 1 : largest_of(pair.values[DIFFERENCE], pair.count);
    }
    if (!*view->alt) {
        char shape[TENSOR_SHAPE_TEXT];
        view->alt = arena_printf(d->engine->scene->arena, _("%s and %s, %s each%s%s."), pair.names[A], pair.names[B], tensor_shape_text(x, shape),
                                 hidden ? "" : ": ", hidden ? "" : verdict(d, &pair));
    }
}
