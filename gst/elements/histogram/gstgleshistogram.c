/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gleshistogram
 * @title: gleshistogram
 * @short_description: histograms of video frames, as metadata
 *
 * Counts the code values of each frame with OpenGL ES compute shaders (or native code, with the
 * same result bit for bit) and puts them on the frame as #GstGlesHistogramMeta. The picture passes
 * through unchanged.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=3 ! gleshistogram post-messages=true ! fakesink
 * ]|
 */
#include "config.h"

#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/algo/variants.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/meta/histogram-info.h>

#include "../elements.h"
#include "../base/gstglespictureanalyzer.h"
#include "histogram-boxes.h"
#include "histogram-expression.h"
#include "histogram-light.h"
#include "histogram-message.h"
#include "histogram-reference.h"
#include "histogram-settings.h"
#include "../base/validation.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_histogram_element_debug);
#define GST_CAT_DEFAULT gst_gles_histogram_element_debug

#define N_READBACK_SLOTS 4

#define GST_TYPE_GLES_HISTOGRAM_ELEMENT (gst_gles_histogram_element_get_type ())
G_DECLARE_FINAL_TYPE (GstGlesHistogramElement, gst_gles_histogram_element, GST,
    GLES_HISTOGRAM_ELEMENT, GstGlesPictureAnalyzer)

struct _GstGlesHistogramElement {
  GstGlesPictureAnalyzer parent;

  HistogramSettings wanted; /* protected by the object lock */

  /* used on the streaming thread only: */
  HistogramSettings taken; /* for the current frame */
  GstGlesFrameHistogram *plan;
  HistogramBoxes boxes;
  MaskInput mask;
  HistogramExpression expression; /* its plan has the words behind those of the other */
  const gchar *unlit;             /* why there are no light levels, as was warned */
  gboolean is_retagged;           /* the plan is for other tags, but the references stay valid */
  gdouble mad_noise;              /* the noise limit that mad of the references was made for */
  GstGlesFrameHistogramConfig config; /* of the plan */
  GstGlesImage image;                 /* the layout that the plan was made for, without pixels */
  GstGlesBufferPool *pool;
  GstGlesReadbackRing *ring;
  HistogramReference references[GST_GLES_N_FIELDS];
  HistogramReference *reference; /* of the current frame */
  HistogramExtrasConfig extras;  /* whose words counts have behind all others */
  gboolean lacks_previous;       /* the twin does not know the last frame's counts */
};

G_DEFINE_TYPE (GstGlesHistogramElement, gst_gles_histogram_element, GST_TYPE_GLES_PICTURE_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE (
    gleshistogram, "gleshistogram", GST_RANK_NONE, GST_TYPE_GLES_HISTOGRAM_ELEMENT)

/* ---- plan ---- */

/* The size of the counts without the words of extras: a multiple of 16. */
static gsize
plain_bytes (GstGlesHistogramElement *self)
{
  return self->expression.plan != NULL
      ? gst_gles_frame_expression_histogram_get_layout (self->expression.plan)->size_bytes
      : gst_gles_frame_histogram_get_layout (self->plan)->size_bytes;
}

/* The size of the counts. */
static gsize
counts_bytes (GstGlesHistogramElement *self)
{
  return plain_bytes (self) + histogram_extras_bytes (&self->extras);
}

/* The first word of extras. */
static guint
extras_offset (GstGlesHistogramElement *self)
{
  return (guint) (plain_bytes (self) / sizeof (guint32));
}

static void
forget_previous (GstGlesHistogramElement *self)
{
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++)
    histogram_reference_forget (&self->references[i]);
}

static void
drop_values (GstGlesHistogramElement *self)
{
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++)
    histogram_values_clear (&self->references[i].values);
}

static void
drop_mad (GstGlesHistogramElement *self)
{
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++)
    histogram_reference_drop_mad (&self->references[i]);
}

static void
drop_extras (GstGlesHistogramElement *self)
{
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++)
    histogram_extras_drop (self->references[i].extras);
}

static void
gst_gles_histogram_element_reset (GstGlesAnalyzer *analyzer)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);

  if (gst_gles_analyzer_is_retagged (analyzer))
    return;
  forget_previous (self);
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++)
    self->references[i].frame = HISTOGRAM_NO_FRAME;
}

static void
drop_plan (GstGlesHistogramElement *self)
{
  forget_previous (self);
  drop_mad (self);
  drop_extras (self);
  g_clear_pointer (&self->plan, gst_gles_frame_histogram_unref);
  g_clear_pointer (&self->expression.plan, gst_gles_frame_expression_histogram_unref);
  g_clear_pointer (&self->pool, gst_gles_buffer_pool_free);
  g_clear_pointer (&self->ring, gst_gles_readback_ring_free);
}

/* Where a tag of the caps changes, frames go on being compared: the tag may be all that changed. */
static void
gst_gles_histogram_element_drop_plan (GstGlesAnalyzer *analyzer)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);

  self->is_retagged = gst_gles_analyzer_is_retagged (analyzer);
  if (self->is_retagged)
    return;
  drop_plan (self);
  histogram_boxes_drop (&self->boxes);
  mask_input_clear (&self->mask);
  drop_values (self);
  histogram_expression_clear (&self->expression);
}

static gboolean
same_layout (GstGlesHistogramElement *self, GstGlesFrameHistogram *plan,
    GstGlesFrameExpressionHistogram *values)
{
  return self->plan != NULL && (values == NULL) == (self->expression.plan == NULL) &&
      memcmp (gst_gles_frame_histogram_get_layout (plan),
          gst_gles_frame_histogram_get_layout (self->plan),
          sizeof (GstGlesFrameHistogramLayout)) == 0 &&
      (values == NULL ||
          memcmp (gst_gles_frame_expression_histogram_get_layout (values),
              gst_gles_frame_expression_histogram_get_layout (self->expression.plan),
              sizeof (GstGlesFrameExpressionHistogramLayout)) == 0);
}

/* Makes @plan and @values (nullable) the current ones. If their layouts are those of the old plans,
 * the counts of the previous frame stay valid: a moved region or crop does not interrupt the
 * comparison of frames. */
static gboolean
use_plans (GstGlesHistogramElement *self, GstGlesFrameHistogram *plan,
    GstGlesFrameExpressionHistogram *values, GError **error)
{
  GstGlesDevice *device = gst_gles_analyzer_get_device (GST_GLES_ANALYZER (self));
  const gboolean same = same_layout (self, plan, values);

  if (!same)
    drop_plan (self);
  g_clear_pointer (&self->plan, gst_gles_frame_histogram_unref);
  g_clear_pointer (&self->expression.plan, gst_gles_frame_expression_histogram_unref);
  self->plan = plan;
  self->expression.plan = values;
  if (same)
    return TRUE;
  self->pool = gst_gles_buffer_pool_new (device, counts_bytes (self));
  self->ring = gst_gles_readback_ring_new (gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)),
      N_READBACK_SLOTS, counts_bytes (self), error);
  if (self->ring == NULL)
    drop_plan (self);
  return self->ring != NULL;
}

/* Makes or drops the comparison of samples for the current plan and reference. @changed: the plan
 * is new. */
static gboolean
ensure_mad (GstGlesHistogramElement *self, gboolean changed, GError **error)
{
  const GstGlesFrameHistogramConfig *c = &self->config;
  const GstGlesFrameMadConfig wanted = { c->x, c->y, c->width, c->height, c->luma,
    self->taken.mad_noise, c->mask };

  if (changed || self->mad_noise != wanted.noise)
    drop_mad (self);
  self->mad_noise = wanted.noise;
  self->reference->keeps_all = wanted.noise == 0.0;
  if (!c->mad || self->reference->mad != NULL)
    return TRUE;
  self->reference->mad = gst_gles_frame_mad_new (
      gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)), &self->image, &wanted, error);
  return self->reference->mad != NULL;
}

static gboolean
ensure_extras (GstGlesHistogramElement *self, gboolean changed, GError **error)
{
  const GstGlesFrameHistogramConfig *c = &self->config;

  if (changed)
    drop_extras (self);
  return histogram_extras_make (self->reference->extras, &self->extras,
      &(HistogramExtrasInput){ gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self)), &self->image,
          { c->x, c->y, c->width, c->height } },
      error);
}

/* Makes the plans for self->taken, as @config says. */
static gboolean
make_plans (GstGlesHistogramElement *self, const GstGlesImage *image,
    const GstGlesFrameHistogramConfig *config, GError **error)
{
  GstGlesQueue *queue = gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self));
  g_autoptr (GstGlesFrameHistogram) plan =
      gst_gles_frame_histogram_new (queue, image, config, error);
  GstGlesFrameExpressionHistogram *values = NULL;
  gsize bytes;

  if (plan == NULL)
    return FALSE;
  if (self->expression.input.expression != NULL) {
    bytes = gst_gles_frame_histogram_get_layout (plan)->size_bytes;
    values = gst_gles_frame_expression_histogram_new (
        self->reference->values.plan, image, config, (guint) (bytes / 4), error);
    if (values == NULL)
      return FALSE;
  }
  return use_plans (self, g_steal_pointer (&plan), values, error);
}

/* Makes the plan for self->taken and @image, unless the current one fits. */
static gboolean
ensure_plan (GstGlesHistogramElement *self, const GstGlesImage *image, GError **error)
{
  GstGlesQueue *queue = gst_gles_analyzer_get_queue (GST_GLES_ANALYZER (self));
  const HistogramExtrasConfig extras = histogram_extras_place (&self->taken, image);
  GstGlesFrameHistogramConfig config;
  gboolean same_image, same, retagged;

  histogram_light_warn (&self->taken, GST_GLES_PICTURE_ANALYZER (self), &self->unlit);
  if (!histogram_settings_place (&self->taken, image, &config, error) ||
      !gst_gles_analyzer_take_mask (GST_GLES_ANALYZER (self), image, &self->mask, error) ||
      !histogram_boxes_prepare (&self->boxes, &self->taken, image, queue, error) ||
      !histogram_expression_update (
          &self->expression, &self->taken, GST_GLES_PICTURE_ANALYZER (self), image, error))
    return FALSE;
  config.mask = self->mask.bits;
  if (memcmp (&extras, &self->extras, sizeof extras) != 0)
    drop_plan (self);
  self->extras = extras;
  same_image = self->plan != NULL && gst_gles_region_same_image (image, &self->image);
  if (self->expression.is_new || !same_image || self->is_retagged)
    drop_values (self);
  if (self->expression.input.expression != NULL &&
      !histogram_values_init (&self->reference->values, &self->expression, queue, image, error))
    return FALSE;
  same = same_image && !self->expression.is_new &&
      histogram_settings_same_config (&config, &self->config);
  if (same && !self->is_retagged)
    return ensure_mad (self, FALSE, error) && ensure_extras (self, FALSE, error);

  if (config.mask != self->config.mask)
    forget_previous (self);
  if (!make_plans (self, image, &config, error))
    return FALSE;
  self->config = config;
  self->image = *image;
  retagged = self->is_retagged;
  self->is_retagged = FALSE;
  self->expression.is_new = FALSE;
  /* other tags change the luma of RGB, and nothing else that mad compares */
  return ensure_mad (self, !same || (config.luma && image->luma == GST_GLES_LUMA_MATRIX), error) &&
      ensure_extras (self, !same || retagged, error);
}

static gboolean
gst_gles_histogram_element_prepare (
    GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image, GError **error)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);
  GstGlesField last;

  for (guint field = gst_gles_picture_analyzer_get_fields (analyzer, &last); field <= last;
       field++) {
    self->reference = &self->references[field];
    if (!ensure_plan (self, image, error))
      return FALSE;
  }
  return TRUE;
}

static guint
gst_gles_histogram_element_components (GstGlesPictureAnalyzer *analyzer, const GstGlesImage *layout)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);
  const GstGlesFrameExpression *values = self->reference->values.plan;
  const HistogramCounted counted = histogram_light_choose (&self->taken, analyzer);
  guint luma = layout->luma == GST_GLES_LUMA_STORED ? 1u << 0 : 1u << 0 | 1u << 1 | 1u << 2;

  if (self->taken.channels == HISTOGRAM_CHANNELS_NATIVE || self->taken.flash ||
      (counted.text[0] != '\0' && (values == NULL || self->expression.input.text != counted.text)))
    return G_MAXUINT;
  return luma | (values != NULL ? gst_gles_frame_expression_get_components (values) : 0);
}

static gboolean
gst_gles_histogram_element_fits (
    GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image, GError **error)
{
  GstGlesFrameHistogramConfig config;

  return histogram_settings_place (
      &GST_GLES_HISTOGRAM_ELEMENT (analyzer)->taken, image, &config, error);
}

static guint
gst_gles_histogram_element_n_reads (GstGlesPictureAnalyzer *analyzer)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);

  /* Luma is read again for the overview. Samples are read to compare them, and again when they
   * become the reference. */
  return self->plan != NULL ? gst_gles_frame_histogram_get_n_reads (self->plan) + 1 +
          (self->config.mad ? 2 : 0) + (self->extras.wanted[HISTOGRAM_CROP] ? 2 : 0) +
          self->extras.wanted[HISTOGRAM_OUTLIERS] + (self->boxes.plan != NULL)
                            : G_MAXUINT;
}

/* ---- results ---- */

static void
make_info (GstGlesHistogramElement *self, const GstGlesFrame *frame, const GstGlesImage *image,
    GstGlesHistogramInfo *info)
{
  const GstGlesFrameHistogramLayout *layout = gst_gles_frame_histogram_get_layout (self->plan);
  const GstVideoInfo *video = gst_gles_picture_analyzer_get_info (GST_GLES_PICTURE_ANALYZER (self));

  histogram_settings_describe (&self->config, layout, image, info);
  info->frame = frame->info;
  info->frame.width = image->crop_width;
  info->frame.height = image->crop_height;
  info->frame.format = GST_VIDEO_INFO_FORMAT (video);
  histogram_extras_describe (&self->extras, extras_offset (self), info);
  if (self->expression.plan != NULL)
    histogram_expression_describe (&self->expression, &info->channels[info->n_channels++]);
}

static GstMiniObject *
gst_gles_histogram_element_analyze (GstGlesPictureAnalyzer *analyzer, const GstGlesFrame *frame,
    const GstGlesImage *image, GError **error)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);
  GstGlesAnalyzer *base = GST_GLES_ANALYZER (analyzer);
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autoptr (GstGlesReadback) readback = NULL;
  g_auto (GstGlesHistogramBoxes) boxes = { NULL };
  HistogramReference *reference = &self->references[frame->info.field];
  GstGlesHistogramInfo info;
  gboolean waited = FALSE;
  gsize size;

  self->reference = reference;
  if (!ensure_plan (self, image, error) ||
      (frame->repeatable && !histogram_reference_save (reference, error)))
    return NULL;
  counts = gst_gles_buffer_pool_acquire (self->pool, error);
  if (counts == NULL ||
      !gst_gles_frame_histogram_run (self->plan, image, reference->previous, counts, error))
    return NULL;
  if (self->expression.plan != NULL) {
    histogram_values_begin (
        &reference->values, &self->expression, &self->config, frame->info.number);
    if (!histogram_values_run (&reference->values, image, reference->previous, counts, error))
      return NULL;
  }
  if (reference->mad != NULL &&
      !gst_gles_frame_mad_run (reference->mad, image, counts,
          gst_gles_frame_histogram_get_layout (self->plan)->channels[0].mad_offset, error))
    return NULL;
  if (!histogram_extras_run (reference->extras, image, counts, extras_offset (self), error))
    return NULL;
  if (frame->readback) {
    size = counts_bytes (self);
    readback = gst_gles_readback_ring_copy (
        self->ring, &(GstGlesReadbackCopy){ .source = counts, .size_bytes = size }, &waited, error);
    if (readback == NULL)
      return NULL;
    gst_gles_analyzer_count_readback (base, size, waited);
  }
  make_info (self, frame, image, &info);
  if (self->boxes.plan != NULL)
    boxes.boxes = histogram_boxes_take (&self->boxes, base, frame->buffer, image, &info);
  if (info.n_boxes > 0 &&
      (!histogram_boxes_run (&self->boxes, base, image, &boxes, error) ||
          (frame->readback &&
              !histogram_boxes_read_back (&self->boxes, base, &info, &boxes, error))))
    return NULL;
  g_clear_pointer (&reference->previous, gst_gles_buffer_unref);
  reference->previous = gst_gles_buffer_ref (counts);
  reference->before = reference->frame;
  reference->frame = frame->info.number;
  return GST_MINI_OBJECT_CAST (
      gst_gles_histogram_result_new_queued (&info, readback, counts, &boxes));
}

static void
gst_gles_histogram_element_attach (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result)
{
  gst_buffer_add_gles_histogram_meta (buffer, (GstGlesHistogramResult *) result);
}

/* Sets the words of @counts to 0 that the twin does not know because it has not seen the frames
 * before: those were not validated. */
static void
clear_unknown (GstGlesHistogramElement *self, guint32 *counts)
{
  const GstGlesFrameHistogramLayout *layout = gst_gles_frame_histogram_get_layout (self->plan);

  for (guint i = 0; i < layout->n_channels; i++) {
    if (self->lacks_previous)
      memset (counts + layout->channels[i].difference_offset, 0, 3 * sizeof (guint32));
    if (self->reference->lacks_mad)
      memset (
          counts + layout->channels[i].mad_offset, 0, GST_GLES_FRAME_MAD_WORDS * sizeof (guint32));
  }
  histogram_extras_clear_unknown (self->reference->extras, counts + extras_offset (self));
  if (self->expression.plan != NULL) {
    const GstGlesFrameExpressionHistogramLayout *values =
        gst_gles_frame_expression_histogram_get_layout (self->expression.plan);

    if (self->lacks_previous)
      memset (counts + values->difference_offset, 0, 3 * sizeof (guint32));
    if (self->reference->values.is_unknown)
      memset (counts + values->native_offset, 0,
          values->size_bytes - values->native_offset * sizeof (guint32));
  }
}

static guint32 *
new_counts (GstGlesHistogramElement *self, GError **error)
{
  const gsize size = counts_bytes (self);
  guint32 *counts = g_try_malloc0 (size);

  if (counts == NULL)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes to validate a frame", size);
  return counts;
}

static gboolean
gst_gles_histogram_element_read_words (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, ValidationWords *words, GError **error)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);
  g_autoptr (GstGlesBuffer) buffer =
      gst_gles_histogram_result_get_device_buffer ((GstGlesHistogramResult *) object);
  g_autoptr (GstGlesDevice) device = gst_gles_buffer_get_device (buffer);
  const gsize size = counts_bytes (self);
  g_autofree guint32 *counts = new_counts (self, error);

  if (counts == NULL ||
      !gst_gles_buffer_download (
          buffer, gst_gles_device_get_queue (device), 0, counts, size, error))
    return FALSE;
  clear_unknown (self, counts);
  return validation_words_add (
             words, "counters", 1, g_bytes_new_take (g_steal_pointer (&counts), size)) &&
      histogram_boxes_read_words ((GstGlesHistogramResult *) object, words, error);
}

static gboolean
gst_gles_histogram_element_expect (GstGlesPictureAnalyzer *analyzer, const GstGlesFrame *frame,
    const GstGlesImage *image, ValidationWords *expected, GError **error)
{
  GstGlesHistogramElement *self = GST_GLES_HISTOGRAM_ELEMENT (analyzer);
  const gsize size = counts_bytes (self);
  g_autofree guint32 *counts = new_counts (self, error);
  HistogramReference *reference = self->reference;
  const gboolean follows =
      reference->before != HISTOGRAM_NO_FRAME && reference->validate_frame == reference->before;
  guint32 *copy;

  if (counts == NULL)
    return FALSE;
  if (!follows)
    g_clear_pointer (&reference->validate_previous, g_free);
  self->lacks_previous =
      reference->validate_previous == NULL && reference->before != HISTOGRAM_NO_FRAME;
  reference->lacks_mad = FALSE;
  histogram_extras_begin_twins (
      reference->extras, follows, reference->before == HISTOGRAM_NO_FRAME);
  if (self->expression.plan != NULL)
    histogram_values_begin_twin (
        &reference->values, follows, reference->before == HISTOGRAM_NO_FRAME);
  if (!gst_gles_frame_histogram_run_native (
          self->plan, image, reference->validate_previous, counts, error) ||
      (reference->mad != NULL &&
          !histogram_reference_expect_mad (reference, image, follows,
              counts + gst_gles_frame_histogram_get_layout (self->plan)->channels[0].mad_offset,
              error)) ||
      !histogram_extras_expect (reference->extras, image, counts + extras_offset (self), error) ||
      (self->expression.plan != NULL &&
          !histogram_values_expect (
              &reference->values, image, reference->validate_previous, counts, error)))
    return FALSE;
  copy = new_counts (self, error);
  if (copy == NULL)
    return FALSE;
  memcpy (copy, counts, size);
  clear_unknown (self, copy);
  validation_words_add (expected, "counters", 1, g_bytes_new_take (copy, size));
  g_free (reference->validate_previous);
  reference->validate_previous = g_steal_pointer (&counts);
  reference->validate_frame = frame->info.number;
  return histogram_boxes_expect (&self->boxes, image, expected, error);
}

static void
gst_gles_histogram_element_restore (GstGlesAnalyzer *analyzer)
{
  histogram_reference_restore (GST_GLES_HISTOGRAM_ELEMENT (analyzer)->reference);
}

static gchar *
gst_gles_histogram_element_describe_plan (GstGlesAnalyzer *analyzer)
{
  return gst_gles_variants_describe_frame_histogram (GST_GLES_HISTOGRAM_ELEMENT (analyzer)->plan);
}

static void
gst_gles_histogram_element_class_init (GstGlesHistogramElementClass *klass)
{
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);
  GstGlesPictureAnalyzerClass *picture_class = GST_GLES_PICTURE_ANALYZER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (
      gst_gles_histogram_element_debug, "gleshistogram", 0, "Histograms of video frames");

  GST_GLES_ANALYZER_SETTINGS (analyzer_class, GstGlesHistogramElement);
  histogram_settings_install (analyzer_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "OpenGL ES histogram",
      "Filter/Analyzer/Video",
      "Computes histograms and statistics of video frames with OpenGL ES compute shaders, "
      "headlessly, and attaches them as metadata",
      "The gst-gles-compute developers");

  analyzer_class->makes = RESULTS_HISTOGRAM;
  picture_class->prepare = gst_gles_histogram_element_prepare;
  picture_class->components = gst_gles_histogram_element_components;
  picture_class->fits = gst_gles_histogram_element_fits;
  picture_class->n_reads = gst_gles_histogram_element_n_reads;
  picture_class->analyze = gst_gles_histogram_element_analyze;
  picture_class->expect = gst_gles_histogram_element_expect;
  analyzer_class->compared = "the counters with those that native code counts in the same frame";
  analyzer_class->read_words = gst_gles_histogram_element_read_words;
  analyzer_class->restore = gst_gles_histogram_element_restore;
  analyzer_class->describe_plan = gst_gles_histogram_element_describe_plan;
  analyzer_class->attach = gst_gles_histogram_element_attach;
  analyzer_class->wait = (ResultsWaitFunc) gst_gles_histogram_result_wait;
  analyzer_class->describe = histogram_message_describe;
  analyzer_class->reset = gst_gles_histogram_element_reset;
  analyzer_class->drop_plan = gst_gles_histogram_element_drop_plan;
}

static void
gst_gles_histogram_element_init (GstGlesHistogramElement *self)
{
  self->reference = self->references;
}
