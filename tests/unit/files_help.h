/* Lessons that ask for two files, which the test keeps in memory. */
#ifndef FILES_HELP_H
#define FILES_HELP_H

#include "engine_help.h"

#include <sys/mman.h>
#include <unistd.h>

enum { HELP_FILES = 2 };

static struct request_file help_sent[HELP_FILES];

static inline int help_memory_file(const void *bytes, size_t length)
{
    int fd = memfd_create("file", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, length), length);
    return fd;
}

static inline int help_close_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < HELP_FILES; i++)
        close(help_sent[i].fd);
    return 0;
}

static inline struct request help_with_files(struct request request)
{
    request.files = help_sent;
    request.file_count = HELP_FILES;
    return request;
}

static inline void help_refuse(struct request request, const char *words)
{
    struct scene *scene = help_ask(&request);
    if (!scene->error || strcmp(scene->error, words))
        fail_msg("\"%s\" and not \"%s\", from\n%s", scene->error ? scene->error : "no error", words, request.source);
    scene_free(scene);
}

static inline void help_shows(const char *parts, const char *text)
{
    struct request request = help_with_files(help_frame(parts, NULL));
    struct scene *scene = help_step(&request);
    if (strcmp(scene->step->text, text))
        fail_msg("\"%s\" and not \"%s\", from\n%s", scene->step->text, text, parts);
    scene_free(scene);
}

#endif
