/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: of the words or bytes of a grid, or of cells that count
 * points. */
#ifndef GST_GLES_CPU_COMPONENTS_H
#define GST_GLES_CPU_COMPONENTS_H

#include <glib.h>
#include <glsl/components/components-layout.h>

G_BEGIN_DECLS

typedef struct {
  guint width, height;  /* the grid, in words, bytes or cells */
  gboolean bytes;       /* the input has u8 values, else u32 */
  gboolean diagonal;    /* 8-connected; else 4-connected */
  guint32 lower, upper; /* foreground: lower <= value <= upper */
  guint32 min_size;     /* in pixels; smaller components are left out */
  guint max_regions;    /* at most so many components are listed */
  guint frame_width;    /* points outside this frame are ignored */
  guint frame_height;
  guint cell_width, cell_height; /* points: size of a cell in pixels */
} GstGlesCpuComponents;

/* Bytes of scratch memory for a call; 0 if the size overflows. */
gsize gst_gles_cpu_components_scratch_bytes (
    guint width, guint height, guint max_regions, gboolean points);

/* Writes the records of the max_regions largest components to @regions, the largest first, equal
 * sizes in raster order of their first word. @input: width * height values, row by row.
 * @labels (nullable) receives, for each value, the raster index of the first of its component, or
 * GST_GLES_COMPONENTS_BACKGROUND. Returns the number of components of at least min_size. Uses the
 * shared pool. */
guint gst_gles_cpu_components (const GstGlesCpuComponents *config, gconstpointer input,
    guint32 *labels, GstGlesComponentRecord *regions, gpointer scratch);

/* The same for @n points { u16 x, u16 y, u32 value }: a cell is foreground if at least lower and
 * at most upper points lie in it. Sizes and records are those of points; record.first is the
 * raster index of the first cell. */
guint gst_gles_cpu_components_points (const GstGlesCpuComponents *config, const guint32 *points,
    gsize n, GstGlesComponentRecord *regions, gpointer scratch);

G_END_DECLS

#endif
