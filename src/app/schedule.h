/* When a question comes back. A wrong answer, one that was shown, and a prediction that was right but not certain put it into the
   first of some boxes. A right answer in a review that was due moves it into the next box, where it waits longer, and out of the
   last; a wrong one puts it back into the first. The days count from its last answer, in a review or in the lesson. */
#ifndef APP_SCHEDULE_H
#define APP_SCHEDULE_H

#include "store/store.h"

enum { SCHEDULE_BOXES = 5 };
extern const int schedule_days[SCHEDULE_BOXES];

struct schedule {
    int box;     /* from 1; 0: it does not come back */
    bool first;  /* was sure but wrong: before all others */
    int64_t due; /* with a box; seconds since 1970 */
};
/* All the answers to one question, in their order. What was answered in the future, more than a day on, was answered under a wrong
   clock: it is due now. Less than that counts as now. */
struct schedule schedule_of(const struct store_past *answers, size_t count, int64_t now);

#endif
