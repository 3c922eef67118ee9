/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pipeline that encodes JPEGs of single frames. */
#ifndef JPEG_H
#define JPEG_H

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _Jpeg Jpeg;

/* @width: of the pictures, in pixels. @quality: 1 to 100. */
Jpeg *jpeg_new (guint width, guint quality);
void jpeg_free (Jpeg *self);
/* A rectangle in a frame that is so large. */
typedef struct {
  guint x, y, width, height;
  guint of_width, of_height;
} JpegBox;

/* Has the next pictures show @box (nullable), in red. */
void jpeg_set_box (Jpeg *self, const JpegBox *box);
/* Returns a JPEG of @buffer, turned upright: (transfer full), or NULL if elements are missing or
 * the memory of @caps cannot be read. */
GBytes *jpeg_encode (
    Jpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation);
/* Returns a copy of @buffer, of the size that the JPEG will have, from which jpeg_encode() makes
 * the same picture: (transfer full) (nullable). NULL: the memory of @caps or their format would
 * take long to read. */
GstSample *jpeg_shrink (
    Jpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation);
/* Returns whether width and height change places when the picture is turned upright. */
gboolean jpeg_is_sideways (GstVideoOrientationMethod orientation);

G_END_DECLS

#endif
