/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Executing several submissions at a time. */
#ifndef GST_GLES_BATCH_H
#define GST_GLES_BATCH_H

#include <gst/gles/gl/gl-private.h>

/* Executes the submissions from @first on that can be executed together, at most @n. They are
 * linked by next up to NULL; those that share a buffer are executed in their order. Sets the error
 * of each that fails. Call on the device's thread.
 *
 * Returns: how many were executed, at least one. */
guint gst_gles_batch_execute (GstGlesShare *share, GstGlesWork *first, guint n);

#endif
