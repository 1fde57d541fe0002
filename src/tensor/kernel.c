#include "tensor/kernel.h"

#include "tensor/pool.h"
#include "tensor/rows.h"

enum {
    PART_ELEMENTS = 1 << 15,
    STREAM_BYTES =
        1 << 20,     /* written by each lane: beside what is read, more than a processor's own cache holds */
    CHUNK_ROWS = 256 /* whose dscale and dbias are summed in float32; chunks are added in double */
};

const struct kernel_path *const kernel_paths[KERNEL_PATHS] = {&kernel_avx512, &kernel_avx2, &kernel_plain};

const struct kernel_path *kernel_path(void)
{
    int i = 0;
    while (!kernel_paths[i]->runs_here())
        i++;
    return kernel_paths[i];
}

/* Whether what is written is better not kept in the caches: they could not hold it. */
static bool streams(size_t elements, size_t lanes, size_t features, const float *a, const float *b)
{
    return elements * sizeof(float) / lanes >= STREAM_BYTES && features % 16 == 0 && (uintptr_t)a % 64 == 0 &&
           (uintptr_t)b % 64 == 0;
}

struct forward {
    const struct kernel_path *path;
    const struct norm_rows *job;
    size_t part_rows;
    bool stream;
};

static void forward_rows(const struct forward *forward, size_t first, size_t count)
{
    if (forward->job->features < KERNEL_LEAST)
        kernel_exact_forward(forward->job, first, count);
    else
        forward->path->forward(forward->job, first, count, forward->stream);
}

static void forward_part(void *context, size_t lane, size_t part)
{
    (void)lane;
    const struct forward *forward = context;
    const size_t first = part * forward->part_rows, left = forward->job->rows - first;
    forward_rows(forward, first, left < forward->part_rows ? left : forward->part_rows);
}

/* Rows of a part: few parts where each lane then finds its rows in its own cache once more. */
static size_t rows_of_part(const struct norm_rows *job, size_t lanes, bool stream)
{
    const size_t usual = PART_ELEMENTS / job->features, shared = job->rows / (2 * lanes);
    const size_t rows = stream || shared < usual ? usual : shared;
    return (rows + 8) / 8 * 8;
}

void kernel_forward(const struct kernel_path *path, const struct norm_rows *job)
{
    if (job->rows == 0 || job->features == 0)
        return;
    const size_t elements = job->rows * job->features, lanes = pool_lanes(elements, job->rows);
    const bool stream = streams(elements * (job->residual ? 2 : 1), lanes, job->features, job->y, job->sum);
    struct forward forward = {path, job, rows_of_part(job, lanes, stream), stream};
    if (lanes == 1)
        forward_rows(&forward, 0, job->rows);
    else
        pool_run((job->rows - 1) / forward.part_rows + 1, lanes, forward_part, &forward);
}

void norm_rows_forward(const struct norm_rows *job)
{
    kernel_forward(kernel_path(), job);
}

static size_t chunks_of(size_t rows)
{
    return rows / CHUNK_ROWS + (rows % CHUNK_ROWS != 0);
}

size_t norm_rows_scratch(size_t rows, size_t features)
{
    return 2 * chunks_of(rows) * features;
}

struct backward {
    const struct kernel_path *path;
    const struct norm_rows_backward *job;
    bool stream;
};

static void backward_part(void *context, size_t lane, size_t part)
{
    (void)lane;
    const struct backward *backward = context;
    const struct norm_rows_backward *job = backward->job;
    const size_t n = job->features, first = part * CHUNK_ROWS, left = job->rows - first;
    float *dscale = NULL, *dbias = NULL;
    if (job->dscale || job->dbias) {
        const bool only = job->rows <= CHUNK_ROWS; /* nothing to add up afterwards */
        dscale = only && job->dscale ? job->dscale : job->scratch + 2 * part * n;
        dbias = only && job->dbias ? job->dbias : job->scratch + (2 * part + 1) * n;
    }
    const size_t count = left < CHUNK_ROWS ? left : CHUNK_ROWS;
    if (n < KERNEL_LEAST)
        kernel_exact_chunk(job, first, count, dscale, dbias);
    else
        backward->path->backward(job, first, count, dscale, dbias, backward->stream);
}

enum { COLUMNS = 256 };

/* Adds up what the chunks have, for some columns. */
static void add_part(void *context, size_t lane, size_t part)
{
    (void)lane;
    const struct backward *backward = context;
    const struct norm_rows_backward *job = backward->job;
    const size_t n = job->features, chunks = chunks_of(job->rows), begin = part * COLUMNS;
    const size_t count = n - begin < COLUMNS ? n - begin : COLUMNS;
    for (int which = 0; which < 2; which++) {
        float *to = which ? job->dbias : job->dscale;
        double sums[COLUMNS] = {0};
        if (!to)
            continue;
        for (size_t chunk = 0; chunk < chunks; chunk++) {
            const float *from = job->scratch + (2 * chunk + (size_t)which) * n + begin;
            for (size_t i = 0; i < count; i++)
                sums[i] += (double)from[i];
        }
        for (size_t i = 0; i < count; i++)
            to[begin + i] = (float)sums[i];
    }
}

void kernel_backward(const struct kernel_path *path, const struct norm_rows_backward *job)
{
    const size_t n = job->features, chunks = chunks_of(job->rows), elements = job->rows * n;
    if (n == 0)
        return;
    const size_t lanes = pool_lanes(elements, chunks);
    struct backward context = {path, job, streams(elements, lanes, n, job->dx, job->dx)};
    pool_run(chunks, lanes, backward_part, &context);
    if ((job->dscale || job->dbias) && chunks != 1) {
        const size_t parts = (n - 1) / COLUMNS + 1;
        pool_run(parts, pool_lanes(2 * chunks * n, parts), add_part, &context);
    }
}

void norm_rows_backward(const struct norm_rows_backward *job)
{
    kernel_backward(kernel_path(), job);
}
