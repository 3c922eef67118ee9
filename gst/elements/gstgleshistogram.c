/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gleshistogram
 * @title: gleshistogram
 * @short_description: histograms of video frames, as metadata
 *
 * Counts the code values of each frame with OpenGL ES compute shaders (or native code, with the same
 * result bit for bit) and puts them on the frame as #GstGlesHistogramMeta. The picture passes
 * through untouched: `gst-launch-1.0 -m videotestsrc num-buffers=3 ! gleshistogram post-messages=true ! fakesink`
 */
#include "config.h"

#include <gst/gles/algo/frame-mad.h>
#include <gst/gles/algo/histogram.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/meta/histogram.h>

#include "elements.h"
#include "gstglesanalyzer.h"
#include "gstglesregion.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_histogram_element_debug);
#define GST_CAT_DEFAULT gst_gles_histogram_element_debug

#define MIN_BINS 2
#define MAX_BINS 65536
#define DEFAULT_BINS 256
#define DEFAULT_CHANNELS CHANNELS_NATIVE
#define DEFAULT_CELLS 1
#define MAX_CELLS 65535
#define N_READBACK_SLOTS 4

typedef enum {
  CHANNELS_NATIVE,
  CHANNELS_LUMA
} Channels;

enum {
  PROP_0,
  PROP_BINS,
  PROP_CHANNELS,
  PROP_REGION,
  PROP_GRID_COLUMNS,
  PROP_GRID_ROWS,
  PROP_MAD,
  PROP_MAD_NOISE
};

/* What properties ask for. */
typedef struct {
  guint bins;
  Channels channels;
  GstGlesRegion region;
  guint columns, rows;
  gboolean mad;
  gdouble mad_noise;
} Request;

#define GST_TYPE_GLES_HISTOGRAM_ELEMENT (gst_gles_histogram_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGleshistogram, gst_gles_histogram_element, GST, GLES_HISTOGRAM_ELEMENT, GstGlesAnalyzer)

struct _GstGleshistogram {
  GstGlesAnalyzer parent;

  Request request; /* under the object lock */

  /* of the streaming thread */
  Request taken; /* for this frame */
  GstGlesHistogram *plan;
  GstGlesFrameMad *mad;          /* nullable */
  gdouble mad_noise;             /* that it was made for */
  GstGlesHistogramConfig config; /* of the plan */
  GstGlesImage image;            /* that the plan was made for; only its description */
  GstGlesBufferPool *pool;
  GstGlesReadbackRing *ring;
  GstGlesBuffer *previous;    /* counts of the frame before */
  guint32 *validate_previous; /* the twin's, of the frame below */
  guint64 validate_frame;
  GstGlesFrameMadReference validate_reference; /* the twin's */
  gboolean validate_mad;                       /* ... is the device's */
};

G_DEFINE_TYPE (GstGleshistogram, gst_gles_histogram_element, GST_TYPE_GLES_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE (
    gleshistogram, "gleshistogram", GST_RANK_NONE, GST_TYPE_GLES_HISTOGRAM_ELEMENT)

#define GST_TYPE_GLES_HISTOGRAM_CHANNELS (channels_get_type ())
static GType
channels_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { CHANNELS_NATIVE, "Each stored component", "native" },
    { CHANNELS_LUMA, "Luma, computed from RGB where it is not stored", "luma" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type)) {
    GType registered = g_enum_register_static ("GstGlesHistogramChannels", values);
    gst_type_mark_as_plugin_api (registered, 0);
    g_once_init_leave (&type, registered);
  }
  return type;
}

/* ---- plan ---- */

static void
forget_previous (GstGleshistogram *self)
{
  g_clear_pointer (&self->previous, gst_gles_buffer_unref);
  g_clear_pointer (&self->validate_previous, g_free);
  gst_gles_frame_mad_reference_clear (&self->validate_reference);
  if (self->mad != NULL)
    gst_gles_frame_mad_reset (self->mad);
}

static void
gst_gles_histogram_element_reset (GstGlesAnalyzer *analyzer)
{
  forget_previous (GST_GLES_HISTOGRAM_ELEMENT (analyzer));
}

static void
gst_gles_histogram_element_drop_plan (GstGlesAnalyzer *analyzer)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);

  forget_previous (self);
  g_clear_pointer (&self->mad, gst_gles_frame_mad_free);
  g_clear_pointer (&self->plan, gst_gles_histogram_free);
  g_clear_pointer (&self->pool, gst_gles_buffer_pool_free);
  g_clear_pointer (&self->ring, gst_gles_readback_ring_free);
}

/* From properties and the frame to what is counted. The region is one of the visible picture: it
 * moves with the crop. */
static gboolean
make_config (const Request *request, const GstGlesImage *image, GstGlesHistogramConfig *config,
    GError **error)
{
  *config = (GstGlesHistogramConfig){ image->crop_x, image->crop_y, image->crop_width,
    image->crop_height, request->columns, request->rows, request->bins,
    request->channels == CHANNELS_LUMA, request->mad };
  if (!gst_gles_region_place (
          &request->region, image, &config->x, &config->y, &config->width, &config->height, error))
    return FALSE;
  if (config->columns > config->width || config->rows > config->height) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "a grid of %ux%u cells is finer than the %ux%u pixels it lies over; lower grid-columns "
        "and grid-rows",
        config->columns, config->rows, config->width, config->height);
    return FALSE;
  }
  return TRUE;
}

/* Takes @plan; what is kept for the layout of the one before serves on when the layout is the same:
 * a region that moves, or a crop, does not end the comparison with the frame before. */
static gboolean
use_plan (GstGleshistogram *self, GstGlesHistogram *plan, GError **error)
{
  GstGlesDevice *device = gst_gles_analyzer_get_device (GST_GLES_ANALYZER (self));
  const GstGlesHistogramLayout *layout = gst_gles_histogram_get_layout (plan);
  gboolean same = self->plan != NULL &&
      memcmp (layout, gst_gles_histogram_get_layout (self->plan), sizeof (*layout)) == 0;

  if (!same)
    gst_gles_histogram_element_drop_plan (GST_GLES_ANALYZER (self));
  g_clear_pointer (&self->plan, gst_gles_histogram_free);
  self->plan = plan;
  if (same)
    return TRUE;
  self->pool = gst_gles_buffer_pool_new (device, layout->size_bytes);
  self->ring = gst_gles_readback_ring_new (gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)),
      N_READBACK_SLOTS, layout->size_bytes, error);
  if (self->ring == NULL)
    gst_gles_histogram_element_drop_plan (GST_GLES_ANALYZER (self));
  return self->ring != NULL;
}

/* The comparison of samples for the plan, which has just been made or has not changed. */
static gboolean
ensure_mad (GstGleshistogram *self, gboolean changed, GError **error)
{
  const GstGlesHistogramConfig *c = &self->config;
  const GstGlesFrameMadConfig wanted = { c->x, c->y, c->width, c->height, c->luma,
    self->taken.mad_noise };

  if (!changed && (self->mad == NULL || self->mad_noise == wanted.noise))
    return TRUE;
  g_clear_pointer (&self->mad, gst_gles_frame_mad_free);
  gst_gles_frame_mad_reference_clear (&self->validate_reference);
  self->mad_noise = wanted.noise;
  if (!c->mad)
    return TRUE;
  self->mad = gst_gles_frame_mad_new (
      gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)), &self->image, &wanted, error);
  return self->mad != NULL;
}

/* Makes the plan for self->taken and @image, unless it is there. */
static gboolean
ensure_plan (GstGleshistogram *self, const GstGlesImage *image, GError **error)
{
  GstGlesHistogramConfig config;
  GstGlesHistogram *plan;

  if (!make_config (&self->taken, image, &config, error))
    return FALSE;
  if (self->plan != NULL && memcmp (&config, &self->config, sizeof (config)) == 0 &&
      gst_gles_region_same_image (image, &self->image))
    return ensure_mad (self, FALSE, error);

  plan = gst_gles_histogram_new (
      gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)), image, &config, error);
  if (plan == NULL || !use_plan (self, plan, error))
    return FALSE;
  self->config = config;
  self->image = *image;
  return ensure_mad (self, TRUE, error);
}

static void
take_request (GstGleshistogram *self)
{
  GST_OBJECT_LOCK (self);
  self->taken = self->request;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_gles_histogram_element_prepare (
    GstGlesAnalyzer *analyzer, const GstGlesImage *image, GError **error)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);

  take_request (self);
  return ensure_plan (self, image, error);
}

/* Comes first for each frame: what is uploaded and what is counted follow the same properties,
 * whoever sets them meanwhile. */
static guint
gst_gles_histogram_element_components (GstGlesAnalyzer *analyzer, const GstGlesImage *layout)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);

  take_request (self);
  if (self->taken.channels == CHANNELS_NATIVE)
    return G_MAXUINT;
  return layout->luma == GST_GLES_LUMA_STORED ? 1u << 0 : 1u << 0 | 1u << 1 | 1u << 2;
}

static guint
gst_gles_histogram_element_n_reads (GstGlesAnalyzer *analyzer)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);

  /* samples are read to be compared, and again when they become the reference */
  return self->plan != NULL
      ? gst_gles_histogram_get_n_reads (self->plan) + (self->mad != NULL ? 2 : 0)
      : G_MAXUINT;
}

/* ---- results ---- */

static void
make_info (GstGleshistogram *self, const GstGlesFrame *frame, const GstGlesImage *image,
    GstGlesHistogramInfo *info)
{
  const GstGlesHistogramLayout *layout = gst_gles_histogram_get_layout (self->plan);

  *info = (GstGlesHistogramInfo){ .frame = frame->number,
    .pts = frame->pts,
    .duration = frame->duration,
    .running_time = frame->running_time,
    .stream_time = frame->stream_time,
    .utc = frame->utc,
    .origin = frame->origin,
    .width = image->crop_width,
    .height = image->crop_height,
    .format = GST_VIDEO_INFO_FORMAT (frame->info),
    .range = GST_VIDEO_INFO_COLORIMETRY (frame->info).range,
    .x = self->config.x - image->crop_x,
    .y = self->config.y - image->crop_y,
    .region_width = self->config.width,
    .region_height = self->config.height,
    .columns = layout->columns,
    .rows = layout->rows,
    .bins = layout->bins,
    .luma = self->config.luma,
    .n_channels = layout->n_channels };
  for (guint i = 0; i < layout->n_channels; i++) {
    info->channels[i] = (GstGlesHistogramChannelInfo){ layout->channels[i].name,
      layout->channels[i].depth, layout->channels[i].n_samples, layout->channels[i].native_offset,
      layout->channels[i].difference_offset, layout->channels[i].cells_offset,
      layout->channels[i].emd_offset, layout->channels[i].mad_offset };
  }
}

static GstMiniObject *
gst_gles_histogram_element_analyze (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, const GstGlesImage *image, GError **error)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autoptr (GstGlesReadback) readback = NULL;
  GstGlesHistogramInfo info;
  gboolean waited = FALSE;
  gsize size;

  if (!ensure_plan (self, image, error))
    return NULL;
  counts = gst_gles_buffer_pool_acquire (self->pool, error);
  if (counts == NULL || !gst_gles_histogram_run (self->plan, image, self->previous, counts, error))
    return NULL;
  if (self->mad != NULL &&
      !gst_gles_frame_mad_run (self->mad, image, counts,
          gst_gles_histogram_get_layout (self->plan)->channels[0].mad_offset, error))
    return NULL;
  if (frame->readback) {
    size = gst_gles_histogram_get_layout (self->plan)->size_bytes;
    readback = gst_gles_readback_ring_copy (self->ring, counts, 0, size, &waited, error);
    if (readback == NULL)
      return NULL;
    gst_gles_analyzer_count_readback (analyzer, size, waited);
  }
  g_clear_pointer (&self->previous, gst_gles_buffer_unref);
  self->previous = gst_gles_buffer_ref (counts);
  make_info (self, frame, image, &info);
  return GST_MINI_OBJECT_CAST (gst_gles_histogram_result_new (&info, readback, counts));
}

static void
gst_gles_histogram_element_attach (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result)
{
  gst_buffer_add_gles_histogram_meta (buffer, (GstGlesHistogramResult *) result);
}

static gboolean
gst_gles_histogram_element_wait (GstMiniObject *result, guint64 timeout_ns, GError **error)
{
  return gst_gles_histogram_result_wait ((GstGlesHistogramResult *) result, timeout_ns, error);
}

static gboolean
gst_gles_histogram_element_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error)
{
  GstGlesHistogramResult *result = (GstGlesHistogramResult *) object;
  guint n_channels = gst_gles_histogram_result_get_n_channels (result);

  gst_structure_set (
      message, "frame", G_TYPE_UINT64, gst_gles_histogram_result_get_frame_number (result), NULL);
  for (guint i = 0; i < n_channels; i++) {
    const gchar *name = gst_gles_histogram_result_get_channel_name (result, i);
    g_autoptr (GstStructure) channel = NULL;
    GstGlesHistogramStatistics s;
    if (!gst_gles_histogram_result_get_statistics (result, i, &s, error))
      return FALSE;
    channel = gst_structure_new (name, "count", G_TYPE_UINT64, s.count, "min", G_TYPE_UINT, s.min,
        "max", G_TYPE_UINT, s.max, "mean", G_TYPE_DOUBLE, s.mean, "stddev", G_TYPE_DOUBLE, s.stddev,
        "entropy", G_TYPE_DOUBLE, s.entropy, "p1", G_TYPE_UINT, s.p1, "p5", G_TYPE_UINT, s.p5,
        "p10", G_TYPE_UINT, s.p10, "p50", G_TYPE_UINT, s.p50, "p90", G_TYPE_UINT, s.p90, "p95",
        G_TYPE_UINT, s.p95, "p99", G_TYPE_UINT, s.p99, "difference", G_TYPE_DOUBLE, s.difference,
        "emd", G_TYPE_DOUBLE, s.emd, NULL);
    if (gst_gles_histogram_result_has_mad (result))
      gst_structure_set (channel, "mad", G_TYPE_DOUBLE, s.mad, NULL);
    gst_structure_set (message, name, GST_TYPE_STRUCTURE, channel, NULL);
  }
  return TRUE;
}

/* What differs first, in words. */
static void
set_difference (const GstGlesHistogramLayout *layout, const guint32 *got, const guint32 *expected,
    guint64 frame, GError **error)
{
  gsize n = layout->size_bytes / sizeof (guint32);
  gsize at = 0;

  while (at + 1 < n && got[at] == expected[at])
    at++;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "validation: counter %" G_GSIZE_FORMAT " of frame %" G_GUINT64_FORMAT
      " is %u on the device and %u in native code; the driver miscompiles a kernel: use "
      "another device and report it",
      at, frame, got[at], expected[at]);
}

/* The twin's sums, or those of the device where the twin cannot know the reference: when frames were not
 * validated, and the reference need not be the frame before. */
static void
expect_mad (GstGleshistogram *self, const GstGlesImage *image, gboolean follows, guint64 frame,
    const guint32 *got, guint32 *expected)
{
  const GstGlesHistogramLayout *layout = gst_gles_histogram_get_layout (self->plan);
  const guint offset = layout->channels[0].mad_offset;
  const gboolean known = follows && self->validate_mad &&
      (self->validate_reference.samples[0] != NULL || got[offset] == 0);

  if (!follows) {
    gst_gles_frame_mad_reference_clear (&self->validate_reference);
    self->validate_mad = frame == 0 || self->mad_noise == 0.0;
  }
  gst_gles_frame_mad_run_native (self->mad, image, &self->validate_reference, expected + offset);
  if (!known)
    memcpy (expected + offset, got + offset,
        layout->n_channels * GST_GLES_FRAME_MAD_WORDS * sizeof (guint32));
}

static gboolean
gst_gles_histogram_element_validate (
    GstGlesAnalyzer *analyzer, const GstGlesImage *image, GstMiniObject *object, GError **error)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);
  GstGlesHistogramResult *result = (GstGlesHistogramResult *) object;
  const GstGlesHistogramLayout *layout = gst_gles_histogram_get_layout (self->plan);
  g_autofree guint32 *expected = g_try_malloc0 (layout->size_bytes);
  g_autofree guint32 *got = g_try_malloc0 (layout->size_bytes);
  guint64 frame = gst_gles_histogram_result_get_frame_number (result);
  const gboolean follows = self->validate_frame + 1 == frame && frame > 0;

  if (expected == NULL || got == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes twice to validate a frame", layout->size_bytes);
    return FALSE;
  }
  if (!gst_gles_buffer_download (gst_gles_histogram_result_get_device_buffer (result),
          gst_gles_analyzer_get_queue (analyzer), 0, got, layout->size_bytes, error))
    return FALSE;
  /* the frame before may not have been validated: its counts are unknown here */
  if (!follows)
    g_clear_pointer (&self->validate_previous, g_free);
  if (!gst_gles_histogram_run_native (self->plan, image, self->validate_previous, expected, error))
    return FALSE;
  if (self->validate_previous == NULL) {
    for (guint i = 0; i < layout->n_channels; i++)
      memcpy (expected + layout->channels[i].difference_offset,
          got + layout->channels[i].difference_offset, 3 * sizeof (guint32));
  }
  if (self->mad != NULL)
    expect_mad (self, image, follows, frame, got, expected);
  g_free (self->validate_previous);
  self->validate_previous = g_steal_pointer (&expected);
  self->validate_frame = frame;
  if (memcmp (got, self->validate_previous, layout->size_bytes) == 0)
    return TRUE;
  set_difference (layout, got, self->validate_previous, frame, error);
  return FALSE;
}

/* ---- properties ---- */

static void
gst_gles_histogram_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (object);

  if (id == PROP_REGION) {
    gst_gles_region_set (object, &self->request.region, value);
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_BINS:
      self->request.bins = g_value_get_uint (value);
      break;
    case PROP_CHANNELS:
      self->request.channels = g_value_get_enum (value);
      break;
    case PROP_GRID_COLUMNS:
      self->request.columns = g_value_get_uint (value);
      break;
    case PROP_GRID_ROWS:
      self->request.rows = g_value_get_uint (value);
      break;
    case PROP_MAD:
      self->request.mad = g_value_get_boolean (value);
      break;
    case PROP_MAD_NOISE:
      self->request.mad_noise = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gles_histogram_element_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGleshistogram *self = GST_GLES_HISTOGRAM_ELEMENT (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_BINS:
      g_value_set_uint (value, self->request.bins);
      break;
    case PROP_CHANNELS:
      g_value_set_enum (value, self->request.channels);
      break;
    case PROP_REGION:
      gst_gles_region_get (&self->request.region, value);
      break;
    case PROP_GRID_COLUMNS:
    case PROP_GRID_ROWS:
      g_value_set_uint (value, id == PROP_GRID_ROWS ? self->request.rows : self->request.columns);
      break;
    case PROP_MAD:
      g_value_set_boolean (value, self->request.mad);
      break;
    case PROP_MAD_NOISE:
      g_value_set_double (value, self->request.mad_noise);
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

  g_object_class_install_property (klass, PROP_BINS,
      g_param_spec_uint ("bins", "Bins",
          "Bins per histogram: bin = value * bins / 2^depth, rounded down", MIN_BINS, MAX_BINS,
          DEFAULT_BINS, flags));
  g_object_class_install_property (klass, PROP_CHANNELS,
      g_param_spec_enum ("channels", "Channels", "What to count", GST_TYPE_GLES_HISTOGRAM_CHANNELS,
          DEFAULT_CHANNELS, flags));
  gst_gles_region_install (klass, PROP_REGION,
      "Part of the frame to count, \"x,y,width,height\" in pixels; \"<>\" for all of it");
  g_object_class_install_property (klass, PROP_GRID_COLUMNS,
      g_param_spec_uint ("grid-columns", "Grid columns",
          "Cells side by side over the region, each with histograms of its own", 1, MAX_CELLS,
          DEFAULT_CELLS, flags));
  g_object_class_install_property (klass, PROP_GRID_ROWS,
      g_param_spec_uint ("grid-rows", "Grid rows",
          "Cells one below the other over the region, each with histograms of its own", 1,
          MAX_CELLS, DEFAULT_CELLS, flags));
  g_object_class_install_property (klass, PROP_MAD,
      g_param_spec_boolean ("mad", "Mean absolute difference",
          "Also compare samples with those at the same places of the frame before", FALSE, flags));
  g_object_class_install_property (klass, PROP_MAD_NOISE,
      g_param_spec_double ("mad-noise", "Noise of mad",
          "With mad: a frame that differs from the reference by at most this share of full scale "
          "does not become the reference of the next; 0 compares with the frame before",
          0.0, 1.0, 0.0, flags));
}

static void
gst_gles_histogram_element_class_init (GstGleshistogramClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (
      gst_gles_histogram_element_debug, "gleshistogram", 0, "Histograms of video frames");

  object_class->set_property = gst_gles_histogram_element_set_property;
  object_class->get_property = gst_gles_histogram_element_get_property;
  install_properties (object_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "OpenGL ES histogram",
      "Filter/Analyzer/Video",
      "Computes histograms and statistics of video frames with OpenGL ES compute shaders, "
      "headlessly, and attaches them as metadata",
      "The gst-gles-compute developers");

  analyzer_class->prepare = gst_gles_histogram_element_prepare;
  analyzer_class->components = gst_gles_histogram_element_components;
  analyzer_class->n_reads = gst_gles_histogram_element_n_reads;
  analyzer_class->analyze = gst_gles_histogram_element_analyze;
  analyzer_class->attach = gst_gles_histogram_element_attach;
  analyzer_class->wait = gst_gles_histogram_element_wait;
  analyzer_class->describe = gst_gles_histogram_element_describe;
  analyzer_class->validate = gst_gles_histogram_element_validate;
  analyzer_class->reset = gst_gles_histogram_element_reset;
  analyzer_class->drop_plan = gst_gles_histogram_element_drop_plan;
}

static void
gst_gles_histogram_element_init (GstGleshistogram *self)
{
  self->request = (Request){ .bins = DEFAULT_BINS,
    .channels = DEFAULT_CHANNELS,
    .columns = DEFAULT_CELLS,
    .rows = DEFAULT_CELLS };
}
