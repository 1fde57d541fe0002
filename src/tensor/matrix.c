#include "tensor/matrix.h"

#include "tensor/element.h"
#include "tensor/pool.h"

enum { ROWS = 4, COLUMNS = 128 }; /* what is summed at once, and stays in the nearest cache */

struct parts {
    const struct matrix_product *product;
    size_t across; /* tiles side by side */
};

static void sum_tile(const struct matrix_product *p, size_t row, size_t rows, size_t column, size_t columns)
{
    double sums[ROWS][COLUMNS];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            sums[i][j] = p->bias ? (double)p->bias[column + j] : 0;
    for (size_t k = 0; k < p->inner; k++) {
        const float *restrict b = p->b + (ptrdiff_t)k * p->b_row + column;
        for (size_t i = 0; i < rows; i++) {
            const double a = (double)p->a[(ptrdiff_t)(row + i) * p->a_row + (ptrdiff_t)k * p->a_column];
            double *restrict sum = sums[i];
            for (size_t j = 0; j < columns; j++)
                sum[j] += a * (double)b[j];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        const size_t first = p->first + (row + i) * p->columns + column;
        for (size_t j = 0; j < columns && p->sums; j++)
            p->sums[first + j] += sums[i][j];
        for (size_t j = 0; j < columns && !p->sums; j++)
            element_put(p->y, (ptrdiff_t)(first + j), sums[i][j]);
    }
}

static void sum_part(void *context, size_t lane, size_t part)
{
    (void)lane;
    const struct parts *parts = context;
    const struct matrix_product *p = parts->product;
    const size_t row = part / parts->across * ROWS, column = part % parts->across * COLUMNS;
    sum_tile(p, row, p->rows - row < ROWS ? p->rows - row : ROWS, column,
             p->columns - column < COLUMNS ? p->columns - column : COLUMNS);
}

void matrix_multiply(const struct matrix_product *p)
{
    struct parts parts = {p, (p->columns + COLUMNS - 1) / COLUMNS};
    const size_t count = (p->rows + ROWS - 1) / ROWS * parts.across;
    if (count)
        pool_run(count, pool_lanes(p->rows * p->columns * (p->inner + 1), count), sum_part, &parts);
}
