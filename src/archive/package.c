#include "archive/package.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/language.h"
#include "base/path.h"

/* ---- names ---- */

static bool is_hidden(const char *name)
{
    return name[0] == '.' || strstr(name, "/.");
}

static size_t parts_of(const char *name)
{
    size_t parts = 1;
    for (; *name; name++)
        parts += *name == '/';
    return parts;
}

static size_t longest_part(const char *name)
{
    size_t longest = 0;
    for (size_t part; (part = strcspn(name, "/")) > 0; name += part + (name[part] == '/'))
        longest = part > longest ? part : longest;
    return longest;
}

const char *package_complaint(const char *name)
{
    if (name[0] == '/')
        return _("its name begins at the root");
    for (const unsigned char *at = (const unsigned char *)name; *at; at++)
        if (*at < 0x20 || *at > 0x7e || *at == '\\')
            return _("there is a backslash, a control byte or a letter beyond ASCII in its name");
    if (strlen(name) > PACKAGE_NAME_MAX || longest_part(name) > PACKAGE_PART_MAX)
        return _("its name is too long");
    if (!path_is_below(name))
        return _("a part of its name is empty, \".\" or \"..\"");
    if (is_hidden(name))
        return _("it is hidden: its name begins with a dot");
    if (parts_of(name) > PACKAGE_DEEP)
        return _("it is too many folders deep");
    return NULL;
}

static bool is_below(const char *name, const char *folder)
{
    return strncmp(name, folder, strlen(folder)) == 0;
}

bool package_has_place(const char *name)
{
    size_t parts = parts_of(name);
    if (is_below(name, "files/"))
        return true;
    return path_ends(name, ".lua") && (parts == 1 || (parts == 2 && is_below(name, "shared/")) ||
                                       (parts == 3 && is_below(name, "lang/")));
}

static bool folder_has_place(const char *name)
{
    return strcmp(name, "shared") == 0 || strcmp(name, "files") == 0 || strcmp(name, "lang") == 0 || is_below(name, "files/") ||
           (is_below(name, "lang/") && parts_of(name) == 2);
}

bool package_names_course(const char *id)
{
    size_t length = strlen(id);
    return length > 0 && length <= PACKAGE_ID_MAX && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* ---- what is in an archive ---- */

/* Two spellings of a name are one file to some systems, so that what is checked would not be what is there. */
static int compare_places(const void *a, const void *b)
{
    const struct tar_file *x = a, *y = b;
    int order = strcasecmp(x->name, y->name);
    return order ? order : strcmp(x->name, y->name);
}

static int check_pairs(const struct tar_file *places, size_t count, struct error *err)
{
    for (size_t i = 1; i < count; i++) {
        const struct tar_file *a = &places[i - 1], *b = &places[i];
        if (strcasecmp(a->name, b->name) != 0)
            continue;
        if (strcmp(a->name, b->name) != 0)
            return error_set(err, "\"%.160s\" and \"%.160s\" differ in capitals only", a->name, b->name);
        if (a->bytes && b->bytes)
            return error_set(err, "\"%.160s\" is in it twice", a->name);
        if (a->bytes || b->bytes)
            return error_set(err, "\"%.160s\" is a file and a folder in it", a->name);
    }
    return 0;
}

/* All files, and all folders that are on the way to them, next to their like. */
static int check_twins(const struct package *package, struct error *err)
{
    size_t room = package->count * PACKAGE_DEEP + 1, count = 0;
    struct tar_file *places = arena_zero(package->arena, room, sizeof *places);
    if (!places)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < package->count; i++) {
        const char *name = package->files[i].name;
        for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
            places[count].name = arena_textn(package->arena, name, (size_t)(slash - name));
            if (!places[count++].name)
                return error_set(err, "out of memory");
        }
        places[count++] = package->files[i];
    }
    qsort(places, count, sizeof *places, compare_places);
    return check_pairs(places, count, err);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct tar_file *)a)->name, ((const struct tar_file *)b)->name);
}

/* Takes the one folder that everything is in off the name. */
static int take_top(const char **name, char **top, struct arena *arena, struct error *err)
{
    const char *slash = strchr(*name, '/');
    size_t length = slash ? (size_t)(slash - *name) : strlen(*name);
    if (!*top) {
        *top = arena_textn(arena, *name, length);
        if (!*top)
            return error_set(err, "out of memory");
    }
    if (strlen(*top) != length || strncmp(*name, *top, length) != 0)
        return error_set(err, "there is more than one folder in it: \"%.160s\", and \"%.160s\" outside of that", *top, *name);
    *name = slash ? slash + 1 : "";
    return 0;
}

static int take_entry(struct package *out, const struct tar_file *entry, char **top, struct error *err)
{
    char *whole = arena_text(out->arena, entry->name);
    if (!whole)
        return error_set(err, "out of memory");
    if (!entry->bytes && path_ends(whole, "/"))
        whole[strlen(whole) - 1] = '\0';
    const char *name = whole, *why = package_complaint(whole);
    if (why)
        return error_set(err, "\"%.160s\" cannot be used: %s", entry->name, why);
    if (take_top(&name, top, out->arena, err) != 0)
        return -1;
    if (entry->bytes && !*name)
        return error_set(err, "\"%.160s\" is in no folder, and a course is one", whole);
    if (entry->bytes ? !package_has_place(name) : *name && !folder_has_place(name))
        return error_set(err, "\"%.160s\" has no place in a course: course.lua, lessons, shared/, files/, lang/", whole);
    if (!entry->bytes)
        return 0;
    out->files[out->count++] = (struct tar_file){name, entry->bytes, entry->length};
    out->bytes += entry->length;
    return 0;
}

static bool has_head(const struct package *package)
{
    for (size_t i = 0; i < package->count; i++)
        if (strcmp(package->files[i].name, "course.lua") == 0)
            return true;
    return false;
}

static int take_all(struct package *out, const struct tar_file *entries, size_t count, struct error *err)
{
    char *top = NULL;
    out->files = arena_zero(out->arena, count + 1, sizeof *out->files);
    if (!out->files)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (take_entry(out, &entries[i], &top, err) != 0)
            return -1;
    if (!has_head(out))
        return error_set(err, "there is no course.lua in it");
    qsort(out->files, out->count, sizeof *out->files, compare_names);
    return check_twins(out, err);
}

int package_read(struct package *out, const void *bytes, size_t length, struct error *err)
{
    struct tar_file *entries;
    size_t count;
    *out = (struct package){.arena = arena_new()};
    if (!out->arena)
        return error_set(err, "out of memory");
    if (tar_read(&entries, &count, out->arena, bytes, length, err) == 0 && take_all(out, entries, count, err) == 0)
        return 0;
    package_free(out);
    return -1;
}

int package_write(struct strbuf *out, const struct package *package, const char *name, struct error *err)
{
    struct package back;
    struct tar_file *files = arena_zero(package->arena, package->count + 1, sizeof *files);
    if (!files)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < package->count; i++) {
        files[i] = package->files[i];
        files[i].name = arena_printf(package->arena, "%s/%s", name, files[i].name);
        if (!files[i].name)
            return error_set(err, "out of memory");
    }
    if (tar_write(out, files, package->count, err) != 0)
        return -1;
    if (package_read(&back, strbuf_string(out), out->length, err) != 0)
        return error_prefix(err, "the archive could not be installed: ");
    package_free(&back);
    return 0;
}

void package_free(struct package *package)
{
    arena_free(package->arena);
    *package = (struct package){0};
}
