/* Views and cells on the wire. Private to scene/. */
#ifndef SCENE_WIRE_VIEW_H
#define SCENE_WIRE_VIEW_H

#include "scene/wire_io.h"

void wire_view(struct wire *wire, struct view *view);
void wire_cells(struct wire *wire, const char *name, struct cell **cells, size_t expected);

#endif
