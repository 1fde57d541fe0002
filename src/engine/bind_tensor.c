/* Tensors in Lua: making them, their elements, the type. Elements count from 1 here; axes are named, or counted from the end. */
#include <math.h>
#include <string.h>

#include "engine/bind_precision.h"
#include "engine/bind_tensor.h"
#include "engine/files.h"

static const char TENSOR[] = "tensor", SHAPE[] = "shape";
enum { COLLECT_SHARE = 8 /* of the memory may become garbage before it is collected */, NESTING_MAX = TENSOR_RANK_MAX };

struct box {
    struct tensor *tensor;
    bool frozen;  /* a fact, or a view of one */
    bool awaited; /* it has no tensor yet: user value 1 is the file that it comes from */
};

int raise_error(lua_State *L, const struct error *err)
{
    return luaL_error(L, "%s", err->text);
}

static struct box *box_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, TENSOR);
}

bool tensor_is(lua_State *L, int index)
{
    return box_test(L, index) != NULL;
}

int tensor_arrive(lua_State *L, int index, struct error *err)
{
    struct box *box = box_test(L, index);
    if (!box || !box->awaited)
        return 0;
    lua_getiuservalue(L, index, 1);
    const char *name = files_name_of(L, lua_gettop(L));
    int status = files_loading(engine_of(L))
                     ? error_set(err, "tensor.load \"%s\" has no elements while the lesson is being loaded; use it in a function", name)
                     : files_array(engine_of(L), name, &box->tensor, err);
    lua_pop(L, 1);
    box->awaited = status != 0;
    return status || engine_of(L)->learners ? status : tensor_track(box->tensor, err);
}

struct tensor *tensor_test(lua_State *L, int index)
{
    struct box *box = box_test(L, index);
    struct error err;
    if (box && tensor_arrive(L, index, &err))
        raise_error(L, &err);
    return box ? box->tensor : NULL;
}

/* The name of the method that is running, where no function of `tensor` is the same; NULL: it is none. */
static const char *running_method(lua_State *L)
{
    lua_Debug call;
    int top = lua_gettop(L);
    const char *name = NULL;
    if (!lua_getstack(L, 0, &call) || !lua_getinfo(L, "f", &call) || lua_tocfunction(L, -1) == tensor_times)
        return NULL;
    luaL_getmetatable(L, TENSOR);
    lua_getfield(L, -1, "__index");
    lua_getupvalue(L, -1, 1);
    lua_pushnil(L);
    while (!name && lua_next(L, top + 4)) {
        if (lua_rawequal(L, -1, top + 1))
            name = lua_tostring(L, -2);
        lua_pop(L, 1);
    }
    lua_settop(L, top);
    return name;
}

/* A method called with a dot does not get its tensor. Said is what was written, as far as it is a short name or a number. */
static int refuse_dot(lua_State *L, const char *method)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    enum { LONGEST = 20 };
    int count = lua_gettop(L), type = lua_type(L, 1);
    size_t length = 0;
    const char *text = type == LUA_TSTRING || type == LUA_TNUMBER ? luaL_tolstring(L, 1, &length) : "";
    const char *given = count == 0 ? "" : "…";
    if (count == 1 && length > 0 && length <= LONGEST && strspn(text, letters) == length)
        given = lua_pushfstring(L, type == LUA_TSTRING ? "\"%s\"" : "%s", text);
    return luaL_error(L, "`x.%s(%s)` should be `x:%s(%s)`: the colon hands it the tensor", method, given, method, given);
}

struct tensor *tensor_check(lua_State *L, int index)
{
    const char *method = index == 1 && !box_test(L, 1) ? running_method(L) : NULL;
    if (method)
        refuse_dot(L, method);
    luaL_checkudata(L, index, TENSOR);
    struct tensor *x = tensor_test(L, index);
    if (!x)
        luaL_error(L, "this tensor is gone");
    return x;
}

struct tensor **tensor_push(lua_State *L)
{
    struct box *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (struct box){ 0 };
    luaL_setmetatable(L, TENSOR);
    return &box->tensor;
}

void tensor_push_awaited(lua_State *L)
{
    struct box *box = lua_newuserdatauv(L, sizeof *box, 1);
    *box = (struct box){ .frozen = true, .awaited = true };
    luaL_setmetatable(L, TENSOR);
    lua_insert(L, -2);
    lua_setiuservalue(L, -2, 1);
}

struct tensor **tensor_slot(lua_State *L, int index)
{
    return &box_test(L, index)->tensor;
}

void tensor_leaf(lua_State *L, int index)
{
    struct box *box = box_test(L, index);
    struct error err;
    if (box && box->tensor && !engine_of(L)->learners && tensor_track(box->tensor, &err))
        raise_error(L, &err);
}

void tensor_collect_later(struct engine *engine)
{
    size_t room = engine->limits.memory > engine->used ? engine->limits.memory - engine->used : 0;
    size_t more = engine->tensor_bytes + engine->limits.memory / COLLECT_SHARE;
    engine->tensor_collect_at = engine->tensor_bytes + (more < room / 2 ? more : room / 2);
}

void tensor_made(lua_State *L)
{
    struct engine *engine = engine_of(L);
    if (engine->tensor_bytes > engine->tensor_collect_at) {
        lua_gc(L, LUA_GCCOLLECT);
        tensor_collect_later(engine);
    }
}

bool tensor_frozen(lua_State *L, int index)
{
    struct box *box = box_test(L, index);
    return box && box->frozen;
}

void tensor_freeze(lua_State *L, int index)
{
    struct box *box = box_test(L, index);
    if (box)
        box->frozen = true;
}

int tensor_done(lua_State *L, int status, const struct error *err)
{
    if (status)
        return raise_error(L, err);
    tensor_made(L);
    return 1;
}

/* ---- shapes ---- */

static int shape_equal(lua_State *L)
{
    size_t count = lua_rawlen(L, 1);
    bool same = count == lua_rawlen(L, 2);
    for (size_t i = 1; same && i <= count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i);
        lua_rawgeti(L, 2, (lua_Integer)i);
        same = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    lua_pushboolean(L, same);
    return 1;
}

static void shape_push(lua_State *L, const size_t *extents, int rank)
{
    lua_createtable(L, rank, 0);
    for (int axis = 0; axis < rank; axis++) {
        lua_pushinteger(L, (lua_Integer)extents[axis]);
        lua_rawseti(L, -2, axis + 1);
    }
    luaL_setmetatable(L, SHAPE);
}

bool shape_test(lua_State *L, int index)
{
    bool same = false;
    if (lua_type(L, index) == LUA_TTABLE && lua_getmetatable(L, index)) {
        luaL_getmetatable(L, SHAPE);
        same = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    return same;
}

static int read_extents(lua_State *L, int index, size_t *extents)
{
    luaL_checktype(L, index, LUA_TTABLE);
    size_t rank = lua_rawlen(L, index);
    if (rank < 1 || rank > TENSOR_RANK_MAX)
        return luaL_error(L, "a shape has 1 to %d sizes, not %d", TENSOR_RANK_MAX, (int)rank);
    for (size_t i = 0; i < rank; i++) {
        int whole;
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        lua_Integer n = lua_tointegerx(L, -1, &whole);
        if (!whole || n < 0)
            return luaL_error(L, "size %d of the shape is not a whole number from 0 on", (int)i + 1);
        extents[i] = (size_t)n;
        lua_pop(L, 1);
    }
    return (int)rank;
}

/* The names at `index`, or NULL where there are none. */
static const char *const *read_names(lua_State *L, int index, int rank, const char **names)
{
    if (lua_isnoneornil(L, index))
        return NULL;
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_rawlen(L, index) != (size_t)rank)
        luaL_error(L, "%d axis names for %d axes", (int)lua_rawlen(L, index), rank);
    for (int i = 0; i < rank; i++) {
        lua_rawgeti(L, index, i + 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "axis name %d is not a string", i + 1);
        names[i] = lua_tostring(L, -1); /* kept by the table at index */
        lua_pop(L, 1);
    }
    return names;
}

/* ---- making ---- */

static void measure(lua_State *L, int index, size_t *extents, int *rank)
{
    *rank = 0;
    lua_pushvalue(L, index);
    while (lua_type(L, -1) == LUA_TTABLE) {
        if (*rank == NESTING_MAX)
            luaL_error(L, "a tensor has at most %d axes", TENSOR_RANK_MAX);
        extents[(*rank)++] = lua_rawlen(L, -1);
        lua_rawgeti(L, -1, 1);
        lua_remove(L, -2);
    }
    lua_pop(L, 1);
}

static void fill(lua_State *L, struct tensor *x, int axis, const size_t *extents, int rank, size_t *position)
{
    luaL_checkstack(L, 3, NULL);
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != extents[axis])
        luaL_error(L, "rows of different lengths: %d and %d", (int)extents[axis],
                   lua_type(L, -1) == LUA_TTABLE ? (int)lua_rawlen(L, -1) : 1);
    for (size_t i = 1; i <= extents[axis]; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        if (axis + 1 < rank) {
            fill(L, x, axis + 1, extents, rank, position);
        } else {
            int number;
            double value = lua_tonumberx(L, -1, &number);
            if (tensor_is(L, -1))
                luaL_error(L, "element %d is a tensor, not a number; tensor.stack { x, … } puts tensors together", (int)*position + 1);
            if (!number || lua_type(L, -1) != LUA_TNUMBER)
                luaL_error(L, "element %d is not a number but a %s", (int)*position + 1, luaL_typename(L, -1));
            tensor_set_flat(x, (*position)++, value);
        }
        lua_pop(L, 1);
    }
}

static int make(lua_State *L) /* tensor(table [, names]); the callee itself is argument 1 */
{
    size_t extents[TENSOR_RANK_MAX], position = 0;
    const char *names[TENSOR_RANK_MAX];
    int rank;
    struct error err;
    lua_settop(L, 3);
    if (tensor_test(L, 2)) {
        struct tensor **out = tensor_push(L);
        const char *const *given = read_names(L, 3, tensor_rank(tensor_check(L, 2)), names);
        return tensor_done(L, given ? tensor_rename(out, tensor_check(L, 2), given, &err) : tensor_copy(out, tensor_check(L, 2), &err), &err);
    }
    if (lua_type(L, 2) != LUA_TTABLE)
        return luaL_error(L, "tensor needs a list of numbers, not a %s", luaL_typename(L, 2));
    measure(L, 2, extents, &rank);
    struct tensor **out = tensor_push(L);
    if (tensor_new(out, &engine_of(L)->memory, rank, extents, read_names(L, 3, rank, names), &err))
        return raise_error(L, &err);
    lua_pushvalue(L, 2);
    fill(L, *out, 0, extents, rank, &position);
    lua_pop(L, 1);
    tensor_leaf(L, -1);
    tensor_made(L);
    return 1;
}

int tensor_of_list(lua_State *L)
{
    if (lua_type(L, -1) != LUA_TTABLE)
        return LUA_OK;
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    lua_getfield(L, -1, "tensor");
    lua_remove(L, -2);
    lua_insert(L, -2);
    return lua_pcall(L, 1, 1, 0);
}

static int make_full(lua_State *L, int shape, double value, int names_at)
{
    size_t extents[TENSOR_RANK_MAX];
    const char *names[TENSOR_RANK_MAX];
    struct error err;
    lua_settop(L, names_at);
    int rank = read_extents(L, shape, extents);
    struct tensor **out = tensor_push(L);
    if (tensor_new(out, &engine_of(L)->memory, rank, extents, read_names(L, names_at, rank, names), &err))
        return raise_error(L, &err);
    if (value != 0 || isnan(value)) {
        size_t count = tensor_count(*out);
        for (size_t i = 0; i < count; i++)
            tensor_set_flat(*out, i, value);
    }
    tensor_leaf(L, -1);
    tensor_made(L);
    return 1;
}

static int make_zeros(lua_State *L)
{
    return make_full(L, 1, 0, 2);
}

static int make_ones(lua_State *L)
{
    return make_full(L, 1, 1, 2);
}

static int make_filled(lua_State *L)
{
    return make_full(L, 1, luaL_checknumber(L, 2), 3);
}

static int make_stack(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t count = lua_rawlen(L, 1);
    if (count < 1 || count > 4096)
        return luaL_error(L, "tensor.stack needs 1 to 4096 tensors, not %d", (int)count);
    const struct tensor **parts = lua_newuserdatauv(L, count * sizeof *parts, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        parts[i] = tensor_test(L, -1);
        if (!parts[i])
            return luaL_error(L, "part %d of tensor.stack is not a tensor but a %s", (int)i + 1, luaL_typename(L, -1));
        lua_pop(L, 1);
    }
    struct error err;
    struct tensor **out = tensor_push(L);
    return tensor_done(L, tensor_stack(out, parts, count, &err), &err);
}

/* The shape that a tensor has, or that a list is. */
static int shape_argument(lua_State *L, int index, size_t *extents)
{
    const struct tensor *x = tensor_test(L, index);
    if (!x && lua_type(L, index) != LUA_TTABLE)
        return luaL_error(L, "tensor.broadcast needs two tensors or shapes, not a %s", luaL_typename(L, index));
    if (!x)
        return shape_test(L, index) && lua_rawlen(L, index) == 0 ? 0 : read_extents(L, index, extents);
    for (int axis = 0; axis < tensor_rank(x); axis++)
        extents[axis] = tensor_extent(x, axis);
    return tensor_rank(x);
}

static int broadcast(lua_State *L) /* tensor.broadcast(a, b) */
{
    size_t a[TENSOR_RANK_MAX], b[TENSOR_RANK_MAX], extents[TENSOR_RANK_MAX];
    lua_settop(L, 2);
    int a_rank = shape_argument(L, 1, a), b_rank = shape_argument(L, 2, b), rank;
    if (tensor_broadcast_shape(extents, &rank, a_rank, a, b_rank, b))
        shape_push(L, extents, rank);
    else
        lua_pushliteral(L, "error");
    return 1;
}

/* ---- elements ---- */

static size_t check_index(lua_State *L, int index, const struct tensor *x, int axis)
{
    int whole;
    lua_Integer i = lua_tointegerx(L, index, &whole);
    size_t extent = tensor_extent(x, axis);
    if (!whole)
        luaL_error(L, "an index is a whole number, not a %s", luaL_typename(L, index));
    if (i < 1 || (size_t)i > extent)
        luaL_error(L, "index %I is outside 1 to %I of axis %s", (LUAI_UACINT)i, (LUAI_UACINT)extent, tensor_axis_name(x, axis));
    return (size_t)i - 1;
}

/* Reads the list of indices at `index`; returns how many there are. */
static int read_index(lua_State *L, int index, const struct tensor *x, size_t *out)
{
    luaL_checktype(L, index, LUA_TTABLE);
    size_t count = lua_rawlen(L, index);
    if (count < 1 || count > (size_t)tensor_rank(x))
        return luaL_error(L, "%d indices for a tensor with %d axes", (int)count, tensor_rank(x));
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        out[i] = check_index(L, -1, x, (int)i);
        lua_pop(L, 1);
    }
    return (int)count;
}

/* Pushes x[i][j]…: a view, or a number when every axis has its index. */
static int push_element(lua_State *L, int self, const size_t *index, int count)
{
    const struct tensor *x = tensor_check(L, self);
    struct error err;
    if (count == tensor_rank(x)) {
        lua_pushnumber(L, (lua_Number)tensor_get(x, index));
        return 1;
    }
    bool frozen = box_test(L, self)->frozen;
    for (int i = 0; i < count; i++) {
        struct tensor **out = tensor_push(L);
        if (tensor_at(out, x, index[i], &err))
            return raise_error(L, &err);
        x = *out;
        box_test(L, -1)->frozen = frozen;
    }
    return 1;
}

static int element_at(lua_State *L) /* x:at(i, j, …) */
{
    const struct tensor *x = tensor_check(L, 1);
    size_t index[TENSOR_RANK_MAX];
    int count = lua_gettop(L) - 1;
    if (count < 1 || count > tensor_rank(x))
        return luaL_error(L, "%d indices for a tensor with %d axes", count, tensor_rank(x));
    for (int i = 0; i < count; i++)
        index[i] = check_index(L, i + 2, x, i);
    return push_element(L, 1, index, count);
}

static void write_at(lua_State *L, struct tensor *x, const size_t *index, int count, int value)
{
    struct error err;
    int rank = tensor_rank(x);
    if (count == rank) {
        tensor_set(x, index, luaL_checknumber(L, value));
        return;
    }
    const struct tensor *from = tensor_check(L, value);
    struct tensor *part = x;
    for (int i = 0; i < count; i++) {
        struct tensor **out = tensor_push(L);
        if (tensor_at(out, part, index[i], &err))
            raise_error(L, &err);
        part = *out;
    }
    if (!tensor_same_shape(part, from)) {
        char a[TENSOR_SHAPE_TEXT], b[TENSOR_SHAPE_TEXT];
        luaL_error(L, "cannot put %s where %s stands", tensor_shape_text(from, a), tensor_shape_text(part, b));
    }
    size_t elements = tensor_count(from);
    for (size_t i = 0; i < elements; i++)
        tensor_set_flat(part, i, (double)tensor_get_flat(from, i));
}

static int element_with(lua_State *L) /* x:with({ i, j }, v): a copy */
{
    size_t index[TENSOR_RANK_MAX];
    struct error err;
    const struct tensor *x = tensor_check(L, 1);
    int count = read_index(L, 2, x, index);
    bool number = count == tensor_rank(x);
    const struct tensor *part = number ? NULL : tensor_check(L, 3);
    double value = number ? luaL_checknumber(L, 3) : 0;
    struct tensor **out = tensor_push(L);
    return tensor_done(L, tensor_with(out, x, index, count, part, value, &err), &err);
}

static int element_set(lua_State *L) /* x:set({ i, j }, v) */
{
    size_t index[TENSOR_RANK_MAX];
    if (box_test(L, 1) && box_test(L, 1)->frozen)
        return luaL_error(L, "this tensor is a fact of the lesson and cannot be changed; x:with{…} makes a changed copy");
    int count = read_index(L, 2, tensor_check(L, 1), index);
    if (tensor_recorded(tensor_check(L, 1)))
        return luaL_error(L, "this tensor has been computed with, and gradients may be asked for: it cannot be changed; x:with{…} makes a changed copy");
    write_at(L, tensor_check(L, 1), index, count, 3);
    lua_settop(L, 1);
    return 1;
}

static int equal(lua_State *L)
{
    const struct tensor *a = tensor_test(L, 1), *b = tensor_test(L, 2);
    bool same = a && b && tensor_same_shape(a, b);
    size_t count = same ? tensor_count(a) : 0;
    for (size_t i = 0; same && i < count; i++)
        same = tensor_get_flat(a, i) == tensor_get_flat(b, i);
    lua_pushboolean(L, same);
    return 1;
}

/* ---- the type ---- */

static int index_tensor(lua_State *L)
{
    const struct tensor *x = tensor_check(L, 1);
    if (lua_type(L, 2) == LUA_TNUMBER) {
        if (tensor_rank(x) == 0)
            return luaL_error(L, "a tensor without axes has no elements to choose from");
        size_t index = check_index(L, 2, x, 0);
        return push_element(L, 1, &index, 1);
    }
    const char *key = luaL_checkstring(L, 2);
    if (!strcmp(key, "shape")) {
        size_t extents[TENSOR_RANK_MAX];
        for (int axis = 0; axis < tensor_rank(x); axis++)
            extents[axis] = tensor_extent(x, axis);
        shape_push(L, extents, tensor_rank(x));
        return 1;
    }
    if (!strcmp(key, "type")) {
        lua_pushstring(L, tensor_type_name(tensor_type(x)));
        return 1;
    }
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    if (lua_isnil(L, -1))
        return raise_unknown(L, "method of a tensor", key, lua_upvalueindex(1));
    return 1;
}

static int refuse_assignment(lua_State *L)
{
    return luaL_error(L, "a tensor's elements are not assigned; x:with({ i, j }, v) makes a changed copy");
}

static int length(lua_State *L)
{
    const struct tensor *x = tensor_check(L, 1);
    lua_pushinteger(L, tensor_rank(x) ? (lua_Integer)tensor_extent(x, 0) : 0);
    return 1;
}

static int collect(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, TENSOR);
    tensor_free(box->tensor);
    box->tensor = NULL;
    return 0;
}

void bind_tensor(lua_State *L)
{
    static const luaL_Reg methods[] = { { "at", element_at }, { "with", element_with }, { "set", element_set }, { "cast", tensor_to_type }, { NULL, NULL } };
    static const luaL_Reg type[] = { { "__eq", equal }, { "__len", length }, { "__newindex", refuse_assignment }, { "__gc", collect },
                                     { NULL, NULL } };
    static const luaL_Reg functions[] = { { "zeros", make_zeros }, { "ones", make_ones }, { "full", make_filled },
                                          { "stack", make_stack }, { "matmul", tensor_times }, { "broadcast", broadcast }, { NULL, NULL } };
    luaL_newmetatable(L, TENSOR);
    luaL_setfuncs(L, type, 0);
    luaL_setfuncs(L, tensor_operators, 0);
    luaL_newlib(L, methods);
    luaL_setfuncs(L, tensor_reductions, 0);
    luaL_setfuncs(L, tensor_rearrangings, 0);
    lua_pushcclosure(L, index_tensor, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);

    luaL_newmetatable(L, SHAPE);
    lua_pushcfunction(L, shape_equal);
    lua_setfield(L, -2, "__eq");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);

    luaL_newlib(L, functions);
    lua_newtable(L);
    lua_pushcfunction(L, make);
    lua_setfield(L, -2, "__call");
    lua_setmetatable(L, -2);
}
