/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>

#include "mask-setting.h"

#if HAVE_CAIRO
#include <cairo.h>
#include <string.h>

#define HEADER_BYTES 25 /* up to the depth */

typedef struct {
  const guint8 *at;
  gsize left;
} Reader;

static cairo_status_t
read_bytes (gpointer data, guchar *bytes, guint n)
{
  Reader *reader = data;

  if (n > reader->left)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (bytes, reader->at, n);
  reader->at += n;
  reader->left -= n;
  return CAIRO_STATUS_SUCCESS;
}

/* Returns @picture as a PGM picture of its luma: (transfer full) (nullable). */
static guint8 *
write_pgm (cairo_surface_t *picture, gsize *size_bytes)
{
  const guint width = (guint) cairo_image_surface_get_width (picture);
  const guint height = (guint) cairo_image_surface_get_height (picture);
  const guint8 *pixels = cairo_image_surface_get_data (picture);
  g_autofree gchar *header = g_strdup_printf ("P5 %u %u 255\n", width, height);
  const gsize start = strlen (header);
  guint8 *pgm = g_try_malloc (start + (gsize) width * height);

  if (pgm == NULL)
    return NULL;
  memcpy (pgm, header, start);
  *size_bytes = start + (gsize) width * height;
  for (guint y = 0; y < height; y++) {
    const guint8 *row = pixels + (gsize) y * cairo_image_surface_get_stride (picture);

    for (guint x = 0; x < width; x++) {
      guint32 pixel;

      memcpy (&pixel, row + (gsize) x * 4, sizeof (pixel));
      pgm[start + (gsize) y * width + x] =
          (54 * (pixel >> 16 & 255) + 183 * (pixel >> 8 & 255) + 19 * (pixel & 255)) >> 8;
    }
  }
  return pgm;
}

/* The number of 32 bits at any address. */
static guint32
get_number (const guint8 *bytes)
{
  guint32 number;

  memcpy (&number, bytes, sizeof number);
  return GUINT32_FROM_BE (number);
}

GstGlesMask *
mask_new_from_png (const guint8 *data, gsize size_bytes, GError **error)
{
  Reader reader = { data, size_bytes };
  cairo_surface_t *picture = NULL;
  g_autofree guint8 *pgm = NULL;
  gsize pgm_bytes = 0;

  /* of 16 bits a component, releases of cairo read different values */
  if (size_bytes >= HEADER_BYTES && data[24] <= 8 &&
      get_number (data + 16) <= GST_GLES_MASK_MAX_SIDE &&
      get_number (data + 20) <= GST_GLES_MASK_MAX_SIDE)
    picture = cairo_image_surface_create_from_png_stream (read_bytes, &reader);
  if (picture != NULL && cairo_surface_status (picture) == CAIRO_STATUS_SUCCESS &&
      (cairo_image_surface_get_format (picture) == CAIRO_FORMAT_RGB24 ||
          cairo_image_surface_get_format (picture) == CAIRO_FORMAT_ARGB32))
    pgm = write_pgm (picture, &pgm_bytes);
  g_clear_pointer (&picture, cairo_surface_destroy);
  if (pgm != NULL)
    return gst_gles_mask_new_from_pgm (pgm, pgm_bytes, error);
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "mask: not a whole PNG picture of up to 8 bits a component and 16384x16384 pixels");
  return NULL;
}
#else
GstGlesMask *
mask_new_from_png (const guint8 *data, gsize size_bytes, GError **error)
{
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "mask: this build reads no PNG pictures, as it has no cairo; use a PGM picture");
  return NULL;
}
#endif
