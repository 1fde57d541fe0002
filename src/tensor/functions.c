#include "tensor/functions.h"

#include <math.h>

static const double ROOT_HALF = 0.70710678118654752440, ROOT_2_OVER_PI = 0.79788456080286535588,
                    ROOT_1_OVER_2PI = 0.39894228040143267794, CUBIC = 0.044715;

/* 1 / (1 + e^-x): its small values keep their digits. */
static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* By erfc, which has no 1 + erf to lose digits in. */
static double normal_below(double x)
{
    return erfc(-x * ROOT_HALF) / 2;
}

double function_gelu(double x)
{
    return x * normal_below(x);
}

/* (1 + tanh u) / 2 = 1 / (1 + e^-2u) */
static double twice_argument(double x)
{
    return 2 * ROOT_2_OVER_PI * (x + CUBIC * x * x * x);
}

double function_gelu_tanh(double x)
{
    return x * logistic(twice_argument(x));
}

double function_relu(double x)
{
    return x < 0 ? 0 : x;
}

double function_silu(double x)
{
    return x * logistic(x);
}

static double slope_neg(double x)
{
    (void)x;
    return -1;
}

static double slope_sqrt(double x)
{
    return 0.5 / sqrt(x);
}

static double slope_log(double x)
{
    return 1 / x;
}

/* 1 - tanh^2 = 1 / cosh^2, which keeps its digits far out. */
static double slope_tanh(double x)
{
    const double c = cosh(x);
    return 1 / (c * c);
}

static double slope_abs(double x)
{
    return isnan(x) ? x : (x > 0) - (x < 0);
}

static double slope_gelu(double x)
{
    return normal_below(x) + x * (ROOT_1_OVER_2PI * exp(-x * x / 2));
}

static double slope_gelu_tanh(double x)
{
    const double s = logistic(twice_argument(x));
    const double inner = 2 * ROOT_2_OVER_PI * (1 + 3 * CUBIC * x * x);
    return s + x * s * (1 - s) * inner;
}

static double slope_relu(double x)
{
    return x <= 0 ? 0 : 1;
}

static double slope_silu(double x)
{
    const double s = logistic(x);
    return s * (1 + x * (1 - s));
}

function_of_number *function_slope(enum tensor_unary op)
{
    static function_of_number *const slopes[] = {
        [TENSOR_NEG] = slope_neg,   [TENSOR_SQRT] = slope_sqrt,           [TENSOR_EXP] = exp,
        [TENSOR_LOG] = slope_log,   [TENSOR_TANH] = slope_tanh,           [TENSOR_ABS] = slope_abs,
        [TENSOR_GELU] = slope_gelu, [TENSOR_GELU_TANH] = slope_gelu_tanh, [TENSOR_RELU] = slope_relu,
        [TENSOR_SILU] = slope_silu,
    };
    return slopes[op];
}
