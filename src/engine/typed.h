/* Code typed by a person. */
#ifndef ENGINE_TYPED_H
#define ENGINE_TYPED_H

#include "engine/internal.h"

/* Runs it with the globals at `env`, as an expression if it is one, and prints what it returns with the function at `print`. The
   results stay on the stack; how many. Raises. `chunk` names it in messages, as luaL_loadbuffer wants it. */
int typed_run(lua_State *L, const char *text, size_t length, const char *chunk, int env, int print);

#endif
