/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Masks: two bytes that choose the size of a picture, then a text of polygons, or a PGM or PNG
 * picture.
 * What is parsed is drawn: nothing is included outside of the visible part, nor beyond a row. */
#include "fuzz.h"

#include <gst/gles/core/mask.h>

#include "base/mask-setting.h"

#define MAX_SIDE 80

static void
check_drawn (const GstGlesMask *mask, guint width, guint height)
{
  const guint x = width / 4, y = height / 4;
  g_autoptr (GstGlesMaskBits) bits = gst_gles_mask_draw (
      mask, &(GstGlesMaskPicture){ width, height, x, y, width / 2, height / 2 });

  fuzz_assert (bits != NULL && bits->row_words == (width + 63) / 64);
  for (guint row = 0; row < height; row++) {
    for (guint column = 0; column < bits->row_words * 64; column++) {
      const gboolean is_visible =
          column >= x && column < x + width / 2 && row >= y && row < y + height / 2;

      fuzz_assert (is_visible || !gst_gles_mask_bits_has (bits, column, row));
    }
  }
}

static void
check (const GstGlesMask *mask, const GError *error, const guint8 *size)
{
  if (mask == NULL)
    fuzz_assert (error != NULL && g_utf8_validate (error->message, -1, NULL));
  if (mask != NULL)
    check_drawn (mask, size[0] % MAX_SIDE, size[1] % MAX_SIDE);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree gchar *text = NULL;
  g_autoptr (GstGlesMask) polygons = NULL, pgm = NULL, png = NULL;
  g_autoptr (GError) of_text = NULL, of_pgm = NULL, of_png = NULL;

  fuzz_init ();
  if (size < 2)
    return 0;
  text = g_strndup ((const gchar *) data + 2, size - 2);
  polygons = gst_gles_mask_new (text, &of_text);
  check (polygons, of_text, data);
  pgm = gst_gles_mask_new_from_pgm (data + 2, size - 2, &of_pgm);
  check (pgm, of_pgm, data);
  png = mask_new_from_png (data + 2, size - 2, &of_png);
  check (png, of_png, data);
  return 0;
}
