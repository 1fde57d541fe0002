/* float16 and bfloat16 as bits. Private to tensor/. */
#ifndef TENSOR_HALF_H
#define TENSOR_HALF_H

#include "tensor/tensor.h"

/* Exact; `type` is one of the two. */
double half_value(enum tensor_type type, uint16_t bits);
/* The nearest, as tensor.h says. */
uint16_t half_nearest(enum tensor_type type, double value);

#endif
