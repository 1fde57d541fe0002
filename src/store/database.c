#include "store/database.h"

#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/language.h"
#include "base/strbuf.h"
#include "store/file.h"

struct database {
    sqlite3 *sqlite;
    int wait_ms; /* for a lock */
    int64_t waiting_until;
    sqlite3_stmt *ready[STATEMENT_COUNT][STATEMENT_PARTS]; /* prepared when first used */
};

static const struct timespec between_tries = {0, 2000000};

/* SQLite's own waiting sleeps longer and longer, and then misses every gap that a busy tutor leaves. */
static int wait_for_lock(void *payload, int tries)
{
    struct database *db = payload;
    if (tries == 0)
        db->waiting_until = clock_ms() + db->wait_ms;
    if (clock_ms() >= db->waiting_until)
        return 0;
    nanosleep(&between_tries, NULL);
    return 1;
}

static enum database_state failed(enum database_state state, const char *why, struct error *err)
{
    error_set(err, "%s", why);
    return state;
}

/* What an SQLite result means for whoever wants to save. */
static enum database_state judge(struct database *db, int result, struct error *err)
{
    int system = sqlite3_system_errno(db->sqlite);
    switch (result & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return DATABASE_OK;
    case SQLITE_FULL:
        return failed(DATABASE_FULL, _("the disk is full"), err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return failed(DATABASE_LOCKED, _("another program keeps it locked"), err);
    case SQLITE_READONLY:
        return failed(DATABASE_READ_ONLY, _("it can be read but not written"), err);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return failed(DATABASE_DAMAGED, _("it is damaged"), err);
    case SQLITE_NOMEM:
        return failed(DATABASE_NO_MEMORY, _("out of memory"), err);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        if (result == SQLITE_IOERR_NOMEM)
            return failed(DATABASE_NO_MEMORY, _("out of memory"), err);
        if (result == SQLITE_IOERR_CORRUPTFS)
            return failed(DATABASE_DAMAGED, _("it is damaged"), err);
        if (system == ENOSPC || system == EDQUOT)
            return failed(DATABASE_FULL, _("the disk is full"), err);
        if (system)
            return failed(DATABASE_FAILED, strerror(system), err);
        break;
    default:
        break;
    }
    return failed(DATABASE_FAILED, sqlite3_errmsg(db->sqlite), err);
}

/* The first column of the first row, as a number and as text. */
struct reply {
    int64_t number;
    char text[16];
};

static int ask(struct database *db, const char *sql, struct reply *reply)
{
    sqlite3_stmt *statement = NULL;
    *reply = (struct reply){0};
    int result = sqlite3_prepare_v2(db->sqlite, sql, -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        const unsigned char *text = sqlite3_column_text(statement, 0);
        snprintf(reply->text, sizeof reply->text, "%s", text ? (const char *)text : "");
        reply->number = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_ROW || result == SQLITE_DONE ? SQLITE_OK : result;
}

static int run(struct database *db, const char *sql)
{
    return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);
}

/* Closing the last connection writes the log into the file: not where the file is not ours to change. */
static void leave_file_alone(struct database *db, int leave)
{
    sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave, NULL);
}

static int connect_to(struct database **out, const char *name, int flags)
{
    struct database *db = calloc(1, sizeof *db);
    *out = db;
    if (!db)
        return SQLITE_NOMEM;
    int result =
        sqlite3_open_v2(name, &db->sqlite, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);
    if (!db->sqlite)
        return SQLITE_NOMEM;
    sqlite3_extended_result_codes(db->sqlite, 1);
    sqlite3_busy_handler(db->sqlite, wait_for_lock, db);
    leave_file_alone(db, 1);
    return result == SQLITE_OK ? SQLITE_OK : sqlite3_extended_errcode(db->sqlite);
}

/* `path` as SQLite's URI of a file that nobody changes: the only way to read a write-ahead database in a
   folder without write permission. */
static char *unchanging(const char *path)
{
    struct strbuf uri = {0};
    strbuf_add(&uri, "file:");
    for (const char *c = path; *c; c++) {
        if (strchr("%?#", *c))
            strbuf_addf(&uri, "%%%02x", (unsigned)*c);
        else
            strbuf_addn(&uri, c, 1);
    }
    strbuf_add(&uri, "?immutable=1");
    if (!uri.failed)
        return uri.text;
    strbuf_free(&uri);
    return NULL;
}

/* *version: 0, a file with nothing in it. */
static enum database_state check_version(struct database *db, int64_t *out, struct error *err)
{
    struct reply version, application, tables;
    int result = run(db, "BEGIN"); /* one look: another tutor may be making the tables */
    if (result == SQLITE_OK)
        result = ask(db, "PRAGMA user_version", &version);
    if (result == SQLITE_OK)
        result = ask(db, "PRAGMA application_id", &application);
    if (result == SQLITE_OK)
        result = ask(db, "SELECT count(*) FROM sqlite_master", &tables);
    enum database_state state = judge(db, result, err);
    database_cancel(db);
    if (state)
        return state;
    *out = version.number;
    if (version.number == 0 && application.number == 0 && tables.number == 0)
        return DATABASE_OK;
    if (application.number != SCHEMA_APPLICATION || version.number < 1)
        return failed(DATABASE_FOREIGN, _("it belongs to another program"), err);
    if (version.number > SCHEMA_VERSION) {
        error_set(err, "a newer normtutor wrote it (format %lld; this one knows %d)",
                  (long long)version.number, SCHEMA_VERSION);
        return DATABASE_FOREIGN;
    }
    return DATABASE_OK;
}

/* A write-ahead log needs memory shared with the other programs that have the file open, which network file
   systems refuse or, worse, fake; a rollback journal then keeps the same promise if its folder is
   synchronized too. */
static int make_durable(struct database *db, const char *path, struct error *err)
{
    struct reply journal, synchronous;
    int result =
        ask(db, file_on_network(path) ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL", &journal);
    if (result != SQLITE_OK)
        return result;
    bool log = !strcmp(journal.text, "wal");
    if (!log && strcmp(journal.text, "delete")) {
        error_set(err, "its journal mode is %s", journal.text);
        return SQLITE_ERROR;
    }
    result = run(db, log ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=EXTRA");
    if (result == SQLITE_OK)
        result = ask(db, "PRAGMA synchronous", &synchronous);
    if (result == SQLITE_OK && synchronous.number < 2) {
        error_set(err, "writes to it cannot be made to reach the disk");
        return SQLITE_ERROR;
    }
    return result;
}

/* The tables as this tutor knows them, in an empty file or an older tutor's. */
static int make_schema(struct database *db)
{
    char version[96];
    struct reply found;
    int result = run(db, "BEGIN IMMEDIATE");
    if (result != SQLITE_OK)
        return result;
    result = ask(db, "PRAGMA user_version", &found); /* another tutor may have been faster */
    if (result == SQLITE_OK && found.number == 0)
        result = run(db, schema_create);
    for (int64_t v = found.number; result == SQLITE_OK && v > 0 && v < SCHEMA_VERSION; v++)
        result = run(db, schema_upgrades[v - 1]);
    if (result == SQLITE_OK && found.number < SCHEMA_VERSION) {
        snprintf(version, sizeof version, "PRAGMA user_version=%d; PRAGMA application_id=%d", SCHEMA_VERSION,
                 SCHEMA_APPLICATION);
        result = run(db, version);
    }
    if (result == SQLITE_OK)
        result = run(db, "COMMIT");
    if (result != SQLITE_OK)
        run(db, "ROLLBACK");
    return result;
}

static enum database_state set_up(struct database *db, const char *path, struct error *err)
{
    int64_t version;
    enum database_state state = check_version(db, &version, err);
    if (state)
        return state;
    if (sqlite3_db_readonly(db->sqlite, "main") == 1)
        return failed(DATABASE_READ_ONLY, _("it can be read but not written"), err);
    struct error pragma = {""};
    int result = path ? make_durable(db, path, &pragma) : SQLITE_OK;
    if (result == SQLITE_OK && version < SCHEMA_VERSION)
        result = make_schema(db);
    if (pragma.text[0])
        return failed(DATABASE_FAILED, pragma.text, err);
    if (result == SQLITE_OK)
        leave_file_alone(db, 0);
    return judge(db, result, err);
}

/* SQLite does not wait when two programs change the journal's mode at once. */
static enum database_state set_up_waiting(struct database *db, const char *path, struct error *err)
{
    int64_t end = clock_ms() + db->wait_ms;
    enum database_state state;
    while ((state = set_up(db, path, err)) == DATABASE_LOCKED && clock_ms() < end)
        nanosleep(&between_tries, NULL);
    return state;
}

/* After a failure to write: the rows as they are, where that needs neither lock nor log nor room. */
static struct database *open_unchanging(const char *path)
{
    struct database *reader = NULL;
    struct error ignored;
    int64_t version = 0;
    char *uri = unchanging(path);
    int result = uri ? connect_to(&reader, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI) : SQLITE_NOMEM;
    free(uri);
    if (result == SQLITE_OK && check_version(reader, &version, &ignored) == DATABASE_OK && version > 0)
        return reader;
    database_close(reader);
    return NULL;
}

enum database_state database_open(struct database **out, const char *path, int wait_ms, struct error *err)
{
    enum database_state state;
    int result = connect_to(out, path ? path : ":memory:",
                            SQLITE_OPEN_READWRITE | (path ? 0 : SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY));
    if (result == SQLITE_NOMEM) {
        state = failed(DATABASE_NO_MEMORY, _("out of memory"), err);
    } else {
        (*out)->wait_ms = wait_ms;
        state = result == SQLITE_OK ? set_up_waiting(*out, path, err) : judge(*out, result, err);
    }
    if (state == DATABASE_OK)
        return state;
    bool unreachable = state == DATABASE_FULL || state == DATABASE_FAILED || state == DATABASE_READ_ONLY;
    database_close(*out);
    *out = path && unreachable ? open_unchanging(path) : NULL;
    return state;
}

enum database_state database_open_damaged(struct database **out, const char *path, struct error *err)
{
    enum database_state state = DATABASE_OK;
    int result = connect_to(out, path, SQLITE_OPEN_READONLY);
    if (result == SQLITE_NOMEM)
        state = failed(DATABASE_NO_MEMORY, _("out of memory"), err);
    else if (result != SQLITE_OK)
        state = judge(*out, result, err);
    else
        run(*out, "PRAGMA writable_schema=ON"); /* reads on where the file is shorter than its header says */
    if (state) {
        database_close(*out);
        *out = NULL;
    }
    return state;
}

void database_close(struct database *db)
{
    if (!db)
        return;
    for (int s = 0; s < STATEMENT_COUNT; s++) {
        for (int part = 0; part < STATEMENT_PARTS; part++)
            sqlite3_finalize(db->ready[s][part]);
    }
    sqlite3_close(db->sqlite);
    free(db);
}

void database_abandon(struct database *db)
{
    leave_file_alone(db, 1);
    database_close(db);
}

void database_set_wait(struct database *db, int wait_ms)
{
    db->wait_ms = wait_ms;
}

bool database_moved(struct database *db)
{
    int moved = 0;
    return sqlite3_file_control(db->sqlite, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

static int bind_values(sqlite3_stmt *statement, const struct value *values, int count)
{
    int wanted = sqlite3_bind_parameter_count(statement);
    int result = SQLITE_OK;
    for (int i = 0; i < count && i < wanted && result == SQLITE_OK; i++) {
        const struct value *v = &values[i];
        const void *bytes = v->bytes ? v->bytes : "";
        switch (v->kind) {
        case VALUE_NULL:
            result = sqlite3_bind_null(statement, i + 1);
            break;
        case VALUE_NUMBER:
            result = sqlite3_bind_int64(statement, i + 1, v->number);
            break;
        case VALUE_BYTES:
            result = sqlite3_bind_blob64(statement, i + 1, bytes, v->length, SQLITE_STATIC);
            break;
        case VALUE_TEXT:
            result = sqlite3_bind_text64(statement, i + 1, bytes, v->length, SQLITE_STATIC, SQLITE_UTF8);
            break;
        }
    }
    return result;
}

static int prepare(struct database *db, enum statement what, int part, const struct value *values, int count,
                   sqlite3_stmt **out)
{
    sqlite3_stmt **kept = &db->ready[what][part];
    int result = SQLITE_OK;
    if (!*kept)
        result = sqlite3_prepare_v3(db->sqlite, schema_statements[what][part], -1, SQLITE_PREPARE_PERSISTENT,
                                    kept, NULL);
    if (result == SQLITE_OK)
        result = bind_values(*kept, values, count);
    *out = *kept;
    return result;
}

/* The values are borrowed, so they are let go with the statement. */
static void release(sqlite3_stmt *statement)
{
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

static int run_parts(struct database *db, enum statement what, const struct value *values, int count)
{
    for (int part = 0; part < STATEMENT_PARTS && schema_statements[what][part]; part++) {
        sqlite3_stmt *statement = NULL;
        int result = prepare(db, what, part, values, count, &statement);
        if (result == SQLITE_OK)
            result = sqlite3_step(statement);
        release(statement);
        if (result != SQLITE_DONE)
            return result;
    }
    return SQLITE_OK;
}

enum database_state database_write(struct database *db, enum statement what, const struct value *values,
                                   int count, struct error *err)
{
    bool own = sqlite3_get_autocommit(db->sqlite) && schema_statements[what][1];
    enum database_state state = own ? database_begin(db, err) : DATABASE_OK;
    if (state)
        return state;
    state = judge(db, run_parts(db, what, values, count), err);
    if (!own)
        return state;
    if (!state)
        return database_commit(db, err);
    database_cancel(db);
    return state;
}

enum { COLUMNS_MAX = 16 };

static struct value column(sqlite3_stmt *statement, int i)
{
    struct value v = {VALUE_NULL, 0, NULL, 0};
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_INTEGER:
        v.kind = VALUE_NUMBER;
        v.number = sqlite3_column_int64(statement, i);
        break;
    case SQLITE_BLOB:
        v.kind = VALUE_BYTES;
        v.bytes = sqlite3_column_blob(statement, i);
        v.length = (size_t)sqlite3_column_bytes(statement, i);
        break;
    case SQLITE_TEXT:
        v.kind = VALUE_TEXT;
        v.bytes = sqlite3_column_text(statement, i);
        v.length = (size_t)sqlite3_column_bytes(statement, i);
        break;
    default:
        break;
    }
    return v;
}

enum database_state database_read(struct database *db, enum statement what, const struct value *values,
                                  int count, database_row *row, void *payload, struct error *err)
{
    sqlite3_stmt *statement = NULL;
    int result = prepare(db, what, 0, values, count, &statement);
    enum database_state state = DATABASE_OK;
    while (result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct value columns[COLUMNS_MAX];
        int n = sqlite3_column_count(statement);
        for (int i = 0; i < n && i < COLUMNS_MAX; i++)
            columns[i] = column(statement, i);
        result = row(payload, columns, n) ? SQLITE_NOMEM : SQLITE_OK;
    }
    state = judge(db, result, err);
    release(statement);
    return state;
}

enum database_state database_begin(struct database *db, struct error *err)
{
    return judge(db, run(db, "BEGIN IMMEDIATE"), err);
}

enum database_state database_commit(struct database *db, struct error *err)
{
    enum database_state state = judge(db, run(db, "COMMIT"), err);
    if (state)
        database_cancel(db);
    return state;
}

void database_cancel(struct database *db)
{
    if (!sqlite3_get_autocommit(db->sqlite))
        run(db, "ROLLBACK");
}

/* Where reading from the end first fails: the first row number behind a hole; INT64_MAX when nothing can be
 * read. */
static int64_t behind_hole(struct database *from, const char *backward)
{
    sqlite3_stmt *numbers = NULL;
    int64_t first = INT64_MAX;
    if (sqlite3_prepare_v2(from->sqlite, backward, -1, &numbers, NULL) == SQLITE_OK) {
        while (sqlite3_step(numbers) == SQLITE_ROW)
            first = sqlite3_column_int64(numbers, 0);
    }
    sqlite3_finalize(numbers);
    return first;
}

struct copying {
    struct database *from;
    sqlite3_stmt *insert;
    bool numbered;
    int64_t next; /* where to go on */
    bool whole;   /* no row was unreadable */
    size_t rows;
};

/* Returns SQLITE_OK unless writing failed. */
static int copy_rows(struct copying *copy, const char *sql)
{
    sqlite3_stmt *rows = NULL;
    int found = sqlite3_prepare_v2(copy->from->sqlite, sql, -1, &rows, NULL);
    int first = copy->numbered ? 1 : 0;
    int result = SQLITE_OK;
    if (found == SQLITE_OK && copy->numbered)
        found = sqlite3_bind_int64(rows, 1, copy->next);
    while (found == SQLITE_OK && result == SQLITE_OK && (found = sqlite3_step(rows)) == SQLITE_ROW) {
        found = SQLITE_OK;
        if (copy->numbered)
            copy->next = sqlite3_column_int64(rows, 0) + 1;
        for (int i = first; i < sqlite3_column_count(rows) && result == SQLITE_OK; i++)
            result = sqlite3_bind_value(copy->insert, i - first + 1, sqlite3_column_value(rows, i));
        if (result == SQLITE_OK)
            result = sqlite3_step(copy->insert);
        release(copy->insert);
        /* A damaged page can give rows with holes that no table takes. */
        result = result == SQLITE_DONE || (result & 0xff) == SQLITE_CONSTRAINT ? SQLITE_OK : result;
        copy->rows++;
    }
    copy->whole = found == SQLITE_DONE;
    sqlite3_finalize(rows);
    return result;
}

static int copy_table(struct database *to, struct database *from, const struct schema_copy *table,
                      size_t *rows)
{
    struct copying copy = {.from = from, .numbered = table->numbered, .next = INT64_MIN};
    int result = sqlite3_prepare_v2(to->sqlite, table->insert, -1, &copy.insert, NULL);
    if (result == SQLITE_OK)
        result = copy_rows(&copy, table->forward);
    if (result == SQLITE_OK && !copy.whole) {
        int64_t next = table->numbered ? behind_hole(from, table->backward) : 0;
        if (next > copy.next)
            copy.next = next;
        result = copy_rows(&copy, table->numbered ? table->forward : table->backward);
    }
    sqlite3_finalize(copy.insert);
    *rows = copy.rows;
    return result;
}

enum database_state database_copy(struct database *to, struct database *from, size_t *answers,
                                  struct error *err)
{
    bool own = sqlite3_get_autocommit(to->sqlite);
    enum database_state state = own ? database_begin(to, err) : DATABASE_OK;
    for (int i = 0; i < SCHEMA_COPIES && !state; i++) {
        size_t rows = 0;
        state = judge(to, copy_table(to, from, &schema_copies[i], &rows), err);
        if (i == 0)
            *answers = rows;
    }
    if (!own)
        return state;
    if (!state)
        return database_commit(to, err);
    database_cancel(to);
    return state;
}

uint64_t database_random(void)
{
    uint64_t random;
    sqlite3_randomness(sizeof random, &random);
    return random;
}

const char *database_version(void)
{
    return sqlite3_libversion();
}
