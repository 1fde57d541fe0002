#include "base/language.h"

#include <stdlib.h>
#include <string.h>

static char names[LANGUAGES_MAX][LANGUAGE_SIZE];
static size_t count;

bool language_is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = strlen(name);
    return length < LANGUAGE_SIZE && strspn(name, letters) >= 2 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@-") == length;
}

static void add(const char *name, size_t length)
{
    char copy[LANGUAGE_SIZE];
    if (length >= LANGUAGE_SIZE || count == LANGUAGES_MAX)
        return;
    memcpy(copy, name, length);
    copy[length] = '\0';
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], copy) == 0)
            return;
    if (language_is_name(copy))
        memcpy(names[count++], copy, length + 1);
}

/* A locale's name without its character set: "sr_RS.UTF-8@latin" is sr_RS@latin, sr@latin, sr_RS and sr. */
static void add_locale(const char *locale, size_t length)
{
    char name[64];
    if (length >= sizeof name)
        return;
    memcpy(name, locale, length);
    name[length] = '\0';
    size_t end = strcspn(name, ".@"), language = strcspn(name, "_.@");
    const char *variant = strchr(name, '@');
    for (int i = 0; i < 2 && variant; i++) {
        char with[128];
        size_t before = i == 0 ? end : language;
        memcpy(with, name, before);
        strcpy(with + before, variant);
        add(with, strlen(with));
    }
    add(name, end);
    add(name, language);
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

void language_choose(const char *asked)
{
    count = 0;
    const char *locale = variable("LC_ALL"), *list = asked;
    if (!locale)
        locale = variable("LC_MESSAGES");
    if (!locale)
        locale = variable("LANG");
    if (!list && locale && strcmp(locale, "C") != 0 && strcmp(locale, "POSIX") != 0)
        list = variable("LANGUAGE") ? variable("LANGUAGE") : locale;
    for (size_t length; list && *list; list += length + (list[length] == ':')) {
        length = strcspn(list, ":");
        add_locale(list, length);
    }
}

const char *language_name(size_t place)
{
    return place < count ? names[place] : NULL;
}
