/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "detector.h"

#include "zones.h"

#include <gio/gio.h>
#include <gst/video/video.h>

#define ASKED "detector-asked"
#define ANSWERS "detector-answers"
#define TEE "detector-tee"

/* What the probes share; each has a reference. */
typedef struct {
  guint64 every, n_frames; /* of the thread that brings frames */
  GstElement *zones;
  gchar *areas, *lines; /* (nullable): what it gets */

  GMutex lock; /* of what follows: */
  gboolean has_answered;
  GstBuffer *answer; /* (nullable): has boxes that no frame has got yet */
  GstVideoInfo size; /* of the picture in it; only width and height are set */
} Detector;

static void
clear (gpointer data)
{
  Detector *self = data;

  gst_clear_buffer (&self->answer);
  gst_object_unref (self->zones);
  g_free (self->areas);
  g_free (self->lines);
  g_mutex_clear (&self->lock);
}

static void
release (gpointer data)
{
  g_atomic_rc_box_release_full (data, clear);
}

/* Returns the size of the pictures that pass @pad, 0x0 if these are none. */
static GstVideoInfo
get_size (GstPad *pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  const GstStructure *structure = caps != NULL ? gst_caps_get_structure (caps, 0) : NULL;
  GstVideoInfo size;

  gst_video_info_init (&size);
  if (structure != NULL) {
    gst_structure_get_int (structure, "width", &size.width);
    gst_structure_get_int (structure, "height", &size.height);
  }
  return size;
}

/* ---- boxes ---- */

typedef struct {
  GstBuffer *to;
  GstVideoMetaTransform sizes;
} Copy;

static gboolean
is_scaled (const Copy *copy)
{
  const GstVideoInfo *from = copy->sizes.in_info, *to = copy->sizes.out_info;

  return from->width > 0 && (from->width != to->width || from->height != to->height);
}

/* A GstBufferForeachMetaFunc. Metas copy and scale themselves, also those of libraries that this
 * program does not use. */
static gboolean
copy_boxes (GstBuffer *from, GstMeta **meta, gpointer user_data)
{
  Copy *copy = user_data;
  const GstMetaInfo *info = (*meta)->info;
  GstMetaTransformCopy whole = { FALSE, 0, (gsize) -1 };

  if (info->transform_func == NULL ||
      (info->api != GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE &&
          !g_str_equal (g_type_name (info->api), "GstAnalyticsRelationMetaAPI")))
    return TRUE;
  if (is_scaled (copy))
    info->transform_func (
        copy->to, *meta, from, gst_video_meta_transform_scale_get_quark (), &copy->sizes);
  else
    info->transform_func (copy->to, *meta, from, _gst_meta_transform_copy, &whole);
  return TRUE;
}

/* ---- probes ---- */

static GstPadProbeReturn
on_asked (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Detector *self = user_data;

  return self->n_frames++ % self->every == 0 ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
on_answer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Detector *self = user_data;
  gboolean is_first;

  g_mutex_lock (&self->lock);
  gst_buffer_replace (&self->answer, GST_PAD_PROBE_INFO_BUFFER (info));
  self->size = get_size (pad);
  is_first = !self->has_answered;
  self->has_answered = TRUE;
  g_mutex_unlock (&self->lock);
  if (is_first)
    g_object_set (self->zones, "zones", self->areas, "lines", self->lines, NULL);
  /* a sink that waits for the pipeline to play would keep the frame from the others */
  return GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Detector *self = user_data;
  g_autoptr (GstBuffer) answer = NULL;
  GstVideoInfo from, to = get_size (pad);
  Copy copy = { .sizes = { &from, &to } };

  g_mutex_lock (&self->lock);
  answer = g_steal_pointer (&self->answer);
  from = self->size;
  g_mutex_unlock (&self->lock);
  if (answer == NULL)
    return GST_PAD_PROBE_OK;
  copy.to = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = copy.to;
  gst_buffer_foreach_meta (answer, copy_boxes, &copy);
  return GST_PAD_PROBE_OK;
}

static void
probe (GstBin *bin, Detector *self, const gchar *name, GstPadProbeCallback callback)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (bin, name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, callback, g_atomic_rc_box_acquire (self), release);
}

/* ---- the elements ---- */

void
watch_detector_describe (const WatchCameraConfig *config, GString *text)
{
  /* tee gives frames to the detector first, whose pad is the first that is asked for */
  g_string_append_printf (text,
      " ! tee name=" TEE " " TEE ". ! identity name=" ASKED " ! %s"
      " ! fakesink name=" ANSWERS " sync=false async=false enable-last-sample=false " TEE ".",
      config->detector);
}

void
watch_detector_attach (const WatchCameraConfig *config, GstBin *bin)
{
  Detector *self = g_atomic_rc_box_new0 (Detector);

  self->every = config->detect_every;
  self->zones = gst_bin_get_by_name (bin, "gleszones0");
  self->areas = watch_zones_describe (config, FALSE);
  self->lines = watch_zones_describe (config, TRUE);
  g_mutex_init (&self->lock);
  probe (bin, self, ASKED, on_asked);
  probe (bin, self, ANSWERS, on_answer);
  probe (bin, self, "glestrack0", on_frame);
  release (self);
}

gboolean
watch_detector_sees_nothing (GstMessage *message)
{
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_WARNING ||
      g_strcmp0 (GST_MESSAGE_SRC_NAME (message), "glestrack0") != 0)
    return FALSE;
  gst_message_parse_warning (message, &error, NULL);
  return g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED);
}

gboolean
watch_detector_check (const gchar *text, GError **error)
{
  g_autoptr (GstElement) bin =
      gst_parse_bin_from_description_full (text, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);

  if (bin == NULL)
    return FALSE;
  gst_object_ref_sink (bin);
  if (g_list_length (bin->sinkpads) == 1 && g_list_length (bin->srcpads) == 1)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "detector=%s: frames go in at one end and come out at the other, so there is neither a "
      "source nor a sink",
      text);
  return FALSE;
}
