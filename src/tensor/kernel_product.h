/* Sums of products, for each kind of processor: a product of two floats is exact in double, so a fused multiply-add rounds as a
   multiplication and an addition do. */

/* Some rows, up to four, of `quads` times four columns. */
INLINE void product_strip(const struct product_tile *tile, size_t column, const size_t rows, const size_t quads)
{
    quad sums[4][4];
    for (size_t i = 0; i < rows; i++)
        for (size_t q = 0; q < quads; q++)
            sums[i][q] = q_load(tile->sums + i * tile->stride + column + 4 * q);
    for (size_t k = 0; k < tile->inner; k++) {
        const float *b = tile->b + (ptrdiff_t)k * tile->b_row + column;
        quad right[4];
        for (size_t q = 0; q < quads; q++)
            right[q] = q_load_floats(b + 4 * q);
        for (size_t i = 0; i < rows; i++) {
            const quad left = q_all((double)tile->a[(ptrdiff_t)i * tile->a_row + (ptrdiff_t)k * tile->a_column]);
            for (size_t q = 0; q < quads; q++)
                sums[i][q] = q_fma(left, right[q], sums[i][q]);
        }
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t q = 0; q < quads; q++)
            q_store(tile->sums + i * tile->stride + column + 4 * q, sums[i][q]);
}

INLINE void product_column(const struct product_tile *tile, size_t column, const size_t rows)
{
    double sums[4];
    for (size_t i = 0; i < rows; i++)
        sums[i] = tile->sums[i * tile->stride + column];
    for (size_t k = 0; k < tile->inner; k++) {
        const double right = (double)tile->b[(ptrdiff_t)k * tile->b_row + (ptrdiff_t)column];
        for (size_t i = 0; i < rows; i++)
            sums[i] += (double)tile->a[(ptrdiff_t)i * tile->a_row + (ptrdiff_t)k * tile->a_column] * right;
    }
    for (size_t i = 0; i < rows; i++)
        tile->sums[i * tile->stride + column] = sums[i];
}

INLINE void product_rows(const struct product_tile *tile, const size_t rows)
{
    size_t column = 0;
    for (; column + 4 * PRODUCT_QUADS <= tile->columns; column += 4 * PRODUCT_QUADS)
        product_strip(tile, column, rows, PRODUCT_QUADS);
    for (; column + 4 <= tile->columns; column += 4)
        product_strip(tile, column, rows, 1);
    for (; column < tile->columns; column++)
        product_column(tile, column, rows);
}

TARGET static void product(const struct product_tile *tile)
{
    switch (tile->rows) {
    case 4: product_rows(tile, 4); break;
    case 3: product_rows(tile, 3); break;
    case 2: product_rows(tile, 2); break;
    default: product_rows(tile, 1);
    }
}
