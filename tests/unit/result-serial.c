/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results as bytes for another process, and back: all values are the same, and invalid bytes are
 * refused. */
#include <gst/gles/meta/serial-private.h>

#include "result-samples.h"

/* ---- kinds of results ---- */

typedef struct {
  gboolean (*get_size) (gpointer result, gsize *size);
  void (*write) (gpointer result, guint8 *target);
  gpointer (*parse) (const guint8 *data, gsize size, guint8 version);
  gconstpointer (*get_info) (gpointer result);
  gsize info_bytes; /* up to what a copy has at another address: behind it is padding, too */
  void (*dump) (gpointer result, GByteArray *dump); /* appends what getters return */
} Kind;

#define KIND(kind, Info, last)                                                                     \
  {                                                                                                \
    (gboolean (*) (gpointer, gsize *)) gst_gles_##kind##_serial_get_size,                          \
        (void (*) (gpointer, guint8 *)) gst_gles_##kind##_serial_write,                            \
        (gpointer (*) (const guint8 *, gsize, guint8)) gst_gles_##kind##_serial_parse,             \
        (gconstpointer (*) (gpointer)) gst_gles_##kind##_result_get_info,                          \
        G_STRUCT_OFFSET (Info, last) + sizeof ((Info *) NULL)->last, dump_##kind                   \
  }

static void
append (GByteArray *dump, gconstpointer data, gsize size)
{
  g_assert_nonnull (data);
  g_byte_array_append (dump, data, size);
}

static void
append_number (GByteArray *dump, guint64 number)
{
  append (dump, &number, sizeof number);
}

static void
append_text (GByteArray *dump, const gchar *text)
{
  append_number (dump, text != NULL);
  append (dump, text != NULL ? text : "", text != NULL ? strlen (text) + 1 : 0);
}

static void
dump_histogram (gpointer result, GByteArray *dump)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const guint32 *words;
  guint n;

  g_assert_true (gst_gles_histogram_result_is_ready (result));
  for (guint channel = 0; channel < info->n_channels; channel++) {
    append_text (dump, info->channels[channel].name);
    append_number (dump, info->channels[channel].n_samples);
    words = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);
    append (dump, words, 4 * n);
    for (guint cell = 0; cell < info->columns; cell++) {
      words = gst_gles_histogram_result_get_counts (result, channel, cell, &n, NULL);
      append (dump, words, 4 * n);
    }
  }
}

static void
dump_points (gpointer result, GByteArray *dump)
{
  const GstGlesOrigin *origin = gst_gles_points_result_get_origin (result);
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, NULL);

  g_assert_null (gst_gles_points_result_get_device (result));
  append (dump, points, n * sizeof *points);
  append_number (dump, gst_gles_points_result_get_total (result));
  append_number (dump, gst_gles_points_result_is_truncated (result));
  append_number (dump, gst_gles_points_result_get_info (result)->depth);
  append_number (dump, gst_gles_points_result_get_utc (result));
  append_number (dump, gst_gles_points_result_get_field (result));
  if (origin != NULL) {
    append_text (dump, origin->element);
    append_text (dump, origin->stream_id);
    append (dump, &origin->range, sizeof origin->range);
    append (dump, &origin->matrix, sizeof origin->matrix);
    append (dump, &origin->field, sizeof origin->field);
  }
}

static void
dump_tiles (gpointer result, GByteArray *dump)
{
  const GstGlesTilesBox *boxes;
  const guint32 *words;
  guint n;

  append_number (dump, gst_gles_tiles_result_get_total (result));
  words = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  append (dump, words, 4 * n);
  words = gst_gles_tiles_result_get_indices (result, &n, NULL);
  append (dump, words, 4 * n);
  words = gst_gles_tiles_result_get_keys (result, &n, NULL);
  append (dump, words, 4 * n);
  boxes = gst_gles_tiles_result_get_boxes (result, &n);
  for (guint i = 0; i < n; i++) {
    append (dump, &boxes[i], 5 * sizeof (guint));
    append_text (dump, boxes[i].type);
  }
}

static void
dump_regions (gpointer result, GByteArray *dump)
{
  append_text (dump, gst_gles_regions_result_get_label (result));
  append_number (dump, gst_gles_regions_result_get_total (result));
  for (guint i = 0; i < gst_gles_regions_result_get_count (result); i++)
    append (dump, gst_gles_regions_result_get_region (result, i, NULL), sizeof (GstGlesRegion));
}

static const Kind histograms = KIND (histogram, GstGlesHistogramInfo, n_channels);
static const Kind points = KIND (points, GstGlesPointsInfo, max_points);
static const Kind tiles = KIND (tiles, GstGlesTilesInfo, max_items);
static const Kind regions = KIND (regions, GstGlesRegionsInfo, max_regions);

/* ---- bytes ---- */

/* What @kind writes, at an odd address. */
static guint8 *
bytes_of (const Kind *kind, gpointer result, gsize *size)
{
  guint8 *data;

  g_assert_true (kind->get_size (result, size));
  data = g_malloc (*size + 1);
  kind->write (result, data + 1);
  memmove (data, data + 1, *size);
  return data;
}

/* Checks that bytes that were cut, or of which one was changed, are refused or make another
 * result. Its arrays lie within the bytes; a sanitizer or a crash would report otherwise. */
static void
spoil (const Kind *kind, const guint8 *data, gsize size)
{
  gsize n_refused = 0;

  for (gsize length = 0; length < size; length++) {
    /* on the heap and of this size, for those who watch its end */
    g_autofree guint8 *part = g_memdup2 (data, MAX (length, 1));

    g_assert_null (kind->parse (part, length, GST_GLES_SERIAL_VERSION));
  }
  for (gsize at = 0; at < size; at++) {
    g_autofree guint8 *changed = g_memdup2 (data, size);
    GstMiniObject *result;

    changed[at] ^= 0x80;
    result = kind->parse (changed, size, GST_GLES_SERIAL_VERSION);
    n_refused += result == NULL ? 1 : 0;
    gst_clear_mini_object (&result);
  }
  g_assert_cmpuint (n_refused, >, 0);
  g_assert_null (kind->parse (data, size, GST_GLES_SERIAL_VERSION + 1));
  g_assert_null (kind->parse (data, size, GST_GLES_SERIAL_VERSION - 1));
}

/* @result: (transfer full). Returns the copy of another process. */
static gpointer
copy_of (const Kind *kind, gpointer result)
{
  gsize size;
  g_autofree guint8 *data = bytes_of (kind, result, &size);
  gpointer copy = kind->parse (data, size, GST_GLES_SERIAL_VERSION);

  g_assert_nonnull (copy);
  gst_mini_object_unref (result);
  return copy;
}

/* @result: (transfer full) */
static void
check_round_trip (const Kind *kind, gpointer result)
{
  gsize size;
  g_autofree guint8 *data = bytes_of (kind, result, &size);
  GstMiniObject *copy = copy_of (kind, gst_mini_object_ref (result));
  g_autoptr (GByteArray) want = g_byte_array_new ();
  g_autoptr (GByteArray) got = g_byte_array_new ();

  g_assert_cmpmem (
      kind->get_info (copy), kind->info_bytes, kind->get_info (result), kind->info_bytes);
  kind->dump (result, want);
  kind->dump (copy, got);
  g_assert_cmpmem (got->data, got->len, want->data, want->len);
  spoil (kind, data, size);
  gst_mini_object_unref (copy);
  gst_mini_object_unref (result);
}

/* ---- tests ---- */

static void
test_round_trips (void)
{
  for (guint columns = 1; columns < 4; columns++)
    check_round_trip (&histograms, sample_histogram (columns));
  for (guint n = 0; n < 4; n++)
    check_round_trip (&points, sample_points (&sample_points_info, n));
  check_round_trip (&tiles, sample_tiles (7, 5, 5));
  check_round_trip (&regions, sample_regions ("möwe"));
}

static GstGlesPointsResult *
points_of (GstGlesOrigin *origin)
{
  GstGlesPointsInfo info = sample_points_info;

  info.depth = 10;
  info.utc = 1795395723123456789;
  info.origin = origin;
  return sample_points (&info, 0);
}

static void
test_origins (void)
{
  static const gchar *const stream_ids[] = { "abc/video:0", NULL, "" };

  for (guint i = 0; i < G_N_ELEMENTS (stream_ids); i++) {
    g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("möwe0", stream_ids[i],
        GST_VIDEO_COLOR_RANGE_16_235, GST_VIDEO_COLOR_MATRIX_BT2020, (GstGlesField) i);

    check_round_trip (&points, points_of (origin));
  }
}

static void
test_boxes (void)
{
  static const GstGlesTilesBox boxes[] = { { 1, 2, 3, 4, -5, "möwe" }, { 6, 7, 8, 9, 10, "" } };
  const GstGlesResult counted = { 77, 5, 0 };
  g_autoptr (GstGlesReadback) offsets = counted_readback (&counted, sample_offsets, 7);
  g_autoptr (GstGlesReadback) entries =
      counted_readback (&counted, (guint32[]){ 0, 1, 1, 0, 0 }, 5);
  g_autoptr (GBytes) bytes = g_bytes_new_static (boxes, sizeof boxes);

  check_round_trip (&tiles,
      gst_gles_tiles_result_new (&sample_tiles_info,
          &(GstGlesTilesArrays){ .offsets_readback = offsets,
              .indices_readback = entries,
              .keys_readback = entries,
              .boxes = bytes,
              .n_boxes = G_N_ELEMENTS (boxes) }));
}

/* Words behind the origin, which is none, and values that are refused there. */
typedef struct {
  gssize offset;
  guint32 value;
} Claim;

/* @result: (transfer full) */
static void
check_claims (const Kind *kind, gpointer result, const Claim *claims, guint n)
{
  gsize size;
  g_autofree guint8 *data = bytes_of (kind, result, &size);

  for (guint i = 0; i < n; i++) {
    g_autofree guint8 *changed = g_memdup2 (data, size);

    GST_WRITE_UINT32_LE (
        changed + GST_GLES_ORIGIN_SERIAL_BYTES + claims[i].offset, claims[i].value);
    if (kind->parse (changed, size, GST_GLES_SERIAL_VERSION) != NULL)
      g_error (
          "%u at byte %" G_GSSIZE_FORMAT " is taken for true", claims[i].value, claims[i].offset);
  }
  gst_mini_object_unref (result);
}

/* Values that no picture can have. Sums that overflow would be NaN in JSON; a picture larger than
 * coordinates made the overlay ask for 34 GB; regions without pixels would cause a division by
 * zero, and those outside the picture drawing there. */
static void
test_claims (void)
{
  static const Claim of_histograms[] = { { 40, 0 }, { 40, G_MAXUINT }, { 44, 0 }, { 48, G_MAXUINT },
    { 52, G_MAXUINT }, { 56, 640 }, { 56, G_MAXUINT }, { 60, 480 }, { 64, 0 }, { 64, G_MAXUINT },
    { 68, 0 }, { 72, 0 }, { 72, G_MAXUINT }, { 76, 0 }, { 76, 65536 }, { 80, 1 }, { 80, G_MAXUINT },
    { 88, 0 }, { 88, 5 }, { 88, G_MAXUINT }, { 92, 0 }, { 92, G_MAXUINT },
    /* the first channel: name, depth, samples, offsets */
    { 96, 0 }, { 96, 0x80808080 }, { 112, G_MAXUINT }, { 120, 0 }, { 120, 17 }, { 120, G_MAXUINT },
    { 124, G_MAXUINT }, { 128, G_MAXUINT }, { 132, G_MAXUINT }, { 136, G_MAXUINT },
    { 140, G_MAXUINT },
    /* counters, and the difference */
    { 192, G_MAXUINT }, { 192 + 4 * 8, 9 }, { 192 + 4 * 8, G_MAXUINT } };
  static const Claim of_points[] = { { 48, 0 }, { 48, 65537 }, { 48, G_MAXUINT }, { 48, 65535 },
    { 52, 0 }, { 52, 479 }, { 52, G_MAXUINT }, { 56, G_MAXUINT }, { 60, G_MAXUINT },
    { 64, G_MAXUINT }, { 68, 480 }, { 72, 0 }, { 76, G_MAXUINT }, { 80, 3 }, { 84, 4 },
    { 84, G_MAXUINT - 1 }, { 100, 4 }, { 100, G_MAXUINT }, { 104, 17 }, { 104, G_MAXUINT } };
  static const Claim of_tiles[] = { { 48, 0 }, { 48, 50 }, { 48, G_MAXUINT }, { 52, 0 },
    { 52, G_MAXUINT }, { 56, G_MAXUINT }, { 60, 0 }, { 60, 1 }, { 60, G_MAXUINT }, { 64, 0 },
    { 68, 3 }, { 72, 3 }, { 84, 0 }, { 84, 4 }, { 84, 6 }, { 84, G_MAXUINT },
    /* offsets */
    { 96, 1 }, { 100, 4 }, { 100, G_MAXUINT }, { 120, 4 }, { 120, 6 } };
  static const Claim of_regions[] = { { 48, 0 }, { 48, 39 }, { 48, G_MAXUINT }, { 52, 0 },
    { 52, 29 }, { 56, G_MAXUINT }, { 60, 0 }, { 64, 0 }, { 68, 5 }, { 84, 1 }, { 84, 3 },
    { 84, G_MAXUINT },
    /* the first region: left, top, right, bottom, pixels, largest value, sums */
    { 92, 6 }, { 92, G_MAXUINT }, { 96, 3 }, { 100, 0 }, { 100, 40 }, { 100, G_MAXUINT },
    { 104, 1 }, { 104, 30 }, { 108, 0 }, { 108, 1 }, { 108, G_MAXUINT }, { 112, 4 }, { 120, 3 },
    { 120, 21 }, { 124, 1 }, { 128, 7 }, { 128, 9 }, { 136, 37 }, { 140, 1 },
    /* the label: no UTF-8, and one byte less than there are */
    { 216, 0xffffffff }, { 216, 0 } };
  /* The words of an origin without its texts; texts longer than the bytes, or than is allowed. */
  enum {
    O = -GST_GLES_ORIGIN_SERIAL_BYTES
  };
  static const Claim of_origins[] = { { O + 8, 1 }, { O + 8, 3 }, { O + 8, G_MAXUINT },
    { O + 12, 1 }, { O + 12, G_MAXUINT }, { O + 16, 5 }, { O + 16, G_MAXUINT }, { O + 20, 1 },
    { O + 20, G_MAXUINT }, { O + 24, 1 }, { O + 24, 3 }, { O + 24, G_MAXUINT } };

  check_claims (&histograms, sample_histogram (2), of_histograms, G_N_ELEMENTS (of_histograms));
  check_claims (
      &points, sample_points (&sample_points_info, 3), of_points, G_N_ELEMENTS (of_points));
  check_claims (&tiles, sample_tiles (7, 5, 5), of_tiles, G_N_ELEMENTS (of_tiles));
  check_claims (&regions, sample_regions ("möwe"), of_regions, G_N_ELEMENTS (of_regions));
  check_claims (&points, points_of (NULL), of_origins, G_N_ELEMENTS (of_origins));
}

/* Another process cannot have any length of text kept: labels are never freed. */
static void
test_long_texts_are_cut (void)
{
  g_autofree gchar *label = g_strdup_printf ("%0254dmööwe", 1);
  g_autofree gchar *name = g_strdup_printf ("%01022dmöwe", 1);
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new (name, name, 0, 0, 0);
  g_autoptr (GstGlesRegionsResult) labelled = copy_of (&regions, sample_regions (label));
  g_autoptr (GstGlesPointsResult) named = copy_of (&points, points_of (origin));

  label[255] = '\0';
  g_assert_cmpstr (gst_gles_regions_result_get_label (labelled), ==, label);
  name[1023] = '\0';
  g_assert_cmpstr (gst_gles_points_result_get_origin (named)->element, ==, name);
  g_assert_cmpstr (gst_gles_points_result_get_origin (named)->stream_id, ==, name);
}

static void
test_text_that_is_not_utf_8 (void)
{
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("a\xff", "\xfe", 0, 0, 0);

  g_assert_true (g_utf8_validate (origin->element, -1, NULL));
  g_assert_true (g_utf8_validate (origin->stream_id, -1, NULL));
}

/* Labels and names of channels from other processes are freed with the results that have them. */
static void
test_labels_are_freed (void)
{
  const GstGlesHistogramInfo info = {
    .columns = 1,
    .rows = 1,
    .bins = 2,
    .n_channels = 1,
    .channels = { { "a channel of this test alone", 1, 4, 0, 2, 0 } },
  };

  gst_gles_regions_result_unref (sample_regions ("a label of this test alone"));
  gst_gles_histogram_result_unref (gst_gles_histogram_result_new (&info, NULL, NULL));
  g_assert_cmpuint (g_quark_try_string ("a label of this test alone"), ==, 0);
  g_assert_cmpuint (g_quark_try_string ("a channel of this test alone"), ==, 0);
}

/* With tiles of one pixel and all of them G_MAXUINT, n_tiles + 1 + 2 * count was 0 in 64 bits. */
static void
test_tiles_whose_number_wraps (void)
{
  static const guint32 sizes[] = { G_MAXUINT, G_MAXINT, 0x10000, 0x8000 };
  static const guint32 counts[] = { G_MAXUINT, 0x80000000, G_MAXINT, 0 };
  guint8 bytes[1000] = { 0 }, *data = bytes + GST_GLES_ORIGIN_SERIAL_BYTES;

  GST_WRITE_UINT32_LE (data + 40, G_MAXUINT);
  GST_WRITE_UINT32_LE (data + 60, 1);
  GST_WRITE_UINT32_LE (data + 64, 1);
  for (guint i = 0; i < 64; i++) {
    GST_WRITE_UINT32_LE (data + 48, sizes[i % 4]);
    GST_WRITE_UINT32_LE (data + 52, sizes[i / 4 % 4]);
    GST_WRITE_UINT32_LE (data + 84, counts[i / 16]);
    g_assert_null (gst_gles_tiles_serial_parse (bytes, sizeof bytes, GST_GLES_SERIAL_VERSION));
  }
}

/* A result that is on the device only cannot be serialised. */
static void
test_nothing_to_serialise (void)
{
  g_autoptr (GstGlesPointsResult) result =
      gst_gles_points_result_new (&sample_points_info, NULL, NULL, NULL);
  gsize size;

  g_assert_false (gst_gles_points_serial_get_size (result, &size));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/serial/round-trips", test_round_trips);
  g_test_add_func ("/serial/origins", test_origins);
  g_test_add_func ("/serial/boxes", test_boxes);
  g_test_add_func ("/serial/claims", test_claims);
  g_test_add_func ("/serial/long-texts-are-cut", test_long_texts_are_cut);
  g_test_add_func ("/serial/text-that-is-not-utf-8", test_text_that_is_not_utf_8);
  g_test_add_func ("/serial/labels-are-freed", test_labels_are_freed);
  g_test_add_func ("/serial/tiles-whose-number-wraps", test_tiles_whose_number_wraps);
  g_test_add_func ("/serial/nothing-to-serialise", test_nothing_to_serialise);
  return g_test_run ();
}
