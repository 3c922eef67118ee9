/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results from another process: one byte that says of which kind, then what the meta was
 * serialised to. What is taken for a result can be read, written as JSON, drawn, and serialised
 * to the same again. */
#include "fuzz.h"

#include <gst/gles/meta/serial.h>

#include <math.h>
#include <string.h>

#include "json/json-results.h"
#include "overlay/overlay-draw.h"

static void
check_json (const Results *results)
{
  static const JsonOptions options = { TRUE, TRUE, TRUE, TRUE, TRUE, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *line = NULL;
  JsonWriter writer;
  gsize size;

  json_writer_init (&writer, 0);
  fuzz_assert (json_results_write (&writer, results, NULL, &options, &error));
  line = json_writer_steal (&writer, &size, &error);
  fuzz_assert (line != NULL);
  fuzz_check_json (line, size);
}

static void
check_drawing (const Results *results)
{
  const OverlayLook looks[] = { { 64, 48, OVERLAY_TOP_LEFT, TRUE, FALSE, 1.0, NULL },
    { 401, 301, OVERLAY_BOTTOM_RIGHT, TRUE, TRUE, 0.5, NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++) {
    GstVideoOverlayComposition *composition = overlay_draw (results, &looks[i], NULL);

    if (composition != NULL)
      gst_video_overlay_composition_unref (composition);
  }
}

static void
check_statistics (GstGlesHistogramResult *result)
{
  for (guint i = 0; i < gst_gles_histogram_result_get_n_channels (result); i++) {
    GstGlesHistogramStatistics statistics;

    fuzz_assert (gst_gles_histogram_result_get_statistics (result, i, &statistics, NULL));
    fuzz_assert (isfinite (statistics.mean) && isfinite (statistics.stddev));
    fuzz_assert (statistics.entropy >= 0 && statistics.entropy <= 16);
    fuzz_assert (statistics.difference >= 0 && statistics.difference <= 1);
    fuzz_assert (statistics.emd >= 0 && statistics.emd <= 65535);
    fuzz_assert (statistics.mad >= 0 && statistics.mad <= 65535);
    fuzz_assert (statistics.min <= statistics.p1 && statistics.p99 <= statistics.max);
  }
}

/* Parses @data into @results, serialises that, parses it and serialises it once more: the same
 * bytes. FALSE: it is no result. */
#define DEFINE_KIND(kind)                                                                          \
  static gboolean parse_##kind (const guint8 *data, gsize size, Results *results)                  \
  {                                                                                                \
    GstByteReader reader;                                                                          \
    GstByteWriter a, b;                                                                            \
    gpointer again;                                                                                \
                                                                                                   \
    gst_byte_reader_init (&reader, data, (guint) size);                                            \
    results->kind = gst_gles_##kind##_parse (&reader);                                             \
    if (results->kind == NULL)                                                                     \
      return FALSE;                                                                                \
    gst_byte_writer_init (&a);                                                                     \
    gst_byte_writer_init (&b);                                                                     \
    fuzz_assert (gst_gles_##kind##_serialize (results->kind, &a));                                 \
    gst_byte_reader_init (&reader, a.parent.data, gst_byte_writer_get_pos (&a));                   \
    again = gst_gles_##kind##_parse (&reader);                                                     \
    fuzz_assert (again != NULL);                                                                   \
    fuzz_assert (gst_gles_##kind##_serialize (again, &b));                                         \
    fuzz_assert (gst_byte_writer_get_pos (&a) == gst_byte_writer_get_pos (&b));                    \
    fuzz_assert (memcmp (a.parent.data, b.parent.data, gst_byte_writer_get_pos (&a)) == 0);        \
    gst_byte_writer_reset (&a);                                                                    \
    gst_byte_writer_reset (&b);                                                                    \
    gst_gles_##kind##_result_unref (again);                                                        \
    return TRUE;                                                                                   \
  }
DEFINE_KIND (histogram)
DEFINE_KIND (points)
DEFINE_KIND (regions)
DEFINE_KIND (tiles)
DEFINE_KIND (tracks)
DEFINE_KIND (zones)

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static gboolean (*const parse[]) (const guint8 *, gsize, Results *) = { parse_histogram,
    parse_points, parse_regions, parse_tiles, parse_tracks, parse_zones };
  Results results = { 0 };

  fuzz_init ();
  if (size < 1 || !parse[data[0] % G_N_ELEMENTS (parse)](data + 1, size - 1, &results))
    return 0;
  if (results.histogram != NULL)
    check_statistics (results.histogram);
  check_json (&results);
  check_drawing (&results);
  results_clear (&results);
  return 0;
}
