/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the largest sample of a picture: by a kernel on a device, or by its native twin, which has
 * the same result, bit for bit. */
#ifndef BRIGHTEST_FINDER_H
#define BRIGHTEST_FINDER_H

#include "brightest-meta.h"

G_BEGIN_DECLS

typedef struct _BrightestFinder BrightestFinder;

/* Makes a finder for frames that are analysed on @queue, whose kernels are compiled. Keeps a
 * reference to @queue. Errors: COMPILE, TOO_LARGE, NO_MEMORY, DEVICE_LOST. */
BrightestFinder *brightest_finder_new (GstGlesQueue *queue, GError **error);
/* NULL is safe. */
void brightest_finder_free (BrightestFinder *finder);

/* Returns which samples of @component the visible part of @image has. */
BrightestArea brightest_area (const GstGlesImage *image, guint component);

/* Queues the search in the open submission, and the way of its result to the host; does not wait.
 * Returns (transfer full) a readback of a BrightestFound. On a cpu device the native twin has found
 * it when this returns. Thread: one at a time. */
GstGlesReadback *brightest_finder_run (
    BrightestFinder *finder, const GstGlesImage *image, guint component, GError **error);

/* The native twin. @image has planes, as on a cpu device. */
BrightestFound brightest_find_native (const GstGlesImage *image, guint component);

G_END_DECLS

#endif
