/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "validation.h"

#include <string.h>

#include <glib/gstdio.h>

#include <gst/gles/core/error.h>
#include <gst/video/video.h>

#include "../../json/writer.h"

gboolean
validation_words_add (ValidationWords *words, const gchar *name, guint record_words, GBytes *bytes)
{
  if (bytes == NULL)
    return FALSE;
  g_assert (words->n < VALIDATION_MAX_ARRAYS);
  words->arrays[words->n].name = name;
  words->arrays[words->n].record_words = record_words;
  words->arrays[words->n++].bytes = bytes;
  return TRUE;
}

void
validation_words_add_counts (ValidationWords *words, guint64 total, guint32 count)
{
  const guint32 counts[] = { (guint32) total, (guint32) (total >> 32), count };

  validation_words_add (words, "counts", 3, g_bytes_new (counts, sizeof (counts)));
}

void
validation_words_clear (ValidationWords *words)
{
  for (guint i = 0; i < words->n; i++)
    g_bytes_unref (words->arrays[i].bytes);
  words->n = 0;
}

/* Returns word @at of array @index, 0 behind its end. */
static guint32
get_word (const ValidationWords *words, guint index, gsize at)
{
  gsize size = 0;
  const guint32 *data =
      index < words->n ? g_bytes_get_data (words->arrays[index].bytes, &size) : NULL;

  return at < size / 4 ? data[at] : 0;
}

void
validation_twin_clear (ValidationTwin *twin)
{
  validation_words_clear (&twin->found);
  validation_words_clear (&twin->input);
}

gchar *
validation_difference (const ValidationWords *got, const ValidationWords *expected, guint64 frame)
{
  for (guint i = 0; i < expected->n; i++) {
    const gsize n = g_bytes_get_size (expected->arrays[i].bytes) / 4;
    gsize first = 0, n_different = 0;

    if (g_bytes_equal (got->arrays[i].bytes, expected->arrays[i].bytes))
      continue;
    for (gsize at = 0; at < n; at++) {
      if (get_word (got, i, at) != get_word (expected, i, at) && n_different++ == 0)
        first = at;
    }
    return g_strdup_printf ("word %" G_GSIZE_FORMAT " of the %s of frame %" G_GUINT64_FORMAT
                            " is %u on the device and %u in native code, as %" G_GSIZE_FORMAT
                            " of %" G_GSIZE_FORMAT " words differ",
        first, expected->arrays[i].name, frame, get_word (got, i, first),
        get_word (expected, i, first), n_different, n);
  }
  return NULL;
}

/* ---- files ---- */

static gboolean
write_file (
    const gchar *prefix, const gchar *suffix, gconstpointer data, gsize size, GError **error)
{
  g_autofree gchar *path = g_strconcat (prefix, suffix, NULL);

  return g_file_set_contents (path, data, (gssize) size, error);
}

static gboolean
write_words (const gchar *prefix, const gchar *kind, const ValidationWords *words, GError **error)
{
  for (guint i = 0; i < words->n; i++) {
    g_autofree gchar *suffix = g_strdup_printf (".%s.%s.raw", words->arrays[i].name, kind);
    gsize size;
    gconstpointer data = g_bytes_get_data (words->arrays[i].bytes, &size);

    if (!write_file (prefix, suffix, data, size, error))
      return FALSE;
  }
  return TRUE;
}

static void
append_record (GString *text, const ValidationWords *words, guint index, gsize record)
{
  const guint n = words->arrays[index].record_words;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " %u", get_word (words, index, record * n + i));
}

/* Writes array @index of all results for people: a line for each record. */
static gboolean
write_text (const gchar *prefix, const ValidationReport *report, guint index, GError **error)
{
  const ValidationWords *results[] = { report->got, report->expected, report->again };
  const guint record_bytes = 4 * report->got->arrays[index].record_words;
  const guint n_results = report->again->n > 0 ? 3 : 2;
  const gchar *name = report->got->arrays[index].name;
  g_autoptr (GString) text = g_string_new ("# record: on the device | in native code");
  g_autofree gchar *suffix = g_strdup_printf (".%s.txt", name);
  gsize n = 0;

  g_string_append (text, n_results == 3 ? " | on the device again\n" : "\n");
  for (guint i = 0; i < n_results; i++)
    n = MAX (n, g_bytes_get_size (results[i]->arrays[index].bytes) / record_bytes);
  for (gsize record = 0; record < n; record++) {
    g_string_append_printf (text, "%" G_GSIZE_FORMAT ":", record);
    for (guint i = 0; i < n_results; i++) {
      g_string_append (text, i > 0 ? " |" : "");
      if (record < g_bytes_get_size (results[i]->arrays[index].bytes) / record_bytes)
        append_record (text, results[i], index, record);
    }
    g_string_append_c (text, '\n');
  }
  return write_file (prefix, suffix, text->str, text->len, error);
}

static void
append_string (JsonWriter *json, const gchar *key, const gchar *value)
{
  json_writer_raw (json, ",\n ");
  json_writer_string (json, key);
  json_writer_raw (json, ":");
  json_writer_string (json, value);
}

static void
append_planes (JsonWriter *json, const ValidationReport *report)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (report->buffer);
  g_autoptr (GstCaps) caps = gst_caps_from_string (report->caps);
  GstVideoInfo info;
  guint n = 0;

  if (meta != NULL)
    n = meta->n_planes;
  else if (gst_video_info_from_caps (&info, caps))
    n = GST_VIDEO_INFO_N_PLANES (&info);
  json_writer_raw (json, ",\n \"planes\":[");
  for (guint i = 0; i < n; i++) {
    json_writer_raw (json, i > 0 ? ",{\"offset\":" : "{\"offset\":");
    json_writer_uint (
        json, meta != NULL ? meta->offset[i] : GST_VIDEO_INFO_PLANE_OFFSET (&info, i));
    json_writer_raw (json, ",\"stride\":");
    json_writer_uint (
        json, (guint64) (meta != NULL ? meta->stride[i] : GST_VIDEO_INFO_PLANE_STRIDE (&info, i)));
    json_writer_raw (json, "}");
  }
  json_writer_raw (json, "]");
}

static gboolean
write_json (const gchar *prefix, const ValidationReport *report, GError **error)
{
  JsonWriter json;
  g_autofree gchar *text = NULL;
  gsize size;

  json_writer_init (&json, 4096);
  json_writer_raw (&json, "{\"frame\":");
  json_writer_uint (&json, report->frame);
  append_string (&json, "element", report->element);
  append_string (&json, "factory", report->factory);
  append_string (&json, "caps", report->caps);
  append_string (&json, "properties", report->properties);
  append_string (&json, "device", report->device);
  append_string (&json, "plan", report->plan);
  append_string (&json, "difference", report->difference);
  append_planes (&json, report);
  json_writer_raw (&json, ",\n \"record_words\":{");
  for (guint i = 0; i < report->got->n; i++) {
    json_writer_raw (&json, i > 0 ? "," : "");
    json_writer_string (&json, report->got->arrays[i].name);
    json_writer_raw (&json, ":");
    json_writer_uint (&json, report->got->arrays[i].record_words);
  }
  json_writer_raw (&json, "}}\n");
  text = json_writer_steal (&json, &size, error);
  return text != NULL && write_file (prefix, ".json", text, size, error);
}

static gboolean
write_frame (const gchar *prefix, GstBuffer *buffer, GError **error)
{
  GstMapInfo map;
  gboolean ok;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    g_set_error_literal (
        error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED, "the frame's memory cannot be mapped");
    return FALSE;
  }
  ok = write_file (prefix, ".frame.raw", map.data, map.size, error);
  gst_buffer_unmap (buffer, &map);
  return ok;
}

gchar *
validation_dump (const ValidationReport *report, const gchar *folder, GError **error)
{
  g_autofree gchar *element = g_strdelimit (g_strdup (report->element), "/", '_');
  g_autofree gchar *name = g_strdup_printf ("%s-%" G_GUINT64_FORMAT, element, report->frame);
  g_autofree gchar *prefix = g_build_filename (folder, name, NULL);
  gboolean ok;

  /* A failure shows when the first file is written. */
  g_mkdir_with_parents (folder, 0755);
  ok = write_json (prefix, report, error) && write_words (prefix, "device", report->got, error) &&
      write_words (prefix, "native", report->expected, error) &&
      write_words (prefix, "again", report->again, error) &&
      write_words (prefix, "input", report->input, error);
  for (guint i = 0; ok && i < report->got->n; i++)
    ok = write_text (prefix, report, i, error);
  return ok && write_frame (prefix, report->buffer, error) ? g_steal_pointer (&prefix) : NULL;
}
