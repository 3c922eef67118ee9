/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "analysis.h"

#include "../common/element-setting.h"
#include "../../json/check.h"
#include "../../json/node.h"
#include "detector.h"
#include "zones.h"

#include <string.h>

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/* a little less than glesjson accepts, since the name of the camera is added */
#define MAX_TAGS 16000
#define QUEUE "max-size-bytes=0 max-size-time=0"

/* Kinds of events for which no histogram is needed, and kinds for which the histograms must have
 * differences between frames. */
static const gchar *const without_counters[] = { "motion", "stalled", NULL };
static const gchar *const with_differences[] = { "cut", "transition", "freeze", NULL };

/* ---- events ---- */

/* Returns @text as a value of glesevents' property: FALSE with @error. */
static gboolean
parse_events (const gchar *text, GValue *value, GError **error)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("glesevents", NULL);
  g_autofree gchar *setting = g_strconcat ("events=", text, NULL);

  if (element == NULL)
    return element_setting_refuse (error, setting, "not installed", "glesevents");
  gst_object_ref_sink (element);
  if (!element_setting_apply (element, setting, setting, error))
    return FALSE;
  g_value_init (
      value, g_object_class_find_property (G_OBJECT_GET_CLASS (element), "events")->value_type);
  g_object_get_property (G_OBJECT (element), "events", value);
  return TRUE;
}

static gboolean
is_single (guint flags)
{
  return flags != 0 && (flags & (flags - 1)) == 0;
}

gchar **
watch_analysis_list_events (const WatchCameraConfig *config, GError **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GFlagsClass) flags = NULL;

  if (!parse_events (config->events != NULL ? config->events : "", &value, error))
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  flags = g_type_class_ref (G_VALUE_TYPE (&value));
  for (guint i = 0; i < flags->n_values; i++) {
    const GFlagsValue *one = &flags->values[i];

    if (is_single (one->value) && (g_value_get_flags (&value) & one->value) &&
        strcmp (one->value_nick, "stalled") != 0)
      g_ptr_array_add (names, g_strdup (one->value_nick));
  }
  if (names->len == 0) {
    element_setting_refuse (
        error, "events", "nothing is left to detect", "stalled is always detected");
    return NULL;
  }
  g_ptr_array_add (names, NULL);
  return (gchar **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

gboolean
watch_analysis_lasts (const gchar *event)
{
  static const gchar *const others[] = { "cut", "transition", "back", "enter", "leave", "dwell",
    "occupied", "empty", "crowd", "cross", NULL };

  return !g_strv_contains (others, event);
}

/* ---- tags ---- */

gchar *
watch_analysis_get_tags (const WatchCameraConfig *config, GError **error)
{
  const gchar *text = config->tags != NULL ? config->tags : "{}";
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonObject) tags = json_object_new ();
  g_autoptr (JsonNode) result = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (GList) names = NULL;
  gchar *written;

  if (strlen (text) > MAX_TAGS) {
    g_set_error (
        error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "tags: more than %d bytes", MAX_TAGS);
    return NULL;
  }
  if (json_text_check (text, strlen (text), JSON_TEXT_TAGS_DEPTH, error))
    node = json_from_string (text, error);
  if (node == NULL && error != NULL && *error != NULL) {
    g_prefix_error (error, "tags: ");
    return NULL;
  }
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node)) {
    element_setting_refuse (error, "tags", "not an object of JSON", config->tags);
    return NULL;
  }
  json_object_set_string_member (tags, "camera", config->section.name);
  names = json_object_get_members (json_node_get_object (node));
  for (const GList *name = names; name != NULL; name = name->next) {
    if (strcmp (name->data, "camera") != 0)
      json_object_set_member (
          tags, name->data, json_object_dup_member (json_node_get_object (node), name->data));
  }
  json_node_set_object (result, tags);
  written = json_write_node (result, JSON_TEXT_TAGS_DEPTH, error);
  if (written == NULL)
    g_prefix_error (error, "tags ");
  return written;
}

/* ---- elements ---- */

static gboolean
has_one_of (gchar **events, const gchar *const *kinds)
{
  for (guint i = 0; events[i] != NULL; i++) {
    if (g_strv_contains (kinds, events[i]))
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_other_than (gchar **events, const gchar *const *kinds)
{
  for (guint i = 0; events[i] != NULL; i++) {
    if (!g_strv_contains (kinds, events[i]))
      return TRUE;
  }
  return FALSE;
}

static void
append_zones (const WatchCameraConfig *config, GString *text)
{
  if (config->zones->len == 0)
    return;
  if (config->detector != NULL)
    watch_detector_describe (config, text);
  g_string_append_printf (text,
      " ! glestrack name=glestrack0 roi=false regions=%s detect-every=%" G_GUINT64_FORMAT
      " ! gleszones name=gleszones0",
      config->detector != NULL ? "false" : "true",
      config->detector != NULL ? config->detect_every : 1);
}

/* Returns the elements in the syntax of gst-launch-1.0: (transfer full). */
static gchar *
describe (const WatchCameraConfig *config, const WatchAnalysisOptions *options, gchar **events)
{
  const gboolean differences = has_one_of (events, with_differences);
  const gboolean motion = g_strv_contains ((const gchar *const *) events, "motion") ||
      (config->zones->len > 0 && config->detector == NULL);
  GString *text = g_string_new (options->paced ? "clocksync ! " : "");

  g_string_append_printf (
      text, "queue max-size-buffers=4 " QUEUE "%s", options->lossless ? "" : " leaky=downstream");
  if (config->rate > 0)
    g_string_append_printf (
        text, " ! videorate drop-only=true max-rate=%" G_GUINT64_FORMAT, config->rate);
  if (has_other_than (events, without_counters))
    g_string_append_printf (text, " ! gleshistogram name=gleshistogram0 %s",
        differences ? "mad=true mad-noise=0.001" : "channels=luma");
  if (motion)
    g_string_append (text,
        " ! glescompact name=glescompact0 predicate=motion reference=samples adaptation=50"
        " readback=false"
        " ! glesregions name=glesregions0 min-points=2");
  /* with this queue, a device works on the next frames while glesjson waits for the results of one
   */
  if (g_strcmp0 (config->device, "cpu") != 0)
    g_string_append (text, " ! queue max-size-buffers=3 " QUEUE);
  append_zones (config, text);
  g_string_append (text,
      " ! glesevents name=" WATCH_ANALYSIS_EVENTS
      " motion-min-size=0.001 ! glesjson name=glesjson0 frames=false"
      " ! appsink name=" WATCH_ANALYSIS_LINES " sync=false");
  return g_string_free (text, FALSE);
}

/* Sets a property of an element of @bin from @value (nullable). An element or property that is not
 * there is no error, since a camera has only the elements that its events need. */
static gboolean
set_if_there (
    GstBin *bin, const gchar *name, const gchar *property, const gchar *value, GError **error)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (bin, name);
  g_autofree gchar *setting = NULL;

  if (element == NULL || value == NULL ||
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), property) == NULL)
    return TRUE;
  setting = g_strconcat (property, "=", value, NULL);
  return element_setting_apply (element, setting, setting, error);
}

/* @setting: ELEMENT.PROPERTY=VALUE */
static gboolean
apply (GstBin *bin, const gchar *setting, GError **error)
{
  const gchar *point = strchr (setting, '.');
  g_autofree gchar *name =
      point != NULL ? g_strdup_printf ("%.*s0", (gint) (point - setting), setting) : NULL;
  g_autoptr (GstElement) element = name != NULL ? gst_bin_get_by_name (bin, name) : NULL;

  if (element == NULL)
    return element_setting_refuse (error, setting,
        "write ELEMENT.PROPERTY=VALUE with an element that the events need",
        "gleshistogram, "
        "glescompact, glesregions, glestrack, gleszones, glesevents, glesjson");
  return element_setting_apply (element, point + 1, setting, error);
}

static gboolean
set_all (GstBin *bin, const WatchCameraConfig *config, const WatchAnalysisOptions *options,
    gchar **events, GError **error)
{
  g_autofree gchar *kinds = g_strjoinv ("+", events);
  g_autofree gchar *tags = watch_analysis_get_tags (config, error);
  const gboolean detects = config->detector != NULL && config->zones->len > 0;
  g_autofree gchar *areas = detects ? NULL : watch_zones_describe (config, FALSE);
  g_autofree gchar *lines = detects ? NULL : watch_zones_describe (config, TRUE);
  const struct {
    const gchar *element, *property, *value;
  } values[] = {
    { "gleshistogram0", "device", config->device },
    { "gleshistogram0", "mask", config->mask },
    { "gleshistogram0", "region", config->region },
    { "glescompact0", "device", config->device },
    { "glescompact0", "mask", config->mask },
    { "glescompact0", "region", config->region },
    { "glesregions0", "device", config->device },
    /* what moves is not what the detector finds */
    { "glesregions0", "roi", detects ? "false" : NULL },
    { "gleszones0", "zones", areas },
    { "gleszones0", "lines", lines },
    { "gleszones0", "session", options->session },
    { WATCH_ANALYSIS_EVENTS, "events", kinds },
    { WATCH_ANALYSIS_EVENTS, "session", options->session },
    { "glesjson0", "tags", tags },
  };
  gboolean ok = tags != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values) && ok; i++)
    ok = set_if_there (bin, values[i].element, values[i].property, values[i].value, error);
  for (guint i = 0; config->set != NULL && config->set[i] != NULL && ok; i++) {
    if (config->set[i][0] != '\0')
      ok = apply (bin, config->set[i], error);
  }
  return ok;
}

GstElement *
watch_analysis_new (
    const WatchCameraConfig *config, const WatchAnalysisOptions *options, GError **error)
{
  g_auto (GStrv) events = watch_analysis_list_events (config, error);
  g_autofree gchar *text = NULL;
  GstElement *bin;

  if (events == NULL)
    return NULL;
  text = describe (config, options, events);
  bin = gst_parse_bin_from_description_full (text, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (bin != NULL && !set_all (GST_BIN (bin), config, options, events, error))
    gst_clear_object (&bin);
  if (bin != NULL && config->detector != NULL && config->zones->len > 0)
    watch_detector_attach (config, GST_BIN (bin));
  return bin;
}
