/* How fast the core's norms are, beside other libraries and beside plain copies of the same bytes, in one
   interleaved run: what each contender takes is its best time of all rounds.

     bench CSV [SECONDS]    SECONDS a contender and shape, 0.3 unless said */
#include "peers.h"
#include "plain.h"

#include "tensor/pool.h"
#include "tensor/tensor.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHAPES = 7, CORE = PLAIN_WAYS, TORCH, DNNL, CONTENDERS, ROUNDS_MIN = 5, PRIMING = 3 };

static const size_t shapes[SHAPES][2] = {{64, 64},      {512, 768}, {4096, 768},  {4096, 4096},
                                         {16384, 1024}, {1, 16384}, {65536, 1024}};
static const char *const kinds[BENCH_KINDS] = {"layer norm", "add + layer norm", "layer norm backward",
                                               "RMS norm", "RMS norm backward"};
/* Percent of the copy, one thread. */
static const int targets[BENCH_KINDS][SHAPES] = {
    {25, 65, 92, 75, 95, 45, 95}, {35, 75, 85, 63, 78, 50, 80}, {40, 60, 88, 63, 82, 30, 78},
    {25, 65, 92, 75, 95, 45, 95}, {40, 60, 88, 63, 82, 30, 78},
};
static const char *const names[CONTENDERS] = {"memcpy", "copy-wide", "copy-stream", "copy-blocks",
                                              "core",   "pytorch",   "onednn"};

struct contender {
    void (*run)(void *state);
    void *state;
    double best; /* seconds; infinity: not here */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static float *floats(size_t count)
{
    const size_t page = 4096, bytes = (count * sizeof(float) + 2 * page) / page * page;
    float *values = aligned_alloc(page, bytes);
    if (!values) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    memset(values, 0, bytes);
    return values;
}

static void fill(float *values, size_t count, double scale, double shift)
{
    struct random_stream random;
    random_start(&random, 4, count);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(random_normal(&random) * scale + shift);
}

/* The copy, shared out among the threads. */
struct plain {
    const struct bench_job *job;
    int way;
    bool works;
};

static void plain_part(void *context, size_t lane, size_t part)
{
    (void)lane;
    struct plain *plain = context;
    const struct bench_job *job = plain->job;
    const size_t threads = (size_t)job->threads, n = job->rows * job->features / threads, at = part * n;
    if (job->what == BENCH_BACKWARD || job->what == BENCH_RMS_BACKWARD)
        plain->works = plain_triad(plain->way, job->dx + at, job->x + at, job->dy + at, n);
    else
        plain->works = plain_copy(plain->way, job->y + at, job->x + at, n);
    if (job->what == BENCH_FUSED)
        plain_copy(plain->way, job->sum + at, job->residual + at, n);
}

static void plain_run(void *state)
{
    struct plain *plain = state;
    const size_t threads = (size_t)plain->job->threads;
    pool_run(threads, pool_lanes(plain->job->rows * plain->job->features, threads), plain_part, plain);
}

struct core {
    struct norm_rows forward;
    struct norm_rows_backward backward;
    bool back;
};

static void core_run(void *state)
{
    const struct core *core = state;
    if (core->back)
        norm_rows_backward(&core->backward);
    else
        norm_rows_forward(&core->forward);
}

static void core_open(struct core *core, const struct bench_job *job, float *kept, float *scratch)
{
    const bool rms = job->what == BENCH_RMS || job->what == BENCH_RMS_BACKWARD;
    core->forward = (struct norm_rows){
        .rms = rms,
        .rows = job->rows,
        .features = job->features,
        .eps = (double)job->eps,
        .x = job->x,
        .residual = job->what == BENCH_FUSED ? job->residual : NULL,
        .scale = job->scale,
        .bias = rms ? NULL : job->bias,
        .y = job->y,
        .sum = job->sum,
        .mean = rms ? NULL : job->mean,
        .var = job->var,
        .rstd = job->rstd,
        .kept = kept,
    };
    core->back = job->what == BENCH_BACKWARD || job->what == BENCH_RMS_BACKWARD;
    if (!core->back)
        return;
    norm_rows_forward(&core->forward); /* also for the peers' mean, var and rstd */
    core->backward = (struct norm_rows_backward){
        .rms = rms,
        .rows = job->rows,
        .features = job->features,
        .eps = (double)job->eps,
        .dy = job->dy,
        .x = job->x,
        .scale = job->scale,
        .kept = kept,
        .dx = job->dx,
        .dscale = job->dscale,
        .dbias = rms ? NULL : job->dbias,
        .scratch = scratch,
    };
}

/* Small work is repeated within one measurement. Everybody has run a few times when it begins, so that nobody finds
   the caches as another one left them. `resting`: other libraries' threads wait busily for a while,
   and would have the processor that the next contender needs. */
static void measure(struct contender contenders[CONTENDERS], size_t elements, double seconds, bool resting)
{
    const int repeats = elements < 1000000 ? (int)(1200000 / elements) : 1;
    int rounds = ROUNDS_MIN;
    for (int round = 0; round < rounds; round++) {
        double all = 0;
        int there = 0;
        for (int i = 0; i < CONTENDERS; i++) {
            struct contender *one = &contenders[i];
            if (!one->run)
                continue;
            if (resting)
                nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
            for (int k = 0; k < PRIMING; k++)
                one->run(one->state);
            const double began = now();
            for (int k = 0; k < repeats; k++)
                one->run(one->state);
            const double taken = now() - began;
            all += taken;
            there++;
            if (round > 0 && taken / repeats < one->best)
                one->best = taken / repeats;
        }
        if (round == 0) {
            const double wanted = seconds * there / all;
            rounds = wanted > (resting ? 100 : 1000) ? (resting ? 100 : 1000)
                     : wanted > ROUNDS_MIN           ? (int)wanted
                                                     : ROUNDS_MIN;
        }
    }
}

static void report(FILE *csv, const struct bench_job *job, int shape, const struct contender *contenders)
{
    double copy = INFINITY;
    for (int i = 0; i < PLAIN_WAYS; i++)
        copy = contenders[i].best < copy ? contenders[i].best : copy;
    const double core = contenders[CORE].best;
    printf("%-20s %6zu x %-6zu %d  %10.2f us  %5.0f %% ", kinds[job->what], job->rows, job->features,
           job->threads, 1e6 * core, 100 * copy / core);
    if (job->threads == 1)
        printf(" of %3d %%", targets[job->what][shape]);
    else
        printf("         ");
    for (int i = TORCH; i < CONTENDERS; i++)
        if (isfinite(contenders[i].best))
            printf("  %7.2f", contenders[i].best / core);
        else
            printf("        -");
    printf("\n");
    fflush(stdout);
    for (int i = 0; i < CONTENDERS; i++)
        if (isfinite(contenders[i].best))
            fprintf(csv, "%s,%zu,%zu,%d,%s,%.3f,%.4f\n", kinds[job->what], job->rows, job->features,
                    job->threads, names[i], 1e6 * contenders[i].best, contenders[i].best / core);
    fflush(csv);
}

static void bench_shape(FILE *csv, int shape, int threads, double seconds)
{
    const size_t rows = shapes[shape][0], n = shapes[shape][1], count = rows * n;
    struct bench_job job = {.rows = rows, .features = n, .eps = 1e-5f, .threads = threads};
    float **const large[] = {&job.x, &job.residual, &job.dy, &job.y, &job.sum};
    float **const small[] = {&job.scale, &job.bias, &job.dscale, &job.dbias};
    float **const column[] = {&job.mean, &job.var, &job.rstd};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        *large[i] = floats(count);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        *small[i] = floats(n);
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        *column[i] = floats(rows);
    job.dx = job.y;
    fill(job.x, count, 1, 0.25);
    fill(job.residual, count, 1, 0);
    fill(job.dy, count, 1, 0);
    fill(job.scale, n, 0.1, 1);
    fill(job.bias, n, 0.1, 0);
    float *kept = floats(3 * rows), *scratch = floats(norm_rows_scratch(rows, n));
    for (job.what = 0; job.what < BENCH_KINDS; job.what++) {
        struct contender contenders[CONTENDERS] = {{NULL, NULL, 0}};
        struct plain plain[PLAIN_WAYS];
        struct core core;
        for (int i = 0; i < CONTENDERS; i++)
            contenders[i].best = INFINITY;
        for (int way = 0; way < PLAIN_WAYS; way++) {
            plain[way] = (struct plain){&job, way, false};
            plain_run(&plain[way]);
            if (plain[way].works)
                contenders[way] = (struct contender){plain_run, &plain[way], INFINITY};
        }
        core_open(&core, &job, kept, scratch);
        contenders[CORE] = (struct contender){core_run, &core, INFINITY};
#ifdef WITH_torch
        void *torch = torch_open(&job);
        if (torch)
            contenders[TORCH] = (struct contender){torch_run, torch, INFINITY};
#endif
#ifdef WITH_dnnl
        void *dnnl = dnnl_open(&job);
        if (dnnl)
            contenders[DNNL] = (struct contender){dnnl_run, dnnl, INFINITY};
#endif
        measure(contenders, count, seconds, threads > 1);
        report(csv, &job, shape, contenders);
#ifdef WITH_torch
        if (torch)
            torch_close(torch);
#endif
#ifdef WITH_dnnl
        if (dnnl)
            dnnl_close(dnnl);
#endif
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        free(*large[i]);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        free(*small[i]);
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        free(*column[i]);
    free(kept);
    free(scratch);
}

int main(int argc, char **argv)
{
    struct error err;
    if (argc < 2) {
        fprintf(stderr, "usage: bench CSV [SECONDS]\n");
        return 2;
    }
    FILE *csv = fopen(argv[1], "w");
    if (!csv) {
        perror(argv[1]);
        return 1;
    }
    const double seconds = argc > 2 ? atof(argv[2]) : 0.3;
    mallopt(M_MMAP_MAX, 0); /* a warm allocator: memory once had is kept */
    mallopt(M_TRIM_THRESHOLD, -1);
    fprintf(csv, "what,rows,features,threads,contender,microseconds,over_core\n");
    printf("The core's path: %s. Percent: of the best plain copy (backward: triad) of the same bytes, and "
           "the aim.\n",
           tensor_processor_path());
    printf("The last columns: how many times as long PyTorch and oneDNN take (- where they have none or are "
           "not here).\n");
#ifndef WITH_torch
    printf("PyTorch is skipped: its headers are not here (scripts/deps bench).\n");
#endif
#ifndef WITH_dnnl
    printf("oneDNN is skipped: its headers are not here (scripts/deps bench).\n");
#endif
    printf("%-20s %6s x %-6s %s  %10s     %7s  %8s  %7s  %7s\n", "", "rows", "feat.", "threads", "core",
           "of copy", "aim", "PyTorch", "oneDNN");
    for (int threads = 1; threads <= 2; threads++) {
        if (threads > 1 && tensor_threads_start(threads, &err) < 0) {
            fprintf(stderr, "bench: %s\n", err.text);
            return 1;
        }
        for (int shape = 0; shape < SHAPES; shape++)
            bench_shape(csv, shape, threads, seconds);
    }
    tensor_threads_stop();
    return fclose(csv) != 0;
}
