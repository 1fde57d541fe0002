#include "tensor/broadcast.h"

#include <stdio.h>
#include <string.h>

/* "feature is 3, not 4", or with two names "feature is 3, out is 4". */
static int refuse(struct error *err, const char *before, const struct tensor *a, const char *between,
                  const struct tensor *b, int from_end)
{
    char first[TENSOR_SHAPE_TEXT], second[TENSOR_SHAPE_TEXT], other[TENSOR_AXIS_NAME_MAX + 8];
    int i = a->rank - from_end, j = b->rank - from_end;
    if (strcmp(a->name[i], b->name[j]) == 0)
        strcpy(other, "not");
    else
        snprintf(other, sizeof other, "%s is", b->name[j]);
    return error_set(err, "%s %s %s %s: %s is %zu, %s %zu", before, shape_compact(first, a->rank, a->extent),
                     between, shape_compact(second, b->rank, b->extent), a->name[i], a->extent[i], other,
                     b->extent[j]);
}

/* Both shapes aligned at the last axis; -1, and the axis counted from the end, where they clash. */
static int join(size_t extents[TENSOR_RANK_MAX], int *rank, int a_rank, const size_t *a, int b_rank,
                const size_t *b, int *clash)
{
    *rank = a_rank > b_rank ? a_rank : b_rank;
    for (int from_end = 1; from_end <= *rank; from_end++) {
        size_t left = from_end <= a_rank ? a[a_rank - from_end] : 1;
        size_t right = from_end <= b_rank ? b[b_rank - from_end] : 1;
        if (left != right && left != 1 && right != 1) {
            *clash = from_end;
            return -1;
        }
        extents[*rank - from_end] = left == 1 ? right : left;
    }
    return 0;
}

bool tensor_broadcast_shape(size_t extents[TENSOR_RANK_MAX], int *rank, int a_rank, const size_t *a,
                            int b_rank, const size_t *b)
{
    size_t joined[TENSOR_RANK_MAX];
    int joined_rank, clash;
    if (join(joined, &joined_rank, a_rank, a, b_rank, b, &clash) < 0)
        return false;
    *rank = joined_rank;
    memcpy(extents, joined, (size_t)joined_rank * sizeof *extents);
    return true;
}

/* The left one's names; b's where only b has the axis; b's throughout when that would use a name twice. */
static void join_names(const char *names[TENSOR_RANK_MAX], int rank, const struct tensor *a,
                       const struct tensor *b)
{
    int only_b = rank - a->rank;
    bool twice = false;
    for (int axis = 0; axis < only_b; axis++)
        twice = twice || tensor_find_axis(a, b->name[axis]) >= 0;
    for (int axis = 0; axis < rank; axis++)
        names[axis] = axis < only_b || twice ? b->name[axis] : a->name[axis - only_b];
}

int broadcast_new(struct tensor **out, const struct tensor *a, const struct tensor *b,
                  const struct broadcast_words *words, struct error *err)
{
    size_t extents[TENSOR_RANK_MAX];
    const char *names[TENSOR_RANK_MAX];
    int rank, clash;
    if (join(extents, &rank, a->rank, a->extent, b->rank, b->extent, &clash) < 0)
        return words->swap ? refuse(err, words->before, b, words->between, a, clash)
                           : refuse(err, words->before, a, words->between, b, clash);
    join_names(names, rank, a, b);
    return tensor_like_typed(out, a, type_promote(a->type, b->type), rank, extents, names, err);
}

void broadcast_strides(ptrdiff_t strides[TENSOR_RANK_MAX], const struct tensor *x, int rank)
{
    int missing = rank - x->rank;
    for (int axis = 0; axis < rank; axis++)
        strides[axis] = axis < missing || x->extent[axis - missing] == 1 ? 0 : x->stride[axis - missing];
}

int broadcast_into(ptrdiff_t strides[TENSOR_RANK_MAX], const struct tensor *x, const struct tensor *shape,
                   const char *role, struct error *err)
{
    char mine[TENSOR_SHAPE_TEXT], theirs[TENSOR_SHAPE_TEXT];
    if (x->rank > shape->rank)
        return error_set(err, "%s %s has more axes than %s", role, shape_compact(mine, x->rank, x->extent),
                         shape_compact(theirs, shape->rank, shape->extent));
    for (int from_end = 1; from_end <= x->rank; from_end++) {
        size_t extent = x->extent[x->rank - from_end];
        if (extent != 1 && extent != shape->extent[shape->rank - from_end])
            return refuse(err, role, x, "does not fit", shape, from_end);
    }
    broadcast_strides(strides, x, shape->rank);
    return 0;
}
