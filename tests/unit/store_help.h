/* What the tests of the store share: a folder of their own, answers, and a look at the file that does not go
 * through the store. */
#ifndef STORE_HELP_H
#define STORE_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/store.h"

#define DB "progress.db"

/* A fresh folder is the working folder of every test; others may look into it, for the tests that give up
 * root. */
static inline int enter_folder(void **state)
{
    static char folder[64];
    strcpy(folder, "/tmp/test_store.XXXXXX");
    *state = folder;
    return mkdtemp(folder) && !chmod(folder, 0755) && !chdir(folder) ? 0 : -1;
}

static inline int leave_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return chdir("/") || system(command);
}

static inline int add(struct store *store, const char *step, const char *words, enum store_verdict verdict)
{
    struct store_answer answer = {.course = "course",
                                  .lesson = "lesson",
                                  .step = step,
                                  .seed = 7,
                                  .answer = words,
                                  .verdict = verdict,
                                  .mistake = "",
                                  .said = ""};
    return store_add_answer(store, &answer);
}

static inline void assert_trouble(struct store *store, const char *words)
{
    const char *said = store_trouble(store);
    assert_non_null(said);
    if (!strstr(said, words))
        fail_msg("\"%s\" is not in \"%s\"", words, said);
}

static inline void assert_no_trouble(struct store *store)
{
    const char *said = store_trouble(store);
    if (said)
        fail_msg("said: %s", said);
}

static inline struct store *open_well(const char *path)
{
    struct store *store = store_open(path);
    assert_non_null(store);
    assert_no_trouble(store);
    return store;
}

/* The step as the store knows it; the caller frees. */
static inline struct store_step *step_of(struct store *store, const char *step)
{
    struct store_step *steps, *found = calloc(1, sizeof *found);
    size_t count;
    assert_non_null(found);
    assert_int_equal(store_steps(store, "course", "lesson", &steps, &count), 0);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(steps[i].step, step))
            continue;
        struct store_step old = *found;
        *found = steps[i];
        steps[i] = old;
    }
    store_steps_free(steps, count);
    if (!found->step)
        fail_msg("no step %s", step);
    return found;
}

static inline uint32_t tries(struct store *store, const char *step)
{
    struct store_step *found = step_of(store, step);
    uint32_t n = found->tries;
    store_steps_free(found, 1);
    return n;
}

static inline int64_t raw_number(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    else
        print_message("%s: %s: %s\n", path, sql, sqlite3_errmsg(db));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

static inline void raw_run(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static inline int64_t answers_in(const char *path)
{
    return raw_number(path, "SELECT count(*) FROM answer");
}

static inline bool same_bytes(const char *a, const char *b)
{
    char command[600];
    snprintf(command, sizeof command, "cmp -s '%s' '%s'", a, b);
    return system(command) == 0;
}

/* The child's exit status, or 1000 + the signal that ended it. */
static inline int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

#endif
