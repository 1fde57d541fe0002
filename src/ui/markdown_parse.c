#include "ui/markdown_parse.h"

#include <string.h>

bool markdown_parse(const char *words, MD_PARSER callbacks, void *data)
{
    size_t length = strlen(words);
    callbacks.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
    return length <= MARKDOWN_MAX && md_parse(words, (MD_SIZE)length, &callbacks, data) == 0;
}
