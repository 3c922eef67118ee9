/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements that a report needs, and what the user sets of them. */
#include "elements.h"
#include "../../common/element-setting.h"
#include "../files/streams.h"
#include "../model/results.h"
#include "format.h"
#include "stream-id.h"

#include <string.h>

#include <gio/gio.h>
#include <gst/pbutils/pbutils.h>

/* The elements whose properties the user may set, by their names. These are the names that
 * gst-launch-1.0 would give them, and that lines contain. */
static const struct {
  const gchar *element, *name;
} settable[] = {
  { "gleshistogram", "gleshistogram0" },
  { "glesevents", "glesevents0" },
  { "glesjson", "glesjson0" },
};

/* ---- settings ---- */

/* Returns the index in settable, or -1. */
static gint
find_element (const gchar *setting)
{
  for (guint i = 0; i < G_N_ELEMENTS (settable); i++) {
    const gsize length = strlen (settable[i].element);

    if (strncmp (setting, settable[i].element, length) == 0 && setting[length] == '.')
      return (gint) i;
  }
  return -1;
}

static gboolean
check_setting (const gchar *setting, GError **error)
{
  const gint found = find_element (setting);
  g_autoptr (GstElement) element = NULL;

  if (found < 0)
    return element_setting_refuse (error, setting,
        "write ELEMENT.PROPERTY=VALUE with one of the elements",
        "gleshistogram, glesevents, glesjson");
  element = gst_element_factory_make (settable[found].element, NULL);
  if (element == NULL)
    return element_setting_refuse (error, setting, "not installed", settable[found].element);
  gst_object_ref_sink (element);
  return element_setting_apply (element, strchr (setting, '.') + 1, setting, error);
}

gboolean
report_check_settings (gchar **settings, GError **error)
{
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
    if (!check_setting (settings[i], error)) {
      g_prefix_error (error, "--set ");
      return FALSE;
    }
  }
  return TRUE;
}

/* Applies the settings of the user. One for an element that this pipeline does not need is skipped;
 * report_check_settings() has checked that it exists. */
static gboolean
apply_settings (GstElement *pipeline, gchar **settings, GError **error)
{
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
    const gint found = find_element (settings[i]);
    g_autoptr (GstElement) element =
        found >= 0 ? gst_bin_get_by_name (GST_BIN (pipeline), settable[found].name) : NULL;

    if (element != NULL &&
        !element_setting_apply (element, strchr (settings[i], '.') + 1, settings[i], error))
      return FALSE;
  }
  return TRUE;
}

/* ---- FFmpeg's measures ---- */

static const struct {
  const gchar *name;
  ReportMeasures measures;
} groups[] = {
  { "sat", REPORT_MEASURES_SAT },
  { "hue", REPORT_MEASURES_HUE },
  { "tout", REPORT_MEASURES_TOUT },
  { "brng", REPORT_MEASURES_BRNG },
  { "crop", REPORT_MEASURES_CROP },
  { "vrep", REPORT_MEASURES_VREP },
  { "all", REPORT_MEASURES_ALL },
};

gboolean
report_parse_measures (const gchar *text, guint *measures, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  *measures = 0;
  for (guint i = 0; names[i] != NULL; i++) {
    guint k = 0;

    while (k < G_N_ELEMENTS (groups) && g_ascii_strcasecmp (names[i], groups[k].name) != 0)
      k++;
    if (k == G_N_ELEMENTS (groups)) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
          "--signalstats %s: there are sat, hue, tout, vrep, brng, crop and all, with commas "
          "between",
          text);
      return FALSE;
    }
    *measures |= groups[k].measures;
  }
  return TRUE;
}

/* The elements that measure what the page's gleshistogram does not: it has no expression. Results
 * of all stay on the frames. */
static gchar *
describe_measures (guint measures)
{
  static const struct {
    ReportMeasures of;
    const gchar *element;
  } elements[] = {
    { REPORT_MEASURES_SAT,
        "gleshistogram name=" REPORT_SAT " channels=luma expression-name=uvsat "
        "expression-range=0,4095" },
    { REPORT_MEASURES_HUE,
        "gleshistogram name=" REPORT_HUE " channels=luma expression-name=uvhue "
        "expression-range=0,359" },
    { REPORT_MEASURES_BRNG, "glescompact name=" REPORT_BRNG " predicate=expression max-points=1" },
  };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    if (measures & elements[i].of)
      g_string_append_printf (text, "%s ! queue max-size-buffers=3 ! ", elements[i].element);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- the pipeline ---- */

static void
set_device (const GValue *item, gpointer device)
{
  GObject *element = g_value_get_object (item);

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "device") != NULL &&
      g_str_has_prefix (G_OBJECT_TYPE_NAME (element), "GstGles"))
    g_object_set (element, "device", device, NULL);
}

static GstElement *
make_replay (const ReportOptions *options, GError **error)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch_full (
      "appsrc name=source format=time ! identity name=convert ! glesevents name=glesevents0 ! "
      "glesjson name=glesjson0 ! fakesink name=sink sync=false",
      NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);

  if (pipeline == NULL || !apply_settings (pipeline, options->settings, error))
    return NULL;
  return g_steal_pointer (&pipeline);
}

GstElement *
report_make_pipeline (const ReportOptions *options, gboolean fifo, GError **error)
{
  g_autofree gchar *measures = describe_measures (options->measures);
  g_autofree gchar *line = g_strdup_printf (
      "%s name=source ! decodebin name=decode caps=video/x-raw(ANY) expose-all-streams=false "
      "videoconvert name=convert ! capsfilter name=formats ! queue ! %s"
      "gleshistogram name=gleshistogram0 emd=true mad=true mad-noise=0.001 %s %s ! "
      "%s glesevents name=glesevents0 ! %s fakesink name=sink sync=false",
      fifo ? "fdsrc" : "filesrc", measures,
      options->measures & (REPORT_MEASURES_TOUT | REPORT_MEASURES_VREP) ? "outliers=true" : "",
      /* 24 of 255, as FFmpeg's cropdetect */
      options->measures & REPORT_MEASURES_CROP ? "crop-limit=0.09411764705882353" : "",
      /* native code is complete when a frame leaves the element, so only a device gains from a
       * queue */
      g_strcmp0 (options->device, "cpu") == 0 ? "" : "queue max-size-buffers=3 !",
      options->lines ? "glesjson name=glesjson0 !" : "");
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstIterator) elements = NULL;

  if (options->replay)
    return make_replay (options, error);
  pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (pipeline == NULL || !apply_settings (pipeline, options->settings, error))
    return NULL;
  report_follow_format (pipeline);
  elements = gst_bin_iterate_elements (GST_BIN (pipeline));
  if (options->device != NULL)
    gst_iterator_foreach (elements, set_device, (gpointer) options->device);
  return g_steal_pointer (&pipeline);
}

gboolean
report_is_video (GstPad *pad, GstCaps *caps)
{
  const GstPbUtilsCapsDescriptionFlags flags = gst_pb_utils_get_caps_description_flags (caps);
  /* the pad of decodebin's signal is a ghost pad that is not part of an element yet */
  g_autoptr (GstPad) target = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
  g_autoptr (GstElement) element = target != NULL ? gst_pad_get_parent_element (target) : NULL;
  GstElementFactory *factory = element != NULL ? gst_element_get_factory (element) : NULL;

  return (flags &
             (GST_PBUTILS_CAPS_DESCRIPTION_FLAG_VIDEO | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_IMAGE)) &&
      !(flags & GST_PBUTILS_CAPS_DESCRIPTION_FLAG_CONTAINER) && factory != NULL &&
      !g_str_equal (GST_OBJECT_NAME (factory), "typefind");
}

void
report_wait_for_lines (GstElement *pipeline)
{
  g_autoptr (GstElement) events = gst_bin_get_by_name (GST_BIN (pipeline), "glesevents0");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (events, "sink");

  for (guint i = 0; i < 100; i++) {
    if (GST_PAD_STREAM_TRYLOCK (pad)) {
      GST_PAD_STREAM_UNLOCK (pad);
      return;
    }
    g_usleep (G_USEC_PER_SEC / 100);
  }
}

static void
close_descriptor (gpointer data, GObject *source)
{
  close (GPOINTER_TO_INT (data));
}

gboolean
report_open_fifo (GstElement *source, const gchar *path, GError **error)
{
  g_autofree gchar *whole = g_canonicalize_filename (path, NULL);
  g_autofree gchar *uri = gst_filename_to_uri (whole, error);
  gint descriptor;

  if (uri == NULL)
    return FALSE;
  descriptor = report_open_fifo_to_read (path, error);
  if (descriptor < 0)
    return FALSE;
  g_object_set (source, "fd", descriptor, NULL);
  g_object_weak_ref (G_OBJECT (source), close_descriptor, GINT_TO_POINTER (descriptor));
  report_name_streams (source, uri);
  return TRUE;
}
