/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws masks. Everything is an integer of 64 bits: a coordinate has at most 10 * 65536 * 256, so
 * that the product of two is below 2^57. */
#include "config.h"

#include <gst/gles/core/mask-private.h>

#include <string.h>

#define SUB 256 /* places of a pixel that a vertex can have */
#define MAX_PICTURE 65536

/* ---- objects ---- */

GstGlesMask *
gst_gles_mask_alloc (void)
{
  GstGlesMask *mask = g_new0 (GstGlesMask, 1);

  g_atomic_ref_count_init (&mask->references);
  mask->vertices = g_array_new (FALSE, FALSE, sizeof (GstGlesMaskVertex));
  mask->polygons = g_array_new (FALSE, FALSE, sizeof (GstGlesMaskPolygon));
  return mask;
}

GstGlesMask *
gst_gles_mask_ref (GstGlesMask *mask)
{
  g_atomic_ref_count_inc (&mask->references);
  return mask;
}

void
gst_gles_mask_unref (GstGlesMask *mask)
{
  if (mask == NULL || !g_atomic_ref_count_dec (&mask->references))
    return;
  g_array_unref (mask->vertices);
  g_array_unref (mask->polygons);
  g_free (mask->inside);
  g_free (mask);
}

GstGlesMaskBits *
gst_gles_mask_bits_ref (GstGlesMaskBits *bits)
{
  g_atomic_ref_count_inc (&bits->references);
  return bits;
}

void
gst_gles_mask_bits_unref (GstGlesMaskBits *bits)
{
  if (bits == NULL || !g_atomic_ref_count_dec (&bits->references))
    return;
  g_free (bits->bits);
  g_free (bits);
}

/* ---- drawing ---- */

/* The visible part of the picture. */
typedef struct {
  GstGlesMaskBits *bits;
  guint x, y, width, height;
} Canvas;

static gint64
floor_div (gint64 a, gint64 b)
{
  return a / b - (a % b < 0 ? 1 : 0);
}

/* Sets or clears the visible pixels from @first to before @end of a row. */
static void
fill (const Canvas *canvas, guint row, guint first, guint end, gboolean value)
{
  guint64 *words = canvas->bits->bits + (gsize) (canvas->y + row) * canvas->bits->row_words;

  for (guint x = canvas->x + first; x < canvas->x + end;) {
    const guint n = MIN (64 - x % 64, canvas->x + end - x);
    const guint64 some = (n < 64 ? ((guint64) 1 << n) - 1 : G_MAXUINT64) << x % 64;

    words[x / 64] = value ? words[x / 64] | some : words[x / 64] & ~some;
    x += n;
  }
}

static gint64
place (gint32 share, guint size)
{
  return floor_div ((gint64) share * size * SUB + GST_GLES_MASK_UNITS / 2, GST_GLES_MASK_UNITS);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  return *(const gint *) a - *(const gint *) b;
}

/* Finds the first pixels whose centres are at or to the right of each edge that crosses the centre
 * of @row. Returns how many there are, an even number. */
static guint
find_crossings (const gint64 *places, guint n, guint row, guint width, gint *crossings)
{
  const gint64 y = (gint64) row * SUB + SUB / 2;
  guint count = 0;

  for (guint i = 0; i < n; i++) {
    const gint64 *a = places + 2 * i, *b = places + 2 * ((i + 1) % n), *swap = a;
    gint64 height, first;

    if (a[1] > b[1]) {
      a = b;
      b = swap;
    }
    if (y < a[1] || y >= b[1])
      continue;
    height = b[1] - a[1];
    first = -floor_div (-((a[0] - SUB / 2) * height + (y - a[1]) * (b[0] - a[0])), SUB * height);
    crossings[count++] = (gint) CLAMP (first, 0, (gint64) width);
  }
  qsort (crossings, count, sizeof (gint), compare);
  return count;
}

static void
draw_polygon (const GstGlesMask *mask, const GstGlesMaskPolygon *polygon, const Canvas *canvas)
{
  g_autofree gint64 *places = g_new (gint64, 2 * polygon->n);
  g_autofree gint *crossings = g_new (gint, polygon->n);

  for (guint i = 0; i < polygon->n; i++) {
    const GstGlesMaskVertex *vertex =
        &g_array_index (mask->vertices, GstGlesMaskVertex, polygon->first + i);

    places[2 * i] = place (vertex->x, canvas->width);
    places[2 * i + 1] = place (vertex->y, canvas->height);
  }
  for (guint row = 0; row < canvas->height; row++) {
    const guint n = find_crossings (places, polygon->n, row, canvas->width, crossings);

    for (guint i = 0; i < n; i += 2)
      fill (canvas, row, (guint) crossings[i], (guint) crossings[i + 1], !polygon->excludes);
  }
}

static void
draw_polygons (const GstGlesMask *mask, const Canvas *canvas)
{
  gboolean all = TRUE;

  for (guint i = 0; i < mask->polygons->len; i++)
    all = all && g_array_index (mask->polygons, GstGlesMaskPolygon, i).excludes;
  for (guint row = 0; all && row < canvas->height; row++)
    fill (canvas, row, 0, canvas->width, TRUE);
  for (guint i = 0; i < mask->polygons->len; i++)
    draw_polygon (mask, &g_array_index (mask->polygons, GstGlesMaskPolygon, i), canvas);
}

static guint
nearest (guint at, guint size, guint of)
{
  return (guint) ((2 * (guint64) at + 1) * of / (2 * (guint64) size));
}

static void
draw_file (const GstGlesMask *mask, const Canvas *canvas)
{
  for (guint y = 0; y < canvas->height; y++) {
    const guint8 *row =
        mask->inside + (gsize) nearest (y, canvas->height, mask->height) * mask->width;

    for (guint x = 0; x < canvas->width; x++)
      if (row[nearest (x, canvas->width, mask->width)] != 0)
        fill (canvas, y, x, x + 1, TRUE);
  }
}

/* Returns bits that are all 0, or NULL without memory. */
static GstGlesMaskBits *
bits_new (guint width, guint height)
{
  GstGlesMaskBits *bits = g_new0 (GstGlesMaskBits, 1);

  g_atomic_ref_count_init (&bits->references);
  bits->width = width;
  bits->height = height;
  bits->row_words = (width + 63) / 64;
  bits->bits = g_try_malloc0_n (MAX ((gsize) bits->row_words * height, 1), sizeof (guint64));
  if (bits->bits == NULL)
    g_clear_pointer (&bits, g_free);
  return bits;
}

GstGlesMaskBits *
gst_gles_mask_draw (const GstGlesMask *mask, const GstGlesMaskPicture *picture)
{
  const GstGlesMaskPicture *p = picture;
  Canvas canvas = { NULL, p->crop_x, p->crop_y, p->crop_width, p->crop_height };

  g_return_val_if_fail (p->width <= MAX_PICTURE && p->height <= MAX_PICTURE, NULL);
  g_return_val_if_fail (p->crop_x <= p->width && p->crop_width <= p->width - p->crop_x, NULL);
  g_return_val_if_fail (p->crop_y <= p->height && p->crop_height <= p->height - p->crop_y, NULL);
  canvas.bits = bits_new (p->width, p->height);
  if (canvas.bits != NULL && mask->inside != NULL)
    draw_file (mask, &canvas);
  else if (canvas.bits != NULL)
    draw_polygons (mask, &canvas);
  return canvas.bits;
}

GstGlesMaskBits *
gst_gles_mask_draw_boxes (const GstGlesMaskBox *boxes, guint n, const GstGlesMaskBits *inside,
    const GstGlesMaskPicture *picture)
{
  const Canvas canvas = { bits_new (picture->width, picture->height), picture->crop_x,
    picture->crop_y, picture->crop_width, picture->crop_height };

  for (guint i = 0; canvas.bits != NULL && i < n; i++) {
    const gint64 left = MAX (boxes[i].x, 0), top = MAX (boxes[i].y, 0);
    const gint64 right = MIN ((gint64) boxes[i].x + boxes[i].width, canvas.width);
    const gint64 bottom = MIN ((gint64) boxes[i].y + boxes[i].height, canvas.height);

    for (gint64 y = top; left < right && y < bottom; y++)
      fill (&canvas, (guint) y, (guint) left, (guint) right, TRUE);
  }
  if (canvas.bits != NULL && inside != NULL) {
    for (gsize i = 0; i < (gsize) canvas.bits->row_words * picture->height; i++)
      canvas.bits->bits[i] &= inside->bits[i];
  }
  return canvas.bits;
}
