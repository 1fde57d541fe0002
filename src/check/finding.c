#include "check/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/strbuf.h"

/* The words without their numbers, which differ from seed to seed. */
static char *key_of(const char *what)
{
    struct strbuf key = {0};
    while (*what) {
        size_t number = *what == '-' ? 1 + strspn(what + 1, "0123456789.") : strspn(what, "0123456789.");
        bool digits = strcspn(what, "0123456789") < number;
        if (digits) {
            strbuf_add(&key, "#");
            what += number;
            continue;
        }
        strbuf_addn(&key, what, 1);
        what++;
    }
    char *copy = key.failed ? NULL : strdup(strbuf_string(&key));
    strbuf_free(&key);
    return copy;
}

static void free_finding(struct finding *finding)
{
    free(finding->lesson);
    free(finding->file);
    free(finding->what);
    free(finding->key);
    free(finding->seen);
}

/* False: it was known, or memory is out. */
static bool see(struct findings *findings, struct finding *finding, uint64_t seed)
{
    size_t byte = (size_t)(seed / 8);
    unsigned char bit = (unsigned char)(1u << (seed % 8));
    if (byte >= finding->seen_size) {
        size_t size = 2 * byte + 32;
        unsigned char *more = realloc(finding->seen, size);
        if (!more) {
            findings->failed = true;
            return false;
        }
        memset(more + finding->seen_size, 0, size - finding->seen_size);
        finding->seen = more;
        finding->seen_size = size;
    }
    if (finding->seen[byte] & bit)
        return false;
    finding->seen[byte] |= bit;
    finding->seeds++;
    return true;
}

static struct finding *find(struct findings *findings, const struct finding *like, const char *key)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *known = &findings->item[i];
        if (known->kind == like->kind && known->line == like->line && known->rank == like->rank && strcmp(known->file, like->file) == 0 &&
            strcmp(known->key, key) == 0)
            return known;
    }
    return NULL;
}

static void put_new(struct findings *findings, const struct finding *finding, char *key)
{
    struct finding *item = list_room(findings->item, findings->count, &findings->room, sizeof *item);
    if (!item) {
        free(key);
        findings->failed = true;
        return;
    }
    findings->item = item;
    struct finding made = *finding;
    made.lesson = strdup(finding->lesson);
    made.file = strdup(finding->file);
    made.what = strdup(finding->what);
    made.key = key;
    made.seen = NULL;
    made.seen_size = made.seeds = 0;
    if (!made.lesson || !made.file || !made.what) {
        free_finding(&made);
        findings->failed = true;
        return;
    }
    findings->item[findings->count] = made;
    see(findings, &findings->item[findings->count++], finding->seed);
}

void findings_add(struct findings *findings, const struct finding *finding)
{
    char *key = key_of(finding->key ? finding->key : finding->what);
    if (!key) {
        findings->failed = true;
        return;
    }
    struct finding *known = find(findings, finding, key);
    if (!known) {
        put_new(findings, finding, key);
        return;
    }
    free(key);
    known->scope = finding->scope < known->scope ? finding->scope : known->scope;
    if (see(findings, known, finding->seed) && finding->seed < known->seed) {
        char *what = strdup(finding->what);
        if (what) {
            free(known->what);
            known->what = what;
            known->seed = finding->seed;
        }
        findings->failed |= !what;
    }
}

static int compare(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    int files = strcmp(x->file, y->file);
    if (files != 0)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    int words = strcmp(x->key, y->key);
    return words != 0 ? words : (int)x->kind - (int)y->kind;
}

void findings_sort(struct findings *findings)
{
    if (findings->count > 0)
        qsort(findings->item, findings->count, sizeof *findings->item, compare);
}

void findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        free_finding(&findings->item[i]);
    free(findings->item);
    *findings = (struct findings){0};
}
