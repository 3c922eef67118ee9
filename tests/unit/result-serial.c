/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results as bytes for another process, and back: all values are the same, and invalid bytes are
 * refused. */
#include <gst/gles/meta/serial.h>

#include "result-dumps.h"
#include "result-samples.h"

/* ---- kinds of results ---- */

typedef struct {
  gboolean (*serialize) (gpointer result, GstByteWriter *writer);
  gpointer (*parse) (GstByteReader *reader);
  gconstpointer (*get_info) (gpointer result);
  gsize info_bytes; /* up to what a copy has at another address: behind it is padding, too */
  void (*dump) (gpointer result, GByteArray *dump); /* appends what getters return */
} Kind;

#define KIND(kind, Info, last)                                                                     \
  {                                                                                                \
    (gboolean (*) (gpointer, GstByteWriter *)) gst_gles_##kind##_serialize,                        \
        (gpointer (*) (GstByteReader *)) gst_gles_##kind##_parse,                                  \
        (gconstpointer (*) (gpointer)) gst_gles_##kind##_result_get_info,                          \
        G_STRUCT_OFFSET (Info, last) + sizeof ((Info *) NULL)->last, dump_##kind                   \
  }

static const Kind histograms = KIND (histogram, GstGlesHistogramInfo, n_channels);
static const Kind points = KIND (points, GstGlesPointsInfo, samples);
static const Kind tiles = KIND (tiles, GstGlesTilesInfo, max_items);
static const Kind regions = KIND (regions, GstGlesRegionsInfo, max_regions);
static const Kind tracks = KIND (tracks, GstGlesTracksInfo, path);
static const Kind zones = KIND (zones, GstGlesZonesInfo, n_labels);

/* ---- bytes ---- */

/* What @kind writes. */
static guint8 *
bytes_of (const Kind *kind, gpointer result, gsize *size)
{
  GstByteWriter writer;

  gst_byte_writer_init (&writer);
  g_assert_true (kind->serialize (result, &writer));
  *size = gst_byte_writer_get_pos (&writer);
  return gst_byte_writer_reset_and_get_data (&writer);
}

/* Parses @data from an odd address on. */
static gpointer
parse (const Kind *kind, const guint8 *data, gsize size)
{
  g_autofree guint8 *moved = g_malloc (size + 1);
  GstByteReader reader;

  memcpy (moved + 1, data, size);
  gst_byte_reader_init (&reader, moved + 1, (guint) size);
  return kind->parse (&reader);
}

/* Checks that bytes that were cut, or of which one was changed, are refused or make another
 * result. Its arrays lie within the bytes; a sanitizer or a crash would report otherwise. */
static void
spoil (const Kind *kind, const guint8 *data, gsize size)
{
  gsize n_refused = 0;

  for (gsize length = 0; length < size; length++) {
    /* copied to the heap, for those who watch its end */
    g_assert_null (parse (kind, data, length));
  }
  for (gsize at = 0; at < size; at++) {
    g_autofree guint8 *changed = g_memdup2 (data, size);
    GstMiniObject *result;

    changed[at] ^= 0x80;
    result = parse (kind, changed, size);
    n_refused += result == NULL ? 1 : 0;
    gst_clear_mini_object (&result);
  }
  g_assert_cmpuint (n_refused, >, 0);
}

/* @result: (transfer full). Returns the copy of another process. */
static gpointer
copy_of (const Kind *kind, gpointer result)
{
  gsize size;
  g_autofree guint8 *data = bytes_of (kind, result, &size);
  gpointer copy = parse (kind, data, size);

  g_assert_nonnull (copy);
  gst_mini_object_unref (result);
  return copy;
}

static void
append_info (const Kind *kind, gpointer result, GByteArray *dump)
{
  const guint8 *info = kind->get_info (result);

  dump_frame (kind->get_info (result), dump);
  append (dump, info + sizeof (GstGlesFrameInfo), kind->info_bytes - sizeof (GstGlesFrameInfo));
  kind->dump (result, dump);
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

  append_info (kind, result, want);
  append_info (kind, copy, got);
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
  check_round_trip (&histograms, sample_overview ());
  check_round_trip (&histograms, sample_flash ());
  check_round_trip (&histograms, sample_crop ());
  check_round_trip (&histograms, sample_outliers ());
  for (guint n = 0; n < 4; n++)
    check_round_trip (&points, sample_points (&sample_points_info, n));
  check_round_trip (&tiles, sample_tiles (7, 5, 5));
  check_round_trip (&regions, sample_regions ("möwe"));
  check_round_trip (&tracks, sample_tracks ("möwe", 0));
  check_round_trip (&tracks, sample_tracks ("möwe", 3));
  check_round_trip (&zones, sample_zones ("möwe"));
}

static GstGlesPointsResult *
points_of (GstGlesOrigin *origin)
{
  GstGlesPointsInfo info = sample_points_info;

  info.depth = 8;
  info.adaptation = 500;
  info.samples = TRUE;
  info.frame.utc = 1795395723123456789;
  info.frame.origin = origin;
  return sample_points (&info, 0);
}

static void
test_origins (void)
{
  static const gchar *const stream_ids[] = { "abc/video:0", NULL, "" };

  for (guint i = 0; i < G_N_ELEMENTS (stream_ids); i++) {
    g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("möwe0", stream_ids[i]);

    check_round_trip (&points, points_of (origin));
  }
}

static const GstGlesBox sample_boxes[] = { { 1, 2, 3, 4, -5, "möwe" }, { 6, 7, 8, 9, 10, "" } };

/* Of two channels with 1 and 2 bits, of which the first one has a value for every two bins. */
static GstGlesHistogramResult *
histogram_of_boxes (void)
{
  static const guint32 words[2 * 2 * 4] = { 5, 0, 7, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 9 };
  static const guint32 counts[2 + 1 + 4 + 1] = { 4, 0, 0, 1, 1, 1, 1, 0 };
  g_autoptr (GBytes) boxes = g_bytes_new_static (sample_boxes, sizeof sample_boxes);
  g_autoptr (GstGlesReadback) all =
      gst_gles_readback_new_complete (g_bytes_new_static (counts, sizeof counts));
  g_autoptr (GstGlesReadback) of_boxes =
      gst_gles_readback_new_complete (g_bytes_new_static (words, sizeof words));
  GstGlesHistogramInfo info = sample_histogram_info (1, 2, 1, 1);

  info.n_channels = 2;
  info.channels[0] = (GstGlesHistogramChannelInfo){ "R", 4, 1, 0, 2, G_MAXUINT };
  info.channels[1] = (GstGlesHistogramChannelInfo){ "G", 4, 2, 3, 7, G_MAXUINT };
  info.has_boxes = info.boxes_truncated = TRUE;
  info.n_boxes = 2;
  return gst_gles_histogram_result_new_queued (
      &info, all, NULL, &(GstGlesHistogramBoxes){ boxes, of_boxes, NULL });
}

static void
test_boxes_of_histograms (void)
{
  g_autoptr (GstGlesHistogramResult) result = histogram_of_boxes ();
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  g_autoptr (GBytes) counts = gst_gles_histogram_result_get_box_counts (result, 0, 0, NULL);
  g_autofree guint32 *first = g_memdup2 (g_bytes_get_data (counts, NULL), 8);
  GstGlesHistogramStatistics statistics;

  g_assert_cmpuint (info->bins, ==, 2);
  g_assert_cmpuint (first[0], ==, 5);
  g_assert_cmpuint (first[1], ==, 7);
  g_assert_true (gst_gles_histogram_result_get_box_statistics (result, 0, 1, &statistics, NULL));
  g_assert_cmpuint (statistics.count, ==, 10);
  g_assert_cmpfloat (statistics.mean, ==, 2.0);
  check_round_trip (&histograms, histogram_of_boxes ());
}

static void
test_boxes (void)
{
  const GstGlesResult counted = { 77, 5, 0 };
  g_autoptr (GstGlesReadback) offsets = counted_readback (&counted, sample_offsets, 7);
  g_autoptr (GstGlesReadback) entries =
      counted_readback (&counted, (guint32[]){ 0, 1, 1, 0, 0 }, 5);
  g_autoptr (GBytes) bytes = g_bytes_new_static (sample_boxes, sizeof sample_boxes);

  check_round_trip (&tiles,
      gst_gles_tiles_result_new_queued (&sample_tiles_info,
          &(GstGlesTilesArrays){ .offsets_readback = offsets,
              .indices_readback = entries,
              .keys_readback = entries,
              .boxes = bytes,
              .n_boxes = G_N_ELEMENTS (sample_boxes) }));
}

/* Bytes at which there are words, and values that are refused there. */
typedef struct {
  gsize offset;
  guint32 value;
} Claim;

/* Where the first of the two tracks of sample_tracks ("möwe", 3) has byte @at, and their paths. */
#define TRACK(at) (112 + 8 + 10 + (at))
#define PATHS(at) (TRACK (2 * 80) + 4 + (at))

/* Where the first of the boxes of histogram_of_boxes() has byte @at. */
#define BOX(at) (268 + (at))

/* @result: (transfer full) */
static void
check_claims (const Kind *kind, gpointer result, const Claim *claims, guint n)
{
  gsize size;
  g_autofree guint8 *data = bytes_of (kind, result, &size);

  for (guint i = 0; i < n; i++) {
    g_autofree guint8 *changed = g_memdup2 (data, size);
    const guint32 value = GUINT32_TO_LE (claims[i].value);

    /* texts end at any address */
    memcpy (changed + claims[i].offset, &value, sizeof value);
    if (parse (kind, changed, size) != NULL)
      g_error (
          "%u at byte %" G_GSIZE_FORMAT " is taken for true", claims[i].value, claims[i].offset);
  }
  gst_mini_object_unref (result);
}

/* Values that no picture can have. Sums that overflow would be NaN in JSON; a picture larger than
 * coordinates made the overlay ask for 34 GB; regions without pixels would cause a division by
 * zero, and those outside the picture drawing there. */
static void
test_claims (void)
{
  /* of every frame, which has neither element nor stream: the texts are longer than the bytes, or
   * than is allowed, or a stream has no element */
  static const Claim of_frames[] = { { 48, 0 }, { 48, G_MAXUINT }, { 52, 0 }, { 52, G_MAXUINT },
    { 56, G_MAXUINT }, { 60, 3 }, { 60, G_MAXUINT }, { 64, G_MAXUINT }, { 68, 3 },
    { 68, G_MAXUINT }, { 72, 1 }, { 72, 1025 }, { 72, G_MAXUINT }, { 76, 1 }, { 76, G_MAXUINT } };
  static const Claim of_histograms[] = { { 80, 640 }, { 80, G_MAXUINT }, { 84, 480 }, { 88, 0 },
    { 88, G_MAXUINT }, { 92, 0 }, { 96, 0 }, { 96, G_MAXUINT }, { 100, 0 }, { 100, 65536 << 8 },
    { 104, 1 }, { 104, G_MAXUINT }, { 116, 17 }, { 144, 0 }, { 144, 6 }, { 144, G_MAXUINT },
    { 148, 0 }, { 148, G_MAXUINT },
    /* the first channel: name, samples, depth, offsets */
    { 152, 0 }, { 152, 17 }, { 152, G_MAXUINT }, { 156, 0x80808080 }, { 162, G_MAXUINT },
    { 166, 0 }, { 166, 17 }, { 166, G_MAXUINT }, { 170, G_MAXUINT }, { 174, G_MAXUINT },
    { 178, G_MAXUINT }, { 182, G_MAXUINT }, { 186, G_MAXUINT },
    /* counters, and the difference */
    { 239, G_MAXUINT }, { 239 + 4 * 8, 9 }, { 239 + 4 * 8, G_MAXUINT } };
  /* more boxes than there are bytes, boxes beyond the picture, counters of too many samples */
  static const Claim of_boxes[] = { { 136, 3 }, { 136, G_MAXUINT }, { BOX (0), 640 },
    { BOX (0), G_MAXUINT }, { BOX (4), 479 }, { BOX (8), 640 }, { BOX (12), G_MAXUINT },
    { BOX (20), G_MAXUINT }, { BOX (55), 1u << 31 }, { BOX (55), G_MAXUINT } };
  /* words behind the end; a depth; counters of the area 0 and gradients of the areas 0, 3 and 4
   * that the region does not have */
  static const Claim of_overviews[] = { { 112, 4 }, { 112, G_MAXUINT }, { 116, 0 }, { 116, 1 },
    { 116, 17 }, { 116, G_MAXUINT }, { 218, 1 }, { 218, 3 }, { 2254, 4 * 255 + 1 }, { 2258, 1 },
    { 2278, 256 }, { 2286, 1 } };
  static const Claim of_points[] = { { 48, 65537 }, { 48, 65535 }, { 52, 479 }, { 88, G_MAXUINT },
    { 92, 480 }, { 96, 0 }, { 100, G_MAXUINT }, { 104, 4 }, { 108, 4 }, { 108, G_MAXUINT - 1 },
    { 124, 17 }, { 124, G_MAXUINT }, { 132, 4 }, { 132, G_MAXUINT } };
  static const Claim of_tiles[] = { { 48, 50 }, { 88, 0 }, { 88, 1 }, { 88, G_MAXUINT }, { 92, 0 },
    { 104, 3 }, { 108, 3 }, { 120, 0 }, { 120, 4 }, { 120, 6 }, { 120, G_MAXUINT },
    { 124, G_MAXUINT },
    /* offsets */
    { 128, 1 }, { 132, 4 }, { 132, G_MAXUINT }, { 152, 4 }, { 152, 6 } };
  static const Claim of_regions[] = { { 48, 39 }, { 52, 29 }, { 88, 0 }, { 92, 0 }, { 96, 5 },
    { 112, 3 }, { 112, G_MAXUINT },
    /* the label: none, longer than there are bytes, without its end, no UTF-8 */
    { 116, 0 }, { 116, G_MAXUINT }, { 116, 5 }, { 120, 0xffffffff },
    /* the first region: left, top, right, bottom, pixels, largest value, sums */
    { 130, 6 }, { 130, G_MAXUINT }, { 134, 3 }, { 138, 0 }, { 138, 40 }, { 138, G_MAXUINT },
    { 142, 1 }, { 142, 30 }, { 146, 0 }, { 146, 1 }, { 146, G_MAXUINT }, { 150, 4 }, { 158, 3 },
    { 158, 21 }, { 162, 1 }, { 166, 7 }, { 166, 9 }, { 174, 37 }, { 178, 1 } };

  /* of all: seconds that are no number and below 0, labels and tracks that there are not, a label
   * that is none; of the first track: no id, beyond the picture, empty, label, state, velocities
   * and a length that are no numbers; the id of the second; positions of a track: more
   * than are allowed, and than there are; the size of the paths, where the first and the second one
   * begin, where they end, and a position that is no number */
  static const Claim of_tracks[] = { { 48, 39 }, { 52, 29 }, { 92, 0x7ff00000 }, { 92, 0xbff00000 },
    { 100, 1 }, { 100, 3 }, { 100, G_MAXUINT }, { 108, 78 }, { 108, G_MAXUINT }, { 112, 0 },
    { 112, 257 }, { 112, G_MAXUINT }, { TRACK (0), 0 }, { TRACK (8), 36 }, { TRACK (8), G_MAXUINT },
    { TRACK (12), 29 }, { TRACK (16), 0 }, { TRACK (16), 40 }, { TRACK (16), G_MAXUINT },
    { TRACK (20), 0 }, { TRACK (20), 29 }, { TRACK (24), 2 }, { TRACK (24), G_MAXUINT },
    { TRACK (28), 4 }, { TRACK (28), G_MAXUINT }, { TRACK (60), 0x7ff00000 },
    { TRACK (68), 0xfff00000 }, { TRACK (76), 0x7ff80000 }, { TRACK (76), 0xc0000000 },
    { TRACK (84), 0 }, { 104, 2 }, { 104, 257 }, { 104, G_MAXUINT }, { PATHS (-4), 0 },
    { PATHS (-4), 43 }, { PATHS (-4), G_MAXUINT }, { PATHS (0), 1 }, { PATHS (0), G_MAXUINT },
    { PATHS (4), 0 }, { PATHS (4), 5 }, { PATHS (4), G_MAXUINT }, { PATHS (8), 3 },
    { PATHS (8), G_MAXUINT }, { PATHS (12), 0x7f800000 }, { PATHS (40), 0x7fc00000 } };

  check_claims (&tracks, sample_tracks ("möwe", 3), of_tracks, G_N_ELEMENTS (of_tracks));
  check_claims (&zones, sample_zones (""), of_frames, G_N_ELEMENTS (of_frames));
  check_claims (&tracks, sample_tracks ("", 0), of_frames, G_N_ELEMENTS (of_frames));
  check_claims (&histograms, sample_histogram (2), of_histograms, G_N_ELEMENTS (of_histograms));
  check_claims (&histograms, histogram_of_boxes (), of_boxes, G_N_ELEMENTS (of_boxes));
  check_claims (&histograms, sample_overview (), of_overviews, G_N_ELEMENTS (of_overviews));
  check_claims (
      &points, sample_points (&sample_points_info, 3), of_points, G_N_ELEMENTS (of_points));
  check_claims (&tiles, sample_tiles (7, 5, 5), of_tiles, G_N_ELEMENTS (of_tiles));
  check_claims (&regions, sample_regions ("möwe"), of_regions, G_N_ELEMENTS (of_regions));
  check_claims (&histograms, sample_histogram (2), of_frames, G_N_ELEMENTS (of_frames));
  check_claims (&points, points_of (NULL), of_frames, G_N_ELEMENTS (of_frames));
  check_claims (&tiles, sample_tiles (7, 5, 5), of_frames, G_N_ELEMENTS (of_frames));
  check_claims (&regions, sample_regions (""), of_frames, G_N_ELEMENTS (of_frames));
}

static void
test_claims_of_flashes (void)
{
  /* words behind the end; sums and changes of more samples than there are, no samples, too many */
  static const Claim of_flashes[] = { { 120, 4 }, { 120, G_MAXUINT }, { 206, 3 * 65535 + 1 },
    { 210, G_MAXUINT }, { 214, 4 }, { 218, 4 }, { 222, 0 }, { 222, 65537 } };

  check_claims (&histograms, sample_flash (), of_flashes, G_N_ELEMENTS (of_flashes));
}

static void
test_claims_of_crops (void)
{
  /* words behind the end; rows and columns that are not there, only a first or a last one, the last
   * in front of the first */
  static const Claim of_crops[] = { { 124, 4 }, { 124, G_MAXUINT }, { 206, G_MAXUINT }, { 206, 0 },
    { 210, G_MAXUINT }, { 210, 0 }, { 210, 3 }, { 214, 0 }, { 218, 8 }, { 218, 2 } };

  /* words behind the end; more rows and samples than there are */
  static const Claim of_outliers[] = { { 128, 4 }, { 128, G_MAXUINT }, { 206, 9 }, { 210, 57 } };

  check_claims (&histograms, sample_crop (), of_crops, G_N_ELEMENTS (of_crops));
  check_claims (&histograms, sample_outliers (), of_outliers, G_N_ELEMENTS (of_outliers));
}

static void
test_claims_of_zones (void)
{
  /* of all: no truth value, more and fewer labels, sizes that are no zones; of the zone: kind,
   * truth value, vertices and members; of the line, a zone of two vertices, occupied, with
   * members; vertices that are too far away; a label and a zone of a member that are not there */
  static const Claim of_zones[] = { { 80, 2 }, { 84, 1 }, { 84, 3 }, { 84, G_MAXUINT }, { 88, 79 },
    { 88, 40 }, { 88, G_MAXUINT }, { 92, 32 }, { 96, 24 }, { 100, 2 }, { 104, 2 }, { 108, 1 },
    { 112, 2 }, { 112, G_MAXUINT }, { 116, 1 }, { 120, 1 }, { 120, G_MAXUINT }, { 140, 0 },
    { 144, 1 }, { 160, 1 }, { 180, (1 << 28) + 1 }, { 184, 1u << 31 }, { 236, 2 }, { 240, 1 } };

  check_claims (&zones, sample_zones ("möwe"), of_zones, G_N_ELEMENTS (of_zones));
}

/* Another process cannot have any length of text kept: labels are never freed. */
static void
test_long_texts_are_cut (void)
{
  g_autofree gchar *label = g_strdup_printf ("%0254dmööwe", 1);
  g_autofree gchar *name = g_strdup_printf ("%01022dmöwe", 1);
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new (name, name);
  g_autoptr (GstGlesRegionsResult) labelled = copy_of (&regions, sample_regions (label));
  g_autoptr (GstGlesPointsResult) named = copy_of (&points, points_of (origin));

  label[255] = '\0';
  g_assert_cmpstr (gst_gles_regions_result_get_info (labelled)->label, ==, label);
  name[1023] = '\0';
  g_assert_cmpstr (gst_gles_points_result_get_frame (named)->origin->element, ==, name);
  g_assert_cmpstr (gst_gles_points_result_get_frame (named)->origin->stream_id, ==, name);
}

static void
test_text_that_is_not_utf_8 (void)
{
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("a\xff", "\xfe");

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
    .channels = { { "a channel of this test alone", 4, 1, 0, 2, 0 } },
  };

  gst_gles_regions_result_unref (sample_regions ("a label of this test alone"));
  gst_gles_histogram_result_unref (gst_gles_histogram_result_new_queued (&info, NULL, NULL, NULL));
  g_assert_cmpuint (g_quark_try_string ("a label of this test alone"), ==, 0);
  g_assert_cmpuint (g_quark_try_string ("a channel of this test alone"), ==, 0);
}

/* With tiles of one pixel and all of them G_MAXUINT, n_tiles + 1 + 2 * count was 0 in 64 bits. */
static void
test_tiles_whose_number_wraps (void)
{
  static const guint32 sizes[] = { G_MAXUINT, G_MAXINT, 0x10000, 0x8000 };
  static const guint32 counts[] = { G_MAXUINT, 0x80000000, G_MAXINT, 0 };
  guint8 bytes[1000] = { 0 };

  GST_WRITE_UINT32_LE (bytes + 80, G_MAXUINT);
  GST_WRITE_UINT32_LE (bytes + 88, 1);
  GST_WRITE_UINT32_LE (bytes + 92, 1);
  for (guint i = 0; i < 64; i++) {
    GST_WRITE_UINT32_LE (bytes + 48, sizes[i % 4]);
    GST_WRITE_UINT32_LE (bytes + 52, sizes[i / 4 % 4]);
    GST_WRITE_UINT32_LE (bytes + 112, counts[i / 16]);
    g_assert_null (parse (&tiles, bytes, sizeof bytes));
  }
}

/* A result that is on the device only cannot be serialised. */
static void
test_nothing_to_serialise (void)
{
  g_autoptr (GstGlesPointsResult) result =
      gst_gles_points_result_new_queued (&sample_points_info, NULL, NULL, NULL);
  GstByteWriter writer;

  gst_byte_writer_init (&writer);
  g_assert_false (gst_gles_points_serialize (result, &writer));
  gst_byte_writer_reset (&writer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/serial/round-trips", test_round_trips);
  g_test_add_func ("/serial/origins", test_origins);
  g_test_add_func ("/serial/boxes", test_boxes);
  g_test_add_func ("/serial/boxes-of-histograms", test_boxes_of_histograms);
  g_test_add_func ("/serial/claims", test_claims);
  g_test_add_func ("/serial/claims-of-flashes", test_claims_of_flashes);
  g_test_add_func ("/serial/claims-of-crops", test_claims_of_crops);
  g_test_add_func ("/serial/claims-of-zones", test_claims_of_zones);
  g_test_add_func ("/serial/long-texts-are-cut", test_long_texts_are_cut);
  g_test_add_func ("/serial/text-that-is-not-utf-8", test_text_that_is_not_utf_8);
  g_test_add_func ("/serial/labels-are-freed", test_labels_are_freed);
  g_test_add_func ("/serial/tiles-whose-number-wraps", test_tiles_whose_number_wraps);
  g_test_add_func ("/serial/nothing-to-serialise", test_nothing_to_serialise);
  return g_test_run ();
}
