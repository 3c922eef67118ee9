/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "compact-boxes.h"

#include <string.h>

#include <gst/gles/core/error.h>

static gboolean
same_boxes (const UpstreamBoxes *a, const UpstreamBoxes *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++) {
    if (a->box[i].x != b->box[i].x || a->box[i].y != b->box[i].y ||
        a->box[i].width != b->box[i].width || a->box[i].height != b->box[i].height)
      return FALSE;
  }
  return TRUE;
}

static GstGlesMaskBits *
draw (const UpstreamBoxes *boxes, const GstGlesMaskBits *inside, const GstGlesMaskPicture *picture)
{
  GstGlesMaskBox drawn[BOXES_MAX];

  for (guint i = 0; i < boxes->n; i++) {
    const UpstreamBox *box = &boxes->box[i];

    drawn[i] = (GstGlesMaskBox){ box->x, box->y, box->width, box->height };
  }
  return gst_gles_mask_draw_boxes (drawn, boxes->n, inside, picture);
}

gboolean
compact_boxes_update (CompactBoxes *self, const UpstreamBoxes *boxes, GstGlesMaskBits *inside,
    const GstGlesImage *image, GError **error)
{
  const GstGlesMaskPicture picture = { image->width, image->height, image->crop_x, image->crop_y,
    image->crop_width, image->crop_height };

  if (self->bits != NULL && self->inside == inside && same_boxes (&self->boxes, boxes) &&
      memcmp (&self->picture, &picture, sizeof (picture)) == 0)
    return TRUE;
  gst_gles_mask_bits_unref (self->bits);
  gst_gles_mask_bits_unref (self->inside);
  self->boxes = *boxes;
  self->inside = inside != NULL ? gst_gles_mask_bits_ref (inside) : NULL;
  self->picture = picture;
  self->bits = draw (boxes, inside, &picture);
  if (self->bits != NULL)
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
      "there is no memory for the boxes of a frame");
  return FALSE;
}

void
compact_boxes_clear (CompactBoxes *self)
{
  g_clear_pointer (&self->bits, gst_gles_mask_bits_unref);
  g_clear_pointer (&self->inside, gst_gles_mask_bits_unref);
}
