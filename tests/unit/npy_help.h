/* Writes .npy files, of any version, type and order, into memory. */
#ifndef NPY_HELP_H
#define NPY_HELP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct npy {
    size_t size;
    unsigned char bytes[1 << 16];
};

/* The header as it is given, the elements to be appended. */
static inline void npy_begin(struct npy *npy, int version, const char *dictionary)
{
    const size_t width = version == 1 ? 2 : 4, length = strlen(dictionary);
    memcpy(npy->bytes, "\x93NUMPY", 6);
    npy->bytes[6] = (unsigned char)version;
    npy->bytes[7] = 0;
    for (size_t i = 0; i < width; i++)
        npy->bytes[8 + i] = (unsigned char)(length >> 8 * i);
    memcpy(npy->bytes + 8 + width, dictionary, length);
    npy->size = 8 + width + length;
}

/* Padded as NumPy pads it. */
static inline void npy_header(struct npy *npy, int version, const char *descr, bool columns,
                              const char *shape)
{
    char dictionary[512];
    int length = snprintf(dictionary, 384, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr,
                          columns ? "True" : "False", shape);
    while ((length + 1 + (version == 1 ? 10 : 12)) % 64)
        dictionary[length++] = ' ';
    strcpy(dictionary + length, "\n");
    npy_begin(npy, version, dictionary);
}

static inline void npy_add(struct npy *npy, uint64_t bits, size_t width, bool big)
{
    for (size_t i = 0; i < width; i++)
        npy->bytes[npy->size++] = (unsigned char)(bits >> 8 * (big ? width - 1 - i : i));
}

static inline void npy_add_float(struct npy *npy, double value, size_t width, bool big)
{
    const float narrow = (float)value;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &narrow, sizeof low);
    memcpy(&bits, &value, sizeof bits);
    npy_add(npy, width == 4 ? low : bits, width, big);
}

#endif
