/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The link between the host's memory and a device: what it gives, and how frames that lie in the
 * host's memory are therefore read. */
#ifndef GST_GLES_LINK_H
#define GST_GLES_LINK_H

#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

/* In bytes per second. 0: not known, or the device cannot do it. */
typedef struct {
  gdouble mapped_read; /* kernels read persistently mapped memory of the host */
  gdouble copy;        /* the device copies such memory to its own, in the order of its kernels */
  gdouble readback;    /* the device copies its own memory to a mapped readback slot */
  gdouble transfer;    /* an engine of the device copies beside its kernels */
} GstGlesLink;

/* Sets @link to that of @device, which the first call of the process for a device of this id
 * measures, all but transfers: 28 to 40 ms on an H200. Only hardware is measured. GST_GLES_LINK
 * sets the figures instead, on software renderers too. What cannot be measured is logged and 0.
 * Thread: any but the device's own. */
GST_GLES_API void gst_gles_link_get (GstGlesDevice *device, GstGlesLink *link);

/* Notes what engine.c measured; GST_GLES_LINK has precedence. */
void gst_gles_link_set_transfer (GstGlesDevice *device, gdouble bytes_per_s);

/* Parses GST_GLES_LINK: figures in GB/s such as "mapped:10.8,copy:51,readback:50,transfer:0".
 * Those that it leaves out are 0. Errors: SETTINGS. */
gboolean gst_gles_link_parse (const gchar *text, GstGlesLink *link, GError **error);

/* Whether any figure is known. */
gboolean gst_gles_link_is_known (const GstGlesLink *link);

/* The most bytes per second by which frames of the host's memory can reach kernels. */
GST_GLES_API gdouble gst_gles_link_get_best (const GstGlesLink *link);

/* Returns the figures in words: (transfer full). */
GST_GLES_API gchar *gst_gles_link_describe (const GstGlesLink *link);

/* How often kernels can read a frame from mapped memory before a copy on the device is faster;
 * 0: always copy. */
guint gst_gles_link_get_reads_in_place (const GstGlesLink *link);

/* Whether frames should be copied by an engine of the device. */
gboolean gst_gles_link_prefers_transfers (const GstGlesLink *link);

/* The same as gst_gles_link_get_reads_in_place(), for the link of @device: G_MAXUINT for software
 * renderers, whose kernels run on the host's memory. Logs the choice. Thread: as
 * gst_gles_link_get(). */
guint gst_gles_link_choose_reads_in_place (GstGlesDevice *device);

/* Returns the choice in words: (transfer full). */
gchar *gst_gles_link_describe_reads (guint reads_in_place);

/* The same for what an engine copies as well. */
GST_GLES_API gchar *gst_gles_link_describe_choice (const GstGlesLink *link);

/* ---- link-measure.c ---- */

/* Measures the link of @device, which has OpenGL ES. All is 0 without mapped memory. Errors: as
 * gst_gles_queue_finish(), COMPILE. */
gboolean gst_gles_link_measure (GstGlesDevice *device, GstGlesLink *link, GError **error);

G_END_DECLS

#endif
