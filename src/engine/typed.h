/* Code typed by a person. */
#ifndef ENGINE_TYPED_H
#define ENGINE_TYPED_H

#include "engine/internal.h"

/* Runs it with the globals at `env`, as an expression if it is one, and prints what it returns with the function at `print`. The
   results stay on the stack; how many. Raises. `chunk` names it in messages, as luaL_loadbuffer wants it. The locals that are left at
   its end are put into the table at `keep`; 0: they are gone. */
int typed_run(lua_State *L, const char *text, size_t length, const char *chunk, int env, int print, int keep);
bool typed_is_open(lua_State *L, const char *text, size_t length); /* it would be Lua if more came after it */

/* Pushes a set of what may be typed where those at the index are the globals: "sqrt", "tensor.zeros", ":mean", ".shape". */
void typed_push_names(lua_State *L, int globals);
void typed_add_keys(lua_State *L, int names, const char *prefix); /* adds "prefix" and each key of the table at the top, popped */
void typed_take_names(struct engine *engine, struct strings *out); /* the keys of the set at the top, popped, sorted */

#endif
