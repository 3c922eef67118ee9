/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calculates expressions of standard input on the device that GLES_TEST_DEVICE names, for the
 * scripts beside this. The first lines are values of the arrays a, b and c, and the parameters p
 * and q; then each line is an expression, for which a line of values is written, or `error` and
 * the message. */
#include <stdio.h>
#include <string.h>

#include <gst/gles/gles.h>
#include <gst/gles/algo/map/map.h>

#include "gles-test.h"

#define MAX_VALUES 4096
#define MAX_LINE (1 << 20)

static const GstGlesMapType types[] = { GST_GLES_MAP_I32, GST_GLES_MAP_U16, GST_GLES_MAP_U8 };
static const gchar *const names[] = { "a", "b", "c", NULL };

static GstGlesQueue *queue;
static GstGlesDevice *device;
static gchar line[MAX_LINE];

static gboolean
read_line (void)
{
  if (fgets (line, sizeof (line), stdin) == NULL)
    return FALSE;
  line[strcspn (line, "\n")] = '\0';
  return TRUE;
}

static guint
read_numbers (gint32 *numbers)
{
  g_auto (GStrv) words = NULL;
  guint n = 0;

  g_assert_true (read_line ());
  words = g_strsplit (line, " ", -1);
  for (; words[n] != NULL && words[n][0] != '\0'; n++) {
    g_assert_cmpuint (n, <, MAX_VALUES);
    numbers[n] = (gint32) g_ascii_strtoll (words[n], NULL, 10);
  }
  return n;
}

/* A buffer of numbers as words, halves or bytes. */
static GstGlesBuffer *
buffer_of (const gint32 *numbers, guint n, GstGlesMapType type)
{
  const guint bytes = type == GST_GLES_MAP_I32 ? 4 : type == GST_GLES_MAP_U16 ? 2 : 1;
  g_autofree guint8 *packed = g_malloc0 (4 * n + 4);
  GstGlesBuffer *buffer;
  GError *error = NULL;

  for (guint i = 0; i < n; i++)
    memcpy (packed + (gsize) i * bytes, &numbers[i], bytes); /* little-endian */
  buffer = gst_gles_buffer_new (device, 4 * n + 4, &error);
  g_assert_no_error (error);
  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, packed, 4 * n + 4, &error));
  return buffer;
}

/* Returns NULL with @error. */
static gint32 *
calculate (GstGlesBuffer *const *inputs, const gint32 *parameters, guint n, GError **error)
{
  g_autoptr (GstGlesExpression) expression =
      gst_gles_expression_new_for_arrays (line, names, error);
  g_autoptr (GstGlesBuffer) output = NULL;
  g_autoptr (GstGlesMap) map = NULL;
  g_autofree gint32 *values = g_new0 (gint32, n);
  gint32 used[GST_GLES_EXPRESSION_MAX_PARAMETERS] = { 0 };
  const gchar *const *wanted;
  guint n_used = 0;

  if (expression == NULL)
    return NULL;
  wanted = gst_gles_expression_get_parameters (expression);
  for (; wanted[n_used] != NULL; n_used++)
    used[n_used] = parameters[wanted[n_used][0] - 'p'];
  map = gst_gles_map_new (queue, expression, types, G_N_ELEMENTS (types), error);
  output = map != NULL ? gst_gles_buffer_new (device, 4 * n, error) : NULL;
  if (output == NULL ||
      !gst_gles_map_run (map, inputs, G_N_ELEMENTS (types), used, n_used, output, n, error) ||
      !gst_gles_buffer_download (output, queue, 0, values, 4 * n, error))
    return NULL;
  return g_steal_pointer (&values);
}

int
main (int argc, char **argv)
{
  gint32 numbers[3][MAX_VALUES], parameters[MAX_VALUES];
  GstGlesBuffer *inputs[3];
  GError *error = NULL;
  guint n = 0;

  device = gles_test_begin (&argc, &argv, TRUE);
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  for (guint i = 0; i < 3; i++)
    n = read_numbers (numbers[i]);
  g_assert_cmpuint (read_numbers (parameters), ==, 2);
  for (guint i = 0; i < 3; i++)
    inputs[i] = buffer_of (numbers[i], n, types[i]);
  while (read_line ()) {
    g_autofree gint32 *values = calculate (inputs, parameters, n, &error);

    for (guint i = 0; values != NULL && i < n; i++)
      printf ("%d ", values[i]);
    if (values == NULL)
      printf ("error %s", strtok (error->message, "\n"));
    printf ("\n");
    g_clear_error (&error);
  }
  for (guint i = 0; i < 3; i++)
    gst_gles_buffer_unref (inputs[i]);
  gst_object_unref (device);
  return 0;
}
