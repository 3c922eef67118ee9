/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stream is not encoded again. Matroska, because a file that power or a kill ended can be
 * played. */
#include "record.h"

#include "folder.h"

#include <errno.h>

#include <gio/gio.h>

#define SUFFIX ".mkv"

#define QUEUE_NS (5 * GST_SECOND) /* what waits longer for the disk is left out */

typedef struct {
  gchar *directory;
  guint64 max_bytes;
} Recording;

static void
free_recording (gpointer data, GClosure *closure)
{
  Recording *self = data;

  g_free (self->directory);
  g_free (self);
}

/* Returns the path of the next file: (transfer full). */
static gchar *
make_path (GstElement *sink, guint fragment, Recording *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree gchar *name = g_date_time_format (now, "%Y-%m-%dT%H-%M-%S.%fZ" SUFFIX);
  guint64 bytes;

  if (self->max_bytes > 0)
    watch_folder_prune (self->directory, SUFFIX, 0, self->max_bytes, &bytes);
  return g_build_filename (self->directory, name, NULL);
}

/* Returns the parser that makes of a stream what files take: (transfer floating). */
static GstElement *
make_parser (const gchar *media)
{
  static const struct {
    const gchar *media, *parser;
  } parsers[] = {
    { "video/x-h264", "h264parse" },
    { "video/x-h265", "h265parse" },
    { "image/jpeg", "jpegparse" },
  };
  const gchar *found = "identity";

  for (guint i = 0; i < G_N_ELEMENTS (parsers); i++) {
    if (g_strcmp0 (media, parsers[i].media) == 0)
      found = parsers[i].parser;
  }
  return gst_element_factory_make (found, NULL);
}

/* Puts the elements into @bin and gives it a pad: FALSE: one is missing. */
static gboolean
fill (GstBin *bin, const gchar *media, GstElement *sink)
{
  GstElement *queue = gst_element_factory_make ("queue", NULL);
  GstElement *parser = make_parser (media);
  g_autoptr (GstPad) pad = NULL;

  gst_bin_add (bin, sink);
  if (queue != NULL)
    gst_bin_add (bin, queue);
  if (parser != NULL)
    gst_bin_add (bin, parser);
  if (queue == NULL || parser == NULL)
    return FALSE;
  g_object_set (queue, "max-size-buffers", 0, "max-size-bytes", 0, "max-size-time", QUEUE_NS, NULL);
  gst_util_set_object_arg (G_OBJECT (queue), "leaky", "downstream");
  pad = gst_element_get_static_pad (queue, "sink");
  return gst_element_link_many (queue, parser, sink, NULL) &&
      gst_element_add_pad (GST_ELEMENT (bin), gst_ghost_pad_new ("sink", pad));
}

/* Returns the element that writes files: (transfer floating). NULL: it is missing. */
static GstElement *
make_sink (const WatchCameraConfig *config)
{
  GstElement *sink = gst_element_factory_make ("splitmuxsink", NULL);
  GstElement *muxer = gst_element_factory_make ("matroskamux", NULL);

  if (sink == NULL || muxer == NULL) {
    gst_clear_object (&sink);
    gst_clear_object (&muxer);
    return NULL;
  }
  /* before there is a pad, with which comes a muxer */
  g_object_set (sink, "muxer", muxer, "max-size-time", config->record_duration * GST_SECOND, NULL);
  return sink;
}

GstElement *
watch_record_new (const WatchCameraConfig *config, GstCaps *caps, GError **error)
{
  const gchar *media = gst_structure_get_name (gst_caps_get_structure (caps, 0));
  g_autofree gchar *name = watch_folder_escape (config->section.name);
  g_autofree gchar *directory = g_build_filename (config->record, name, NULL);
  GstElement *bin, *sink;
  Recording *self;

  if (g_strcmp0 (media, "video/x-raw") == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        "record: the camera sends pictures that are not coded; leave record out");
    return NULL;
  }
  if (g_mkdir_with_parents (directory, 0750) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "record: cannot make %s: %s",
        directory, g_strerror (errno));
    return NULL;
  }
  sink = make_sink (config);
  bin = gst_bin_new (NULL);
  if (sink == NULL || !fill (GST_BIN (bin), media, sink)) {
    gst_object_unref (gst_object_ref_sink (bin));
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "record: splitmuxsink, matroskamux, h264parse or h265parse is missing: they are in the "
        "good and the bad plugins");
    return NULL;
  }
  self = g_new0 (Recording, 1);
  self->directory = g_steal_pointer (&directory);
  self->max_bytes = config->record_bytes;
  g_signal_connect_data (sink, "format-location", G_CALLBACK (make_path), self, free_recording, 0);
  return bin;
}
