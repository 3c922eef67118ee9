/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The picture without its border, over several frames, by the rule of FFmpeg's filter cropdetect
 * (mode=black). Not installed. */
#ifndef GST_GLES_META_CROP_DETECT_H
#define GST_GLES_META_CROP_DETECT_H

#include <gst/gles/meta/crop.h>

G_BEGIN_DECLS

/* Options of the filter; gleshistogram has its limit. */
typedef struct {
  guint round; /* of width and height, which are multiples of it; 0 and 1 stand for 16, odd ones
                  for their double */
  guint skip;  /* the first frames that are ignored */
  guint reset; /* frames after which the search begins anew; 0: never */
} GstGlesCropOptions;

/* What was found up to a frame. All zero before the first one. */
typedef struct {
  guint width, height; /* of the pictures */
  gint64 frame;        /* since the search began */
  gint x1, y1, x2, y2; /* the first and last columns and rows that are brighter than the limit */
  gint x, y, w, h;     /* the same as a rectangle, rounded; w and h may be below 1 */
} GstGlesCropState;

/* Adds the next frame, of @width * @height pixels; another size begins anew. Returns FALSE where
 * the frame is one of the first that are ignored, and nothing is known. */
GST_GLES_API gboolean gst_gles_crop_detect_push (GstGlesCropState *state,
    const GstGlesCropOptions *options, const GstGlesCrop *crop, guint width, guint height);

G_END_DECLS

#endif
