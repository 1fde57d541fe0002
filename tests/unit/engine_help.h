/* Small lessons put to the engine, and what comes back. */
#ifndef TESTS_ENGINE_HELP_H
#define TESTS_ENGINE_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "scene/wire.h"

#define HELP_COUNT(list) (sizeof(list) / sizeof((list)[0]))
/* A lesson of these parts, which begin on line 3. */
#define LESSON(parts) "return lesson \"try\" {\nformat = 1, title = \"t\",\n" parts "\n}\n"

static inline struct request help_request(enum request_kind kind, const char *source)
{
    return (struct request){ .kind = kind, .course = "", .file = "lessons/try.lua", .source = source,
                             .source_length = strlen(source), .seed = 1 };
}

static inline struct request help_frame(const char *source, const char *step)
{
    struct request request = help_request(REQUEST_FRAME, source);
    request.step = step;
    return request;
}

static inline struct engine *help_engine(void)
{
    struct engine *engine;
    struct error err;
    assert_int_equal(engine_new(&engine, NULL, &err), 0);
    return engine;
}

/* What a fresh engine answers. */
static inline struct scene *help_ask(const struct request *request)
{
    struct engine *engine = help_engine();
    struct scene *scene = engine_answer(engine, request);
    engine_free(engine);
    assert_non_null(scene);
    return scene;
}

static inline struct strbuf help_bytes(const struct scene *scene)
{
    struct strbuf bytes = { 0 };
    struct error err;
    if (wire_encode_scene(&bytes, scene, &err))
        fail_msg("%s", err.text);
    return bytes;
}

static inline struct strbuf help_ask_bytes(const struct request *request)
{
    struct scene *scene = help_ask(request);
    struct strbuf bytes = help_bytes(scene);
    scene_free(scene);
    return bytes;
}

static inline void help_same(const struct strbuf *a, const struct strbuf *b)
{
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->text, b->text, a->length);
}

/* A frame without an error, the caller's to free. */
static inline struct scene *help_step(const struct request *request)
{
    struct scene *scene = help_ask(request);
    if (scene->error)
        fail_msg("%s", scene->error);
    assert_non_null(scene->step);
    return scene;
}

enum { HELP_FILE_MAX = 1 << 18 };

/* A file of tests/lessons/, the caller's to free. */
static inline char *help_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, HELP_FILE_MAX);
    if (!file || !text)
        fail_msg("%s cannot be read; tests run at the root of the tree", path);
    size_t length = fread(text, 1, HELP_FILE_MAX - 1, file);
    assert_true(length > 0 && length < HELP_FILE_MAX - 1);
    fclose(file);
    return text;
}

/* What Lua code prints, or its error; the caller's to free. */
static inline char *help_printed(const char *source, const struct engine_limits *limits)
{
    struct request request = help_request(REQUEST_EVAL, source);
    request.file = "try";
    struct engine *engine;
    struct error err;
    assert_int_equal(engine_new(&engine, limits, &err), 0);
    struct scene *scene = engine_answer(engine, &request);
    assert_non_null(scene);
    char *text = strdup(scene->error ? scene->error : scene->output);
    assert_non_null(text);
    scene_free(scene);
    engine_free(engine);
    return text;
}

#endif
