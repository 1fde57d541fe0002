/* Questions that a command asks on the terminal, and signals that must not cut it short. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmd/cmd.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof ending[0] };

static volatile sig_atomic_t stopped;

static void on_end(int number)
{
    stopped = number;
}

void cmd_heed_signals(void)
{
    struct sigaction action = {.sa_handler = on_end}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDING; i++)
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
}

bool cmd_stopped(void)
{
    return stopped != 0;
}

bool cmd_can_ask(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* A line, or false when a signal or the end comes first. */
static bool read_line(char *line, size_t size)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t blocked, before;
    sigemptyset(&blocked);
    for (size_t i = 0; i < ENDING; i++)
        sigaddset(&blocked, ending[i]);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    int ready;
    do
        ready = stopped ? -1 : ppoll(&input, 1, NULL, &before);
    while (ready < 0 && errno == EINTR && !stopped);
    sigprocmask(SIG_SETMASK, &before, NULL);
    ssize_t length = ready > 0 ? read(STDIN_FILENO, line, size - 1) : 0;
    if (length <= 0)
        return false;
    line[length] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

bool cmd_ask(const char *question)
{
    char line[256];
    printf("%s [y/N] ", question);
    fflush(stdout);
    if (!read_line(line, sizeof line)) {
        printf("\n");
        return false;
    }
    return strcasecmp(line, "y") == 0 || strcasecmp(line, "yes") == 0;
}
