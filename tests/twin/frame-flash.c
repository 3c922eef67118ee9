/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Luminance and saturated red of frames: the kernel against the native twin, bit for bit, and the
 * twin against a plain loop with floating point on pictures of red, green and blue. */
#include <math.h>
#include <string.h>

#include <gst/gles/algo/frame/frame-flash.h>

#include "array-cases.h"
#include "frame-cases.h"

#define OFFSET 8
#define WORDS GST_GLES_FRAME_FLASH_WORDS

static guint32
light_of (guint code)
{
  const gdouble share = code / 255.0;

  return (guint32) floor (
      65535.0 * (share <= 0.04045 ? share / 12.92 : pow ((share + 0.055) / 1.055, 2.4)) + 0.5);
}

/* The light of red, green or blue of a picture that stores them with 8 bits. */
static guint32
light_at (const GstGlesImage *host, const gchar *name, guint x, guint y)
{
  for (guint i = 0; i < host->n_components; i++) {
    if (strcmp (host->names[i], name) == 0)
      return light_of (picture_value (host, i, FALSE, x, y));
  }
  g_assert_not_reached ();
}

/* What the row should say of @host, whose values replace those of the picture before. */
static void
expect (const GstGlesImage *host, const GstGlesFrameRegion *region, GArray *before, guint32 *row)
{
  const guint left = region->x / 4 * 4, top = region->y / 4 * 4;
  const guint right = region->x + region->width, bottom = region->y + region->height;
  const gboolean compared = before->len > 0;
  guint step = 1, n = 0;

  while (((right - left + step - 1) / step) * ((bottom - top + step - 1) / step) > 32768)
    step *= 2;
  memset (row, 0, WORDS * sizeof (guint32));
  for (guint y = top; y < bottom; y += step) {
    for (guint x = left; x < right; x += step, n++) {
      const guint32 r = light_at (host, "R", x, y), g = light_at (host, "G", x, y);
      const guint32 b = light_at (host, "B", x, y);
      const guint32 luminance = (13933 * r + 46871 * g + 4732 * b + 32768) >> 16;
      const guint32 values[2] = { luminance, r >= 4 * (g + b) ? r - g - b : 0 };

      for (guint i = 0; i < 2; i++) {
        row[i] += values[i];
        if (!compared)
          g_array_append_val (before, values[i]);
        row[2 + i] += g_array_index (before, guint32, 2 * n + i) != values[i];
        g_array_index (before, guint32, 2 * n + i) = values[i];
      }
    }
  }
  row[4] = n;
  row[5] = compared;
}

static void
run (GstGlesFrameFlash *flash, const Picture *picture, GstGlesBuffer *counts, const guint32 *want,
    const gchar *where)
{
  guint32 words[OFFSET + WORDS];
  GError *error = NULL;

  array_spoil (counts);
  assert_ok (gst_gles_frame_flash_run (flash, picture_input (picture), counts, OFFSET, &error));
  memset (words, 0xa5, 4 * OFFSET); /* as the rest that must stay */
  memcpy (words + OFFSET, want, 4 * WORDS);
  array_check (counts, words, OFFSET + WORDS, where);
}

/* Pictures in a row, of which some differ in few samples or in none; then from the start. */
static void
check (Picture *picture, const GstGlesFrameRegion *region, gboolean plain, const gchar *where)
{
  static const struct {
    Content content;
    guint seed, changed; /* bytes that become others */
  } frames[] = { { CONTENT_NOISE, 1, 0 }, { CONTENT_NOISE, 1, 3 }, { CONTENT_NOISE, 1, 3 },
    { CONTENT_MAX, 1, 0 }, { CONTENT_ZEROS, 1, 0 }, { CONTENT_SLOPE, 2, 0 },
    { CONTENT_TWO_VALUES, 3, 0 } };
  g_autoptr (GstGlesBuffer) counts = array_buffer (OFFSET + WORDS);
  g_autoptr (GstGlesFrameFlash) flash = NULL;
  GError *error = NULL;

  flash = gst_gles_frame_flash_new (array_test.queue, picture_input (picture), region, &error);
  g_assert_no_error (error);
  for (guint round = 0; round < 2; round++) {
    g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (guint32));
    g_autofree guint8 *kept = NULL;

    for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
      guint32 twin[WORDS], wanted[WORDS];

      picture_fill (picture, frames[i].content, frames[i].seed);
      for (guint k = 0; k < frames[i].changed; k++)
        picture->memory[(k * 37) % picture->size_bytes] ^= 0x80;
      picture_upload (picture);
      g_assert_true (gst_gles_frame_flash_run_native (flash, &picture->host, &kept, twin, NULL));
      if (plain) {
        expect (&picture->host, region, before, wanted);
        if (memcmp (twin, wanted, sizeof twin) != 0)
          g_error ("%s frame %u: the twin has %u %u, %u %u of %u, a plain loop %u %u, %u %u of %u",
              where, i, twin[0], twin[1], twin[2], twin[3], twin[4], wanted[0], wanted[1],
              wanted[2], wanted[3], wanted[4]);
      }
      run (flash, picture, counts, twin, where);
    }
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (flash));
  }
}

static void
check_format (GstVideoFormat format, gboolean plain, gboolean few)
{
  static const struct {
    guint width, height;
    GstGlesFrameRegion region;
  } shapes[] = { { 37, 23, { 5, 3, 17, 19 } }, { 517, 111, { 4, 0, 500, 111 } },
    { 1, 1, { 0, 0, 1, 1 } }, { 64, 32, { 0, 0, 64, 32 } }, { 640, 362, { 1, 1, 637, 361 } } };

  for (guint i = 0; i < (few ? 2 : G_N_ELEMENTS (shapes)); i++) {
    g_autofree gchar *where = NULL;
    Picture picture;

    picture_init (
        &picture, format, shapes[i].width, shapes[i].height, i % 2 == 0 ? STAGED : UNALIGNED);
    where = g_strdup_printf ("%s shape %u", picture.name, i);
    g_test_message ("%s", where);
    check (&picture, &shapes[i].region, plain, where);
    picture_clear (&picture);
  }
}

static void
test_formats (void)
{
  for (guint i = 0; i < n_basic_formats; i++)
    check_format (formats[i], FALSE, formats[i] != GST_VIDEO_FORMAT_I420);
}

static void
test_plain (void)
{
  check_format (GST_VIDEO_FORMAT_RGB, TRUE, FALSE);
  check_format (GST_VIDEO_FORMAT_BGRx, TRUE, FALSE);
  check_format (GST_VIDEO_FORMAT_GBR, TRUE, TRUE);
}

static void
add (void)
{
  g_test_add_func ("/frame-flash/plain", test_plain);
  g_test_add_func ("/frame-flash/formats", test_formats);
}

ARRAY_TEST_MAIN (NULL, add)
