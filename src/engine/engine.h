/* The lesson engine: a request in, a scene out. No files, no terminal, no network. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stddef.h>
#include "base/error.h"
#include "scene/request.h"
#include "scene/scene.h"

struct engine;

struct engine_limits {
    size_t memory;      /* bytes for Lua and tensors together; 0: 256 MiB */
    double cpu_seconds; /* a request's budget of CPU time; at 80 % of it Lua code is stopped with an error; 0: 2 s */
    size_t output;      /* bytes that print may write in a REQUEST_EVAL or REQUEST_LINE; 0: 256 KiB */
    /* Called with "file:line" words when the memory cap is reached; must not return. NULL: the process aborts. */
    void (*out_of_memory)(void *context, const char *words);
    void *context;
};

int engine_new(struct engine **out, const struct engine_limits *limits, struct error *err);
void engine_free(struct engine *engine);

/* Always gives a scene (the caller's to free) unless memory is out: what went wrong in the lesson is scene.error. */
struct scene *engine_answer(struct engine *engine, const struct request *request);

/* Where its Lua code stands now: "file:line: ", "file: " or "". Nothing is allocated: a signal handler may ask. */
void engine_place(const struct engine *engine, char *out, size_t size);
int engine_line(const struct engine *engine); /* of the construct that it worked on last; 0: none */

#endif
