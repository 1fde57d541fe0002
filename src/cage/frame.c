#include "cage/frame.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

#include "scene/wire.h"

enum { CHUNK = 65536, GREETING_MAX = 96 };

/* 1: all of it; 0: closed before the first byte; -1: an error, or closed on the way. */
static int read_whole(int fd, unsigned char *into, size_t length, struct error *err)
{
    size_t have = 0;
    while (have < length) {
        ssize_t n = read(fd, into + have, length - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(err, "reading a message: %s", strerror(errno));
        if (n == 0)
            return have == 0 ? 0 : error_set(err, "a message ends too early");
        have += (size_t)n;
    }
    return 1;
}

/* As read_whole, for the first bytes of a message: the only ones that descriptors come with. */
static int read_head(int fd, unsigned char *into, size_t length, struct frame_files *files, struct error *err)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof files->fd)];
    } control;
    struct iovec room = { into, length };
    struct msghdr message = { .msg_iov = &room, .msg_iovlen = 1, .msg_control = control.bytes,
                              .msg_controllen = sizeof control.bytes };
    ssize_t n;
    do
        n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_set(err, "reading a message: %s", strerror(errno));
    for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
            continue;
        size_t size = at->cmsg_len - CMSG_LEN(0);
        memcpy(files->fd, CMSG_DATA(at), size);
        files->count = size / sizeof files->fd[0];
    }
    if (message.msg_flags & MSG_CTRUNC)
        return error_set(err, "not all descriptors of a message could be had");
    if (n == 0 || (size_t)n == length)
        return n > 0;
    int got = read_whole(fd, into + n, length - (size_t)n, err);
    return got == 0 ? error_set(err, "a message ends too early") : got;
}

int frame_read(int fd, struct strbuf *out, struct error *err)
{
    struct frame_files files = { .count = 0 };
    int got = frame_receive(fd, out, &files, err);
    frame_close(&files);
    return got;
}

int frame_receive(int fd, struct strbuf *out, struct frame_files *files, struct error *err)
{
    unsigned char head[4], chunk[CHUNK];
    strbuf_clear(out);
    frame_close(files);
    int got = read_head(fd, head, sizeof head, files, err);
    if (got <= 0)
        return got;
    size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
    if (length > WIRE_FRAME_MAX)
        return error_set(err, "a message of %zu bytes is too large", length);
    while (out->length < length) {
        size_t want = length - out->length < sizeof chunk ? length - out->length : sizeof chunk;
        got = read_whole(fd, chunk, want, err);
        if (got == 0)
            return error_set(err, "a message ends too early");
        if (got < 0)
            return -1;
        strbuf_addn(out, (const char *)chunk, want);
        if (out->failed)
            return error_set(err, "out of memory");
    }
    return 1;
}

int frame_lend(const struct frame_files *files, struct request *request, struct error *err)
{
    if (files->count != request->file_count)
        return error_set(err, "a request names %zu files and brings %zu", request->file_count, files->count);
    for (size_t i = 0; i < files->count; i++)
        ((struct request_file *)request->files)[i].fd = files->fd[i]; /* it was decoded, so it is nobody's constant */
    return 0;
}

void frame_close(struct frame_files *files)
{
    while (files->count)
        close(files->fd[--files->count]);
}

int frame_write(int fd, const void *bytes, size_t length, struct error *err)
{
    if (length > WIRE_FRAME_MAX)
        return error_set(err, "a message of %zu bytes is too large", length);
    unsigned char head[4] = { (unsigned char)(length >> 24), (unsigned char)(length >> 16),
                              (unsigned char)(length >> 8), (unsigned char)length };
    struct iovec parts[2] = { { head, sizeof head }, { (void *)bytes, length } };
    size_t part = 0;
    while (part < 2) {
        struct msghdr message = { .msg_iov = parts + part, .msg_iovlen = 2 - part };
        ssize_t n = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(err, "writing a message: %s", strerror(errno));
        size_t sent = (size_t)n;
        for (; part < 2 && sent >= parts[part].iov_len; part++)
            sent -= parts[part].iov_len;
        if (part < 2) {
            parts[part].iov_base = (char *)parts[part].iov_base + sent;
            parts[part].iov_len -= sent;
        }
    }
    return 0;
}

#ifdef __linux__
static size_t align4(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

/* Appends the linker's build id of the program itself, which dl_iterate_phdr names first. */
static int add_build_id(struct dl_phdr_info *info, size_t size, void *data)
{
    char *greeting = data;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE)
            continue;
        const unsigned char *at = (const unsigned char *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr);
        size_t left = segment->p_memsz;
        ElfW(Nhdr) note;
        while (left >= sizeof note) {
            memcpy(&note, at, sizeof note);
            size_t whole = sizeof note + align4(note.n_namesz) + align4(note.n_descsz);
            if (whole > left)
                break;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(at + sizeof note, "GNU", 4)) {
                const unsigned char *id = at + sizeof note + 4;
                size_t used = strlen(greeting);
                for (size_t k = 0; k < note.n_descsz && used + 2 < GREETING_MAX; k++, used += 2)
                    snprintf(greeting + used, GREETING_MAX - used, "%02x", id[k]);
                return 1;
            }
            at += whole;
            left -= whole;
        }
    }
    return 1;
}
#endif

const char *frame_greeting(void)
{
    static char greeting[GREETING_MAX];
    if (greeting[0])
        return greeting;
    snprintf(greeting, sizeof greeting, "normtutor engine %zu %zu ", sizeof(struct request),
             sizeof(struct scene_step));
#ifdef __linux__
    dl_iterate_phdr(add_build_id, greeting);
#endif
    return greeting;
}
