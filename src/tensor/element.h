/* One element of a tensor of any type, by its offset. Private to tensor/. */
#ifndef TENSOR_ELEMENT_H
#define TENSOR_ELEMENT_H

#include "tensor/half.h"
#include "tensor/layout.h"

static inline double element_at(const struct tensor *x, ptrdiff_t offset)
{
    return x->type == TENSOR_FLOAT32 ? (double)x->values[offset] : half_value(x->type, x->halves[offset]);
}

static inline void element_put(struct tensor *x, ptrdiff_t offset, double value)
{
    if (x->type == TENSOR_FLOAT32)
        x->values[offset] = (float)value;
    else
        x->halves[offset] = half_nearest(x->type, value);
}

/* The tensor begins that many elements later. */
static inline void element_advance(struct tensor *x, ptrdiff_t by)
{
    if (x->type == TENSOR_FLOAT32)
        x->values += by;
    else
        x->halves += by;
}

#endif
