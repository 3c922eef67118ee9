/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_BOX_H
#define GST_GLES_META_BOX_H

#include <gst/gles/core/types.h>

G_BEGIN_DECLS

typedef struct _GstGlesBox GstGlesBox;

/**
 * GstGlesBox:
 * @x: left edge, in pixels of the frame
 * @y: top edge
 * @width: width in pixels
 * @height: height in pixels
 * @id: the id of the #GstVideoRegionOfInterestMeta or of the #GstAnalyticsODMtd
 * @type: what the box is of, such as "face"
 *
 * A box that elements upstream, such as detectors, put on a frame.
 *
 * Since: 0.1
 */
struct _GstGlesBox {
  guint x, y;
  guint width, height;
  gint id;
  const gchar *type;
};

G_END_DECLS

#endif
