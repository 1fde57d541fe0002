#include "app/schedule.h"

enum { HOUR = 60 * 60, DAY = 24 * HOUR, SLACK = 4 * HOUR /* who learns at the same hour every day is not sent away for minutes */, CERTAIN = 3 };

const int schedule_days[SCHEDULE_BOXES] = {1, 3, 7, 16, 35};

static int64_t due_in(int box, int64_t last, int64_t now)
{
    if (last > now && last - now > DAY)
        return now;
    return (last < now ? last : now) + (int64_t)schedule_days[box - 1] * DAY - SLACK;
}

static void take(struct schedule *schedule, const struct store_past *answer)
{
    if (answer->verdict != STORE_RIGHT) {
        schedule->box = 1;
        schedule->first |= answer->verdict == STORE_WRONG && answer->sure >= CERTAIN;
    } else if (schedule->box == 0) {
        schedule->box = answer->attempt < STORE_REVIEW && answer->sure > 0 && answer->sure < CERTAIN;
    } else if (answer->attempt >= STORE_REVIEW && schedule->due <= answer->time) {
        schedule->box = (schedule->box + 1) % (SCHEDULE_BOXES + 1);
        schedule->first = false;
    }
}

struct schedule schedule_of(const struct store_past *answers, size_t count, int64_t now)
{
    struct schedule schedule = {0};
    for (size_t i = 0; i < count; i++) {
        take(&schedule, &answers[i]);
        if (schedule.box > 0)
            schedule.due = due_in(schedule.box, answers[i].time, i + 1 < count ? answers[i + 1].time : now);
    }
    return schedule;
}
