/* A lesson's arrays: tensor.load "x.npy". While the lesson is being loaded it gives a tensor whose elements come when it is first used;
   later the tensor itself. An array is read once, and nothing may change it. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "engine/bind_tensor.h"
#include "engine/files.h"

enum { ARRAY_MAX = 64 << 20, CHUNK = 64 << 10 };

static const char ARRAYS[] = "normtutor.file_arrays"; /* name -> tensor */

/* A file's bytes, in a block of the engine's memory. Nothing raises while it is there. */
struct bytes {
    const struct tensor_memory *memory;
    unsigned char *block;
    size_t room, length;
};

static void release(struct bytes *bytes)
{
    if (bytes->block)
        bytes->memory->resize(bytes->memory->context, bytes->block, bytes->room, 0);
}

static int make_room(struct bytes *bytes, struct error *err)
{
    size_t room = bytes->room ? 2 * bytes->room : CHUNK;
    unsigned char *block = bytes->memory->resize(bytes->memory->context, bytes->block, bytes->room, room);
    if (!block)
        return error_set(err, "out of memory");
    bytes->block = block;
    bytes->room = room;
    return 0;
}

/* The cage allows reading at a place, not asking for the size. */
static int read_all(struct bytes *bytes, const struct request_file *file, struct error *err)
{
    for (;;) {
        if (bytes->length == bytes->room && make_room(bytes, err))
            return -1;
        ssize_t n = pread(file->fd, bytes->block + bytes->length, bytes->room - bytes->length, (off_t)bytes->length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(err, "files/%s cannot be read: %s", file->name, strerror(errno));
        if (n == 0)
            return 0;
        bytes->length += (size_t)n;
        if (bytes->length > ARRAY_MAX)
            return error_set(err, "files/%s is longer than the %d MiB that an array may have", file->name, ARRAY_MAX >> 20);
    }
}

/* Pushes the tensor; 0, or -1 with words. */
static int push_array(lua_State *L, const struct request_file *file, struct error *err)
{
    struct error npy;
    struct tensor **out = tensor_push(L);
    struct bytes bytes = { .memory = &engine_of(L)->memory };
    int status = read_all(&bytes, file, err);
    if (status == 0 && tensor_from_npy(out, bytes.memory, bytes.block, bytes.length, &npy))
        status = error_set(err, "files/%s is %s", file->name, npy.text);
    release(&bytes);
    return status;
}

int files_array(struct engine *engine, const char *name, struct tensor **out, struct error *err)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L), status = 0;
    if (!luaL_getsubtable(L, LUA_REGISTRYINDEX, ARRAYS) || lua_getfield(L, -1, name) == LUA_TNIL) {
        const struct request_file *file = files_find(engine->request, name);
        lua_settop(L, top + 1);
        status = file ? push_array(L, file, err) : files_missing(name, err);
        if (status == 0) {
            lua_pushvalue(L, -1);
            lua_setfield(L, top + 1, name);
        }
    }
    if (status == 0)
        status = tensor_detach(out, tensor_check(L, -1), err);
    lua_settop(L, top);
    return status;
}

int tensor_load(lua_State *L)
{
    const char *name = files_name(L, 1);
    struct error err;
    if (files_loading(engine_of(L))) {
        files_stand_in(L, 1);
        tensor_push_awaited(L);
        return 1;
    }
    struct tensor **out = tensor_push(L);
    tensor_freeze(L, -1);
    if (files_array(engine_of(L), name, out, &err))
        return raise_error(L, &err);
    tensor_leaf(L, -1);
    return tensor_done(L, 0, &err);
}
