/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What expressions on frames can name. */
#ifndef GST_GLES_EXPRESSION_NAMES_H
#define GST_GLES_EXPRESSION_NAMES_H

#include <gst/gles/expression/parser.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_PLACE_X,
  GST_GLES_PLACE_Y,
  GST_GLES_PLACE_WIDTH,
  GST_GLES_PLACE_HEIGHT,
  GST_GLES_PLACE_FRAME,
  GST_GLES_N_PLACES
} GstGlesPlace;

/* Those up to PLACE are samples; places follow. */
typedef enum {
  GST_GLES_NAME_Y,
  GST_GLES_NAME_U,
  GST_GLES_NAME_V,
  GST_GLES_NAME_R,
  GST_GLES_NAME_G,
  GST_GLES_NAME_B,
  GST_GLES_NAME_A,
  GST_GLES_NAME_LUMA,
  GST_GLES_NAME_HUE,
  GST_GLES_NAME_SATURATION,
  GST_GLES_NAME_UV_HUE,
  GST_GLES_NAME_UV_SATURATION,
  GST_GLES_NAME_LUMINANCE,
  GST_GLES_NAME_SATURATED_RED,
  GST_GLES_NAME_PLACE
} GstGlesName;

/* Names are in the order of GstGlesName, then of GstGlesPlace. */
extern const GstGlesVocabulary gst_gles_frame_vocabulary;

G_END_DECLS

#endif
