/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One dispatch. The picture that is visited is described as an image of its own, of every n-th
 * column and row, whose values an expression gives: native code calculates them as those of
 * points, and the kernel includes the code of the expression. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/algo/frame/frame-flash-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame/frame-flash.h>
#include <gst/gles/expression/glsl.h>
#include <gst/gles/gl/submission.h>

#define VALUES "lum << 16 | red"

#define INVOCATIONS 128

/* Samples of an invocation. */
#define EACH 4
#define EACH_SOFTWARE 64

/* Components of all formats have a sample at multiples of it. */
#define ALIGNMENT 4

struct _GstGlesFrameFlash {
  GstGlesFramePlan plan; /* of images; buffers[0]: what the kernel keeps */
  GstGlesFrameRegion region;
  GstGlesImage visited; /* the layout of what is visited */
  GstGlesFrameExpression *values;
  GstGlesProgram *program; /* on a device with GL */
};

/* ---- what is visited ---- */

static guint
n_visited (guint size, guint step_log2)
{
  return ((size - 1) >> step_log2) + 1;
}

static void
visit (GstGlesComponent *c, guint x, guint y, guint step_log2, const GstGlesImage *visited)
{
  const guint sub_x = MIN (c->sub_x, step_log2), sub_y = MIN (c->sub_y, step_log2);

  c->offset += (y >> c->sub_y) * c->stride + (x >> c->sub_x) * c->step;
  c->step <<= step_log2 - sub_x;
  c->stride <<= step_log2 - sub_y;
  c->sub_x -= sub_x;
  c->sub_y -= sub_y;
  c->width = n_visited (visited->width, c->sub_x);
  c->height = n_visited (visited->height, c->sub_y);
}

static void
describe_visited (
    const GstGlesImage *format, const GstGlesFrameRegion *region, GstGlesImage *visited)
{
  const guint x = region->x & ~(ALIGNMENT - 1u), y = region->y & ~(ALIGNMENT - 1u);
  const guint width = region->x + region->width - x, height = region->y + region->height - y;
  guint step = 0;

  while ((guint64) n_visited (width, step) * n_visited (height, step) >
      GST_GLES_FRAME_FLASH_MAX_SAMPLES)
    step++;
  *visited = *format;
  visited->width = visited->crop_width = n_visited (width, step);
  visited->height = visited->crop_height = n_visited (height, step);
  visited->crop_x = visited->crop_y = 0;
  for (guint i = 0; i < format->n_components; i++)
    visit (&visited->components[i], x, y, step, visited);
}

static guint
n_samples (const GstGlesFrameFlash *flash)
{
  return flash->visited.width * flash->visited.height;
}

/* ---- plans ---- */

static GstGlesFrameExpressionConfig
make_config (GstGlesExpression *expression)
{
  return (GstGlesFrameExpressionConfig){ .expression = expression, .predicate = TRUE };
}

/* @code: of the expression. */
static void
make_spec (const GstGlesFrameFormula *formula, const gchar *code, GstGlesProgramSpec *spec)
{
  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-flash_compare";
  spec->local_size[0] = INVOCATIONS;
  spec->shared_bytes = 16;
  spec->n_storage = 3;
  spec->code = code;
  spec->defines[0] = (GstGlesDefine){ "TABLE", 0 };
  spec->defines[1] = (GstGlesDefine){ "REFERENCE", 0 };
  spec->defines[2] = (GstGlesDefine){ "DEGREES", 0 };
  spec->defines[3] =
      (GstGlesDefine){ "LINEAR", gst_gles_graph_has (formula->graph, GST_GLES_OPERATION_LINEAR) };
}

void
gst_gles_frame_flash_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  g_autoptr (GstGlesExpression) expression = gst_gles_expression_new (VALUES, NULL);
  const GstGlesFrameExpressionConfig config = make_config (expression);
  GstGlesFrameExpression example;

  if (gst_gles_frame_expression_init_example (&example, &config)) {
    g_autofree gchar *code =
        gst_gles_frame_formula_write_code (&example.value, &example.plan.format, 0, 0, FALSE);
    GstGlesProgramSpec spec;

    make_spec (&example.value, code, &spec);
    func (&spec, user_data);
  }
  gst_gles_frame_expression_clear_example (&example);
}

static gboolean
dispatch (GstGlesFrameFlash *flash, const GstGlesBinding bindings[3],
    const GstGlesFrameExpressionParams *params, GError **error)
{
  const guint n = gst_gles_frame_n_groups (
      flash->plan.device, n_samples (flash), INVOCATIONS, EACH, EACH_SOFTWARE);
  const guint groups[3] = { n, 1, 1 };

  return gst_gles_queue_dispatch (
      flash->plan.queue, GST_GLES_DISPATCH (flash->program, bindings, 3, params), groups, error);
}

static gboolean
warm_up (gpointer user_data, GstGlesBuffer *nothing, GError **error)
{
  const GstGlesBinding bindings[3] = { { nothing, 0, 0, GST_GLES_WRITE },
    { nothing, 0, 0, GST_GLES_READ }, { nothing, 0, 0, GST_GLES_READ_WRITE } };
  const GstGlesFrameExpressionParams params = { 0 };

  return dispatch (user_data, bindings, &params, error);
}

static gboolean
build (GstGlesFrameFlash *flash, GError **error)
{
  const gsize bytes = (GST_GLES_FRAME_FLASH_KEPT + (gsize) n_samples (flash)) * sizeof (guint32);
  g_autofree gchar *code =
      gst_gles_frame_formula_write_code (&flash->values->value, &flash->visited, 0, 0, FALSE);
  GstGlesProgramSpec spec;

  flash->plan.kept.buffers[0] = gst_gles_buffer_new (flash->plan.device, bytes, error);
  if (flash->plan.kept.buffers[0] == NULL)
    return FALSE;
  make_spec (&flash->values->value, code, &spec);
  flash->program = gst_gles_program_get (flash->plan.queue, &spec, error);
  return flash->program != NULL &&
      gst_gles_frame_warm_up (flash->plan.queue, warm_up, flash, error);
}

GstGlesFrameFlash *
gst_gles_frame_flash_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameRegion *region, GError **error)
{
  g_autoptr (GstGlesExpression) expression = gst_gles_expression_new (VALUES, NULL);
  const GstGlesFrameExpressionConfig config = make_config (expression);
  g_autoptr (GstGlesFrameFlash) flash = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL, NULL);
  g_return_val_if_fail (region->width > 0 && region->height > 0, NULL);

  flash = g_new0 (GstGlesFrameFlash, 1);
  gst_gles_frame_plan_init (&flash->plan, queue, format);
  flash->region = *region;
  describe_visited (format, region, &flash->visited);
  flash->values = gst_gles_frame_expression_new (queue, &flash->visited, &config, error);
  if (flash->values == NULL)
    return NULL;
  flash->plan.host_bytes = GST_GLES_CPU_FRAME_FLASH_BYTES (n_samples (flash));
  if (!gst_gles_frame_plan_is_cpu (&flash->plan) && !build (flash, error))
    return NULL;
  return g_steal_pointer (&flash);
}

void
gst_gles_frame_flash_unref (GstGlesFrameFlash *flash)
{
  if (flash == NULL)
    return;
  gst_gles_program_unref (flash->program);
  gst_gles_frame_expression_unref (flash->values);
  gst_gles_frame_plan_clear (&flash->plan);
  g_free (flash);
}

/* ---- runs ---- */

gboolean
gst_gles_frame_flash_run_native (GstGlesFrameFlash *flash, const GstGlesImage *image, guint8 **kept,
    guint32 *row, GError **error)
{
  const guint n = n_samples (flash);
  const GstGlesFrameExpressionCall call = { .width = flash->visited.width,
    .height = flash->visited.height };
  const gboolean is_first = *kept == NULL;
  GstGlesImage visited;
  GstGlesFrameNative native = { .image = &visited, .kept = &(guint8 *){ NULL } };
  guint32 *words;

  if (!gst_gles_frame_make_kept (kept, GST_GLES_CPU_FRAME_FLASH_BYTES (n), error))
    return FALSE;
  describe_visited (image, &flash->region, &visited); /* its planes may lie otherwise */
  words = (guint32 *) (gpointer) *kept;
  if (!gst_gles_frame_expression_write_words_native (
          flash->values, &native, &call, words + n, error))
    return FALSE;
  gst_gles_cpu_frame_flash (words, n, !is_first, row);
  return TRUE;
}

gboolean
gst_gles_frame_flash_run (GstGlesFrameFlash *flash, const GstGlesImage *image,
    GstGlesBuffer *counts, guint offset, GError **error)
{
  GstGlesFrameExpressionParams params = { 0 };
  gboolean ok;

  if (flash->program == NULL)
    return gst_gles_frame_flash_run_native (flash, image, &flash->plan.kept.host,
        (guint32 *) (gpointer) gst_gles_buffer_peek_memory (counts) + offset, error);
  g_return_val_if_fail (image->buffer != NULL, FALSE);
  if (!gst_gles_frame_plan_check_image (&flash->plan, image, error) ||
      !gst_gles_queue_begin (flash->plan.queue, error))
    return FALSE;
  params.pass = (GstGlesFrameExpressionPass){ .n = n_samples (flash),
    .row_groups = flash->visited.width,
    .last_word = gst_gles_frame_last_word_of (image->buffer),
    .previous = flash->plan.kept.frames > 0,
    .out_word = offset };
  memcpy (params.components, flash->visited.components, sizeof (params.components));
  ok = dispatch (flash,
      (const GstGlesBinding[3]){ { counts, 0, 0, GST_GLES_WRITE },
          { image->buffer, 0, 0, GST_GLES_READ },
          { flash->plan.kept.buffers[0], 0, 0, GST_GLES_READ_WRITE } },
      &params, error);
  ok = gst_gles_queue_end (flash->plan.queue, ok ? error : NULL) && ok;
  flash->plan.kept.frames = ok;
  return ok;
}
