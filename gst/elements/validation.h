/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares results with those of native code, for the property `validate`. The message of a
 * difference is the same for all elements. */
#ifndef VALIDATION_H
#define VALIDATION_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

/* Compares @size_bytes of words. Returns FALSE with FAILED if they differ; the message describes
 * the first word that does. @what names the words: "points". */
gboolean validation_compare (const gchar *what, guint64 frame, gconstpointer got,
    gconstpointer expected, gsize size_bytes, GError **error);

/* The same for @total and @count. */
gboolean validation_compare_counts (
    guint64 frame, guint64 total, guint count, const GstGlesResult *expected, GError **error);

/* Copies the first @n records of @each bytes to the device @cpu: (transfer full). With @counts
 * (nullable), a #GstGlesResult on the device of @records, *n becomes its count if that is less.
 * Waits. */
GstGlesBuffer *validation_copy_records (GstGlesBuffer *records, GstGlesBuffer *counts, gsize each,
    GstGlesQueue *queue, GstGlesDevice *cpu, guint *n, GError **error);

G_END_DECLS

#endif
