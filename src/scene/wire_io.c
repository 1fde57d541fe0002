#include "scene/wire_io.h"

#include <stdarg.h>
#include <string.h>

#include "scene/wire.h"

static int append(void *data, const char *bytes, size_t length)
{
    struct wire *wire = data;
    if (wire->out->length - wire->start + length > WIRE_FRAME_MAX) {
        wire_fail(wire, "it is larger than a message may be (%d KiB)", WIRE_FRAME_MAX / 1024);
        return -1;
    }
    strbuf_addn(wire->out, bytes, length);
    if (wire->out->failed) {
        wire_fail(wire, "out of memory");
        return -1;
    }
    return 0;
}

void wire_writer(struct wire *wire, struct strbuf *out, struct error *err)
{
    *wire = (struct wire){ .err = err, .left = 1, .out = out, .start = out->length };
    msgpack_packer_init(&wire->packer, wire, append);
}

int wire_finish(struct wire *wire, const char *prefix)
{
    if (!wire->failed)
        return 0;
    wire->out->length = wire->start;
    if (wire->out->text)
        wire->out->text[wire->start] = '\0';
    return error_prefix(wire->err, "%s", prefix);
}

int wire_open(struct wire_message *message, const void *bytes, size_t length, struct error *err)
{
    if (wire_check(bytes, length, err) < 0)
        return -1;
    if (!msgpack_zone_init(&message->zone, MSGPACK_ZONE_CHUNK_SIZE))
        return error_set(err, "out of memory");
    size_t offset = 0;
    if (msgpack_unpack(bytes, length, &offset, &message->zone, &message->root) == MSGPACK_UNPACK_SUCCESS)
        return 0;
    msgpack_zone_destroy(&message->zone);
    return error_set(err, "a message cannot be unpacked");
}

void wire_close(struct wire_message *message)
{
    msgpack_zone_destroy(&message->zone);
}

void wire_reader(struct wire *wire, const msgpack_object *root, struct arena *arena, struct error *err)
{
    *wire = (struct wire){ .reading = true, .err = err, .left = 1, .at = root, .arena = arena };
}

void wire_fail(struct wire *wire, const char *format, ...)
{
    if (wire->failed)
        return;
    va_list args;
    va_start(args, format);
    error_setv(wire->err, format, args);
    va_end(args);
    wire->failed = true;
}

/* Counts one value of the innermost array. False when nothing is to be done for it. */
static bool step(struct wire *wire, const char *name)
{
    if (!wire->failed && wire->left == 0)
        wire_fail(wire, "%s has no place", name);
    if (wire->failed)
        return false;
    wire->left--;
    return true;
}

/* The next value to read, of the type asked for; NULL, and the wire failed, when it is not there. */
static const msgpack_object *take(struct wire *wire, const char *name, msgpack_object_type type)
{
    if (!step(wire, name))
        return NULL;
    const msgpack_object *object = wire->at++;
    if (object->type != type) {
        wire_fail(wire, "%s is of the wrong type", name);
        return NULL;
    }
    return object;
}

void *wire_room(struct wire *wire, size_t count, size_t size)
{
    void *room = wire->failed ? NULL : arena_zero(wire->arena, count, size);
    if (!room)
        wire_fail(wire, "out of memory");
    return room;
}

void wire_text(struct wire *wire, const char *name, const char **text)
{
    if (wire->reading) {
        const msgpack_object *object = take(wire, name, MSGPACK_OBJECT_STR);
        if (!object)
            return;
        if (object->via.str.size && memchr(object->via.str.ptr, 0, object->via.str.size)) {
            wire_fail(wire, "%s holds a NUL byte", name);
            return;
        }
        char *copy = arena_textn(wire->arena, object->via.str.ptr, object->via.str.size);
        if (!copy)
            wire_fail(wire, "out of memory");
        else
            *text = copy;
    } else if (step(wire, name)) {
        if (!*text) {
            wire_fail(wire, "%s is missing", name);
            return;
        }
        size_t length = strlen(*text);
        if (length > WIRE_FRAME_MAX)
            wire_fail(wire, "%s is larger than a message may be (%d KiB)", name, WIRE_FRAME_MAX / 1024);
        else
            msgpack_pack_str_with_body(&wire->packer, *text, length);
    }
}

bool wire_present(struct wire *wire, const char *name, bool here)
{
    if (wire->failed)
        return false;
    if (wire->reading)
        here = wire->left == 0 || wire->at->type != MSGPACK_OBJECT_NIL;
    if (!here && step(wire, name)) {
        if (wire->reading)
            wire->at++;
        else
            msgpack_pack_nil(&wire->packer);
    }
    return here;
}

void wire_text_or_null(struct wire *wire, const char *name, const char **text)
{
    if (wire_present(wire, name, *text != NULL))
        wire_text(wire, name, text);
}

void wire_bytes(struct wire *wire, const char *name, const char **bytes, size_t *length)
{
    if (wire->reading) {
        const msgpack_object *object = take(wire, name, MSGPACK_OBJECT_BIN);
        char *copy = object ? arena_textn(wire->arena, object->via.bin.ptr, object->via.bin.size) : NULL;
        if (object && !copy)
            wire_fail(wire, "out of memory");
        if (!copy)
            return;
        *bytes = copy;
        *length = object->via.bin.size;
    } else if (step(wire, name)) {
        if (!*bytes)
            wire_fail(wire, "%s is missing", name);
        else if (*length > WIRE_FRAME_MAX)
            wire_fail(wire, "%s is larger than a message may be (%d KiB)", name, WIRE_FRAME_MAX / 1024);
        else
            msgpack_pack_bin_with_body(&wire->packer, *bytes, *length);
    }
}

void wire_strings(struct wire *wire, const char *name, struct strings *strings)
{
    struct wire_place up = wire_enter_list(wire, name, &strings->count);
    if (wire->reading)
        strings->item = strings->count ? wire_room(wire, strings->count, sizeof *strings->item) : NULL;
    for (size_t i = 0; !wire->failed && i < strings->count; i++)
        wire_text(wire, name, &strings->item[i]);
    wire_leave(wire, name, up);
}

void wire_bool(struct wire *wire, const char *name, bool *value)
{
    if (wire->reading) {
        const msgpack_object *object = take(wire, name, MSGPACK_OBJECT_BOOLEAN);
        if (object)
            *value = object->via.boolean;
    } else if (step(wire, name)) {
        if (*value)
            msgpack_pack_true(&wire->packer);
        else
            msgpack_pack_false(&wire->packer);
    }
}

void wire_u64(struct wire *wire, const char *name, uint64_t *value)
{
    if (wire->reading) {
        const msgpack_object *object = take(wire, name, MSGPACK_OBJECT_POSITIVE_INTEGER);
        if (object)
            *value = object->via.u64;
    } else if (step(wire, name)) {
        msgpack_pack_uint64(&wire->packer, *value);
    }
}

void wire_u32(struct wire *wire, const char *name, uint32_t *value, uint32_t most)
{
    uint64_t wide = wire->reading ? 0 : *value;
    wire_u64(wire, name, &wide);
    if (!wire->failed && wide > most)
        wire_fail(wire, "%s is out of range", name);
    else if (!wire->failed && wire->reading)
        *value = (uint32_t)wide;
}

void wire_size(struct wire *wire, const char *name, size_t *value)
{
    uint64_t wide = wire->reading ? 0 : *value;
    wire_u64(wire, name, &wide);
    if (!wire->failed && wide > SIZE_MAX)
        wire_fail(wire, "%s is out of range", name);
    else if (!wire->failed && wire->reading)
        *value = (size_t)wide;
}

void wire_row(struct wire *wire, const char *name, int32_t *row, size_t rows)
{
    if (!wire->reading && *row < -1)
        wire_fail(wire, "%s is out of range", name);
    uint32_t most = rows < INT32_MAX ? (uint32_t)rows : INT32_MAX;
    uint32_t after = wire->reading ? 0 : (uint32_t)*row + 1;
    wire_u32(wire, name, &after, most);
    if (wire->reading && !wire->failed)
        *row = (int32_t)after - 1;
}

void wire_double(struct wire *wire, const char *name, double *value)
{
    if (wire->reading) {
        const msgpack_object *object = take(wire, name, MSGPACK_OBJECT_FLOAT64);
        if (object)
            *value = object->via.f64;
    } else if (step(wire, name)) {
        msgpack_pack_double(&wire->packer, *value);
    }
}

void wire_floats(struct wire *wire, const char *name, float **values, size_t *count)
{
    if (wire->reading) {
        const msgpack_object *object = take(wire, name, MSGPACK_OBJECT_BIN);
        if (!object)
            return;
        size_t size = object->via.bin.size;
        if (size % sizeof(float)) {
            wire_fail(wire, "%s is not a whole number of values", name);
            return;
        }
        float *made = size ? wire_room(wire, size / sizeof(float), sizeof(float)) : NULL;
        if (wire->failed)
            return;
        if (size)
            memcpy(made, object->via.bin.ptr, size);
        *values = made;
        *count = size / sizeof(float);
    } else if (step(wire, name)) {
        if (*count > WIRE_FRAME_MAX / sizeof(float))
            wire_fail(wire, "%s is larger than a message may be (%d KiB)", name, WIRE_FRAME_MAX / 1024);
        else
            msgpack_pack_bin_with_body(&wire->packer, *count ? (const void *)*values : "",
                                       *count * sizeof(float));
    }
}

struct wire_place wire_enter_list(struct wire *wire, const char *name, size_t *count)
{
    struct wire_place up = { NULL, 0 };
    if (wire->reading) {
        const msgpack_object *object = take(wire, name, MSGPACK_OBJECT_ARRAY);
        if (!object)
            return up;
        up = (struct wire_place){ wire->at, wire->left };
        wire->at = object->via.array.ptr;
        wire->left = object->via.array.size;
        *count = wire->left;
    } else if (step(wire, name)) {
        up.left = wire->left;
        wire->left = *count;
        if (*count > WIRE_FRAME_MAX)
            wire_fail(wire, "%s is larger than a message may be (%d KiB)", name, WIRE_FRAME_MAX / 1024);
        else
            msgpack_pack_array(&wire->packer, *count);
    }
    return up;
}

struct wire_place wire_enter(struct wire *wire, const char *name, size_t fields)
{
    size_t count = fields;
    struct wire_place up = wire_enter_list(wire, name, &count);
    if (count != fields)
        wire_fail(wire, "%s has %zu fields, not %zu", name, count, fields);
    return up;
}

void wire_leave(struct wire *wire, const char *name, struct wire_place up)
{
    if (wire->failed)
        return;
    if (wire->left > 0) {
        wire_fail(wire, "%s has %zu values too many", name, wire->left);
        return;
    }
    wire->at = up.at;
    wire->left = up.left;
}

const char *wire_version(void)
{
    return "msgpack-c " MSGPACK_VERSION;
}
