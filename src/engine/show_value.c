/* Any Lua value as a person reads it: in holes, in print and in tostring. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/internal.h"

enum { ELEMENTS_SHOWN = 16, DEPTH_MAX = 8, LIST_BYTES_MAX = 1 << 16 /* of lists of lists, roughly */ };

static void show_number(lua_State *L, int index, const char *format, struct strbuf *out)
{
    char text[NUMBER_TEXT];
    if (!format) {
        if (lua_isinteger(L, index))
            snprintf(text, sizeof text, LUA_INTEGER_FMT, lua_tointeger(L, index));
        else
            number_text(text, lua_tonumber(L, index));
        strbuf_add(out, text);
    } else if (isdigit((unsigned char)format[0]) && !format[1 + (format[1] && isdigit((unsigned char)format[1]))]) {
        number_places(text, lua_tonumber(L, index), atoi(format));
        strbuf_add(out, text);
    } else {
        lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.format");
        lua_pushfstring(L, "%%%s", format);
        lua_pushvalue(L, index);
        lua_call(L, 2, 1);
        strbuf_add(out, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
}

/* One row, with the same places throughout. */
static void show_row(lua_State *L, const double *values, size_t count, const char *format, struct strbuf *out)
{
    int places = number_common_places(values, count);
    char text[NUMBER_TEXT];
    strbuf_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            strbuf_add(out, ", ");
        if (format) {
            lua_pushnumber(L, values[i]);
            show_number(L, lua_gettop(L), format, out);
            lua_pop(L, 1);
            continue;
        }
        if (places < 0)
            number_text(text, values[i]);
        else
            number_places(text, values[i], places);
        strbuf_add(out, text);
    }
    strbuf_add(out, "]");
}

static void show_rows(lua_State *L, const struct tensor *x, int axis, size_t *position, const char *format,
                      struct strbuf *out)
{
    size_t extent = tensor_extent(x, axis);
    if (axis == tensor_rank(x) - 1) {
        double values[ELEMENTS_SHOWN];
        for (size_t i = 0; i < extent; i++)
            values[i] = (double)tensor_get_flat(x, (*position)++);
        show_row(L, values, extent, format, out);
        return;
    }
    strbuf_add(out, "[");
    for (size_t i = 0; i < extent; i++) {
        if (i)
            strbuf_add(out, ", ");
        show_rows(L, x, axis + 1, position, format, out);
    }
    strbuf_add(out, "]");
}

static void show_tensor(lua_State *L, const struct tensor *x, const char *format, struct strbuf *out)
{
    size_t count = tensor_count(x), position = 0;
    if (count == 0 || count > ELEMENTS_SHOWN) {
        char shape[TENSOR_SHAPE_TEXT];
        strbuf_addf(out, "tensor %s", tensor_shape_text(x, shape));
    } else if (tensor_rank(x) == 0) {
        lua_pushnumber(L, (lua_Number)tensor_get_flat(x, 0));
        show_number(L, lua_gettop(L), format, out);
        lua_pop(L, 1);
    } else {
        show_rows(L, x, 0, &position, format, out);
    }
    if (tensor_type(x) != TENSOR_FLOAT32)
        strbuf_addf(out, " %s", tensor_type_name(tensor_type(x)));
}

/* `limit`: where lists within lists come to an end. */
static void show_list(lua_State *L, int index, const char *format, struct strbuf *out, int depth, size_t limit);

static void show(lua_State *L, int index, const char *format, struct strbuf *out, int depth, size_t limit)
{
    const struct tensor *x;
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        show_number(L, index, format, out);
        break;
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        strbuf_addn(out, text, length);
        break;
    }
    case LUA_TBOOLEAN:
        strbuf_add(out, lua_toboolean(L, index) ? "true" : "false");
        break;
    case LUA_TUSERDATA:
        x = tensor_test(L, index);
        if (x)
            show_tensor(L, x, format, out);
        else if (file_test(L, index))
            strbuf_add(out, luaL_tolstring(L, index, NULL));
        else
            strbuf_add(out, luaL_getmetafield(L, index, "__name") == LUA_TSTRING ? lua_tostring(L, -1) : "userdata");
        lua_settop(L, top);
        break;
    case LUA_TTABLE:
        if (depth < DEPTH_MAX && (shape_test(L, index) || out->length < limit))
            show_list(L, index, format, out, depth, limit);
        else
            strbuf_add(out, "…");
        break;
    default:
        strbuf_add(out, lua_typename(L, lua_type(L, index)));
    }
}

/* Lists print as rows do, shapes in parentheses; a table without a list in it is just "table". */
static void show_list(lua_State *L, int index, const char *format, struct strbuf *out, int depth, size_t limit)
{
    bool shape = shape_test(L, index);
    size_t count = lua_rawlen(L, index);
    if (!count && !shape) {
        strbuf_add(out, "table");
        return;
    }
    bool numbers = !shape;
    double values[ELEMENTS_SHOWN];
    for (size_t i = 0; numbers && i < count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        numbers = i < ELEMENTS_SHOWN && lua_type(L, -1) == LUA_TNUMBER;
        if (numbers)
            values[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    if (numbers) {
        show_row(L, values, count, format, out);
        return;
    }
    strbuf_add(out, shape ? "(" : "[");
    size_t shown = 0;
    for (; shown < count && shown < 4 * ELEMENTS_SHOWN && (!shown || out->length < limit); shown++) {
        if (shown)
            strbuf_add(out, ", ");
        lua_rawgeti(L, index, (lua_Integer)shown + 1);
        show(L, -1, format, out, depth + 1, limit);
        lua_pop(L, 1);
    }
    if (shown < count)
        strbuf_add(out, ", …");
    strbuf_add(out, shape && count == 1 ? ",)" : shape ? ")" : "]");
}

static int free_buffer(lua_State *L)
{
    strbuf_free(luaL_checkudata(L, 1, "normtutor.buffer"));
    return 0;
}

struct strbuf *strbuf_push(lua_State *L)
{
    struct strbuf *buf = lua_newuserdatauv(L, sizeof *buf, 0);
    *buf = (struct strbuf){ 0 };
    if (luaL_newmetatable(L, "normtutor.buffer")) {
        lua_pushcfunction(L, free_buffer);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return buf;
}

bool value_readable(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
    case LUA_TBOOLEAN: return true;
    case LUA_TUSERDATA: return tensor_test(L, index) || file_test(L, index);
    case LUA_TTABLE:
        if (lua_rawlen(L, index) > 0 || shape_test(L, index))
            return true;
        if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL)
            return false;
        lua_pop(L, 1);
        return true;
    default: return false;
    }
}

const char *type_word(lua_State *L, int index)
{
    const struct construct *construct = construct_test(L, index);
    if (construct)
        return construct_name(construct->kind);
    if (tensor_is(L, index))
        return "tensor";
    return lua_isnoneornil(L, index) ? _("nil value") : lua_typename(L, lua_type(L, index));
}

void value_text(lua_State *L, int index, const char *format, struct strbuf *out)
{
    luaL_checkstack(L, 4 * DEPTH_MAX, "value too deep");
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    if (lua_type(L, index) == LUA_TTABLE && luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
        lua_pushvalue(L, index);
        lua_call(L, 1, 1);
        if (lua_type(L, -1) == LUA_TSTRING)
            strbuf_add(out, lua_tostring(L, -1));
        lua_settop(L, top);
        return;
    }
    show(L, index, format, out, 0, out->length + LIST_BYTES_MAX);
    lua_settop(L, top);
}
