/* A program of a learner's, or one made for an ask.code: run in a Lua state of its own, without nn, the facts or the checker, with
   its own memory and time. */
#ifndef ENGINE_PROGRAM_H
#define ENGINE_PROGRAM_H

#include "engine/internal.h"

struct program {
    struct engine *inner;      /* NULL: closed */
    struct engine *outer;
    char function[ID_MAX];     /* the global function that is called */
    char error[400];           /* the first thing that went wrong: "layer_norm.lua:3: what", or "" */
    int error_line;            /* 0: none is to blame */
};

/* Pushes a function of engine->L that calls the program's: tensors and numbers go in and one comes out, copied. What goes wrong,
   now or in a call, is in `error`; the function then raises it at once. `file` names the program in messages. `function` is what
   it must define; NULL: it defines one global function, whichever. The program lives as long as the function pushed. */
struct program *program_push(struct engine *engine, const char *file, const char *text, const char *function);
void program_close(struct program *program); /* before its function is collected: what calls it from now on raises */

#endif
