/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A scan of 2^28 values: more than a storage block of many devices holds, than 65535 workgroups
 * take, and than 32 bits sum up. Compared with a running sum, part by part. */
#include <string.h>

#include <gst/gles/algo/scan/scan-private.h>

#include "array-cases.h"

#define MANY (1u << 28)
#define PART (1u << 22)

static guint32
value_of_many (guint i)
{
  return (i * 2654435761u) >> 24;
}

static GstGlesBuffer *
new_many (void)
{
  g_autofree guint32 *part = g_new (guint32, PART);
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (array_test.device, 4 * (gsize) MANY, &error);

  if (buffer == NULL) {
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
    g_clear_error (&error);
    return NULL;
  }
  for (guint first = 0; first < MANY; first += PART) {
    for (guint i = 0; i < PART; i++)
      part[i] = value_of_many (first + i);
    gst_gles_buffer_upload (
        buffer, array_test.queue, 4 * (gsize) first, part, 4 * (gsize) PART, &error);
    g_assert_no_error (error);
  }
  return buffer;
}

static void
check_many (GstGlesScan *scan, GstGlesBuffer *output, gboolean inclusive)
{
  g_autofree guint32 *part = g_new (guint32, PART);
  guint64 sum = 0;
  GError *error = NULL;

  for (guint first = 0; first < MANY; first += PART) {
    gst_gles_buffer_download (
        output, array_test.queue, 4 * (gsize) first, part, 4 * (gsize) PART, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < PART; i++) {
      guint64 next = sum + value_of_many (first + i);
      if (part[i] != (guint32) (inclusive ? next : sum))
        g_error ("sum %u of 2^28 is 0x%08x, expected 0x%08x", first + i, part[i],
            (guint32) (inclusive ? next : sum));
      sum = next;
    }
  }
  array_check_result (
      gst_gles_scan_get_result (scan), sum, MANY, GST_GLES_STATUS_TOTAL_WRAPPED, "2^28 values");
}

/* Whether the machine has 2 GiB to give, and some more: memory that is not there may only be missed
 * when it is written. */
static gboolean
has_memory (void)
{
  g_autofree gchar *text = NULL;
  const gchar *line;

  if (gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_HARDWARE ||
      !g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    return TRUE;
  line = strstr (text, "MemAvailable:");
  return line == NULL || g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) >> 20 >= 4;
}

/* From one array to another and in place. */
static void
test_many (void)
{
  g_autoptr (GstGlesBuffer) input = NULL, output = NULL;
  g_autoptr (GstGlesScan) scan = NULL;
  GError *error = NULL;

  input = has_memory () ? new_many () : NULL;
  output = input != NULL ? gst_gles_buffer_new (array_test.device, 4 * (gsize) MANY, &error) : NULL;
  if (output == NULL) {
    g_test_skip ("not enough memory");
    return;
  }
  scan = gst_gles_scan_new_full (array_test.queue, MANY, &array_test.variant, &error);
  g_assert_no_error (error);
  g_assert_true (gst_gles_scan_exclusive (scan, input, output, MANY, &error));
  check_many (scan, output, FALSE);
  g_assert_true (gst_gles_scan_inclusive (scan, input, input, MANY, &error));
  check_many (scan, input, TRUE);
}

static void
add_tests (void)
{
  g_test_add_func ("/scan/many", test_many);
}

int
main (int argc, char **argv)
{
  return array_test_main (argc, argv, "GST_GLES_SCAN_VARIANT", add_tests);
}
