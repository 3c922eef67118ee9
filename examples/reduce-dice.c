/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Throws a million dice and asks a device for their sum, the lowest and the highest: about 3.5
 * million, 1 and 6.
 * Usage: gst-gles-reduce-dice */
#include <gst/gles/gles.h>

#define N_DICE 1000000

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name;
    GstGlesReduceOp op;
  } questions[] = { { "sum", GST_GLES_REDUCE_SUM }, { "lowest", GST_GLES_REDUCE_MIN },
    { "highest", GST_GLES_REDUCE_MAX } };
  g_autofree guint32 *dice = g_new (guint32, N_DICE);
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  for (guint i = 0; i < N_DICE; i++)
    dice[i] = g_random_int_range (1, 7);

  /* GST_GLES_DEVICE, or the best there is */
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autoptr (GstGlesReduce) reduce = gst_gles_reduce_new (queue, N_DICE, &error);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 4 * N_DICE, &error);
  if (reduce == NULL || buffer == NULL ||
      !gst_gles_buffer_upload (buffer, queue, 0, dice, 4 * N_DICE, &error))
    g_error ("%s", error->message);

  for (guint i = 0; i < G_N_ELEMENTS (questions); i++) {
    GstGlesResult result;
    if (!gst_gles_reduce_run (
            reduce, questions[i].op, GST_GLES_VALUE_U32, buffer, N_DICE, &error) ||
        !gst_gles_buffer_download (
            gst_gles_reduce_get_result (reduce), queue, 0, &result, sizeof (result), &error))
      g_error ("%s", error->message);
    g_print ("%-8s %7" G_GUINT64_FORMAT "\n", questions[i].name, result.total);
  }
  return 0;
}
