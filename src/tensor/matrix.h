/* The product of two matrices. Private to tensor/. */
#ifndef TENSOR_MATRIX_H
#define TENSOR_MATRIX_H

#include "tensor/layout.h"

/* y[i][j] = bias[j] + sum over k of a[i][k] * b[k][j]: summed in double, k rising, and rounded once; or,
   where there are sums, added to those. a has any strides, b's rows are contiguous; y and the sums are
   contiguous from `first` on. Turned, the bias is one number a row, and y[j][i] is written. */
struct matrix_product {
    size_t rows, inner, columns;
    const float *a;
    ptrdiff_t a_row, a_column;
    const float *b;
    ptrdiff_t b_row;
    const float *bias; /* NULL: none */
    struct tensor *y;  /* one of the two */
    double *sums;
    size_t first;
    bool turned;
};

void matrix_multiply(const struct matrix_product *product);

#endif
