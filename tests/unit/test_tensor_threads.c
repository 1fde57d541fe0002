/* The core's threads: the same bits with any number of them, from any thread, in the cage. */
#include "tensor_help.h"
#include "tensor/layout.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cage/enter.h"

/* All that is computed on x and y, which broadcast together, one result behind the other. */
struct results {
    struct tensor *parts[64];
    size_t count;
};

static void keep(struct results *results, struct tensor *x)
{
    if (x)
        results->parts[results->count++] = x;
}

static void keep_norm(struct results *results, const struct tensor_norm *norm)
{
    keep(results, norm->y);
    keep(results, norm->mean);
    keep(results, norm->var);
    keep(results, norm->rstd);
}

static void compute(struct results *results, const struct tensor *x, const struct tensor *y)
{
    results->count = 0;
    struct tensor *z;
    for (int op = TENSOR_ADD; op <= TENSOR_MINIMUM; op++) {
        ok(tensor_binary(&z, (enum tensor_binary)op, x, y, err));
        keep(results, z);
        ok(tensor_binary_number(&z, (enum tensor_binary)op, x, 0.3, op % 2, err));
        keep(results, z);
    }
    for (int op = TENSOR_NEG; op <= TENSOR_ABS; op++) {
        ok(tensor_unary(&z, (enum tensor_unary)op, x, err));
        keep(results, z);
    }
    const tensor_axes all = tensor_all_axes(x), last = (tensor_axes)1 << (tensor_rank(x) - 1), first = 1;
    for (int op = TENSOR_SUM; op <= TENSOR_MIN; op++)
        for (int set = 0; set < 3 && (op < TENSOR_MAX || tensor_count(x)); set++) {
            ok(tensor_reduce(&z, (enum tensor_reduction)op, x, (tensor_axes[]){all, last, first}[set], err));
            keep(results, z);
        }
    for (int set = 0; set < 2; set++) {
        struct tensor_norm norm;
        const struct tensor_norm_options options = {.axes = set ? first : last, .eps = 1e-5, .scale = y, .bias = y};
        ok(layer_norm(&norm, x, &options, err));
        keep_norm(results, &norm);
        ok(rms_norm(&norm, x, &options, err));
        keep_norm(results, &norm);
    }
}

static void let_go(struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        tensor_free(results->parts[i]);
}

static bool same_bits(const struct results *a, const struct results *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = memcmp(a->parts[i]->values, b->parts[i]->values, a->parts[i]->count * sizeof(float)) == 0;
    return same;
}

static void check_shape(size_t rank, const size_t *extents, const struct tensor *y)
{
    struct tensor *x = normals(rank, extents, 3, 0.5, 2);
    struct results alone, together;
    compute(&alone, x, y ? y : x);
    for (size_t k = 0; k < 4; k++) {
        ok(tensor_threads_start((const int[]){1, 2, 3, 8}[k], err));
        compute(&together, x, y ? y : x);
        tensor_threads_stop();
        assert_true(same_bits(&alone, &together));
        let_go(&together);
    }
    let_go(&alone);
    tensor_free(x);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    struct tensor *row = normals(EXTENTS(769), 4, 1, 1), *column = normals(EXTENTS(61, 1), 5, 1, 1);
    check_shape(EXTENTS(1), NULL);
    check_shape(EXTENTS(1, 20000), NULL);
    check_shape(EXTENTS(2, 8193), NULL);
    check_shape(EXTENTS(5, 4099), NULL);
    check_shape(EXTENTS(61, 769), NULL);
    check_shape(EXTENTS(61, 769), row);
    check_shape(EXTENTS(61, 769), column);
    check_shape(EXTENTS(3, 7, 1023), NULL);
    check_shape(EXTENTS(20011, 1), NULL);
    check_shape(EXTENTS(7001, 3), NULL);
    check_shape(EXTENTS(1000, 1000), NULL);
    check_shape(EXTENTS(0, 30000), NULL);
    tensor_free(row);
    tensor_free(column);
}

/* A view whose rows are not contiguous, normalized with a scale of which every row is another. */
static void threads_change_no_bit_of_a_view(void **state)
{
    (void)state;
    struct tensor *whole = normals(EXTENTS(2, 300, 41, 5), 6, 0, 1), *view;
    ok(tensor_at(&view, whole, 1, err));
    for (tensor_axes axes = 1; axes < 8; axes++) {
        const struct tensor_norm_options options = {.axes = axes, .eps = 1e-5, .scale = view, .bias = view};
        struct tensor_norm alone, together;
        ok(layer_norm(&alone, view, &options, err));
        ok(tensor_threads_start(3, err));
        ok(layer_norm(&together, view, &options, err));
        tensor_threads_stop();
        for (size_t i = 0; i < tensor_count(view); i++)
            assert_true(same_float(tensor_get_flat(alone.y, i), tensor_get_flat(together.y, i)));
        free_norm(&alone);
        free_norm(&together);
    }
    tensor_free(view);
    tensor_free(whole);
}

/* Against one element at a time, and one row at a time: the parts are all of the tensor. */
static void parts_make_up_the_whole(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(5, 4099), 11, 0, 1), *row = normals(EXTENTS(4099), 12, 0, 1);
    struct tensor *column = normals(EXTENTS(5, 1), 13, 0, 1), *by_row, *by_column, *negative, *doubled;
    ok(tensor_threads_start(2, err));
    ok(tensor_binary(&by_row, TENSOR_SUB, x, row, err));
    ok(tensor_binary(&by_column, TENSOR_SUB, x, column, err));
    ok(tensor_unary(&negative, TENSOR_NEG, x, err));
    ok(tensor_binary_number(&doubled, TENSOR_MUL, x, 2, false, err));
    for (size_t i = 0; i < tensor_count(x); i++) {
        const float v = tensor_get_flat(x, i);
        assert_true(same_float(tensor_get_flat(by_row, i), v - tensor_get_flat(row, i % 4099)));
        assert_true(same_float(tensor_get_flat(by_column, i), v - tensor_get_flat(column, i / 4099)));
        assert_true(same_float(tensor_get_flat(negative, i), -v));
        assert_true(same_float(tensor_get_flat(doubled, i), 2 * v));
    }
    tensor_free(by_row);
    tensor_free(by_column);
    tensor_free(negative);
    tensor_free(doubled);
    tensor_free(row);
    tensor_free(column);
    tensor_free(x);
    x = normals(EXTENTS(401, 77), 14, 1, 2);
    struct tensor_norm whole, alone;
    ok(layer_norm(&whole, x, &(struct tensor_norm_options){.axes = 2, .eps = 1e-5}, err));
    for (size_t i = 0; i < 401; i++) {
        ok(tensor_at(&row, x, i, err));
        ok(layer_norm(&alone, row, &(struct tensor_norm_options){.axes = 1, .eps = 1e-5}, err));
        assert_memory_equal(whole.y->values + i * 77, alone.y->values, 77 * sizeof(float));
        assert_true(same_float(whole.rstd->values[i], alone.rstd->values[0]));
        free_norm(&alone);
        tensor_free(row);
    }
    tensor_threads_stop();
    free_norm(&whole);
    tensor_free(x);
}

/* The tensor's memory, which is not safe from two threads. */
struct caller_only {
    pthread_t caller;
    bool called_by_another;
};

static void *resize_by_caller(void *context, void *block, size_t old_size, size_t new_size)
{
    struct caller_only *memory = context;
    (void)old_size;
    if (!pthread_equal(pthread_self(), memory->caller))
        memory->called_by_another = true;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static void memory_is_taken_on_the_callers_thread(void **state)
{
    (void)state;
    struct caller_only caller = {.caller = pthread_self()};
    const struct tensor_memory memory = {resize_by_caller, &caller};
    struct tensor *x;
    struct results results;
    ok(tensor_new(&x, &memory, 3, (const size_t[]){30, 40, 50}, NULL, err));
    ok(tensor_threads_start(4, err));
    compute(&results, x, x);
    tensor_threads_stop();
    assert_false(caller.called_by_another);
    let_go(&results);
    tensor_free(x);
}

static size_t threads_of_this_process(void)
{
    DIR *folder = opendir("/proc/self/task");
    size_t count = 0;
    if (!folder)
        return 0;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2; /* "." and ".." */
}

/* The kernel may list a thread a moment longer than pthread_join waits for it. */
static bool threads_become(size_t count)
{
    for (int i = 0; i < 1000 && threads_of_this_process() != count; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return threads_of_this_process() == count;
}

static long memory_in_use(void) /* pages of address space */
{
    FILE *statm = fopen("/proc/self/statm", "r");
    long pages = 0;
    if (statm) {
        if (fscanf(statm, "%ld", &pages) != 1)
            pages = 0;
        fclose(statm);
    }
    return pages;
}

static void starts_and_stops_two_hundred_times(void **state)
{
    (void)state;
    if (!threads_of_this_process())
        skip(); /* no /proc */
    const size_t before = threads_of_this_process();
    struct tensor *x = normals(EXTENTS(40, 500), 7, 0, 1);
    long pages = 0;
    for (int i = 0; i < 200; i++) {
        ok(tensor_threads_start(1 + i % 8, err));
        assert_true(threads_become(before + (size_t)(i % 8)));
        if (i % 2) {
            struct tensor *y;
            ok(tensor_reduce(&y, TENSOR_VAR, x, 2, err));
            tensor_free(y);
        }
        tensor_threads_stop();
        if (i == 20)
            pages = memory_in_use();
    }
    assert_true(threads_become(before));
    assert_true(memory_in_use() < pages + 2048); /* a leaked stack a time would be 11,000 */
    tensor_free(x);
}

static void refuses_impossible_counts(void **state)
{
    (void)state;
    refused("there can be 1 to 64 threads, not -1", tensor_threads_start(-1, err));
    refused("there can be 1 to 64 threads, not 65", tensor_threads_start(65, err));
    ok(tensor_threads_start(2, err));
    refused("the threads are started already", tensor_threads_start(2, err));
    tensor_threads_stop();
    tensor_threads_stop();
}

/* Every thread but the main one, as /proc tells. */
static bool others_block_all_signals(void)
{
    DIR *folder = opendir("/proc/self/task");
    bool all = true;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char path[300], line[200];
        const long id = strtol(entry->d_name, NULL, 10);
        if (id == 0 || id == (long)getpid())
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%ld/status", id);
        FILE *status = fopen(path, "r");
        while (status && fgets(line, sizeof line, status))
            if (strncmp(line, "SigBlk:", 7) == 0) {
                const unsigned long long mask = strtoull(line + 7, NULL, 16);
                for (int signal = 1; signal < 32; signal++)
                    if (signal != SIGKILL && signal != SIGSTOP && !(mask >> (signal - 1) & 1))
                        all = false;
            }
        if (status)
            fclose(status);
    }
    if (folder)
        closedir(folder);
    return all;
}

static void signals_stay_the_callers(void **state)
{
    (void)state;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    ok(tensor_threads_start(4, err));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int signal = 1; signal < 32; signal++)
        assert_int_equal(sigismember(&before, signal), sigismember(&after, signal));
    assert_true(others_block_all_signals());
    tensor_threads_stop();
}

static void works_with_all_signals_blocked(void **state)
{
    (void)state;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    check_shape(EXTENTS(37, 601), NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static double cpu_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static void idle_threads_take_no_time(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(100, 1000), 8, 0, 1), *y;
    ok(tensor_threads_start(8, err));
    ok(tensor_unary(&y, TENSOR_EXP, x, err));
    const double before = cpu_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    assert_true(cpu_seconds() - before < 0.02);
    tensor_threads_stop();
    tensor_free(x);
    tensor_free(y);
}

static void *compute_often(void *same)
{
    struct tensor *x = normals(EXTENTS(50, 700), 9, 0, 1);
    struct results alone, again;
    compute(&alone, x, x);
    *(bool *)same = true;
    for (int i = 0; i < 5; i++) {
        compute(&again, x, x);
        *(bool *)same = *(bool *)same && same_bits(&alone, &again);
        let_go(&again);
    }
    let_go(&alone);
    tensor_free(x);
    return NULL;
}

static void serves_two_callers_at_once(void **state)
{
    (void)state;
    pthread_t other;
    bool mine, theirs;
    ok(tensor_threads_start(3, err));
    assert_int_equal(pthread_create(&other, NULL, compute_often, &theirs), 0);
    compute_often(&mine);
    pthread_join(other, NULL);
    tensor_threads_stop();
    assert_true(mine && theirs);
}

/* Exit status 0: the child computed the same bits. */
static int child_of(bool start_before, bool cage, const struct results *alone, const struct tensor *x)
{
    if (start_before)
        ok(tensor_threads_start(3, err));
    const pid_t pid = fork();
    if (pid == 0) {
        struct results results;
        if (tensor_threads_start(4, NULL) < 0)
            _exit(2);
        if (cage && cage_enter(false, NULL) < 0)
            _exit(3);
        for (int i = 0; i < 20; i++) {
            compute(&results, x, x);
            if (!same_bits(alone, &results))
                _exit(4);
            let_go(&results);
        }
        tensor_threads_stop();
        _exit(0);
    }
    int status = -1;
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (start_before)
        tensor_threads_stop();
    return status;
}

static void works_in_a_forked_child_and_in_the_cage(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(37, 601), 10, 0, 1);
    struct results alone;
    compute(&alone, x, x);
    assert_int_equal(child_of(false, true, &alone, x), 0);
    assert_int_equal(child_of(true, false, &alone, x), 0);
    assert_int_equal(child_of(true, true, &alone, x), 0);
    let_go(&alone);
    tensor_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(threads_change_no_bit_of_a_view),
        cmocka_unit_test(parts_make_up_the_whole),
        cmocka_unit_test(memory_is_taken_on_the_callers_thread),
        cmocka_unit_test(starts_and_stops_two_hundred_times),
        cmocka_unit_test(refuses_impossible_counts),
        cmocka_unit_test(signals_stay_the_callers),
        cmocka_unit_test(works_with_all_signals_blocked),
        cmocka_unit_test(idle_threads_take_no_time),
        cmocka_unit_test(serves_two_callers_at_once),
        cmocka_unit_test(works_in_a_forked_child_and_in_the_cage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
