/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every format, predicate and channel of glescompact in frames as people have them, validated on
 * the software device: large-frames WIDTHxHEIGHT [EVERY], of which EVERY leaves out all
 * combinations but every n-th. */
#include <stdio.h>
#include <stdlib.h>

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "gles-test.h"

#define N_FRAMES 2
#define CHANNELS "luma", "0", "1", "2", "3"

static guint n_run, n_left_out;

/* Words that look like noise, the same in each run. */
static void
fill (GstBuffer *buffer, guint32 seed)
{
  GstMapInfo map;
  guint32 *words;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  words = (guint32 *) (gpointer) map.data;
  for (gsize i = 0; i < map.size / 4; i++) {
    seed = seed * 1664525u + 1013904223u;
    words[i] = seed ^ seed >> 15;
  }
  gst_buffer_unmap (buffer, &map);
}

/* Pushes the frames. Fails if an error is on the bus. */
static void
run (const gchar *line, GstCaps *caps, GstBuffer *const frames[N_FRAMES])
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_bus (harness->element, bus);
  gst_harness_set_src_caps (harness, gst_caps_ref (caps));
  for (guint i = 0; i < N_FRAMES; i++) {
    GstFlowReturn flow = gst_harness_push (harness, gst_buffer_copy (frames[i]));

    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    if (message != NULL || flow != GST_FLOW_OK) {
      g_autoptr (GError) error = NULL;
      g_autofree gchar *text = gst_caps_to_string (caps), *debug = NULL;

      if (message != NULL)
        gst_message_parse_error (message, &error, &debug);
      g_error ("%s of %s: %s", line, text, error != NULL ? error->message : "not pushed");
    }
    gst_buffer_unref (gst_harness_pull (harness));
  }
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

static void
run_format (GstVideoFormat format, guint width, guint height, guint every)
{
  static const gchar *const channels[] = { CHANNELS };
  static const gchar *const predicates[] = { "predicate=threshold unit=percent lower=90",
    "predicate=motion unit=percent lower=60", "predicate=edge unit=percent lower=50",
    "predicate=motion reference=background unit=percent lower=60" };
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *frames[N_FRAMES];
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, width, height);
  info.fps_n = 25;
  info.fps_d = 1;
  caps = gst_video_info_to_caps (&info);
  for (guint i = 0; i < N_FRAMES; i++) {
    frames[i] = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
    GST_BUFFER_PTS (frames[i]) = i * 40 * GST_MSECOND;
    fill (frames[i], 3 + i);
  }
  for (guint p = 0; p < G_N_ELEMENTS (predicates); p++) {
    for (guint c = 0; c <= MIN (GST_VIDEO_INFO_N_COMPONENTS (&info), 4); c++) {
      g_autofree gchar *line = NULL;

      if ((n_run + n_left_out) % every != 0) {
        n_left_out++;
        continue;
      }
      n_run++;
      line = g_strdup_printf (
          "glescompact device=software validate=true %s channel=%s", predicates[p], channels[c]);
      run (line, caps, frames);
    }
  }
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (frames[i]);
}

int
main (int argc, char **argv)
{
  g_autoptr (GstElementFactory) factory = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstGlesDevice) device = NULL;
  const GstStaticPadTemplate *pad;
  const GValue *formats;
  guint width, height, every = argc > 2 ? (guint) atoi (argv[2]) : 1;

  gst_init (NULL, NULL);
  if (argc < 2 || sscanf (argv[1], "%ux%u", &width, &height) != 2 || every == 0)
    return 2;
  device = gst_gles_device_new ("software", NULL);
  if (device == NULL)
    return gles_test_no_gl ();
  factory = gst_element_factory_find ("glescompact");
  pad = gst_element_factory_get_static_pad_templates (factory)->data;
  caps = gst_static_pad_template_get_caps ((GstStaticPadTemplate *) pad);
  formats = gst_structure_get_value (gst_caps_get_structure (caps, 0), "format");
  for (guint i = 0; i < gst_value_list_get_size (formats); i++) {
    const gchar *name = g_value_get_string (gst_value_list_get_value (formats, i));

    run_format (gst_video_format_from_string (name), width, height, every);
  }
  g_print ("%u combinations of format, predicate and channel at %ux%u: none different\n", n_run,
      width, height);
  return 0;
}
