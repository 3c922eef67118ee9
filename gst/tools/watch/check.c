/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What only elements know is asked of elements: each camera's analysis is built and gets a
 * frame. */
#include "analysis.h"
#include "discovery.h"
#include "service.h"
#include "source.h"
#include "uri-text.h"
#include "watch-config.h"

#include <string.h>

#include <gio/gio.h>
#include <gst/app/gstappsink.h>

#define TIMEOUT (10 * GST_SECOND)

static void
add_error (GPtrArray *errors, const gchar *file, const WatchSection *section, const gchar *text)
{
  g_autofree gchar *shown = watch_uri_text_hide (text);

  g_ptr_array_add (
      errors, g_strdup_printf ("%s:%u: [%s]: %s", file, section->line, section->name, shown));
}

/* To fill the samples of so large a frame takes seconds, and no setting is checked by it. */
static void
compare_frames (GstBin *analysis)
{
  g_autoptr (GstElement) compact = gst_bin_get_by_name (analysis, "glescompact0");

  if (compact != NULL)
    gst_util_set_object_arg (G_OBJECT (compact), "reference", "previous");
}

/* Lets the analysis of @config have a frame: FALSE with @error. A frame of 8192 x 4320 has room for
 * every region. */
static gboolean
try (const WatchCameraConfig *config, GError **error)
{
  const WatchAnalysisOptions options = { .lossless = TRUE };
  GstElement *analysis = watch_analysis_new (config, &options, error);
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;
  GstElement *source;

  if (analysis == NULL)
    return FALSE;
  pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  gst_bin_add (GST_BIN (pipeline), analysis);
  compare_frames (GST_BIN (analysis));
  /* nobody takes the lines of events */
  gst_child_proxy_set (
      GST_CHILD_PROXY (analysis), WATCH_ANALYSIS_LINES "::wait-on-eos", FALSE, NULL);
  source = gst_parse_bin_from_description_full (
      "videotestsrc num-buffers=1 pattern=black ! "
      "capsfilter caps=video/x-raw,format=GRAY8,width=8192,height=4320",
      TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (source == NULL)
    return FALSE;
  gst_bin_add (GST_BIN (pipeline), source);
  gst_element_link (source, analysis);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (
      bus, TIMEOUT, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING | GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, error, NULL);
  else if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    gst_message_parse_warning (message, error, NULL);
  return message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
}

static gboolean
check_decoders (const WatchCameraConfig *config, GError **error)
{
  g_auto (GStrv) names = g_strsplit (config->decoder != NULL ? config->decoder : "", ",", -1);

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (g_strstrip (names[i]));

    if (factory == NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
          "decoder=%s: there is no element %s; gst-inspect-1.0 lists what is", config->decoder,
          names[i]);
      return FALSE;
    }
  }
  return TRUE;
}

/* Whether trying is worth its time: the rest is known to be right. */
static gboolean
has_settings (const WatchCameraConfig *config)
{
  return config->mask != NULL || config->region != NULL || config->set != NULL;
}

/* Tries settings that many cameras have once. @tried: the settings that are right. */
static gboolean
try_once (const WatchCameraConfig *config, GHashTable *tried, GError **error)
{
  g_autofree gchar *set = config->set != NULL ? g_strjoinv ("\n", config->set) : NULL;
  g_autofree gchar *settings = g_strdup_printf ("%s\n%s\n%s\n%s\n%" G_GUINT64_FORMAT "\n%s",
      config->device, config->events, config->mask, config->region, config->rate, set);

  if (g_hash_table_contains (tried, settings))
    return TRUE;
  if (!try (config, error))
    return FALSE;
  g_hash_table_add (tried, g_steal_pointer (&settings));
  return TRUE;
}

static gboolean
check_camera (const WatchCameraConfig *config, GHashTable *tried, GError **error)
{
  g_autofree gchar *tags = watch_analysis_get_tags (config, error);
  g_auto (GStrv) events = tags != NULL ? watch_analysis_list_events (config, error) : NULL;

  return tags != NULL && events != NULL && watch_source_check (config, error) &&
      check_decoders (config, error) && (!has_settings (config) || try_once (config, tried, error));
}

static void
check_publish (const WatchPublishConfig *config, const gchar *file, GPtrArray *errors)
{
  static const gchar *const methods[] = { "mqtt", "file", "fd", NULL };
  g_autoptr (GError) error = NULL;

  if (config->method == NULL || !g_strv_contains (methods, config->method))
    add_error (errors, file, &config->section, "method: mqtt, file or fd");
  else if (g_str_equal (config->method, "file") && config->address == NULL)
    add_error (errors, file, &config->section, "method=file needs an address, the path");
  if (config->topic == NULL || config->base_topic == NULL || config->discovery_prefix == NULL)
    add_error (errors, file, &config->section, "a topic is empty");
  else if (!watch_topic_check (config, &error))
    add_error (errors, file, &config->section, error->message);
}

/* Two cameras with one topic would tell of each other. */
static void
check_topics (GPtrArray *cameras, const gchar *file, GPtrArray *errors)
{
  g_autoptr (GHashTable) levels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cameras->len; i++) {
    const WatchCameraConfig *camera = cameras->pdata[i];
    gchar *level = watch_topic_escape (camera->section.name);
    const WatchCameraConfig *other = g_hash_table_lookup (levels, level);

    if (other != NULL) {
      g_autofree gchar *text = g_strdup_printf ("in topics, the name is %s, and so is that of the "
                                                "camera %s in line %u; choose another one",
          level, other->section.name, other->section.line);

      add_error (errors, file, &camera->section, text);
      g_free (level);
    } else {
      g_hash_table_insert (levels, level, (gpointer) camera);
    }
  }
}

/* Whether @former (nullable) has a camera of these keys and values. */
static gboolean
has_equal (const WatchConfig *former, const WatchCameraConfig *camera)
{
  for (guint i = 0; former != NULL && i < former->cameras->len; i++) {
    const WatchCameraConfig *other = former->cameras->pdata[i];

    if (strcmp (other->section.fingerprint, camera->section.fingerprint) == 0)
      return TRUE;
  }
  return FALSE;
}

gboolean
watch_config_check (
    const WatchConfig *config, const WatchConfig *former, const gchar *file, GPtrArray *errors)
{
  g_autoptr (GHashTable) tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const guint before = errors->len;

  for (guint i = 0; i < config->cameras->len; i++) {
    const WatchCameraConfig *camera = config->cameras->pdata[i];
    g_autoptr (GError) error = NULL;

    /* hundreds of cameras may take longer than the service manager waits */
    watch_service_notify ("WATCHDOG=1");
    if (!has_equal (former, camera) && !check_camera (camera, tried, &error))
      add_error (errors, file, &camera->section,
          error != NULL ? error->message : "the analysis does not end");
  }
  check_topics (config->cameras, file, errors);
  for (guint i = 0; i < config->publish->len; i++)
    check_publish (config->publish->pdata[i], file, errors);
  return errors->len == before;
}
