#include "store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include "base/strbuf.h"

/* An existing file is not opened here: closing it would drop the locks that SQLite holds on it in this
 * process. */
int file_make(const char *path, struct file_id *id, struct error *err)
{
    struct stat what;
    if (stat(path, &what)) {
        if (errno != ENOENT)
            return error_set(err, "%s", strerror(errno));
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        int why = errno;
        if (fd >= 0)
            close(fd);
        if (stat(path, &what)) {
            if (fd < 0 && why == EEXIST)
                return error_set(err, "it is a link that leads nowhere");
            return error_set(err, "%s", strerror(fd < 0 ? why : errno));
        }
    }
    if (S_ISDIR(what.st_mode))
        return error_set(err, "it is a folder, not a file");
    if (!S_ISREG(what.st_mode))
        return error_set(err, "it is not a regular file");
    *id = (struct file_id){what.st_dev, what.st_ino};
    return 0;
}

/* Two tutors that find the same damage must not put each other's new file aside. -1: no lock to be had, which
   is not worth a stop. */
static int lock_folder(const char *path)
{
    char *copy = strdup(path);
    int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(copy);
    if (fd >= 0)
        (void)flock(fd, LOCK_EX);
    return fd;
}

static bool is_free(const char *path)
{
    struct stat what;
    return lstat(path, &what) && errno == ENOENT;
}

static int name_aside(struct strbuf *name, const char *path)
{
    time_t now = time(NULL);
    struct tm t;
    if (!localtime_r(&now, &t))
        t = (struct tm){.tm_year = 70, .tm_mday = 1};
    for (int n = 1; n < 1000; n++) {
        strbuf_clear(name);
        strbuf_addf(name, "%s.damaged-%04d%02d%02d-%02d%02d%02d", path, t.tm_year + 1900, t.tm_mon + 1,
                    t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
        if (n > 1)
            strbuf_addf(name, "-%d", n);
        if (name->failed || is_free(strbuf_string(name)))
            break;
    }
    return name->failed ? -1 : 0;
}

static int rename_all(const char *path, const char *aside, struct error *err)
{
    /* The file last: it must not stand alone without its log. */
    static const char *const tails[] = {"-wal", "-shm", "-journal", ""};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        struct strbuf from = {0}, to = {0};
        strbuf_addf(&from, "%s%s", path, tails[i]);
        strbuf_addf(&to, "%s%s", aside, tails[i]);
        int result = -1;
        if (from.failed || to.failed)
            error_set(err, "out of memory");
        else if (!rename(from.text, to.text) || (errno == ENOENT && tails[i][0]))
            result = 0;
        else
            error_set(err, "%s", strerror(errno));
        strbuf_free(&from);
        strbuf_free(&to);
        if (result)
            return -1;
    }
    return 0;
}

int file_put_aside(const char *path, const struct file_id *id, char **name, struct error *err)
{
    struct stat now;
    struct strbuf aside = {0};
    int folder = lock_folder(path);
    int result = 0;
    bool same = !stat(path, &now) && now.st_dev == id->device && now.st_ino == id->inode;
    if (same)
        result =
            name_aside(&aside, path) ? error_set(err, "out of memory") : rename_all(path, aside.text, err);
    if (folder >= 0)
        close(folder);
    if (!same || result)
        strbuf_free(&aside);
    *name = aside.text;
    return result;
}

bool file_on_network(const char *path)
{
#ifdef __linux__
    static const unsigned long magic[] = {
        0x6969,     0x517b,     0xff534d42, 0xfe534d42, /* NFS, SMB, CIFS, SMB2 */
        0x5346414f, 0x6b414653, 0x73757245,             /* AFS, kAFS, Coda */
        0x00c36400, 0x0bd00bd0, 0x01021997,             /* Ceph, Lustre, 9p */
        0x65735546,                                     /* FUSE: sshfs and its kin */
    };
    struct statfs where;
    if (statfs(path, &where))
        return false;
    for (size_t i = 0; i < sizeof magic / sizeof *magic; i++) {
        if (((unsigned long)where.f_type & 0xffffffff) == magic[i])
            return true;
    }
#endif
    (void)path;
    return false;
}
