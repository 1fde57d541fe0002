#include "cage/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "scene/wire.h"

enum { HEAD = 4, CHUNK = 65536 };

int channel_put(struct channel *channel, const char *bytes, size_t length, const int *files, size_t file_count,
                struct error *err)
{
    const char head[HEAD] = { (char)(length >> 24), (char)(length >> 16), (char)(length >> 8), (char)length };
    strbuf_addn(&channel->out, head, HEAD);
    strbuf_addn(&channel->out, bytes, length);
    memcpy(channel->files, files, file_count * sizeof *files);
    channel->file_count = file_count;
    return channel->out.failed ? error_set(err, "out of memory") : 0;
}

bool channel_sending(const struct channel *channel)
{
    return channel->sent < channel->out.length;
}

static ssize_t send_some(struct channel *channel, int fd)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof channel->files)];
    } control = { .bytes = { 0 } };
    struct iovec rest = { channel->out.text + channel->sent, channel->out.length - channel->sent };
    struct msghdr message = { .msg_iov = &rest, .msg_iovlen = 1 };
    size_t size = channel->file_count * sizeof channel->files[0];
    if (size) {
        control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(size), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
        memcpy(CMSG_DATA(&control.head), channel->files, size);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
    }
    return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void channel_flush(struct channel *channel, int fd)
{
    while (channel_sending(channel)) {
        ssize_t n = send_some(channel, fd);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n < 0)
            break;
        channel->sent += (size_t)n;
        channel->file_count = 0;
    }
    strbuf_clear(&channel->out);
    channel->sent = channel->file_count = 0;
}

static size_t claimed(const struct channel *channel)
{
    const unsigned char *head = (const unsigned char *)channel->in.text;
    return (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
}

enum channel_state channel_receive(struct channel *channel, int fd, struct error *err)
{
    char chunk[CHUNK];
    for (;;) {
        size_t need = HEAD;
        if (channel->in.length >= HEAD) {
            need += claimed(channel);
            if (need - HEAD > WIRE_FRAME_MAX) {
                error_set(err, "a message of %zu bytes is too large", need - HEAD);
                return CHANNEL_BAD;
            }
            if (channel->in.length == need)
                return CHANNEL_MESSAGE;
        }
        size_t want = need - channel->in.length;
        ssize_t n = recv(fd, chunk, want < sizeof chunk ? want : sizeof chunk, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return CHANNEL_WAIT;
        if (n <= 0)
            return CHANNEL_CLOSED;
        strbuf_addn(&channel->in, chunk, (size_t)n);
        if (channel->in.failed) {
            error_set(err, "out of memory");
            return CHANNEL_BAD;
        }
    }
}

const char *channel_message(const struct channel *channel, size_t *length)
{
    *length = channel->in.length - HEAD;
    return channel->in.text + HEAD;
}

void channel_next(struct channel *channel)
{
    strbuf_clear(&channel->in);
}

void channel_reset(struct channel *channel)
{
    strbuf_clear(&channel->in);
    strbuf_clear(&channel->out);
    channel->in.failed = channel->out.failed = false;
    channel->sent = channel->file_count = 0;
}

void channel_free(struct channel *channel)
{
    strbuf_free(&channel->in);
    strbuf_free(&channel->out);
}
