#include "app/translation_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/language.h"
#include "base/path.h"

/* "lessons/epsilon.lua" -> "lessons/lang/de/epsilon.lua" */
static char *place_of(const char *path, const char *language)
{
    struct strbuf out = {0};
    const char *name = path_name(path);
    strbuf_addn(&out, path, (size_t)(name - path));
    strbuf_addf(&out, "lang/%s/%s", language, name);
    if (!out.failed)
        return out.text;
    strbuf_free(&out);
    return NULL;
}

/* The folder lang/, or with `language` the one of that language in it. -1: none, and errno. */
static int open_lang(const char *path, const char *language)
{
    char *above = path_folder(path);
    int folder = above ? open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(above);
    if (folder >= 0 && path_enter(&folder, "lang") == 0 && language)
        path_enter(&folder, language);
    return folder;
}

/* 1: it was read; 0: it is not there; -1 with words. */
static int read_one(struct translation_file *out, const char *path, const char *language, struct error *err)
{
    struct stat at;
    struct error why = {0};
    char *text = NULL;
    size_t length = 0;
    int folder = open_lang(path, language);
    if (folder < 0 && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (folder < 0)
        return error_set(err, "%s cannot be read: %s", out->file, errno == ELOOP ? _("a folder on the way is a link, and links are not followed")
                                                                                 : strerror(errno));
    if (fstatat(folder, path_name(path), &at, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT) {
        close(folder);
        return 0;
    }
    int fd = path_open_regular(folder, path_name(path), &why);
    close(folder);
    if (fd < 0)
        return error_set(err, "%s cannot be read: %s", out->file, why.text);
    int status = path_read_from(fd, out->file, TRANSLATION_MAX, &text, &length, err);
    close(fd);
    out->text = text;
    out->sent.length = length;
    return status == 0 ? 1 : -1;
}

/* As read_one; whatever it finds, `out` is set up and the caller's to free. */
static int try_language(struct translation_file *out, const char *path, const char *label, const char *language, struct error *err)
{
    *out = (struct translation_file){.language = strdup(language), .file = place_of(label, language)};
    if (!out->language || !out->file)
        return error_set(err, "out of memory");
    int found = read_one(out, path, language, err);
    if (found == 0 && !(out->text = strdup("")))
        found = error_set(err, "out of memory");
    out->sent = (struct request_translation){out->language, out->file, out->text, out->sent.length};
    return found;
}

int translation_file_read(struct translation_file *out, const char *path, const char *label, const char *language, struct error *err)
{
    if (try_language(out, path, label, language, err) >= 0)
        return 0;
    translation_file_free(out);
    return -1;
}

int translation_file_choose(struct translation_file *out, const char *path, const char *label, const char *own, struct error *err)
{
    const char *name;
    *out = (struct translation_file){0};
    for (size_t i = 0; (name = language_name(i)) != NULL; i++) {
        int found = try_language(out, path, label, name, err);
        if (found > 0)
            return 0;
        translation_file_free(out);
        if (found < 0)
            return -1;
        if (strcmp(name, own[0] ? own : "en") == 0)
            return 0;
    }
    return 0;
}

void translation_file_free(struct translation_file *file)
{
    free(file->language);
    free(file->file);
    free(file->text);
    *file = (struct translation_file){0};
}

const struct request_translation *translation_file_to_request(const struct translation_file *file)
{
    return file->language ? &file->sent : NULL;
}

void translation_file_stamp(struct strbuf *out, const char *path)
{
    const char *name;
    for (size_t i = 0; (name = language_name(i)) != NULL; i++) {
        struct stat at;
        char *place = place_of(path, name);
        strbuf_addf(out, "%s ", name);
        if (place && stat(place, &at) == 0)
            strbuf_addf(out, "%lld.%lld.%09ld ", (long long)at.st_size, (long long)at.st_mtim.tv_sec, at.st_mtim.tv_nsec);
        free(place);
    }
}

static int is_language(const struct dirent *entry)
{
    return language_is_name(entry->d_name);
}

void translation_file_languages(const char *path, void (*found)(void *payload, const char *language), void *payload)
{
    struct dirent **entries = NULL;
    int folder = open_lang(path, NULL);
    int count = folder < 0 ? 0 : scandirat(folder, ".", &entries, is_language, alphasort);
    for (int i = 0; i < count; i++) {
        struct stat at;
        int own = dup(folder);
        if (own >= 0 && path_enter(&own, entries[i]->d_name) == 0 && fstatat(own, path_name(path), &at, 0) == 0)
            found(payload, entries[i]->d_name);
        if (own >= 0)
            close(own);
        free(entries[i]);
    }
    free(entries);
    if (folder >= 0)
        close(folder);
}

static int make_folder(const char *path, size_t length, struct error *err)
{
    char *folder = strndup(path, length);
    int status = folder ? 0 : error_set(err, "out of memory");
    if (folder && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = error_set(err, "cannot make the folder %s: %s", folder, strerror(errno));
    free(folder);
    return status;
}

int translation_file_write(const char *path, const char *language, const char *text, struct error *err)
{
    char *place = place_of(path, language);
    if (!place)
        return error_set(err, "out of memory");
    size_t folder = (size_t)(path_name(place) - place) - 1;
    int status = make_folder(place, folder - strlen(language) - 1, err);
    if (status == 0)
        status = make_folder(place, folder, err);
    if (status == 0)
        status = path_write(place, text, strlen(text), err);
    free(place);
    return status;
}
