/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the library itself may know of frame compaction. */
#ifndef GST_GLES_FRAME_COMPACT_PRIVATE_H
#define GST_GLES_FRAME_COMPACT_PRIVATE_H

#include <gst/gles/algo/array.h>
#include <gst/gles/algo/frame-compact.h>
#include <gst/gles/cpu/frame-compact.h>
#include <gst/gles/gl/program.h>
#include <layout.h>

G_BEGIN_DECLS

/* ACCESS of lib/frame_tile.glsl */
typedef enum {
  GST_GLES_FRAME_ACCESS_ANY,   /* a sample at a time */
  GST_GLES_FRAME_ACCESS_WORDS, /* bytes side by side: four to a row of the tile, by one load */
  /* ... sixteen, as texels, where an invocation has a tile of them to itself (lib/frame_wide.glsl) */
  GST_GLES_FRAME_ACCESS_WIDE,
  GST_GLES_FRAME_N_ACCESSES
} GstGlesFrameAccess;

/* The uniform block. */
typedef struct {
  GstGlesArrayPass pass;
  GstGlesFramePass frame;
  GstGlesComponent components[3];
} GstGlesFrameCompactParams;

struct _GstGlesFrameCompact {
  GstGlesArray array;
  GstGlesFrameCompactConfig config;
  GstGlesImage format;
  gboolean matrix;
  guint n_components;
  const GstGlesComponent *components; /* of format */

  GstGlesProgram *counting[GST_GLES_FRAME_N_ACCESSES], *scatter[GST_GLES_FRAME_N_ACCESSES],
      *look_back[GST_GLES_FRAME_N_ACCESSES];

  /* motion: the components' bytes of the frame before, where they were */
  GstGlesBuffer *previous;
  gsize kept_from, kept_to;
  gboolean has_previous;
  guint8 *kept; /* on a cpu device */
};

/* The program of @kernel for the shape, made when it is first asked for. */
gboolean gst_gles_frame_compact_get_program (GstGlesFrameCompact *compact,
    GstGlesProgram **programs, const GstGlesShape *shape, const gchar *kernel,
    GstGlesFrameAccess access, GError **error);
/* The widest loads that the region allows; params->frame is made to count in them. */
GstGlesFrameAccess gst_gles_frame_compact_choose_access (const GstGlesFrameCompact *compact,
    const GstGlesShape *shape, const GstGlesImage *image, const GstGlesCpuFrame *frame,
    GstGlesFrameCompactParams *params);

/* Calls @func for every program that a plan on any device can ask for. */
void gst_gles_frame_compact_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
