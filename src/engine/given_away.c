/* A view or text that shows what is asked before it is answered: a number equal to the answer, or a row, where a row is asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/asked.h"

enum { SHOWN_MOST = 32, CELLS_MOST = 4096 };

struct search {
    struct engine *engine;
    const struct step_def *step;
    int facts;
    struct asked asked; /* of a question for numbers */
    const char *shape;  /* of one for a shape: as it is typed; NULL: it is for numbers */
    const struct view *view;
    bool drawn;         /* what was found last is a number of the data's */
};

static void add_once(struct engine *engine, struct strings *places, const char *place)
{
    if (!places->item)
        places->item = scene_zero(engine, SHOWN_MOST, sizeof *places->item);
    for (size_t i = 0; i < places->count; i++)
        if (!strcmp(places->item[i], place))
            return;
    if (places->count < SHOWN_MOST)
        places->item[places->count++] = place;
}

/* "; it can hide mean, var": what the field may name of this view. */
static void add_quantities(struct strbuf *out, const struct view *view)
{
    for (int kind = 0; kind < K_COUNT; kind++) {
        const char *dot = is_view((enum construct_kind)kind) ? strchr(construct_name((enum construct_kind)kind), '.') : NULL;
        if (!dot || strcmp(dot + 1, view->name) != 0)
            continue;
        const char *const *names = quantities_of((enum construct_kind)kind);
        for (size_t i = 0; names[i]; i++)
            strbuf_addf(out, "%s%s", i ? ", " : _("; it can hide "), names[i]);
    }
}

static void note(struct search *search, const char *what)
{
    struct engine *engine = search->engine;
    struct strbuf *words = strbuf_push(engine->L);
    strbuf_addf(words, *what ? "view.%s, %s" : "view.%s", search->view->name, what);
    add_quantities(words, search->view);
    const char *place = scene_text(engine, strbuf_string(words));
    lua_pop(engine->L, 1);
    add_once(engine, &engine->scene->check->shown, place);
    if (search->drawn)
        add_once(engine, &engine->scene->check->drawn, place);
    search->drawn = false;
}

/* ---- what the learner has in hand anyway ---- */

static bool list_has(lua_State *L, int list, double value)
{
    bool found = false;
    for (size_t i = 1; i <= lua_rawlen(L, list) && !found; i++) {
        found = lua_rawgeti(L, list, (lua_Integer)i) == LUA_TNUMBER && lua_tonumber(L, -1) == value;
        lua_pop(L, 1);
    }
    return found;
}

/* One of several numbers that were drawn: to find it is what is asked. */
static bool is_drawn(struct search *search, double value)
{
    lua_State *L = search->engine->L;
    int top = lua_gettop(L);
    bool found = false;
    facts_names(L, search->facts);
    keys_sorted(L, -1);
    int keys = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys) && !found; i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        if (facts_find(L, search->facts, lua_tostring(L, -1)) == FACT_VALUE) {
            const struct tensor *x = tensor_test(L, -1);
            for (size_t n = 0; x && tensor_count(x) > 1 && n < tensor_count(x) && !found; n++)
                found = near((double)tensor_get_flat(x, n), value, asked_allowed(&search->asked, value));
            found = found || (lua_type(L, -1) == LUA_TTABLE && list_has(L, lua_gettop(L), value));
        }
        lua_settop(L, keys);
    }
    lua_settop(L, top);
    return found;
}

/* ---- numbers ---- */

static bool is_plain(const struct cell *cell)
{
    return !(cell->flags & (CELL_HIDDEN | CELL_WORDS)) && *cell->text;
}

/* A cell that holds what is asked, with however many digits it is shown: a number, or a row in brackets. */
static bool cell_tells(struct search *search, const struct cell *cell)
{
    struct quantity read, held = search->asked.truth;
    double value = cell->value;
    if (is_plain(cell) && held.count == 1)
        held.values = &value;
    else if ((cell->flags & CELL_HIDDEN) || !*cell->text || answer_read(&read, search->engine->scene->arena, cell->text, true, NULL, 0, NULL) ||
             read.count != held.count)
        return false;
    else
        held.values = read.values;
    if (!asked_right(&search->asked, &held))
        return false;
    search->drawn = held.count == 1 && is_drawn(search, held.values[0]);
    return true;
}

/* Cells, every `stride`-th, that together are what is asked for. */
static bool run_tells(struct search *search, const struct cell *cells, size_t stride)
{
    struct quantity row = search->asked.truth;
    row.values = scene_zero(search->engine, row.count, sizeof *row.values);
    for (size_t i = 0; i < row.count; i++) {
        if (!is_plain(&cells[i * stride]))
            return false;
        row.values[i] = cells[i * stride].value;
    }
    return asked_right(&search->asked, &row);
}

/* The same, somewhere among `count` of them: a mean may stand below. */
static bool row_tells(struct search *search, const struct cell *cells, size_t count, size_t stride)
{
    size_t wanted = search->asked.truth.count;
    bool tells = false;
    if (wanted < 2 || wanted > count || count > CELLS_MOST)
        return false;
    for (size_t from = 0; from + wanted <= count && !tells; from++)
        tells = run_tells(search, &cells[from * stride], stride);
    return tells;
}

static void search_table(struct search *search, const struct part_table *table)
{
    size_t rows = table->labels.count, columns = table->head.count;
    for (size_t i = 0; i < rows * columns; i++)
        if (cell_tells(search, &table->cells[i]))
            note(search, *table->head.item[i % columns] ? table->head.item[i % columns] : table->labels.item[i / columns]);
    for (size_t row = 0; row < rows; row++)
        if (row_tells(search, &table->cells[row * columns], columns, 1))
            note(search, table->labels.item[row]);
    for (size_t column = 0; column < columns; column++)
        if (row_tells(search, &table->cells[column], rows, columns))
            note(search, table->head.item[column]);
}

static void search_cells(struct search *search, const struct cell *cells, size_t count, const char *label)
{
    bool tells = row_tells(search, cells, count, 1);
    for (size_t i = 0; i < count && !tells; i++)
        tells = cell_tells(search, &cells[i]);
    if (tells)
        note(search, label);
}

static void search_map(struct search *search, const struct part_map *map)
{
    size_t rows = map->rows.count, columns = map->columns.count, blocks = map->blocks.count;
    search_cells(search, map->cells, blocks * rows * columns, map->title);
    for (size_t block = 0; block < blocks; block++) {
        const struct cell *cells = &map->cells[block * rows * columns];
        bool tells = row_tells(search, cells, rows * columns, 1);
        for (size_t row = 0; row < rows; row++)
            tells = tells || row_tells(search, &cells[row * columns], columns, 1);
        for (size_t column = 0; column < columns; column++)
            tells = tells || row_tells(search, &cells[column], rows, columns);
        if (tells)
            note(search, map->title);
    }
}

static void search_stack(struct search *search, const struct part_stack *stack)
{
    if (cell_tells(search, &stack->start) || cell_tells(search, &stack->end))
        note(search, "stream");
    if (cell_tells(search, &stack->start_gradient) || cell_tells(search, &stack->end_gradient))
        note(search, "gradient");
    for (size_t i = 0; i < stack->layer_count; i++) {
        if (cell_tells(search, &stack->layers[i].stream))
            note(search, "stream");
        if (cell_tells(search, &stack->layers[i].update))
            note(search, "share");
        if (cell_tells(search, &stack->layers[i].gradient))
            note(search, "gradient");
    }
}

static void search_numbers(struct search *search, const struct part *part)
{
    switch (part->kind) {
    case PART_TABLE: search_table(search, &part->as.table); break;
    case PART_BARS:
        for (size_t i = 0; i < part->as.bars.series_count; i++)
            search_cells(search, part->as.bars.series[i].cells, part->as.bars.labels.count, part->as.bars.series[i].label);
        break;
    case PART_MAP: search_map(search, &part->as.map); break;
    case PART_STACK: search_stack(search, &part->as.stack); break;
    case PART_PLOT: /* curves, without a number to read off */
    case PART_LEAK:
    case PART_CODE: break;
    }
}

/* ---- shapes ---- */

static void search_shape(struct search *search, const struct part *part)
{
    if (part->kind == PART_MAP && strstr(part->as.map.title, search->shape))
        note(search, part->as.map.title);
    if (part->kind != PART_TABLE)
        return;
    const struct part_table *table = &part->as.table;
    for (size_t i = 0; i < table->labels.count * table->head.count; i++)
        if (!strcmp(table->cells[i].text, search->shape))
            note(search, table->head.item[i % table->head.count]);
}

static void search_parts(struct search *search, const struct part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (search->shape)
            search_shape(search, &parts[i]);
        else
            search_numbers(search, &parts[i]);
    }
}

static void search_view(struct search *search, const struct view *view)
{
    search->view = view;
    search_parts(search, view->parts, view->part_count);
    search_parts(search, view->spoken, view->spoken_count);
    for (size_t i = 0; i < view->child_count; i++)
        search_view(search, &view->children[i]);
}

/* ---- text ---- */

struct told {
    struct engine *engine;
    const struct asked *asked;
    int env; /* stack index */
};

/* One number of less than three digits is soon the same as another, and a whole one is often given: "a token of 768 features". */
static bool by_chance(const struct quantity *held)
{
    enum { WHOLE_MOST = 1000 };
    char text[NUMBER_TEXT];
    double value = held->values[0];
    if (held->count > 1)
        return false;
    if (value == floor(value))
        return fabs(value) < WHOLE_MOST;
    number_digits(text, value, 2);
    return near(strtod(text, NULL), value, 1e-6 * fabs(value));
}

static void tell_hole(void *payload, const char *formula, const char *format)
{
    enum { PRINTED_MOST = 16 /* numbers of a tensor */ };
    struct told *told = payload;
    struct scene_check *check = told->engine->scene->check;
    lua_State *L = told->engine->L;
    int top = lua_gettop(L);
    struct quantity held;
    (void)format;
    luaL_checkstack(L, 10, NULL);
    bool good = formula_compile(L, formula) == LUA_OK;
    lua_pushvalue(L, told->env);
    good = good && lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) != LUA_TSTRING && quantity_take(told->engine, &held);
    lua_settop(L, top);
    const struct quantity *truth = &told->asked->truth;
    good = good && held.count && held.count <= PRINTED_MOST && same_shape(&held, truth);
    for (size_t i = 0; good && i < truth->count; i++)
        good = near(held.values[i], truth->values[i], 1e-6 * fabs(truth->values[i]));
    if (!good)
        return;
    const char *hole = scene_text(told->engine, formula);
    add_once(told->engine, &check->printed, hole);
    if (by_chance(&held))
        add_once(told->engine, &check->chance, hole);
}

static void search_text(struct engine *engine, const struct step_def *step, int facts, const struct asked *asked)
{
    lua_State *L = engine->L;
    facts_extend(L, facts);
    int live = lua_gettop(L);
    knobs_facts(L, engine->scene->step, live, true);
    facts_env(L, live);
    struct told told = { engine, asked, live + 1 };
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    lua_getfield(L, -1, "text");
    words_holes(engine, step->construct, "text", lua_tostring(L, -1), tell_hole, &told);
}

void given_away_fill(struct engine *engine, const struct step_def *step, int facts)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct view *view = engine->scene->step->view;
    enum construct_kind kind = step->construct->kind;
    if (kind != K_NUMBER && kind != K_TENSOR && kind != K_SHAPE)
        return;
    struct search search = { .engine = engine, .step = step, .facts = lua_absindex(L, facts) };
    if (kind == K_SHAPE) {
        search.shape = engine->scene->check->declared[0].typed;
    } else {
        facts_env(L, facts);
        asked_take(engine, step, lua_gettop(L), &search.asked);
        search_text(engine, step, search.facts, &search.asked);
    }
    if (view)
        search_view(&search, view);
    lua_settop(L, top);
}
