#include "store/backing.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/language.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "store/file.h"

enum {
    WAIT_MS = 1000, /* for another tutor's commit, which takes a few */
    RETRY_WAIT_MS = 0,
};

/* A write that the file did not take. */
struct pending {
    struct pending *next;
    enum statement what;
    int count;
    struct value *values;
};

struct backing {
    char *path; /* NULL: no place is known */
    char *real; /* the same without links, once it exists */
    struct file_id id;
    struct database *disk;   /* NULL: not open */
    struct database *memory; /* all that is to be shown, while `disk` cannot be written; else NULL */
    bool mirrored;           /* `memory` began as a copy of the file */
    bool damaged;            /* the file is to be put aside before it is opened again */
    bool foreign;            /* the file is not ours to touch */
    struct arena *arena;     /* of the pending writes */
    struct pending *first, *last;
    enum database_state said;
    char **words;
    size_t word_count;
    char *told;
};

static void say(struct backing *b, struct strbuf *words)
{
    char **more = words->failed ? NULL : realloc(b->words, (b->word_count + 1) * sizeof *more);
    if (!more) {
        strbuf_free(words);
        return;
    }
    b->words = more;
    b->words[b->word_count++] = words->text;
}

static void say_trouble(struct backing *b, enum database_state state, const struct error *why)
{
    struct strbuf words = {0};
    if (b->said == state)
        return;
    b->said = state;
    strbuf_addf(&words, _("Progress is not saved: %s"), why->text);
    if (b->path)
        strbuf_addf(&words, " (%s)", b->path);
    if (b->foreign)
        strbuf_add(&words, _(". It is left as it is; what you do now lasts until you quit."));
    else if (b->path)
        strbuf_add(&words, _(". What you do is kept in memory and saved as soon as that is possible."));
    else
        strbuf_add(&words, _(". What you do now lasts until you quit."));
    say(b, &words);
}

static void say_saved(struct backing *b)
{
    struct strbuf words = {0};
    if (b->said == DATABASE_OK)
        return;
    b->said = DATABASE_OK;
    strbuf_addf(&words, _("Progress is saved again, with all that was kept in memory (%s)."), b->path);
    say(b, &words);
}

const char *backing_trouble(struct backing *b)
{
    free(b->told);
    b->told = NULL;
    if (b->word_count) {
        b->told = b->words[0];
        memmove(b->words, b->words + 1, --b->word_count * sizeof *b->words);
    }
    return b->told;
}

static void close_disk(struct backing *b)
{
    database_close(b->disk);
    b->disk = NULL;
}

static enum database_state need_memory(struct backing *b, struct error *err)
{
    return b->memory ? DATABASE_OK : database_open(&b->memory, NULL, 0, err);
}

static void forget_pending(struct backing *b)
{
    arena_free(b->arena);
    b->arena = NULL;
    b->first = b->last = NULL;
}

/* Has memory go on from what `from` holds. */
static void mirror(struct backing *b, struct database *from)
{
    struct error ignored;
    size_t answers;
    if (!b->mirrored && !need_memory(b, &ignored))
        b->mirrored = database_copy(b->memory, from, &answers, &ignored) == DATABASE_OK;
}

/* Puts the damaged file aside, after everything that can be read of it was copied to memory. */
static enum database_state start_anew(struct backing *b, struct error *err)
{
    struct database *old = NULL;
    struct error ignored;
    size_t answers = 0;
    char *name = NULL;
    struct strbuf words = {0};
    enum database_state state = need_memory(b, err);
    if (!state && database_open_damaged(&old, b->real, &ignored) == DATABASE_OK)
        state = database_copy(b->memory, old, &answers, err);
    database_close(old);
    if (state)
        return state;
    if (file_put_aside(b->real, &b->id, &name, err)) {
        error_prefix(err, "the file is damaged and cannot be put aside: ");
        return DATABASE_DAMAGED;
    }
    b->damaged = false;
    if (!name)
        return DATABASE_OK;
    strbuf_addf(
        &words,
        language_count("The progress file was damaged. A new one was begun with the %zu answer that could be read of it;"
                       " the damaged one is kept as %s.",
                       "The progress file was damaged. A new one was begun with the %zu answers that could be read of it;"
                       " the damaged one is kept as %s.", answers),
        answers, name);
    free(name);
    say(b, &words);
    return DATABASE_OK;
}

static enum database_state make_file(struct backing *b, struct error *err)
{
    char *copy = strdup(b->path);
    int result = copy ? path_make_folders(dirname(copy), err) : error_set(err, "out of memory");
    free(copy);
    if (result || file_make(b->path, &b->id, err))
        return DATABASE_FAILED;
    free(b->real);
    b->real = realpath(b->path, NULL);
    if (b->real)
        return DATABASE_OK;
    error_set(err, "out of memory");
    return DATABASE_NO_MEMORY;
}

static enum database_state open_disk(struct backing *b, int wait_ms, struct error *err)
{
    enum database_state state = DATABASE_FAILED;
    if (!b->path) {
        error_set(err, "neither XDG_STATE_HOME nor HOME says where");
        return state;
    }
    for (int tries = 0; tries < 2; tries++) {
        if (b->damaged && (state = start_anew(b, err)) != DATABASE_OK)
            return state;
        state = make_file(b, err);
        if (state)
            return state;
        state = database_open(&b->disk, b->real, wait_ms, err);
        b->damaged = state == DATABASE_DAMAGED;
        if (!b->damaged)
            break;
    }
    if (state && b->disk) {
        mirror(b, b->disk);
        close_disk(b);
    }
    b->foreign = state == DATABASE_FOREIGN;
    return state;
}

static enum database_state replay(struct backing *b, struct error *err)
{
    enum database_state state = DATABASE_OK;
    for (struct pending *p = b->first; p && !state; p = p->next)
        state = database_write(b->disk, p->what, p->values, p->count, err);
    return state;
}

/* Writes all that memory holds to the file, opening it where it is not open, and does without memory again.
 */
static enum database_state return_to_disk(struct backing *b, int wait_ms, struct error *err)
{
    bool opened = !b->disk;
    enum database_state state = DATABASE_OK;
    if (b->foreign) {
        error_set(err, "it is not this program's file");
        return DATABASE_FOREIGN;
    }
    if (opened)
        state = open_disk(b, wait_ms, err);
    else
        database_set_wait(b->disk, wait_ms);
    if (state)
        return state;
    if (b->memory) {
        size_t answers;
        state = database_begin(b->disk, err);
        /* Only what memory knew of may be written over. */
        if (!state && (opened || !b->mirrored))
            state = database_copy(b->disk, b->memory, &answers, err);
        if (!state && b->mirrored)
            state = replay(b, err);
        if (!state)
            state = database_commit(b->disk, err);
        else
            database_cancel(b->disk);
    }
    if (state) {
        if (opened)
            close_disk(b);
        return state;
    }
    database_set_wait(b->disk, WAIT_MS);
    database_close(b->memory);
    b->memory = NULL;
    b->mirrored = false;
    forget_pending(b);
    return DATABASE_OK;
}

/* From here on memory takes the writes and gives the rows. A damaged file is read later, row by row. */
static void leave_disk(struct backing *b, enum database_state state)
{
    if (state == DATABASE_DAMAGED) {
        b->damaged = true;
        database_abandon(b->disk);
        b->disk = NULL;
        return;
    }
    mirror(b, b->disk);
    if (state != DATABASE_FULL && state != DATABASE_LOCKED)
        close_disk(b);
}

static void leave_moved(struct backing *b)
{
    struct error why = {""};
    leave_disk(b, DATABASE_FAILED);
    enum database_state state = return_to_disk(b, WAIT_MS, &why);
    if (state) {
        say_trouble(b, state, &why);
        return;
    }
    struct strbuf words = {0};
    strbuf_addf(&words, _("The progress file was moved or deleted meanwhile; progress goes on in %s."), b->path);
    say(b, &words);
}

static int remember(struct backing *b, enum statement what, const struct value *values, int count)
{
    if (!b->arena)
        b->arena = arena_new();
    struct pending *p = b->arena ? arena_zero(b->arena, 1, sizeof *p) : NULL;
    struct value *copy = p ? arena_zero(b->arena, (size_t)count, sizeof *copy) : NULL;
    if (!copy)
        return -1;
    *p = (struct pending){.what = what, .count = count, .values = copy};
    for (int i = 0; i < count; i++) {
        copy[i] = values[i];
        if (values[i].bytes && !(copy[i].bytes = arena_textn(b->arena, values[i].bytes, values[i].length)))
            return -1;
    }
    if (b->last)
        b->last->next = p;
    else
        b->first = p;
    b->last = p;
    return 0;
}

int backing_write(struct backing *b, enum statement what, const struct value *values, int count)
{
    struct error why = {""};
    enum database_state state = DATABASE_OK;
    if (!b->memory && b->disk && database_moved(b->disk))
        leave_moved(b);
    if (!b->memory && b->disk) {
        state = database_write(b->disk, what, values, count, &why);
        if (state == DATABASE_OK)
            return 0;
        leave_disk(b, state);
    }
    struct error ignored;
    if (need_memory(b, &ignored) || database_write(b->memory, what, values, count, &ignored))
        return -1;
    if (what == PUT_CATALOGUE) { /* can be made again, so the file is not troubled with it */
        if (state)
            say_trouble(b, state, &why);
        return -1;
    }
    if (remember(b, what, values, count))
        return -1;
    state = return_to_disk(b, state == DATABASE_DAMAGED ? WAIT_MS : RETRY_WAIT_MS, &why);
    if (state == DATABASE_OK) {
        say_saved(b);
        return 0;
    }
    say_trouble(b, state, &why);
    return -1;
}

static enum database_state read_once(struct backing *b, enum statement what, const struct value *values,
                                     int count, database_row *row, void *payload, struct error *err)
{
    if (row(payload, NULL, 0))
        return DATABASE_NO_MEMORY;
    return database_read(b->memory ? b->memory : b->disk, what, values, count, row, payload, err);
}

int backing_read(struct backing *b, enum statement what, const struct value *values, int count,
                 database_row *row, void *payload)
{
    struct error why = {""};
    enum database_state state = DATABASE_NO_MEMORY;
    /* Memory that knows nothing of the file is a poor stand-in for it. */
    if (b->memory && !b->mirrored && return_to_disk(b, RETRY_WAIT_MS, &why) == DATABASE_OK)
        say_saved(b);
    if (b->memory || b->disk)
        state = read_once(b, what, values, count, row, payload, &why);
    if (state == DATABASE_OK || b->memory || state == DATABASE_NO_MEMORY)
        return state ? -1 : 0;
    leave_disk(b, state);
    if (state == DATABASE_DAMAGED)
        state = return_to_disk(b, WAIT_MS, &why);
    if (state)
        say_trouble(b, state, &why);
    if (!b->disk && need_memory(b, &why))
        return -1;
    return read_once(b, what, values, count, row, payload, &why) ? -1 : 0;
}

struct backing *backing_open(const char *path)
{
    struct backing *b = calloc(1, sizeof *b);
    struct error why = {""};
    if (!b)
        return NULL;
    if (path && !(b->path = strdup(path))) {
        free(b);
        return NULL;
    }
    enum database_state state = return_to_disk(b, WAIT_MS, &why);
    if (state) {
        say_trouble(b, state, &why);
        if (need_memory(b, &why)) {
            backing_close(b);
            return NULL;
        }
    }
    return b;
}

void backing_close(struct backing *b)
{
    struct error ignored;
    if (!b)
        return;
    if (b->memory && b->first)
        (void)return_to_disk(b, WAIT_MS, &ignored);
    database_close(b->memory);
    close_disk(b);
    forget_pending(b);
    for (size_t i = 0; i < b->word_count; i++)
        free(b->words[i]);
    free(b->words);
    free(b->told);
    free(b->real);
    free(b->path);
    free(b);
}
