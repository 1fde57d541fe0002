/* Between bind_tensor.c and bind_operations.c. */
#ifndef ENGINE_BIND_TENSOR_H
#define ENGINE_BIND_TENSOR_H

#include "engine/internal.h"

extern const luaL_Reg tensor_operators[], tensor_reductions[], tensor_rearrangings[]; /* metamethods; methods; methods */
int tensor_times(lua_State *L); /* tensor.matmul */
/* The end of a function that made the tensor at the top: 1, or raises. */
int tensor_done(lua_State *L, int status, const struct error *err);
/* The stand-in of a file at the top becomes a tensor that awaits its elements; it cannot be changed. */
void tensor_push_awaited(lua_State *L);

#endif
