/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a driver's compiler does with expressions, on a device whose jobs do nothing: no result is
 * looked at.
 *
 *   driver-expressions NODE LINES [N]
 *
 * LINES is a file of tests/expressions/frames.py: a format, numbers, and behind `|` an expression
 * and perhaps, behind a tab, the value of points. Makes the plan of each line from the N-th on, so
 * that its programs are compiled, linked and dispatched. Leaves out expressions that have too many
 * operations. Prints lines as driver-chip does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/frame/frame-expression.h>
#include <gst/gles/import/format.h>
#include <gst/gles/gl/queue.h>

#include "step.h"

#define WIDTH 1280
#define HEIGHT 720
#define N_NUMBERS 19

/* Sets the layout that @words begin with: rows that begin anywhere, if they say so. */
static void
set_image (gchar **words, GstGlesImage *image)
{
  GstVideoInfo info;
  g_autoptr (GError) error = NULL;

  gst_video_info_set_format (&info, gst_video_format_from_string (words[0]), WIDTH, HEIGHT);
  g_assert_true (gst_gles_format_describe (&info, image, &error));
  image->kr = (guint) atoi (words[11]);
  image->kb = (guint) atoi (words[12]);
  image->kg = 65536 - image->kr - image->kb;
  image->full_range = atoi (words[13]);
  for (guint i = 0; i < image->n_components; i++)
    image->components[i].stride += atoi (words[14]) != 0 ? 1 : 0;
}

static GstGlesExpression *
parse (const gchar *text)
{
  g_autoptr (GError) error = NULL;
  GstGlesExpression *expression = gst_gles_expression_new (text, &error);

  g_assert_no_error (error);
  return expression;
}

/* Returns FALSE if the plan could be made and its programs could not. */
static gboolean
compile (GstGlesQueue *queue, const GstGlesImage *image, const GstGlesFrameExpressionConfig *config,
    const gchar *name)
{
  const gint64 begin = step_cpu_us ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesFrameExpression) plan =
      gst_gles_frame_expression_new (queue, image, config, &error);

  if (plan == NULL && strstr (error->message, "operations") != NULL)
    return TRUE;
  if (plan == NULL || !gst_gles_frame_expression_prepare (plan, &error) ||
      !gst_gles_queue_finish (queue, &error)) {
    step_print_failure (name, error->message);
    return FALSE;
  }
  step_print_ok ("EXPRESSION", name, step_cpu_us () - begin);
  return TRUE;
}

static void
run_line (GstGlesQueue *queue, guint number, const gchar *line)
{
  g_auto (GStrv) parts = g_strsplit (line, "|", 2);
  g_auto (GStrv) words = g_strsplit (parts[0], " ", -1);
  g_auto (GStrv) texts = g_strsplit (parts[1], "\t", -1);
  g_autofree gchar *name = g_strdup_printf ("line %u", number);
  GstGlesFrameExpressionConfig config = { NULL };
  GstGlesImage image;

  g_assert_cmpuint (g_strv_length (words), ==, 1 + N_NUMBERS);
  step_begin (g_intern_string (name));
  set_image (words, &image);
  config.lower = (guint) atoi (words[16]);
  config.upper = (guint) atoi (words[17]);
  config.predicate = config.upper == 0;
  config.expression = parse (texts[0]);
  config.point_value = texts[1] != NULL ? parse (texts[1]) : NULL;
  compile (queue, &image, &config, name);
  gst_gles_expression_unref (config.expression);
  gst_gles_expression_unref (config.point_value);
}

int
main (int argc, char **argv)
{
  g_autoptr (GstGlesDevice) device = NULL;
  g_autoptr (GstGlesQueue) queue = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *content = NULL;
  g_auto (GStrv) lines = NULL;

  if (argc < 3 || !g_file_get_contents (argv[2], &content, NULL, NULL)) {
    g_printerr ("usage: driver-expressions NODE LINES [N]\n");
    return 2;
  }
  gst_init (NULL, NULL);
  step_init ();
  step_begin ("the device");
  device = gst_gles_device_new (argv[1], &error);
  if (device == NULL) {
    printf ("REFUSED\t%s\n", error->message);
    return 0;
  }
  queue = gst_object_ref (gst_gles_device_get_queue (device));
  lines = g_strsplit (content, "\n", -1);
  for (guint i = argc > 3 ? (guint) atoi (argv[3]) : 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    run_line (queue, i, lines[i]);
  step_begin ("the end");
  printf ("END\n");
  return 0;
}
