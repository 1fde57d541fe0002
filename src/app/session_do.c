/* What the learner does in a step, as changes of the session. */
#include <string.h>
#include <sys/random.h>

#include "app/assign.h"
#include "app/session.h"
#include "app/turn.h"
#include "scene/picks.h"
#include "ui/view.h"

static const char *course_of(const struct session *s)
{
    return course_key(s->course);
}

static const char *lesson_of(const struct session *s)
{
    return s->course->lessons[s->lesson].id;
}

static bool locked(const struct session *s)
{
    const struct scene_step *step = session_step(s);
    return !step || step->locked;
}

static int refuse_locked(const struct session *s, struct error *err)
{
    if (!session_step(s))
        return error_set(err, "there is nothing to change yet");
    return error_set(err, "the view moves once the prediction is made");
}

/* ---- answers ---- */

/* The knobs begin their journey where the prediction shows them. */
static void stand_at_start(struct session *s, const struct scene_question *question)
{
    const struct scene_step *step = session_step(s);
    for (size_t i = 0; i < question->travel_from_count; i++) {
        const struct setting *from = &question->travel_from[i];
        const struct scene_knob *knob = knob_named(step, from->name);
        if (knob)
            knob_put(&s->inputs, s->words, knob, knob_setting_value(knob, from), NULL);
    }
}

int session_answer(struct session *s, const char *text, uint32_t sure, struct error *err)
{
    const struct scene_question *question = session_question(s);
    if (!question)
        return error_set(err, "there is no question here");
    if (question->final)
        return error_set(err, "this question is settled; new numbers ask it again");
    if (s->unjudged)
        return error_set(err, "the answer before is still being judged");
    const char *kept = session_keep_answer(s, text);
    if (!kept)
        return error_set(err, "out of memory");
    if (question->predict == PREDICT_TRAVEL)
        stand_at_start(s, question);
    s->inputs.answer = kept;
    s->inputs.sure = question->predict == PREDICT_NO ? 0 : sure;
    s->unjudged = true;
    s->answer_number = 0;
    return 0;
}

/* 0 is the seed's own run. */
static uint64_t new_run(uint64_t before)
{
    uint64_t run;
    if (getrandom(&run, sizeof run, 0) != sizeof run || run == 0)
        run = before + 1;
    return run;
}

int session_probe(struct session *s, const char *program, struct error *err)
{
    const struct scene_question *question = session_question(s);
    if (!question || !question->code)
        return error_set(err, "there is no program to probe here");
    if (s->inputs.give_up)
        return error_set(err, "The answer is shown already; new numbers ask the question again.");
    const char *kept = session_keep_answer(s, program);
    if (!kept)
        return error_set(err, "out of memory");
    s->inputs.answer = kept;
    s->inputs.run = new_run(s->inputs.run);
    s->inputs.sure = 0;
    s->unjudged = true;
    s->answer_number = 0;
    return 0;
}

bool session_begin_anew(struct session *s)
{
    if (!session_question(s) || s->inputs.give_up)
        return false;
    s->inputs.answer = NULL;
    s->inputs.run = new_run(s->inputs.run);
    s->unjudged = false;
    return true;
}

/* The ids of those that `text` picks; NULL: it cannot be read so. */
static const char *options_picked(const struct session *s, const struct scene_question *question, const char *text)
{
    struct picks picks;
    struct strbuf ids = {0};
    if (picks_read(&picks, question->options, question->option_count, text, NULL) == 0)
        picks_write(&ids, &picks, question->options);
    const char *kept = ids.length > 0 && !ids.failed ? words_keep(s->words, strbuf_string(&ids)) : NULL;
    strbuf_free(&ids);
    return kept;
}

const char *session_option(const struct session *s, const char *text)
{
    const struct scene_step *step = session_step(s);
    size_t place;
    if (step && step->question && (step->question->several || step->kind == STEP_ORDER)) {
        const char *picked = options_picked(s, step->question, text);
        return picked ? picked : text;
    }
    if (step && step->kind == STEP_CHOICE && step->question && place_read(text, step->question->option_count, &place))
        return step->question->options[place - 1].id;
    return text;
}

bool session_judged(const struct session *s, const char *text)
{
    const struct scene_question *question = session_question(s);
    return question && !s->unjudged && question->verdict != VERDICT_NONE && s->inputs.answer &&
           strcmp(s->inputs.answer, text) == 0;
}

bool session_give_up(struct session *s)
{
    const struct scene_question *question = session_question(s);
    if (!question || question->final || s->unjudged)
        return false;
    s->inputs.give_up = true;
    s->unjudged = true;
    s->answer_number = 0;
    return true;
}

enum session_hint session_hint(struct session *s)
{
    const struct scene_question *question = session_question(s);
    if (!question || question->final || (question->predict != PREDICT_NO && question->hint_total == 0))
        return HINT_NONE;
    if (s->inputs.hints >= question->hint_total)
        return HINT_LAST;
    s->inputs.hints++;
    if (s->store)
        (s->review ? store_set_review_hints : store_set_hints)(s->store, course_of(s), lesson_of(s), s->step, s->inputs.hints);
    return HINT_OPENED;
}

int session_new_numbers(struct session *s, struct error *err)
{
    const struct scene_step *step = session_step(s);
    if (!step || !step->question)
        return error_set(err, "new numbers are for questions; this step has none");
    uint32_t attempt = s->attempt + 1;
    if (s->store)
        (s->review ? store_set_review : store_set_attempt)(s->store, course_of(s), lesson_of(s), s->step, attempt);
    s->inputs = s->good = (struct inputs){0};
    s->turning = (struct turning){0};
    s->stored = NULL;
    s->attempt = attempt;
    s->unjudged = false;
    s->travelled = false;
    s->travel_frame = 0;
    s->turned_away = true;
    return 0;
}

/* ---- knobs, cells, cursor, stage ---- */

int session_turn(struct session *s, size_t knob, int by, struct error *err)
{
    const struct scene_step *step = session_step(s);
    if (locked(s))
        return refuse_locked(s, err);
    if (knob >= step->knob_count)
        return error_set(err, "there is no knob here");
    const struct scene_knob *at = &step->knobs[knob];
    const struct turning *last = &s->turning;
    bool past = last->failed && (last->by > 0) == (by > 0) && strcmp(last->knob, at->name) == 0;
    double value = knob_turned(at, past ? last->value : knob_value(at, &s->inputs), by);
    s->turning = (struct turning){.knob = words_keep(s->words, at->name), .value = value, .by = by};
    return knob_put(&s->inputs, s->words, at, value, err);
}

bool session_reset_knob(struct session *s, size_t knob)
{
    const struct scene_step *step = session_step(s);
    if (locked(s) || knob >= step->knob_count)
        return false;
    inputs_unset(&s->inputs, step->knobs[knob].name);
    s->turning = (struct turning){0};
    return true;
}

bool session_reset_view(struct session *s)
{
    if (locked(s) || (s->inputs.edit_count == 0 && s->inputs.off == 0))
        return false;
    s->inputs.edit_count = 0;
    s->inputs.off = 0;
    return true;
}

bool session_reset(struct session *s)
{
    if (locked(s))
        return false;
    s->inputs.setting_count = s->inputs.edit_count = s->inputs.cursor_count = 0;
    s->inputs.off = 0;
    s->inputs.stage = 0;
    return true;
}

bool session_look(struct session *s, size_t axis, int by)
{
    const struct scene_step *step = session_step(s);
    if (locked(s) || axis >= step->axis_count)
        return false;
    const struct scene_axis *at = &step->axes[axis];
    int64_t index = (int64_t)inputs_index(&s->inputs, at) + by;
    if (index < 1 || index > at->size)
        return false;
    const char *name = words_keep(s->words, at->name);
    return name && inputs_look(&s->inputs, name, (uint32_t)index, NULL) == 0;
}

bool session_look_through(struct session *s, size_t axis, int outer, int by)
{
    if (session_look(s, axis, by))
        return true;
    if (outer < 0 || !session_look(s, (size_t)outer, by))
        return false;
    int last = (int)session_step(s)->axes[axis].size - 1;
    session_look(s, axis, by > 0 ? -last : last);
    return true;
}

bool session_is_off(const struct session *s, uint32_t layer)
{
    return layer >= 1 && layer <= OFF_MAX && (s->inputs.off >> (layer - 1) & 1);
}

bool session_switch(struct session *s, uint32_t layer)
{
    if (locked(s) || layer < 1 || layer > session_step(s)->branches || layer > OFF_MAX)
        return false;
    s->inputs.off ^= (uint64_t)1 << (layer - 1);
    return true;
}

bool session_stage(struct session *s, int by)
{
    const struct scene_step *step = session_step(s);
    uint32_t stages = step ? view_stages(step->view) : 0;
    if (stages == 0)
        return false;
    int64_t count = (int64_t)stages + 1;
    s->inputs.stage = (uint32_t)(((int64_t)s->inputs.stage + by % count + count) % count);
    return true;
}

int session_edit(struct session *s, const struct edit *edit, struct error *err)
{
    struct edit kept = *edit;
    if (locked(s))
        return refuse_locked(s, err);
    kept.name = words_keep(s->words, edit->name);
    return kept.name ? inputs_edit(&s->inputs, &kept, err) : error_set(err, "out of memory");
}

int session_assign(struct session *s, const char *name, const char *value, struct error *err)
{
    const struct scene_step *step = session_step(s);
    if (!step)
        return error_set(err, "there is nothing to set here");
    return assign(&s->inputs, s->words, step, name, value, err);
}
