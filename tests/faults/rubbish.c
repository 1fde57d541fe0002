/* The tutor with a worker that answers rubbish. Which sort is told by the name of the program's file; when, by the request: an
   answer with "666" in it, the option "rubbish" or the switch "rubbish". Until then, and after, it answers as it should.
   Two files beside the program change that: with FILE.once a worker misbehaves only while that is empty, and so its successor
   does not; with FILE.old it greets as another build would. */
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/enter.h"
#include "cage/frame.h"
#include "cmd/cmd.h"
#include "engine/engine.h"
#include "scene/wire.h"

enum { TUTOR = 3, FAILED = 4 };

static const char *sort; /* the file's name */
static int once = -1;    /* FILE.once; -1: it is not there, */
static bool spent;       /* or it was not empty when this worker began */

static bool asks_for_rubbish(const struct request *request)
{
    if (spent)
        return false;
    bool asked = request->answer && (strstr(request->answer, "666") || strcmp(request->answer, "rubbish") == 0);
    for (size_t i = 0; i < request->setting_count; i++)
        asked |= strcmp(request->settings[i].name, "rubbish") == 0 && request->settings[i].on;
    return asked;
}

static void send_scene(struct scene *scene)
{
    struct strbuf bytes = {0};
    struct error err;
    if (wire_encode_scene(&bytes, scene, &err) != 0 || frame_write(TUTOR, bytes.text, bytes.length, &err) != 0)
        _exit(FAILED);
    strbuf_free(&bytes);
}

static void send_raw(const char *bytes, size_t length)
{
    if (write(TUTOR, bytes, length) != (ssize_t)length)
        _exit(FAILED);
}

static void send_rubbish(struct scene *proper)
{
    struct error err;
    if (once >= 0 && write(once, "x", 1) != 1)
        _exit(FAILED);
    if (strcmp(sort, "bytes") == 0) { /* as long as it says, and no msgpack */
        char bytes[512];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)(i * 37 + 193);
        frame_write(TUTOR, bytes, sizeof bytes, &err);
    } else if (strcmp(sort, "length") == 0) {
        send_raw("\xff\xff\xff\xff rubbish", 12);
    } else if (strcmp(sort, "half") == 0) {
        send_raw("\0\0\x10\0 half a message", 19);
        _exit(0);
    } else if (strcmp(sort, "shape") == 0) { /* {"number": [1, 2, 3], "step": "none"} */
        frame_write(TUTOR, "\x82\xa6number\x93\1\2\3\xa4step\xa4none", 21, &err);
    } else if (strcmp(sort, "greeting") == 0) {
        frame_write(TUTOR, "normtutor engine of another build", 33, &err);
    } else if (strcmp(sort, "future") == 0) {
        proper->number += 1000;
        send_scene(proper);
    } else if (strcmp(sort, "closing") == 0) {
        close(TUTOR);
    }
    for (;;)
        pause(); /* until it is found out */
}

static void answer(struct engine *engine, const struct request *request)
{
    struct scene *scene = engine_answer(engine, request);
    if (!scene)
        _exit(FAILED);
    scene->number = request->number;
    if (asks_for_rubbish(request))
        send_rubbish(scene);
    send_scene(scene);
    scene_free(scene);
}

static _Noreturn void serve(bool uncaged, bool old)
{
    const struct engine_limits limits = {.cpu_seconds = 2};
    struct engine *engine;
    struct error err;
    struct strbuf in = {0};
    if (engine_new(&engine, &limits, &err) != 0 || cage_enter(uncaged, &err) != 0)
        _exit(FAILED);
    const char *greeting = old ? "normtutor engine of another build" : frame_greeting();
    frame_write(TUTOR, greeting, strlen(greeting), &err);
    while (frame_read(TUTOR, &in, &err) > 0) {
        struct arena *arena = arena_new();
        struct request request;
        if (!arena || wire_decode_request(&request, arena, in.text, in.length, &err) != 0)
            _exit(FAILED);
        answer(engine, &request);
        arena_free(arena);
    }
    _exit(0);
}

static _Noreturn void worker(bool uncaged)
{
    static char path[PATH_MAX + 8];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    if (length <= 0)
        _exit(FAILED);
    strcpy(path + length, ".once");
    once = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    struct stat what;
    spent = once >= 0 && fstat(once, &what) == 0 && what.st_size > 0;
    strcpy(path + length, ".old");
    bool old = access(path, F_OK) == 0;
    path[length] = '\0';
    sort = strrchr(path, '/') + 1;
    serve(uncaged, old);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc > 3 && strcmp(argv[1], "engine") == 0)
        worker(strcmp(argv[3], "open") == 0);
    setlocale(LC_CTYPE, "");
    return cmd_main(argc, argv);
}
