/* The tutor's end of the socket: whole messages in and out, never blocking. Private to cage/. */
#ifndef CAGE_CHANNEL_H
#define CAGE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "scene/request.h"

struct channel {
    struct strbuf in;  /* of the message that is arriving, its length in front */
    struct strbuf out; /* still to be sent from `sent` on */
    size_t sent;
    int files[REQUEST_FILES_MAX]; /* borrowed: they travel with the first byte of `out` */
    size_t file_count;
};

enum channel_state {
    CHANNEL_WAIT,    /* nothing more can be done now */
    CHANNEL_MESSAGE, /* one is there, until channel_next */
    CHANNEL_CLOSED,  /* the other side is gone */
    CHANNEL_BAD,     /* a length that no message has, or memory is out: err says which */
};

/* Nothing may be on its way already. The descriptors stay open until the message is sent. */
int channel_put(struct channel *channel, const char *bytes, size_t length, const int *files, size_t file_count,
                struct error *err);
bool channel_sending(const struct channel *channel);
void channel_flush(struct channel *channel, int fd); /* that the other side is gone shows when reading */
enum channel_state channel_receive(struct channel *channel, int fd, struct error *err);
const char *channel_message(const struct channel *channel, size_t *length); /* borrowed until channel_next */
void channel_next(struct channel *channel);
void channel_reset(struct channel *channel); /* for a new worker: forgets both ways */
void channel_free(struct channel *channel);

#endif
