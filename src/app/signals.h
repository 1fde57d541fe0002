/* Signals: those that end the tutor are noticed in the loop, those that mean a crash give the terminal back first. */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

#include <signal.h>

/* Blocks what the loop waits for; *waiting is the mask to wait with. */
void signals_take(sigset_t *waiting);
/* As before signals_take, but a signal to leave stays without effect: the tutor is leaving, and nothing may cut that short. */
void signals_return(void);
int signals_end(void);     /* the signal that asks the tutor to leave; 0: none */
void signals_go_on(void);  /* it is forgotten: there was something else to stop */

#endif
