/* A worker that misbehaves on command, for the tests of the cage. A request's `source` is the command; how it starts is told by the
   name of the program's file, since a worker gets no other arguments than the cage's. */
#ifndef TESTS_FAKE_WORKER_H
#define TESTS_FAKE_WORKER_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cage/enter.h"
#include "cage/frame.h"
#include "scene/wire.h"

extern char **environ;

enum { FAKE_SOCKET = 3 };

static void fake_sleep(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
    while (nanosleep(&t, &t) != 0)
        continue;
}

static void fake_reply(uint64_t number, const char *error, const char *output)
{
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene scene = { .number = number, .error = error, .output = output };
    if (wire_encode_scene(&bytes, &scene, &err) < 0 || frame_write(FAKE_SOCKET, bytes.text, bytes.length, &err) < 0)
        _exit(9);
    strbuf_free(&bytes);
}

static _Noreturn void fake_signal(int number)
{
    signal(number, SIG_DFL);
    raise(number);
    _exit(9);
}

/* Arguments, environment, descriptors, signals: what the worker was born with. */
static void fake_describe(struct strbuf *out, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        strbuf_addf(out, "arg %s\n", argv[i]);
    for (char **e = environ; *e; e++)
        strbuf_addf(out, "env %s\n", *e);
    for (int fd = 0; fd < 256; fd++) {
        struct stat s;
        if (fstat(fd, &s) == 0)
            strbuf_addf(out, "fd %d %s\n", fd, S_ISSOCK(s.st_mode) ? "socket" : S_ISCHR(s.st_mode) ? "null" : "other");
    }
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    struct sigaction pipe;
    sigaction(SIGPIPE, NULL, &pipe);
    strbuf_addf(out, "blocked %d ignored %d\n", sigismember(&blocked, SIGTERM), pipe.sa_handler == SIG_IGN);
}

/* Names, texts and the number of open descriptors. */
static void fake_read_files(const struct request *request, struct strbuf *out)
{
    int count = 0;
    for (size_t i = 0; i < request->file_count; i++) {
        char text[64];
        ssize_t n = pread(request->files[i].fd, text, sizeof text, 0);
        strbuf_addf(out, "%s=%.*s ", request->files[i].name, n < 0 ? 0 : (int)n, text);
        if (write(request->files[i].fd, "x", 1) >= 0 || ftruncate(request->files[i].fd, 0) == 0)
            strbuf_add(out, "(not read-only) ");
    }
    for (int fd = 0; fd < 256; fd++)
        count += lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF; /* fcntl is not to be had in the cage */
    strbuf_addf(out, "%d open", count);
}

static void fake_obey(const struct request *request, const char *command, int argc, char **argv)
{
    uint64_t n = request->number;
    volatile bool forever = true;
    if (!strncmp(command, "once ", 5)) { /* once FILE COMMAND: the first worker obeys, those after it echo */
        char file[256], rest[64];
        if (sscanf(command, "once %255s %63[^\n]", file, rest) != 2)
            _exit(9);
        int fd = open(file, O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (fd < 0) {
            fake_reply(n, NULL, request->course);
            return;
        }
        close(fd);
        fake_obey(request, rest, argc, argv);
    } else if (!strncmp(command, "read", 4)) { /* and the rest of a long command is ballast */
        struct strbuf out = { 0 };
        fake_read_files(request, &out);
        fake_reply(n, NULL, strbuf_string(&out));
        strbuf_free(&out);
    } else if (!strncmp(command, "crash once ", 11)) { /* crash once FILE: then it reads */
        int fd = open(command + 11, O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (fd >= 0)
            fake_signal(SIGSEGV);
        fake_obey(request, "read", argc, argv);
    } else if (!strcmp(command, "crash")) {
        fake_signal(SIGSEGV);
    } else if (!strcmp(command, "killed")) {
        fake_signal(SIGKILL);
    } else if (!strcmp(command, "exit")) {
        _exit(7);
    } else if (!strcmp(command, "spin")) {
        while (forever)
            continue;
    } else if (!strcmp(command, "stop")) {
        raise(SIGSTOP);
    } else if (!strcmp(command, "length")) {
        if (write(FAKE_SOCKET, "\xff\xff\xff\xff", 4) == 4)
            fake_sleep(60000);
    } else if (!strcmp(command, "bytes")) {
        frame_write(FAKE_SOCKET, "\xc1\xc1\xc1", 3, NULL);
        fake_sleep(60000);
    } else if (!strncmp(command, "place ", 6)) { /* place WORDS: its time is up there */
        struct strbuf words = { 0 };
        strbuf_addf(&words, "%s%s", FRAME_STOPPED, command + 6);
        frame_write(FAKE_SOCKET, words.text, words.length, NULL);
        _exit(FRAME_LAST_WORDS);
    } else if (!strcmp(command, "half")) {
        if (write(FAKE_SOCKET, "\0\0\1\0half", 8) == 8)
            _exit(0);
    } else if (!strcmp(command, "future")) {
        fake_reply(n + 1000, NULL, "future");
        fake_sleep(60000);
    } else if (!strcmp(command, "close")) {
        close(FAKE_SOCKET);
        fake_sleep(60000);
    } else if (!strcmp(command, "stale")) {
        fake_reply(n - 1, NULL, "old");
        fake_reply(0, NULL, "older");
        fake_reply(n, NULL, request->course);
        fake_reply(n, NULL, "again");
    } else if (!strcmp(command, "flood")) {
        for (;;)
            fake_reply(n - 1, NULL, "old");
    } else if (!strcmp(command, "last words")) {
        fake_reply(n, "memory.lua:7: out of memory", NULL);
        _exit(FRAME_LAST_WORDS);
    } else if (!strcmp(command, "die after")) {
        fake_reply(n, NULL, request->course);
        fake_signal(SIGKILL);
    } else if (!strcmp(command, "deaf after")) {
        fake_reply(n, NULL, request->course);
        fake_sleep(60000);
    } else if (!strncmp(command, "slow ", 5)) {
        fake_sleep(atol(command + 5));
        fake_reply(n, NULL, request->course);
    } else if (!strncmp(command, "burn ", 5)) {
        for (clock_t until = clock() + atol(command + 5) * (CLOCKS_PER_SEC / 1000); clock() < until;)
            continue;
        fake_reply(n, NULL, request->course);
    } else if (!strcmp(command, "big")) {
        char *text = malloc(WIRE_FRAME_MAX - 64);
        memset(text, 'b', WIRE_FRAME_MAX - 65);
        text[WIRE_FRAME_MAX - 65] = '\0';
        fake_reply(n, NULL, text);
        free(text);
    } else if (!strcmp(command, "pid")) {
        char text[32];
        snprintf(text, sizeof text, "%ld", (long)getpid());
        fake_reply(n, NULL, text);
    } else if (!strcmp(command, "describe")) {
        struct strbuf out = { 0 };
        fake_describe(&out, argc, argv);
        fake_reply(n, NULL, strbuf_string(&out));
        strbuf_free(&out);
    } else {
        fake_reply(n, NULL, request->course);
    }
}

static int fake_worker(int argc, char **argv)
{
    struct error err;
    const char *file = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    if (argc != 6 || cage_enter(!strcmp(argv[3], "open"), &err) < 0)
        _exit(9);
    if (strstr(file, "early-exit"))
        _exit(5);
    if (strstr(file, "other-build"))
        frame_write(FAKE_SOCKET, "normtutor engine of long ago", 28, &err);
    else if (strstr(file, "cannot-run"))
        frame_write(FAKE_SOCKET, FRAME_CANNOT "no luck today", strlen(FRAME_CANNOT) + 13, &err);
    else if (!strstr(file, "silent"))
        frame_write(FAKE_SOCKET, frame_greeting(), strlen(frame_greeting()), &err);

    struct strbuf in = { 0 };
    struct frame_files files = { .count = 0 };
    while (frame_receive(FAKE_SOCKET, &in, &files, &err) > 0) {
        if (strstr(file, "silent"))
            continue;
        struct arena *arena = arena_new();
        struct request request;
        if (wire_decode_request(&request, arena, in.text, in.length, &err) < 0 || frame_lend(&files, &request, &err) < 0)
            _exit(8);
        fake_obey(&request, request.source, argc, argv);
        frame_close(&files);
        arena_free(arena);
    }
    _exit(0);
}

#endif
