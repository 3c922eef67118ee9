/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesoverlay on frames whose memory layout differs from that of the caps: it draws on the frame or
 * reports what is wrong, and writes nothing else. */

#include <string.h>

#include "lines.h"
#include "results-samples.h"

#define WIDTH 20
#define HEIGHT 40
#define GUARD 4096
#define GUARD_BYTE 0x5a

typedef struct {
  const gchar *format;
  guint width, height; /* of the GstVideoMeta */
  gint strides[GST_VIDEO_MAX_PLANES];
  gsize offsets[GST_VIDEO_MAX_PLANES];
  gsize size; /* of the memory */
  gsize skip; /* bytes in front of the memory, which move its address */
  gboolean refused;
} Layout;

static const Layout layouts[] = {
  /* what decoders that pad their pictures make */
  { "P010_10LE", 176, 144, { 352, 352 }, { 0, 352 * 144 }, 352 * 216 },
  { "I420", 32, 48, { 32, 16, 16 }, { 0, 32 * 48, 40 * 48 }, 48 * 48 },
  { "RGBA", 64, 64, { 256 }, { 0 }, 256 * 64 },
  /* rows that do not begin where vectors of pixels want them to */
  { "RGBA", WIDTH, HEIGHT, { 81 }, { 0 }, 81 * HEIGHT },
  { "RGBA", WIDTH, HEIGHT, { 82 }, { 0 }, 82 * HEIGHT, 1 },
  { "AYUV", WIDTH, HEIGHT, { 80 }, { 3 }, 3 + 80 * HEIGHT },
  { "ARGB64", WIDTH, HEIGHT, { 164 }, { 0 }, 164 * HEIGHT },
  { "P010_10LE", WIDTH, HEIGHT, { 41, 41 }, { 0, 41 * HEIGHT }, 41 * HEIGHT * 3 / 2 },
  { "I420", WIDTH, HEIGHT, { 23, 11, 15 }, { 0, 1000, 1500 }, 1500 + 15 * HEIGHT / 2 },
  { "RGB", WIDTH, HEIGHT, { 61 }, { 1 }, 1 + 61 * HEIGHT },
  /* A meta whose rows are too short for its own width, but long enough for that of the caps. */
  { "P010_10LE", 176, HEIGHT, { 80, 80 }, { 0, 80 * HEIGHT }, 120 * HEIGHT },
  { "RGBA", 176, HEIGHT, { 80 }, { 0 }, 80 * HEIGHT },
  /* Rows that are shorter than the picture. */
  { "RGBA", 176, HEIGHT, { 76 }, { 0 }, 76 * HEIGHT, 0, TRUE },
  { "I420", 64, HEIGHT, { 19, 20, 20 }, { 0, 1000, 1500 }, 1900, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT, { -80 }, { 0 }, 8000, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT, { 0 }, { 0 }, 8000, 0, TRUE },
  /* memory that ends before the picture does */
  { "RGBA", WIDTH, HEIGHT, { 80 }, { 0 }, 80 * HEIGHT - 1, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT, { G_MAXINT }, { 0 }, 80 * HEIGHT, 0, TRUE },
  { "I420", WIDTH, HEIGHT, { 20, 10, 10 }, { 0, 800, 1001 }, 1200, 0, TRUE },
  { "I420", WIDTH, HEIGHT, { 20, 10, 10 }, { 0, 800, G_MAXSIZE - 16 }, 1200, 0, TRUE },
  /* smaller than the caps say */
  { "RGBA", WIDTH - 1, HEIGHT, { 80 }, { 0 }, 80 * HEIGHT, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT - 1, { 80 }, { 0 }, 8000, 0, TRUE },
};

/* Memory between two guards. */
typedef struct {
  guint8 *block, *memory;
  gsize skip, size;
} Guarded;

/* Fills the memory with bytes from @base on, and returns a buffer of it: (transfer full). */
static GstBuffer *
guarded_init (Guarded *guarded, gsize skip, gsize size, guint8 base)
{
  guarded->block = g_malloc (2 * GUARD + skip + size);
  guarded->memory = guarded->block + GUARD + skip;
  guarded->skip = skip;
  guarded->size = size;
  memset (guarded->block, GUARD_BYTE, 2 * GUARD + skip + size);
  for (gsize i = 0; i < size; i++)
    guarded->memory[i] = (guint8) (base + i % 16);
  return gst_buffer_new_wrapped_full (0, guarded->memory, size, 0, size, NULL, NULL);
}

/* Returns how many bytes changed, of those from @start to @end. */
static gsize
count_changed (const Guarded *guarded, gsize start, gsize end, guint8 base)
{
  gsize n = 0;

  for (gsize i = start; i < end; i++)
    n += guarded->memory[i] != (guint8) (base + i % 16) ? 1 : 0;
  return n;
}

/* Nothing was written outside. Frees the memory. */
static void
guarded_clear (Guarded *guarded, const gchar *name)
{
  for (gsize i = 0; i < GUARD + guarded->skip; i++)
    fail_unless (guarded->block[i] == GUARD_BYTE, "%s: a byte in front was written", name);
  for (gsize i = 0; i < GUARD; i++)
    fail_unless (guarded->memory[guarded->size + i] == GUARD_BYTE,
        "%s: byte %" G_GSIZE_FORMAT " behind it was written", name, i);
  g_free (guarded->block);
}

static void
add_meta (GstBuffer *buffer, const GstVideoInfo *info, guint width, guint height,
    const gsize *offsets, const gint *strides)
{
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
      width, height, GST_VIDEO_INFO_N_PLANES (info), (gsize *) offsets, (gint *) strides);
}

/* A point in every corner of a picture of WIDTH times @height, and one in the middle. */
static void
add_points (GstBuffer *buffer, guint height)
{
  const GstGlesPoint points[] = { { 0, 0, 1 }, { WIDTH - 1, 0, 1 }, { WIDTH / 2, height / 2, 1 },
    { 0, height - 1, 1 }, { WIDTH - 1, height - 1, 1 } };
  g_autoptr (GstGlesPointsResult) result =
      sample_points_new (WIDTH, height, points, G_N_ELEMENTS (points), G_N_ELEMENTS (points));

  gst_buffer_add_gles_points_meta (buffer, result);
}

/* Only time segments have a stream time; byte segments are drawn on without one. */
static TestStream *
new_chain (const gchar *properties, const gchar *format, const gchar *fields)
{
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw%s,format=%s,width=%d,height=%d,framerate=25/1", fields, format, WIDTH, HEIGHT);
  TestStream *chain = line_stream (caps, "glesoverlay %s", properties);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  test_stream_push_event (chain, gst_event_new_segment (&segment));
  return chain;
}

GST_START_TEST (test_draws_inside_the_frame)
{
  const Layout *layout = &layouts[__i__];
  TestStream *chain = new_chain ("labels=false", layout->format, "");
  GstBuffer *frame, *drawn;
  Guarded guarded;

  frame = guarded_init (&guarded, layout->skip, layout->size, 150);
  add_meta (frame, &chain->info, layout->width, layout->height, layout->offsets, layout->strides);
  add_points (frame, HEIGHT);
  /* twice: one warning */
  for (guint i = 0; i < 2; i++) {
    drawn = gst_harness_push_and_pull (chain->harness, gst_buffer_ref (frame));
    fail_unless (drawn != NULL);
    gst_buffer_unref (drawn);
  }
  fail_unless_equals_int (line_count (chain, GST_MESSAGE_WARNING), layout->refused);
  fail_unless_equals_uint64 (
      line_stat (chain, "glesoverlay", "skipped-bad"), layout->refused ? 2 : 0);
  line_set (chain, "glesoverlay", "on-bad-frame", "error");
  fail_unless_equals_int (
      gst_harness_push (chain->harness, frame), layout->refused ? GST_FLOW_ERROR : GST_FLOW_OK);
  fail_unless_equals_int (line_count (chain, GST_MESSAGE_ERROR), layout->refused);
  drawn = gst_harness_try_pull (chain->harness);
  fail_unless_equals_int (count_changed (&guarded, 0, guarded.size, 150) > 0, !layout->refused);
  gst_clear_buffer (&drawn);
  test_stream_free (chain);
  guarded_clear (&guarded, layout->format);
}

GST_END_TEST;

/* Draws on a field in a buffer of its own, which ends with its last line, and nowhere else. */
GST_START_TEST (test_draws_inside_a_field)
{
  static const gchar *const formats[] = { "I420", "RGBA", "v210", "P010_10LE" };
  TestStream *chain = new_chain (
      "labels=false", formats[__i__ / 2], "(format:Interlaced),interlace-mode=alternate");
  const gsize row = (gsize) GST_VIDEO_INFO_PLANE_STRIDE (&chain->info, 0);
  Guarded guarded;
  GstBuffer *field = guarded_init (&guarded, 0, chain->info.size, 0);

  if (__i__ % 2 == 1)
    add_meta (field, &chain->info, WIDTH, HEIGHT, chain->info.offset, chain->info.stride);
  GST_BUFFER_FLAG_SET (field, GST_VIDEO_BUFFER_FLAG_TOP_FIELD);
  add_points (field, HEIGHT / 2);
  field = test_stream_push (chain, field);
  fail_unless (count_changed (&guarded, 0, row, 0) > 0);
  fail_unless (count_changed (&guarded, row * (HEIGHT / 2 - 1), row * (HEIGHT / 2), 0) > 0);
  gst_buffer_unref (field);
  test_stream_free (chain);
  guarded_clear (&guarded, formats[__i__ / 2]);
}

GST_END_TEST;

/* Rows with an unusual layout get the same pixels as others. */
GST_START_TEST (test_odd_rows_get_the_same_pixels)
{
  static const gchar *const formats[] = { "RGBA", "ARGB64", "v216", "P010_10LE", "UYVY", "v210" };
  g_autoptr (TestStream) chain = new_chain ("", formats[__i__], "");
  const GstVideoInfo *info = &chain->info;
  const gint stride = GST_VIDEO_INFO_PLANE_STRIDE (info, 0);
  guint8 *rows[2] = { NULL, NULL };

  for (gint odd = 0; odd < 2; odd++) {
    const gint strides[4] = { stride + odd, GST_VIDEO_INFO_PLANE_STRIDE (info, 1) + odd };
    const gsize offsets[4] = { (gsize) odd, (gsize) (odd + strides[0] * HEIGHT) };
    GstBuffer *frame =
        gst_buffer_new_allocate (NULL, offsets[1] + (gsize) strides[0] * HEIGHT, NULL);

    gst_buffer_memset (frame, 0, 77, gst_buffer_get_size (frame));
    add_meta (frame, info, WIDTH, HEIGHT, offsets, strides);
    add_points (frame, HEIGHT);
    frame = test_stream_push (chain, frame);
    rows[odd] = g_malloc ((gsize) stride * HEIGHT);
    for (gsize y = 0; y < HEIGHT; y++)
      gst_buffer_extract (frame, offsets[0] + y * (gsize) strides[0],
          rows[odd] + y * (gsize) stride, (gsize) stride);
    gst_buffer_unref (frame);
  }
  fail_unless (memcmp (rows[0], rows[1], (gsize) stride * HEIGHT) == 0);
  g_free (rows[0]);
  g_free (rows[1]);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_draws_inside_the_frame, 0, G_N_ELEMENTS (layouts));
  tcase_add_loop_test (tcase, test_draws_inside_a_field, 0, 8);
  tcase_add_loop_test (tcase, test_odd_rows_get_the_same_pixels, 0, 6);
}

LINES_MAIN (add_tests)
