/* The time for waiting. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_ms(void); /* of a clock that only goes on */

#endif
