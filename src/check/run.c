/* The walk: as many workers as there are processors, a lesson under one seed each. One that takes its time or dies is not asked
   again; the rest is. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/language.h"
#include "check/internal.h"

enum {
    WORKERS_MOST = 64,
    LOOK_MS = 100,   /* at least so often is asked whether to go on */
    COSTLY_MS = 700, /* an error that took so long is not met again, … */
    WASTED_MS = 3000 /* … nor are more when all of them took so long */
};

struct worker {
    struct cage *cage;
    struct job job;
    bool busy;
    int64_t sent;
};

struct walk {
    struct check *check;
    struct worker workers[WORKERS_MOST];
    size_t worker_count;
    bool failed; /* out of memory */
};

int check_open(struct check **out, const struct check_options *options, struct error *err)
{
    struct check *check = calloc(1, sizeof *check);
    struct tutor_options tutor = {.open = options->open, .no_store = true};
    if (!check)
        return error_set(err, "out of memory");
    check->options = *options;
    for (int i = 0; i < 2; i++)
        check->grids[i] = grid_new(80, 24, i == 1);
    if (!check->grids[0] || !check->grids[1] || tutor_open(&check->tutor, &tutor, err) != 0) {
        if (!check->grids[0] || !check->grids[1])
            error_set(err, "out of memory");
        check_close(check);
        return -1;
    }
    *out = check;
    return 0;
}

void check_close(struct check *check)
{
    if (!check)
        return;
    for (size_t i = 0; i < check->target_count; i++)
        target_free(&check->targets[i]);
    free(check->targets);
    findings_free(&check->findings);
    for (int i = 0; i < 2; i++)
        grid_free(check->grids[i]);
    tutor_close(&check->tutor);
    free(check);
}

/* ---- jobs ---- */

static void job_free(struct job *job)
{
    scene_free(job->base);
    free(job->tries);
    *job = (struct job){0};
}

static bool job_begin(struct job *job, struct target *target)
{
    *job = (struct job){.target = target, .seed = target->next_seed++, .tries = calloc(1, sizeof *job->tries), .try_count = 1};
    job->frames = job->seed <= CHECK_FRAME_SEEDS;
    if (job->tries)
        job->tries[0].kind = TRY_LOAD;
    return job->tries;
}

/* The first seed of each lesson comes first: it says what there is to try. NULL: there is nothing to begin now. */
static struct target *next_target(struct check *check)
{
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < check->target_count; i++) {
            struct target *target = &check->targets[i];
            bool now = first ? target->next_seed == 1 : target->done > 0 && target->next_seed <= check->options.seeds;
            if (now && !target->stopped && (target->begun || target_begin(check, target)))
                return target;
        }
    return NULL;
}

/* On to the next step that is not given up. False: there is none. */
static bool next_step(struct job *job, size_t from)
{
    const struct target *target = job->target;
    scene_free(job->base);
    job->base = NULL;
    job->try_count = 1;
    job->at = 0;
    job->tries[0] = (struct try){.kind = TRY_STEP};
    for (job->step = from; job->step < target->outline->lesson->step_count; job->step++)
        if (!target->steps[job->step].stopped)
            return true;
    return false;
}

/* ---- replies ---- */

static void end_job(struct worker *worker)
{
    worker->job.target->done++;
    worker->busy = false;
    job_free(&worker->job);
}

static void send(struct worker *worker)
{
    struct request request;
    job_request(&worker->job, &request);
    cage_send(worker->cage, &request);
    worker->sent = clock_ms();
}

/* What comes after the try that is done. */
static void go_on(struct worker *worker)
{
    struct job *job = &worker->job;
    bool load = job->tries[job->at].kind == TRY_LOAD;
    bool more = load ? next_step(job, 0) : ++job->at < job->try_count || next_step(job, job->step + 1);
    /* A step that another worker has given up meanwhile. */
    if (more && job->target->steps[job->step].stopped)
        more = next_step(job, job->step + 1);
    if (more)
        send(worker);
    else
        end_job(worker);
}

/* The try came to nothing but words. `costly`: it is not tried again, whatever time it took. */
static void take_error(struct check *check, struct worker *worker, const char *words, bool costly)
{
    struct job *job = &worker->job;
    struct target *target = job->target;
    enum try_kind kind = job->tries[job->at].kind;
    struct tally *tally = kind == TRY_LOAD ? &target->whole : &target->steps[job->step];
    int64_t took = clock_ms() - worker->sent;
    char context[160];
    tally->wasted += took;
    costly = costly || took >= COSTLY_MS || tally->wasted >= WASTED_MS;
    if (kind == TRY_LOAD) {
        target->stopped = target->stopped || costly;
        note_words(check, job, costly ? SCOPE_ALL : SCOPE_SEEDS, 0, words, "");
        end_job(worker);
        return;
    }
    uint32_t line = job->base ? job->base->check->step_line : tally->line;
    job_context(job, context, sizeof context);
    note_words(check, job, costly ? SCOPE_ALL : kind >= TRY_KNOB ? SCOPE_FRAMES : SCOPE_SEEDS, line, words, context);
    tally->stopped = tally->stopped || costly;
    if (kind == TRY_STEP)
        job->at = job->try_count - 1;
    go_on(worker);
}

/* Takes the scene. */
static void take_load(struct walk *walk, struct worker *worker, struct scene *scene)
{
    struct target *target = worker->job.target;
    bool other_files = target_open_files(walk->check, target, scene->lesson);
    if (target->stopped) {
        end_job(worker);
    } else if (other_files) {
        send(worker);
    } else if (!target->ready) {
        walk->failed = !target_know(target, scene);
        if (!walk->failed) {
            go_on(worker);
            return;
        }
        end_job(worker);
    } else if (scene->lesson->step_count != target->outline->lesson->step_count) {
        take_error(walk->check, worker, _("the lesson has other steps under another seed: they must be the same"), true);
    } else {
        go_on(worker);
    }
    scene_free(scene);
}

/* Takes the scene. */
static void take_step(struct walk *walk, struct worker *worker, struct scene *scene)
{
    struct check *check = walk->check;
    struct job *job = &worker->job;
    job->base = scene;
    walk->failed |= !job_plan(job);
    if (walk->failed) {
        end_job(worker);
        return;
    }
    for (size_t i = 0; i < scene->check->fault_count; i++) {
        const struct scene_fault *fault = &scene->check->faults[i];
        note(check, job, fault->advice ? FINDING_ADVICE : FINDING_FAULT, SCOPE_SEEDS, fault->line, "%s", fault->what);
    }
    tally_take(check, job, scene);
    if (job->step == 0 && job->seed == 1)
        target_whole(check, job->target, scene);
    if (job->frames)
        frame_take(check, job, scene);
    if (job->frames && job->step == 0)
        page_take(check, job, scene);
    go_on(worker);
}

static void take(struct walk *walk, struct worker *worker, struct scene *scene)
{
    struct job *job = &worker->job;
    enum try_kind kind = job->tries[job->at].kind;
    if (scene->error || !scene->lesson || (kind != TRY_LOAD && !scene->step)) {
        take_error(walk->check, worker, scene->error ? scene->error : _("the worker's answer has nothing in it"), false);
        scene_free(scene);
    } else if (kind == TRY_LOAD) {
        take_load(walk, worker, scene);
    } else if (kind == TRY_STEP) {
        take_step(walk, worker, scene);
    } else {
        if (kind == TRY_ANSWER || kind == TRY_REREAD)
            answers_take(walk->check, job, scene);
        if (kind == TRY_WORDS)
            tally_open(job, scene);
        if (job->frames)
            frame_take(walk->check, job, scene);
        go_on(worker);
        scene_free(scene);
    }
}

/* ---- the loop ---- */

static void step_worker(struct walk *walk, struct worker *worker)
{
    struct scene *scene;
    struct error err;
    for (enum cage_event event; (event = cage_step(worker->cage, &scene, &err)) != CAGE_NOTHING;) {
        if (event == CAGE_SCENE && worker->busy)
            take(walk, worker, scene);
        else if (event == CAGE_SCENE)
            scene_free(scene);
        else if (event == CAGE_FAILED && worker->busy)
            take_error(walk->check, worker, err.text, true);
    }
}

static bool fill_workers(struct walk *walk)
{
    bool busy = false;
    for (size_t i = 0; i < walk->worker_count; i++) {
        struct worker *worker = &walk->workers[i];
        struct target *target = worker->busy ? NULL : next_target(walk->check);
        if (target) {
            walk->failed |= !job_begin(&worker->job, target);
            worker->busy = !walk->failed;
            if (worker->busy)
                send(worker);
        }
        busy = busy || worker->busy;
    }
    return busy;
}

static void wait_for_some(struct walk *walk)
{
    struct pollfd fds[WORKERS_MOST];
    int timeout = LOOK_MS;
    for (size_t i = 0; i < walk->worker_count; i++) {
        const struct cage *cage = walk->workers[i].cage;
        int soonest = cage_timeout_ms(cage);
        fds[i] = (struct pollfd){.fd = cage_fd(cage), .events = (short)(POLLIN | (cage_wants_write(cage) ? POLLOUT : 0))};
        if (soonest >= 0 && soonest < timeout)
            timeout = soonest;
    }
    poll(fds, (nfds_t)walk->worker_count, timeout); /* a signal is as good as time that passed */
}

static size_t done_of(const struct check *check)
{
    size_t done = 0;
    for (size_t i = 0; i < check->target_count; i++)
        done += check->targets[i].stopped ? (size_t)check->options.seeds : check->targets[i].done;
    return done;
}

static int open_workers(struct walk *walk, struct error *err)
{
    const struct check_options *options = &walk->check->options;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = options->workers ? options->workers : processors > 0 ? (size_t)processors : 1;
    struct cage_options cage = {.open = options->open};
    wanted = wanted > WORKERS_MOST ? WORKERS_MOST : wanted;
    while (walk->worker_count < wanted) {
        if (cage_open(&walk->workers[walk->worker_count].cage, &cage, err) != 0)
            return walk->worker_count > 0 ? 0 : -1; /* fewer do it too */
        walk->worker_count++;
    }
    return 0;
}

int check_run(struct check *check, bool (*keep_on)(void *context, size_t done, size_t all), void *context, struct error *err)
{
    struct walk *walk = calloc(1, sizeof *walk);
    size_t all = check->target_count * (size_t)check->options.seeds;
    if (!walk)
        return error_set(err, "out of memory");
    walk->check = check;
    int status = check->target_count > 0 ? open_workers(walk, err) : 0;
    bool ended = false;
    while (status == 0 && !walk->failed && !ended && fill_workers(walk)) {
        wait_for_some(walk);
        for (size_t i = 0; i < walk->worker_count; i++)
            step_worker(walk, &walk->workers[i]);
        ended = !keep_on(context, done_of(check), all);
    }
    for (size_t i = 0; i < walk->worker_count; i++) {
        cage_close(walk->workers[i].cage);
        job_free(&walk->workers[i].job);
    }
    for (size_t i = 0; i < check->target_count && !ended; i++) {
        target_former(check, &check->targets[i]);
        tally_judge(check, &check->targets[i]);
    }
    if (status == 0 && (walk->failed || check->findings.failed))
        status = error_set(err, "out of memory");
    if (ended)
        status = error_set(err, "stopped");
    findings_sort(&check->findings);
    free(walk);
    return status;
}

const struct findings *check_findings(const struct check *check)
{
    return &check->findings;
}

void check_count(const struct check *check, struct check_counts *out)
{
    *out = check->counts;
}
