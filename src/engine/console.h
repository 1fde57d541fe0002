/* Code that a person types, line after line. */
#ifndef ENGINE_CONSOLE_H
#define ENGINE_CONSOLE_H

#include "engine/internal.h"

/* Pushes the globals of typed code, tensor, nn and random among them, and over them a table for what it assigns. */
void typing_open(lua_State *L);
bool console_stands(const struct engine *engine, const struct request *request); /* this state has run the request's lines */
void console_line(struct engine *engine); /* REQUEST_LINE; raises */

#endif
