// oneDNN 2: primitives made beforehand, results in memory that is there already.
#include "peers.h"

#include <dnnl.hpp>
#include <omp.h>

#include <unordered_map>
#include <vector>

namespace {

using namespace dnnl;

struct Step {
    primitive run;
    std::unordered_map<int, memory> arguments;
};

struct Dnnl {
    engine cpu{engine::kind::cpu, 0};
    stream queue{cpu};
    std::vector<Step> steps;
};

} // namespace

void *dnnl_open(const bench_job *job)
{
    if (job->what == BENCH_RMS || job->what == BENCH_RMS_BACKWARD)
        return nullptr;
    omp_set_num_threads(job->threads);
    auto *d = new Dnnl;
    const memory::dim rows = static_cast<memory::dim>(job->rows), n = static_cast<memory::dim>(job->features);
    const memory::desc matrix({rows, n}, memory::data_type::f32, memory::format_tag::ab);
    const memory::desc row({n}, memory::data_type::f32, memory::format_tag::a);
    const memory::desc column({rows}, memory::data_type::f32, memory::format_tag::a);
    const auto of = [&](const memory::desc &shape, float *values) { return memory(shape, d->cpu, values); };
    const auto flags = normalization_flags::use_scale | normalization_flags::use_shift;
    const layer_normalization_forward::primitive_desc forward(
        {prop_kind::forward_training, matrix, column, job->eps, flags}, d->cpu);
    if (job->what == BENCH_FUSED) {
        const binary::primitive_desc add({algorithm::binary_add, matrix, matrix, matrix}, d->cpu);
        d->steps.push_back({binary(add),
                            {{DNNL_ARG_SRC_0, of(matrix, job->x)},
                             {DNNL_ARG_SRC_1, of(matrix, job->residual)},
                             {DNNL_ARG_DST, of(matrix, job->sum)}}});
    }
    if (job->what != BENCH_BACKWARD) {
        d->steps.push_back({layer_normalization_forward(forward),
                            {{DNNL_ARG_SRC, of(matrix, job->what == BENCH_FUSED ? job->sum : job->x)},
                             {DNNL_ARG_DST, of(matrix, job->y)},
                             {DNNL_ARG_SCALE, of(row, job->scale)},
                             {DNNL_ARG_SHIFT, of(row, job->bias)},
                             {DNNL_ARG_MEAN, of(column, job->mean)},
                             {DNNL_ARG_VARIANCE, of(column, job->var)}}});
        return d;
    }
    const layer_normalization_backward::primitive_desc backward(
        {prop_kind::backward, matrix, matrix, column, job->eps, flags}, d->cpu, forward);
    d->steps.push_back({layer_normalization_backward(backward),
                        {{DNNL_ARG_SRC, of(matrix, job->x)},
                         {DNNL_ARG_DIFF_DST, of(matrix, job->dy)},
                         {DNNL_ARG_DIFF_SRC, of(matrix, job->dx)},
                         {DNNL_ARG_SHIFT, of(row, job->bias)},
                         {DNNL_ARG_SCALE, of(row, job->scale)},
                         {DNNL_ARG_DIFF_SCALE, of(row, job->dscale)},
                         {DNNL_ARG_DIFF_SHIFT, of(row, job->dbias)},
                         {DNNL_ARG_MEAN, of(column, job->mean)},
                         {DNNL_ARG_VARIANCE, of(column, job->var)}}});
    return d;
}

void dnnl_run(void *state)
{
    auto *d = static_cast<Dnnl *>(state);
    for (auto &step : d->steps)
        step.run.execute(d->queue, step.arguments);
    d->queue.wait();
}

void dnnl_close(void *state)
{
    delete static_cast<Dnnl *>(state);
}
