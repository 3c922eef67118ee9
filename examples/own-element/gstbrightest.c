/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* brightest: an analyser that reads pixels on the device with a kernel of its own. It finds the
 * pixel with the largest sample of a component in each frame, and puts it on the buffer as a
 * BrightestMeta without waiting for it. README.md says how to build and run it. */
#include <gst/base/gstbasetransform.h>

#include "brightest-finder.h"

#define TYPE_BRIGHTEST (brightest_get_type ())
G_DECLARE_FINAL_TYPE (Brightest, brightest, BRIGHTEST, ELEMENT, GstBaseTransform)

struct _Brightest {
  GstBaseTransform parent;

  /* with the object lock */
  gchar *spec; /* the property device */
  guint component;
  gboolean validate;
  GstGlesDevice *device; /* from READY on */

  /* of the streaming thread, for one format */
  GstVideoInfo info;
  GstGlesQueue *queue; /* this element's alone, so that it gets only its own errors */
  GstGlesFrameSource *source;
  BrightestFinder *finder;
  guint64 n_frames;
  /* for validate: the frame as the host sees it */
  GstGlesDevice *cpu;
  GstGlesFrameSource *cpu_source;
};

enum {
  PROP_0,
  PROP_DEVICE,
  PROP_COMPONENT,
  PROP_VALIDATE
};

G_DEFINE_TYPE (Brightest, brightest, GST_TYPE_BASE_TRANSFORM)

static void
clear_plan (Brightest *self)
{
  g_clear_pointer (&self->finder, brightest_finder_free);
  g_clear_pointer (&self->source, gst_gles_frame_source_free);
  g_clear_pointer (&self->cpu_source, gst_gles_frame_source_free);
  gst_clear_object (&self->cpu);
  gst_clear_object (&self->queue);
}

/* ---- one frame ---- */

/* Queues the search in the frame. Returns (transfer full) its result, which may be on its way. */
static GstGlesReadback *
analyse (Brightest *self, GstBuffer *buffer, guint component, BrightestArea *area, GError **error)
{
  GstGlesReadback *readback = NULL;
  GstGlesImage image;

  if (!gst_gles_frame_source_acquire (self->source, buffer, &image, NULL, error))
    return NULL;
  if (component >= image.n_components) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "component=%u: frames of %s have %u components", component,
        GST_VIDEO_INFO_NAME (&self->info), image.n_components);
  } else if (gst_gles_queue_begin (self->queue, error)) {
    *area = brightest_area (&image, component);
    if (gst_gles_frame_source_commit (self->source, error))
      readback = brightest_finder_run (self->finder, &image, component, error);
    if (!gst_gles_queue_end (self->queue, readback != NULL ? error : NULL))
      g_clear_pointer (&readback, gst_gles_readback_unref);
  }
  gst_gles_frame_source_release (self->source);
  return readback;
}

/* Sets @found to what the native twin finds. */
static gboolean
find_native (
    Brightest *self, GstBuffer *buffer, guint component, BrightestFound *found, GError **error)
{
  GstGlesImage image;

  if (self->cpu == NULL)
    self->cpu = gst_gles_device_new ("cpu", error);
  if (self->cpu != NULL && self->cpu_source == NULL)
    self->cpu_source =
        gst_gles_frame_source_new (gst_gles_device_get_queue (self->cpu), &self->info, error);
  if (self->cpu_source == NULL ||
      !gst_gles_frame_source_acquire (self->cpu_source, buffer, &image, NULL, error))
    return FALSE;
  *found = brightest_find_native (&image, component);
  gst_gles_frame_source_release (self->cpu_source);
  return TRUE;
}

/* Waits for @readback, and compares it with what the native twin finds in the frame. */
static gboolean
validate (
    Brightest *self, GstBuffer *buffer, guint component, GstGlesReadback *readback, GError **error)
{
  const BrightestFound *found =
      gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, error);
  BrightestFound native;

  if (found == NULL || !find_native (self, buffer, component, &native, error))
    return FALSE;
  if (found->value == native.value && found->place == native.place)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "validation: frame %" G_GUINT64_FORMAT ": the kernel found %u at place %u, native code %u "
      "at place %u; use another device and report this",
      self->n_frames, found->value, found->place, native.value, native.place);
  return FALSE;
}

static GstFlowReturn
brightest_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  Brightest *self = BRIGHTEST_ELEMENT (base);
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GError) error = NULL;
  gboolean validates;
  BrightestArea area;
  guint component;

  GST_OBJECT_LOCK (self);
  component = self->component;
  validates = self->validate;
  GST_OBJECT_UNLOCK (self);

  readback = analyse (self, buffer, component, &area, &error);
  if (readback == NULL || (validates && !validate (self, buffer, component, readback, &error))) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    return GST_FLOW_ERROR;
  }
  brightest_meta_add (buffer, readback, &area);
  self->n_frames++;
  return GST_FLOW_OK;
}

static gboolean
brightest_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *out)
{
  Brightest *self = BRIGHTEST_ELEMENT (base);
  g_autoptr (GstGlesDevice) device = NULL;
  g_autoptr (GError) error = NULL;

  clear_plan (self);
  GST_OBJECT_LOCK (self);
  device = gst_object_ref (self->device);
  GST_OBJECT_UNLOCK (self);
  if (!gst_video_info_from_caps (&self->info, caps))
    return FALSE;
  self->queue = gst_gles_queue_new (device, &error);
  if (self->queue != NULL)
    self->source = gst_gles_frame_source_new (self->queue, &self->info, &error);
  if (self->source != NULL)
    self->finder = brightest_finder_new (self->queue, &error);
  if (self->finder != NULL)
    return TRUE;
  gst_gles_error_post (GST_ELEMENT (self), error);
  return FALSE;
}

/* ---- the device, which all elements of a pipeline share ---- */

static gboolean
open_device (Brightest *self)
{
  GstGlesDevice *device = NULL;
  g_autofree gchar *spec = NULL;
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (self);
  spec = g_strdup (self->spec);
  device = self->device != NULL ? gst_object_ref (self->device) : NULL;
  GST_OBJECT_UNLOCK (self);
  /* asks neighbours, which may call set_context(): not with the lock */
  if (!gst_gles_device_ensure (GST_ELEMENT (self), spec, &device, &error)) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  gst_object_replace ((GstObject **) &self->device, GST_OBJECT (device));
  GST_OBJECT_UNLOCK (self);
  gst_object_unref (device);
  return TRUE;
}

static GstStateChangeReturn
brightest_change_state (GstElement *element, GstStateChange transition)
{
  Brightest *self = BRIGHTEST_ELEMENT (element);
  GstStateChangeReturn result;

  /* repeated before PAUSED, so that a lost device is replaced */
  if ((transition == GST_STATE_CHANGE_NULL_TO_READY ||
          transition == GST_STATE_CHANGE_READY_TO_PAUSED) &&
      !open_device (self))
    return GST_STATE_CHANGE_FAILURE;
  result = GST_ELEMENT_CLASS (brightest_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL) {
    GST_OBJECT_LOCK (self);
    gst_clear_object (&self->device);
    GST_OBJECT_UNLOCK (self);
  }
  return result;
}

static void
brightest_set_context (GstElement *element, GstContext *context)
{
  Brightest *self = BRIGHTEST_ELEMENT (element);

  GST_OBJECT_LOCK (self);
  if (GST_STATE (element) <= GST_STATE_READY)
    gst_gles_device_handle_set_context (context, self->spec, &self->device);
  GST_OBJECT_UNLOCK (self);
  GST_ELEMENT_CLASS (brightest_parent_class)->set_context (element, context);
}

static gboolean
brightest_query (GstBaseTransform *base, GstPadDirection direction, GstQuery *query)
{
  Brightest *self = BRIGHTEST_ELEMENT (base);
  g_autoptr (GstGlesDevice) device = NULL;

  GST_OBJECT_LOCK (self);
  device = self->device != NULL ? gst_object_ref (self->device) : NULL;
  GST_OBJECT_UNLOCK (self);
  return (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT &&
             gst_gles_device_handle_context_query (GST_ELEMENT (self), query, device)) ||
      GST_BASE_TRANSFORM_CLASS (brightest_parent_class)->query (base, direction, query);
}

static gboolean
brightest_start (GstBaseTransform *base)
{
  BRIGHTEST_ELEMENT (base)->n_frames = 0;
  return TRUE;
}

static gboolean
brightest_stop (GstBaseTransform *base)
{
  clear_plan (BRIGHTEST_ELEMENT (base));
  return TRUE;
}

/* ---- the object ---- */

static void
brightest_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  Brightest *self = BRIGHTEST_ELEMENT (object);

  GST_OBJECT_LOCK (self);
  if (id == PROP_DEVICE) {
    g_free (self->spec);
    self->spec = g_value_dup_string (value);
  } else if (id == PROP_COMPONENT) {
    self->component = g_value_get_uint (value);
  } else {
    self->validate = g_value_get_boolean (value);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
brightest_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  Brightest *self = BRIGHTEST_ELEMENT (object);

  GST_OBJECT_LOCK (self);
  if (id == PROP_DEVICE)
    g_value_set_string (value, self->spec);
  else if (id == PROP_COMPONENT)
    g_value_set_uint (value, self->component);
  else
    g_value_set_boolean (value, self->validate);
  GST_OBJECT_UNLOCK (self);
}

static void
brightest_finalize (GObject *object)
{
  clear_plan (BRIGHTEST_ELEMENT (object));
  gst_clear_object (&BRIGHTEST_ELEMENT (object)->device);
  g_free (BRIGHTEST_ELEMENT (object)->spec);
  G_OBJECT_CLASS (brightest_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  g_object_class_install_property (klass, PROP_DEVICE,
      g_param_spec_string ("device", "Device", "The device, as for gst_gles_device_new()", NULL,
          flags | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_COMPONENT,
      g_param_spec_uint ("component", "Component", "Number of the component, such as 0 for Y or R",
          0, GST_GLES_MAX_COMPONENTS - 1, 0, flags | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_VALIDATE,
      g_param_spec_boolean ("validate", "Validate",
          "Wait for each result and compare it with that of native code", FALSE,
          flags | GST_PARAM_MUTABLE_PLAYING));
}

static void
brightest_class_init (BrightestClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_gles_format_caps ();

  object_class->set_property = brightest_set_property;
  object_class->get_property = brightest_get_property;
  object_class->finalize = brightest_finalize;
  install_properties (object_class);
  element_class->change_state = brightest_change_state;
  element_class->set_context = brightest_set_context;
  base_class->query = brightest_query;
  base_class->start = brightest_start;
  base_class->stop = brightest_stop;
  base_class->set_caps = brightest_set_caps;
  base_class->transform_ip = brightest_transform_ip;
  gst_element_class_set_static_metadata (element_class, "Brightest pixel", "Filter/Analyzer/Video",
      "Finds the brightest pixel of each frame on the device", "example");
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
}

static void
brightest_init (Brightest *self)
{
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (self), TRUE);
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  return gst_element_register (plugin, "brightest", GST_RANK_NONE, TYPE_BRIGHTEST);
}

#define PACKAGE "own-element"
GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, brightest,
    "An example of an element with a kernel of its own", plugin_init, "0.1", "LGPL", "own-element",
    "Unknown package origin")
