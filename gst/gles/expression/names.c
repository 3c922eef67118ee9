/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/expression/names.h>

static const gchar *const names[] = { "Y", "U", "V", "R", "G", "B", "A", "L", "hue", "sat", "uvhue",
  "uvsat", "lum", "red", "x", "y", "w", "h", "t" };

G_STATIC_ASSERT (G_N_ELEMENTS (names) == GST_GLES_NAME_PLACE + GST_GLES_N_PLACES);

const GstGlesVocabulary gst_gles_frame_vocabulary = { .names = names,
  .n_names = G_N_ELEMENTS (names),
  .n_samples = GST_GLES_NAME_PLACE,
  .has_depth = TRUE };
