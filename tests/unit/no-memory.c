/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables, slots and arrays that do not fit in memory are errors and do not abort the process. */
#include <gst/gles/algo/frame/frame-noise.h>
#include <gst/gles/cpu/histogram/histogram.h>
#include <gst/gles/cpu/frame/frame-histogram.h>
#include <gst/gles/cpu/frame/frame-overview.h>
#include <gst/gles/cpu/frame/frame-histogram-rows.h>
#include <gst/gles/gl/upload.h>
#include <gst/gles/meta/serial.h>

#include <string.h>

#include "gles-test.h"
#include "no-memory.h"

static GstGlesDevice *device;
static GError *error;

#define N_KEYS (1u << 19)

/* @call fails where @extra bytes are left, with a message that says something. */
#define assert_no_memory(call, extra)                                                              \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gboolean done;                                                                                 \
    no_memory_begin (extra);                                                                       \
    done = (call) ? TRUE : FALSE;                                                                  \
    no_memory_end ();                                                                              \
    g_assert_true (error != NULL && strlen (error->message) > 20);                                 \
    assert_fails (done, NO_MEMORY);                                                                \
  }                                                                                                \
  G_STMT_END

/* Before any other test: tables that were given back are used again. */
static void
test_tables (void)
{
  g_autofree guint16 *samples = g_new0 (guint16, N_KEYS);
  g_autofree guint32 *counts = g_new (guint32, 65536);
  GstGlesCpuChannel channel = { .data = { (const guint8 *) samples }, .depth = 16 };
  GstGlesCpuChannel bytes = { .data = { (const guint8 *) samples }, .depth = 8 };
  const GstGlesCpuFrameHistogramShape shape = { 0, 0, 1024, N_KEYS / 1024, 1, 1, 65536 };
  const GstGlesCpuFrameHistogramShape overview_shape = { .width = 1024, .height = N_KEYS / 1024 };
  guint32 overview[GST_GLES_OVERVIEW_WORDS];
  GstGlesCpuBinning binning;

  channel.component[0] = (GstGlesComponent){
    .stride = 2048, .step = 2, .word_bytes = 2, .depth = 16, .width = 1024, .height = N_KEYS / 1024
  };
  bytes.component[0] = (GstGlesComponent){
    .stride = 1024, .step = 1, .word_bytes = 1, .depth = 8, .width = 1024, .height = N_KEYS / 1024
  };
  gst_gles_cpu_binning_init (&binning, 0, 65536, 65536);
  assert_no_memory (gst_gles_cpu_frame_histogram (&channel, &shape, counts, &error), 0);
  assert_no_memory (
      gst_gles_cpu_frame_overview (&bytes, &overview_shape, NULL, overview, &error), 0);
  for (guint key_bytes = 1; key_bytes <= 4; key_bytes *= 2)
    assert_no_memory (
        gst_gles_cpu_histogram (&binning,
            &(GstGlesCpuKeys){ samples, 2 * N_KEYS / key_bytes, key_bytes }, counts, &error),
        0);
  /* and with memory it goes on */
  assert_ok (gst_gles_cpu_frame_histogram (&channel, &shape, counts, &error));
  g_assert_cmpuint (counts[0], ==, N_KEYS);
}

/* Columns of a grid take edges. */
static void
test_edges (void)
{
  enum {
    COLUMNS = 65536
  };
  g_autofree guint8 *samples = g_malloc0 (COLUMNS);
  g_autofree guint32 *counts = g_new (guint32, 2 * COLUMNS);
  GstGlesCpuChannel channel = { .data = { samples }, .depth = 8 };
  const GstGlesCpuFrameHistogramShape shape = { 0, 0, COLUMNS, 1, COLUMNS, 1, 2 };

  channel.component[0] = (GstGlesComponent){
    .stride = COLUMNS, .step = 1, .word_bytes = 1, .depth = 8, .width = COLUMNS, .height = 1
  };
  assert_no_memory (gst_gles_cpu_frame_histogram (&channel, &shape, counts, &error), 0);
}

/* What another process sends. */
static void
test_serial (void)
{
  enum {
    N = 100000,
    BYTES = 140 + 8 * N
  };
  g_autofree guint8 *data = g_malloc0 (BYTES);
  GstGlesPointsResult *result;
  GstByteReader reader;

  /* a picture of one pixel, the total, the region, the number of points */
  GST_WRITE_UINT32_LE (data + 48, 1);
  GST_WRITE_UINT32_LE (data + 52, 1);
  GST_WRITE_UINT32_LE (data + 80, N);
  GST_WRITE_UINT32_LE (data + 96, 1);
  GST_WRITE_UINT32_LE (data + 100, 1);
  GST_WRITE_UINT32_LE (data + 136, N);
  gst_byte_reader_init (&reader, data, BYTES);
  no_memory_begin (0);
  result = gst_gles_points_parse (&reader);
  no_memory_end ();
  g_assert_null (result);
  gst_byte_reader_set_pos (&reader, 0);
  result = gst_gles_points_parse (&reader);
  g_assert_nonnull (result);
  gst_gles_points_result_unref (result);
}

/* Without mapped memory, frames are copied to the heap first. */
static void
test_upload_slot (void)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);

  assert_no_memory (gst_gles_upload_ring_new (queue, 3, 100 << 20, &error), 150 << 20);
}

/* The rows that noise is measured of, which are kept for the next picture. The device has no GL,
 * because threads of a driver would meet the limit. */
static void
test_noise_rows (void)
{
  enum {
    SIZE = 16384
  };
  const GstGlesImage format = { .width = SIZE,
    .height = SIZE,
    .n_components = 1,
    .components = { { .stride = SIZE,
        .step = 1,
        .word_bytes = 1,
        .depth = 8,
        .width = SIZE,
        .height = SIZE } },
    .names = { "Y" },
    .luma = GST_GLES_LUMA_STORED,
    .luma_depth = 8 };
  g_autoptr (GstGlesDevice) cpu = gst_gles_device_new ("cpu", &error);
  g_autoptr (GstGlesFrameNoise) noise =
      gst_gles_frame_noise_new (gst_gles_device_get_queue (cpu), &format, 0, &error);
  guint32 counts[GST_GLES_FRAME_NOISE_BINS];
  guint8 *kept = NULL;

  g_assert_no_error (error);
  assert_no_memory (gst_gles_frame_noise_run_native (noise, &format, &kept, counts, &error), 0);
  g_assert_null (kept);
}

int
main (int argc, char *argv[])
{
  gint status;

  no_memory_init ();
  device = gles_test_begin (&argc, &argv, FALSE);
  g_test_add_func ("/no-memory/tables", test_tables);
  g_test_add_func ("/no-memory/edges", test_edges);
  g_test_add_func ("/no-memory/serial", test_serial);
  g_test_add_func ("/no-memory/noise-rows", test_noise_rows);
  if (device != NULL)
    g_test_add_func ("/no-memory/upload-slot", test_upload_slot);
  status = g_test_run ();
  if (device == NULL && status == 0)
    status = gles_test_no_gl ();
  gst_clear_object (&device);
  return status;
}
