/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes of a frame as the mask of its points. */
#ifndef COMPACT_BOXES_H
#define COMPACT_BOXES_H

#include <gst/gles/core/mask.h>
#include <gst/gles/gl/image.h>

#include "../base/boxes.h"
#include "compact-settings.h"

G_BEGIN_DECLS

/* The boxes that were drawn last, for the streaming thread. All zero: none. */
typedef struct {
  UpstreamBoxes boxes;
  GstGlesMaskBits *bits;   /* inside of a box, and of the mask */
  GstGlesMaskBits *inside; /* the mask; nullable */
  GstGlesMaskPicture picture;
  gboolean has_warned;
} CompactBoxes;

/* Draws @boxes anew if they, @inside (nullable) or the size of @image have changed. Errors:
 * NO_MEMORY. */
gboolean compact_boxes_update (CompactBoxes *self, const UpstreamBoxes *boxes,
    GstGlesMaskBits *inside, const GstGlesImage *image, GError **error);
void compact_boxes_clear (CompactBoxes *self);

G_END_DECLS

#endif
