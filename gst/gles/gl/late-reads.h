/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Late reads: copies to the host of what was not read ahead, begun when somebody reads it. The
 * analyser and the results of one stream share them, so the analyser learns from how often its
 * results are read. */
#ifndef GST_GLES_LATE_READS_H
#define GST_GLES_LATE_READS_H

#include <gst/gles/gl/readback-info.h>

G_BEGIN_DECLS

typedef struct _GstGlesLateReads GstGlesLateReads;

/* Makes the late reads of a stream whose work is on @queue, to which they hold a reference, and of
 * which @n results were read late before, on another queue. Takes no memory before the first
 * copy. */
GST_GLES_API GstGlesLateReads *gst_gles_late_reads_new (GstGlesQueue *queue, guint n);
/* NULL is safe. Copies that were begun stay valid. Thread: any. */
GST_GLES_API void gst_gles_late_reads_unref (GstGlesLateReads *late);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesLateReads, gst_gles_late_reads_unref)
GstGlesLateReads *gst_gles_late_reads_ref (GstGlesLateReads *late);

/* Begins a copy behind what is queued so far, and returns it: (transfer full). Waits only where
 * gst_gles_readback_ring_copy() does. Thread: any. Errors: those of that function. */
GstGlesReadback *gst_gles_late_reads_copy (
    GstGlesLateReads *late, const GstGlesReadbackCopy *copy, GError **error);

/* Notes that somebody has read one more result late. Thread: any. */
void gst_gles_late_reads_note (GstGlesLateReads *late);
/* Returns how many results were read late so far. Thread: any. */
GST_GLES_API guint gst_gles_late_reads_get_n (GstGlesLateReads *late);
/* Returns the bytes that late reads brought to the host since the last call; those of counted items
 * when they have come. Thread: any. */
GST_GLES_API gsize gst_gles_late_reads_take_bytes (GstGlesLateReads *late);

G_END_DECLS

#endif
