/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* mask-draw TEXT|FILE.pgm WIDTH HEIGHT [X Y W H]: prints the mask of a picture, for mask.py. */
#include <stdlib.h>

#include <gst/gles/core/mask.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesMask) mask = NULL;
  g_autoptr (GstGlesMaskBits) bits = NULL;
  guint n[6] = { 0 };

  for (gint i = 2; i < argc && i < 8; i++)
    n[i - 2] = (guint) atoi (argv[i]);
  if (argc == 4) {
    n[4] = n[0];
    n[5] = n[1];
  }
  if (g_str_has_suffix (argv[1], ".pgm")) {
    g_autofree gchar *data = NULL;
    gsize size;

    if (!g_file_get_contents (argv[1], &data, &size, NULL))
      return 1;
    mask = gst_gles_mask_new_from_pgm ((const guint8 *) data, size, &error);
  } else {
    mask = gst_gles_mask_new (argv[1], &error);
  }
  if (mask == NULL) {
    g_print ("%s\n", error->message);
    return 0;
  }
  bits = gst_gles_mask_draw (mask, &(GstGlesMaskPicture){ n[0], n[1], n[2], n[3], n[4], n[5] });
  for (guint y = 0; y < n[1]; y++) {
    for (guint x = 0; x < n[0]; x++)
      g_print ("%c", gst_gles_mask_bits_has (bits, x, y) ? '1' : '0');
    g_print ("\n");
  }
  return 0;
}
