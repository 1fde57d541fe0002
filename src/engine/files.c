/* A lesson's files, and what they are as text. `file "x.lua"` is a stand-in while the lesson is being loaded, since what it declares is not known
   yet and the first request brings no files: fields that hold one get the text once loading is over, and in Lua code it can be
   used as the text from then on. Later `file` gives the text itself. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/visible.h"
#include "engine/files.h"

enum { TEXT_MAX = 256 << 10, CHUNK = 16 << 10, DEPTH_MAX = 8 };

static const char FILE_TYPE[] = "file"; /* of a userdata; user value 1: its name, 2: where it was asked for */
static const char ASKED[] = "normtutor.files_asked", TEXTS[] = "normtutor.file_texts";

bool files_loading(const struct engine *engine)
{
    return !engine->lesson.construct;
}

bool file_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, FILE_TYPE) != NULL;
}

const char *files_name_of(lua_State *L, int file)
{
    lua_getiuservalue(L, file, 1);
    const char *name = lua_tostring(L, -1); /* the file keeps it */
    lua_pop(L, 1);
    return name;
}

const struct request_file *files_find(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->file_count; i++)
        if (!strcmp(request->files[i].name, name))
            return &request->files[i];
    return NULL;
}

int files_missing(const char *name, struct error *err)
{
    return error_set(err, "there is no files/%s here: only a lesson declares `files`", name);
}

static int not_text(struct error *err, const char *name, const char *text, size_t length)
{
    for (size_t at = 0, line = 1; at < length;) {
        uint32_t rune;
        size_t taken = utf8_decode(text + at, length - at, &rune);
        if (!rune)
            return error_set(err, "files/%s is not a text: there is a NUL byte on its line %zu", name, line);
        if (rune == 0xFFFD && (taken != 3 || memcmp(text + at, "\xEF\xBF\xBD", 3)))
            return error_set(err, "files/%s is not a text: its line %zu is not UTF-8", name, line);
        line += rune == '\n';
        at += taken;
    }
    return 0;
}

/* Pushes the text of a file that came with the request. */
static int push_content(lua_State *L, const struct request_file *file, struct error *err)
{
    luaL_Buffer text;
    size_t length = 0;
    luaL_buffinit(L, &text);
    for (;;) {
        ssize_t n = pread(file->fd, luaL_prepbuffsize(&text, CHUNK), CHUNK, (off_t)length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(err, "files/%s cannot be read: %s", file->name, strerror(errno));
        luaL_addsize(&text, (size_t)n);
        length += (size_t)n;
        if (length > TEXT_MAX)
            return error_set(err, "files/%s is longer than the %d KiB that a text may have", file->name, TEXT_MAX >> 10);
        if (n == 0)
            break;
    }
    luaL_pushresult(&text);
    return not_text(err, file->name, lua_tostring(L, -1), length);
}

/* Pushes the text of a declared file, or -1; then the stack is as it was. */
static int push_text(struct engine *engine, const char *name, struct error *err)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, TEXTS);
    if (lua_getfield(L, -1, name) == LUA_TNIL) {
        const struct request_file *file = files_find(engine->request, name);
        lua_pop(L, 1);
        if (file ? push_content(L, file, err) : files_missing(name, err)) {
            lua_settop(L, top);
            return -1;
        }
        lua_pushvalue(L, -1);
        lua_setfield(L, top + 1, name);
    }
    lua_remove(L, top + 1);
    return 0;
}

static int raise_undeclared(lua_State *L, const char *where, const char *name, const char *const *declared, size_t count)
{
    const char *near = nearest_name(name, declared, count);
    if (near)
        return luaL_error(L, "%sthe lesson's `files` have no \"%s\"; did you mean \"%s\"?", where, name, near);
    return luaL_error(L, "%sthe lesson's `files` have no \"%s\"", where, name);
}

/* ---- in Lua code ---- */

/* The text of the stand-in at `index` of a C function's arguments, in its place. */
static void settle_argument(lua_State *L, int index)
{
    struct engine *engine = engine_of(L);
    struct error err;
    if (!file_test(L, index))
        return;
    if (files_loading(engine))
        luaL_error(L, "file \"%s\" has no text while the lesson is being loaded; use it in a function", files_name_of(L, index));
    if (push_text(engine, files_name_of(L, index), &err))
        raise_error(L, &err);
    lua_replace(L, index);
}

static int file_tostring(lua_State *L)
{
    settle_argument(L, 1);
    lua_settop(L, 1);
    return 1;
}

static int file_length(lua_State *L)
{
    settle_argument(L, 1);
    lua_pushinteger(L, luaL_len(L, 1));
    return 1;
}

static int file_concat(lua_State *L)
{
    lua_settop(L, 2);
    settle_argument(L, 1);
    settle_argument(L, 2);
    lua_concat(L, 2);
    return 1;
}

/* upvalue 1: a function of the table `string` */
static int call_method(lua_State *L)
{
    settle_argument(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int file_index(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    lua_getfield(L, -1, "string");
    lua_pushvalue(L, 2);
    lua_gettable(L, -2);
    lua_pushcclosure(L, call_method, 1);
    return 1;
}

const char *files_name(lua_State *L, int index)
{
    const struct engine *engine = engine_of(L);
    size_t length;
    const char *name = luaL_checklstring(L, index, &length);
    luaL_argcheck(L, strlen(name) == length, index, "a file's name has no NUL byte");
    const char *declared[REQUEST_FILES_MAX];
    const struct request *request = engine->request;
    for (size_t i = 0; i < request->file_count; i++)
        declared[i] = request->files[i].name;
    if (!files_loading(engine) && !files_find(request, name))
        raise_undeclared(L, "", name, declared, request->file_count);
    return name;
}

void files_stand_in(lua_State *L, int index)
{
    lua_newuserdatauv(L, 0, 2);
    luaL_setmetatable(L, FILE_TYPE);
    lua_pushvalue(L, index);
    lua_setiuservalue(L, -2, 1);
    luaL_where(L, 1);
    lua_setiuservalue(L, -2, 2);
    lua_getfield(L, LUA_REGISTRYINDEX, ASKED);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
}

static int file_ask(lua_State *L)
{
    struct engine *engine = engine_of(L);
    struct error err;
    const char *name = files_name(L, 1);
    if (files_loading(engine))
        files_stand_in(L, 1);
    else if (push_text(engine, name, &err))
        raise_error(L, &err);
    return 1;
}

void bind_files(lua_State *L, int globals)
{
    static const luaL_Reg meta[] = { { "__tostring", file_tostring }, { "__len", file_length }, { "__concat", file_concat },
                                     { "__index", file_index },       { NULL, NULL } };
    static const char *const tables[] = { ASKED, TEXTS };
    luaL_newmetatable(L, FILE_TYPE);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        lua_newtable(L);
        lua_setfield(L, LUA_REGISTRYINDEX, tables[i]);
    }
    lua_pushcfunction(L, file_ask);
    lua_setfield(L, globals, "file");
    lua_getfield(L, globals, "tensor");
    lua_pushcfunction(L, tensor_load);
    lua_setfield(L, -2, "load");
    lua_pop(L, 1);
}

/* ---- once the lesson is loaded ---- */

/* The names in `files`; 0 when it is no list of texts, of which check_lesson complains. */
static size_t take_declared(struct engine *engine, const char **names)
{
    lua_State *L = engine->L;
    const struct construct *where = engine->lesson.construct;
    size_t count = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
    if (lua_getfield(L, -1, "files") == LUA_TTABLE)
        for (size_t i = 1; i <= lua_rawlen(L, -1); i++) {
            size_t length;
            bool text = lua_rawgeti(L, -1, (lua_Integer)i) == LUA_TSTRING;
            const char *name = lua_tolstring(L, -1, &length); /* the lesson keeps it */
            lua_pop(L, 1);
            if (!text) {
                count = 0;
                break;
            }
            if (strlen(name) != length || !path_is_below(name))
                lesson_error(engine, lesson_line(engine, where, "files"), "lesson \"%s\": `files`: \"%s\" is not the name of a file below files/",
                             where->id, name);
            for (size_t n = 0; n < count; n++)
                if (!strcmp(names[n], name))
                    lesson_error(engine, lesson_line(engine, where, "files"), "lesson \"%s\": `files`: \"%s\" is listed twice", where->id, name);
            if (count == REQUEST_FILES_MAX)
                lesson_error(engine, lesson_line(engine, where, "files"), "lesson \"%s\": `files`: %d are the most", where->id, REQUEST_FILES_MAX);
            names[count++] = name;
        }
    lua_pop(L, 2);
    return count;
}

void files_take(struct engine *engine)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    const char *declared[REQUEST_FILES_MAX];
    size_t count = take_declared(engine, declared);
    lua_getfield(L, LUA_REGISTRYINDEX, ASKED);
    for (size_t i = 1; i <= lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        const char *name = files_name_of(L, -1);
        bool known = false;
        for (size_t n = 0; n < count && !known; n++)
            known = !strcmp(declared[n], name);
        if (!known) {
            lua_getiuservalue(L, -1, 2);
            raise_undeclared(L, lua_tostring(L, -1), name, declared, count);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    engine->lesson.awaits_files = count != request->file_count;
    for (size_t i = 0; i < count && !engine->lesson.awaits_files; i++)
        engine->lesson.awaits_files = strcmp(declared[i], request->files[i].name) != 0;
}

void file_settle(struct engine *engine, const struct construct *where, const char *field)
{
    lua_State *L = engine->L;
    struct error err;
    if (!engine->lesson.awaits_files && tensor_arrive(L, -1, &err))
        lesson_error(engine, lesson_line(engine, where, field), "%s: `%s`: %s", construct_name(where->kind), field, err.text);
    if (!file_test(L, -1))
        return;
    const char *name = files_name_of(L, -1);
    if (engine->lesson.awaits_files)
        lua_pushliteral(L, "");
    else if (push_text(engine, name, &err))
        lesson_error(engine, lesson_line(engine, where, field), "%s: `%s`: %s", construct_name(where->kind), field, err.text);
    lua_remove(L, -2);
}

/* In lists and in tables of words: formulas, which stand under no name there, come to their text when they are evaluated. */
static void settle_table(struct engine *engine, const struct construct *where, const char *field, int table, bool list, int depth)
{
    lua_State *L = engine->L;
    luaL_checkstack(L, 10, "tables nested too deep");
    keys_sorted(L, table);
    int keys = lua_gettop(L);
    for (size_t i = 1; i <= lua_rawlen(L, keys); i++) {
        lua_rawgeti(L, keys, (lua_Integer)i);
        lua_pushvalue(L, -1);
        lua_rawget(L, table);
        if (file_test(L, -1) && (list || lua_type(L, -2) == LUA_TSTRING)) {
            file_settle(engine, where, field);
            lua_rawset(L, table);
        } else if (lua_type(L, -1) == LUA_TTABLE && depth < DEPTH_MAX) {
            settle_table(engine, where, field, lua_gettop(L), list, depth + 1);
        }
        lua_settop(L, keys);
    }
    lua_settop(L, keys - 1);
}

void files_settle(struct engine *engine, const struct construct *where, int fields)
{
    lua_State *L = engine->L;
    size_t count;
    const struct field *all = fields_of(where->kind, &count);
    fields = lua_absindex(L, fields);
    for (size_t i = 0; i < count; i++) {
        const char *name = all[i].name ? all[i].name : "1";
        bool formulas = all[i].name && (!strcmp(name, "given") || !strcmp(name, "define"));
        if (all[i].name)
            lua_getfield(L, fields, name);
        else
            lua_rawgeti(L, fields, 1);
        if (file_test(L, -1) && (all[i].sort == SORT_WORDS || all[i].sort == SORT_TEXT || all[i].sort == SORT_CODE)) {
            file_settle(engine, where, name);
            if (all[i].name)
                lua_setfield(L, fields, name);
            else
                lua_rawseti(L, fields, 1);
            continue;
        }
        if (lua_type(L, -1) == LUA_TTABLE && (all[i].sort == SORT_WORDS_LIST || (all[i].sort == SORT_TABLE && !formulas)))
            settle_table(engine, where, name, lua_gettop(L), all[i].sort == SORT_WORDS_LIST, 0);
        lua_pop(L, 1);
    }
}
