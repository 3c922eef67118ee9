/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connected components of a grid of words, or of the cells of a grid that points lie in. */
#ifndef GST_GLES_CPU_COMPONENTS_H
#define GST_GLES_CPU_COMPONENTS_H

#include <glib.h>
#include <components-layout.h>

G_BEGIN_DECLS

typedef struct {
  guint width, height;  /* of the grid, in words or cells */
  gboolean diagonal;    /* 8-connected; else 4-connected */
  guint32 lower, upper; /* foreground: lower <= word <= upper */
  guint32 min_size;     /* in pixels; smaller components are left out */
  guint max_regions;    /* most that are listed */
  guint frame_width;    /* points: the frame that they lie in; others are ignored */
  guint frame_height;
  guint cell_width, cell_height; /* points: pixels */
} GstGlesCpuComponents;

/* Bytes of scratch memory for a call; 0 when they do not fit gsize. */
gsize gst_gles_cpu_components_scratch_bytes (
    guint width, guint height, guint max_regions, gboolean points);

/* Lists components by size, the largest first, equal ones in raster order of their first word, in
 * @regions: as many as there are, at most max_regions. @labels (nullable) receives the place of the first
 * word of the component of each word, GST_GLES_COMPONENTS_BACKGROUND for background. Returns how many
 * components of at least min_size there are. */
guint gst_gles_cpu_components (const GstGlesCpuComponents *config, const guint32 *words,
    guint32 *labels, GstGlesComponentRecord *regions, gpointer scratch);

/* The same for the cells that at least lower and at most upper of @n points { u16 x, u16 y, u32 value } lie
 * in; size is the number of points, and the record is about them. first is the first cell. */
guint gst_gles_cpu_components_points (const GstGlesCpuComponents *config, const guint32 *points,
    gsize n, GstGlesComponentRecord *regions, gpointer scratch);

G_END_DECLS

#endif
