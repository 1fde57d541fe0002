#include "app/notes_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/language.h"
#include "base/path.h"

enum { SIZE_MOST = 64 * 1024 * 1024, ASIDE_MAX = 99 };

#define SEAL "<!--normtutor-notes:%zu:%016" PRIx64 "-->\n"
#define SEAL_READ "<!--normtutor-notes:%zu:%16" SCNx64 "-->"

void notes_seal(struct strbuf *text, size_t answers)
{
    strbuf_add(text, "\n");
    strbuf_addf(text, SEAL, answers, hash_bytes(HASH_START, strbuf_string(text), text->length));
}

/* False: no notes of ours, or not as we wrote them. */
static bool read_seal(const char *text, size_t length, size_t *answers)
{
    size_t at = length > 0 ? length - 1 : 0;
    uint64_t said;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return strlen(text) == length && sscanf(text + at, SEAL_READ, answers, &said) == 2 && said == hash_bytes(HASH_START, text, at);
}

char *notes_place(struct error *err)
{
    char *home = path_state_home();
    char *path = home ? path_join(home, "notes.md") : NULL;
    if (!home)
        error_set(err, "there is no place for your notes: neither XDG_STATE_HOME nor HOME says where");
    else if (!path)
        error_set(err, "out of memory");
    else if (path_make_folders(home, err) != 0) {
        free(path);
        path = NULL;
    }
    free(home);
    return path;
}

static bool may_go(const char *path, const struct strbuf *text)
{
    char *there = NULL;
    size_t length, answers, now;
    bool may = path_read(path, SIZE_MOST, &there, &length, NULL) == 0 && read_seal(there, length, &answers) &&
               read_seal(text->text, text->length, &now) && answers <= now;
    free(there);
    return may;
}

/* A second name for it; where the disk knows no second names, another one. */
static int put_aside(const char *path, char **aside, struct error *err)
{
    struct strbuf name = {0};
    struct stat at;
    for (int n = 1; n <= ASIDE_MAX; n++) {
        strbuf_clear(&name);
        strbuf_addf(&name, n == 1 ? "%s~" : "%s~%d", path, n);
        if (name.failed)
            break;
        bool put = link(path, name.text) == 0;
        if (!put && errno == EEXIST)
            continue;
        if (!put && lstat(name.text, &at) != 0)
            put = rename(path, name.text) == 0;
        if (put) {
            *aside = name.text;
            return 0;
        }
        error_set(err, "cannot put %s aside: %s", path, strerror(errno));
        strbuf_free(&name);
        return -1;
    }
    bool failed = name.failed;
    strbuf_free(&name);
    return failed ? error_set(err, "out of memory") : error_set(err, "there are %d old texts beside %s: take some away first", ASIDE_MAX, path);
}

static void put_back(const char *path, char **aside)
{
    if (*aside && rename(*aside, path) == 0)
        unlink(*aside); /* two names of one file stay two */
    free(*aside);
    *aside = NULL;
}

int notes_save(const char *path, const struct strbuf *text, char **aside, struct error *err)
{
    struct stat at;
    char *real = realpath(path, NULL); /* what a link leads to */
    const char *target = real ? real : path;
    bool there = lstat(target, &at) == 0 && (S_ISREG(at.st_mode) || S_ISLNK(at.st_mode));
    int status = 0;
    *aside = NULL;
    if (there && !may_go(target, text))
        status = put_aside(target, aside, err);
    if (status == 0 && (status = path_write(target, text->text, text->length, err)) != 0)
        put_back(target, aside);
    free(real);
    return status;
}
