/* Between question.c and the files that judge, one a kind. */
#ifndef ENGINE_JUDGE_H
#define ENGINE_JUDGE_H

#include "engine/internal.h"

/* Answers that the lesson declares, being gathered; in the scene's arena. */
struct declared {
    struct scene_declared *list;
    size_t count, room;
};
void declare(struct engine *engine, struct declared *out, const char *id, const char *typed); /* id "": it is right */

/* The value at the top of the stack as numbers, popped; false: it is none. */
bool quantity_take(struct engine *engine, struct quantity *out);
/* Judges request->answer and reads request->typed back. names: what may be typed by name, out->allow.count of them. */
void judge_numbers(struct engine *engine, const struct step_def *step, int facts, int env, const struct named_quantity *names,
                   struct scene_question *out);
/* What is asked, and the mistakes, come to numbers that can be asked for, or it raises. */
void numbers_check(struct engine *engine, const struct step_def *step, int env);
/* A mistake is not further than two tolerances from another or from what is right, or is taken for something else as typed. */
bool numbers_agree(struct engine *engine, const struct step_def *step, int env, struct alike *pair);
const char *numbers_reread(struct engine *engine, const struct step_def *step, int env, int other_env); /* question_reread */
void numbers_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out);
void judge_shape(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out); /* judge_shape.c */
void shapes_check(struct engine *engine, const struct step_def *step, int env);
bool shapes_agree(struct engine *engine, const struct step_def *step, int env, struct alike *pair); /* two mistakes, or a mistake and the answer */
void shapes_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out);
void judge_choice(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out); /* judge_choice.c */
void choice_check(struct engine *engine, const struct step_def *step, int env);
void choice_words(struct engine *engine, const struct step_def *step, int env, int live_env, struct scene_question *out);
void choice_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out);
void judge_order(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out); /* judge_order.c */
void order_check(struct engine *engine, const struct step_def *step, int env);
bool order_agrees(struct engine *engine, const struct step_def *step, int env, struct alike *pair);
void order_words(struct engine *engine, const struct step_def *step, int live_env, struct scene_question *out);
void order_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out);
void judge_code(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out); /* judge_code.c */
void code_check(struct engine *engine, const struct step_def *step, int env);
void code_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out);
/* Does this mistake count for these numbers? Its `when` says so. */
bool mistake_counts(struct engine *engine, const struct part_def *part, int env);
/* The `say` of a mistake or option. Among its facts are `got`, the value at that stack index (0: there is none), and `at` (from 0). */
const char *mistake_words(struct engine *engine, const struct part_def *part, int facts, int got, size_t at);
const char *ordinal(size_t n); /* "first" for 0; NULL: too many for a word */

#endif
