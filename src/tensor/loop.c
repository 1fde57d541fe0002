#include "tensor/loop.h"

#include "tensor/pool.h"

void loop_begin(struct loop *loop)
{
    loop->rank = 0;
    loop->count = 1;
}

void loop_add(struct loop *loop, size_t extent, ptrdiff_t stride0, ptrdiff_t stride1)
{
    loop->count *= extent;
    if (extent == 1)
        return;
    int last = loop->rank - 1;
    bool runs_on = last >= 0 && loop->stride[last][0] == (ptrdiff_t)extent * stride0 &&
                   loop->stride[last][1] == (ptrdiff_t)extent * stride1;
    if (runs_on) {
        loop->extent[last] *= extent;
    } else {
        last = loop->rank++;
        loop->extent[last] = extent;
    }
    loop->stride[last][0] = stride0;
    loop->stride[last][1] = stride1;
}

void loop_over(struct loop *loop, int rank, const size_t *extents, const ptrdiff_t *strides)
{
    loop_begin(loop);
    for (int axis = 0; axis < rank; axis++)
        loop_add(loop, extents[axis], strides[axis], 0);
}

size_t loop_run(const struct loop *loop)
{
    return loop->rank ? loop->extent[loop->rank - 1] : 1;
}

ptrdiff_t loop_run_stride(const struct loop *loop, int tensor)
{
    return loop->rank ? loop->stride[loop->rank - 1][tensor] : 1;
}

bool loop_next(const struct loop *loop, struct loop_place *place)
{
    for (int axis = loop->rank - 2; axis >= 0; axis--) {
        bool wraps = ++place->index[axis] == loop->extent[axis];
        ptrdiff_t steps = wraps ? 1 - (ptrdiff_t)loop->extent[axis] : 1;
        place->offset[0] += steps * loop->stride[axis][0];
        place->offset[1] += steps * loop->stride[axis][1];
        if (!wraps)
            return true;
        place->index[axis] = 0;
    }
    return false;
}

static struct loop_place place_of_run(const struct loop *loop, size_t run)
{
    struct loop_place place = {.offset = {0, 0}};
    for (int axis = loop->rank - 2; axis >= 0; axis--) {
        place.index[axis] = run % loop->extent[axis];
        place.offset[0] += (ptrdiff_t)place.index[axis] * loop->stride[axis][0];
        place.offset[1] += (ptrdiff_t)place.index[axis] * loop->stride[axis][1];
        run /= loop->extent[axis];
    }
    return place;
}

struct walk {
    const struct loop *loop;
    loop_visit *visit;
    void *context;
};

static void walk_part(void *context, size_t lane, size_t part)
{
    (void)lane;
    const struct walk *walk = context;
    const struct loop *loop = walk->loop;
    const size_t run = loop_run(loop), first = part * POOL_PART_ELEMENTS;
    struct loop_place place = place_of_run(loop, first / run);
    size_t within = first % run, left = loop->count - first;
    left = left < POOL_PART_ELEMENTS ? left : POOL_PART_ELEMENTS;
    for (size_t position = first;;) {
        const ptrdiff_t offset[2] = {place.offset[0] + (ptrdiff_t)within * loop_run_stride(loop, 0),
                                     place.offset[1] + (ptrdiff_t)within * loop_run_stride(loop, 1)};
        const size_t n = run - within < left ? run - within : left;
        walk->visit(walk->context, position, offset, n);
        position += n;
        left -= n;
        if (left == 0)
            return;
        within = 0;
        loop_next(loop, &place);
    }
}

void loop_each(const struct loop *loop, loop_visit *visit, void *context)
{
    struct walk walk = {loop, visit, context};
    const size_t parts = loop->count / POOL_PART_ELEMENTS + (loop->count % POOL_PART_ELEMENTS != 0);
    pool_run(parts, pool_lanes(loop->count, parts), walk_part, &walk);
}

ptrdiff_t loop_offset(const struct loop *loop, size_t position, int tensor)
{
    ptrdiff_t offset = 0;
    for (int axis = loop->rank - 1; axis >= 0; axis--) {
        offset += (ptrdiff_t)(position % loop->extent[axis]) * loop->stride[axis][tensor];
        position /= loop->extent[axis];
    }
    return offset;
}
