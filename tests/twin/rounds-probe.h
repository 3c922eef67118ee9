/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rounds of loops that each kernel of the process takes at most, as llvmpipe counts them. */
#ifndef ROUNDS_PROBE_H
#define ROUNDS_PROBE_H

#include <glib.h>

typedef struct {
  gchar *name;          /* the kernel and its defines */
  guint rounds, before; /* the most of a dispatch so far; for the caller */
} RoundsKernel;

typedef void (*RoundsFunc) (RoundsKernel *kernel, gpointer user_data);

/* Calls @func for every kernel whose source the process has given to the driver. It may set the
 * rounds. */
void rounds_foreach (RoundsFunc func, gpointer user_data);

#endif
