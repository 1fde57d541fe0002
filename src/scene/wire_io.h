/* The alphabet of the wire. Each function carries one value in the direction of the wire: it writes *value, or reads it and
   stores it there. So one description of a struct serves encoding and decoding, and neither can forget a field. After a
   failure everything is a no-op. Private to scene/. */
#ifndef SCENE_WIRE_IO_H
#define SCENE_WIRE_IO_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "scene/scene.h"

enum {
    WIRE_DEPTH_MAX = 30, /* arrays in arrays; msgpack-c itself gives up at 32 */
    WIRE_VIEW_DEPTH = 10 /* views in views: three arrays down to the first, two for each further, seven below the last */
};

struct wire {
    bool reading, failed;
    struct error *err;
    unsigned view_depth;
    size_t left; /* values still to come in the innermost array */
    /* writing */
    msgpack_packer packer;
    struct strbuf *out;
    size_t start;
    /* reading */
    const msgpack_object *at;
    struct arena *arena;
};

/* Where to go on after an array. */
struct wire_place {
    const msgpack_object *at;
    size_t left;
};

/* Sizes, depth and types of exactly one value, against the bytes that are there; allocates nothing. */
int wire_check(const void *bytes, size_t length, struct error *err);

/* A received message, checked and unpacked; the bytes must outlive it. Freed with wire_close once wire_open gave 0. */
struct wire_message {
    msgpack_zone zone;
    msgpack_object root;
};
int wire_open(struct wire_message *message, const void *bytes, size_t length, struct error *err);
void wire_close(struct wire_message *message);

void wire_writer(struct wire *wire, struct strbuf *out, struct error *err);
int wire_finish(struct wire *wire, const char *prefix); /* after writing: 0, or -1 with `out` as it was and words behind `prefix` */
void wire_reader(struct wire *wire, const msgpack_object *root, struct arena *arena, struct error *err);
__attribute__((format(printf, 2, 3))) void wire_fail(struct wire *wire, const char *format, ...);

void wire_text(struct wire *wire, const char *name, const char **text);
void wire_text_or_null(struct wire *wire, const char *name, const char **text);
void wire_bytes(struct wire *wire, const char *name, const char **bytes, size_t *length); /* may hold NUL bytes */
void wire_strings(struct wire *wire, const char *name, struct strings *strings);
void wire_bool(struct wire *wire, const char *name, bool *value);
void wire_u64(struct wire *wire, const char *name, uint64_t *value);
void wire_u32(struct wire *wire, const char *name, uint32_t *value, uint32_t most);
void wire_size(struct wire *wire, const char *name, size_t *value);
void wire_row(struct wire *wire, const char *name, int32_t *row, size_t rows); /* -1 to rows - 1 */
void wire_double(struct wire *wire, const char *name, double *value);
void wire_floats(struct wire *wire, const char *name, float **values, size_t *count);

/* An array of a struct's fields, or of a list's items, until wire_leave. */
struct wire_place wire_enter(struct wire *wire, const char *name, size_t fields);
struct wire_place wire_enter_list(struct wire *wire, const char *name, size_t *count);
void wire_leave(struct wire *wire, const char *name, struct wire_place up);

/* Says whether an optional value follows; nothing more is to be done when it does not. */
bool wire_present(struct wire *wire, const char *name, bool here);
void *wire_room(struct wire *wire, size_t count, size_t size); /* NULL, and the wire failed, when memory is out */

#define WIRE_ENUM(wire, name, field, last)                       \
    do {                                                         \
        uint32_t value_ = (uint32_t)(field);                     \
        wire_u32((wire), (name), &value_, (uint32_t)(last));     \
        if ((wire)->reading && !(wire)->failed)                  \
            (field) = value_;                                    \
    } while (0)

/* A list of structs, each carried by item(wire, &items[i]). */
#define WIRE_LIST(wire, name, items, count, item)                                       \
    do {                                                                                \
        struct wire_place up_ = wire_enter_list((wire), (name), &(count));              \
        if ((wire)->reading)                                                            \
            (items) = (count) ? wire_room((wire), (count), sizeof *(items)) : NULL;     \
        for (size_t i_ = 0; !(wire)->failed && i_ < (count); i_++)                      \
            item((wire), &(items)[i_]);                                                 \
        wire_leave((wire), (name), up_);                                                \
    } while (0)

/* A struct behind a pointer that may be NULL. */
#define WIRE_POINTER(wire, name, pointer, item)                      \
    do {                                                             \
        if (wire_present((wire), (name), (pointer) != NULL)) {       \
            if ((wire)->reading)                                     \
                (pointer) = wire_room((wire), 1, sizeof *(pointer)); \
            if (!(wire)->failed)                                     \
                item((wire), (pointer));                             \
        }                                                            \
    } while (0)

/* Shared by requests and scenes. */
void wire_setting(struct wire *wire, struct setting *setting);

#endif
