#include "cage/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "scene/wire.h"

enum { HEAD = 4, CHUNK = 65536 };

int channel_put(struct channel *channel, const char *bytes, size_t length, struct error *err)
{
    const char head[HEAD] = { (char)(length >> 24), (char)(length >> 16), (char)(length >> 8), (char)length };
    strbuf_addn(&channel->out, head, HEAD);
    strbuf_addn(&channel->out, bytes, length);
    return channel->out.failed ? error_set(err, "out of memory") : 0;
}

bool channel_sending(const struct channel *channel)
{
    return channel->sent < channel->out.length;
}

void channel_flush(struct channel *channel, int fd)
{
    while (channel_sending(channel)) {
        ssize_t n = send(fd, channel->out.text + channel->sent, channel->out.length - channel->sent,
                         MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n < 0)
            break;
        channel->sent += (size_t)n;
    }
    strbuf_clear(&channel->out);
    channel->sent = 0;
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
    channel->sent = 0;
}

void channel_free(struct channel *channel)
{
    strbuf_free(&channel->in);
    strbuf_free(&channel->out);
}
