/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of frame compaction inside the library. */
#ifndef GST_GLES_FRAME_COMPACT_PRIVATE_H
#define GST_GLES_FRAME_COMPACT_PRIVATE_H

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/core/mask.h>
#include <gst/gles/cpu/frame/frame-compact.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/program.h>
#include <glsl/compact/compact-layout.h>
#include <glsl/frame/frame-compact-layout.h>

G_BEGIN_DECLS

extern const GstGlesArrayTuning gst_gles_frame_compact_tuning[GST_GLES_N_CLASSES];

/* ACCESS of frame/frame-compact_tile.glsl */
typedef enum {
  GST_GLES_FRAME_ACCESS_ANY,     /* one sample per load */
  GST_GLES_FRAME_ACCESS_WORDS,   /* bytes: four neighbours per load, a row of the tile */
  GST_GLES_FRAME_ACCESS_AVERAGE, /* as ANY, and the reference is a word per sample */
  GST_GLES_FRAME_N_ACCESSES
} GstGlesFrameAccess;

/* The uniform block. */
typedef struct {
  GstGlesCompactPass pass;
  GstGlesFramePass frame;
  GstGlesComponent components[3];
} GstGlesFrameCompactParams;

struct _GstGlesFrameCompact {
  /* motion: buffers[0] has the component bytes of the previous frame, at the same offsets; those of
   * the background if each byte is a sample. buffers[1] has a word of the background per byte or
   * sample. */
  GstGlesFramePlan plan;
  GstGlesArray array;
  GstGlesFrameCompactConfig config;
  GstGlesFrameChannel channel;
  const GstGlesComponent *components; /* of the format */
  GstGlesFrameRange used;

  /* without and with a mask */
  GstGlesProgram *counting[2][GST_GLES_FRAME_N_ACCESSES], *scatter[2][GST_GLES_FRAME_N_ACCESSES],
      *look_back[2][GST_GLES_FRAME_N_ACCESSES];
  GstGlesMaskBits *mask;      /* of the last call with one */
  GstGlesBuffer *mask_buffer; /* the same on the device */

  GstGlesProgram *update;         /* of the reference; NULL: the frame is copied without a kernel */
  GstGlesCpuFrameCompact *native; /* nullable */
  GstGlesCpuFrameCompactCall native_call; /* that it listed last, which its write reads */
  /* how the last run was made */
  gboolean last_look_back;
  GstGlesFrameAccess last_access;
  GstGlesBufferPool *pool; /* of points; pool_bytes each */
  gsize pool_bytes;
  GstGlesBufferPool *counts_pool;
};

/* Builds the programs of look-back or of two passes for @access at first use. */
gboolean gst_gles_frame_compact_get_programs (GstGlesFrameCompact *compact, gboolean look_back,
    gboolean masked, GstGlesFrameAccess access, GError **error);
/* Returns the widest loads that the region allows, and converts params->frame to units of such
 * loads. */
GstGlesFrameAccess gst_gles_frame_compact_choose_access (const GstGlesFrameCompact *compact,
    const GstGlesCpuFrameCompactCall *native_call, GstGlesFrameCompactParams *params);

/* Whether the background is a picture of bytes. */
gboolean gst_gles_frame_compact_is_bytes (const GstGlesFrameCompact *compact);
/* On a device with GL: allocates the averages of a background, and dispatches the kernel that
 * updates the reference without work. */
gboolean gst_gles_frame_compact_prepare_reference (GstGlesFrameCompact *compact, GError **error);
/* Queues moving the averages towards @image, or keeping it. */
gboolean gst_gles_frame_compact_update_reference (
    GstGlesFrameCompact *compact, const GstGlesImage *image, guint adaptation, GError **error);
/* Calls @func for each program that a plan on any device can use. */
void gst_gles_frame_compact_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
