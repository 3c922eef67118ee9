/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The streaming thread of a stream: before the analyzer settings change, behind it every few
 * results are compared with those of the same analyzer on the cpu device, at once or when the
 * pipeline is gone. */
#include "soak-stream.h"

static void
apply_changes (SoakStream *stream)
{
  const SoakSetting *setting;

  while ((setting = g_async_queue_try_pop (stream->changes)) != NULL) {
    g_autofree gchar *value = soak_random_value (stream->stream_rand, setting);

    gst_util_set_object_arg (G_OBJECT (stream->analyzer), setting->name, value);
    if (setting->both)
      gst_util_set_object_arg (G_OBJECT (stream->reference), setting->name, value);
  }
}

/* Before the analyzer: settings change between two frames, for it and for its reference. */
static GstPadProbeReturn
before_analyzer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  SoakStream *stream = user_data;

  soak_throttle (stream->soak);
  apply_changes (stream);
  if (stream->kind->boxes) {
    info->data = gst_buffer_make_writable (info->data);
    soak_add_boxes (stream->stream_rand, info->data);
  }
  g_atomic_int_inc (&stream->soak->counts[SOAK_FRAMES]);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
behind_analyzer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  SoakStream *stream = user_data;

  gst_clear_mini_object (&stream->result);
  stream->result = soak_result_of (stream->kind, GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

gchar *
soak_describe_analyzer (SoakStream *stream)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (stream->analyzer, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autofree gchar *caps_text = caps != NULL ? gst_caps_to_string (caps) : NULL;
  GString *text = g_string_new (caps_text);

  for (guint i = 0; i < stream->kind->n_settings; i++) {
    const gchar *name = stream->kind->settings[i].name;
    GValue value = G_VALUE_INIT;
    g_autofree gchar *as_text = NULL;

    g_object_get_property (G_OBJECT (stream->analyzer), name, &value);
    as_text = gst_value_serialize (&value);
    g_string_append_printf (text, " %s=%s", name, as_text);
    g_value_unset (&value);
  }
  return g_string_free (text, FALSE);
}

/* As soak_difference(); a test plants a difference in the @first comparison of a frame or in
 * all. */
static gchar *
find_difference (SoakStream *stream, GstMiniObject *result, GstMiniObject *expected, gboolean first,
    gboolean *discarded)
{
  const gchar *plant = stream->soak->options.plant;
  gchar *difference = soak_difference (result, expected, discarded);

  if (difference == NULL &&
      ((first && g_strcmp0 (plant, "difference") == 0) || g_strcmp0 (plant, "differences") == 0))
    difference = g_strdup ("a difference that was planted");
  return difference;
}

/* Lets the analyzer say what it knows of a difference, and analyse the frame again: (transfer
 * full). */
static gchar *
explain (SoakStream *stream, GstBuffer *buffer, GstMiniObject *result, GstMiniObject *expected,
    const gchar *difference)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (stream->analyzer, "src");
  g_autoptr (GstQuery) query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new ("GstGlesExplain", "buffer", G_TYPE_POINTER, buffer, "result",
          G_TYPE_POINTER, result, "expected", G_TYPE_POINTER, expected, "difference", G_TYPE_STRING,
          difference, NULL));
  g_autofree gchar *second = NULL;
  GstMiniObject *again = NULL;
  const GstStructure *fields;
  gboolean discarded = FALSE;

  if (!gst_pad_query (pad, query))
    return soak_describe_analyzer (stream);
  fields = gst_query_get_structure (query);
  gst_structure_get (fields, "again", G_TYPE_POINTER, &again, NULL);
  if (again != NULL)
    second = find_difference (stream, again, expected, FALSE, &discarded);
  gst_clear_mini_object (&again);
  return g_strdup_printf ("%s\n%s",
      second != NULL ? "again wrong, when the same frame was dispatched again"
                     : "now right, when the same frame was dispatched again",
      gst_structure_get_string (fields, "text"));
}

static void
compare (SoakStream *stream, GstBuffer *buffer, GstMiniObject *result, GstMiniObject *expected)
{
  Soak *soak = stream->soak;
  gboolean discarded;
  g_autofree gchar *difference = NULL;

  if (soak->failure != NULL)
    return;
  difference = find_difference (stream, result, expected, TRUE, &discarded);
  if (difference != NULL) {
    g_autofree gchar *text = explain (stream, buffer, result, expected, difference);
    soak_fail (soak, "stream %u, %s: %s; %s", stream->index, stream->kind->name, difference, text);
  } else {
    g_atomic_int_inc (&stream->n_compared);
    g_atomic_int_inc (&soak->counts[discarded ? SOAK_DISCARDED : SOAK_COMPARED]);
  }
}

/* Compares what was kept. A pipeline that stops does not take its results back. */
static void
compare_kept (SoakStream *stream, SoakKept *kept)
{
  gboolean discarded;
  g_autofree gchar *difference = NULL;

  if (kept->result == NULL)
    return;
  difference = soak_difference (kept->result, kept->expected, &discarded);
  if (discarded && kept->n_flushes == g_atomic_int_get (&stream->n_flushes))
    difference = g_strdup ("taken back without a flush");
  if (difference != NULL)
    soak_fail (
        stream->soak, "stream %u, %s, kept: %s", stream->index, stream->kind->name, difference);
  g_atomic_int_inc (&stream->soak->counts[SOAK_KEPT]);
  gst_clear_mini_object (&kept->result);
  gst_clear_mini_object (&kept->expected);
}

static GstPadProbeReturn
behind_reference (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  SoakStream *stream = user_data;
  GstMiniObject *expected = soak_result_of (stream->kind, GST_PAD_PROBE_INFO_BUFFER (info));

  g_atomic_int_set (&stream->n_refused, 0);
  /* either may have left the frame out */
  if (stream->result != NULL && expected != stream->result) {
    if (soak_pick (stream->stream_rand, 4) == 0) {
      SoakKept *kept = &stream->kept[stream->n_kept++ % SOAK_N_KEPT];

      compare_kept (stream, kept);
      *kept = (SoakKept){ g_steal_pointer (&stream->result), g_steal_pointer (&expected),
        g_atomic_int_get (&stream->n_flushes) };
    } else {
      compare (stream, GST_PAD_PROBE_INFO_BUFFER (info), stream->result, expected);
    }
  }
  gst_clear_mini_object (&stream->result);
  gst_clear_mini_object (&expected);
  return GST_PAD_PROBE_OK;
}

static void
on_need_data (GstElement *source, guint size, gpointer user_data)
{
  SoakStream *stream = user_data;
  GstBuffer *buffer = soak_make_splats (stream->stream_rand);
  GstFlowReturn flow;

  g_signal_emit_by_name (source, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
}

static void
add_probe (GstElement *element, const gchar *name, GstPadProbeCallback callback, SoakStream *stream)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, stream, NULL);
}

void
soak_compare_start (SoakStream *stream)
{
  add_probe (stream->analyzer, "sink", before_analyzer, stream);
  add_probe (stream->analyzer, "src", behind_analyzer, stream);
  add_probe (stream->reference, "src", behind_reference, stream);
  if (stream->kind->splats)
    g_signal_connect (stream->source, "need-data", G_CALLBACK (on_need_data), stream);
}

void
soak_compare_end (SoakStream *stream)
{
  gst_clear_mini_object (&stream->result);
  for (guint i = 0; i < SOAK_N_KEPT; i++)
    compare_kept (stream, &stream->kept[i]);
}
