/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "fuzz.h"

#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"

const char *__lsan_default_suppressions (void);

/* What fontconfig keeps until the process ends. */
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\n";
}

/* ---- inputs ---- */

guint64
fuzz_take (FuzzInput *input, guint n_bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < n_bytes && input->size > 0; i++, input->size--)
    value |= (guint64) *input->data++ << 8 * i;
  return value;
}

gchar *
fuzz_take_line (FuzzInput *input)
{
  const guint8 *end = input->size > 0 ? memchr (input->data, '\n', input->size) : NULL;
  const gsize length = end != NULL ? (gsize) (end - input->data) : input->size;
  gchar *line = g_strndup ((const gchar *) input->data, length);

  input->data += length + (end != NULL ? 1 : 0);
  input->size -= length + (end != NULL ? 1 : 0);
  return line;
}

/* ---- GStreamer ---- */

/* A critical message is a finding. Newer GLib calls it critical, older a warning, that
 * g_object_set_property() refuses a value outside the property's range, which is what it should
 * do. */
static void
on_log (const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer user_data)
{
  if ((level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) == 0 ||
      (g_strcmp0 (domain, "GLib-GObject") == 0 &&
          strstr (message, "is invalid or out of range for property") != NULL))
    return;
  g_log_default_handler (domain, level, message, user_data);
  abort ();
}

void
fuzz_init (void)
{
  static gsize once = 0;

  if (!g_once_init_enter (&once))
    return;
  /* no plugins but ours, and no thread that outlives an input */
  g_setenv ("GST_PLUGIN_SYSTEM_PATH_1_0", "", TRUE);
  g_setenv ("GST_PLUGIN_PATH_1_0", "", TRUE);
  g_unsetenv ("GST_PLUGIN_PATH");
  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  g_setenv ("GST_GLES_CPU_THREADS", "1", FALSE);
  g_setenv ("GST_GLES_DEVICE", "cpu", TRUE);
  gst_init (NULL, NULL);
  GST_ELEMENT_REGISTER (glescompact, NULL);
  GST_ELEMENT_REGISTER (glesevents, NULL);
  GST_ELEMENT_REGISTER (gleshistogram, NULL);
  GST_ELEMENT_REGISTER (glesjson, NULL);
  GST_ELEMENT_REGISTER (glesoverlay, NULL);
  GST_ELEMENT_REGISTER (glespublish, NULL);
  GST_ELEMENT_REGISTER (glesregions, NULL);
  GST_ELEMENT_REGISTER (glestiles, NULL);
  GST_ELEMENT_REGISTER (glestrack, NULL);
  GST_ELEMENT_REGISTER (gleszones, NULL);
  g_log_set_default_handler (on_log, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_once_init_leave (&once, 1);
}

/* ---- streams ---- */

gboolean
fuzz_stream_init (FuzzStream *stream, const gchar *description)
{
  g_autoptr (GError) error = NULL;
  GstElement *element = gst_parse_bin_from_description (description, TRUE, &error);

  fuzz_assert (element != NULL || error != NULL);
  if (error != NULL) {
    if (element != NULL)
      gst_object_unref (gst_object_ref_sink (element));
    return FALSE;
  }
  stream->harness = gst_harness_new_with_element (element, "sink", "src");
  stream->bus = gst_bus_new ();
  stream->n_errors = 0;
  gst_element_set_bus (element, stream->bus);
  gst_object_unref (element);
  return TRUE;
}

static void
check_messages (FuzzStream *stream, gboolean failed)
{
  GstMessage *message;

  while ((message = gst_bus_pop (stream->bus)) != NULL) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      g_autoptr (GError) error = NULL;

      gst_message_parse_error (message, &error, NULL);
      fuzz_assert (strlen (error->message) > 10);
      stream->n_errors++;
    }
    gst_message_unref (message);
  }
  fuzz_assert (!failed || stream->n_errors > 0);
}

GstBuffer *
fuzz_stream_push (FuzzStream *stream, GstBuffer *buffer)
{
  const GstFlowReturn flow = gst_harness_push (stream->harness, buffer);

  check_messages (stream, flow == GST_FLOW_ERROR);
  return gst_harness_try_pull (stream->harness);
}

void
fuzz_stream_clear (FuzzStream *stream)
{
  /* messages hold their element, which holds the bus */
  gst_bus_set_flushing (stream->bus, TRUE);
  g_clear_pointer (&stream->harness, gst_harness_teardown);
  gst_clear_object (&stream->bus);
}

/* ---- JSON ---- */

void
fuzz_check_json (const gchar *text, gsize size)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonObject *line;

  fuzz_assert (size > 0 && text[size - 1] == '\n' && memchr (text, '\n', size) == text + size - 1);
  if (!json_parser_load_from_data (parser, text, (gssize) size, &error))
    g_error ("no JSON: %s: %.*s", error->message, (int) MIN (size, 2000), text);
  fuzz_assert (JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)));
  line = json_node_get_object (json_parser_get_root (parser));
  fuzz_assert (json_object_has_member (line, "format"));
  fuzz_assert (json_object_get_int_member (line, "width") > 0);
}

void
fuzz_check_line (GstBuffer *buffer)
{
  GstMapInfo map;

  if (buffer == NULL)
    return;
  fuzz_assert (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fuzz_check_json ((const gchar *) map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}
