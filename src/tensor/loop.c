#include "tensor/loop.h"

#include "tensor/pool.h"

#include <string.h>

void loop_begin(struct loop *loop)
{
    loop->rank = 0;
    loop->count = 1;
}

void loop_add_all(struct loop *loop, size_t extent, const ptrdiff_t strides[LOOP_TENSORS])
{
    loop->count *= extent;
    if (extent == 1)
        return;
    int last = loop->rank - 1;
    bool runs_on = last >= 0;
    for (int tensor = 0; runs_on && tensor < LOOP_TENSORS; tensor++)
        runs_on = loop->stride[last][tensor] == (ptrdiff_t)extent * strides[tensor];
    if (runs_on) {
        loop->extent[last] *= extent;
    } else {
        last = loop->rank++;
        loop->extent[last] = extent;
    }
    memcpy(loop->stride[last], strides, sizeof loop->stride[last]);
}

void loop_add(struct loop *loop, size_t extent, ptrdiff_t stride0, ptrdiff_t stride1)
{
    loop_add_all(loop, extent, (const ptrdiff_t[LOOP_TENSORS]){stride0, stride1});
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
        for (int tensor = 0; tensor < LOOP_TENSORS; tensor++)
            place->offset[tensor] += steps * loop->stride[axis][tensor];
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
        for (int tensor = 0; tensor < LOOP_TENSORS; tensor++)
            place.offset[tensor] += (ptrdiff_t)place.index[axis] * loop->stride[axis][tensor];
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
        ptrdiff_t offset[LOOP_TENSORS];
        for (int tensor = 0; tensor < LOOP_TENSORS; tensor++)
            offset[tensor] = place.offset[tensor] + (ptrdiff_t)within * loop_run_stride(loop, tensor);
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

void loop_in_order(const struct loop *loop, loop_visit *visit, void *context)
{
    struct loop_place place = {.offset = {0, 0}};
    const size_t run = loop_run(loop);
    size_t position = 0;
    if (loop->count == 0)
        return;
    do {
        visit(context, position, place.offset, run);
        position += run;
    } while (loop_next(loop, &place));
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
