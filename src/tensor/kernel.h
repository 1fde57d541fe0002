/* Kernels for rows of contiguous float32 and for products of matrices: one for each kind of processor, chosen while the program runs. All
   do the same arithmetic in the same order, so they give the same bits. Private to tensor/.

   A row is summed in a logical vector of 16 lanes; its sums are folded in one fixed tree; fused multiply-adds
   stand where they are written and nowhere else. */
#ifndef TENSOR_KERNEL_H
#define TENSOR_KERNEL_H

#include "tensor/tensor.h"

enum {
    KERNEL_LEAST = 32,   /* features: shorter rows are computed in double, as lessons show them */
    KERNEL_SHORT = 256,  /* up to here four rows are summed at once */
    KERNEL_MIDDLE = 2048 /* up to here one row at a time, beyond several rows tile by tile */
};

/* sums[i][j] += sum over k of a[i][k] * b[k][j], in double, k rising. Up to four rows; b's rows are contiguous. */
struct product_tile {
    size_t rows, inner, columns;
    const float *a;
    ptrdiff_t a_row, a_column;
    const float *b;
    ptrdiff_t b_row;
    double *sums;
    size_t stride; /* from row to row of the sums */
};

/* A path computes rows first … first + count - 1. `stream`: what is written goes past the caches; rows then
   begin on 64 bytes and are a multiple of 64 bytes long. */
struct kernel_path {
    const char *name;
    bool (*runs_here)(void);
    void (*forward)(const struct norm_rows *job, size_t first, size_t count, bool stream);
    /* These rows' dscale and dbias, each of `features`, or both NULL. */
    void (*backward)(const struct norm_rows_backward *job, size_t first, size_t count, float *dscale,
                     float *dbias, bool stream);
    void (*product)(const struct product_tile *tile);
};

/* Rows of fewer than KERNEL_LEAST elements, which no path is asked for. */
void kernel_exact_forward(const struct norm_rows *job, size_t first, size_t count);
void kernel_exact_chunk(const struct norm_rows_backward *job, size_t first, size_t count, float *dscale,
                        float *dbias);

/* The fastest first; plain C, the last one, runs everywhere. */
enum { KERNEL_PATHS = 3 };
extern const struct kernel_path *const kernel_paths[KERNEL_PATHS];
extern const struct kernel_path kernel_avx512, kernel_avx2, kernel_plain;

const struct kernel_path *kernel_path(void); /* this processor's */

void kernel_forward(const struct kernel_path *path, const struct norm_rows *job);
void kernel_backward(const struct kernel_path *path, const struct norm_rows_backward *job);

/* Norms of a float32 tensor whose rows lie one behind the other, and whose scale and bias are one row for
   all: whether they are such, and the job, to which the caller adds where results go. Tensors have been
   checked. */
bool kernel_takes(struct norm_rows *job, bool layer, const struct tensor *x,
                  const struct tensor_norm_options *options);

/* A row that float32 sums cannot hold, in double, as row_moments. */
struct kernel_exact {
    double shift, rest, rstd; /* x normalized is ((x - shift) - rest) * rstd */
};
struct kernel_exact kernel_exact_row(const float *x, size_t n, double eps, bool rms, double *mean,
                                     double *var);
void kernel_exact_write(float *y, const float *x, size_t n, const struct kernel_exact *exact,
                        const float *scale, const float *bias);
void kernel_exact_backward(const struct norm_rows_backward *job, size_t row,
                           const struct kernel_exact *exact);

#endif
