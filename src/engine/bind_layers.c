/* nn: the layers of a transformer block. */
#include <string.h>

#include "engine/bind_nn.h"
#include "engine/bind_tensor.h"

static const double EPS_DEFAULT = 1e-5;

/* ---- functions of each element ---- */

static int unary(lua_State *L, enum tensor_unary op)
{
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    struct tensor **out = tensor_push(L);
    return tensor_done(L, tensor_unary(out, op, x, &err), &err);
}

static int gelu_exact(lua_State *L) { return unary(L, TENSOR_GELU); }
static int gelu_by_tanh(lua_State *L) { return unary(L, TENSOR_GELU_TANH); }
/* nn.relu(x): max(x, 0); its slope at 0 is 0. */
static int relu(lua_State *L) { return unary(L, TENSOR_RELU); }
/* nn.silu(x): x / (1 + e^-x) (Elfwing, Uchibe, Doya 2017). */
static int silu(lua_State *L) { return unary(L, TENSOR_SILU); }
static int tangent(lua_State *L) { return unary(L, TENSOR_TANH); }

/* nn.gelu(x, { approximate = "none" or "tanh" }): x times the chance that a standard normal is below it, by erf or by tanh
   (Hendrycks, Gimpel 2016). Without x, nn.gelu { approximate = … } is that function. */
static int gelu(lua_State *L)
{
    static const char *const known[] = { "approximate" };
    int options = tensor_test(L, 1) ? 2 : 1;
    lua_settop(L, 2);
    const char *by = "none";
    if (!lua_isnil(L, options)) {
        luaL_checktype(L, options, LUA_TTABLE);
        check_keys(L, options, "option of nn.gelu", known, 1);
        if (lua_getfield(L, options, "approximate") != LUA_TNIL)
            by = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    }
    bool tanh_form = !strcmp(by, "tanh");
    if (!tanh_form && strcmp(by, "none"))
        return luaL_error(L, "nn.gelu: `approximate` must be \"none\" or \"tanh\"");
    if (options == 2)
        return tanh_form ? gelu_by_tanh(L) : gelu_exact(L);
    lua_pushcfunction(L, tanh_form ? gelu_by_tanh : gelu_exact);
    return 1;
}

/* nn.softmax(x, axes): e^(x - max) over the sum of them, over the last axis or those named. */
static int softmax(lua_State *L)
{
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    lua_settop(L, 2);
    if (tensor_rank(x) == 0)
        return luaL_error(L, "softmax needs at least one axis");
    tensor_axes axes = axes_argument(L, 2, x, (tensor_axes)1 << (tensor_rank(x) - 1));
    struct tensor **out = tensor_push(L);
    return tensor_done(L, tensor_softmax(out, x, axes, &err), &err);
}

/* ---- linear ---- */

/* Pushes x weight^T + bias. */
static void push_linear(lua_State *L, const struct tensor *x, const struct tensor *weight, const struct tensor *bias)
{
    struct error err;
    struct tensor **out = tensor_push(L);
    tensor_done(L, tensor_linear(out, x, weight, bias, &err), &err);
}

/* nn.linear(x, weight, bias): x weight^T + bias in the last axis, weight (out, in) as PyTorch's, bias (out,) or none; the result
   has x's axis names. */
static int linear(lua_State *L)
{
    lua_settop(L, 3);
    const struct tensor *x = tensor_check(L, 1), *weight = tensor_check(L, 2);
    push_linear(L, x, weight, lua_isnil(L, 3) ? NULL : tensor_check(L, 3));
    return 1;
}

/* Pushes the linear layer of the tensor at x that the options name: a weight, or { weight, bias }; x itself where they do not. */
static const struct tensor *push_named_linear(lua_State *L, int options, const char *name, int x)
{
    int top = lua_gettop(L), type = lua_getfield(L, options, name);
    const struct tensor *weight = tensor_test(L, -1), *bias = NULL;
    if (type == LUA_TTABLE) {
        lua_rawgeti(L, top + 1, 1);
        lua_rawgeti(L, top + 1, 2);
        weight = tensor_test(L, top + 2);
        bias = tensor_test(L, top + 3);
        if (!bias && !lua_isnil(L, top + 3))
            luaL_error(L, "`%s`: the bias must be a tensor, not a %s", name, luaL_typename(L, top + 3));
    }
    if (type == LUA_TNIL)
        lua_pushvalue(L, x);
    else if (!weight)
        luaL_error(L, "`%s` must be a weight, or { weight, bias }, not a %s", name, luaL_typename(L, top + 1));
    else
        push_linear(L, tensor_check(L, x), weight, bias);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return tensor_test(L, top + 1);
}

static void read_table(lua_State *L, int index, const char *what, const char *const *known, size_t count)
{
    if (lua_isnil(L, index)) {
        lua_newtable(L);
        lua_replace(L, index);
    }
    luaL_checktype(L, index, LUA_TTABLE);
    check_keys(L, index, what, known, count);
}

/* ---- attention ---- */

/* nn.attention(x, { heads = 1, causal = true, query =, key =, value =, out = }): scaled dot-product attention of the tokens to each
   other (Vaswani et al. 2017), x (…, token, feature). query, key, value and out are weights (out, in) or { weight, bias }; one
   that is missing leaves its tensor as it is. Returns the result and the weights (…, head, query, key). */
static int attention(lua_State *L)
{
    static const char *const known[] = { "heads", "causal", "query", "key", "value", "out" };
    struct error err;
    struct tensor_attention made;
    int whole = 1;
    tensor_check(L, 1);
    lua_settop(L, 2);
    read_table(L, 2, "option of nn.attention", known, 6);
    lua_Integer heads = lua_getfield(L, 2, "heads") == LUA_TNIL ? 1 : lua_tointegerx(L, -1, &whole);
    if (!whole || heads < 1)
        return luaL_error(L, "nn.attention: `heads` must be a whole number from 1 on");
    bool causal = lua_getfield(L, 2, "causal") == LUA_TNIL || lua_toboolean(L, -1);
    const struct tensor *query = push_named_linear(L, 2, "query", 1), *key = push_named_linear(L, 2, "key", 1);
    const struct tensor *value = push_named_linear(L, 2, "value", 1);
    struct tensor **y = tensor_push(L);
    int at = lua_gettop(L);
    struct tensor **weights = tensor_push(L);
    if (tensor_attention(&made, query, key, value, (size_t)heads, causal, &err))
        return raise_error(L, &err);
    *y = made.y;
    *weights = made.weights;
    push_named_linear(L, 2, "out", at);
    lua_pushvalue(L, at + 1);
    tensor_made(L);
    return 2;
}

/* ---- feed-forward ---- */

/* Pushes what the function named, or given, under `activation` makes of the tensor at the top, which it replaces. */
static void activate(lua_State *L, int options)
{
    static const luaL_Reg functions[] = { { "gelu", gelu_exact }, { "gelu_tanh", gelu_by_tanh }, { "relu", relu }, { "silu", silu },
                                          { "tanh", tangent }, { NULL, NULL } };
    int type = lua_getfield(L, options, "activation");
    const char *name = type == LUA_TNIL ? "gelu" : type == LUA_TSTRING ? lua_tostring(L, -1) : "";
    const luaL_Reg *function = functions;
    while (function->name && strcmp(function->name, name))
        function++;
    if (type != LUA_TFUNCTION) {
        if (!function->name)
            luaL_error(L, "`activation` must be \"gelu\", \"gelu_tanh\", \"relu\", \"silu\", \"tanh\" or a function");
        lua_pop(L, 1);
        lua_pushcfunction(L, function->func);
    }
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    if (!tensor_test(L, -1))
        luaL_error(L, "`activation` must return a tensor, not a %s", luaL_typename(L, -1));
}

/* nn.feed_forward(x, { up =, down =, activation = "gelu" }): down(activation(up(x))), up and down as attention's weights. */
static int feed_forward(lua_State *L)
{
    static const char *const known[] = { "up", "down", "activation" };
    tensor_check(L, 1);
    lua_settop(L, 2);
    read_table(L, 2, "option of nn.feed_forward", known, 3);
    push_named_linear(L, 2, "up", 1);
    activate(L, 2);
    push_named_linear(L, 2, "down", lua_gettop(L));
    return 1;
}

/* ---- a residual block ---- */

struct block {
    enum stack_order order;
    bool rms;
    double eps;
    int options, sublayers, norms; /* stack indices; norms: nil without */
};

/* Pushes the norm of the tensor at x, by the scale and bias of the table at the top, if it is one, which it replaces. */
static void push_norm(lua_State *L, const struct block *block, int x)
{
    static const char *const known[] = { "scale", "bias" };
    const struct tensor *scale = NULL, *bias = NULL;
    int with = lua_gettop(L);
    if (lua_type(L, with) == LUA_TTABLE) {
        check_keys(L, with, "key of a norm", known, 2);
        scale = tensor_option(L, with, "scale");
        bias = tensor_option(L, with, "bias");
    }
    nn_push_normed(L, tensor_check(L, x), block->rms, block->eps, scale, bias);
    lua_replace(L, with);
    lua_settop(L, with);
}

static void push_norm_of(lua_State *L, const struct block *block, int x, int sublayer)
{
    if (lua_istable(L, block->norms))
        lua_rawgeti(L, block->norms, sublayer);
    else
        lua_pushnil(L);
    push_norm(L, block, x);
}

static void read_block(lua_State *L, struct block *block)
{
    static const char *const known[] = { "order", "sublayers", "norm", "norms", "final_norm", "eps" };
    luaL_checktype(L, block->options, LUA_TTABLE);
    check_keys(L, block->options, "option of nn.block", known, 6);
    lua_getfield(L, block->options, "order");
    if (!stack_order_read(L, -1, &block->order))
        luaL_error(L, "nn.block: `order` must be \"pre\", \"post\" or \"none\"");
    lua_getfield(L, block->options, "norm");
    const char *norm = lua_isnil(L, -1) ? "layer" : lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    block->rms = !strcmp(norm, "rms");
    if (!block->rms && strcmp(norm, "layer"))
        luaL_error(L, "nn.block: `norm` must be \"layer\" or \"rms\"");
    if (lua_getfield(L, block->options, "eps") != LUA_TNIL && lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "nn.block: `eps` must be a number, not a %s", luaL_typename(L, -1));
    block->eps = lua_isnil(L, -1) ? EPS_DEFAULT : lua_tonumber(L, -1);
    if (lua_getfield(L, block->options, "sublayers") != LUA_TTABLE)
        luaL_error(L, "nn.block: `sublayers` must be a list of functions, not a %s", luaL_typename(L, -1));
    block->sublayers = lua_gettop(L);
    if (lua_getfield(L, block->options, "norms") != LUA_TNIL && !lua_istable(L, -1))
        luaL_error(L, "nn.block: `norms` must be a list of { scale =, bias = }, not a %s", luaL_typename(L, -1));
    block->norms = lua_gettop(L);
}

/* The stream at the top becomes what it is after the sublayer. */
static void run_sublayer(lua_State *L, const struct block *block, int sublayer)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    struct error err;
    int stream = lua_gettop(L);
    if (lua_rawgeti(L, block->sublayers, sublayer) != LUA_TFUNCTION)
        luaL_error(L, "nn.block: sublayer %d must be a function, not a %s", sublayer, luaL_typename(L, -1));
    if (block->order == STACK_PRE)
        push_norm_of(L, block, stream, sublayer);
    else
        lua_pushvalue(L, stream);
    lua_call(L, 1, 1);
    const struct tensor *x = tensor_check(L, stream), *update = tensor_test(L, -1);
    if (!update)
        luaL_error(L, "nn.block: sublayer %d must return a tensor, not a %s", sublayer, luaL_typename(L, -1));
    if (!tensor_same_shape(x, update))
        luaL_error(L, "nn.block: the update of sublayer %d is %s and the stream %s: their shapes must be the same", sublayer,
                   tensor_shape_text(update, theirs), tensor_shape_text(x, mine));
    struct tensor **sum = tensor_push(L);
    tensor_done(L, tensor_binary(sum, TENSOR_ADD, x, update, &err), &err);
    if (block->order == STACK_POST)
        push_norm_of(L, block, lua_gettop(L), sublayer);
    lua_replace(L, stream);
    lua_settop(L, stream);
}

/* nn.block(x, { order = "pre", "post" or "none", sublayers = { F, … }, norm = "layer" or "rms", eps = 1e-5, norms = { { scale =,
   bias = }, … }, final_norm = true or { scale =, bias = } }): for each sublayer in turn x + F(norm(x)), norm(x + F(x)) or x + F(x)
   (Vaswani et al. 2017; Xiong et al. 2020), and a norm at the end if it is asked for. */
static int block(lua_State *L)
{
    struct block block = { .options = 2 };
    tensor_check(L, 1);
    lua_settop(L, 2);
    luaL_checkstack(L, 30, NULL);
    read_block(L, &block);
    lua_pushvalue(L, 1);
    int count = (int)lua_rawlen(L, block.sublayers), stream = lua_gettop(L);
    for (int sublayer = 1; sublayer <= count; sublayer++)
        run_sublayer(L, &block, sublayer);
    lua_getfield(L, block.options, "final_norm");
    if (lua_toboolean(L, -1))
        push_norm(L, &block, stream);
    else
        lua_pop(L, 1);
    return 1;
}

const luaL_Reg nn_layers[] = { { "linear", linear }, { "gelu", gelu }, { "relu", relu }, { "silu", silu }, { "softmax", softmax },
                               { "attention", attention }, { "feed_forward", feed_forward }, { "block", block }, { NULL, NULL } };
