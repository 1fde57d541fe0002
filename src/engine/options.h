/* What can be picked: the options of a choice, the pieces of an order. Between judge_choice.c and judge_order.c. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include "engine/internal.h"
#include "scene/picks.h"

struct options {
    const struct part_def **part; /* in the order shown */
    size_t count;
};

void options_take(struct engine *engine, const struct step_def *step, struct options *out);
void options_shuffle(struct engine *engine, const struct step_def *step, struct options *options);
/* Fills out->options, without their words. */
void options_show(struct engine *engine, const struct options *options, struct scene_question *out);
/* The words, which follow the knobs. */
void options_fill(struct engine *engine, const struct options *options, int live_env, struct scene_question *out);
/* The words of those picked, once they are filled in. */
const char *picks_words(struct engine *engine, const struct picks *picks, const struct scene_question *question, const char *between);
const char *picks_ids(struct engine *engine, const struct picks *picks, const struct options *options);

#endif
