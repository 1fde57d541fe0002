#include "app/work_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/language.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "store/store.h"

enum { ID_MAX = 100, ASIDE_MAX = 99 };

/* ---- the place ---- */

static bool is_id(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length > 0 && length <= ID_MAX && !text[length];
}

/* An id, and where two authors have given their courses the same one, a point and a number behind it. */
static bool is_key(const char *text)
{
    const char *point = strchr(text, '.');
    char id[ID_MAX + 1];
    size_t length = point ? (size_t)(point - text) : strlen(text);
    snprintf(id, sizeof id, "%.*s", (int)(length < ID_MAX ? length : ID_MAX), text);
    return length <= ID_MAX && is_id(id) && (!point || (strlen(point + 1) == 8 && strspn(point + 1, "0123456789abcdef") == 8));
}

static bool is_file_name(const char *name)
{
    size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length <= ID_MAX && strcmp(name + length, ".lua") == 0;
}

/* A point is in no id, so no two places have one folder. */
static char *folder_below(const struct work_place *place)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "%s/%s/%s.%" PRIu64, place->course[0] ? place->course : "alone", place->lesson, place->step, place->seed);
    if (place->attempt >= STORE_REVIEW)
        strbuf_addf(&out, ".review.%" PRIu32, place->attempt - STORE_REVIEW + 1);
    else if (place->attempt > 0)
        strbuf_addf(&out, ".%" PRIu32, place->attempt);
    if (!out.failed)
        return out.text;
    strbuf_free(&out);
    return NULL;
}

int work_file_place(struct work_file *out, const char *root, const struct work_place *place, struct error *err)
{
    *out = (struct work_file){0};
    if ((place->course[0] && !is_key(place->course)) || !is_id(place->lesson) || !is_id(place->step))
        return error_set(err, "your program has no file: course, lesson and step need ids of a-z, 0-9 and -");
    if (!is_file_name(place->name))
        return error_set(err, "your program has no file: \"%.100s\" is not a name for one", place->name);
    out->root = strdup(root);
    out->below = folder_below(place);
    out->name = strdup(place->name);
    out->folder = path_join(out->root, out->below);
    out->path = path_join(out->folder, out->name);
    out->shown = out->path ? path_with_tilde(out->path) : NULL;
    if (out->shown && out->name)
        return 0;
    work_file_free(out);
    return error_set(err, "out of memory");
}

void work_file_free(struct work_file *file)
{
    free(file->root);
    free(file->below);
    free(file->name);
    free(file->folder);
    free(file->path);
    free(file->shown);
    *file = (struct work_file){0};
}

/* ---- its folder ---- */

static int make_folder(int folder, const char *name)
{
    if (mkdirat(folder, name, 0700) == 0)
        return fsync(folder);
    return errno == EEXIST ? 0 : -1;
}

/* The folder root/below, entered part by part below the root. -1: errno says why. */
static int enter_below(const char *root, const char *below, bool make)
{
    char *parts = strdup(below), *rest = parts;
    int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = parts && folder >= 0 ? 0 : -1;
    for (char *part; status == 0 && (part = strsep(&rest, "/"));) {
        status = make ? make_folder(folder, part) : 0;
        if (status == 0)
            status = path_enter(&folder, part);
    }
    int why = errno;
    free(parts);
    if (status != 0 && folder >= 0) {
        close(folder);
        folder = -1;
    }
    errno = why;
    return folder;
}

static int enter_folder(const struct work_file *file, bool make)
{
    return enter_below(file->root, file->below, make);
}

/* The folder that its folder is in; *name: what its folder is called there. */
static int enter_parent(const struct work_file *file, bool make, const char **name)
{
    char *parent = path_folder(file->below);
    int folder = parent ? enter_below(file->root, parent, make) : -1;
    *name = strrchr(file->below, '/') + 1;
    free(parent);
    return folder;
}

void work_file_adopt(const struct work_file *file, const struct work_file *former)
{
    const char *from_name, *to_name;
    struct stat at;
    int from = enter_parent(former, false, &from_name);
    bool there = from >= 0 && fstatat(from, from_name, &at, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(at.st_mode);
    int to = there ? enter_parent(file, true, &to_name) : -1;
    if (to >= 0 && fstatat(to, to_name, &at, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT && renameat(from, from_name, to, to_name) == 0) {
        fsync(to);
        fsync(from);
    }
    if (to >= 0)
        close(to);
    if (from >= 0)
        close(from);
}

static const char *why_not(int number)
{
    return number == ELOOP ? _("a folder on the way is a link, and links are not followed") : strerror(number);
}

static int make_folders(const struct work_file *file, struct error *err)
{
    if (path_make_folders(file->root, err) != 0)
        return error_prefix(err, "your program has no file: ");
    int folder = enter_folder(file, true);
    if (folder < 0)
        error_set(err, "your program has no file: cannot make the folder %s: %s", file->folder, why_not(errno));
    return folder;
}

/* ---- writing ---- */

static int write_all(int fd, const char *text, size_t length)
{
    return path_write_all(fd, text, length) == 0 ? fsync(fd) : -1;
}

/* 1: made; 0: something of that name is there. */
static int write_new(int folder, const struct work_file *file, const char *start, struct error *err)
{
    int fd = openat(folder, file->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return 0;
    int status = fd < 0 ? -1 : write_all(fd, start, strlen(start));
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && status == 0) {
        why = errno;
        status = -1;
    }
    if (status == 0 && fsync(folder) == 0)
        return 1;
    if (status != 0 && fd >= 0)
        unlinkat(folder, file->name, 0);
    return error_set(err, "cannot write %s: %s", file->shown, strerror(status != 0 ? why : errno));
}

int work_file_make(const struct work_file *file, const char *start, bool *made, struct error *err)
{
    *made = false;
    int folder = make_folders(file, err);
    if (folder < 0)
        return -1;
    int status = write_new(folder, file, start, err);
    close(folder);
    *made = status == 1;
    return status < 0 ? -1 : 0;
}

static bool is_there(int folder, const char *name)
{
    struct stat at;
    return fstatat(folder, name, &at, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

static char *free_name(int folder, const char *name)
{
    struct strbuf out = {0};
    for (int n = 1; n <= ASIDE_MAX; n++) {
        strbuf_clear(&out);
        strbuf_addf(&out, n == 1 ? "%s~" : "%s~%d", name, n);
        if (!out.failed && !is_there(folder, out.text))
            return out.text;
    }
    strbuf_free(&out);
    return NULL;
}

static int put_aside(int folder, const struct work_file *file, char **aside, struct error *err)
{
    *aside = NULL;
    if (!is_there(folder, file->name))
        return 0;
    *aside = free_name(folder, file->name);
    if (!*aside)
        return error_set(err, "there are %d old texts beside %s: take some away first", ASIDE_MAX, file->shown);
    if (renameat(folder, file->name, folder, *aside) == 0)
        return 0;
    error_set(err, "cannot put %s aside: %s", file->shown, strerror(errno));
    free(*aside);
    *aside = NULL;
    return -1;
}

int work_file_start_over(const struct work_file *file, const char *start, char **aside, struct error *err)
{
    *aside = NULL;
    int folder = make_folders(file, err);
    if (folder < 0)
        return -1;
    int status = put_aside(folder, file, aside, err);
    if (status == 0)
        status = write_new(folder, file, start, err) == 1 ? 0 : -1;
    if (status != 0 && *aside && !is_there(folder, file->name) && renameat(folder, *aside, folder, file->name) == 0) {
        free(*aside);
        *aside = NULL;
    }
    close(folder);
    return status;
}

/* ---- what a file is known by ---- */

static struct work_stamp stamp_of(const struct stat *at)
{
    return (struct work_stamp){at->st_dev, at->st_ino, at->st_size, at->st_mtim};
}

bool work_stamp_same(const struct work_stamp *a, const struct work_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

static struct work_stamp look_at(int folder, const char *name)
{
    struct stat at;
    return fstatat(folder, name, &at, AT_SYMLINK_NOFOLLOW) == 0 ? stamp_of(&at) : (struct work_stamp){0};
}

struct work_stamp work_file_stamp(const struct work_file *file)
{
    int folder = enter_folder(file, false);
    struct work_stamp stamp = folder >= 0 ? look_at(folder, file->name) : (struct work_stamp){0};
    if (folder >= 0)
        close(folder);
    return stamp;
}

/* ---- saving ---- */

/* A name that no other process takes for its own. */
static void name_beside(char out[ID_MAX + 32], const struct work_file *file)
{
    snprintf(out, ID_MAX + 32, ".%s.%ld", file->name, (long)getpid());
}

/* Beside the file, with its mode. */
static int write_beside(int folder, const struct work_file *file, const char *name, const char *text, struct work_stamp *stamp)
{
    struct stat at;
    bool there = fstatat(folder, file->name, &at, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(at.st_mode);
    unlinkat(folder, name, 0); /* of a process before us that had our number */
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    int status = there ? fchmod(fd, at.st_mode & 0777) : 0;
    if (status == 0)
        status = write_all(fd, text, strlen(text));
    if (status == 0 && (status = fstat(fd, &at)) == 0)
        *stamp = stamp_of(&at);
    int why = errno;
    if (close(fd) != 0 && status == 0) {
        why = errno;
        status = -1;
    }
    if (status != 0)
        unlinkat(folder, name, 0);
    errno = why;
    return status;
}

/* The new text takes the file's name; what had it has `name` then. -1: errno says why. */
static int change_places(int folder, const struct work_file *file, const char *name)
{
    if (!is_there(folder, file->name))
        return renameat(folder, name, folder, file->name);
#ifdef RENAME_EXCHANGE
    return renameat2(folder, name, folder, file->name, RENAME_EXCHANGE);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* What has been put at `name` goes, if it is the file that is known, else aside. */
static int put_away(int folder, const struct work_file *file, const char *name, const struct work_stamp *known, char **aside,
                    struct error *err)
{
    if (!is_there(folder, name))
        return 0;
    struct work_stamp was = look_at(folder, name);
    if (work_stamp_same(&was, known)) {
        unlinkat(folder, name, 0);
        return 0;
    }
    *aside = free_name(folder, file->name);
    if (*aside && renameat(folder, name, folder, *aside) == 0)
        return 0;
    free(*aside);
    *aside = strdup(name); /* it stays where it is */
    return *aside ? 0 : error_set(err, "out of memory");
}

/* Where files cannot change places in one step: between looking and renaming there is an instant. */
static int take_place(int folder, const struct work_file *file, const char *name, const struct work_stamp *known, char **aside,
                      struct error *err)
{
    struct work_stamp there = look_at(folder, file->name);
    if (!work_stamp_same(&there, known) && put_aside(folder, file, aside, err) != 0)
        return -1;
    if (renameat(folder, name, folder, file->name) == 0)
        return 0;
    return error_set(err, "cannot write %s: %s", file->shown, strerror(errno));
}

int work_file_save(const struct work_file *file, const char *text, const struct work_stamp *known, struct work_stamp *stamp,
                   char **aside, struct error *err)
{
    char name[ID_MAX + 32];
    *aside = NULL;
    name_beside(name, file);
    int folder = make_folders(file, err);
    if (folder < 0)
        return -1;
    int status = write_beside(folder, file, name, text, stamp);
    if (status != 0) {
        error_set(err, "cannot write %s: %s", file->shown, strerror(errno));
    } else if (change_places(folder, file, name) == 0) {
        status = put_away(folder, file, name, known, aside, err);
    } else {
        status = take_place(folder, file, name, known, aside, err);
        if (status != 0)
            unlinkat(folder, name, 0);
    }
    if (status == 0)
        fsync(folder);
    close(folder);
    return status;
}

/* ---- reading ---- */

static enum work_read unreadable(const struct work_file *file, struct error *err, const char *why)
{
    error_set(err, "%s cannot be read: %s. Save it as a text file of at most %d KiB, or start over.", file->shown, why,
              WORK_TEXT_MAX / 1024);
    return WORK_UNREADABLE;
}

static enum work_read read_text(const struct work_file *file, int fd, char **text, struct error *err)
{
    size_t length;
    struct error why = {0};
    if (path_read_from(fd, "it", WORK_TEXT_MAX, text, &length, &why) != 0)
        return unreadable(file, err, why.text);
    if (strlen(*text) == length)
        return WORK_READ;
    free(*text);
    *text = NULL;
    return unreadable(file, err, _("there is a zero byte in it"));
}

enum work_read work_file_read(const struct work_file *file, char **text, struct work_stamp *stamp, struct error *err)
{
    struct stat at;
    struct error why = {0};
    *text = NULL;
    *stamp = (struct work_stamp){0};
    int folder = enter_folder(file, false);
    if (folder < 0)
        return errno == ENOENT ? WORK_GONE : unreadable(file, err, why_not(errno));
    int fd = path_open_regular(folder, file->name, &why);
    bool gone = fd < 0 && !is_there(folder, file->name);
    if (fd < 0)
        *stamp = look_at(folder, file->name);
    else if (fstat(fd, &at) == 0)
        *stamp = stamp_of(&at);
    close(folder);
    if (fd < 0)
        return gone ? WORK_GONE : unreadable(file, err, why.text);
    enum work_read result = read_text(file, fd, text, err);
    close(fd);
    return result;
}
