#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "base/language.h"
#include "base/strbuf.h"

char *path_join(const char *folder, const char *name)
{
    if (!folder || !name)
        return NULL;
    size_t length = strlen(folder);
    struct strbuf buf = {0};
    strbuf_addn(&buf, folder, length);
    if (length && folder[length - 1] != '/')
        strbuf_add(&buf, "/");
    strbuf_add(&buf, name);
    if (buf.failed) {
        strbuf_free(&buf);
        return NULL;
    }
    return buf.text;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

/* Takes `folder`. */
static char *join_freeing(char *folder, const char *name)
{
    char *path = path_join(folder, name);
    free(folder);
    return path;
}

/* The user's home, or NULL. HOME counts only when absolute, as the XDG variables do. */
static const char *home(void)
{
    const char *named = getenv("HOME");
    if (named && named[0] == '/')
        return named;
    const struct passwd *user = getpwuid(getuid());
    return user && user->pw_dir && user->pw_dir[0] == '/' ? user->pw_dir : NULL;
}

static char *xdg(const char *variable, const char *below_home)
{
    const char *named = getenv(variable);
    if (named && named[0] == '/')
        return path_join(named, "normtutor");
    return join_freeing(path_join(home(), below_home), "normtutor");
}

char *path_state_home(void)
{
    return xdg("XDG_STATE_HOME", ".local/state");
}

char *path_data_home(void)
{
    return xdg("XDG_DATA_HOME", ".local/share");
}

char *path_courses(void)
{
    return join_freeing(path_data_home(), "courses");
}

/* "/a/b" -> "/a", "/a" -> "/"; false at the root. */
static bool drop_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || !strcmp(path, "/"))
        return false;
    slash[slash == path] = '\0';
    return true;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_ends(const char *path, const char *tail)
{
    size_t length = strlen(path), end = strlen(tail);
    return length > end && !strcmp(path + length - end, tail);
}

/* A program that was rebuilt while it runs is linked as "name (deleted)". */
static void drop_deleted(char *path)
{
    static const char mark[] = " (deleted)";
    if (path_ends(path, mark) && access(path, F_OK))
        path[strlen(path) - strlen(mark)] = '\0';
}

char *path_program(void)
{
    char link[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", link, sizeof link - 1);
    if (length > 0) {
        link[length] = '\0';
        drop_deleted(link);
        return strdup(link);
    }
#ifdef __linux__
    const char *started_as = (const char *)getauxval(AT_EXECFN); /* without /proc */
    if (started_as)
        return realpath(started_as, NULL);
#endif
    return NULL;
}

static bool holds_course(const char *folder)
{
    char *course = path_join(folder, "course.lua");
    bool there = course && !access(course, F_OK);
    free(course);
    return there;
}

/* Takes `folder`; NULL when it holds no course. */
static char *if_course(char *folder)
{
    if (folder && holds_course(folder))
        return folder;
    free(folder);
    return NULL;
}

char *path_lessons(void)
{
    char *folder = path_program();
    char *lessons = NULL;
    if (!folder || !drop_name(folder)) {
        free(folder);
        return NULL;
    }
    char *above = strdup(folder);
    while (above && !lessons && strcmp(above, "/")) {
        bool build = !strcmp(path_name(above), "build");
        drop_name(above);
        if (build)
            lessons = if_course(path_join(above, "lessons"));
    }
    free(above);
    if (!lessons) {
        drop_name(folder);
        lessons = if_course(path_join(folder, "share/normtutor/lessons"));
    }
    free(folder);
    return lessons;
}

char *path_locale(void)
{
    char *folder = path_program();
    if (!folder || !drop_name(folder)) {
        free(folder);
        return NULL;
    }
    char *locale = path_join(folder, "locale");
    if (locale && access(locale, F_OK)) {
        free(locale);
        drop_name(folder);
        locale = path_join(folder, "share/locale");
    }
    free(folder);
    return locale;
}

bool path_is_below(const char *name)
{
    for (;;) {
        size_t length = strcspn(name, "/");
        if (length == 0 || length > NAME_MAX || (length <= 2 && strspn(name, ".") == length))
            return false;
        if (!name[length])
            return true;
        name += length + 1;
    }
}

static int make_folder(const char *path, struct error *err)
{
    struct stat what;
    if (!mkdir(path, 0700))
        return 0;
    int why = errno;
    if (!stat(path, &what)) {
        if (S_ISDIR(what.st_mode))
            return 0;
        return error_set(err, "%s is not a folder", path);
    }
    return error_set(err, "cannot make the folder %s: %s", path, strerror(why));
}

int path_make_folders(const char *path, struct error *err)
{
    char *part = strdup(path);
    int result = part ? 0 : error_set(err, "out of memory");
    for (char *at = part; at && *at && !result; at++) {
        if (*at != '/' || at == part || at[-1] == '/')
            continue;
        *at = '\0';
        result = make_folder(part, err);
        *at = '/';
    }
    if (!result)
        result = make_folder(path, err);
    free(part);
    return result;
}

static int check_regular(const char *path, const struct stat *what, struct error *err)
{
    if (S_ISREG(what->st_mode))
        return 0;
    return error_set(err, S_ISDIR(what->st_mode) ? N_("%s is a folder, not a file") : N_("%s is not a regular file"),
                     path);
}

/* Opens without waiting for a pipe's other end and without waking a device. */
static int open_regular(const char *path, struct error *err)
{
    struct stat what;
    if (stat(path, &what))
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    if (check_regular(path, &what, err))
        return -1;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &what))
        error_set(err, "cannot read %s: %s", path, strerror(errno));
    else if (!check_regular(path, &what, err))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static int read_all(int fd, const char *path, size_t limit, struct strbuf *into, struct error *err)
{
    char chunk[16384];
    strbuf_add(into, "");
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(err, "cannot read %s: %s", path, strerror(errno));
        strbuf_addn(into, chunk, (size_t)got);
        if (into->failed)
            return error_set(err, "out of memory while reading %s", path);
        if (into->length > limit)
            return error_set(err, "%s is longer than %zu bytes", path, limit);
        if (got == 0)
            return 0;
    }
}

int path_read_from(int fd, const char *path, size_t limit, char **text, size_t *length, struct error *err)
{
    struct strbuf bytes = {0};
    *text = NULL;
    *length = 0;
    if (read_all(fd, path, limit, &bytes, err) != 0) {
        strbuf_free(&bytes);
        return -1;
    }
    *text = bytes.text;
    *length = bytes.length;
    return 0;
}

int path_read(const char *path, size_t limit, char **text, size_t *length, struct error *err)
{
    *text = NULL;
    *length = 0;
    int fd = open_regular(path, err);
    if (fd < 0)
        return -1;
    int result = path_read_from(fd, path, limit, text, length, err);
    close(fd);
    return result;
}

/* ---- ways without links ---- */

int path_enter(int *folder, const char *name)
{
    struct stat at;
    int next = openat(*folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (next < 0 && errno == ENOTDIR && fstatat(*folder, name, &at, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(at.st_mode))
        errno = ELOOP;
    int why = errno;
    close(*folder);
    errno = why;
    *folder = next;
    return next < 0 ? -1 : 0;
}

/* Why it is not a file that may be read, or NULL. */
static const char *complaint(const struct stat *at)
{
    if (S_ISLNK(at->st_mode))
        return _("it is a link, and links are not followed");
    if (S_ISDIR(at->st_mode))
        return _("it is a folder, not a file");
    return S_ISREG(at->st_mode) ? NULL : _("it is not a regular file");
}

/* Looks before it opens, so that no device wakes; looks again at what it has, since names may change hands. */
int path_open_regular(int folder, const char *name, struct error *err)
{
    struct stat at;
    const char *why;
    if (fstatat(folder, name, &at, AT_SYMLINK_NOFOLLOW) != 0)
        return error_set(err, "%s", errno == ENOENT ? _("there is no such file") : strerror(errno));
    if ((why = complaint(&at)) != NULL)
        return error_set(err, "%s", why);
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return error_set(err, "%s", errno == ELOOP ? _("it is a link, and links are not followed") : strerror(errno));
    if (fstat(fd, &at) == 0 && !(why = complaint(&at)))
        return fd;
    close(fd);
    return error_set(err, "%s", why ? why : strerror(errno));
}

int path_write_all(int fd, const char *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t sent = write(fd, bytes + done, length - done);
        if (sent < 0 && errno != EINTR)
            return -1;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return 0;
}

int path_write(const char *path, const char *bytes, size_t length, struct error *err)
{
    struct stat at;
    struct strbuf beside = {0};
    mode_t mask = umask(0);
    umask(mask);
    if (stat(path, &at) == 0 && !S_ISREG(at.st_mode))
        return error_set(err, "%s is there, and is not a regular file", path);
    strbuf_addf(&beside, "%s.XXXXXX", path);
    if (beside.failed)
        return error_set(err, "out of memory");
    int fd = mkstemp(beside.text), status = fd < 0 ? -1 : path_write_all(fd, bytes, length);
    if (status == 0 && (fchmod(fd, 0666 & ~mask) != 0 || fsync(fd) != 0 || rename(beside.text, path) != 0))
        status = -1;
    if (status != 0) {
        error_set(err, "cannot write %s: %s", path, strerror(errno));
        if (fd >= 0)
            unlink(beside.text);
    }
    if (fd >= 0)
        close(fd);
    strbuf_free(&beside);
    return status;
}

char *path_with_tilde(const char *path)
{
    const char *of = home();
    size_t length = of ? strlen(of) : 0;
    while (length > 0 && of[length - 1] == '/')
        length--;
    if (length == 0 || strncmp(path, of, length) != 0 || path[length] != '/')
        return strdup(path);
    return path_join("~", path + length + 1);
}
