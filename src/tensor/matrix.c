#include "tensor/matrix.h"

#include "tensor/element.h"
#include "tensor/kernel.h"
#include "tensor/pool.h"

enum {
    ROWS = 4,
    COLUMNS = 128, /* what is summed at once, and stays in the nearest cache */
    ELEMENT = 16   /* products that take as long as an element of other operations */
};

struct parts {
    const struct matrix_product *product;
    const struct kernel_path *kernel;
    size_t across; /* tiles side by side */
};

static void sum_tile(const struct kernel_path *kernel, const struct matrix_product *p, size_t row, size_t rows,
                     size_t column, size_t columns)
{
    double sums[ROWS][COLUMNS];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            sums[i][j] = p->bias ? (double)p->bias[p->turned ? row + i : column + j] : 0;
    kernel->product(&(struct product_tile){.rows = rows,
                                           .inner = p->inner,
                                           .columns = columns,
                                           .a = p->a + (ptrdiff_t)row * p->a_row,
                                           .a_row = p->a_row,
                                           .a_column = p->a_column,
                                           .b = p->b + column,
                                           .b_row = p->b_row,
                                           .sums = sums[0],
                                           .stride = COLUMNS});
    for (size_t i = 0; i < rows; i++) {
        const size_t first = p->first + (row + i) * p->columns + column;
        for (size_t j = 0; j < columns && p->sums; j++)
            p->sums[first + j] += sums[i][j];
        for (size_t j = 0; j < columns && !p->sums; j++)
            element_put(p->y,
                        (ptrdiff_t)(p->turned ? p->first + (column + j) * p->rows + row + i : first + j),
                        sums[i][j]);
    }
}

static void sum_part(void *context, size_t lane, size_t part)
{
    (void)lane;
    const struct parts *parts = context;
    const struct matrix_product *p = parts->product;
    const size_t row = part / parts->across * ROWS, column = part % parts->across * COLUMNS;
    sum_tile(parts->kernel, p, row, p->rows - row < ROWS ? p->rows - row : ROWS, column,
             p->columns - column < COLUMNS ? p->columns - column : COLUMNS);
}

void matrix_multiply(const struct matrix_product *p)
{
    struct parts parts = {p, kernel_path(), (p->columns + COLUMNS - 1) / COLUMNS};
    const size_t count = (p->rows + ROWS - 1) / ROWS * parts.across;
    if (count)
        pool_run(count, pool_lanes(p->rows * p->columns * (p->inner + 1) / ELEMENT, count), sum_part, &parts);
}
