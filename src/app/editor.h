/* The learner's own editor. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "base/error.h"

/* Opens the file in $VISUAL, else $EDITOR, else the first of nano, editor and vi that is there, and waits until it ends. The
   terminal is the editor's meanwhile, and has its modes of before when this returns; while the editor is stopped, so is this process.
   A signal to end goes to the editor as well, and comes to this process when the editor is gone. -1 with words: there is no editor,
   or it failed. */
int editor_run(const char *path, struct error *err);

#endif
