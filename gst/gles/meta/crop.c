/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words about the border as the structure of the interface. */
#include <gst/gles/meta/crop.h>
#include <gst/gles/meta/histogram-info.h>

static GstGlesCrop *
gst_gles_crop_copy (const GstGlesCrop *crop)
{
  return g_memdup2 (crop, sizeof *crop);
}

static void
gst_gles_crop_free (GstGlesCrop *crop)
{
  g_free (crop);
}

G_DEFINE_BOXED_TYPE (GstGlesCrop, gst_gles_crop, gst_gles_crop_copy, gst_gles_crop_free)

gboolean
gst_gles_histogram_result_get_crop (
    GstGlesHistogramResult *result, GstGlesCrop *crop, GError **error)
{
  const GstGlesHistogramInfo *info;
  const guint32 *words;

  g_return_val_if_fail (result != NULL && crop != NULL, FALSE);

  info = gst_gles_histogram_result_get_info (result);
  words = gst_gles_histogram_result_peek_words (result, info->crop_offset, error);
  if (words == NULL)
    return FALSE;
  *crop = (GstGlesCrop){ -1, -1, (gint) words[3] - 1, (gint) words[1] - 1 };
  if (words[2] != 0)
    crop->left = (gint) (info->region_width - words[2]);
  if (words[0] != 0)
    crop->top = (gint) (info->region_height - words[0]);
  return TRUE;
}
