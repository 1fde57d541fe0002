/* The files that scripts/make-torch-values writes for the core. */
#ifndef TORCH_HELP_H
#define TORCH_HELP_H

#include "tensor_help.h"

#include <stdio.h>
#include <stdlib.h>

enum { TENSORS_MAX = 4000, WORDS_MAX = 16 };

static struct known {
    int rank;
    size_t extents[TENSOR_RANK_MAX], count;
    double *values;
} known[TENSORS_MAX];

static size_t checks;

static const struct known *find(const char *name)
{
    const size_t number = strtoul(name + 1, NULL, 10);
    if (*name != 't' || number >= TENSORS_MAX || !known[number].values)
        fail_msg("no tensor %s", name);
    return &known[number];
}

static void read_tensor(char *line)
{
    char *at = NULL;
    const size_t number = strtoul(strtok_r(line, " ", &at) + 1, NULL, 10);
    assert_true(number < TENSORS_MAX);
    struct known *t = &known[number];
    t->rank = atoi(strtok_r(NULL, " ", &at));
    t->count = 1;
    for (int axis = 0; axis < t->rank; axis++)
        t->count *= t->extents[axis] = strtoul(strtok_r(NULL, " ", &at), NULL, 10);
    assert_string_equal(strtok_r(NULL, " ", &at), ":");
    t->values = malloc((t->count + 1) * sizeof *t->values);
    assert_non_null(t->values);
    for (size_t i = 0; i < t->count; i++) {
        char *end, *word = strtok_r(NULL, " \n", &at);
        assert_non_null(word);
        t->values[i] = strtod(word, &end);
        assert_int_equal(*end, 0);
    }
}

struct check {
    const char *operation;
    const char *words[WORDS_MAX];
    size_t count;
};

static const char *word(const struct check *check, const char *key)
{
    const size_t length = strlen(key);
    for (size_t i = 0; i < check->count; i++)
        if (strncmp(check->words[i], key, length) == 0 && check->words[i][length] == '=')
            return check->words[i] + length + 1;
    return NULL;
}

static struct tensor *input(const struct check *check, const char *key)
{
    const char *name = word(check, key);
    if (!name)
        return NULL;
    const struct known *t = find(name);
    struct tensor *x = zeros((size_t)t->rank, t->extents);
    for (size_t i = 0; i < t->count; i++)
        tensor_set_flat(x, i, (float)t->values[i]);
    return x;
}

static tensor_axes read_axes(const struct check *check, const struct tensor *x)
{
    tensor_axes axes = 0;
    for (const char *at = word(check, "axes"); at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        ok(tensor_axes_add_index(&axes, x, strtol(at, NULL, 10), err));
    return axes;
}

/* Calls `run` for each check of the file. */
static void read_checks(const char *name, void (*run)(const struct check *check))
{
    const char *folder = getenv("NORMTUTOR_TEST_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/data", name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot read %s: run from the repository's root, or set NORMTUTOR_TEST_DATA", path);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        if (strncmp(line, "tensor ", 7) == 0) {
            read_tensor(line + 7);
        } else if (strncmp(line, "check ", 6) == 0) {
            char *at = NULL;
            struct check check = {.operation = strtok_r(line + 6, " \n", &at)};
            for (char *item; (item = strtok_r(NULL, " \n", &at));) {
                assert_true(check.count < WORDS_MAX);
                check.words[check.count++] = item;
            }
            run(&check);
        }
    }
    free(line);
    fclose(file);
    for (size_t i = 0; i < TENSORS_MAX; i++)
        free(known[i].values);
}

#endif
