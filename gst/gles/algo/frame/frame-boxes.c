/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two dispatches: one clears the counters, the other has rows of workgroups for each channel of
 * each box. The boxes of a frame are parameters, so that other boxes need no other program. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-boxes-private.h>
#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame/frame-histogram.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 128
#define SAMPLES_PER_INVOCATION 16
#define MAX_PARTS 64

/* llvmpipe ends the loops of an invocation after 65535 iterations in total. */
#define MAX_ROUNDS 16384

typedef struct {
  GstGlesFrameBoxesShape shape;
  GstGlesComponent components[GST_GLES_MAX_COMPONENTS];
  GstGlesFrameBoxesBox boxes[GST_GLES_FRAME_BOXES_MAX];
} Params;

struct _GstGlesFrameBoxes {
  GstGlesFramePlan plan;
  GstGlesFrameBoxesConfig config;
  gboolean matrix; /* luma is computed */
  guint n_channels;
  GstGlesProgram *program; /* NULL on cpu devices */
  Params params;
};

/* ---- plans ---- */

static void
make_spec (GstGlesProgramSpec *spec)
{
  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-boxes_count";
  spec->local_size[0] = INVOCATIONS;
  spec->n_storage = 2;
}

void
gst_gles_frame_boxes_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  make_spec (&spec);
  func (&spec, user_data);
}

static void
fill_params (GstGlesFrameBoxes *boxes)
{
  const GstGlesImage *format = &boxes->plan.format;
  GstGlesFrameBoxesShape *shape = &boxes->params.shape;

  *shape = (GstGlesFrameBoxesShape){ .n_channels = boxes->n_channels,
    .bins = boxes->config.bins,
    .luma = boxes->matrix,
    .depth = format->luma_depth,
    .scale_to_8 = gst_gles_frame_scales_to_8 (format),
    .kr = format->kr,
    .kg = format->kg,
    .kb = format->kb };
  memcpy (boxes->params.components, format->components, sizeof (format->components));
}

static gboolean
dispatch (GstGlesFrameBoxes *boxes, GstGlesBuffer *image, GstGlesBuffer *counts,
    const guint groups[3], GError **error)
{
  const GstGlesBinding bindings[2] = {
    { image, 0, 0, GST_GLES_READ },
    { counts, 0, 0, GST_GLES_READ_WRITE },
  };

  boxes->params.shape.last_word = gst_gles_frame_last_word_of (image);
  return gst_gles_queue_dispatch (boxes->plan.queue,
      GST_GLES_DISPATCH (boxes->program, bindings, G_N_ELEMENTS (bindings), &boxes->params), groups,
      error);
}

static gboolean
warm_up (gpointer user_data, GstGlesBuffer *nothing, GError **error)
{
  GstGlesFrameBoxes *boxes = user_data;

  boxes->params.shape.task = GST_GLES_FRAME_BOXES_NOTHING;
  return dispatch (boxes, nothing, nothing, (const guint[]){ 1, 1, 1 }, error);
}

static gboolean
build (GstGlesFrameBoxes *boxes, GError **error)
{
  GstGlesProgramSpec spec;

  make_spec (&spec);
  boxes->program = gst_gles_program_get (boxes->plan.queue, &spec, error);
  return boxes->program != NULL &&
      gst_gles_frame_warm_up (boxes->plan.queue, warm_up, boxes, error);
}

GstGlesFrameBoxes *
gst_gles_frame_boxes_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameBoxesConfig *config, GError **error)
{
  g_autoptr (GstGlesFrameBoxes) boxes = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL && config != NULL, NULL);
  if (config->bins < 2 || config->bins > 65536) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "histograms of boxes have 2 to 65536 bins, not %u", config->bins);
    return NULL;
  }
  boxes = g_new0 (GstGlesFrameBoxes, 1);
  gst_gles_frame_plan_init (&boxes->plan, queue, format);
  boxes->config = *config;
  boxes->matrix = config->luma && format->luma == GST_GLES_LUMA_MATRIX;
  boxes->n_channels = config->luma ? 1 : format->n_components;
  fill_params (boxes);
  if (!gst_gles_frame_plan_is_cpu (&boxes->plan) && !build (boxes, error))
    return NULL;
  return g_steal_pointer (&boxes);
}

void
gst_gles_frame_boxes_unref (GstGlesFrameBoxes *boxes)
{
  if (boxes == NULL)
    return;
  gst_gles_program_unref (boxes->program);
  gst_gles_frame_plan_clear (&boxes->plan);
  g_free (boxes);
}

guint64
gst_gles_frame_boxes_n_words (GstGlesFrameBoxes *boxes, guint n)
{
  return (guint64) n * boxes->n_channels * boxes->config.bins;
}

/* ---- boxes ---- */

static gboolean
check_size (GstGlesFrameBoxes *boxes, guint n, GError **error)
{
  if (n <= GST_GLES_FRAME_BOXES_MAX &&
      gst_gles_frame_boxes_n_words (boxes, n) <= GST_GLES_FRAME_BOXES_MAX_COUNTERS)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "%u boxes with %u x %u bins are more than %u boxes or %u counters; leave out boxes, as "
      "box-type does, or channels",
      n, boxes->n_channels, boxes->config.bins, GST_GLES_FRAME_BOXES_MAX,
      GST_GLES_FRAME_BOXES_MAX_COUNTERS);
  return FALSE;
}

/* Returns the part from @start on of @length positions that lies within @size ones. */
static void
clip (gint start, gint length, guint size, guint32 *first, guint32 *end)
{
  *first = (guint32) CLAMP ((gint64) start, 0, (gint64) size);
  *end = (guint32) CLAMP ((gint64) start + MAX (length, 0), (gint64) *first, (gint64) size);
}

static GstGlesFrameBoxesBox
clip_box (const GstGlesFrameBoxes *boxes, const GstGlesFrameBox *rectangle)
{
  GstGlesFrameBoxesBox box;

  clip (rectangle->x, rectangle->width, boxes->plan.format.width, &box.x, &box.right);
  clip (rectangle->y, rectangle->height, boxes->plan.format.height, &box.y, &box.bottom);
  return box;
}

/* ---- native twin ---- */

gboolean
gst_gles_frame_boxes_run_native (GstGlesFrameBoxes *boxes, const GstGlesImage *image,
    const GstGlesFrameBoxList *list, guint32 *counts, GError **error)
{
  if (!check_size (boxes, list->n, error))
    return FALSE;
  for (guint i = 0; i < list->n * boxes->n_channels; i++) {
    const GstGlesFrameBoxesBox box = clip_box (boxes, &list->boxes[i / boxes->n_channels]);
    const GstGlesCpuFrameHistogramShape shape = { box.x, box.y, box.right - box.x,
      box.bottom - box.y, 1, 1, boxes->config.bins };
    guint32 *words = counts + (gsize) i * shape.bins;
    const guint channel = i % boxes->n_channels;
    const GstGlesFrameChannel counted =
        gst_gles_frame_channel (image, boxes->config.luma ? GST_GLES_FRAME_LUMA : (gint) channel);
    const GstGlesCpuChannel samples = gst_gles_frame_channel_samples (&counted, image);

    if (shape.width == 0 || shape.height == 0)
      memset (words, 0, shape.bins * sizeof (guint32));
    else if (!gst_gles_cpu_frame_histogram (&samples, &shape, words, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- device ---- */

/* Sets the boxes of the parameters. Returns the workgroups for a channel of a box. */
static guint
set_boxes (GstGlesFrameBoxes *boxes, const GstGlesFrameBoxList *list)
{
  guint64 most = 0, least, parts;

  for (guint i = 0; i < list->n; i++) {
    const GstGlesFrameBoxesBox box = clip_box (boxes, &list->boxes[i]);

    boxes->params.boxes[i] = box;
    most = MAX (most, (guint64) (box.right - box.x) * (box.bottom - box.y));
  }
  least = gst_gles_div_ceil (most, (guint64) INVOCATIONS * MAX_ROUNDS);
  parts = gst_gles_div_ceil (most, (guint64) INVOCATIONS * SAMPLES_PER_INVOCATION);
  return (guint) MAX (MAX (MIN (parts, MAX_PARTS), least), 1);
}

gboolean
gst_gles_frame_boxes_run (GstGlesFrameBoxes *boxes, const GstGlesImage *image,
    const GstGlesFrameBoxList *list, GstGlesBuffer *counts, GError **error)
{
  const guint n = list->n;
  const guint64 n_words = gst_gles_frame_boxes_n_words (boxes, n);
  guint clearing, parts;
  gboolean ok;

  if (!check_size (boxes, n, error))
    return FALSE;
  if (gst_gles_buffer_get_size (counts) < n_words * sizeof (guint32)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a buffer of %" G_GUINT64_FORMAT " words is needed for the counts of %u boxes", n_words, n);
    return FALSE;
  }
  if (n == 0)
    return TRUE;
  if (boxes->program == NULL)
    return gst_gles_frame_boxes_run_native (
        boxes, image, list, (guint32 *) (gpointer) gst_gles_buffer_peek_memory (counts), error);
  g_return_val_if_fail (image->buffer != NULL, FALSE);
  boxes->params.shape.n_words = (guint32) n_words;
  parts = set_boxes (boxes, list);
  clearing = (guint) gst_gles_div_ceil (n_words, INVOCATIONS * SAMPLES_PER_INVOCATION);
  if (!gst_gles_queue_begin (boxes->plan.queue, error))
    return FALSE;
  boxes->params.shape.task = GST_GLES_FRAME_BOXES_CLEAR;
  ok = dispatch (boxes, image->buffer, counts, (const guint[]){ clearing, 1, 1 }, error);
  boxes->params.shape.task = GST_GLES_FRAME_BOXES_COUNT;
  ok = ok &&
      dispatch (
          boxes, image->buffer, counts, (const guint[]){ parts, n * boxes->n_channels, 1 }, error);
  return gst_gles_queue_end (boxes->plan.queue, ok ? error : NULL) && ok;
}
