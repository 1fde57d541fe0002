#include "tensor/rows.h"

/* Rows are gathered several at once, so that neighbours share cache lines, as long as the
   tile stays in cache. */
enum { TILE_ELEMENTS = 1 << 18 };

void rows_of(struct rows *rows, const struct tensor *shape, const ptrdiff_t *strides, tensor_axes axes)
{
    loop_begin(&rows->kept);
    loop_begin(&rows->within);
    for (int axis = 0; axis < shape->rank; axis++)
        loop_add(axes >> axis & 1 ? &rows->within : &rows->kept, shape->extent[axis], strides[axis], 0);
    rows->count = rows->kept.count;
    rows->length = rows->within.count;
    rows->direct = rows->length == 0 || (rows->within.rank <= 1 && loop_run_stride(&rows->within, 0) == 1);
}

static size_t tile_rows(const struct rows *rows)
{
    size_t fit = TILE_ELEMENTS / rows->length;
    return fit < 1 ? 1 : fit > ROWS_TILE_MAX ? ROWS_TILE_MAX : fit;
}

static void row_offsets(ptrdiff_t offsets[ROWS_TILE_MAX], const struct rows *rows, size_t first, size_t count)
{
    for (size_t row = 0; row < count; row++)
        offsets[row] = loop_offset(&rows->kept, first + row, 0);
}

void rows_gather(const struct rows *rows, float *restrict to, const float *values, size_t first, size_t count)
{
    ptrdiff_t offsets[ROWS_TILE_MAX];
    row_offsets(offsets, rows, first, count);
    struct loop_place place = {.offset = {0, 0}};
    const size_t run = loop_run(&rows->within);
    const ptrdiff_t stride = loop_run_stride(&rows->within, 0);
    do {
        const float *from = values + place.offset[0];
        for (size_t i = 0; i < run; i++, from += stride, to++)
            for (size_t row = 0; row < count; row++)
                to[row * rows->length] = from[offsets[row]];
    } while (loop_next(&rows->within, &place));
}

static void scatter(const struct rows *rows, float *restrict values, const float *from, size_t first,
                    size_t count)
{
    ptrdiff_t offsets[ROWS_TILE_MAX];
    row_offsets(offsets, rows, first, count);
    struct loop_place place = {.offset = {0, 0}};
    const size_t run = loop_run(&rows->within);
    const ptrdiff_t stride = loop_run_stride(&rows->within, 0);
    do {
        float *to = values + place.offset[0];
        for (size_t i = 0; i < run; i++, to += stride, from++)
            for (size_t row = 0; row < count; row++)
                to[offsets[row]] = from[row * rows->length];
    } while (loop_next(&rows->within, &place));
}

int rows_each(struct tensor *y, const struct tensor *x, tensor_axes axes, row_visit *visit, void *context,
              struct error *err)
{
    struct rows in, out;
    rows_of(&in, x, x->stride, axes);
    if (y)
        rows_of(&out, y, y->stride, axes);
    const size_t n = in.length;
    if (in.direct && (!y || out.direct)) {
        for (size_t row = 0; row < in.count; row++)
            visit(context, row, y ? y->values + loop_offset(&out.kept, row, 0) : NULL,
                  x->values + loop_offset(&in.kept, row, 0), n);
        return 0;
    }
    const size_t tile = tile_rows(&in), room = tile * n * (y ? 2 : 1);
    float *scratch = scratch_new(x, room, err), *results = y && scratch ? scratch + tile * n : NULL;
    if (!scratch)
        return -1;
    for (size_t first = 0; first < in.count; first += tile) {
        const size_t count = in.count - first < tile ? in.count - first : tile;
        rows_gather(&in, scratch, x->values, first, count);
        for (size_t row = 0; row < count; row++)
            visit(context, first + row, y ? results + row * n : NULL, scratch + row * n, n);
        if (y)
            scatter(&out, y->values, results, first, count);
    }
    scratch_free(x, scratch, room);
    return 0;
}
