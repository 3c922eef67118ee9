/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_MASK_PRIVATE_H
#define GST_GLES_MASK_PRIVATE_H

#include <gst/gles/core/mask.h>

G_BEGIN_DECLS

#define GST_GLES_MASK_UNITS 1000000 /* of a share of 1 */

typedef struct {
  gint32 x, y; /* millionths */
} GstGlesMaskVertex;

typedef struct {
  guint first, n; /* of the vertices */
  gboolean excludes;
} GstGlesMaskPolygon;

struct _GstGlesMask {
  gatomicrefcount references;
  GArray *vertices, *polygons;
  guint width, height; /* of a file; 0: polygons */
  guint8 *inside;      /* a byte for each pixel of a file */
};

GstGlesMask *gst_gles_mask_alloc (void);

G_END_DECLS

#endif
