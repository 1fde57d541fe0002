/* Between the files that make up nn, and the view of a trace. */
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

/* The tensor under the name, which stays on the stack, and so alive; NULL: there is none. Raises. */
const struct tensor *tensor_option(lua_State *L, int index, const char *name);
/* Pushes the tensor normalized over its last axis; scale, bias: or NULL. */
void nn_push_normed(lua_State *L, const struct tensor *x, bool rms, double eps, const struct tensor *scale,
                    const struct tensor *bias);

/* bind_layers.c, bind_norms.c, bind_optimize.c */
extern const luaL_Reg nn_layers[];
int nn_batch_norm(lua_State *L);
int nn_group_norm(lua_State *L);
int nn_instance_norm(lua_State *L);
int nn_adam(lua_State *L);
int nn_sgd(lua_State *L);

/* bind_stack.c */
enum stack_order { STACK_PRE, STACK_POST, STACK_NONE };
bool stack_order_read(lua_State *L, int index, enum stack_order *out); /* false: the value there is none */
enum { STACK_DEPTH_MAX = 64 };
extern const char *const stack_orders[], *const stack_formulas[]; /* "pre", …; "x + F(LN(x))", …; the first ends in NULL */
int nn_stack(lua_State *L);
/* Root of the mean over tokens of the sum of squares of a token's features. */
double stream_norm(const struct tensor *x);

#endif
