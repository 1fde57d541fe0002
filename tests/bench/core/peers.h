/* The other libraries in the benchmark. Each has these three functions when it is built in. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stddef.h>

enum bench_what { BENCH_FORWARD, BENCH_FUSED, BENCH_BACKWARD, BENCH_RMS, BENCH_RMS_BACKWARD, BENCH_KINDS };

/* Memory that all contenders read and write. Backward: x, dy -> dx, dscale, dbias. */
struct bench_job {
    enum bench_what what;
    size_t rows, features;
    float eps;
    int threads;
    float *x, *residual, *dy, *scale, *bias;
    float *y, *sum, *dx, *dscale, *dbias;
    float *mean, *var, *rstd; /* of x, one a row */
};

#ifdef __cplusplus
extern "C" {
#endif
/* NULL: this library has no such operation. */
void *torch_open(const struct bench_job *job);
void torch_run(void *state);
void torch_close(void *state);
void *dnnl_open(const struct bench_job *job);
void dnnl_run(void *state);
void dnnl_close(void *state);
#ifdef __cplusplus
}
#endif

#endif
