/* Between files.c and files_array.c. */
#ifndef ENGINE_FILES_H
#define ENGINE_FILES_H

#include "engine/internal.h"

bool files_loading(const struct engine *engine); /* the lesson: what it declares is not known yet */
const struct request_file *files_find(const struct request *request, const char *name); /* NULL: it did not come */
/* The name at `index` of a C function's arguments; once the lesson is loaded, one that it declares: or raises. */
const char *files_name(lua_State *L, int index);
/* Pushes a stand-in for that file, asked for where the C function was called; files_take looks whether it is declared. */
void files_stand_in(lua_State *L, int index);
const char *files_name_of(lua_State *L, int stand_in); /* borrowed from it */
/* Into `err`: a file that did not come. */
int files_missing(const char *name, struct error *err);

/* files_array.c */
int tensor_load(lua_State *L); /* tensor.load "x.npy" */
/* The array of that file, the caller's: 0, or -1 with words. Raises when memory is out. */
int files_array(struct engine *engine, const char *name, struct tensor **out, struct error *err);

#endif
