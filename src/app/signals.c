#include "app/signals.h"

#include <stddef.h>

#include "ui/prompt.h"
#include "ui/tty.h"

static volatile sig_atomic_t end_signal;

static const int ending[] = {SIGTERM, SIGHUP, SIGINT};
static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { ENDING = sizeof ending / sizeof ending[0], FATAL = sizeof fatal / sizeof fatal[0] };

static struct sigaction fatal_before[FATAL];
static sigset_t mask_before;

static void on_end(int number)
{
    end_signal = number;
}

/* Runs once: the handler is gone when it begins, so the signal raised again does what it would have done. */
static void on_fatal(int number)
{
    tty_restore_on_signal();
    prompt_restore_on_signal();
    raise(number);
}

void signals_take(sigset_t *waiting)
{
    static char stack[65536]; /* an overflowed stack is a crash like any other */
    stack_t aside = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_end};
    sigset_t blocked;
    sigemptyset(&action.sa_mask);
    sigemptyset(&blocked);
    for (size_t i = 0; i < ENDING; i++) {
        sigaction(ending[i], &action, NULL);
        sigaddset(&blocked, ending[i]);
    }
    sigaddset(&blocked, SIGWINCH);
    sigprocmask(SIG_BLOCK, &blocked, &mask_before);
    *waiting = mask_before;
    for (size_t i = 0; i < ENDING; i++)
        sigdelset(waiting, ending[i]);
    sigdelset(waiting, SIGWINCH);

    action.sa_handler = on_fatal;
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
    sigaltstack(&aside, NULL);
    for (size_t i = 0; i < FATAL; i++) {
        sigaction(fatal[i], NULL, &fatal_before[i]);
        if (fatal_before[i].sa_handler == SIG_DFL) /* a sanitizer's own handler stays */
            sigaction(fatal[i], &action, NULL);
    }
}

void signals_return(void)
{
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i], &fatal_before[i], NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

int signals_end(void)
{
    return end_signal;
}

void signals_go_on(void)
{
    end_signal = 0;
}
