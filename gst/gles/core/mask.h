/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Masks: which pixels of a frame count. Not installed. */
#ifndef GST_GLES_MASK_H
#define GST_GLES_MASK_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

/* The most vertices of all polygons together, and the largest side of a file. */
#define GST_GLES_MASK_MAX_VERTICES 4096
#define GST_GLES_MASK_MAX_SIDE 16384

/* A mask in shares of the frame, for frames of any size. Immutable; a reference may be taken and
 * dropped on any thread. */
typedef struct _GstGlesMask GstGlesMask;

/* Parses polygons, "x,y x,y x,y; !x,y x,y x,y": shares of the frame's width and height, from -10 to
 * 10, rounded to millionths. A polygon with a sign ! excludes. Later polygons win over earlier
 * ones; the first polygon begins with nothing included, or with all if every polygon excludes.
 * (transfer full). Errors: SETTINGS, which names the column and what was expected. */
GST_GLES_API GstGlesMask *gst_gles_mask_new (const gchar *text, GError **error);
/* Parses a PGM picture (P2 or P5, up to 16 bits): a pixel is included if its value is at least half
 * of the largest one. (transfer full). Errors: SETTINGS. */
GST_GLES_API GstGlesMask *gst_gles_mask_new_from_pgm (
    const guint8 *data, gsize size_bytes, GError **error);
GST_GLES_API GstGlesMask *gst_gles_mask_ref (GstGlesMask *mask);
/* NULL is safe. */
GST_GLES_API void gst_gles_mask_unref (GstGlesMask *mask);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesMask, gst_gles_mask_unref)

/* The mask of pictures of one size: a bit for each luma position of the stored picture, row by row,
 * the leftmost one in the lowest bit. Immutable but for the references. */
typedef struct _GstGlesMaskBits {
  gatomicrefcount references;
  guint width, height;
  guint row_words; /* 64-bit words of a row; what is beyond the picture is 0 */
  guint64 *bits;
} GstGlesMaskBits;

/* The size of a stored picture, and the rectangle of it that is visible. */
typedef struct {
  guint width, height;
  guint crop_x, crop_y, crop_width, crop_height;
} GstGlesMaskPicture;

/* Draws @mask over the visible pixels of @picture. Vertices are placed at the nearest 1/256 of a
 * pixel, floor (share * size * 256 + 1/2). A pixel is inside if its centre is, by the even-odd
 * rule; a centre on an edge belongs to the polygon on its right, or below. Hence polygons that
 * share an edge with the same two vertices neither overlap nor leave a gap. Pixel x of W takes the
 * pixel floor ((2 * x + 1) * w / (2 * W)) of a file that is w wide. (transfer full) (nullable):
 * NULL without memory. */
GST_GLES_API GstGlesMaskBits *gst_gles_mask_draw (
    const GstGlesMask *mask, const GstGlesMaskPicture *picture);

/* A box in pixels of the visible picture, beyond which it may reach. */
typedef struct {
  gint x, y, width, height;
} GstGlesMaskBox;

/* Draws what is inside of at least one of @n @boxes, and of @inside (nullable), which has the size
 * of @picture. (transfer full) (nullable): NULL without memory. */
GST_GLES_API GstGlesMaskBits *gst_gles_mask_draw_boxes (const GstGlesMaskBox *boxes, guint n,
    const GstGlesMaskBits *inside, const GstGlesMaskPicture *picture);
GST_GLES_API GstGlesMaskBits *gst_gles_mask_bits_ref (GstGlesMaskBits *bits);
/* NULL is safe. */
GST_GLES_API void gst_gles_mask_bits_unref (GstGlesMaskBits *bits);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesMaskBits, gst_gles_mask_bits_unref)

static inline gboolean
gst_gles_mask_bits_has (const GstGlesMaskBits *bits, guint x, guint y)
{
  return (bits->bits[(gsize) y * bits->row_words + x / 64] >> x % 64 & 1) != 0;
}

G_END_DECLS

#endif
