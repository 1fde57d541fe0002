/* Messages on the stream socket between the tutor and its worker: 4 bytes of length (big-endian), then that many bytes.
   The worker's first message is a greeting (frame_greeting), so that two builds never talk past each other. */
#ifndef CAGE_FRAME_H
#define CAGE_FRAME_H

#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "scene/request.h"

#define FRAME_CANNOT "! " /* in place of a greeting, words follow: why the worker cannot run */

#define FRAME_STOPPED "- " /* in place of a reply: the time is nearly up; "file:line: " follows, where its Lua code stands */

enum { FRAME_LAST_WORDS = 3 }; /* a worker's exit status after a reply that said why it ends; it is replaced without a word */

/* Blocking, for the worker. read: 1 a message in `out` (cleared first), 0 the other side closed, -1 an error. */
int frame_read(int fd, struct strbuf *out, struct error *err); /* closes what descriptors come with it */
int frame_write(int fd, const void *bytes, size_t length, struct error *err);
const char *frame_greeting(void); /* names this build */

/* The descriptors that came with a message. */
struct frame_files {
    int fd[REQUEST_FILES_MAX];
    size_t count;
};

/* As frame_read; the descriptors are the caller's to close. Zero-initialise `files`; those in it are closed first. */
int frame_receive(int fd, struct strbuf *out, struct frame_files *files, struct error *err);
/* Gives the decoded request its descriptors, borrowed from `files`; -1 when they are more or fewer than its names. */
int frame_lend(const struct frame_files *files, struct request *request, struct error *err);
void frame_close(struct frame_files *files);

#endif
