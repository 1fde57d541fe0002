/* The pool: threads that sleep until there are parts to compute. Whoever brings the parts computes along, and
   never waits for a thread that has not come yet. Each lane begins with parts of its own, the same ones whenever
   as many parts are brought: they may still be in its processor's cache from the last time. */
#include "tensor/pool.h"
#include "tensor/tensor.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum {
    THREADS_BY_DEFAULT = 8,
    THREAD_ELEMENTS = 1 << 14, /* fewer take one thread less time than waking another */
    STACK_BYTES = 1 << 18,
    SPINS = 500 /* looks before a thread sleeps: some 10 microseconds */
};

/* `inside`: nobody may join any more. */
static const size_t CLOSED = ~(SIZE_MAX >> 1);

/* The parts that a lane begins with. */
struct share {
    _Alignas(64) atomic_size_t next; /* the first that nobody has taken; beyond the end when there is none */
    size_t end;
};

struct helper {
    pthread_t thread;
    pthread_cond_t posted;
    bool asleep;
};

static struct {
    pthread_mutex_t use;  /* held by the caller whose parts are computed */
    pthread_mutex_t lock; /* for those who sleep: helpers, and whoever waits for them */
    pthread_cond_t begun, left;
    struct helper helper[TENSOR_THREADS_MAX - 1];
    size_t helpers, running; /* threads made; those of them that have begun */
    atomic_bool stop;
    atomic_size_t postings;    /* ever: what a helper looks at before it sleeps */
    atomic_size_t inside;      /* helpers that joined and have not left, and CLOSED; they may read what follows */
    atomic_size_t sleepers;    /* helpers that may be asleep */
    atomic_bool caller_waits;  /* until the last one has left */
    pool_part *part;
    void *context;
    size_t lanes;
    struct share share[TENSOR_THREADS_MAX];
} pool = {
    .use = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .begun = PTHREAD_COND_INITIALIZER,
    .left = PTHREAD_COND_INITIALIZER,
    .inside = ~(SIZE_MAX >> 1),
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void spin_while_equal(atomic_size_t *number, size_t value)
{
    for (int i = 0; i < SPINS && atomic_load_explicit(number, memory_order_acquire) == value; i++)
        relax();
}

/* Its own first, then what others have left. */
static void take_parts(size_t lane)
{
    for (size_t i = 0; i < pool.lanes; i++) {
        struct share *share = &pool.share[(lane + i) % pool.lanes];
        size_t part;
        while ((part = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed)) < share->end)
            pool.part(pool.context, lane, part);
    }
}

/* ---- helpers ---- */

static bool join(void)
{
    size_t inside = atomic_load(&pool.inside);
    while (inside < CLOSED)
        if (atomic_compare_exchange_weak(&pool.inside, &inside, inside + 1))
            return true;
    return false;
}

static void leave(void)
{
    if (atomic_fetch_sub(&pool.inside, 1) - 1 != CLOSED || !atomic_load(&pool.caller_waits))
        return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_signal(&pool.left);
    pthread_mutex_unlock(&pool.lock);
}

static void sleep_until_posted(struct helper *helper, size_t seen)
{
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.sleepers, 1);
    helper->asleep = true;
    while (atomic_load(&pool.postings) == seen)
        pthread_cond_wait(&helper->posted, &pool.lock);
    helper->asleep = false;
    atomic_fetch_sub(&pool.sleepers, 1);
    pthread_mutex_unlock(&pool.lock);
}

static void *help(void *self)
{
    struct helper *helper = self;
    const size_t lane = (size_t)(helper - pool.helper) + 1;
    pthread_mutex_lock(&pool.lock);
    pool.running++;
    pthread_cond_signal(&pool.begun);
    pthread_mutex_unlock(&pool.lock);
    while (!atomic_load(&pool.stop)) {
        const size_t seen = atomic_load(&pool.postings);
        if (join()) {
            if (lane < pool.lanes)
                take_parts(lane);
            leave();
        }
        spin_while_equal(&pool.postings, seen);
        if (atomic_load(&pool.postings) == seen)
            sleep_until_posted(helper, seen);
    }
    return NULL;
}

/* ---- the caller ---- */

size_t pool_lanes(size_t elements, size_t parts)
{
    const size_t threads = pool.helpers + 1;
    if (elements < THREAD_ELEMENTS || parts < 2)
        return 1;
    return parts < threads ? parts : threads;
}

/* A helper that goes to sleep meanwhile sees the posting, or is seen asleep. */
static void wake(size_t helpers)
{
    atomic_fetch_add(&pool.postings, 1);
    if (atomic_load(&pool.sleepers) == 0)
        return;
    pthread_mutex_lock(&pool.lock);
    for (size_t i = 0; i < helpers; i++)
        if (pool.helper[i].asleep)
            pthread_cond_signal(&pool.helper[i].posted);
    pthread_mutex_unlock(&pool.lock);
}

static void post(size_t parts, size_t lanes, pool_part *part, void *context)
{
    pool.part = part;
    pool.context = context;
    pool.lanes = lanes;
    for (size_t lane = 0, begin = 0; lane < lanes; lane++) {
        const size_t count = parts / lanes + (lane < parts % lanes);
        atomic_store_explicit(&pool.share[lane].next, begin, memory_order_relaxed);
        pool.share[lane].end = begin += count;
    }
    atomic_store(&pool.inside, 0);
    wake(lanes - 1);
}

static void await_helpers(void)
{
    atomic_fetch_or(&pool.inside, CLOSED);
    for (int i = 0; i < SPINS && atomic_load_explicit(&pool.inside, memory_order_acquire) != CLOSED; i++)
        relax();
    if (atomic_load(&pool.inside) == CLOSED)
        return;
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.caller_waits, true);
    while (atomic_load(&pool.inside) != CLOSED)
        pthread_cond_wait(&pool.left, &pool.lock);
    atomic_store(&pool.caller_waits, false);
    pthread_mutex_unlock(&pool.lock);
}

void pool_run(size_t parts, size_t lanes, pool_part *part, void *context)
{
    if (lanes < 2 || pthread_mutex_trylock(&pool.use) != 0) {
        for (size_t i = 0; i < parts; i++)
            part(context, 0, i);
        return;
    }
    post(parts, lanes, part, context);
    take_parts(0);
    await_helpers();
    pthread_mutex_unlock(&pool.use);
}

/* ---- starting and stopping ---- */

static size_t processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (size_t)CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

/* A forked child has the pool's memory but none of its threads. */
static void forget_threads(void)
{
    pthread_mutex_init(&pool.use, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.begun, NULL);
    pthread_cond_init(&pool.left, NULL);
    pool.helpers = pool.running = 0;
    pool.inside = CLOSED;
    pool.sleepers = 0;
    pool.caller_waits = false;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_threads);
}

/* Signals are the caller's: a thread is born with all blocked. */
static int make_threads(size_t count)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int rc = pthread_attr_init(&attributes);
    if (rc != 0)
        return rc;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (rc == 0 && pool.helpers < count) {
        struct helper *helper = &pool.helper[pool.helpers];
        helper->asleep = false;
        pthread_cond_init(&helper->posted, NULL);
        rc = pthread_create(&helper->thread, &attributes, help, helper);
        pool.helpers += rc == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return rc;
}

static void await_beginning(void)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.running < pool.helpers)
        pthread_cond_wait(&pool.begun, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

int tensor_threads_start(int count, struct error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (count < 0 || count > TENSOR_THREADS_MAX)
        return error_set(err, "there can be 1 to %d threads, not %d", TENSOR_THREADS_MAX, count);
    if (pool.helpers)
        return error_set(err, "the threads are started already");
    pthread_once(&once, watch_forks);
    size_t threads = (size_t)count;
    if (count == 0) {
        threads = processors();
        threads = threads < THREADS_BY_DEFAULT ? threads : THREADS_BY_DEFAULT;
    }
    const int rc = make_threads(threads - 1);
    await_beginning();
    if (rc == 0)
        return 0;
    tensor_threads_stop();
    return error_set(err, "cannot start threads: %s", strerror(rc));
}

void tensor_threads_stop(void)
{
    pool.stop = true;
    wake(pool.helpers);
    for (size_t i = 0; i < pool.helpers; i++)
        pthread_join(pool.helper[i].thread, NULL);
    pool.helpers = pool.running = 0;
    pool.stop = false;
}
