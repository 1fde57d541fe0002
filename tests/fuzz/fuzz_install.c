/* What `normtutor install` reads, against a fuzzer: whatever is taken can be unpacked, and packed again to the same.
   tests/unit/test_install_fuzz.c runs it for a second or two; to run it for long:

     F="-std=c11 -D_GNU_SOURCE -DHAVE_ARCHIVE -Isrc -g -O1"; S="src/archive/[a-z]*.c src/base/[aesp]*.c"
     clang $F -fsanitize=fuzzer,address,undefined tests/fuzz/fuzz_install.c $S -ldl -o build/fuzz_install
     mkdir -p build/packages && for a in *.tar.gz; do (printf '\0'; cat $a) > build/packages/$a; (printf '\1'; zcat $a) > build/packages/$a.tar; done
     build/fuzz_install -max_total_time=300 -max_len=16384 build/packages

   The first byte says what follows: an archive; a tar, which is put into gzip with the checksums that it needs; or what to make a tar of. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/package.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth)
        abort();
}

/* ---- gzip without compression ---- */

static void add_number(struct strbuf *out, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        strbuf_addn(out, &(char){(char)(number >> 8 * i)}, 1);
}

static void add_gzip(struct strbuf *out, const char *bytes, size_t length)
{
    uint32_t crc = 0xffffffff;
    strbuf_addn(out, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    for (size_t at = 0, part; at == 0 || at < length; at += part) {
        part = length - at < 65535 ? length - at : 65535;
        add_number(out, at + part == length, 1);
        add_number(out, (uint32_t)part, 2);
        add_number(out, ~(uint32_t)part, 2);
        strbuf_addn(out, bytes + at, part);
        if (part == 0)
            break;
    }
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    add_number(out, ~crc, 4);
    add_number(out, (uint32_t)length, 4);
}

/* ---- tar ---- */

static void set_checksum(char *block)
{
    unsigned sum = 0;
    memset(block + 148, ' ', 8);
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)block[i];
    snprintf(block + 148, 8, "%06o", sum & 0777777);
}

static void end_tar(struct strbuf *tar)
{
    static const char zeros[1024];
    strbuf_addn(tar, zeros, (512 - tar->length % 512) % 512);
    for (size_t at = 0; at + 512 <= tar->length; at += 512)
        if (memcmp(tar->text + at + 257, "ustar", 5) == 0)
            set_checksum(tar->text + at);
    strbuf_addn(tar, zeros, sizeof zeros);
}

static uint8_t take(const uint8_t **data, size_t *size)
{
    if (*size == 0)
        return 0;
    --*size;
    return *(*data)++;
}

/* Kind, name, size and bytes of one entry after the other. */
static void make_tar(struct strbuf *tar, const uint8_t *data, size_t size)
{
    static const char kinds[] = "00000000125346xgLKSDA7";
    static const char zeros[512];
    while (size > 0) {
        char block[512] = "";
        char kind = kinds[take(&data, &size) % (sizeof kinds - 1)];
        size_t name = take(&data, &size) % 101, length = take(&data, &size);
        if (name > size)
            name = size;
        memcpy(block, data, name);
        data += name;
        size -= name;
        if (length > size)
            length = size;
        snprintf(block + 100, 8, "0000644");
        snprintf(block + 124, 12, "%011o", (unsigned)length);
        snprintf(block + 136, 12, "%011o", 0U);
        block[156] = kind;
        memcpy(block + 157, "course.lua", 10);
        memcpy(block + 257, "ustar\0" "00", 8);
        strbuf_addn(tar, block, sizeof block);
        strbuf_addn(tar, (const char *)data, length);
        strbuf_addn(tar, zeros, (512 - length % 512) % 512);
        data += length;
        size -= length;
    }
}

/* ---- what must hold ---- */

static void check(const struct package *package)
{
    size_t bytes = 0;
    for (size_t i = 0; i < package->count; i++) {
        const struct tar_file *file = &package->files[i];
        require(!package_complaint(file->name) && package_has_place(file->name));
        require(file->bytes && file->bytes[file->length] == 0);
        for (size_t j = 0; j < i; j++) {
            const char *other = package->files[j].name;
            size_t length = strlen(other);
            require(strcasecmp(other, file->name) != 0);
            require(strncasecmp(other, file->name, length) != 0 || file->name[length] != '/');
        }
        bytes += file->length;
    }
    require(bytes == package->bytes && bytes <= TAR_BYTES_MAX && package->count <= TAR_ENTRIES_MAX);
}

static void try_archive(const void *bytes, size_t length)
{
    struct error err = {0};
    struct package package, again;
    struct strbuf packed = {0};
    if (package_read(&package, bytes, length, &err) != 0) {
        require(err.text[0] != '\0');
        return;
    }
    check(&package);
    if (package_write(&packed, &package, "blocks", &err) == 0) {
        require(package_read(&again, packed.text, packed.length, &err) == 0);
        require(again.count == package.count && again.bytes == package.bytes);
        for (size_t i = 0; i < package.count; i++)
            require(strcmp(again.files[i].name, package.files[i].name) == 0 && again.files[i].length == package.files[i].length &&
                    memcmp(again.files[i].bytes, package.files[i].bytes, package.files[i].length) == 0);
        package_free(&again);
    } else {
        require(strstr(err.text, "too long") || strstr(err.text, "times its size"));
    }
    strbuf_free(&packed);
    package_free(&package);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct strbuf tar = {0}, archive = {0};
    require(tar_possible(&err) == 0);
    if (size == 0)
        return 0;
    if (data[0] % 3 == 0) {
        try_archive(data + 1, size - 1);
        return 0;
    }
    if (data[0] % 3 == 1)
        strbuf_addn(&tar, (const char *)data + 1, size - 1);
    else
        make_tar(&tar, data + 1, size - 1);
    end_tar(&tar);
    add_gzip(&archive, tar.text, tar.length);
    try_archive(archive.text, archive.length);
    strbuf_free(&tar);
    strbuf_free(&archive);
    return 0;
}
