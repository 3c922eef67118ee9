/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An analyser of somebody else, in a plugin of its own: strongestpoints posts the points with
 * the largest values of each frame. It takes the points that glescompact found on the device,
 * sorts them there, and brings back no more than it posts.
 *
 *   GST_PLUGIN_PATH=build/examples gst-launch-1.0 -m filesrc location=VIDEO ! decodebin !
 *     glescompact predicate=motion lower=24 readback=false ! strongestpoints n=3 ! fakesink */
#include <gst/base/gstbasetransform.h>
#include <gst/gles/gles.h>

#define MAX_N 100

#define TYPE_STRONGEST_POINTS (strongest_points_get_type ())
G_DECLARE_FINAL_TYPE (StrongestPoints, strongest_points, STRONGEST, POINTS, GstBaseTransform)

struct _StrongestPoints {
  GstBaseTransform parent;

  guint n; /* with the object lock */

  /* of the streaming thread: for one device and so many points */
  GstGlesDevice *device;
  guint capacity;
  GstGlesSort *sort;
  GstGlesBuffer *sorted;
};

enum {
  PROP_0,
  PROP_N
};

G_DEFINE_TYPE (StrongestPoints, strongest_points, GST_TYPE_BASE_TRANSFORM)
static void
clear_plan (StrongestPoints *self)
{
  g_clear_pointer (&self->sort, gst_gles_sort_unref);
  g_clear_pointer (&self->sorted, gst_gles_buffer_unref);
  gst_clear_object (&self->device);
}

/* A point is x, y and value in 8 bytes: as a u64 its upper word is the value. Sorted by those 32
 * bits alone, largest first, equal ones stay in raster order. */
static gboolean
ensure_plan (StrongestPoints *self, GstGlesPointsResult *result, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_points_result_get_device (result);
  const guint capacity = MAX (1, gst_gles_points_result_get_info (result)->max_points);
  GstGlesSortConfig config;

  if (device == self->device && capacity <= self->capacity)
    return TRUE;
  clear_plan (self);
  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U64);
  config.descending = TRUE;
  config.begin_bit = 32;
  self->device = g_steal_pointer (&device);
  self->capacity = capacity;
  self->sort =
      gst_gles_sort_new (gst_gles_device_get_queue (self->device), &config, capacity, error);
  if (self->sort != NULL)
    self->sorted =
        gst_gles_buffer_new (self->device, (gsize) capacity * sizeof (GstGlesPoint), error);
  if (self->sorted == NULL)
    clear_plan (self);
  return self->sorted != NULL;
}

/* Sorts on the device; then the number of points and the first @n of them come back. */
static gboolean
find_strongest (StrongestPoints *self, GstGlesBuffer *points, GstGlesBuffer *counts,
    GstGlesPoint *strongest, guint *n, GError **error)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (self->device);
  GstGlesResult result;

  if (!gst_gles_sort_run_indirect (self->sort, points, NULL, self->sorted, NULL, counts,
          GST_GLES_RESULT_COUNT_OFFSET, error) ||
      !gst_gles_buffer_download (counts, queue, 0, &result, sizeof result, error))
    return FALSE;
  *n = MIN (*n, result.count);
  return gst_gles_buffer_download (
      self->sorted, queue, 0, strongest, *n * sizeof *strongest, error);
}

static void
post (StrongestPoints *self, GstGlesPointsResult *result, const GstGlesPoint *strongest, guint n)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        list, "%s%u,%u:%u", i > 0 ? " " : "", strongest[i].x, strongest[i].y, strongest[i].value);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("strongestpoints", "frame", G_TYPE_UINT64,
              gst_gles_points_result_get_frame (result)->number, "points", G_TYPE_STRING, list->str,
              NULL)));
  g_string_free (list, TRUE);
}

static GstFlowReturn
strongest_points_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  StrongestPoints *self = STRONGEST_POINTS (base);
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (buffer);
  g_autoptr (GstGlesBuffer) points = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autoptr (GError) error = NULL;
  GstGlesPoint strongest[MAX_N];
  guint n;

  if (result == NULL)
    return GST_FLOW_OK;
  GST_OBJECT_LOCK (self);
  n = self->n;
  GST_OBJECT_UNLOCK (self);

  points = gst_gles_points_result_get_device_buffer (result);
  counts = gst_gles_points_result_get_device_counts (result);
  if (points == NULL || counts == NULL) {
    GST_ELEMENT_ERROR (self, STREAM, FAILED, ("The points are not on a device any more"),
        ("put strongestpoints next to glescompact, or set readback=false there"));
    return GST_FLOW_ERROR;
  }
  if (!ensure_plan (self, result, &error) ||
      !find_strongest (self, points, counts, strongest, &n, &error)) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    return GST_FLOW_ERROR;
  }
  post (self, result, strongest, n);
  return GST_FLOW_OK;
}

static gboolean
strongest_points_stop (GstBaseTransform *base)
{
  clear_plan (STRONGEST_POINTS (base));
  return TRUE;
}

static void
strongest_points_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GST_OBJECT_LOCK (object);
  STRONGEST_POINTS (object)->n = g_value_get_uint (value);
  GST_OBJECT_UNLOCK (object);
}

static void
strongest_points_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GST_OBJECT_LOCK (object);
  g_value_set_uint (value, STRONGEST_POINTS (object)->n);
  GST_OBJECT_UNLOCK (object);
}

static void
strongest_points_class_init (StrongestPointsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_caps_new_any ();

  object_class->set_property = strongest_points_set_property;
  object_class->get_property = strongest_points_get_property;
  base_class->transform_ip = strongest_points_transform_ip;
  base_class->stop = strongest_points_stop;
  /* buffers are only looked at */
  base_class->passthrough_on_same_caps = TRUE;
  base_class->transform_ip_on_passthrough = TRUE;
  g_object_class_install_property (object_class, PROP_N,
      g_param_spec_uint ("n", "N", "How many points to post", 1, MAX_N, 10,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
  gst_element_class_set_static_metadata (element_class, "Strongest points", "Filter/Analyzer/Video",
      "Posts the points with the largest values", "example");
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
}

static void
strongest_points_init (StrongestPoints *self)
{
  self->n = 10;
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  return gst_element_register (plugin, "strongestpoints", GST_RANK_NONE, TYPE_STRONGEST_POINTS);
}

#define PACKAGE "gst-gles-compute"
GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, strongestpoints,
    "An example of an analyser on top of glescompact", plugin_init, "0.1", "LGPL",
    "gst-gles-compute", "Unknown package origin")
