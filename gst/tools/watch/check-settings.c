/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether settings of elements are right, only the elements know. So the analysis of a camera is
 * built as it will run, and gets one frame. */
#include "analysis.h"
#include "check-private.h"
#include "detector.h"
#include "zones.h"

#include <string.h>

#include <gst/app/gstappsink.h>

#define TIMEOUT (10 * GST_SECOND)

/* Makes glescompact do without samples, since filling them for so large a frame takes seconds and
 * tests no setting. */
static void
compare_frames (GstBin *analysis)
{
  g_autoptr (GstElement) compact = gst_bin_get_by_name (analysis, "glescompact0");

  if (compact != NULL)
    gst_util_set_object_arg (G_OBJECT (compact), "reference", "previous");
}

/* Gives the analysis of @config one frame: FALSE with @error if an element refuses a setting. The
 * frame has 8192 x 4320 pixels, so that every region that some camera could have lies within it. */
static gboolean
try (const WatchCameraConfig *config, GError **error)
{
  const WatchAnalysisOptions options = { .lossless = TRUE };
  WatchCameraConfig tried = *config;
  GstElement *analysis;
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;
  GstElement *source;

  /* a detector may take long for a frame, and refuse one of this format */
  if (tried.detector != NULL)
    tried.detector = (gchar *) "identity";
  analysis = watch_analysis_new (&tried, &options, error);
  if (analysis == NULL)
    return FALSE;
  pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  gst_bin_add (GST_BIN (pipeline), analysis);
  compare_frames (GST_BIN (analysis));
  /* nothing pulls the lines of events from this sink */
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
  do {
    g_clear_pointer (&message, gst_message_unref);
    message = gst_bus_timed_pop_filtered (
        bus, TIMEOUT, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING | GST_MESSAGE_EOS);
  } while (message != NULL && watch_detector_sees_nothing (message));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, error, NULL);
  else if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    gst_message_parse_warning (message, error, NULL);
  return message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
}

/* Returns whether @config has settings that have to be tried, which takes time. */
static gboolean
has_settings (const WatchCameraConfig *config)
{
  return config->mask != NULL || config->region != NULL || config->set != NULL;
}

/* Tries the settings of @config, unless another camera had the same ones and they are in @tried, a
 * set of settings that were found right. */
static gboolean
try_once (const WatchCameraConfig *config, GHashTable *tried, GError **error)
{
  g_autofree gchar *set = config->set != NULL ? g_strjoinv ("\n", config->set) : NULL;
  g_autofree gchar *settings = g_strdup_printf ("%s\n%s\n%s\n%s\n%" G_GUINT64_FORMAT "\n%d%d\n%s",
      config->device, config->events, config->mask, config->region, config->rate,
      config->detector != NULL, config->zones->len > 0, set);

  if (g_hash_table_contains (tried, settings))
    return TRUE;
  if (!try (config, error))
    return FALSE;
  g_hash_table_add (tried, g_steal_pointer (&settings));
  return TRUE;
}

static const gchar *
explain (const GError *error)
{
  return error != NULL ? error->message : "the analysis does not end";
}

/* Tries each of @keys without the others, to find the line of the one that is wrong. Returns
 * whether one was refused. */
static gboolean
try_alone (const WatchChecker *self, const WatchCameraConfig *config, const gchar *const *keys)
{
  const guint before = self->errors->len;

  for (guint i = 0; keys[i] != NULL; i++) {
    WatchCameraConfig alone = *config;
    g_autoptr (GError) error = NULL;

    alone.mask = i == 0 ? config->mask : NULL;
    alone.region = i == 1 ? config->region : NULL;
    alone.set = i == 2 ? config->set : NULL;
    if (has_settings (&alone) && !try (&alone, &error))
      watch_checker_add_error (self, self->errors, &config->section, keys[i], explain (error));
  }
  return self->errors->len > before;
}

void
watch_check_settings (const WatchChecker *self, const WatchCameraConfig *config)
{
  static const gchar *const keys[] = { "mask", "region", "set", NULL };
  const gboolean there[] = { config->mask != NULL, config->region != NULL, config->set != NULL };
  const gchar *last = keys[there[2] ? 2 : there[1]];
  const gboolean single = there[0] + there[1] + there[2] == 1;
  g_autoptr (GError) error = NULL;

  if (!has_settings (config) || try_once (config, self->tried, &error))
    return;
  if (single || !try_alone (self, config, keys))
    watch_checker_add_error (self, self->errors, &config->section, last, explain (error));
}

/* Returns what gleszones says of @zone, or NULL if it takes it: (transfer full). */
static gchar *
refuse_zone (const WatchZoneConfig *zone)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("gleszones", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autofree gchar *text = watch_zone_describe (zone);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  if (element == NULL)
    return g_strdup ("there is no element gleszones; is the plugin installed?");
  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  g_object_set (element, zone->line != NULL ? "lines" : "zones", text, NULL);
  gst_element_set_state (element, GST_STATE_PAUSED);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  if (message == NULL)
    return NULL;
  gst_message_parse_error (message, &error, NULL);
  return g_strdup_printf ("%s (in \"%s\")", error->message, text);
}

void
watch_check_zone (const WatchChecker *self, const WatchZoneConfig *zone)
{
  const gchar *key = zone->line != NULL ? "line" : "polygon";
  const gchar *shape = zone->line != NULL ? zone->line : zone->polygon;
  g_autofree gchar *refused = NULL;

  /* with these characters gleszones would take a part of the text for another zone */
  if (zone->types != NULL && strpbrk (zone->types, " \t:;=") != NULL) {
    watch_checker_add_error (self, self->errors, &zone->section, "types",
        "types: labels without spaces and :;=, and commas between them");
    return;
  }
  refused = strpbrk (shape, ":;=") != NULL ? g_strdup ("vertices x,y, and spaces between them")
                                           : refuse_zone (zone);
  if (refused != NULL)
    watch_checker_add_error (self, self->errors, &zone->section, key, refused);
}
