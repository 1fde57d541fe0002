/* What norms that count channels share. Private to tensor/. */
#ifndef TENSOR_CHANNEL_H
#define TENSOR_CHANNEL_H

#include "tensor/layout.h"

/* v, of (channels,), as a view that broadcasts along x's axis `channel`; NULL gives NULL. `what` names it in
   the error. The caller frees it. */
int channel_spread(struct tensor **out, const char *what, const struct tensor *v, const struct tensor *x,
                   int channel, struct error *err);
int channel_check(const struct tensor *x, int channel, struct error *err);

#endif
