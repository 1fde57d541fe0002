#include "app/lesson_text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/strbuf.h"

enum { FOLDERS_DEEP = 4 };

static char *folder_beside(const char *path, const char *name)
{
    char *folder = path_folder(path);
    char *beside = folder ? path_join(folder, name) : NULL;
    free(folder);
    return beside;
}

static int is_module(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && path_ends(entry->d_name, ".lua");
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

static int read_module(struct lesson_text *out, const char *folder, const char *file, size_t *all, struct error *err)
{
    char *path = path_join(folder, file), *text = NULL;
    size_t length = 0;
    char *name = strndup(file, strlen(file) - 4);
    int status = path && name ? path_read(path, LESSON_TEXT_MAX, &text, &length, err) : error_set(err, "out of memory");
    free(path);
    if (status != 0) {
        free(name);
        return -1;
    }
    out->shared[out->shared_count++] = (struct request_shared){name, text};
    *all += length;
    return 0;
}

int lesson_text_read(struct lesson_text *out, const char *path, struct error *err)
{
    *out = (struct lesson_text){0};
    if (path_read(path, LESSON_TEXT_MAX, &out->source, &out->source_length, err) != 0)
        return -1;
    char *folder = folder_beside(path, "shared");
    struct dirent **entries = NULL;
    int count = folder ? scandir(folder, &entries, is_module, alphasort) : 0;
    int status = 0;
    size_t all = out->source_length;
    if (count > 0) {
        out->shared = calloc((size_t)count, sizeof *out->shared);
        status = out->shared ? 0 : error_set(err, "out of memory");
    }
    for (int i = 0; i < count && status == 0; i++)
        status = read_module(out, folder, entries[i]->d_name, &all, err);
    free_entries(entries, count);
    free(folder);
    if (status == 0 && all > LESSON_ALL_MAX)
        status = error_set(err, "%s and its shared/ are longer than %d KiB together", path, LESSON_ALL_MAX / 1024);
    if (status != 0)
        lesson_text_free(out);
    return status;
}

int lesson_text_open(struct lesson_text *text, const char *path, const char *label, const struct strings *names, struct error *err)
{
    lesson_files_free(&text->files);
    return lesson_files_open(&text->files, path, label, names, err);
}

int lesson_text_translate(struct lesson_text *text, const char *path, const char *label, const char *own, struct error *err)
{
    translation_file_free(&text->translation);
    if (translation_file_choose(&text->translation, path, label, own, err) != 0)
        return -1;
    size_t all = text->source_length + text->translation.sent.length;
    for (size_t i = 0; i < text->shared_count; i++)
        all += strlen(text->shared[i].text);
    if (all <= LESSON_ALL_MAX)
        return 0;
    translation_file_free(&text->translation);
    return error_set(err, "%s, its shared/ and its translation are longer than %d KiB together", label, LESSON_ALL_MAX / 1024);
}

void lesson_text_free(struct lesson_text *text)
{
    translation_file_free(&text->translation);
    lesson_files_free(&text->files);
    for (size_t i = 0; i < text->shared_count; i++) {
        free((char *)text->shared[i].name);
        free((char *)text->shared[i].text);
    }
    free(text->shared);
    free(text->source);
    *text = (struct lesson_text){0};
}

void lesson_text_to_request(const struct lesson_text *text, struct request *request)
{
    request->source = text->source;
    request->source_length = text->source_length;
    request->shared = text->shared;
    request->shared_count = text->shared_count;
    lesson_files_to_request(&text->files, request);
    request->translation = translation_file_to_request(&text->translation);
}

static int add_stamp(struct strbuf *out, const char *path)
{
    struct stat at;
    if (!path || stat(path, &at) != 0)
        return -1;
    strbuf_addf(out, "%lld.%lld.%09ld ", (long long)at.st_size, (long long)at.st_mtim.tv_sec, at.st_mtim.tv_nsec);
    return 0;
}

/* What stands in a folder and, `depth` deep, in the folders there. */
static void add_folder(struct strbuf *out, const char *folder, int (*which)(const struct dirent *), int depth)
{
    struct dirent **entries = NULL;
    int count = folder ? scandir(folder, &entries, which, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        struct stat at;
        char *path = path_join(folder, entries[i]->d_name);
        strbuf_addf(out, "%s ", entries[i]->d_name);
        add_stamp(out, path);
        if (depth > 0 && path && lstat(path, &at) == 0 && S_ISDIR(at.st_mode))
            add_folder(out, path, which, depth - 1);
        free(path);
    }
    free_entries(entries, count);
}

char *lesson_text_stamp(const char *path)
{
    struct strbuf out = {0};
    if (add_stamp(&out, path) != 0) {
        strbuf_free(&out);
        return NULL;
    }
    char *program = path_program(), *shared = folder_beside(path, "shared"), *files = folder_beside(path, "files");
    add_stamp(&out, program);
    add_folder(&out, shared, is_module, 0);
    add_folder(&out, files, is_visible, FOLDERS_DEEP);
    translation_file_stamp(&out, path);
    free(program);
    free(shared);
    free(files);
    char *stamp = out.failed ? NULL : strdup(strbuf_string(&out));
    strbuf_free(&out);
    return stamp;
}
