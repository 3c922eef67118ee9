/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The property `validate`: compares results with those of native code. Of a difference everything
 * is said that helps to find it again: the frame is analysed once more, which tells a race from an
 * error that stays, and all of it is written to files where GST_GLES_DUMP_DIR names a folder. */
#include "config.h"

#include <gst/gles/core/error.h>

#include "gstglesanalyzer-private.h"

#define DUMP_DIR "GST_GLES_DUMP_DIR"

/* ---- what is known of an element ---- */

static gchar *
describe_caps (GstGlesAnalyzer *analyzer)
{
  g_autoptr (GstCaps) caps =
      gst_pad_get_current_caps (GST_BASE_TRANSFORM_SINK_PAD (GST_BASE_TRANSFORM (analyzer)));

  return caps != NULL ? gst_caps_to_string (caps) : g_strdup ("none");
}

/* Returns name=value of every property that can be set. */
static gchar *
describe_properties (GstGlesAnalyzer *analyzer)
{
  guint n;
  g_autofree GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (analyzer), &n);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;
    g_autofree gchar *as_text = NULL;

    if ((specs[i]->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE ||
        g_str_equal (specs[i]->name, "parent") || g_str_equal (specs[i]->name, "name"))
      continue;
    g_object_get_property (G_OBJECT (analyzer), specs[i]->name, &value);
    as_text = gst_value_serialize (&value);
    g_string_append_printf (
        text, "%s%s=%s", text->len > 0 ? " " : "", specs[i]->name, as_text != NULL ? as_text : "?");
    g_value_unset (&value);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gchar *
describe_device (GstGlesAnalyzer *analyzer)
{
  static const gchar *const kinds[] = { [GST_GLES_DEVICE_HARDWARE] = "hardware",
    [GST_GLES_DEVICE_SOFTWARE] = "software",
    [GST_GLES_DEVICE_CPU] = "cpu" };
  GstGlesDevice *device = gst_gles_analyzer_get_device (analyzer);

  return g_strdup_printf ("%s, %s, %s", gst_gles_device_get_id (device),
      kinds[gst_gles_device_get_kind (device)], gst_gles_device_get_description (device));
}

/* Writes @report, of which element and frame are set, with what @analyzer knows. Returns the text:
 * (transfer full). */
static gchar *
make_text (GstGlesAnalyzer *analyzer, ValidationReport *report)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  g_autofree gchar *element = gst_object_get_name (GST_OBJECT (analyzer));
  g_autofree gchar *caps = describe_caps (analyzer), *plan = klass->describe_plan (analyzer);
  g_autofree gchar *properties = describe_properties (analyzer);
  g_autofree gchar *device = describe_device (analyzer);
  const gchar *folder = g_getenv (DUMP_DIR);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *path = NULL;

  report->element = element;
  report->factory = GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (analyzer)));
  report->caps = caps;
  report->properties = properties;
  report->device = device;
  report->plan = plan;
  g_string_append_printf (text,
      "compared: %s\nelement: %s (%s)\ncaps: %s\nproperties: %s\ndevice: %s\nplan: %s\n",
      klass->compared, element, report->factory, caps, properties, device, plan);
  if (folder == NULL || *folder == '\0') {
    g_string_append (text, "files: none, as " DUMP_DIR " names no folder");
  } else {
    path = validation_dump (report, folder, &error);
    g_string_append_printf (text, "files: %s%s", path != NULL ? path : "not all, ",
        path != NULL ? ".*" : error->message);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- validation ---- */

/* Analyses @frame, the last one, again. Returns (transfer full) the complete result. */
static GstMiniObject *
repeat (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, ValidationWords *words, GError **error)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  GstGlesTimer *timer = NULL;
  GstMiniObject *result;

  if (frame->repeatable && klass->restore != NULL)
    klass->restore (analyzer);
  result = gst_gles_analyzer_submit (analyzer, frame, FALSE, &timer, error);
  if (result != NULL &&
      (!klass->wait (result, GST_GLES_WAIT_FOREVER, error) ||
          !klass->read_words (analyzer, result, words, error))) {
    validation_words_clear (words);
    g_clear_pointer (&result, gst_mini_object_unref);
  }
  return result;
}

/* Returns what a second analysis of the frame of @report says: (transfer full). */
static gchar *
judge (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, const ValidationReport *report,
    ValidationWords *again)
{
  g_autoptr (GError) error = NULL;
  GstMiniObject *result = repeat (analyzer, frame, again, &error);
  g_autofree gchar *same = NULL, *difference = NULL;

  if (result == NULL)
    return g_strdup_printf ("could not be dispatched again: %s", error->message);
  gst_mini_object_unref (result);
  difference = validation_difference (again, report->expected, report->frame);
  if (difference == NULL)
    return g_strdup (
        "now right, when the same frame was dispatched again: a race, in a kernel, in the driver "
        "or in how the frame comes to the device");
  same = validation_difference (again, report->got, report->frame);
  return g_strdup_printf ("again wrong, %s, when the same frame was dispatched again: %s",
      same == NULL ? "in the same words" : "in other words",
      same == NULL ? "no race; a kernel, what the driver makes of it, or native code is wrong"
                   : "a race besides, or words that nothing writes");
}

gboolean
gst_gles_analyzer_validate (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GstMiniObject *result, GError **error)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  g_auto (ValidationWords) got = { 0 }, again = { 0 };
  g_auto (ValidationTwin) twin = { 0 };
  ValidationReport report = { .frame = frame->info.number,
    .buffer = frame->buffer,
    .got = &got,
    .expected = &twin.found,
    .again = &again,
    .input = &twin.input };
  g_autofree gchar *difference = NULL, *verdict = NULL, *both = NULL, *text = NULL;

  if (!klass->wait (result, GST_GLES_WAIT_FOREVER, error) ||
      !klass->expect (analyzer, frame, result, &twin, error) ||
      !klass->read_words (analyzer, result, &got, error))
    return FALSE;
  difference = validation_difference (&got, &twin.found, frame->info.number);
  if (difference == NULL)
    return TRUE;
  verdict = judge (analyzer, frame, &report, &again);
  report.difference = both = g_strdup_printf ("%s; %s", difference, verdict);
  text = make_text (analyzer, &report);
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "validation: %s; use another device and report these lines\n%s", report.difference, text);
  return FALSE;
}

/* ---- the soak test ---- */

#ifdef GST_GLES_TEST_HOOKS
/* The query has the fields `buffer`, the last frame, `result`, `expected`, which another device
 * made, and `difference`. It gets `text`, and `again`, the result of another analysis: (transfer
 * full) (nullable). */
gboolean
gst_gles_analyzer_explain (GstGlesAnalyzer *analyzer, GstQuery *query)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  g_auto (ValidationWords) got = { 0 }, expected = { 0 }, input = { 0 }, again = { 0 };
  ValidationReport report = {
    .got = &got, .expected = &expected, .again = &again, .input = &input
  };
  GstMiniObject *result, *other, *repeated;
  g_autofree gchar *text = NULL;
  GstStructure *fields;
  GstGlesFrame frame;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM ||
      !gst_structure_has_name (gst_query_get_structure (query), "GstGlesExplain"))
    return FALSE;
  fields = gst_query_writable_structure (query);
  if (!gst_structure_get (fields, "buffer", G_TYPE_POINTER, &report.buffer, "result",
          G_TYPE_POINTER, &result, "expected", G_TYPE_POINTER, &other, NULL))
    return FALSE;
  report.difference = gst_structure_get_string (fields, "difference");
  gst_gles_analyzer_describe_frame (analyzer, report.buffer, &frame);
  report.frame = --frame.info.number;
  if (!klass->read_words (analyzer, result, &got, NULL) ||
      !klass->read_words (analyzer, other, &expected, NULL))
    return FALSE;
  repeated = repeat (analyzer, &frame, &again, NULL);
  text = make_text (analyzer, &report);
  gst_structure_set (fields, "text", G_TYPE_STRING, text, "again", G_TYPE_POINTER, repeated, NULL);
  return TRUE;
}
#endif
