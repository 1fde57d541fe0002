/* What of a course's folder goes into its archive. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/package.h"
#include "base/language.h"
#include "base/path.h"

struct collect {
    struct package *out;
    const char *label;
    const char *const *lessons;
    size_t lesson_count;
    struct error *err;
};

static int no_memory(struct collect *collect)
{
    return error_set(collect->err, "out of memory");
}

static int cannot(struct collect *collect, const char *name, const char *why)
{
    return error_set(collect->err, "%s/%s cannot be packed: %s", collect->label, name, why);
}

static int leave_out(struct collect *collect, const char *name)
{
    struct package *out = collect->out;
    if (out->left_count == TAR_ENTRIES_MAX)
        return 0;
    out->left[out->left_count] = arena_text(out->arena, name);
    return out->left[out->left_count++] ? 0 : no_memory(collect);
}

static int add_file(struct collect *collect, int folder, const char *entry, const char *name)
{
    struct package *out = collect->out;
    struct error why = {0};
    const char *complaint = package_complaint(name);
    if (complaint)
        return cannot(collect, name, complaint);
    int fd = path_open_regular(folder, entry, &why);
    if (fd < 0)
        return cannot(collect, name, why.text);
    char *text = NULL;
    size_t length = 0;
    int status = path_read_from(fd, name, TAR_BYTES_MAX - out->bytes, &text, &length, &why);
    close(fd);
    if (status != 0)
        return cannot(collect, name, why.text);
    struct tar_file file = {arena_text(out->arena, name), arena_textn(out->arena, text, length), length};
    free(text);
    if (!file.name || !file.bytes)
        return no_memory(collect);
    if (out->count == TAR_ENTRIES_MAX)
        return cannot(collect, name, _("there are too many files"));
    out->files[out->count++] = file;
    out->bytes += length;
    return 0;
}

static int add_folder(struct collect *collect, int folder, const char *name);

static int add_entry(struct collect *collect, int folder, const char *entry, const char *name)
{
    struct stat at;
    if (entry[0] == '.')
        return cannot(collect, name, _("it is hidden: its name begins with a dot"));
    if (fstatat(folder, entry, &at, AT_SYMLINK_NOFOLLOW) != 0)
        return cannot(collect, name, strerror(errno));
    if (S_ISREG(at.st_mode) && !package_has_place(name))
        return leave_out(collect, name);
    if (!S_ISDIR(at.st_mode))
        return add_file(collect, folder, entry, name);
    const char *why = package_complaint(name);
    if (why)
        return cannot(collect, name, why);
    int below = dup(folder);
    if (below < 0 || path_enter(&below, entry) != 0)
        return cannot(collect, name, strerror(errno));
    return add_folder(collect, below, name);
}

/* Takes `folder`. */
static int add_folder(struct collect *collect, int folder, const char *name)
{
    DIR *open = fdopendir(folder);
    struct dirent *entry;
    int status = 0;
    if (!open) {
        close(folder);
        return cannot(collect, name, strerror(errno));
    }
    while (status == 0 && (entry = readdir(open))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *below = arena_printf(collect->out->arena, "%s/%s", name, entry->d_name);
        status = below ? add_entry(collect, dirfd(open), entry->d_name, below) : no_memory(collect);
    }
    closedir(open);
    return status;
}

static bool is_lesson(const struct collect *collect, const char *name)
{
    if (strcmp(name, "course.lua") == 0)
        return true;
    for (size_t i = 0; i < collect->lesson_count && path_ends(name, ".lua"); i++)
        if (strlen(collect->lessons[i]) + 4 == strlen(name) &&
            strncmp(collect->lessons[i], name, strlen(collect->lessons[i])) == 0)
            return true;
    return false;
}

static int add_top(struct collect *collect, DIR *top)
{
    struct dirent *entry;
    int status = 0;
    while (status == 0 && (entry = readdir(top))) {
        const char *name = entry->d_name;
        if (strcmp(name, "shared") == 0 || strcmp(name, "files") == 0 || strcmp(name, "lang") == 0)
            status = add_entry(collect, dirfd(top), name, name);
        else if (is_lesson(collect, name))
            status = add_file(collect, dirfd(top), name, name);
        else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            status = leave_out(collect, name);
    }
    return status;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const struct tar_file *)a)->name, ((const struct tar_file *)b)->name);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int package_collect(struct package *out, const char *folder, const char *label, const char *const *lessons, size_t count,
                    struct error *err)
{
    struct collect collect = {out, label, lessons, count, err};
    *out = (struct package){.arena = arena_new()};
    if (!out->arena)
        return error_set(err, "out of memory");
    out->files = arena_zero(out->arena, TAR_ENTRIES_MAX, sizeof *out->files);
    out->left = arena_zero(out->arena, TAR_ENTRIES_MAX, sizeof *out->left);
    DIR *top = opendir(folder);
    int status = 0;
    if (!out->files || !out->left)
        status = no_memory(&collect);
    else if (!top)
        status = error_set(err, "%s: %s", label, strerror(errno));
    else
        status = add_top(&collect, top);
    if (top)
        closedir(top);
    if (status != 0) {
        package_free(out);
        return -1;
    }
    qsort(out->files, out->count, sizeof *out->files, compare_files);
    qsort(out->left, out->left_count, sizeof *out->left, compare_texts);
    return 0;
}
