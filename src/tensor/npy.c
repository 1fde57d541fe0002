/* .npy, NumPy's file format: "\x93NUMPY", the version, the length of the header, the header (a Python
   dictionary that names the type, the order and the shape), the elements.
   https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "base/language.h"
#include "tensor/element.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_BYTES = sizeof MAGIC - 1, DESCR_MAX = 32 };

struct header {
    char kind;         /* of its elements: f, i, u or b */
    size_t width;      /* in bytes */
    bool big, columns; /* the order of an element's bytes; the first axis runs fastest */
    int rank;
    size_t extents[TENSOR_RANK_MAX];
    char descr[DESCR_MAX];
};

struct reader {
    const unsigned char *at, *end, *start;
    struct error *err;
};

static int damaged(const struct reader *r, const char *wanted)
{
    if (r->at == r->end)
        return error_set(r->err, "damaged: its header ends where %s should be", wanted);
    const char there[] = {isprint(*r->at) ? (char)*r->at : '?', '\0'};
    return error_set(r->err, "damaged: its header has \"%s\" at byte %zu, where %s should be", there,
                     (size_t)(r->at - r->start) + 1, wanted);
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t'))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != (unsigned char)c)
        return false;
    r->at++;
    return true;
}

static int expect(struct reader *r, char c)
{
    const char wanted[] = {'"', c, '"', '\0'};
    return take(r, c) ? 0 : damaged(r, wanted);
}

/* A string in single or double quotes, cut to `size`; there are no escapes in what NumPy writes here. */
static int read_string(struct reader *r, char *out, size_t size, const char *wanted)
{
    skip_blanks(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
        return damaged(r, wanted);
    const unsigned char quote = *r->at++;
    size_t length = 0;
    for (; r->at < r->end && *r->at != quote; r->at++)
        if (length + 1 < size)
            out[length++] = isprint(*r->at) ? (char)*r->at : '?';
    out[length] = '\0';
    if (r->at == r->end)
        return damaged(r, "the end of a text");
    r->at++;
    return 0;
}

static int read_word(struct reader *r, bool *out)
{
    static const char *const words[] = {"False", "True"};
    skip_blanks(r);
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(r->end - r->at) >= length && memcmp(r->at, words[i], length) == 0) {
            *out = i == 1;
            r->at += length;
            return 0;
        }
    }
    return damaged(r, "True or False");
}

static int read_size(struct reader *r, size_t *out)
{
    const bool negative = take(r, '-');
    skip_blanks(r);
    if (r->at == r->end || !isdigit(*r->at))
        return damaged(r, "a size");
    if (negative)
        return error_set(r->err, "damaged: a size in its shape is negative");
    for (*out = 0; r->at < r->end && isdigit(*r->at); r->at++) {
        const size_t digit = (size_t)(*r->at - '0');
        if (*out > (PTRDIFF_MAX - digit) / 10)
            return error_set(r->err, "too large: a size in its shape has no end");
        *out = *out * 10 + digit;
    }
    take(r, 'L'); /* as Python 2 wrote it */
    return 0;
}

static int read_shape(struct reader *r, struct header *h)
{
    if (expect(r, '(') < 0)
        return -1;
    int rank = 0;
    while (!take(r, ')')) {
        size_t extent = 0;
        if (read_size(r, &extent) < 0)
            return -1;
        if (rank < TENSOR_RANK_MAX)
            h->extents[rank] = extent;
        rank++;
        if (take(r, ','))
            continue;
        if (rank == 1) /* a tuple of one has a comma */
            return damaged(r, "\",\"");
        if (expect(r, ')') < 0)
            return -1;
        break;
    }
    if (rank > TENSOR_RANK_MAX)
        return error_set(r->err, "of %d axes: a tensor has at most %d", rank, TENSOR_RANK_MAX);
    h->rank = rank;
    return 0;
}

static int unsupported(const struct header *h, struct error *err)
{
    return error_set(err, "of type %s: there are f2, f4, f8, i1 to i8, u1 to u8 and b1", h->descr);
}

static int read_descr(struct reader *r, struct header *h)
{
    skip_blanks(r);
    if (r->at < r->end && *r->at == '[')
        return error_set(r->err, "of a type with fields: there are f2, f4, f8, i1 to i8, u1 to u8 and b1");
    if (read_string(r, h->descr, sizeof h->descr, "a type") < 0)
        return -1;
    const char *d = h->descr;
    if (strlen(d) != 3 || !strchr("<>|=", d[0]) || !strchr("fiub", d[1]) || !strchr("1248", d[2]))
        return unsupported(h, r->err);
    h->kind = d[1];
    h->width = (size_t)(d[2] - '0');
    h->big = d[0] == '>';
    if ((h->kind == 'f' && h->width == 1) || (h->kind == 'b' && h->width != 1) ||
        (d[0] == '|' && h->width != 1))
        return unsupported(h, r->err);
    return 0;
}

static int read_dictionary(struct reader *r, struct header *h)
{
    enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
    int seen = 0;
    if (expect(r, '{') < 0)
        return -1;
    while (!take(r, '}')) {
        char key[DESCR_MAX];
        if (read_string(r, key, sizeof key, "a key") < 0 || expect(r, ':') < 0)
            return -1;
        const int which = !strcmp(key, "descr")           ? DESCR
                          : !strcmp(key, "fortran_order") ? ORDER
                          : !strcmp(key, "shape")         ? SHAPE
                                                          : 0;
        if (!which || seen & which)
            return error_set(r->err, "damaged: its header has %s \"%s\"",
                             which ? _("twice the key") : _("the unknown key"), key);
        seen |= which;
        if ((which == DESCR && read_descr(r, h) < 0) || (which == ORDER && read_word(r, &h->columns) < 0) ||
            (which == SHAPE && read_shape(r, h) < 0))
            return -1;
        if (!take(r, ',')) {
            if (expect(r, '}') < 0)
                return -1;
            break;
        }
    }
    skip_blanks(r);
    if (r->at != r->end)
        return damaged(r, "nothing");
    if (seen != (DESCR | ORDER | SHAPE))
        return error_set(r->err, "damaged: its header has no %s",
                         !(seen & DESCR)   ? "descr"
                         : !(seen & ORDER) ? "fortran_order"
                                           : "shape");
    return 0;
}

/* -> where the elements begin */
static int read_header(struct header *h, size_t *out, const unsigned char *bytes, size_t size,
                       struct error *err)
{
    if (size < MAGIC_BYTES || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
        return error_set(err, "no .npy file");
    if (size < MAGIC_BYTES + 2)
        return error_set(err, "cut short: there are %zu bytes in all", size);
    const int version = bytes[MAGIC_BYTES];
    if (version < 1 || version > 3)
        return error_set(err, "of version %d.%d: there are 1.0, 2.0 and 3.0", version,
                         bytes[MAGIC_BYTES + 1]);
    const size_t width = version == 1 ? 2 : 4, start = MAGIC_BYTES + 2 + width;
    if (size < start)
        return error_set(err, "cut short: there are %zu bytes in all", size);
    size_t length = 0;
    for (size_t i = width; i-- > 0;)
        length = length << 8 | bytes[MAGIC_BYTES + 2 + i];
    if (length > size - start)
        return error_set(err, "cut short: its header takes %zu bytes, and there are %zu", length,
                         size - start);
    struct reader reader = {bytes + start, bytes + start + length, bytes, err};
    *out = start + length;
    return read_dictionary(&reader, h);
}

static uint64_t read_bits(const unsigned char *at, size_t width, bool big)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < width; i++)
        bits = bits << 8 | at[big ? i : width - 1 - i];
    return bits;
}

static double float_of(uint64_t bits, size_t width)
{
    const uint32_t low = (uint32_t)bits;
    float narrow;
    double wide;
    if (width == 2)
        return half_value(TENSOR_FLOAT16, (uint16_t)bits);
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return width == 4 ? (double)narrow : wide;
}

static int64_t signed_of(uint64_t bits, size_t width)
{
    const uint64_t sign = (uint64_t)1 << (8 * width - 1);
    return (int64_t)((bits ^ sign) - sign);
}

/* An integer is rounded to float32 at once: by way of double it would be rounded twice. */
static double element_of(const struct header *h, const unsigned char *at)
{
    const uint64_t bits = read_bits(at, h->width, h->big);
    switch (h->kind) {
    case 'f':
        return float_of(bits, h->width);
    case 'i':
        return (double)(float)signed_of(bits, h->width);
    case 'u':
        return (double)(float)bits;
    }
    return bits ? 1 : 0;
}

static void fill(struct tensor *x, const struct header *h, const unsigned char *elements)
{
    size_t index[TENSOR_RANK_MAX] = {0}, step[TENSOR_RANK_MAX], span = 1, from = 0;
    for (int i = 0; i < h->rank; i++) {
        const int axis = h->columns ? i : h->rank - 1 - i;
        step[axis] = span;
        span *= h->extents[axis];
    }
    for (size_t position = 0; position < x->count; position++) {
        element_put(x, (ptrdiff_t)position, element_of(h, elements + from * h->width));
        for (int axis = h->rank - 1; axis >= 0; axis--) {
            from += step[axis];
            if (++index[axis] < h->extents[axis])
                break;
            from -= step[axis] * h->extents[axis];
            index[axis] = 0;
        }
    }
}

static int check_size(const struct header *h, size_t there, struct error *err)
{
    char shape[TENSOR_SHAPE_TEXT];
    size_t count = 1;
    bool empty = false, too_large = false;
    shape_compact(shape, h->rank, h->extents);
    for (int axis = 0; axis < h->rank; axis++) {
        empty = empty || h->extents[axis] == 0;
        too_large = too_large || (h->extents[axis] && count > PTRDIFF_MAX / h->width / h->extents[axis]);
        if (!too_large && h->extents[axis])
            count *= h->extents[axis];
    }
    const size_t wanted = empty ? 0 : count * h->width;
    if (too_large)
        return error_set(err, "too large: %s", shape);
    if (wanted > there)
        return error_set(err, "cut short: %s elements of type %s take %zu bytes, and there are %zu", shape,
                         h->descr, wanted, there);
    if (wanted < there)
        return error_set(err, "damaged: %s elements of type %s take %zu bytes, and there are %zu", shape,
                         h->descr, wanted, there);
    return 0;
}

int tensor_from_npy(struct tensor **out, const struct tensor_memory *memory, const void *bytes, size_t size,
                    struct error *err)
{
    struct header header = {.rank = 0};
    size_t start = 0;
    if (read_header(&header, &start, bytes, size, err) < 0 || check_size(&header, size - start, err) < 0)
        return -1;
    const enum tensor_type type = header.kind == 'f' && header.width == 2 ? TENSOR_FLOAT16 : TENSOR_FLOAT32;
    struct tensor *x;
    if (tensor_new_typed(&x, memory, type, header.rank, header.extents, NULL, err) < 0)
        return -1;
    fill(x, &header, (const unsigned char *)bytes + start);
    *out = x;
    return 0;
}
