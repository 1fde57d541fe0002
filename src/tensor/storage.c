#include "tensor/layout.h"
#include "tensor/record.h"

#include <stdlib.h>
#include <string.h>

static void *heap_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static const struct tensor_memory heap = {heap_resize, NULL};

static void *take(const struct tensor_memory *memory, size_t size)
{
    return memory->resize(memory->context, NULL, 0, size);
}

static void give_back(const struct tensor_memory *memory, void *block, size_t size)
{
    memory->resize(memory->context, block, size, 0);
}

/* Elements of large tensors begin where the kernels' vectors do. */
enum { ALIGNMENT = 64, ALIGNED_FROM = 4096 /* bytes */ };

static size_t slack(size_t bytes)
{
    return bytes < ALIGNED_FROM ? 0 : ALIGNMENT;
}

static void *elements_of(struct storage *storage, size_t bytes)
{
    const uintptr_t start = (uintptr_t)storage->values;
    return (char *)storage->values + (slack(bytes) ? (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT : 0);
}

/* Fills in all but the storage; -1 with words when such a tensor cannot be. */
static int describe(struct tensor *x, int rank, const size_t *extents, const char *const *names,
                    struct error *err)
{
    if (rank < 0 || rank > TENSOR_RANK_MAX)
        return error_set(err, "a tensor has 0 to %d axes, not %d", TENSOR_RANK_MAX, rank);
    char shape[TENSOR_SHAPE_TEXT];
    const size_t most = (PTRDIFF_MAX - sizeof(struct storage) - ALIGNMENT) / sizeof(float);
    size_t span = 1; /* with empty axes counted as 1, so that every stride fits too */
    x->rank = rank;
    x->count = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        size_t extent = extents[axis];
        x->extent[axis] = extent;
        x->stride[axis] = (ptrdiff_t)span;
        x->count *= extent;
        if (extent > 1 && span > most / extent)
            return error_set(err, "%s has too many elements", shape_compact(shape, rank, extents));
        span *= extent ? extent : 1;
    }
    return tensor_name_axes(x, names, err);
}

static size_t element_size(enum tensor_type type)
{
    return type == TENSOR_FLOAT32 ? sizeof(float) : sizeof(uint16_t);
}

static int make(struct tensor **out, const struct tensor_memory *memory, enum tensor_type type, int rank,
                const size_t *extents, const char *const *names, struct error *err)
{
    struct tensor draft = {.type = type};
    if (type == TENSOR_FLOAT64)
        return error_set(err, "a tensor is kept as float32, float16 or bfloat16: float64 is for computing");
    if (describe(&draft, rank, extents, names, err) < 0)
        return -1;
    const size_t elements = draft.count * element_size(type);
    const size_t bytes = sizeof(struct storage) + elements + slack(elements);
    struct storage *storage = take(memory, bytes);
    struct tensor *x = storage ? take(memory, sizeof *x) : NULL;
    if (!x) {
        if (storage)
            give_back(memory, storage, bytes);
        char shape[TENSOR_SHAPE_TEXT];
        return error_set(err, "out of memory: %s takes %zu bytes", shape_compact(shape, rank, extents),
                         bytes);
    }
    storage->memory = memory;
    storage->references = 1;
    storage->recorded = false;
    storage->bytes = bytes;
    *x = draft;
    x->storage = storage;
    if (type == TENSOR_FLOAT32)
        x->values = elements_of(storage, elements);
    else
        x->halves = elements_of(storage, elements);
    *out = x;
    return 0;
}

int tensor_new_typed(struct tensor **out, const struct tensor_memory *memory, enum tensor_type type, int rank,
                     const size_t *extents, const char *const *names, struct error *err)
{
    struct tensor *x;
    if (make(&x, memory ? memory : &heap, type, rank, extents, names, err) < 0)
        return -1;
    memset(type == TENSOR_FLOAT32 ? (void *)x->values : x->halves, 0, x->count * element_size(type));
    *out = x;
    return 0;
}

int tensor_new(struct tensor **out, const struct tensor_memory *memory, int rank, const size_t *extents,
               const char *const *names, struct error *err)
{
    return tensor_new_typed(out, memory, TENSOR_FLOAT32, rank, extents, names, err);
}

int tensor_scalar(struct tensor **out, const struct tensor_memory *memory, float value, struct error *err)
{
    if (tensor_new(out, memory, 0, NULL, NULL, err) < 0)
        return -1;
    *(*out)->values = value;
    return 0;
}

int tensor_like_named(struct tensor **out, const struct tensor *x, int rank, const size_t *extents,
                      const char *const *names, struct error *err)
{
    return make(out, x->storage->memory, x->type, rank, extents, names, err);
}

int tensor_like_typed(struct tensor **out, const struct tensor *x, enum tensor_type type, int rank,
                      const size_t *extents, const char *const *names, struct error *err)
{
    return make(out, x->storage->memory, type, rank, extents, names, err);
}

int tensor_like(struct tensor **out, const struct tensor *x, const size_t *extents, struct error *err)
{
    const char *names[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        names[axis] = x->name[axis];
    return make(out, x->storage->memory, x->type, x->rank, extents, names, err);
}

int tensor_view(struct tensor **out, const struct tensor *x, struct error *err)
{
    struct tensor *view = take(x->storage->memory, sizeof *view);
    if (!view)
        return error_set(err, "out of memory");
    *view = *x;
    view->node = NULL;
    view->storage->references++;
    *out = view;
    return 0;
}

void tensor_free(struct tensor *x)
{
    if (!x)
        return;
    struct storage *storage = x->storage;
    const struct tensor_memory *memory = storage->memory;
    node_release(x->node);
    give_back(memory, x, sizeof *x);
    if (--storage->references == 0)
        give_back(memory, storage, storage->bytes);
}

float *scratch_new(const struct tensor *x, size_t count, struct error *err)
{
    float *scratch = NULL;
    if (count <= PTRDIFF_MAX / sizeof(float))
        scratch = take(x->storage->memory, count * sizeof(float));
    if (!scratch)
        error_set(err, "out of memory");
    return scratch;
}

void scratch_free(const struct tensor *x, float *scratch, size_t count)
{
    if (scratch)
        give_back(x->storage->memory, scratch, count * sizeof(float));
}
