/* Between bind_nn.c, bind_stack.c and the view of a trace. */
#ifndef ENGINE_BIND_NN_H
#define ENGINE_BIND_NN_H

#include "engine/internal.h"

/* What { rate =, random = } says. */
struct dropout {
    double rate;
    const struct tensor *numbers; /* or … */
    struct random_stream *stream; /* … NULL */
};
void dropout_read(lua_State *L, int index, struct dropout *out); /* leaves what it names on the stack; raises */
void dropout_push(lua_State *L, const struct tensor *x, const struct dropout *dropout); /* the result, the mask */

/* bind_stack.c */
enum { STACK_DEPTH_MAX = 64 };
extern const char *const stack_orders[], *const stack_formulas[]; /* "pre", …; "x + F(LN(x))", …; the first ends in NULL */
int nn_stack(lua_State *L);
/* Root of the mean over tokens of the sum of squares of a token's features. */
double stream_norm(const struct tensor *x);

#endif
