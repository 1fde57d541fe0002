#include "base/language.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#if defined __linux__ && __has_include(<libintl.h>)
#include <libintl.h>
#define HAVE_CATALOGUES 1
#else
#define HAVE_CATALOGUES 0
#endif

static const char DOMAIN[] = "normtutor";

static char names[LANGUAGES_MAX][LANGUAGE_SIZE];
static size_t count;
static char spoken[LANGUAGES_MAX * (LANGUAGE_SIZE + 1)]; /* "": the tutor's own */

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

const char *language_wanted(void)
{
    static char wanted[sizeof spoken];
    wanted[0] = '\0';
    for (size_t i = 0; i < count && strcmp(names[i], "en") != 0 && strncmp(names[i], "en_", 3) != 0; i++) {
        if (i > 0)
            strcat(wanted, ":");
        strcat(wanted, names[i]);
    }
    return wanted;
}

#if HAVE_CATALOGUES

/* The C library looks for no catalogue in the locale "C", whatever LANGUAGE says; in C.UTF-8, which needs no locale to be
   generated, it does. */
bool language_speak(const char *list, const char *folder)
{
    const char *now = setlocale(LC_MESSAGES, NULL);
    spoken[0] = '\0';
    if (!*list || strlen(list) >= sizeof spoken)
        return false;
    if ((!now || strcmp(now, "C") == 0 || strcmp(now, "POSIX") == 0) && !setlocale(LC_MESSAGES, "C.UTF-8"))
        return false;
    if (setenv("LANGUAGE", list, 1) != 0 || !bindtextdomain(DOMAIN, folder) || !bind_textdomain_codeset(DOMAIN, "UTF-8"))
        return false;
    if (!*dgettext(DOMAIN, "")) /* what a catalogue says of itself */
        return false;
    dgettext(DOMAIN, "out of memory"); /* what it is read by is opened at the first word */
    strcpy(spoken, list);
    return true;
}

const char *language_say(const char *words)
{
    return spoken[0] && *words ? dgettext(DOMAIN, words) : words;
}

const char *language_count(const char *one, const char *many, size_t number)
{
    return spoken[0] ? dngettext(DOMAIN, one, many, number) : number == 1 ? one : many;
}

#else

bool language_speak(const char *list, const char *folder)
{
    (void)list;
    (void)folder;
    return false;
}

const char *language_say(const char *words)
{
    return words;
}

const char *language_count(const char *one, const char *many, size_t number)
{
    return number == 1 ? one : many;
}

#endif

const char *language_spoken(void)
{
    return spoken;
}
