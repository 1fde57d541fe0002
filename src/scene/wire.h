/* Requests and scenes as bytes (msgpack-c). Neither side trusts the other: before msgpack-c sees a message its claimed
   sizes and depth are checked against the bytes that are there, and every count and string against its place. */
#ifndef SCENE_WIRE_H
#define SCENE_WIRE_H

#include "base/error.h"
#include "base/strbuf.h"
#include "scene/request.h"
#include "scene/scene.h"

enum { WIRE_FRAME_MAX = 1 << 20 /* bytes of one message, without its 4 bytes of length */ };

/* Appends the message (no length in front). -1 when it would be larger than WIRE_FRAME_MAX. */
int wire_encode_request(struct strbuf *out, const struct request *request, struct error *err);
int wire_encode_scene(struct strbuf *out, const struct scene *scene, struct error *err);

/* A request whose strings and arrays live in `arena`. */
int wire_decode_request(struct request *out, struct arena *arena, const void *bytes, size_t length, struct error *err);
/* A scene with an arena of its own; the caller frees it with scene_free. */
int wire_decode_scene(struct scene **out, const void *bytes, size_t length, struct error *err);
const char *wire_version(void); /* "msgpack-c 4.0.0" */

#endif
