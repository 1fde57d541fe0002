#include "archive/shelf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/language.h"
#include "base/path.h"

/* ".new-…" is being unpacked, ".gone-…" being removed, ".old-NAME" makes room for another NAME. */
static const char new_mark[] = ".new-", gone_mark[] = ".gone-", old_mark[] = ".old-";

/* ---- a folder with all that is in it ---- */

/* Takes `fd`. */
static int empty_folder(int fd)
{
    DIR *open = fdopendir(fd);
    struct dirent *entry;
    int status = 0;
    if (!open) {
        close(fd);
        return -1;
    }
    while (status == 0 && (errno = 0, entry = readdir(open))) {
        struct stat at;
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        status = fstatat(dirfd(open), name, &at, AT_SYMLINK_NOFOLLOW);
        if (status == 0 && S_ISDIR(at.st_mode)) {
            int below = dup(dirfd(open));
            status = below < 0 || path_enter(&below, name) != 0 ? -1 : empty_folder(below);
        }
        if (status == 0)
            status = unlinkat(dirfd(open), name, S_ISDIR(at.st_mode) ? AT_REMOVEDIR : 0);
    }
    if (errno != 0)
        status = -1;
    int why = errno;
    closedir(open);
    errno = why;
    return status;
}

static int remove_tree(int folder, const char *name)
{
    int below = dup(folder);
    if (below < 0 || path_enter(&below, name) != 0 || empty_folder(below) != 0)
        return -1;
    return unlinkat(folder, name, AT_REMOVEDIR);
}

static int write_file(int folder, const char *name, const struct tar_file *file)
{
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    int status = 0;
    for (size_t done = 0; done < file->length && status == 0;) {
        ssize_t sent = write(fd, file->bytes + done, file->length - done);
        if (sent < 0 && errno != EINTR)
            status = -1;
        done += sent > 0 ? (size_t)sent : 0;
    }
    if (status == 0)
        status = fsync(fd);
    int why = errno;
    close(fd);
    errno = why;
    return status;
}

/* Along the file's name, making the folders on the way. */
static int unpack_file(int top, const struct tar_file *file)
{
    char part[PACKAGE_NAME_MAX + 1];
    const char *name = file->name, *slash;
    int folder = dup(top), status = folder < 0 ? -1 : 0;
    for (; status == 0 && (slash = strchr(name, '/')); name = slash + 1) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        bool made = mkdirat(folder, part, 0755) == 0;
        if ((!made && errno != EEXIST) || (made && fsync(folder) != 0))
            status = -1;
        else
            status = path_enter(&folder, part);
    }
    if (status == 0)
        status = write_file(folder, name, file);
    if (status == 0)
        status = fsync(folder);
    int why = errno;
    if (folder >= 0)
        close(folder);
    errno = why;
    return status;
}

/* ---- the shelf ---- */

/* What is to be cut off of `name` to know what it is, or 0. */
static size_t marked(const char *name, const char *mark)
{
    return strncmp(name, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}

/* Whatever is marked was left by a process that is gone, since this one has the lock. */
static void tidy(struct shelf *shelf)
{
    int fd = openat(shelf->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    if (!open) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(open))) {
        size_t old = marked(entry->d_name, old_mark);
        if (old && shelf_look(shelf, entry->d_name + old) == SHELF_NOTHING)
            renameat(shelf->fd, entry->d_name, shelf->fd, entry->d_name + old);
        else if (old || marked(entry->d_name, new_mark) || marked(entry->d_name, gone_mark))
            remove_tree(shelf->fd, entry->d_name);
    }
    closedir(open);
}

int shelf_open(struct shelf *shelf, const char *path, struct error *err)
{
    *shelf = (struct shelf){.fd = -1};
    if (path_make_folders(path, err) != 0)
        return -1;
    shelf->path = strdup(path);
    if (!shelf->path)
        return error_set(err, "out of memory");
    shelf->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (shelf->fd < 0) {
        error_set(err, "cannot open %s: %s", path, strerror(errno));
    } else if (flock(shelf->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
        tidy(shelf);
        return 0;
    } else {
        error_set(err, "another normtutor is installing or removing a course; try again when it is done");
        close(shelf->fd);
    }
    free(shelf->path);
    *shelf = (struct shelf){.fd = -1};
    return -1;
}

void shelf_close(struct shelf *shelf)
{
    if (shelf->fd < 0)
        return;
    if (shelf->staged[0])
        remove_tree(shelf->fd, shelf->staged);
    char *above = path_folder(shelf->path);
    if (rmdir(shelf->path) == 0 && above)
        rmdir(above);
    free(above);
    close(shelf->fd);
    free(shelf->path);
    *shelf = (struct shelf){.fd = -1};
}

enum shelf_holds shelf_look(const struct shelf *shelf, const char *name)
{
    struct stat at;
    if (fstatat(shelf->fd, name, &at, AT_SYMLINK_NOFOLLOW) != 0)
        return SHELF_NOTHING;
    return S_ISDIR(at.st_mode) ? SHELF_FOLDER : SHELF_OTHER;
}

/* A name that is not there yet. */
static void free_name(const struct shelf *shelf, char *name, size_t size, const char *mark)
{
    unsigned number = (unsigned)getpid();
    do
        snprintf(name, size, "%s%u", mark, number++);
    while (shelf_look(shelf, name) != SHELF_NOTHING);
}

static int failed(const struct shelf *shelf, const char *what, const char *name, struct error *err)
{
    return error_set(err, "%s %s/%s: %s", what, shelf->path, name, strerror(errno));
}

int shelf_stage(struct shelf *shelf, const struct package *package, char **path, struct error *err)
{
    char name[sizeof shelf->staged];
    *path = NULL;
    free_name(shelf, name, sizeof name, new_mark);
    if (mkdirat(shelf->fd, name, 0755) != 0)
        return failed(shelf, _("cannot make"), name, err);
    memcpy(shelf->staged, name, sizeof name);
    int folder = dup(shelf->fd);
    int status = folder < 0 ? -1 : path_enter(&folder, name);
    for (size_t i = 0; i < package->count && status == 0; i++)
        status = unpack_file(folder, &package->files[i]);
    if (status == 0)
        status = fsync(folder);
    if (status != 0)
        failed(shelf, _("cannot unpack into"), name, err);
    if (folder >= 0)
        close(folder);
    if (status == 0 && !(*path = path_join(shelf->path, name)))
        status = error_set(err, "out of memory");
    return status;
}

/* One step where the system can exchange two names, else two: tidy() knows what lies between them. */
static int exchange(struct shelf *shelf, const char *name)
{
#ifdef RENAME_EXCHANGE
    if (renameat2(shelf->fd, shelf->staged, shelf->fd, name, RENAME_EXCHANGE) == 0) {
        remove_tree(shelf->fd, shelf->staged);
        return 0;
    }
#endif
    char old[sizeof old_mark + PACKAGE_PART_MAX + 1];
    snprintf(old, sizeof old, "%s%s", old_mark, name);
    if (renameat(shelf->fd, name, shelf->fd, old) != 0)
        return -1;
    if (renameat(shelf->fd, shelf->staged, shelf->fd, name) != 0) {
        int why = errno;
        renameat(shelf->fd, old, shelf->fd, name);
        errno = why;
        return -1;
    }
    remove_tree(shelf->fd, old);
    return 0;
}

int shelf_place(struct shelf *shelf, const char *name, struct error *err)
{
    int status = shelf_look(shelf, name) == SHELF_NOTHING ? renameat(shelf->fd, shelf->staged, shelf->fd, name) :
                                                            exchange(shelf, name);
    if (status != 0)
        return failed(shelf, _("cannot make"), name, err);
    shelf->staged[0] = '\0';
    fsync(shelf->fd);
    return 0;
}

int shelf_remove(struct shelf *shelf, const char *name, struct error *err)
{
    char gone[sizeof shelf->staged];
    if (shelf_look(shelf, name) == SHELF_OTHER)
        return error_set(err, "%s/%s is a link or a file, not a course's folder; it is left as it is", shelf->path, name);
    free_name(shelf, gone, sizeof gone, gone_mark);
    if (renameat(shelf->fd, name, shelf->fd, gone) != 0)
        return failed(shelf, _("cannot remove"), name, err);
    if (remove_tree(shelf->fd, gone) != 0)
        return failed(shelf, _("cannot remove all of"), gone, err);
    return 0;
}
