/* Between bind_tensor.c and bind_operations.c. */
#ifndef ENGINE_BIND_TENSOR_H
#define ENGINE_BIND_TENSOR_H

#include "engine/internal.h"

extern const luaL_Reg tensor_operators[], tensor_reductions[]; /* metamethods; methods */
/* The end of a function that made the tensor at the top: 1, or raises. */
int tensor_done(lua_State *L, int status, const struct error *err);

#endif
