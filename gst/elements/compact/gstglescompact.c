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
#include <gst/gles/algo/variants.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/meta/points-info.h>

#include "compact-boxes.h"
#include "compact-channel.h"
#include "compact-comparison.h"
#include "compact-expression.h"
#include "compact-message.h"
#include "compact-settings.h"
#include "../elements.h"
#include "../base/gstglespictureanalyzer.h"
#include "../base/records-input.h"
#include "../base/validation.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_compact_element_debug);
#define GST_CAT_DEFAULT gst_gles_compact_element_debug

/* Each slot is as large as the longest possible list, so there are few. */
#define N_READBACK_SLOTS 3

/* A jump of timestamps by more than this, with the flag DISCONT, is another scene. Frames that a
 * leaky queue or a live source drops are less. */
#define MAX_GAP GST_SECOND

#define GST_TYPE_GLES_COMPACT_ELEMENT (gst_gles_compact_element_get_type ())
G_DECLARE_FINAL_TYPE (GstGlesCompactElement, gst_gles_compact_element, GST, GLES_COMPACT_ELEMENT,
    GstGlesPictureAnalyzer)

struct _GstGlesCompactElement {
  GstGlesPictureAnalyzer parent;

  CompactSettings wanted; /* protected by the object lock */

  gint most_points; /* atomic: of a frame, in its list */

  /* used on the streaming thread only: */
  CompactSettings taken;        /* for the current frame */
  GstClockTime expected;        /* the timestamp that continues the stream */
  GstClockTime expected_before; /* what expected was before the last frame */
  CompactExpressions expressions;
  CompactComparison comparisons[GST_GLES_N_FIELDS];
  CompactComparison *comparison;    /* of the current frame */
  GstGlesFrameCompactConfig config; /* of the plans */
  GstGlesImage image;               /* the layout that plans were made for, without pixels */
  GstGlesFrameCompactCall call;     /* of the current frame */
  MaskInput mask;
  CompactBoxes boxes;
  guint capacity; /* of the ring's slots, in points */
  GstGlesReadbackRing *ring;
};

G_DEFINE_TYPE (GstGlesCompactElement, gst_gles_compact_element, GST_TYPE_GLES_PICTURE_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE (
    glescompact, "glescompact", GST_RANK_NONE, GST_TYPE_GLES_COMPACT_ELEMENT)

G_STATIC_ASSERT (GST_GLES_POINTS_LUMA == GST_GLES_FRAME_LUMA);
G_STATIC_ASSERT (sizeof (GstGlesPoint) == 8);

/* ---- what downstream asks ---- */

static gboolean
gst_gles_compact_element_query (GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (trans);
  g_autoptr (GstGlesDevice) device = gst_gles_analyzer_ref_device (GST_GLES_ANALYZER (trans));

  if (direction == GST_PAD_SRC && device != NULL && !gst_base_transform_is_passthrough (trans) &&
      records_answer_points (query, device, (guint) g_atomic_int_get (&self->most_points)))
    return TRUE;
  return GST_BASE_TRANSFORM_CLASS (gst_gles_compact_element_parent_class)
      ->query (trans, direction, query);
}

/* ---- plan ---- */

static void
gst_gles_compact_element_reset (GstGlesAnalyzer *analyzer)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  compact_comparisons_reset (self->comparisons);
  self->expected = GST_CLOCK_TIME_NONE;
}

static void
gst_gles_compact_element_drop_plan (GstGlesAnalyzer *analyzer)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  compact_comparisons_drop (self->comparisons);
  compact_expressions_clear (&self->expressions);
  mask_input_clear (&self->mask);
  compact_boxes_clear (&self->boxes);
  g_clear_pointer (&self->ring, gst_gles_readback_ring_free);
  self->capacity = 0;
}

static gboolean
is_cpu (GstGlesCompactElement *self)
{
  GstGlesDevice *device = gst_gles_analyzer_get_device (GST_GLES_ANALYZER (self));

  return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU;
}

/* Makes slots that hold the longest list of the call. */
static gboolean
ensure_ring (GstGlesCompactElement *self, GError **error)
{
  guint capacity = MAX (gst_gles_frame_compact_capacity (self->comparison->plan, &self->call), 1);

  if (is_cpu (self) || capacity == self->capacity)
    return TRUE;
  g_clear_pointer (&self->ring, gst_gles_readback_ring_free);
  self->ring = gst_gles_readback_ring_new (gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)),
      N_READBACK_SLOTS, GST_GLES_READBACK_COUNTED_BYTES (capacity, sizeof (GstGlesPoint)), error);
  self->capacity = self->ring != NULL ? capacity : 0;
  return self->ring != NULL;
}

static GstVideoColorRange
get_range (GstGlesCompactElement *self)
{
  const GstVideoInfo *video = gst_gles_picture_analyzer_get_info (GST_GLES_PICTURE_ANALYZER (self));

  return GST_VIDEO_INFO_COLORIMETRY (video).range;
}

static gboolean
is_expression (const GstGlesCompactElement *self)
{
  return self->taken.predicate == GST_GLES_POINTS_EXPRESSION;
}

/* Configures a plan for the settings. *@changed: it needs other expressions than before. */
static gboolean
configure (GstGlesCompactElement *self, const GstGlesImage *image,
    GstGlesFrameCompactConfig *config, gboolean *changed, GError **error)
{
  GstGlesFrameCompactCall *call = &self->call;

  memset (config, 0, sizeof (*config));
  *changed = FALSE;
  *call = (GstGlesFrameCompactCall){ .max_points = self->taken.max_points,
    .adaptation = compact_settings_get_adaptation (&self->taken) };
  if (is_expression (self)) {
    /* of the picture of values */
    call->lower = 1;
    call->upper = G_MAXUINT;
    return compact_expressions_update (&self->expressions, &self->taken, changed, error);
  }
  if (!gst_gles_compact_channel_resolve (&self->taken.channel, image, error))
    return FALSE;
  config->predicate = self->taken.predicate;
  config->channel = self->taken.channel;
  config->background = compact_settings_is_background (&self->taken);
  compact_settings_bounds (&self->taken, image, get_range (self),
      compact_noise_get_lower (&self->comparison->noise), call);
  return TRUE;
}

static gboolean
make_plan (GstGlesCompactElement *self, const GstGlesImage *image,
    const GstGlesFrameCompactConfig *config, GError **error)
{
  GstGlesQueue *queue = gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self));
  CompactComparison *comparison = self->comparison;

  g_clear_pointer (&comparison->validate_kept, g_free);
  if (is_expression (self)) {
    comparison->expression = compact_expressions_new_plan (&self->expressions, queue, image, error);
    if (comparison->expression == NULL)
      return FALSE;
  }
  comparison->config = *config;
  comparison->has_samples = compact_settings_has_samples (&self->taken);
  if (!compact_comparison_make_plan (comparison, queue, image, error))
    return FALSE;
  self->config = *config;
  self->image = *image;
  return TRUE;
}

/* Takes the mask and the boxes of @buffer (nullable: none), for the call. */
static gboolean
take_mask (
    GstGlesCompactElement *self, const GstGlesImage *image, GstBuffer *buffer, GError **error)
{
  UpstreamBoxes boxes = { .n = 0 };

  if (!gst_gles_analyzer_take_mask (GST_GLES_ANALYZER (self), image, &self->mask, error))
    return FALSE;
  self->call.mask = self->mask.bits;
  if (self->taken.boxes == BOXES_NONE)
    return TRUE;
  if (buffer != NULL)
    boxes_read (&boxes, buffer, self->taken.boxes, self->taken.box_type);
  boxes_warn (&boxes, GST_ELEMENT_CAST (self), &self->boxes.has_warned);
  if (!compact_boxes_update (&self->boxes, &boxes, self->mask.bits, image, error))
    return FALSE;
  self->call.mask = self->boxes.bits;
  return TRUE;
}

/* Makes the plan of the comparison for self->taken and @image, unless the current one fits.
 * @buffer: of the frame; NULL: there is none yet. */
static gboolean
ensure_plan (
    GstGlesCompactElement *self, const GstGlesImage *image, GstBuffer *buffer, GError **error)
{
  CompactComparison *comparison = self->comparison;
  GstGlesFrameCompactConfig config;
  GstGlesRegionPlace place;
  gboolean changed;
  const gboolean ok = configure (self, image, &config, &changed, error);

  /* also where something else is refused: the next frame finds the text as it is now */
  if (changed)
    compact_comparisons_drop (self->comparisons);
  if (!ok || !gst_gles_region_place (&self->taken.region, image, &place, error) ||
      !take_mask (self, image, buffer, error))
    return FALSE;
  self->call.x = place.x;
  self->call.y = place.y;
  self->call.width = place.width;
  self->call.height = place.height;
  if (memcmp (&config, &self->config, sizeof (config)) != 0 ||
      !gst_gles_region_same_image (image, &self->image) ||
      (comparison->plan != NULL &&
          (is_expression (self) != (comparison->expression != NULL) ||
              compact_settings_has_samples (&self->taken) != (comparison->samples != NULL))))
    compact_comparisons_drop (self->comparisons);
  if (comparison->plan == NULL && !make_plan (self, image, &config, error))
    return FALSE;
  if (!compact_settings_measures_noise (&self->taken))
    compact_noise_drop (&comparison->noise);
  else if (!compact_noise_ensure (&comparison->noise,
               gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)), image, config.channel,
               error))
    return FALSE;
  comparison->expression_call =
      compact_expressions_call (&self->expressions, &self->call, comparison->frame);
  return ensure_ring (self, error);
}

/* Runs the plan once on no pixels, so that programs are built and buffers made before the first
 * frame. */
static gboolean
warm_up (GstGlesCompactElement *self, GError **error)
{
  g_auto (GstGlesFramePoints) points = { .points = NULL };
  g_autoptr (GstGlesReadback) readback = NULL;

  if (!compact_comparison_prepare (self->comparison, &self->call, &points, error))
    return FALSE;
  if (!gst_gles_analyzer_reads_ahead (GST_GLES_ANALYZER (self)))
    return gst_gles_readback_ring_prepare (self->ring, error);
  readback = gst_gles_readback_ring_copy (self->ring,
      &(GstGlesReadbackCopy){ .source = points.points,
          .size_bytes = self->capacity * sizeof (GstGlesPoint),
          .counts = points.counts,
          .item_bytes = sizeof (GstGlesPoint) },
      NULL, error);
  return readback != NULL;
}

static gboolean
gst_gles_compact_element_prepare (
    GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image, GError **error)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  GstGlesField last;

  for (guint field = gst_gles_picture_analyzer_get_fields (analyzer, &last); field <= last;
       field++) {
    self->comparison = &self->comparisons[field];
    if (!ensure_plan (self, image, NULL, error) || (!is_cpu (self) && !warm_up (self, error)))
      return FALSE;
  }
  return TRUE;
}

static guint
gst_gles_compact_element_components (GstGlesPictureAnalyzer *analyzer, const GstGlesImage *layout)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);
  gint channel = self->taken.channel;

  if (is_expression (self))
    return self->comparison->expression != NULL &&
            !compact_expressions_are_other (&self->expressions, &self->taken)
        ? gst_gles_frame_expression_get_components (self->comparison->expression)
        : G_MAXUINT;
  /* A channel that the format lacks is reported when the plan is made. */
  if (!gst_gles_compact_channel_resolve (&channel, layout, NULL))
    return 1u << 0;
  if (channel >= 0)
    return 1u << channel;
  return layout->luma == GST_GLES_LUMA_STORED ? 1u << 0 : 1u << 0 | 1u << 1 | 1u << 2;
}

static gboolean
gst_gles_compact_element_fits (
    GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image, GError **error)
{
  const CompactSettings *taken = &GST_GLES_COMPACT_ELEMENT (analyzer)->taken;
  GstGlesRegionPlace place;

  if (!gst_gles_region_place (&taken->region, image, &place, error))
    return FALSE;
  g_atomic_int_set (&GST_GLES_COMPACT_ELEMENT (analyzer)->most_points,
      (gint) MIN ((guint64) place.width * place.height, taken->max_points));
  return TRUE;
}

static guint
gst_gles_compact_element_n_reads (GstGlesPictureAnalyzer *analyzer)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  return self->comparison->plan == NULL
      ? G_MAXUINT
      : compact_comparison_get_n_reads (self->comparison, &self->call);
}

/* ---- results ---- */

static void
make_info (GstGlesCompactElement *self, const GstGlesFrame *frame, const GstGlesImage *image,
    GstGlesPointsInfo *info)
{
  const GstVideoInfo *video = gst_gles_picture_analyzer_get_info (GST_GLES_PICTURE_ANALYZER (self));

  compact_settings_describe (&self->taken, &self->call, image, info);
  info->frame = frame->info;
  info->frame.width = image->crop_width;
  info->frame.height = image->crop_height;
  info->frame.format = GST_VIDEO_INFO_FORMAT (video);
}

/* Brings the points to the host, which reads the memory that native code wrote without a copy. */
static GstGlesReadback *
read_points (GstGlesCompactElement *self, GstGlesFramePoints *points, GError **error)
{
  GstGlesAnalyzer *analyzer = GST_GLES_ANALYZER (self);
  const guint capacity = gst_gles_frame_compact_capacity (self->comparison->plan, &self->call);
  gsize bytes = 0; /* the ring counts its own */
  gboolean waited = FALSE;
  GstGlesReadback *readback;

  if (points->bytes != NULL) {
    bytes = g_bytes_get_size (points->bytes) + sizeof (points->result);
    readback = gst_gles_readback_new_counted (&points->result, g_steal_pointer (&points->bytes));
  } else {
    readback = gst_gles_readback_ring_copy (self->ring,
        &(GstGlesReadbackCopy){ .source = points->points,
            .size_bytes = capacity * sizeof (GstGlesPoint),
            .counts = points->counts,
            .item_bytes = sizeof (GstGlesPoint) },
        &waited, error);
  }
  if (readback != NULL)
    gst_gles_analyzer_count_readback (analyzer, bytes, waited);
  return readback;
}

/* Forgets the references if @frame does not continue the earlier frames. */
static void
check_continuity (GstGlesCompactElement *self, const GstGlesFrame *frame)
{
  const GstClockTime pts = frame->info.pts;

  if (GST_BUFFER_IS_DISCONT (frame->buffer) && GST_CLOCK_TIME_IS_VALID (self->expected) &&
      GST_CLOCK_TIME_IS_VALID (pts) &&
      (GstClockTime) ABS (GST_CLOCK_DIFF (self->expected, pts)) > MAX_GAP) {
    GST_INFO_OBJECT (self,
        "timestamps jump from %" GST_TIME_FORMAT " to %" GST_TIME_FORMAT ": no reference",
        GST_TIME_ARGS (self->expected), GST_TIME_ARGS (pts));
    compact_comparisons_forget (self->comparisons);
  }
  self->expected_before = self->expected;
  self->expected = pts;
  if (GST_CLOCK_TIME_IS_VALID (pts) && GST_CLOCK_TIME_IS_VALID (frame->info.duration))
    self->expected += frame->info.duration;
}

static GstMiniObject *
gst_gles_compact_element_analyze (GstGlesPictureAnalyzer *analyzer, const GstGlesFrame *frame,
    const GstGlesImage *image, GError **error)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);
  g_auto (GstGlesFramePoints) points = { .points = NULL };
  g_autoptr (GstGlesReadback) readback = NULL;
  GstGlesPointsInfo info;

  self->comparison = &self->comparisons[frame->info.field];
  check_continuity (self, frame);
  if (!compact_noise_take (&self->comparison->noise, frame->info.number, error) ||
      !ensure_plan (self, image, frame->buffer, error))
    return NULL;
  if (!compact_comparison_begin (self->comparison, frame->info.number, frame->repeatable, error))
    return NULL;
  make_info (self, frame, image, &info);
  if (!compact_comparison_run (self->comparison, image, &self->call, &points, error))
    return NULL;
  if (frame->readback && (readback = read_points (self, &points, error)) == NULL)
    return NULL;
  return GST_MINI_OBJECT_CAST (
      gst_gles_points_result_new_queued (&info, readback, points.points, points.counts));
}

static void
gst_gles_compact_element_attach (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result)
{
  gst_buffer_add_gles_points_meta (buffer, (GstGlesPointsResult *) result);
}

static gsize
gst_gles_compact_element_take_readback_bytes (GstGlesAnalyzer *analyzer)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  return self->ring != NULL ? gst_gles_readback_ring_take_bytes (self->ring) : 0;
}

static gboolean
gst_gles_compact_element_read_words (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, ValidationWords *words, GError **error)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);
  GstGlesPointsResult *result = (GstGlesPointsResult *) object;

  if (self->comparison->is_unknown)
    return TRUE;
  validation_words_add_counts (
      words, gst_gles_points_result_get_total (result), gst_gles_points_result_get_count (result));
  return validation_words_add (
      words, "points", 2, gst_gles_points_result_get_bytes (result, error));
}

static gboolean
gst_gles_compact_element_expect (GstGlesPictureAnalyzer *analyzer, const GstGlesFrame *frame,
    const GstGlesImage *image, ValidationWords *expected, GError **error)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);
  g_autofree guint32 *points = NULL;
  GstGlesResult result;

  points = compact_comparison_expect (self->comparison, image, &self->call, &result, error);
  if (points == NULL)
    return FALSE;
  if (self->comparison->is_unknown)
    return TRUE;
  validation_words_add_counts (expected, result.total, result.count);
  return validation_words_add (expected, "points", 2,
      g_bytes_new_take (g_steal_pointer (&points), result.count * sizeof (GstGlesPoint)));
}

static void
gst_gles_compact_element_restore (GstGlesAnalyzer *analyzer)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  compact_comparison_restore (self->comparison);
  self->expected = self->expected_before;
}

static gchar *
gst_gles_compact_element_describe_plan (GstGlesAnalyzer *analyzer)
{
  GstGlesCompactElement *self = GST_GLES_COMPACT_ELEMENT (analyzer);

  return gst_gles_variants_describe_frame_compact (self->comparison->plan, &self->call);
}

static void
gst_gles_compact_element_class_init (GstGlesCompactElementClass *klass)
{
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);
  GstGlesPictureAnalyzerClass *picture_class = GST_GLES_PICTURE_ANALYZER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (
      gst_gles_compact_element_debug, "glescompact", 0, "Points of video frames");

  GST_GLES_ANALYZER_SETTINGS (analyzer_class, GstGlesCompactElement);
  compact_settings_install (analyzer_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "OpenGL ES compaction",
      "Filter/Analyzer/Video",
      "Lists the pixels of video frames that pass a predicate with OpenGL ES compute shaders, "
      "headlessly, and attaches them as metadata",
      "The gst-gles-compute developers");

  GST_BASE_TRANSFORM_CLASS (klass)->query = gst_gles_compact_element_query;
  picture_class->prepare = gst_gles_compact_element_prepare;
  picture_class->components = gst_gles_compact_element_components;
  picture_class->fits = gst_gles_compact_element_fits;
  picture_class->n_reads = gst_gles_compact_element_n_reads;
  picture_class->analyze = gst_gles_compact_element_analyze;
  picture_class->expect = gst_gles_compact_element_expect;
  analyzer_class->makes = RESULTS_POINTS;
  analyzer_class->is_large = TRUE;
  analyzer_class->compared = "the points with those that native code lists in the same frame";
  analyzer_class->read_words = gst_gles_compact_element_read_words;
  analyzer_class->restore = gst_gles_compact_element_restore;
  analyzer_class->describe_plan = gst_gles_compact_element_describe_plan;
  analyzer_class->attach = gst_gles_compact_element_attach;
  analyzer_class->wait = (ResultsWaitFunc) gst_gles_points_result_wait;
  analyzer_class->take_readback_bytes = gst_gles_compact_element_take_readback_bytes;
  analyzer_class->describe = compact_message_describe;
  analyzer_class->reset = gst_gles_compact_element_reset;
  analyzer_class->drop_plan = gst_gles_compact_element_drop_plan;
}

static void
gst_gles_compact_element_init (GstGlesCompactElement *self)
{
  self->comparison = self->comparisons;
  self->expected = GST_CLOCK_TIME_NONE;
}
