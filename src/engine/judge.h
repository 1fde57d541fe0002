/* Between question.c and judge.c. */
#ifndef ENGINE_JUDGE_H
#define ENGINE_JUDGE_H

#include "engine/internal.h"

/* The value at the top of the stack as numbers, popped; false: it is none. */
bool quantity_take(struct engine *engine, struct quantity *out);
/* Judges request->answer and reads request->typed back. names: what may be typed by name, out->allow.count of them. */
void judge_numbers(struct engine *engine, const struct step_def *step, int facts, int env, const struct named_quantity *names,
                   struct scene_question *out);
/* What is asked, and the mistakes, come to numbers that can be asked for, or it raises. */
void numbers_check(struct engine *engine, const struct step_def *step, int env);
void judge_shape(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out); /* judge_shape.c */
void shapes_check(struct engine *engine, const struct step_def *step, int env);
bool shapes_agree(struct engine *engine, const struct step_def *step, int env); /* two mistakes, or a mistake and the answer */
void judge_code(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out); /* judge_code.c */
void code_check(struct engine *engine, const struct step_def *step, int env);
/* The `say` of a mistake or option, with `got` and `at` (from 0) among its facts; got NULL: nothing was typed. */
const char *mistake_words(struct engine *engine, const struct part_def *part, int facts, const struct quantity *got, size_t at);

#endif
