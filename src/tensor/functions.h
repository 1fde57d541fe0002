/* Functions of one number, in double, and their slopes. Private to tensor/. */
#ifndef TENSOR_FUNCTIONS_H
#define TENSOR_FUNCTIONS_H

#include "tensor/tensor.h"

/* Hendrycks, Gimpel 2016: x * P(X <= x) for a standard normal X, and their approximation by tanh. */
double function_gelu(double x);
double function_gelu_tanh(double x);
/* max(x, 0); NaN stays NaN. */
double function_relu(double x);
/* x / (1 + e^-x) (Elfwing, Uchibe, Doya 2017). */
double function_silu(double x);

typedef double function_of_number(double x);
/* The derivative. |x| and relu(x) have none at 0: there it is 0, as in PyTorch. */
function_of_number *function_slope(enum tensor_unary op);

#endif
