/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_CORE_STREAM_COPY_H
#define GST_GLES_CORE_STREAM_COPY_H

#include <glib.h>

G_BEGIN_DECLS

/* Copies like memcpy(), bypassing the caches where the processor can: for memory that a device
 * reads next and the processor does not. A cached store first reads each line of the target, which
 * is a third of the memory traffic of a copy. The copy is visible to a device that is notified
 * after this returns. */
G_GNUC_INTERNAL void gst_gles_stream_copy (gpointer target, gconstpointer source, gsize size_bytes);

G_END_DECLS

#endif
