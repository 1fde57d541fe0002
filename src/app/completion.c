#include "app/completion.h"

#include <string.h>

static bool in_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool begins(const char *name, const char *with, size_t length)
{
    return strncmp(name, with, length) == 0 && !strpbrk(name + length, ".:");
}

static void match(struct completion *out, char *const *names, size_t name_count, const char *with)
{
    const char *first = NULL;
    size_t common = 0, length = strlen(with); /* common: bytes that all have in common */
    for (size_t i = 0; i < name_count; i++) {
        const char *name = names[i];
        if (!begins(name, with, length))
            continue;
        if (out->count++ == 0) {
            first = name;
            common = strlen(name);
        }
        size_t same = 0;
        while (same < common && name[same] == first[same])
            same++;
        common = same;
        strbuf_addf(&out->list, "%s%s", out->count > 1 ? "  " : "", name + (*name == ':' || *name == '.'));
    }
    if (common > length)
        strbuf_addn(&out->insert, first + length, common - length);
}

void completion_find(struct completion *out, char *const *names, size_t name_count, const char *before)
{
    size_t member = strlen(before), start;
    *out = (struct completion){0};
    while (member > 0 && in_name(before[member - 1]))
        member--;
    char sign = member > 0 ? before[member - 1] : '\0';
    for (start = sign == '.' ? member - 1 : member; start > 0 && in_name(before[start - 1]);)
        start--;
    if (sign == ':')
        start = member - 1;
    match(out, names, name_count, before + start);
    if (out->count == 0 && sign == '.')
        match(out, names, name_count, before + member - 1);
}

void completion_free(struct completion *completion)
{
    strbuf_free(&completion->insert);
    strbuf_free(&completion->list);
}
