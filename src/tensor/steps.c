/* Arithmetic step by step in a chosen type. Each step is computed in double and rounded: for float32 and the
   halves that is the type's own correctly rounded operation (a double has more than twice their digits). */
#include "tensor/rows.h"

#include <math.h>

double steps_sum(const float *x, size_t n, enum tensor_type type)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = tensor_round(sum + tensor_round((double)x[i], type), type);
    return sum;
}

static double divide(double sum, size_t n, enum tensor_type type)
{
    return tensor_round(sum / tensor_round((double)n, type), type);
}

double steps_mean(const float *x, size_t n, enum tensor_type type)
{
    return divide(steps_sum(x, n, type), n, type);
}

static double product(double a, double b, enum tensor_type type)
{
    return tensor_round(a * b, type);
}

/* Of x - shift. */
static double square_sum(const float *x, size_t n, double shift, enum tensor_type type)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double d = tensor_round(tensor_round((double)x[i], type) - shift, type);
        sum = tensor_round(sum + product(d, d, type), type);
    }
    return sum;
}

double steps_mean_square(const float *x, size_t n, enum tensor_type type)
{
    return divide(square_sum(x, n, 0, type), n, type);
}

static struct step_moments one_pass(const float *x, size_t n, enum tensor_type type, bool unbiased)
{
    const double mean = steps_mean(x, n, type);
    double var = tensor_round(steps_mean_square(x, n, type) - product(mean, mean, type), type);
    if (unbiased)
        var = divide(product(var, tensor_round((double)n, type), type), n - 1, type);
    return (struct step_moments){mean, var};
}

static struct step_moments two_pass(const float *x, size_t n, enum tensor_type type, size_t divisor)
{
    const double mean = steps_mean(x, n, type);
    return (struct step_moments){mean, divide(square_sum(x, n, mean, type), divisor, type)};
}

static struct step_moments welford(const float *x, size_t n, enum tensor_type type, size_t divisor)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double value = tensor_round((double)x[i], type), before = tensor_round(value - mean, type);
        mean = tensor_round(mean + divide(before, i + 1, type), type);
        squares = tensor_round(squares + product(before, tensor_round(value - mean, type), type), type);
    }
    return (struct step_moments){n ? mean : (double)NAN, divide(squares, divisor, type)};
}

struct step_moments steps_moments(const float *x, size_t n, const struct tensor_steps *steps, bool unbiased)
{
    const size_t divisor = unbiased && n ? n - 1 : n;
    switch (steps->method) {
    case TENSOR_ONE_PASS:
        return one_pass(x, n, steps->type, unbiased && n);
    case TENSOR_TWO_PASS:
        return two_pass(x, n, steps->type, divisor);
    case TENSOR_WELFORD:
        break;
    }
    return welford(x, n, steps->type, divisor);
}
