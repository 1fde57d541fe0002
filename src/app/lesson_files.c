#include "app/lesson_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/language.h"
#include "base/path.h"

enum { STAMP_SIZE = 128 };

struct lesson_file {
    char *name;
    int fd;
    char stamp[STAMP_SIZE];
};

static int open_folder(const char *path)
{
    char *folder = path_folder(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    return fd;
}

/* `name` is cut into its parts. */
static int open_below(const char *path, char *name, struct error *err)
{
    int folder = open_folder(path), fd = -1;
    bool there = folder >= 0 && path_enter(&folder, "files") == 0;
    char *part = name, *slash;
    while (there && (slash = strchr(part, '/'))) {
        *slash = '\0';
        there = path_enter(&folder, part) == 0;
        part = slash + 1;
    }
    if (there)
        fd = path_open_regular(folder, part, err);
    else
        error_set(err, "%s", errno == ELOOP ? _("a folder on the way is a link, and links are not followed") :
                             errno == ENOENT ? _("there is no such file") : strerror(errno));
    if (folder >= 0)
        close(folder);
    return fd;
}

static int open_one(struct lesson_file *file, const char *path, const char *name, struct error *err)
{
    if (!path_is_below(name))
        return error_set(err, "that is not the name of a file below files/");
    file->name = strdup(name);
    char *parts = strdup(name);
    file->fd = file->name && parts ? open_below(path, parts, err) : error_set(err, "out of memory");
    free(parts);
    return file->fd < 0 ? -1 : 0;
}

int lesson_files_open(struct lesson_files *out, const char *path, const char *label, const struct strings *names, struct error *err)
{
    *out = (struct lesson_files){0};
    if (names->count == 0)
        return 0;
    if (names->count > REQUEST_FILES_MAX)
        return error_set(err, "%s: a lesson has at most %d files", label, REQUEST_FILES_MAX);
    out->item = calloc(names->count, sizeof *out->item);
    out->sent = calloc(names->count, sizeof *out->sent);
    if (!out->item || !out->sent) {
        lesson_files_free(out);
        return error_set(err, "out of memory");
    }
    for (size_t i = 0; i < names->count; i++) {
        struct lesson_file *file = &out->item[out->count++];
        file->fd = -1;
        if (open_one(file, path, names->item[i], err) != 0) {
            lesson_files_free(out);
            return error_prefix(err, "%s: files/%s cannot be read: ", label, names->item[i]);
        }
        out->sent[i] = (struct request_file){file->name, file->stamp, file->fd};
    }
    return 0;
}

void lesson_files_free(struct lesson_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->item[i].name);
        if (files->item[i].fd >= 0)
            close(files->item[i].fd);
    }
    free(files->item);
    free(files->sent);
    *files = (struct lesson_files){0};
}

bool lesson_files_are(const struct lesson_files *files, const struct strings *names)
{
    if (files->count != names->count)
        return false;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(files->item[i].name, names->item[i]) != 0)
            return false;
    return true;
}

static void stamp(struct lesson_file *file)
{
    struct stat at = {0};
    fstat(file->fd, &at);
    snprintf(file->stamp, sizeof file->stamp, "%llu.%llu %lld %lld.%09ld %lld.%09ld", (unsigned long long)at.st_dev,
             (unsigned long long)at.st_ino, (long long)at.st_size, (long long)at.st_mtim.tv_sec, at.st_mtim.tv_nsec,
             (long long)at.st_ctim.tv_sec, at.st_ctim.tv_nsec);
}

void lesson_files_to_request(const struct lesson_files *files, struct request *request)
{
    for (size_t i = 0; i < files->count; i++)
        stamp(&files->item[i]);
    request->files = files->sent;
    request->file_count = files->count;
}
