/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all plans for frames of video share: the layout that they are made for, the samples and
 * bytes that they read of it, and what they keep of earlier frames. */
#ifndef GST_GLES_FRAME_PLAN_H
#define GST_GLES_FRAME_PLAN_H

#include <gst/gles/core/mask.h>
#include <gst/gles/cpu/frame/frame-histogram-rows.h>
#include <gst/gles/cpu/frame/frame-kept.h>
#include <gst/gles/cpu/frame/frame-mad.h>
#include <gst/gles/cpu/frame/spans.h>
#include <gst/gles/gl/image.h>
#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

/* Instead of the number of a component: luma, which is stored or computed. */
#define GST_GLES_FRAME_LUMA (-1)

/* What a plan keeps of earlier frames. All zero: nothing. */
typedef struct {
  guint8 *host;              /* on a cpu device; NULL: nothing */
  GstGlesBuffer *buffers[2]; /* on a device with GL; (nullable) */
  guint frames;              /* the same: since the first one, 0: nothing */
} GstGlesFrameKept;

/* The first member of each plan that keeps something of earlier frames, so that
 * GST_GLES_FRAME_PLAN() of the plan is a pointer to it. */
typedef struct {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  GstGlesImage format; /* the layout of the images, without pixels */
  GstGlesFrameKept kept;
  GstGlesFrameKept saved; /* what gst_gles_frame_plan_save() found */
  gsize host_bytes;       /* of kept.host */
} GstGlesFramePlan;

#define GST_GLES_FRAME_PLAN(plan) ((GstGlesFramePlan *) (plan))

/* @plan is all zero. Holds a reference to @queue. */
void gst_gles_frame_plan_init (
    GstGlesFramePlan *plan, GstGlesQueue *queue, const GstGlesImage *format);
/* Releases what gst_gles_frame_plan_init() and runs have put there. */
void gst_gles_frame_plan_clear (GstGlesFramePlan *plan);

gboolean gst_gles_frame_plan_is_cpu (const GstGlesFramePlan *plan);

/* Kernels read offsets and strides from the format, so an image has to have the same. Errors:
 * INVALID. */
gboolean gst_gles_frame_plan_check_image (
    const GstGlesFramePlan *plan, const GstGlesImage *image, GError **error);

/* Queues a dispatch without work, which reads and writes @nothing. */
typedef gboolean (*GstGlesFrameWarmUpFunc) (gpointer plan, GstGlesBuffer *nothing, GError **error);

/* Calls @func inside a submission: llvmpipe generates machine code at the first dispatch, and no
 * frame should wait for that. */
gboolean gst_gles_frame_warm_up (
    GstGlesQueue *queue, GstGlesFrameWarmUpFunc func, gpointer plan, GError **error);

/* Returns the workgroups of @invocations for @n items of which an invocation has @each, or
 * @each_software on a software device: at least one, and not more than @device has. */
guint gst_gles_frame_n_groups (
    GstGlesDevice *device, gsize n, guint invocations, guint each, guint each_software);

/* ---- what is kept of earlier frames ---- */

/* Whether the next frame has a reference: there was a frame since the plan was made or reset. */
GST_GLES_API gboolean gst_gles_frame_plan_has_reference (const GstGlesFramePlan *plan);
/* Forgets the reference. */
GST_GLES_API void gst_gles_frame_plan_reset (GstGlesFramePlan *plan);
/* Inside a submission: keeps a copy of the reference as it is before a run, for
 * gst_gles_frame_plan_restore(). Errors: NO_MEMORY, DEVICE_LOST. */
GST_GLES_API gboolean gst_gles_frame_plan_save (GstGlesFramePlan *plan, GError **error);
/* Brings the saved reference back, once for each time it was saved: the frame of that run can be
 * run again. */
GST_GLES_API void gst_gles_frame_plan_restore (GstGlesFramePlan *plan);

/* A picture that a native twin reads, which has planes, and the memory that the twin keeps from one
 * picture to the next. It allocates that where it is NULL; the owner releases it with g_free(). */
typedef struct {
  const GstGlesImage *image;
  guint8 **kept;   /* what the picture is compared with */
  guint8 **values; /* of expressions: the picture of values */
} GstGlesFrameNative;

/* Allocates *@host, of @bytes, unless it is there: (transfer full). Errors: NO_MEMORY. */
gboolean gst_gles_frame_make_kept (guint8 **host, gsize bytes, GError **error);

/* ---- samples ---- */

/* Whether luma of @format is computed from components of different depths, which are scaled to
 * 8 bits first. Alpha has no part in that. */
gboolean gst_gles_frame_scales_to_8 (const GstGlesImage *format);

/* A rectangle of luma positions of the stored picture. */
typedef struct {
  guint x, y, width, height;
} GstGlesFrameRegion;

/* Returns the samples of @c whose top-left luma positions are in @region, without spans. */
GstGlesCpuSamples gst_gles_frame_samples_in (
    const GstGlesComponent *c, const GstGlesFrameRegion *region);

/* Returns the first and the last visible samples of @c. A crop between two samples has the one
 * before it. */
GstGlesCpuEdges gst_gles_frame_visible (const GstGlesComponent *c, const GstGlesImage *image);

/* What one histogram or one comparison is of. */
typedef struct {
  const gchar *name;
  guint component; /* the first one */
  gboolean luma;   /* computed from it and the next two */
  guint depth;     /* bits of its values */
  /* set by gst_gles_frame_channels_init() */
  GstGlesCpuSamples samples;
  GstGlesCpuSpans *spans; /* of samples; NULL: there is no mask */
  guint64 n_samples;      /* in the region and the mask */
} GstGlesFrameChannel;

/* Returns a channel of @format. @channel: a component, or GST_GLES_FRAME_LUMA. */
GstGlesFrameChannel gst_gles_frame_channel (const GstGlesImage *format, gint channel);

/* Sets @channels, one for each component of @format or with @luma one for that, to what @region and
 * @mask (nullable) have of them. Returns their number. */
guint gst_gles_frame_channels_init (GstGlesFrameChannel *channels, const GstGlesImage *format,
    gboolean luma, const GstGlesFrameRegion *region, const GstGlesMaskBits *mask);
void gst_gles_frame_channels_clear (GstGlesFrameChannel *channels, guint n);

/* Returns the components of a channel. */
guint gst_gles_frame_channel_n_components (const GstGlesFrameChannel *channel);

/* Returns the samples of @image, which has planes, as native code reads them. */
GstGlesCpuChannel gst_gles_frame_channel_samples (
    const GstGlesFrameChannel *channel, const GstGlesImage *image);

/* Whether the samples of @c are bytes without gaps. */
gboolean gst_gles_frame_is_bytes (const GstGlesComponent *c);

/* Returns @picture, the layout of what a plan makes of images, with the crop of @image. */
GstGlesImage gst_gles_frame_with_crop (const GstGlesImage *picture, const GstGlesImage *image);

/* ---- bytes ---- */

/* A range of bytes of an image, in whole 16-byte rows. Rows after the end of a picture are padding
 * of its buffer. */
typedef struct {
  gsize from, to;
} GstGlesFrameRange;

/* Returns the bytes of the components of @format that are bits of @components. */
GstGlesFrameRange gst_gles_frame_used (const GstGlesImage *format, guint components);
/* Returns the end of the bytes of @range that @image has. */
gsize gst_gles_frame_used_end (const GstGlesFrameRange *range, GstGlesBuffer *image);
/* Returns the last word of @bytes, which kernels do not read beyond. */
guint32 gst_gles_frame_last_word (gsize bytes);
/* Returns the same of a whole buffer, which ends with a 16-byte row. */
guint32 gst_gles_frame_last_word_of (GstGlesBuffer *image);

G_END_DECLS

#endif
