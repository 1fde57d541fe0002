/* The pool: threads that sleep until there are parts to compute. Whoever brings the parts computes along, and
   never waits for a thread that has not come yet. */
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

static struct {
    pthread_mutex_t use;  /* held by the caller whose parts are computed */
    pthread_mutex_t lock; /* guards what follows; the atomics are read without it too */
    pthread_cond_t begun, posted, left;
    pthread_t threads[TENSOR_THREADS_MAX - 1];
    size_t helpers, running; /* threads made; those of them that have begun */
    bool stop;
    pool_part *part;
    void *context;
    size_t parts;
    size_t lanes, joined;   /* that may come; that came, the caller first */
    atomic_size_t next;     /* the first part that nobody has taken */
    atomic_size_t at_work;  /* helpers that joined and have not left */
    atomic_size_t postings; /* ever: what a helper looks at before it sleeps */
} pool = {
    .use = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .begun = PTHREAD_COND_INITIALIZER,
    .posted = PTHREAD_COND_INITIALIZER,
    .left = PTHREAD_COND_INITIALIZER,
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

static void take_parts(size_t lane)
{
    size_t part;
    while ((part = atomic_fetch_add_explicit(&pool.next, 1, memory_order_relaxed)) < pool.parts)
        pool.part(pool.context, lane, part);
}

static void *help(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    pool.running++;
    pthread_cond_signal(&pool.begun);
    for (;;) {
        while (!pool.stop && pool.joined == pool.lanes)
            pthread_cond_wait(&pool.posted, &pool.lock);
        if (pool.stop)
            break;
        const size_t lane = pool.joined++, posting = pool.postings;
        pool.at_work++;
        pthread_mutex_unlock(&pool.lock);
        take_parts(lane);
        pthread_mutex_lock(&pool.lock);
        pool.lanes = pool.joined; /* no part is left to come for */
        if (--pool.at_work == 0)
            pthread_cond_signal(&pool.left);
        pthread_mutex_unlock(&pool.lock);
        spin_while_equal(&pool.postings, posting);
        pthread_mutex_lock(&pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

size_t pool_lanes(size_t elements, size_t parts)
{
    const size_t threads = pool.helpers + 1;
    if (elements < THREAD_ELEMENTS || parts < 2)
        return 1;
    return parts < threads ? parts : threads;
}

static void post(size_t parts, size_t lanes, pool_part *part, void *context)
{
    pthread_mutex_lock(&pool.lock);
    pool.part = part;
    pool.context = context;
    pool.parts = parts;
    pool.next = 0;
    pool.lanes = lanes;
    pool.joined = 1;
    pool.postings++;
    pthread_mutex_unlock(&pool.lock);
    for (size_t lane = 1; lane < lanes; lane++)
        pthread_cond_signal(&pool.posted);
}

static void await_helpers(void)
{
    for (int i = 0; i < SPINS && atomic_load_explicit(&pool.at_work, memory_order_acquire) != 0; i++)
        relax();
    pthread_mutex_lock(&pool.lock);
    pool.lanes = pool.joined;
    while (pool.at_work)
        pthread_cond_wait(&pool.left, &pool.lock);
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
    pthread_cond_init(&pool.posted, NULL);
    pthread_cond_init(&pool.left, NULL);
    pool.helpers = pool.running = pool.lanes = pool.joined = 0;
    pool.at_work = 0;
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
        rc = pthread_create(&pool.threads[pool.helpers], &attributes, help, NULL);
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
    pthread_mutex_lock(&pool.lock);
    pool.stop = true;
    pthread_cond_broadcast(&pool.posted);
    pthread_mutex_unlock(&pool.lock);
    for (size_t i = 0; i < pool.helpers; i++)
        pthread_join(pool.threads[i], NULL);
    pool.helpers = pool.running = 0;
    pool.stop = false;
}
