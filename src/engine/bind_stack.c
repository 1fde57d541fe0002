/* nn.stack: a residual stream through layers that differ only in what their sublayer returns. */
#include <math.h>
#include <string.h>

#include "engine/bind_nn.h"

enum order { PRE, POST, NONE };
const char *const stack_orders[] = { "pre", "post", "none", NULL };
const char *const stack_formulas[] = { "x + F(LN(x))", "LN(x + F(x))", "x + F(x)" };

static const double EPS_DEFAULT = 1e-5;

struct stacking {
    int depth;
    enum stack_order order;
    double eps;
    bool final_norm, drops, off[STACK_DEPTH_MAX];
    struct dropout dropout;
    int options, sublayer, layers, gradient; /* stack indices; gradient: of a nil where it is not asked for */
};

/* ---- sizes ---- */

static double square_sum(const struct tensor *x, size_t from, size_t count, double around)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double value = (double)tensor_get_flat(x, from + i) - around;
        sum += value * value;
    }
    return sum;
}

static size_t width_of(const struct tensor *x)
{
    return tensor_extent(x, tensor_rank(x) - 1);
}

double stream_norm(const struct tensor *x)
{
    size_t tokens = tensor_count(x) / width_of(x);
    return sqrt(square_sum(x, 0, tensor_count(x), 0) / (double)tokens);
}

/* The biased variance of each token's features, averaged over the tokens. */
static double stream_variance(const struct tensor *x)
{
    size_t width = width_of(x), count = tensor_count(x);
    double sum = 0;
    for (size_t from = 0; from < count; from += width) {
        double mean = 0;
        for (size_t i = 0; i < width; i++)
            mean += (double)tensor_get_flat(x, from + i);
        sum += square_sum(x, from, width, mean / (double)width);
    }
    return sum / (double)count;
}

/* ---- options ---- */

static int whole_option(lua_State *L, int index, int most)
{
    int whole = 0;
    lua_Integer value = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &whole) : 0;
    return whole && value >= 1 && value <= most ? (int)value : 0;
}

/* The list of layers at the top, popped. It may name layers beyond the depth: a knob may have taken them away. */
static void read_off(lua_State *L, struct stacking *s)
{
    if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TTABLE)
        luaL_error(L, "nn.stack: `off` must be a list of layers, not a %s", luaL_typename(L, -1));
    for (size_t i = 1; lua_istable(L, -1) && i <= lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        int layer = whole_option(L, -1, STACK_DEPTH_MAX);
        if (!layer)
            luaL_error(L, "nn.stack: `off` must hold numbers of layers, whole and from 1 to %d", STACK_DEPTH_MAX);
        s->off[layer - 1] = true;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

bool stack_order_read(lua_State *L, int index, enum stack_order *out)
{
    const char *order = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    for (int i = 0; stack_orders[i]; i++)
        if (!strcmp(stack_orders[i], order)) {
            *out = (enum stack_order)i;
            return true;
        }
    return false;
}

static void read_options(lua_State *L, struct stacking *s)
{
    static const char *const known[] = { "depth", "order", "sublayer", "final_norm", "off", "eps", "dropout", "gradient" };
    luaL_checktype(L, s->options, LUA_TTABLE);
    check_keys(L, s->options, "option of nn.stack", known, sizeof known / sizeof *known);
    lua_getfield(L, s->options, "depth");
    s->depth = whole_option(L, -1, STACK_DEPTH_MAX);
    if (!s->depth)
        luaL_error(L, "nn.stack: `depth` must be a whole number from 1 to %d", STACK_DEPTH_MAX);
    lua_getfield(L, s->options, "order");
    if (!stack_order_read(L, -1, &s->order))
        luaL_error(L, "nn.stack: `order` must be \"pre\", \"post\" or \"none\"");
    lua_getfield(L, s->options, "final_norm");
    s->final_norm = lua_toboolean(L, -1);
    if (lua_getfield(L, s->options, "eps") != LUA_TNIL && lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "nn.stack: `eps` must be a number, not a %s", luaL_typename(L, -1));
    s->eps = lua_isnil(L, -1) ? EPS_DEFAULT : lua_tonumber(L, -1);
    lua_getfield(L, s->options, "off");
    read_off(L, s);
    s->drops = lua_getfield(L, s->options, "dropout") != LUA_TNIL;
    if (s->drops)
        dropout_read(L, lua_gettop(L), &s->dropout);
    if (lua_getfield(L, s->options, "sublayer") != LUA_TFUNCTION)
        luaL_error(L, "nn.stack: `sublayer` must be a function of the stream and the layer, not a %s", luaL_typename(L, -1));
    s->sublayer = lua_gettop(L);
    if (lua_getfield(L, s->options, "gradient") != LUA_TNIL && !lua_isfunction(L, -1))
        luaL_error(L, "nn.stack: `gradient` must be a function from the result to a loss, not a %s", luaL_typename(L, -1));
    s->gradient = lua_gettop(L);
}

/* A number for each feature of each layer's update; those of layers that there are not are left alone. */
static void check_numbers(lua_State *L, const struct stacking *s, const struct tensor *x)
{
    const struct tensor *numbers = s->dropout.numbers;
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    if (!numbers)
        return;
    bool fits = tensor_rank(numbers) == tensor_rank(x) + 1 && tensor_extent(numbers, 0) >= (size_t)s->depth;
    for (int axis = 0; fits && axis < tensor_rank(x); axis++)
        fits = tensor_extent(numbers, axis + 1) == tensor_extent(x, axis);
    if (!fits)
        luaL_error(L, "nn.stack: random is %s; %d layers of %s need an axis of %d or more in front of that shape",
                   tensor_shape_text(numbers, theirs), s->depth, tensor_shape_text(x, mine), s->depth);
}

/* ---- the layers ---- */

/* Pushes the tensor, normalized over its features. */
static struct tensor *push_normed(lua_State *L, const struct tensor *x, double eps)
{
    nn_push_normed(L, x, false, eps, NULL, NULL);
    tensor_freeze(L, -1);
    return tensor_test(L, -1);
}

/* Pushes what the sublayer makes of the tensor at `input`, checked against the stream that it is to join. */
static const struct tensor *push_update(lua_State *L, const struct stacking *s, int layer, const struct tensor *stream, int input)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    lua_pushvalue(L, s->sublayer);
    lua_pushvalue(L, input);
    lua_pushinteger(L, layer);
    lua_call(L, 2, 1);
    const struct tensor *update = tensor_test(L, -1);
    if (!update)
        luaL_error(L, "nn.stack: the sublayer of layer %d must return a tensor, not a %s", layer, luaL_typename(L, -1));
    if (!tensor_same_shape(update, stream))
        luaL_error(L, "nn.stack: the update of layer %d is %s and the stream %s: their shapes must be the same", layer,
                   tensor_shape_text(update, theirs), tensor_shape_text(stream, mine));
    return update;
}

/* Replaces the update at the top by what dropout leaves of it; the share of it that was kept. */
static double drop(lua_State *L, const struct stacking *s, int layer, const struct tensor *update)
{
    struct dropout dropout = s->dropout;
    struct error err;
    double kept;
    int at = lua_gettop(L);
    if (dropout.numbers) {
        struct tensor **numbers = tensor_push(L);
        if (tensor_at(numbers, s->dropout.numbers, (size_t)layer - 1, &err))
            raise_error(L, &err);
        dropout.numbers = *numbers;
    }
    dropout_push(L, update, &dropout);
    if (tensor_reduce_all(&kept, TENSOR_MEAN, tensor_test(L, -1), &err))
        raise_error(L, &err);
    lua_pushvalue(L, -2);
    lua_replace(L, at);
    lua_settop(L, at);
    return kept;
}

/* *out becomes zeros of x's shape, which do not depend on it. */
static void push_zeros(lua_State *L, struct tensor **out, const struct tensor *x)
{
    struct error err;
    struct tensor **plain = tensor_push(L);
    if (tensor_detach(plain, x, &err) || tensor_copy(out, *plain, &err))
        raise_error(L, &err);
    for (size_t i = 0; i < tensor_count(x); i++)
        tensor_set_flat(*out, i, 0);
    lua_pop(L, 1);
}

/* Pushes what layer `layer` adds to the stream at the index; *kept is NaN where nothing was dropped. */
static const struct tensor *push_branch(lua_State *L, const struct stacking *s, int layer, int stream, double *kept)
{
    const struct tensor *x = tensor_test(L, stream), *made = x;
    struct error err;
    bool off = s->off[layer - 1];
    struct tensor **update = tensor_push(L);
    int at = lua_gettop(L);
    if (!off) {
        int input = stream;
        if (s->order == STACK_PRE) {
            push_normed(L, x, s->eps);
            input = lua_gettop(L);
        }
        made = push_update(L, s, layer, x, input);
    }
    if (off)
        push_zeros(L, update, x);
    else if (tensor_copy(update, made, &err)) /* its own, whatever the sublayer keeps */
        raise_error(L, &err);
    lua_settop(L, at);
    tensor_leaf(L, at);
    double share = s->drops ? drop(L, s, layer, *update) : (double)NAN; /* a branch that is off draws too: the others keep their luck */
    *kept = off ? (double)NAN : share;
    tensor_freeze(L, at);
    return tensor_test(L, at);
}

static void set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

/* The stream at the index becomes what it is after the layer, of which the trace gets its record. */
static void run_layer(lua_State *L, const struct stacking *s, int layer, int stream)
{
    struct error err;
    double kept, before = stream_norm(tensor_test(L, stream));
    int top = lua_gettop(L);
    const struct tensor *update = push_branch(L, s, layer, stream, &kept);
    struct tensor **sum = tensor_push(L);
    if (tensor_binary(sum, TENSOR_ADD, tensor_test(L, stream), update, &err))
        raise_error(L, &err);
    tensor_freeze(L, -1);
    const struct tensor *after = s->order == STACK_POST ? push_normed(L, *sum, s->eps) : *sum;
    lua_pushvalue(L, -1);
    lua_replace(L, stream);

    lua_createtable(L, 0, 7);
    lua_pushvalue(L, stream);
    lua_setfield(L, -2, "stream");
    lua_pushvalue(L, top + 1);
    lua_setfield(L, -2, "update");
    set_number(L, "norm", stream_norm(after));
    set_number(L, "variance", stream_variance(after));
    set_number(L, "share", stream_norm(update) / before);
    if (!isnan(kept))
        set_number(L, "kept", kept);
    lua_pushboolean(L, s->off[layer - 1]);
    lua_setfield(L, -2, "off");
    lua_rawseti(L, s->layers, layer);
    lua_settop(L, top);
    tensor_made(L);
}

/* ---- the way back ---- */

/* The gradient's norm at every point of the stream, as the stream's own is measured: `gradient` of the trace, before the first
   layer; of each layer, after it; `out_gradient` of the trace, after the final norm, or else the last layer's again. */
static void add_gradients(lua_State *L, const struct stacking *s, int trace)
{
    const struct tensor *points[STACK_DEPTH_MAX + 2];
    struct tensor *found[STACK_DEPTH_MAX + 2];
    double norms[STACK_DEPTH_MAX + 2];
    struct error err;
    size_t count = (size_t)s->depth + 2;
    int top = lua_gettop(L);
    lua_pushvalue(L, s->gradient);
    lua_getfield(L, trace, "out");
    points[count - 1] = tensor_test(L, -1);
    lua_call(L, 1, 1);
    const struct tensor *loss = tensor_test(L, -1);
    if (!loss)
        luaL_error(L, "nn.stack: `gradient` must return the loss, a tensor of one element, not a %s", luaL_typename(L, -1));
    lua_getfield(L, trace, "x");
    points[0] = tensor_test(L, -1);
    for (int layer = 1; layer <= s->depth; layer++) {
        lua_rawgeti(L, s->layers, layer);
        lua_getfield(L, -1, "stream");
        points[layer] = tensor_test(L, -1);
        lua_pop(L, 2);
    }
    if (tensor_grad(found, loss, points, count, &err))
        raise_error(L, &err);
    for (size_t i = 0; i < count; i++) {
        norms[i] = stream_norm(found[i]);
        tensor_free(found[i]);
    }
    lua_pushvalue(L, trace);
    set_number(L, "loss", (double)tensor_get_flat(loss, 0));
    set_number(L, "gradient", norms[0]);
    set_number(L, "out_gradient", norms[count - 1]);
    for (int layer = 1; layer <= s->depth; layer++) {
        lua_rawgeti(L, s->layers, layer);
        set_number(L, "gradient", norms[layer]);
        lua_pop(L, 1);
    }
    lua_settop(L, top);
}

/* nn.stack(x, { depth =, order =, sublayer =, final_norm =, off =, eps =, dropout =, gradient = }): a trace of the stream through
   the layers. gradient: a function from the result to a loss, a tensor of one element; the trace then tells the gradient's norm
   at every point, for one walk back through all layers. */
int nn_stack(lua_State *L)
{
    const struct tensor *x = tensor_check(L, 1);
    struct stacking s = { .options = 2 };
    struct error err;
    lua_settop(L, 2);
    luaL_checkstack(L, 40, NULL);
    if (tensor_rank(x) == 0 || tensor_count(x) == 0)
        return luaL_error(L, "nn.stack needs a tensor with features");
    read_options(L, &s);
    check_numbers(L, &s, x);
    lua_createtable(L, s.depth, 0);
    s.layers = lua_gettop(L);
    lua_createtable(L, 0, 7);
    int trace = lua_gettop(L);
    struct tensor **start = tensor_push(L);
    if (tensor_copy(start, x, &err))
        return raise_error(L, &err);
    tensor_freeze(L, -1);
    lua_pushvalue(L, -1);
    lua_setfield(L, trace, "x");
    int stream = lua_gettop(L);
    for (int layer = 1; layer <= s.depth; layer++)
        run_layer(L, &s, layer, stream);
    if (s.final_norm)
        push_normed(L, tensor_test(L, stream), s.eps);
    lua_setfield(L, trace, "out");
    lua_settop(L, trace);
    lua_getfield(L, s.options, "order");
    lua_setfield(L, trace, "order");
    lua_pushinteger(L, s.depth);
    lua_setfield(L, trace, "depth");
    lua_pushboolean(L, s.final_norm);
    lua_setfield(L, trace, "final_norm");
    lua_getfield(L, s.options, "off");
    lua_setfield(L, trace, "off");
    lua_pushvalue(L, s.layers);
    lua_setfield(L, trace, "layers");
    if (!lua_isnil(L, s.gradient))
        add_gradients(L, &s, trace);
    return 1;
}
