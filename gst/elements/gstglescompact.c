/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glescompact
 * @title: glescompact
 * @short_description: the pixels of video frames that pass a predicate, as metadata
 *
 * Lists the pixels of each frame that are in a range of values, that changed since the previous
 * frame or that lie on an edge, in raster order, with OpenGL ES compute shaders (or native code,
 * with the same result bit for bit), and puts the list on the frame as #GstGlesPointsMeta. The
 * picture passes through unchanged.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=3 \
 *     ! glescompact lower=200 post-messages=true ! fakesink
 * ]|
 */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/meta/points.h>

#include "compact-channel.h"
#include "compact-compare.h"
#include "elements.h"
#include "gstglespictureanalyzer.h"
#include "gstglesregion.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_compact_element_debug);
#define GST_CAT_DEFAULT gst_gles_compact_element_debug

#define DEFAULT_PREDICATE GST_GLES_POINTS_THRESHOLD
#define DEFAULT_CHANNEL GST_GLES_POINTS_LUMA
#define DEFAULT_LOWER 128
#define DEFAULT_UPPER G_MAXUINT
#define DEFAULT_MAX_POINTS 1048576
#define MAX_MAX_POINTS (1u << 28)

/* Each slot is as large as the longest possible list, so there are few. */
#define N_READBACK_SLOTS 3

/* The newest results keep their points on the device even if the host has them: downstream elements
 * read them there. Older ones release the device memory, so that long queues do not accumulate
 * it. */
#define N_ON_DEVICE 4

enum {
  PROP_0,
  PROP_PREDICATE,
  PROP_CHANNEL,
  PROP_LOWER,
  PROP_UPPER,
  PROP_REGION,
  PROP_MAX_POINTS
};

/* The property values of a frame. */
typedef struct {
  GstGlesPointsPredicate predicate;
  gint channel;
  guint lower, upper, max_points;
  GstGlesRegionSetting region;
} Request;

#define GST_TYPE_GLES_COMPACT_ELEMENT (gst_gles_compact_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlescompact, gst_gles_compact_element, GST, GLES_COMPACT_ELEMENT, GstGlesPictureAnalyzer)

struct _GstGlescompact {
  GstGlesPictureAnalyzer parent;

  Request request; /* protected by the object lock */

  /* used on the streaming thread only: */
  Request taken; /* for the current frame */
  GstGlesFrameCompact *plan;
  GstGlesFrameCompactConfig config; /* of the plan */
  GstGlesImage image;               /* the layout that the plan was made for, without pixels */
  GstGlesFrameCompactCall call;     /* of the current frame */
  guint capacity;                   /* of the pool's buffers and the ring's slots, in points */
  GstGlesBufferPool *points_pool, *counts_pool;
  GstGlesReadbackRing *ring;
  GQueue on_device; /* of GstGlesPointsResult, oldest first */
  guint8 *validate_kept;
  guint64 validate_frame;
};

G_DEFINE_TYPE (GstGlescompact, gst_gles_compact_element, GST_TYPE_GLES_PICTURE_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE (
    glescompact, "glescompact", GST_RANK_NONE, GST_TYPE_GLES_COMPACT_ELEMENT)

G_STATIC_ASSERT ((gint) GST_GLES_POINTS_THRESHOLD == (gint) GST_GLES_FRAME_THRESHOLD);
G_STATIC_ASSERT ((gint) GST_GLES_POINTS_MOTION == (gint) GST_GLES_FRAME_MOTION);
G_STATIC_ASSERT ((gint) GST_GLES_POINTS_EDGE == (gint) GST_GLES_FRAME_EDGE);
G_STATIC_ASSERT (GST_GLES_POINTS_LUMA == GST_GLES_FRAME_LUMA);
G_STATIC_ASSERT (sizeof (GstGlesPoint) == 8);

/* ---- plan ---- */

static void
gst_gles_compact_element_reset (GstGlesAnalyzer *analyzer)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  if (self->plan != NULL)
    gst_gles_frame_compact_reset (self->plan);
  g_clear_pointer (&self->validate_kept, g_free);
}

static void
drop_buffers (GstGlescompact *self)
{
  g_clear_pointer (&self->points_pool, gst_gles_buffer_pool_free);
  g_clear_pointer (&self->counts_pool, gst_gles_buffer_pool_free);
  g_clear_pointer (&self->ring, gst_gles_readback_ring_free);
  self->capacity = 0;
}

static void
gst_gles_compact_element_drop_plan (GstGlesAnalyzer *analyzer)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  g_queue_clear_full (&self->on_device, (GDestroyNotify) gst_gles_points_result_unref);
  g_clear_pointer (&self->validate_kept, g_free);
  g_clear_pointer (&self->plan, gst_gles_frame_compact_free);
  drop_buffers (self);
}

static gboolean
is_cpu (GstGlescompact *self)
{
  GstGlesDevice *device = gst_gles_analyzer_get_device (GST_GLES_ANALYZER (self));

  return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU;
}

/* Makes buffers and slots that hold the longest list of the call. */
static gboolean
ensure_buffers (GstGlescompact *self, GError **error)
{
  GstGlesDevice *device = gst_gles_analyzer_get_device (GST_GLES_ANALYZER (self));
  guint capacity = MAX (gst_gles_frame_compact_capacity (self->plan, &self->call), 1);

  if (is_cpu (self) || capacity == self->capacity)
    return TRUE;
  drop_buffers (self);
  self->ring = gst_gles_readback_ring_new (gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)),
      N_READBACK_SLOTS, GST_GLES_READBACK_COUNTED_BYTES (capacity, sizeof (GstGlesPoint)), error);
  if (self->ring == NULL)
    return FALSE;
  self->points_pool = gst_gles_buffer_pool_new (device, (gsize) capacity * sizeof (GstGlesPoint));
  self->counts_pool = gst_gles_buffer_pool_new (device, sizeof (GstGlesCounted));
  self->capacity = capacity;
  return TRUE;
}

/* Makes the plan for self->taken and @image, unless the current one fits. */
static gboolean
ensure_plan (GstGlescompact *self, const GstGlesImage *image, GError **error)
{
  GstGlesFrameCompactConfig config;

  if (!gst_gles_compact_channel_resolve (&self->taken.channel, image, error))
    return FALSE;
  memset (&config, 0, sizeof (config));
  config.predicate = (GstGlesFramePredicate) self->taken.predicate;
  config.channel = self->taken.channel;
  self->call = (GstGlesFrameCompactCall){
    .lower = self->taken.lower, .upper = self->taken.upper, .max_points = self->taken.max_points
  };
  if (!gst_gles_region_place (&self->taken.region, image, &self->call.x, &self->call.y,
          &self->call.width, &self->call.height, error))
    return FALSE;
  if (self->plan == NULL || memcmp (&config, &self->config, sizeof (config)) != 0 ||
      !gst_gles_region_same_image (image, &self->image)) {
    g_clear_pointer (&self->plan, gst_gles_frame_compact_free);
    g_clear_pointer (&self->validate_kept, g_free);
    self->plan = gst_gles_frame_compact_new (
        gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)), image, &config, error);
    if (self->plan == NULL)
      return FALSE;
    self->config = config;
    self->image = *image;
  }
  return ensure_buffers (self, error);
}

static void
take_request (GstGlescompact *self)
{
  GST_OBJECT_LOCK (self);
  self->taken = self->request;
  GST_OBJECT_UNLOCK (self);
}

/* Runs the plan once on no pixels, so that programs are built and buffers made before the first
 * frame. */
static gboolean
warm_up (GstGlescompact *self, GError **error)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesBuffer) points = NULL, counts = NULL;
  gboolean wanted;

  points = gst_gles_buffer_pool_acquire (self->points_pool, error);
  if (points == NULL)
    return FALSE;
  counts = gst_gles_buffer_pool_acquire (self->counts_pool, error);
  if (counts == NULL ||
      !gst_gles_frame_compact_prepare (self->plan, &self->call, points, counts, error))
    return FALSE;
  g_object_get (self, "readback", &wanted, NULL);
  if (!wanted)
    return TRUE;
  readback = gst_gles_readback_ring_copy_counted (
      self->ring, counts, points, sizeof (GstGlesPoint), self->capacity, NULL, error);
  return readback != NULL;
}

static gboolean
gst_gles_compact_element_prepare (
    GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image, GError **error)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  take_request (self);
  return ensure_plan (self, image, error) && (is_cpu (self) || warm_up (self, error));
}

/* The first function that is called for a frame. It takes the properties, so that upload and
 * analysis of the frame use the same values. */
static guint
gst_gles_compact_element_components (GstGlesPictureAnalyzer *analyzer, const GstGlesImage *layout)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  take_request (self);
  /* A channel that the format lacks is reported when the plan is made. */
  if (!gst_gles_compact_channel_resolve (&self->taken.channel, layout, NULL))
    return 1u << 0;
  if (self->taken.channel >= 0)
    return 1u << self->taken.channel;
  return layout->luma == GST_GLES_LUMA_STORED ? 1u << 0 : 1u << 0 | 1u << 1 | 1u << 2;
}

static guint
gst_gles_compact_element_n_reads (GstGlesPictureAnalyzer *analyzer)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  return self->plan != NULL ? gst_gles_frame_compact_get_n_reads (self->plan, &self->call)
                            : G_MAXUINT;
}

/* ---- results ---- */

static void
make_info (GstGlescompact *self, const GstGlesFrame *frame, const GstGlesImage *image,
    GstGlesPointsInfo *info)
{
  const GstVideoInfo *video = gst_gles_picture_analyzer_get_info (GST_GLES_PICTURE_ANALYZER (self));

  *info = (GstGlesPointsInfo){ .frame = frame->number,
    .pts = frame->pts,
    .duration = frame->duration,
    .running_time = frame->running_time,
    .stream_time = frame->stream_time,
    .utc = frame->utc,
    .origin = frame->origin,
    .width = image->crop_width,
    .height = image->crop_height,
    .format = GST_VIDEO_INFO_FORMAT (video),
    .range = GST_VIDEO_INFO_COLORIMETRY (video).range,
    .x = self->call.x - image->crop_x,
    .y = self->call.y - image->crop_y,
    .region_width = self->call.width,
    .region_height = self->call.height,
    .predicate = self->taken.predicate,
    .channel = self->taken.channel,
    .lower = self->call.lower,
    .upper = self->call.upper,
    .max_points = self->call.max_points,
    .depth = self->taken.channel < 0 ? image->luma_depth
                                     : image->components[self->taken.channel].depth };
}

/* The host reads the memory that native code wrote, without a copy. */
static GstGlesPointsResult *
analyze_cpu (GstGlescompact *self, const GstGlesFrame *frame, const GstGlesImage *image,
    const GstGlesPointsInfo *info, GError **error)
{
  GstGlesDevice *device = gst_gles_analyzer_get_device (GST_GLES_ANALYZER (self));
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesBuffer) points = NULL, counts = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GstGlesCounted counted;
  GstGlesResult result;

  if (!gst_gles_frame_compact_run_cpu (
          self->plan, image, &self->call, &result, &points, &bytes, error))
    return NULL;
  counts = gst_gles_buffer_new (device, sizeof (result), error);
  if (counts == NULL ||
      !gst_gles_buffer_upload (counts, gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)), 0,
          &result, sizeof (result), error))
    return NULL;
  if (frame->readback) {
    counted = (GstGlesCounted){ result.total, result.count, result.status };
    readback = gst_gles_readback_new_counted (&counted, g_steal_pointer (&bytes));
    gst_gles_analyzer_count_readback (
        GST_GLES_ANALYZER (self), result.count * sizeof (GstGlesPoint) + sizeof (counted), FALSE);
  }
  return gst_gles_points_result_new (info, readback, points, counts);
}

/* Adds @result and releases the device buffers of all but the newest results. */
static void
limit_on_device (GstGlescompact *self, GstGlesPointsResult *result)
{
  g_queue_push_tail (&self->on_device, gst_gles_points_result_ref (result));
  while (self->on_device.length > N_ON_DEVICE) {
    g_autoptr (GstGlesPointsResult) oldest = g_queue_pop_head (&self->on_device);
    gst_gles_points_result_release_device (oldest);
  }
}

static GstGlesPointsResult *
analyze_gl (GstGlescompact *self, const GstGlesFrame *frame, const GstGlesImage *image,
    const GstGlesPointsInfo *info, GError **error)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesBuffer) points = NULL, counts = NULL;
  GstGlesPointsResult *result;
  gboolean waited = FALSE;

  points = gst_gles_buffer_pool_acquire (self->points_pool, error);
  if (points == NULL)
    return NULL;
  counts = gst_gles_buffer_pool_acquire (self->counts_pool, error);
  if (counts == NULL ||
      !gst_gles_frame_compact_run (self->plan, image, &self->call, points, counts, error))
    return NULL;
  if (!frame->readback)
    return gst_gles_points_result_new (info, NULL, points, counts);
  readback = gst_gles_readback_ring_copy_counted (self->ring, counts, points, sizeof (GstGlesPoint),
      gst_gles_frame_compact_capacity (self->plan, &self->call), &waited, error);
  if (readback == NULL)
    return NULL;
  result = gst_gles_points_result_new (info, readback, points, counts);
  gst_gles_analyzer_count_readback (GST_GLES_ANALYZER (self), 0, waited);
  limit_on_device (self, result);
  return result;
}

static GstMiniObject *
gst_gles_compact_element_analyze (GstGlesPictureAnalyzer *analyzer, const GstGlesFrame *frame,
    const GstGlesImage *image, GError **error)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);
  GstGlesPointsResult *result;
  GstGlesPointsInfo info;

  if (!ensure_plan (self, image, error))
    return NULL;
  make_info (self, frame, image, &info);
  if (is_cpu (self))
    result = analyze_cpu (self, frame, image, &info, error);
  else
    result = analyze_gl (self, frame, image, &info, error);
  return GST_MINI_OBJECT_CAST (result);
}

static void
gst_gles_compact_element_attach (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result)
{
  gst_buffer_add_gles_points_meta (buffer, (GstGlesPointsResult *) result);
}

static gboolean
gst_gles_compact_element_wait (GstMiniObject *result, guint64 timeout_ns, GError **error)
{
  return gst_gles_points_result_wait ((GstGlesPointsResult *) result, timeout_ns, error);
}

static gsize
gst_gles_compact_element_take_readback_bytes (GstGlesAnalyzer *analyzer)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  return self->ring != NULL ? gst_gles_readback_ring_take_bytes (self->ring) : 0;
}

static gboolean
gst_gles_compact_element_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error)
{
  GstGlesPointsResult *result = (GstGlesPointsResult *) object;

  if (!gst_gles_points_result_wait (result, GST_GLES_WAIT_FOREVER, error))
    return FALSE;
  gst_structure_set (message, "frame", G_TYPE_UINT64,
      gst_gles_points_result_get_frame_number (result), "total", G_TYPE_UINT64,
      gst_gles_points_result_get_total (result), "count", G_TYPE_UINT,
      gst_gles_points_result_get_count (result), "truncated", G_TYPE_BOOLEAN,
      gst_gles_points_result_is_truncated (result), NULL);
  return TRUE;
}

static gboolean
gst_gles_compact_element_validate (GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image,
    GstMiniObject *object, GError **error)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (analyzer);
  GstGlesPointsResult *result = (GstGlesPointsResult *) object;
  guint64 frame = gst_gles_points_result_get_frame_number (result);
  g_autofree guint32 *points = NULL;
  gboolean known = TRUE;
  GstGlesResult expected;

  /* The kept pixels are unknown if the previous frame was not validated. */
  if (self->taken.predicate == GST_GLES_POINTS_MOTION && frame > 0 &&
      (self->validate_kept == NULL || self->validate_frame + 1 != frame))
    known = FALSE;
  if (!known || frame == 0)
    g_clear_pointer (&self->validate_kept, g_free);
  points = gst_gles_frame_compact_run_native (
      self->plan, image, &self->call, &self->validate_kept, &expected, error);
  if (points == NULL)
    return FALSE;
  self->validate_frame = frame;
  return !known || gst_gles_compact_compare (result, &expected, points, error);
}

/* ---- properties ---- */

static void
gst_gles_compact_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (object);

  if (id == PROP_REGION) {
    gst_gles_region_set (object, &self->request.region, value);
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_PREDICATE:
      self->request.predicate = g_value_get_enum (value);
      break;
    case PROP_CHANNEL:
      self->request.channel = g_value_get_enum (value);
      break;
    case PROP_LOWER:
      self->request.lower = g_value_get_uint (value);
      break;
    case PROP_UPPER:
      self->request.upper = g_value_get_uint (value);
      break;
    case PROP_MAX_POINTS:
      self->request.max_points = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gles_compact_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGlescompact *self = GST_GLES_COMPACT_ELEMENT (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_PREDICATE:
      g_value_set_enum (value, self->request.predicate);
      break;
    case PROP_CHANNEL:
      g_value_set_enum (value, self->request.channel);
      break;
    case PROP_LOWER:
      g_value_set_uint (value, self->request.lower);
      break;
    case PROP_UPPER:
      g_value_set_uint (value, self->request.upper);
      break;
    case PROP_REGION:
      gst_gles_region_get (&self->request.region, value);
      break;
    case PROP_MAX_POINTS:
      g_value_set_uint (value, self->request.max_points);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
install_properties (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING |
      GST_PARAM_CONTROLLABLE;

  g_object_class_install_property (klass, PROP_PREDICATE,
      g_param_spec_enum ("predicate", "Predicate", "Which pixels are listed",
          GST_TYPE_GLES_POINTS_PREDICATE, DEFAULT_PREDICATE, flags));
  g_object_class_install_property (klass, PROP_CHANNEL,
      g_param_spec_enum ("channel", "Channel", "What of a pixel is tested",
          GST_TYPE_GLES_COMPACT_CHANNEL, DEFAULT_CHANNEL, flags));
  g_object_class_install_property (klass, PROP_LOWER,
      g_param_spec_uint ("lower", "Lower",
          "The least value that passes: a code value, a difference of two (motion) or a gradient "
          "(edge)",
          0, G_MAXUINT, DEFAULT_LOWER, flags));
  g_object_class_install_property (klass, PROP_UPPER,
      g_param_spec_uint (
          "upper", "Upper", "The largest value that passes", 0, G_MAXUINT, DEFAULT_UPPER, flags));
  gst_gles_region_install (klass, PROP_REGION,
      "Part of the frame to test, \"x,y,width,height\" in pixels; \"<>\" for all of it");
  g_object_class_install_property (klass, PROP_MAX_POINTS,
      g_param_spec_uint ("max-points", "Max points",
          "The most points listed: the first ones; the total counts all", 0, MAX_MAX_POINTS,
          DEFAULT_MAX_POINTS, flags));
}

static void
gst_gles_compact_element_class_init (GstGlescompactClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);
  GstGlesPictureAnalyzerClass *picture_class = GST_GLES_PICTURE_ANALYZER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (
      gst_gles_compact_element_debug, "glescompact", 0, "Points of video frames");

  object_class->set_property = gst_gles_compact_element_set_property;
  object_class->get_property = gst_gles_compact_element_get_property;
  install_properties (object_class);
  gst_type_mark_as_plugin_api (GST_TYPE_GLES_POINTS_PREDICATE, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "OpenGL ES compaction",
      "Filter/Analyzer/Video",
      "Lists the pixels of video frames that pass a predicate with OpenGL ES compute shaders, "
      "headlessly, and attaches them as metadata",
      "The gst-gles-compute developers");

  picture_class->prepare = gst_gles_compact_element_prepare;
  picture_class->components = gst_gles_compact_element_components;
  picture_class->n_reads = gst_gles_compact_element_n_reads;
  picture_class->analyze = gst_gles_compact_element_analyze;
  picture_class->validate = gst_gles_compact_element_validate;
  analyzer_class->attach = gst_gles_compact_element_attach;
  analyzer_class->wait = gst_gles_compact_element_wait;
  analyzer_class->take_readback_bytes = gst_gles_compact_element_take_readback_bytes;
  analyzer_class->describe = gst_gles_compact_element_describe;
  analyzer_class->reset = gst_gles_compact_element_reset;
  analyzer_class->drop_plan = gst_gles_compact_element_drop_plan;
}

static void
gst_gles_compact_element_init (GstGlescompact *self)
{
  g_queue_init (&self->on_device);
  self->request = (Request){ .predicate = DEFAULT_PREDICATE,
    .channel = DEFAULT_CHANNEL,
    .lower = DEFAULT_LOWER,
    .upper = DEFAULT_UPPER,
    .max_points = DEFAULT_MAX_POINTS };
}
