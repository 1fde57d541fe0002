/* The program: a worker when it is started as one, else a command. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "engine/worker.h"

/* A closed standard descriptor would be given to the next file that is opened. What is written to these
   reaches nobody, so writing fails. */
static int open_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDONLY) != fd)
            return -1;
    return 0;
}

static const char *character_set_variable(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && value[0])
            return value;
    }
    return "";
}

static bool speaks_utf8(const char *locale)
{
    const char *dot = strchr(locale, '.');
    return dot && (strncasecmp(dot + 1, "UTF-8", 5) == 0 || strncasecmp(dot + 1, "UTF8", 4) == 0);
}

/* Numbers and collation stay those of C: a decimal comma would break every lesson. */
static void choose_locale(void)
{
    if (!setlocale(LC_CTYPE, "") && speaks_utf8(character_set_variable()))
        setlocale(LC_CTYPE, "C.UTF-8");
    setlocale(LC_MESSAGES, "");
}

int main(int argc, char **argv)
{
    if (open_standard_descriptors() != 0)
        return EXIT_WRONG;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file limit is a full disk, which the store can speak of */
    if (argc == WORKER_ARGC && strcmp(argv[1], "engine") == 0)
        return worker_main(argc, argv);
    choose_locale();
    return cmd_main(argc, argv);
}
