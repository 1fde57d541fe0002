#include "archive/tar.h"
#include "base/language.h"
#include "base/library.h"

#ifdef HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Loaded when it is needed: with all that it brings along, loading it takes longer than the tutor and its worker take to start. */
#define FUNCTIONS(USE)                                                                                                         \
    USE(read_new) USE(read_free) USE(read_support_filter_gzip) USE(read_support_format_raw) USE(read_support_format_tar)       \
    USE(read_open_memory) USE(read_next_header) USE(read_data) USE(filter_count) USE(error_string)                             \
    USE(entry_pathname) USE(entry_hardlink) USE(entry_filetype) USE(entry_size) USE(entry_sparse_count)                        \
    USE(write_new) USE(write_free) USE(write_add_filter_gzip) USE(write_set_filter_option) USE(write_set_format_ustar)         \
    USE(write_set_bytes_in_last_block) USE(write_open) USE(write_header) USE(write_data) USE(write_close)                      \
    USE(entry_new) USE(entry_free) USE(entry_set_pathname) USE(entry_set_size) USE(entry_set_filetype) USE(entry_set_perm)     \
    USE(entry_set_mtime)

#define POINTER(name) __typeof__(archive_##name) *name;
static struct {
    FUNCTIONS(POINTER)
} lib;

int tar_possible(struct error *err)
{
    static const char *const names[] = {"libarchive.so.13", "libarchive.so", "libarchive.13.dylib", "libarchive.dylib"};
    static void *library;
    if (library)
        return 0;
    library = library_open(names, sizeof names / sizeof names[0]);
    if (!library)
        return error_set(err, "the library libarchive cannot be loaded; `scripts/deps run` installs it");
#define FIND(name) &&library_find(library, "archive_" #name, &lib.name)
    if (true FUNCTIONS(FIND))
        return 0;
    dlclose(library);
    library = NULL;
    return error_set(err, "the library libarchive that is here lacks what is needed; `scripts/deps run` installs one");
}

/* ---- gzip ---- */

static uint32_t crc_of(const char *bytes, size_t length)
{
    uint32_t table[256], crc = 0xffffffff;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
    }
    for (size_t i = 0; i < length; i++)
        crc = crc >> 8 ^ table[(crc ^ (unsigned char)bytes[i]) & 0xff];
    return ~crc;
}

static uint32_t four_bytes(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static int complain_of_format(const unsigned char *bytes, size_t length, struct error *err)
{
    static const struct {
        const char *name, *magic;
        size_t at, size;
    } formats[] = {
        {N_("a zip archive"), "PK", 0, 2},         {N_("packed with xz"), "\xfd" "7zXZ", 0, 5}, {N_("packed with bzip2"), "BZh", 0, 3},
        {N_("packed with zstd"), "\x28\xb5\x2f\xfd", 0, 4}, {N_("a 7z archive"), "7z\xbc\xaf", 0, 4}, {N_("a rar archive"), "Rar!", 0, 4},
        {N_("a tar archive that is not compressed"), "ustar", 257, 5},
    };
    if (length == 0)
        return error_set(err, "it is empty");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (length >= formats[i].at + formats[i].size && memcmp(bytes + formats[i].at, formats[i].magic, formats[i].size) == 0)
            return error_set(err, "it is %s, not a .tar.gz", formats[i].name);
    return error_set(err, "it is not a .tar.gz");
}

static int inflate_all(struct archive *a, size_t packed, struct strbuf *out, struct error *err)
{
    static char chunk[65536];
    struct archive_entry *entry;
    int got = lib.read_next_header(a, &entry);
    if (got == ARCHIVE_EOF)
        return error_set(err, "there is nothing in it");
    if (got == ARCHIVE_OK && lib.filter_count(a) != 2)
        return error_set(err, "it is packed more than once");
    la_ssize_t length = got == ARCHIVE_OK ? 1 : -1;
    while (length > 0) {
        length = lib.read_data(a, chunk, sizeof chunk);
        if (length > 0)
            strbuf_addn(out, chunk, (size_t)length);
        if (out->failed)
            return error_set(err, "out of memory");
        if (out->length > TAR_BYTES_MAX)
            return error_set(err, "it unpacks to more than %d MiB", TAR_BYTES_MAX / 1024 / 1024);
        if (out->length > TAR_SMALL && out->length / TAR_RATIO_MAX > packed)
            return error_set(err, "it unpacks to more than %d times its size", TAR_RATIO_MAX);
    }
    return length == 0 ? 0 : error_set(err, "it is cut off or damaged");
}

/* libarchive does not look at the checksum behind what it inflates. */
static int inflate_gzip(struct strbuf *out, const unsigned char *bytes, size_t length, struct error *err)
{
    if (length < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b)
        return complain_of_format(bytes, length, err);
    if (length < 18)
        return error_set(err, "it is cut off or damaged");
    struct archive *a = lib.read_new();
    if (!a)
        return error_set(err, "out of memory");
    int status = -1;
    if (lib.read_support_filter_gzip(a) != ARCHIVE_OK || lib.read_support_format_raw(a) != ARCHIVE_OK)
        error_set(err, "libarchive was built without gzip");
    else if (lib.read_open_memory(a, bytes, length) != ARCHIVE_OK)
        error_set(err, "it is cut off or damaged");
    else
        status = inflate_all(a, length, out, err);
    lib.read_free(a);
    if (status == 0 && (four_bytes(bytes + length - 4) != out->length ||
                        four_bytes(bytes + length - 8) != crc_of(strbuf_string(out), out->length)))
        status = error_set(err, "it is cut off or damaged");
    return status;
}

/* ---- tar ---- */

static const char *kind_of(unsigned kind)
{
    switch (kind) {
    case AE_IFLNK: return _("a symbolic link");
    case AE_IFIFO: return _("a pipe");
    case AE_IFSOCK: return _("a socket");
    case AE_IFCHR:
    case AE_IFBLK: return _("a device");
    default: return _("neither a file nor a folder");
    }
}

static int read_bytes(struct archive *a, struct tar_file *file, struct arena *arena, struct error *err)
{
    char *bytes = arena_zero(arena, file->length + 1, 1);
    size_t have = 0;
    if (!bytes)
        return error_set(err, "out of memory");
    while (have < file->length) {
        la_ssize_t got = lib.read_data(a, bytes + have, file->length - have);
        if (got <= 0)
            return error_set(err, "it is cut off or damaged in \"%.160s\"", file->name);
        have += (size_t)got;
    }
    file->bytes = bytes;
    return 0;
}

static int read_entry(struct archive *a, struct archive_entry *entry, struct tar_file *file, struct arena *arena, size_t most,
                      struct error *err)
{
    const char *name = lib.entry_pathname(entry);
    unsigned kind = lib.entry_filetype(entry);
    la_int64_t size = lib.entry_size(entry);
    if (!name)
        return error_set(err, "a name in it cannot be read");
    if (lib.entry_hardlink(entry))
        return error_set(err, "\"%.160s\" is a link to another file", name);
    if (kind != AE_IFREG && kind != AE_IFDIR)
        return error_set(err, "\"%.160s\" is %s", name, kind_of(kind));
    if (lib.entry_sparse_count(entry) > 0)
        return error_set(err, "\"%.160s\" is a file with holes", name);
    if (size < 0 || (uint64_t)size > most || (kind == AE_IFDIR && size > 0))
        return error_set(err, "\"%.160s\" says that it is larger than the whole archive", name);
    *file = (struct tar_file){.name = arena_text(arena, name), .length = (size_t)size};
    if (!file->name)
        return error_set(err, "out of memory");
    return kind == AE_IFDIR ? 0 : read_bytes(a, file, arena, err);
}

static const char *reason(struct archive *a)
{
    const char *words = lib.error_string(a);
    return words ? words : _("it does not say why");
}

static int read_entries(struct archive *a, struct tar_file **files, size_t *count, struct arena *arena, size_t most,
                        struct error *err)
{
    struct tar_file *all = arena_zero(arena, TAR_ENTRIES_MAX, sizeof *all);
    size_t have = 0;
    if (!all)
        return error_set(err, "out of memory");
    for (;;) {
        struct archive_entry *entry;
        int got = lib.read_next_header(a, &entry);
        if (got == ARCHIVE_EOF)
            break;
        if (got != ARCHIVE_OK)
            return error_set(err, "it is damaged, or not a tar archive: %s", reason(a));
        if (have == TAR_ENTRIES_MAX)
            return error_set(err, "there are more than %d files in it", TAR_ENTRIES_MAX);
        if (read_entry(a, entry, &all[have++], arena, most, err) != 0)
            return -1;
    }
    *files = all;
    *count = have;
    return 0;
}

/* A tar ends in two blocks of zeros, and libarchive does not miss them. */
static bool has_end(const char *bytes, size_t length)
{
    if (length < 1024 || length % 512 != 0)
        return false;
    for (size_t i = length - 1024; i < length; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static int read_tar(struct tar_file **files, size_t *count, struct arena *arena, const char *bytes, size_t length,
                    struct error *err)
{
    if (!has_end(bytes, length))
        return error_set(err, "it is cut off, or not a tar archive");
    struct archive *a = lib.read_new();
    if (!a)
        return error_set(err, "out of memory");
    int status = -1;
    if (lib.read_support_format_tar(a) != ARCHIVE_OK)
        error_set(err, "libarchive was built without tar");
    else if (lib.read_open_memory(a, bytes, length) != ARCHIVE_OK)
        error_set(err, "it is not a tar archive");
    else
        status = read_entries(a, files, count, arena, length, err);
    lib.read_free(a);
    return status;
}

int tar_read(struct tar_file **files, size_t *count, struct arena *arena, const void *bytes, size_t length, struct error *err)
{
    struct strbuf tar = {0};
    *files = NULL;
    *count = 0;
    int status = tar_possible(err);
    if (status == 0 && length > TAR_BYTES_MAX)
        status = error_set(err, "it is larger than %d MiB", TAR_BYTES_MAX / 1024 / 1024);
    if (status == 0)
        status = inflate_gzip(&tar, bytes, length, err);
    if (status == 0)
        status = read_tar(files, count, arena, strbuf_string(&tar), tar.length, err);
    strbuf_free(&tar);
    return status;
}

static la_ssize_t take(struct archive *a, void *data, const void *bytes, size_t length)
{
    struct strbuf *out = data;
    (void)a;
    strbuf_addn(out, bytes, length);
    return out->failed ? -1 : (la_ssize_t)length;
}

static bool write_file(struct archive *a, const struct tar_file *file)
{
    struct archive_entry *entry = lib.entry_new();
    if (!entry)
        return false;
    lib.entry_set_pathname(entry, file->name);
    lib.entry_set_size(entry, (la_int64_t)file->length);
    lib.entry_set_filetype(entry, AE_IFREG);
    lib.entry_set_perm(entry, 0644);
    lib.entry_set_mtime(entry, 0, 0);
    bool written = lib.write_header(a, entry) == ARCHIVE_OK &&
                   lib.write_data(a, file->bytes, file->length) == (la_ssize_t)file->length;
    lib.entry_free(entry);
    return written;
}

int tar_write(struct strbuf *out, const struct tar_file *files, size_t count, struct error *err)
{
    if (tar_possible(err) != 0)
        return -1;
    struct archive *a = lib.write_new();
    if (!a)
        return error_set(err, "out of memory");
    bool well = lib.write_set_format_ustar(a) == ARCHIVE_OK && lib.write_add_filter_gzip(a) == ARCHIVE_OK &&
                lib.write_set_filter_option(a, "gzip", "timestamp", NULL) == ARCHIVE_OK &&
                lib.write_set_filter_option(a, "gzip", "compression-level", "9") == ARCHIVE_OK &&
                lib.write_set_bytes_in_last_block(a, 1) == ARCHIVE_OK && lib.write_open(a, out, NULL, take, NULL) == ARCHIVE_OK;
    for (size_t i = 0; i < count && well; i++)
        well = write_file(a, &files[i]);
    well = well && lib.write_close(a) == ARCHIVE_OK;
    if (!well)
        error_set(err, "it cannot be packed: %s", reason(a));
    lib.write_free(a);
    return well ? 0 : -1;
}

#else

int tar_possible(struct error *err)
{
    return error_set(err, "this program was built without libarchive, so it neither packs nor installs; "
                          "`scripts/deps run` installs it, and then make builds the program with it");
}

int tar_read(struct tar_file **files, size_t *count, struct arena *arena, const void *bytes, size_t length, struct error *err)
{
    (void)arena, (void)bytes, (void)length;
    *files = NULL;
    *count = 0;
    return tar_possible(err);
}

int tar_write(struct strbuf *out, const struct tar_file *files, size_t count, struct error *err)
{
    (void)out, (void)files, (void)count;
    return tar_possible(err);
}

#endif
