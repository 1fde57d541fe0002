/* Between bind_precision.c and the bindings whose functions take a type or a method. */
#ifndef ENGINE_BIND_PRECISION_H
#define ENGINE_BIND_PRECISION_H

#include "engine/internal.h"

/* The options `accumulate` and `method` of the table at `index`; false: there is neither. Raises. */
bool steps_read(lua_State *L, int index, struct tensor_steps *out);
int method_find(enum tensor_method *out, const char *name, struct error *err);
const char *method_name(enum tensor_method method);
int tensor_to_type(lua_State *L); /* x:cast("float16") */

#endif
