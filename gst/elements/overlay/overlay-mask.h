/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What lies outside of a mask, drawn dim. */
#ifndef GST_GLES_OVERLAY_MASK_H
#define GST_GLES_OVERLAY_MASK_H

#include "../base/mask-setting.h"
#include "overlay-layer.h"

G_BEGIN_DECLS

/* All zero: no mask. */
typedef struct {
  MaskSetting setting; /* protected by the object lock */

  /* used on the streaming thread only: */
  MaskInput input;
  GstGlesMaskBits *drawn;              /* that the rectangle is of */
  gdouble opacity;                     /* of the rectangle */
  GstVideoOverlayRectangle *rectangle; /* nullable */
} OverlayMask;

/* Takes the mask of @object for frames of the size of @look, and sets its rectangle there, which
 * lives until the next call; it is drawn anew only if something has changed. Errors: NO_MEMORY. */
gboolean overlay_mask_take (
    OverlayMask *mask, GstObject *object, OverlayLook *look, GError **error);
void overlay_mask_clear (OverlayMask *mask);

G_END_DECLS

#endif
