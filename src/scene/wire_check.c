#include <string.h>

#include "scene/wire.h"
#include "scene/wire_io.h"

/* A value's head: how many bytes it takes, what follows it. */
struct head {
    size_t bytes;   /* the head and a number's digits */
    size_t payload; /* bytes of text or binary */
    size_t items;   /* of an array */
    bool array;
};

static size_t big_endian(const unsigned char *at, size_t bytes)
{
    size_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

/* The types that the wire uses; maps, extensions and 32-bit floats are not among them. */
static bool read_head(const unsigned char *at, size_t left, struct head *head)
{
    unsigned char tag = at[0];
    size_t size_bytes = 0;
    *head = (struct head){ .bytes = 1 };
    if (tag <= 0x7f || tag >= 0xe0 || tag == 0xc0 || tag == 0xc2 || tag == 0xc3)
        return true;
    if (tag >= 0x90 && tag <= 0x9f) {
        head->array = true;
        head->items = tag & 0x0fu;
        return true;
    }
    if (tag >= 0xa0 && tag <= 0xbf) {
        head->payload = tag & 0x1fu;
        return true;
    }
    switch (tag) {
    case 0xcc: case 0xd0: head->bytes = 2; return true;
    case 0xcd: case 0xd1: head->bytes = 3; return true;
    case 0xce: case 0xd2: head->bytes = 5; return true;
    case 0xcb: case 0xcf: case 0xd3: head->bytes = 9; return true;
    case 0xc4: case 0xd9: size_bytes = 1; break;
    case 0xc5: case 0xda: case 0xdc: size_bytes = 2; break;
    case 0xc6: case 0xdb: case 0xdd: size_bytes = 4; break;
    default: return false;
    }
    head->bytes = 1 + size_bytes;
    if (head->bytes > left)
        return true;
    size_t size = big_endian(at + 1, size_bytes);
    head->array = tag == 0xdc || tag == 0xdd;
    if (head->array)
        head->items = size;
    else
        head->payload = size;
    return true;
}

int wire_check(const void *bytes, size_t length, struct error *err)
{
    const unsigned char *at = bytes;
    size_t left = length;
    size_t open[WIRE_DEPTH_MAX]; /* values still to come at each depth */
    size_t depth = 0, pending = 1;

    if (length > WIRE_FRAME_MAX)
        return error_set(err, "a message of %zu bytes is too large", length);
    while (pending > 0) {
        struct head head;
        if (left == 0)
            return error_set(err, "a message ends too early");
        if (!read_head(at, left, &head))
            return error_set(err, "a message holds a value of an unknown type");
        if (head.bytes > left || head.payload > left - head.bytes)
            return error_set(err, "a message claims more bytes than it has");
        at += head.bytes + head.payload;
        left -= head.bytes + head.payload;
        pending--;
        if (depth > 0)
            open[depth - 1]--;
        if (head.array && head.items > 0) {
            if (pending + head.items > left)
                return error_set(err, "a message claims more values than it has bytes");
            if (depth == WIRE_DEPTH_MAX)
                return error_set(err, "a message is nested too deeply");
            open[depth++] = head.items;
            pending += head.items;
        }
        while (depth > 0 && open[depth - 1] == 0)
            depth--;
    }
    if (left > 0)
        return error_set(err, "a message is followed by %zu stray bytes", left);
    return 0;
}
