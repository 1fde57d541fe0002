#include "tensor/rows.h"

#include "tensor/element.h"
#include "tensor/pool.h"

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

/* Of rows that need no tile. */
static size_t part_rows(const struct rows *rows)
{
    return rows->length < POOL_PART_ELEMENTS ? POOL_PART_ELEMENTS / (rows->length + 1) + 1 : 1;
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

static void gather_halves(const struct rows *rows, float *restrict to, const struct tensor *x, size_t first,
                          size_t count)
{
    ptrdiff_t offsets[ROWS_TILE_MAX];
    row_offsets(offsets, rows, first, count);
    struct loop_place place = {.offset = {0, 0}};
    const size_t run = loop_run(&rows->within);
    const ptrdiff_t stride = loop_run_stride(&rows->within, 0);
    do {
        ptrdiff_t from = place.offset[0];
        for (size_t i = 0; i < run; i++, from += stride, to++)
            for (size_t row = 0; row < count; row++)
                to[row * rows->length] = (float)element_at(x, from + offsets[row]);
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

size_t rows_lanes(const struct rows *rows)
{
    return pool_lanes(rows->count * rows->length, rows->count);
}

/* One walk over all rows; a part is some of them. */
struct visit {
    struct rows in, out;
    const struct tensor *x;
    float *y; /* or NULL */
    row_visit *visit;
    void *context;
    size_t part_rows;
    float *scratch; /* of each lane: rows of x, then of y */
    size_t lane_scratch;
};

static size_t rows_in_part(const struct visit *v, size_t first)
{
    return v->in.count - first < v->part_rows ? v->in.count - first : v->part_rows;
}

static void visit_in_place(void *context, size_t lane, size_t part)
{
    const struct visit *v = context;
    const size_t first = part * v->part_rows, end = first + rows_in_part(v, first);
    const float *x = v->x->values; /* NULL: empty rows of halves */
    for (size_t row = first; row < end; row++)
        v->visit(v->context, lane, row, v->y ? v->y + loop_offset(&v->out.kept, row, 0) : NULL,
                 x ? x + loop_offset(&v->in.kept, row, 0) : NULL, v->in.length);
}

static void visit_gathered(void *context, size_t lane, size_t part)
{
    const struct visit *v = context;
    const size_t n = v->in.length, first = part * v->part_rows, count = rows_in_part(v, first);
    float *rows = v->scratch + lane * v->lane_scratch, *results = v->y ? rows + v->part_rows * n : NULL;
    if (v->x->type == TENSOR_FLOAT32)
        rows_gather(&v->in, rows, v->x->values, first, count);
    else
        gather_halves(&v->in, rows, v->x, first, count);
    for (size_t row = 0; row < count; row++)
        v->visit(v->context, lane, first + row, v->y ? results + row * n : NULL, rows + row * n, n);
    if (v->y)
        scatter(&v->out, v->y, results, first, count);
}

int rows_each(struct tensor *y, const struct tensor *x, tensor_axes axes, row_visit *visit, void *context,
              struct error *err)
{
    struct visit v = {.x = x, .y = y ? y->values : NULL, .visit = visit, .context = context};
    rows_of(&v.in, x, x->stride, axes);
    if (y)
        rows_of(&v.out, y, y->stride, axes);
    const bool in_place =
        v.in.length == 0 || (x->type == TENSOR_FLOAT32 && v.in.direct && (!y || v.out.direct));
    v.part_rows = in_place ? part_rows(&v.in) : tile_rows(&v.in);
    const size_t parts = v.in.count / v.part_rows + (v.in.count % v.part_rows != 0);
    const size_t lanes = pool_lanes(v.in.count * v.in.length, parts);
    if (in_place) {
        pool_run(parts, lanes, visit_in_place, &v);
        return 0;
    }
    v.lane_scratch = v.part_rows * v.in.length * (y ? 2 : 1);
    v.scratch = scratch_new(x, lanes * v.lane_scratch, err);
    if (!v.scratch)
        return -1;
    pool_run(parts, lanes, visit_gathered, &v);
    scratch_free(x, v.scratch, lanes * v.lane_scratch);
    return 0;
}
