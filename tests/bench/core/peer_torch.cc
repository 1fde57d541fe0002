// PyTorch, called as its own C++ layer calls it: no Python, no recording of gradients, results from its
// allocator.
#include "peers.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

namespace {

struct Torch {
    bench_job job;
    at::Tensor x, residual, dy, scale, bias, mean, rstd;
};

at::Tensor rms(const Torch &t)
{
    return t.x * at::rsqrt(t.x.pow(2).mean(-1, true) + t.job.eps) * t.scale;
}

} // namespace

void *torch_open(const bench_job *job)
{
    if (job->what == BENCH_RMS_BACKWARD)
        return nullptr;
    at::set_num_threads(job->threads);
    c10::InferenceMode guard;
    const auto rows = static_cast<int64_t>(job->rows), n = static_cast<int64_t>(job->features);
    auto *t = new Torch{*job, {}, {}, {}, {}, {}, {}, {}};
    t->x = at::from_blob(job->x, {rows, n});
    t->residual = at::from_blob(job->residual, {rows, n});
    t->dy = at::from_blob(job->dy, {rows, n});
    t->scale = at::from_blob(job->scale, {n});
    t->bias = at::from_blob(job->bias, {n});
    t->mean = at::from_blob(job->mean, {rows, 1});
    t->rstd = at::from_blob(job->rstd, {rows, 1});
    return t;
}

void torch_run(void *state)
{
    const auto &t = *static_cast<Torch *>(state);
    c10::InferenceMode guard;
    const auto n = static_cast<int64_t>(t.job.features);
    switch (t.job.what) {
    case BENCH_FORWARD:
        at::native_layer_norm(t.x, {n}, t.scale, t.bias, t.job.eps);
        break;
    case BENCH_FUSED:
        at::native_layer_norm(t.x + t.residual, {n}, t.scale, t.bias, t.job.eps);
        break;
    case BENCH_BACKWARD:
        at::native_layer_norm_backward(t.dy, t.x, {n}, t.mean, t.rstd, t.scale, t.bias, {true, true, true});
        break;
    default:
        rms(t);
    }
}

void torch_close(void *state)
{
    delete static_cast<Torch *>(state);
}
