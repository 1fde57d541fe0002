#include "engine/worker.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/language.h"
#include "base/path.h"
#include "cage/enter.h"
#include "cage/frame.h"
#include "engine/engine.h"
#include "scene/wire.h"
#include "tensor/tensor.h"

enum { TUTOR = 3 /* the descriptor */, STATUS_USAGE = 2, STATUS_FAILED = 4 };

struct worker {
    pid_t parent;
    bool open;
    double cpu_seconds;
    const char *languages; /* as language_speak takes them */
    struct engine *engine;
    struct strbuf in, out;
    struct frame_files files;
    uint64_t number;  /* of the request being answered */
    const char *file; /* its file, for words */
};

/* A scene of words alone. False when even that cannot be sent. */
static bool send_words(struct worker *worker, const char *words)
{
    struct scene scene = { .number = worker->number, .error = words };
    struct error err;
    strbuf_clear(&worker->out);
    return wire_encode_scene(&worker->out, &scene, &err) == 0 &&
           frame_write(TUTOR, worker->out.text, worker->out.length, &err) == 0;
}

static const struct engine *at_work; /* for the signal handler */

/* A signal handler. Whatever the engine is in the middle of, it never goes on with it. */
static void say_where(int signal)
{
    char words[400] = FRAME_STOPPED;
    (void)signal;
    engine_place(at_work, words + strlen(words), sizeof words - strlen(words));
    frame_write(TUTOR, words, strlen(words), NULL);
    _exit(FRAME_LAST_WORDS);
}

static _Noreturn void out_of_memory(void *context, const char *words)
{
    cage_budget(0);
    send_words(context, words);
    _exit(FRAME_LAST_WORDS);
}

static bool answer(struct worker *worker, const struct request *request)
{
    struct error err;
    worker->number = request->number;
    worker->file = request->file;
    cage_budget(worker->cpu_seconds);
    struct scene *scene = engine_answer(worker->engine, request);
    cage_budget(0);
    if (!scene)
        out_of_memory(worker, _("out of memory"));
    scene->number = request->number;
    strbuf_clear(&worker->out);
    int rc = wire_encode_scene(&worker->out, scene, &err);
    scene_free(scene);
    if (rc < 0) {
        if (engine_line(worker->engine))
            error_prefix(&err, "%s:%d: ", worker->file, engine_line(worker->engine));
        else
            error_prefix(&err, "%s: ", worker->file);
        return send_words(worker, err.text);
    }
    return frame_write(TUTOR, worker->out.text, worker->out.length, &err) == 0;
}

/* Until the tutor closes its end. */
static int serve(struct worker *worker)
{
    struct error err;
    for (;;) {
        int got = frame_receive(TUTOR, &worker->in, &worker->files, &err);
        if (got <= 0)
            return got == 0 ? 0 : STATUS_FAILED;
        struct arena *arena = arena_new();
        struct request request;
        bool served = arena &&
                      wire_decode_request(&request, arena, worker->in.text, worker->in.length, &err) == 0 &&
                      frame_lend(&worker->files, &request, &err) == 0 &&
                      answer(worker, &request);
        arena_free(arena);
        frame_close(&worker->files);
        if (!served)
            return STATUS_FAILED;
    }
}

static bool read_arguments(struct worker *worker, int argc, char **argv)
{
    if (argc != WORKER_ARGC || strcmp(argv[1], "engine") != 0)
        return false;
    char *end;
    errno = 0;
    worker->parent = (pid_t)strtol(argv[2], &end, 10);
    if (errno || *end || worker->parent <= 0)
        return false;
    worker->open = strcmp(argv[3], "open") == 0;
    if (!worker->open && strcmp(argv[3], "caged") != 0)
        return false;
    long milliseconds = strtol(argv[4], &end, 10);
    worker->cpu_seconds = (double)milliseconds / 1000;
    worker->languages = argv[5];
    return !errno && !*end && milliseconds > 0;
}

static int begin(struct worker *worker, struct error *err)
{
    const struct engine_limits limits = {
        .cpu_seconds = worker->cpu_seconds, .out_of_memory = out_of_memory, .context = worker
    };
    if (engine_new(&worker->engine, &limits, err) < 0)
        return -1;
    char *catalogues = worker->languages[0] ? path_locale() : NULL;
    if (catalogues)
        language_speak(worker->languages, catalogues);
    free(catalogues);
    at_work = worker->engine;
    tensor_threads_start(0, NULL); /* where none can be had, all is computed on this one */
    return cage_last_words(say_where, err) < 0 ? -1 : cage_enter(worker->open, err);
}

int worker_main(int argc, char **argv)
{
    struct worker worker = { .file = "" };
    struct error err = { .text = "" };
    if (!read_arguments(&worker, argc, argv))
        return STATUS_USAGE;
    int status;
    if (begin(&worker, &err) < 0) {
        error_prefix(&err, "%s", FRAME_CANNOT);
        frame_write(TUTOR, err.text, strlen(err.text), NULL);
        status = STATUS_FAILED;
    } else if (getppid() != worker.parent) { /* it died before the death signal was asked for */
        status = STATUS_FAILED;
    } else if (frame_write(TUTOR, frame_greeting(), strlen(frame_greeting()), &err) < 0) {
        status = STATUS_FAILED;
    } else {
        status = serve(&worker);
    }
    engine_free(worker.engine);
    strbuf_free(&worker.in);
    strbuf_free(&worker.out);
    /* Not by way of exit(): what runs there (a leak checker's tracer, say) is not allowed in the cage. */
    _exit(status);
}
