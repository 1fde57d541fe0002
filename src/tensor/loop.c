#include "tensor/loop.h"

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

ptrdiff_t loop_offset(const struct loop *loop, size_t position, int tensor)
{
    ptrdiff_t offset = 0;
    for (int axis = loop->rank - 1; axis >= 0; axis--) {
        offset += (ptrdiff_t)(position % loop->extent[axis]) * loop->stride[axis][tensor];
        position /= loop->extent[axis];
    }
    return offset;
}
