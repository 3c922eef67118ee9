/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words about luminance and red as the structure of the interface. */
#include <gst/gles/meta/flash.h>
#include <gst/gles/meta/histogram-info.h>

static GstGlesFlash *
gst_gles_flash_copy (const GstGlesFlash *flash)
{
  return g_memdup2 (flash, sizeof *flash);
}

static void
gst_gles_flash_free (GstGlesFlash *flash)
{
  g_free (flash);
}

G_DEFINE_BOXED_TYPE (GstGlesFlash, gst_gles_flash, gst_gles_flash_copy, gst_gles_flash_free)

gboolean
gst_gles_histogram_result_get_flash (
    GstGlesHistogramResult *result, GstGlesFlash *flash, GError **error)
{
  const guint32 *words;

  g_return_val_if_fail (result != NULL && flash != NULL, FALSE);

  words = gst_gles_histogram_result_peek_words (
      result, gst_gles_histogram_result_get_info (result)->flash_offset, error);
  if (words == NULL)
    return FALSE;
  *flash = (GstGlesFlash){ .luminance = words[0],
    .red = words[1],
    .luminance_changed = words[2],
    .red_changed = words[3],
    .n_samples = words[4],
    .compared = words[5] != 0 };
  return TRUE;
}
