/* Signals: those that end the tutor are noticed in the loop, those that mean a crash give the terminal back first. */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

#include <signal.h>

/* Blocks what the loop waits for; *waiting is the mask to wait with. */
void signals_take(sigset_t *waiting);
void signals_return(void); /* as before signals_take */
int signals_end(void);     /* the signal that asks the tutor to leave; 0: none */

#endif
