/* What the learner has set in one step: everything of a request that keys can change. A plain value: strings are borrowed from
   somebody who outlives it (app/words.h). */
#ifndef APP_INPUTS_H
#define APP_INPUTS_H

#include <stdbool.h>

#include "base/error.h"
#include "scene/request.h"
#include "scene/scene.h"

enum { INPUTS_SETTINGS = 32, INPUTS_EDITS = 256, OFF_MAX = 64 /* layers that `off` has bits for */ };

struct inputs {
    struct setting settings[INPUTS_SETTINGS];
    size_t setting_count;
    struct edit edits[INPUTS_EDITS];
    size_t edit_count;
    struct cursor cursors[INDEX_MAX];
    size_t cursor_count;
    uint32_t stage;
    uint64_t off;       /* bit n - 1: layer n's branch is switched off */
    const char *answer; /* NULL: none yet */
    uint64_t run;       /* of the probes, with a program */
    uint32_t sure, hints;
    bool give_up;
};

/* Points the request at the inputs, which must stay as they are while it is used. */
void inputs_to_request(const struct inputs *inputs, struct request *request);

const struct setting *inputs_setting(const struct inputs *inputs, const char *name); /* NULL: where the lesson puts it */
int inputs_set(struct inputs *inputs, struct setting setting, struct error *err);     /* the name is kept: borrowed */
void inputs_unset(struct inputs *inputs, const char *name);
int inputs_edit(struct inputs *inputs, const struct edit *edit, struct error *err);
int inputs_look(struct inputs *inputs, const char *axis, uint32_t index, struct error *err);

/* Where the cursor stands on an axis: as set, else as the scene has it; from 1. */
uint32_t inputs_index(const struct inputs *inputs, const struct scene_axis *axis);

#endif
