/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expressions in glescompact and gleshistogram on a stream: against a plain loop; what they compare
 * frames with; settings, tags and formats that change; the elements behind. */
#include "lines.h"

#include <math.h>
#include <string.h>

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>

#include "compilations.h"

#define WIDTH 67
#define HEIGHT 41
#define CAPS_OF(format) "video/x-raw,format=" format ",width=67,height=41,framerate="
#define CAPS CAPS_OF ("I420") "25/1"
static const gchar *const formats[] = { CAPS, CAPS_OF ("NV12") "25/1", CAPS_OF ("NV12") "50/1" };
#define POINTS "glescompact validate=true predicate=expression "

/* Samples of YUV with 8 bits, of chroma where luma has them. */
typedef struct {
  gint samples[3][HEIGHT][WIDTH];
} Picture;

/* The value for a sample; @before: the picture that it is compared with. */
typedef gint (*Formula) (const Picture *now, const Picture *before, guint x, guint y);

#define SAMPLE(picture, component) ((picture)->samples[component][y][x])

static void
read_picture (TestStream *stream, GstBuffer *buffer, Picture *picture)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, &stream->info, buffer, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&frame); c++) {
    const guint8 *data = GST_VIDEO_FRAME_COMP_DATA (&frame, c);
    const gint step = GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c);
    const gint stride = GST_VIDEO_FRAME_COMP_STRIDE (&frame, c);
    const gint shift = c > 0 ? 1 : 0;

    for (gint y = 0; y < HEIGHT; y++) {
      for (gint x = 0; x < WIDTH; x++)
        picture->samples[c][y][x] = data[(y >> shift) * stride + (x >> shift) * step];
    }
  }
  gst_video_frame_unmap (&frame);
}

/* ---- points against a plain loop ---- */

typedef struct {
  guint x, y, width, height;
} Region;

static const Region everything = { 0, 0, WIDTH, HEIGHT };

/* Asserts that the points of @buffer are those where @passes is not 0, with @value. */
static void
check_points (GstBuffer *buffer, const Picture *now, const Picture *before, Formula passes,
    Formula value, const Region *region)
{
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (buffer);
  const GstGlesPoint *points;
  guint n, at = 0;

  points = gst_gles_points_result_get_points (result, &n, NULL);
  fail_unless (points != NULL);
  for (guint y = region->y; y < region->y + region->height; y++) {
    for (guint x = region->x; x < region->x + region->width; x++) {
      if (passes (now, before, x, y) == 0)
        continue;
      fail_unless (at < n && points[at].x == x && points[at].y == y &&
              points[at].value == (guint32) value (now, before, x, y),
          "point %u of %u is not at %u, %u", at, n, x, y);
      at++;
    }
  }
  fail_unless_equals_int (at, n);
}

/* Returns the counts of the expression's values, below @size: (transfer none). */
static const guint32 *
get_counts (GstGlesHistogramResult *result, guint size)
{
  const guint channel = gst_gles_histogram_result_get_n_channels (result) - 1;
  const guint32 *counts;
  guint n;

  counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);
  fail_unless (counts != NULL);
  fail_unless_equals_int (n, size);
  return counts;
}

/* Asserts that the counts on @buffer are those of @formula, below @size, at most 512. */
static void
check_values (
    GstBuffer *buffer, const Picture *now, const Picture *before, Formula formula, guint size)
{
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (buffer);
  guint32 wanted[512] = { 0 };

  for (guint y = 0; y < HEIGHT; y++) {
    for (guint x = 0; x < WIDTH; x++)
      wanted[formula (now, before, x, y)]++;
  }
  fail_unless (memcmp (get_counts (result, size), wanted, size * sizeof (guint32)) == 0);
}

static gint
is_bright (const Picture *now, const Picture *before, guint x, guint y)
{
  return SAMPLE (now, 0) + (gint) x > 100;
}

static gint
negative_value (const Picture *now, const Picture *before, guint x, guint y)
{
  return MAX (SAMPLE (now, 0), SAMPLE (now, 1)) * 1000 - SAMPLE (now, 2) * 1003 - (gint) y;
}

static gint
difference (const Picture *now, const Picture *before, guint x, guint y)
{
  return SAMPLE (now, 0) - SAMPLE (now, 1);
}

/* What a point carries: `value`, else what the expression has, also if that is negative. */
GST_START_TEST (test_values)
{
  static const struct {
    const gchar *settings;
    Formula passes, value;
    Region region;
  } cases[] = {
    { "expression=\"Y + x > 100\" value=\"max(Y, U) * 1000 - V * $v - y\" parameters=v=1003",
        is_bright, negative_value, { 0, 0, WIDTH, HEIGHT } },
    { "expression=\"Y + x > 100\" value=\"Y - U\" region=\"4,2,50,30\"", is_bright, difference,
        { 4, 2, 50, 30 } },
    { "expression=\"Y - U\"", difference, difference, { 0, 0, WIDTH, HEIGHT } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestStream) stream = line_stream (NULL, POINTS "%s", cases[i].settings);

    for (guint frame = 0; frame < 4; frame++) {
      g_autoptr (GstBuffer) out = NULL;
      Picture picture;

      line_set_caps (stream, formats[frame / 2]);
      out = test_stream_push_noise (stream, frame);
      read_picture (stream, out, &picture);
      check_points (out, &picture, NULL, cases[i].passes, cases[i].value, &cases[i].region);
    }
  }
}

GST_END_TEST;

/* ---- settings from another thread ---- */

typedef struct {
  GstElement *element;
  const gchar *property, *format; /* of a value with a number */
  guint n;                        /* numbers, from 1 on */
  gint stop;                      /* atomic */
} Changer;

static gpointer
change_until_told (gpointer data)
{
  Changer *changer = data;

  for (guint i = 0; !g_atomic_int_get (&changer->stop); i++) {
    g_autofree gchar *number = g_strdup_printf ("%u", 1 + i % changer->n);
    g_auto (GStrv) parts = g_strsplit (changer->format, "#", -1);
    g_autofree gchar *value = g_strjoinv (number, parts);

    g_object_set (changer->element, changer->property, value, NULL);
    g_usleep (i % 3 * 100);
  }
  return NULL;
}

/* Pushes a frame. Returns the value that all its samples have. */
static guint
push_for_value (TestStream *stream, guint seed)
{
  g_autoptr (GstBuffer) out = test_stream_push_noise (stream, seed);
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (out);
  g_autoptr (GstGlesHistogramResult) histogram = gst_gles_histogram_result_from_buffer (out);
  const GstGlesPoint *points;
  const guint32 *counts;
  guint n, found = 0;

  if (result == NULL) {
    counts = get_counts (histogram, 256);
    while (counts[found] == 0)
      found++;
    fail_unless_equals_int (counts[found], WIDTH * HEIGHT);
    return found;
  }
  points = gst_gles_points_result_get_points (result, &n, NULL);
  fail_unless_equals_int (n, WIDTH * HEIGHT);
  for (guint i = 0; i < n; i++)
    fail_unless_equals_int (points[i].value, points[0].value);
  return points[0].value;
}

/* All samples of a frame have the value of one number. Of two moments, parameters would give no
 * point, or the value 0. The driver gets nothing to compile for them, as it does for a new text. */
GST_START_TEST (test_settings_are_of_one_moment)
{
  static const struct {
    const gchar *factory, *line, *property, *format;
    guint n;
  } cases[] = {
    { "glescompact", "predicate=expression expression=\"$a == $b\" value=$a", "parameters",
        "a=#,b=#", 250 },
    { "gleshistogram", "expression=\"$a == $b ? $a : 0\"", "parameters", "a=#,b=#", 250 },
    { "glescompact", "predicate=expression expression=1", "expression", "# + isqrt(Y * Y) - Y", 4 },
    { "gleshistogram", "expression=1", "expression", "# + Y - isqrt(Y * Y)", 4 },
  };
  const guint k = (guint) __i__, n_seen = MIN (cases[k].n, 12);
  g_autoptr (TestStream) stream =
      line_stream (CAPS, "%s %s parameters=\"a=1,b=1\"", cases[k].factory, cases[k].line);
  g_autoptr (GstElement) element = gst_harness_find_element (stream->harness, cases[k].factory);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Changer changer = { element, cases[k].property, cases[k].format, cases[k].n, FALSE };
  GThread *thread;

  fail_unless_equals_int (push_for_value (stream, 0), 1);
  compilations_reset ();
  thread = g_thread_new ("changer", change_until_told, &changer);
  for (guint i = 0; i < 60 || g_hash_table_size (seen) < n_seen; i++) {
    const guint value = push_for_value (stream, i);

    fail_unless (value > 0 && value <= cases[k].n);
    g_hash_table_add (seen, GUINT_TO_POINTER (value));
  }
  g_atomic_int_set (&changer.stop, TRUE);
  g_thread_join (thread);
  fail_unless_equals_int (
      g_atomic_int_get (&n_compilations) > 0, cases[k].n == 4 && !test_device_is_cpu ());
}

GST_END_TEST;

/* ---- earlier frames ---- */

typedef enum {
  NEXT,   /* a frame that follows */
  BAD,    /* a frame that is too short comes before */
  FLUSH,  /* a flush comes before */
  JUMP,   /* a discontinuity: glescompact alone starts anew */
  FORMAT, /* other caps */
} Happens;

/* Pushes a frame. Returns whether there is nothing that it can be compared with. */
static gboolean
push_after (TestStream *stream, Happens what, guint i, GstBuffer **out)
{
  GstBuffer *frame;

  if (what == FLUSH)
    test_stream_flush (stream);
  if (what == FORMAT)
    line_set_caps (stream, formats[i % G_N_ELEMENTS (formats)]);
  frame = test_frame_noise (&stream->info, i);
  if (what == BAD) {
    gst_buffer_unref (test_stream_push (
        stream, gst_buffer_copy_region (frame, GST_BUFFER_COPY_ALL, 0, stream->info.size - 1)));
  } else if (what == JUMP) {
    stream->n_pushed += 2 * GST_SECOND / TEST_FRAME_DURATION;
    GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  }
  *out = test_stream_push (stream, frame);
  return what >= FLUSH;
}

/* A frame is compared with the last good one, if that has the same caps, also the same rate. */
static const Happens story[] = { FORMAT, NEXT, NEXT, BAD, NEXT, FLUSH, NEXT, BAD, FORMAT, NEXT,
  FORMAT, NEXT, JUMP, NEXT, NEXT };

static gint
both (const Picture *now, const Picture *before, guint x, guint y)
{
  return SAMPLE (before, 0) * 65536 + SAMPLE (before, 1) * 256 + SAMPLE (now, 0);
}

static gint
brighter (const Picture *now, const Picture *before, guint x, guint y)
{
  return 256 + SAMPLE (now, 0) - SAMPLE (before, 0);
}

GST_START_TEST (test_previous_frames)
{
  g_autoptr (TestStream) stream = line_stream (CAPS,
      POINTS "expression=\"256 + Y - prev.Y\" value=\"prev.Y << 16 | prev.U << 8 | Y\" ! "
             "gleshistogram validate=true expression=\"256 + Y - prev.Y\" expression-range=0,511");
  Picture before, now;

  for (guint i = 0; i < G_N_ELEMENTS (story); i++) {
    g_autoptr (GstBuffer) out = NULL;
    const gboolean is_first = push_after (stream, story[i], i, &out);

    read_picture (stream, out, &now);
    check_points (out, &now, is_first ? &now : &before, brighter, both, &everything);
    check_values (out, &now, is_first && story[i] != JUMP ? &now : &before, brighter, 512);
    before = now;
  }
  fail_unless_equals_uint64 (line_stat (stream, "glescompact", "skipped-bad"), 2);
  fail_unless_equals_uint64 (line_stat (stream, "gleshistogram", "skipped-bad"), 2);
}

GST_END_TEST;

/* Pushes frames, or fields, and expects the same points from both glescompact. */
static void
check_same_points (TestStream *stream, gboolean fields)
{
  gsize n_bytes = 0;

  for (guint i = 0; i < 12; i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i % 7);
    g_autoptr (GstBuffer) out = NULL;
    g_autoptr (GBytes) motion = NULL, expression = NULL;
    gpointer state = NULL;
    GstMeta *meta;

    if (fields)
      GST_BUFFER_FLAG_SET (
          frame, i % 2 == 0 ? GST_VIDEO_BUFFER_FLAG_TOP_FIELD : GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD);
    if (i == 8)
      test_stream_flush (stream);
    out = test_stream_push (stream, frame);
    meta = gst_buffer_iterate_meta_filtered (out, &state, GST_GLES_POINTS_META_API_TYPE);
    motion = gst_gles_points_result_get_bytes (((GstGlesPointsMeta *) meta)->result, NULL);
    meta = gst_buffer_iterate_meta_filtered (out, &state, GST_GLES_POINTS_META_API_TYPE);
    expression = gst_gles_points_result_get_bytes (((GstGlesPointsMeta *) meta)->result, NULL);
    fail_unless (g_bytes_equal (motion, expression), "frame %u", i);
    n_bytes += g_bytes_get_size (motion);
  }
  fail_unless (n_bytes > 1000 * sizeof (GstGlesPoint));
}

GST_START_TEST (test_as_motion)
{
  static const gchar *const fields =
      "video/x-raw(format:Interlaced),format=I420,width=64,height=48,framerate=25/1,"
      "interlace-mode=alternate";
  static const struct {
    const gchar *caps, *channel, *name;
  } cases[] = { { CAPS, "luma", "Y" }, { CAPS, "U", "U" }, { CAPS_OF ("NV12") "25/1", "V", "V" },
    { CAPS_OF ("GRAY8") "25/1", "Y", "L" }, { CAPS_OF ("I420_10LE") "25/1", "luma", "L" },
    { CAPS_OF ("GRAY16_LE") "25/1", "Y", "Y" }, { CAPS_OF ("BGRA") "25/1", "G", "G" },
    { fields, "luma", "Y" } };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    const guint k = i / 2;
    const gchar *of = i % 2 == 0 ? "bg" : "prev", *name = cases[k].name;
    g_autoptr (TestStream) stream = line_stream (cases[k].caps,
        "glescompact predicate=motion unit=code lower=31 channel=%s adaptation=7 reference=%s "
        "! " POINTS "adaptation=7 expression=\"abs(%s - %s.%s) > 30\" value=\"abs(%s - %s.%s)\"",
        cases[k].channel, i % 2 == 0 ? "background" : "previous", name, of, name, name, of, name);

    check_same_points (stream, cases[k].caps == fields);
  }
}

GST_END_TEST;

/* ---- a channel of gleshistogram ---- */

#define COLUMNS 3
#define ROWS 2
#define BINS 64

static const Region part = { 5, 3, 50, 37 };

typedef struct {
  guint32 native[512], cells[COLUMNS * ROWS][BINS];
  guint64 count, sum;
  guint min, max;
} Counts;

static void
count (const Picture *now, Counts *counts)
{
  memset (counts, 0, sizeof (*counts));
  counts->min = G_MAXUINT;
  for (guint y = part.y; y < part.y + part.height; y++) {
    for (guint x = part.x; x < part.x + part.width; x++) {
      const gint value = SAMPLE (now, 0) + SAMPLE (now, 1) - SAMPLE (now, 2);
      /* the cell that a pixel lies in */
      const guint column = (x - part.x) * COLUMNS / part.width;
      const guint row = (y - part.y) * ROWS / part.height;

      if (value < 10 || value > 300)
        continue;
      counts->native[value]++;
      counts->cells[row * COLUMNS + column][value * BINS / 512]++;
      counts->count++;
      counts->sum += (guint64) value;
      counts->min = MIN (counts->min, (guint) value);
      counts->max = MAX (counts->max, (guint) value);
    }
  }
}

static void
check_counts (GstGlesHistogramResult *result, const Counts *wanted)
{
  GstGlesHistogramStatistics statistics;
  const guint32 *counts;
  guint n;

  fail_unless_equals_string (gst_gles_histogram_result_get_channel_name (result, 3), "sum");
  fail_unless (memcmp (get_counts (result, 512), wanted->native, sizeof (wanted->native)) == 0);
  for (guint cell = 0; cell < COLUMNS * ROWS; cell++) {
    counts = gst_gles_histogram_result_get_counts (result, 3, cell, &n, NULL);
    fail_unless_equals_int (n, BINS);
    fail_unless (memcmp (counts, wanted->cells[cell], sizeof (wanted->cells[cell])) == 0);
  }
  fail_unless (gst_gles_histogram_result_get_statistics (result, 3, &statistics, NULL));
  fail_unless (wanted->count > 0 && wanted->count < part.width * part.height);
  fail_unless_equals_uint64 (statistics.count, wanted->count);
  fail_unless_equals_int (statistics.min, wanted->min);
  fail_unless_equals_int (statistics.max, wanted->max);
  fail_unless (fabs (statistics.mean - (gdouble) wanted->sum / (gdouble) wanted->count) < 1e-9);
}

/* Values below and above the range are not counted. */
GST_START_TEST (test_counts)
{
  g_autoptr (TestStream) stream = line_stream (CAPS,
      "gleshistogram validate=true expression=\"Y + U - V\" expression-range=10,300 "
      "expression-name=sum region=\"5,3,50,37\" grid-columns=3 grid-rows=2 bins=64 emd=true");

  for (guint i = 0; i < 4; i++) {
    g_autoptr (GstBuffer) out = test_stream_push_noise (stream, i);
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
    Picture picture;
    Counts wanted;

    read_picture (stream, out, &picture);
    count (&picture, &wanted);
    check_counts (result, &wanted);
  }
}

GST_END_TEST;

/* Pushes three scenes, which change by a little more than what counts as a freeze. Returns what the
 * events tell: (transfer full). */
static gchar *
push_scenes (TestStream *stream)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GPtrArray) events = NULL;

  for (guint i = 0; i < 60; i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i / 20);

    gst_buffer_memset (frame, 0, (i < 20 ? 40 : i < 40 ? 200 : 16) + i % 2, WIDTH * HEIGHT / 2);
    gst_buffer_unref (test_stream_push (stream, frame));
  }
  events = line_take_posted (stream);
  fail_unless (events->len > 0);
  for (guint i = 0; i < events->len; i++) {
    g_autofree gchar *event = NULL;

    gst_structure_remove_fields (events->pdata[i], "id", "element", "stream-id", NULL);
    event = gst_structure_to_string (events->pdata[i]);
    g_string_append_printf (text, "%s\n", event);
  }
  return g_string_free (text, FALSE);
}

/* The expression's values change with each frame. */
GST_START_TEST (test_events_are_of_components)
{
  static const gchar *const line = "gleshistogram mad=true %s ! glesevents freeze-duration=0.2";
  g_autoptr (TestStream) without = line_stream (CAPS, line, "");
  g_autoptr (TestStream) with = line_stream (CAPS, line, "expression=\"t % 2 * 255\"");
  g_autofree gchar *events = push_scenes (with), *expected = push_scenes (without);

  fail_unless_equals_string (events, expected);
}

GST_END_TEST;

/* ---- tags ---- */

typedef struct {
  const gchar *colorimetry;
  gdouble kr;
  gboolean full;
} Matrix;

static const Matrix matrices[] = { { "bt709", 0.2126, FALSE }, { "bt601", 0.299, FALSE },
  { "1:4:0:0", 0.299, TRUE }, { "bt2020", 0.2627, FALSE } };
static const Matrix *matrix;

/* As docs/expressions.md has it. */
static gint
red (const Picture *now, const Picture *before, guint x, guint y)
{
  const gdouble kr = round (matrix->kr * 65536.0) / 65536.0;
  const gint of_y = (gint) round (8192.0 * 255.0 / (matrix->full ? 255.0 : 219.0));
  const gint of_v =
      (gint) round (2.0 * (1.0 - kr) * 8192.0 * 255.0 / (matrix->full ? 255.0 : 224.0));
  const gint sum =
      of_y * (SAMPLE (now, 0) - (matrix->full ? 0 : 16)) + of_v * (SAMPLE (now, 2) - 128);

  return CLAMP ((sum + 4096) >> 13, 0, 255);
}

/* Colours are those of the tags from the first frame on that has them. */
GST_START_TEST (test_tags_change)
{
  g_autoptr (TestStream) stream =
      line_stream (NULL, POINTS "expression=R ! gleshistogram validate=true expression=R");

  for (guint i = 0; i < 12; i++) {
    g_autoptr (GstBuffer) out = NULL;
    g_autofree gchar *caps = NULL;
    Picture picture;

    matrix = &matrices[i / 2 % G_N_ELEMENTS (matrices)];
    caps = g_strdup_printf (CAPS ",colorimetry=%s", matrix->colorimetry);
    line_set_caps (stream, caps);
    out = test_stream_push_noise (stream, i);
    read_picture (stream, out, &picture);
    check_points (out, &picture, NULL, red, red, &everything);
    check_values (out, &picture, NULL, red, 256);
  }
}

GST_END_TEST;

/* ---- regions ---- */

/* A rectangle that only its brightness tells from what is around it. */
GST_START_TEST (test_regions)
{
  static const Region place = { 11, 7, 21, 15 };
  g_autoptr (TestStream) stream = line_stream (
      CAPS, POINTS "expression=\"Y > 150 && V < 130\" ! glesregions cell-width=4 cell-height=4");
  GstBuffer *frame = gst_buffer_new_allocate (NULL, stream->info.size, NULL);
  g_autoptr (GstGlesRegionsResult) result = NULL;
  g_autoptr (GstBuffer) out = NULL;
  Region box;

  gst_buffer_memset (frame, 0, 120, stream->info.size);
  for (guint y = place.y; y < place.y + place.height; y++)
    gst_buffer_memset (frame, y * GST_ROUND_UP_4 (WIDTH) + place.x, 200, place.width);
  out = test_stream_push (stream, frame);
  result = gst_gles_regions_result_from_buffer (out);
  fail_unless_equals_int (gst_gles_regions_result_get_count (result), 1);
  gst_gles_region_get_box (gst_gles_regions_result_get_region (result, 0, NULL), &box.x, &box.y,
      &box.width, &box.height);
  fail_unless (memcmp (&box, &place, sizeof (box)) == 0);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_values);
  tcase_add_loop_test (tcase, test_settings_are_of_one_moment, 0, 4);
  tcase_add_test (tcase, test_previous_frames);
  tcase_add_test (tcase, test_as_motion);
  tcase_add_test (tcase, test_counts);
  tcase_add_test (tcase, test_events_are_of_components);
  tcase_add_test (tcase, test_tags_change);
  tcase_add_test (tcase, test_regions);
}

LINES_MAIN (add_tests)
