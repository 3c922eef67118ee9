/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/algo/frame/frame-reference.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame/frame-background.h>
#include <gst/gles/cpu/frame/frame-compact.h>

/* The least size of the buffers that the points of a frame are written to on a cpu device. */
#define MIN_POOL_BYTES 16384

/* ---- plans ---- */

static gboolean
choose_channel (GstGlesFrameCompact *compact, GError **error)
{
  const GstGlesImage *format = &compact->plan.format;
  const gint channel = compact->config.channel;
  guint components;

  if (channel >= (gint) format->n_components) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "channel %d of a format with %u components; set channel to luma or below %u", channel,
        format->n_components, format->n_components);
    return FALSE;
  }
  if (format->width > 65536 || format->height > 65536) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "a picture of %ux%u; points have 16 bits for each coordinate", format->width,
        format->height);
    return FALSE;
  }
  compact->channel = gst_gles_frame_channel (format, channel);
  compact->components = &format->components[compact->channel.component];
  components = (1u << gst_gles_frame_channel_n_components (&compact->channel)) - 1;
  compact->used = gst_gles_frame_used (format, components << compact->channel.component);
  return TRUE;
}

/* Returns the bytes that native code keeps of a frame. */
static gsize
host_bytes (const GstGlesFrameCompact *compact)
{
  const GstGlesCpuChannel samples =
      gst_gles_frame_channel_samples (&compact->channel, &compact->plan.format);

  return compact->config.background ? gst_gles_cpu_frame_background_bytes (&samples)
                                    : gst_gles_cpu_frame_kept_bytes (&samples);
}

GstGlesFrameCompact *
gst_gles_frame_compact_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameCompactConfig *config, GError **error)
{
  const GstGlesArrayTuning *tuning = gst_gles_array_tuning (queue, gst_gles_frame_compact_tuning);
  g_autoptr (GstGlesFrameCompact) compact = g_new0 (GstGlesFrameCompact, 1);
  guint64 n_samples;
  GstGlesVariant variant;

  compact->config = *config;
  compact->config.background = config->background && config->predicate == GST_GLES_POINTS_MOTION;
  gst_gles_frame_plan_init (&compact->plan, queue, format);
  if (!choose_channel (compact, error) ||
      !gst_gles_variant_from_environment ("GST_GLES_FRAME_COMPACT_VARIANT", &variant, error))
    return NULL;
  n_samples = (guint64) compact->components[0].width * compact->components[0].height;
  if (!gst_gles_array_init (&compact->array, queue,
          &(GstGlesArrayConfig){
              "frame-compact", (guint) MIN (n_samples, G_MAXUINT), tuning, &variant },
          error))
    return NULL;
  compact->plan.host_bytes = host_bytes (compact);
  return g_steal_pointer (&compact);
}

void
gst_gles_frame_compact_unref (GstGlesFrameCompact *compact)
{
  if (compact == NULL)
    return;
  for (GstGlesFrameAccess access = 0; access < GST_GLES_FRAME_N_ACCESSES; access++) {
    for (guint masked = 0; masked < 2; masked++) {
      gst_gles_program_unref (compact->counting[masked][access]);
      gst_gles_program_unref (compact->scatter[masked][access]);
      gst_gles_program_unref (compact->look_back[masked][access]);
    }
  }
  gst_gles_program_unref (compact->update);
  gst_gles_mask_bits_unref (compact->mask);
  gst_gles_buffer_unref (compact->mask_buffer);
  gst_gles_cpu_frame_compact_free (compact->native);
  gst_gles_buffer_pool_free (compact->pool);
  gst_gles_buffer_pool_free (compact->counts_pool);
  gst_gles_array_clear (&compact->array);
  gst_gles_frame_plan_clear (&compact->plan);
  g_free (compact);
}

/* ---- calls ---- */

static void
describe_native (const GstGlesFrameCompact *compact, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesCpuFrameCompactCall *native_call)
{
  const GstGlesComponent *c = compact->components;
  const GstGlesFrameRegion region = { call->x, call->y, call->width, call->height };
  const GstGlesCpuSamples samples = gst_gles_frame_samples_in (c, &region);

  *native_call = (GstGlesCpuFrameCompactCall){
    .channel = gst_gles_frame_channel_samples (&compact->channel, image),
    .predicate = compact->config.predicate,
    .lower = call->lower,
    .upper = call->upper,
    .x = samples.x,
    .y = samples.y,
    .width = samples.width,
    .height = samples.height,
    .visible = gst_gles_frame_visible (c, image),
    .sub_x = c->sub_x,
    .sub_y = c->sub_y,
    .origin_x = image->crop_x,
    .origin_y = image->crop_y,
    .mask = call->mask,
  };
}

guint
gst_gles_frame_compact_capacity (GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call)
{
  GstGlesCpuFrameCompactCall native_call;

  describe_native (compact, &compact->plan.format, call, &native_call);
  return (guint) MIN ((guint64) native_call.width * native_call.height, call->max_points);
}

/* ---- cpu ---- */

/* Describes the reference in @native_call, and allocates it if *@kept is NULL. */
static gboolean
describe_reference (const GstGlesFrameCompact *compact, guint adaptation, guint8 **kept,
    GstGlesCpuFrameCompactCall *native_call, GError **error)
{
  if (native_call->predicate != GST_GLES_POINTS_MOTION)
    return TRUE;
  native_call->background = compact->config.background;
  native_call->weight = gst_gles_frame_reference_weight (adaptation);
  native_call->is_first = *kept == NULL;
  if (!gst_gles_frame_make_kept (kept, compact->plan.host_bytes, error))
    return FALSE;
  native_call->reference = *kept;
  return TRUE;
}

/* Lists the points, which are written later, and replaces the reference. If it fails, there is no
 * reference. */
static gboolean
list_native (GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call,
    const GstGlesFrameNative *native, GstGlesResult *result, GError **error)
{
  GstGlesCpuFrameCompactCall *native_call = &compact->native_call;

  describe_native (compact, native->image, call, native_call);
  if (!describe_reference (compact, call->adaptation, native->kept, native_call, error))
    return FALSE;
  if (compact->native == NULL)
    compact->native = gst_gles_cpu_frame_compact_new ();
  if (!gst_gles_cpu_frame_compact_list (compact->native, native_call, &result->total)) {
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate memory to list the points of a frame");
    g_clear_pointer (native->kept, g_free);
    return FALSE;
  }
  result->count = (guint32) MIN (result->total, call->max_points);
  result->status =
      result->total > call->max_points ? GST_GLES_STATUS_TRUNCATED : GST_GLES_STATUS_OK;
  return TRUE;
}

guint32 *
gst_gles_frame_compact_run_native (GstGlesFrameCompact *compact, const GstGlesFrameNative *native,
    const GstGlesFrameCompactCall *call, GstGlesResult *result, GError **error)
{
  guint32 *points;

  if (!list_native (compact, call, native, result, error))
    return NULL;
  points = g_try_malloc_n (MAX (result->count, 1), 8);
  if (points == NULL)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate memory for %u points", result->count);
  else
    gst_gles_cpu_frame_compact_write (compact->native, points, result->count);
  return points;
}

/* Acquires what the caller has not brought: buffers of @n points and of their number. Storage is
 * reused, because new memory of a frame's points costs a page fault for each page. Native code asks
 * for as many as there are: its pool is replaced if that is more, or less than a quarter. */
static gboolean
acquire_points (GstGlesFrameCompact *compact, guint n, GstGlesFramePoints *points, GError **error)
{
  const gboolean is_cpu = gst_gles_frame_plan_is_cpu (&compact->plan);
  const gsize bytes = 8 * (gsize) MAX (n, 1);
  const gboolean fits = is_cpu ? bytes <= compact->pool_bytes &&
          (bytes >= compact->pool_bytes / 4 || compact->pool_bytes <= MIN_POOL_BYTES)
                               : bytes == compact->pool_bytes;
  GstGlesDevice *device = compact->plan.device;

  if (points->points == NULL && !fits) {
    gst_gles_buffer_pool_free (compact->pool);
    compact->pool_bytes = is_cpu ? MAX (bytes + bytes / 4, MIN_POOL_BYTES) : bytes;
    compact->pool = gst_gles_buffer_pool_new (device, compact->pool_bytes);
  }
  if (compact->counts_pool == NULL)
    compact->counts_pool = gst_gles_buffer_pool_new (device, sizeof (GstGlesResult));
  if (points->points == NULL)
    points->points = gst_gles_buffer_pool_acquire (compact->pool, error);
  if (points->points != NULL && points->counts == NULL)
    points->counts = gst_gles_buffer_pool_acquire (compact->counts_pool, error);
  return points->points != NULL && points->counts != NULL;
}

/* Checks that @n points and their number have room. */
static gboolean
check_points (const GstGlesFramePoints *points, guint n, GError **error)
{
  if (gst_gles_buffer_get_size (points->points) / 8 >= n &&
      gst_gles_buffer_get_size (points->counts) >= sizeof (GstGlesResult))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "buffers for %u points and a result are needed", n);
  return FALSE;
}

/* The host reads the memory that native code writes, without a copy. */
static gboolean
run_cpu (GstGlesFrameCompact *compact, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesFramePoints *points, GError **error)
{
  const GstGlesFrameNative native = { image, &compact->plan.kept.host, NULL };
  GstGlesResult *result = &points->result;
  guint32 *words;

  if (!list_native (compact, call, &native, result, error) ||
      !acquire_points (compact, result->count, points, error) ||
      !check_points (points, result->count, error))
    return FALSE;
  words = gst_gles_array_words (points->points);
  gst_gles_cpu_frame_compact_write (compact->native, words, result->count);
  memcpy (gst_gles_array_words (points->counts), result, sizeof (*result));
  points->bytes = g_bytes_new_with_free_func (words, 8 * (gsize) result->count,
      (GDestroyNotify) gst_gles_buffer_unref, gst_gles_buffer_ref (points->points));
  return TRUE;
}

/* ---- on the device ---- */

static void
fill_params (const GstGlesFrameCompact *compact, const GstGlesCpuFrameCompactCall *native_call,
    GstGlesFrameCompactParams *params)
{
  const GstGlesComponent *c = compact->components;
  guint from = c->offset + native_call->y * c->stride + native_call->x * c->step;

  memset (params, 0, sizeof (*params));
  params->frame = (GstGlesFramePass){
    .width = MAX (native_call->width, 1),
    .x = native_call->x,
    .y = native_call->y,
    .left = native_call->visible.left,
    .top = native_call->visible.top,
    .right = native_call->visible.right,
    .bottom = native_call->visible.bottom,
    .sub_x = native_call->sub_x,
    .sub_y = native_call->sub_y,
    .origin_x = native_call->origin_x,
    .origin_y = native_call->origin_y,
    .base = from,
    .stride = c->stride,
    .last_word = gst_gles_frame_last_word (compact->used.to),
    .row_samples = c->width,
    .mask_words = native_call->mask != NULL ? 2 * native_call->mask->row_words : 0,
    .kr = compact->plan.format.kr,
    .kg = compact->plan.format.kg,
    .kb = compact->plan.format.kb,
    .scale_to_8 = compact->channel.luma && gst_gles_frame_scales_to_8 (&compact->plan.format),
  };
  memcpy (
      params->components, c, gst_gles_frame_channel_n_components (&compact->channel) * sizeof (*c));
}

/* One call. Its points are written in windows, which have half as many points as a window has
 * words. */
typedef struct {
  const GstGlesImage *image;
  const GstGlesFrameCompactCall *call;
  const GstGlesFramePoints *points;
  GstGlesCpuFrameCompactCall native_call;
  guint n;            /* samples */
  guint entries;      /* the largest number of points */
  gboolean look_back; /* FALSE: two passes */
} Run;

/* A window of a call, with the parameters of the next dispatch. */
typedef struct {
  GstGlesFrameAccess access;
  GstGlesWindow window;
  GstGlesFrameCompactParams params;
} Step;

static gboolean
dispatch (GstGlesFrameCompact *compact, GstGlesProgram *const *programs, const Run *run,
    const Step *step, GError **error)
{
  const GstGlesCompactPass *pass = &step->params.pass;
  const GstGlesImage *image = run->image;
  GstGlesArray *array = &compact->array;
  const gsize buffer_bytes = gst_gles_buffer_get_size (run->points->points);
  /* A first frame has no points. A binding of 0 bytes would be the whole buffer, which can exceed
   * a storage block. */
  const gsize size = MIN (8 * (gsize) MAX (pass->out_count, 1), buffer_bytes);
  const GstGlesBinding bindings[] = {
    gst_gles_array_state (array),
    { image->buffer, 0, gst_gles_frame_used_end (&compact->used, image->buffer), GST_GLES_READ },
    { compact->plan.kept.buffers[step->access == GST_GLES_FRAME_ACCESS_AVERAGE], 0, 0,
        GST_GLES_READ },
    { run->points->points, 8 * (gsize) pass->out_first, size, GST_GLES_WRITE },
    { compact->mask_buffer, 0, 0, GST_GLES_READ },
  };

  return gst_gles_queue_dispatch (array->queue,
      GST_GLES_DISPATCH (
          programs[step->access], bindings, run->call->mask != NULL ? 5 : 4, &step->params),
      step->window.groups, error);
}

static void
begin_window (const GstGlesFrameCompact *compact, const GstGlesShape *shape, const Run *run,
    guint index, Step *step)
{
  const GstGlesCount count = GST_GLES_COUNT_HOST (run->n);

  step->window = gst_gles_array_window (&compact->array, shape, &count, run->n, index);
  step->params.pass = (GstGlesCompactPass){
    .array = step->window.pass,
    .lower = run->call->lower,
    /* the kernels replace samples outside of a mask by the largest word */
    .upper = run->call->mask != NULL ? MIN (run->call->upper, G_MAXUINT32 - 1) : run->call->upper,
    .max_count = run->call->max_points,
  };
}

static void
set_out (const Run *run, guint out, guint out_size, GstGlesCompactPass *pass)
{
  pass->out_first = out * out_size;
  pass->out_count = MIN (run->entries - pass->out_first, out_size);
}

static gboolean
run_look_back (GstGlesFrameCompact *compact, const Run *run, GError **error)
{
  GstGlesArray *array = &compact->array;
  Step step;

  fill_params (compact, &run->native_call, &step.params);
  step.access = compact->last_access =
      gst_gles_frame_compact_choose_access (compact, &run->native_call, &step.params);
  if (!gst_gles_frame_compact_get_programs (
          compact, TRUE, run->call->mask != NULL, step.access, error))
    return FALSE;
  for (guint i = 0; i < gst_gles_array_n_windows (array, run->n); i++) {
    begin_window (compact, &array->look_back, run, i, &step);
    set_out (run, 0, run->entries, &step.params.pass);
    if (!gst_gles_array_next_epoch (array, &step.params.pass.look_back, error) ||
        !dispatch (compact, compact->look_back[run->call->mask != NULL], run, &step, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns the number of points per binding of the output. */
static guint
out_size_of (const GstGlesArray *array)
{
  return MAX (array->window_size / 2, 1);
}

static gboolean
run_two_pass (GstGlesFrameCompact *compact, const Run *run, GError **error)
{
  GstGlesArray *array = &compact->array;
  guint out_size = out_size_of (array);
  guint n_out = MAX (gst_gles_div_ceil (run->entries, out_size), 1);
  Step step;

  fill_params (compact, &run->native_call, &step.params);
  step.access = compact->last_access =
      gst_gles_frame_compact_choose_access (compact, &run->native_call, &step.params);
  if (!gst_gles_frame_compact_get_programs (
          compact, FALSE, run->call->mask != NULL, step.access, error))
    return FALSE;
  for (guint i = 0; i < gst_gles_array_n_windows (array, run->n); i++) {
    begin_window (compact, &array->two_pass, run, i, &step);
    set_out (run, 0, out_size, &step.params.pass);
    if (!dispatch (compact, compact->counting[run->call->mask != NULL], run, &step, error))
      return FALSE;
    for (guint out = 0; out < n_out; out++) {
      set_out (run, out, out_size, &step.params.pass);
      if (!dispatch (compact, compact->scatter[run->call->mask != NULL], run, &step, error))
        return FALSE;
    }
  }
  return TRUE;
}

/* Allocates the buffer that motion compares with. */
static gboolean
ensure_previous (GstGlesFrameCompact *compact, GError **error)
{
  GstGlesBuffer **previous = &compact->plan.kept.buffers[0];

  if (compact->config.predicate != GST_GLES_POINTS_MOTION)
    return TRUE;
  if (*previous == NULL)
    *previous = gst_gles_buffer_new (compact->array.device, compact->used.to, error);
  return *previous != NULL && gst_gles_frame_compact_prepare_reference (compact, error);
}

static gboolean
keep_previous (
    GstGlesFrameCompact *compact, const GstGlesImage *image, guint adaptation, GError **error)
{
  gboolean ok;

  if (compact->config.predicate != GST_GLES_POINTS_MOTION)
    return TRUE;
  ok = ensure_previous (compact, error) &&
      gst_gles_frame_compact_update_reference (compact, image, adaptation, error);
  compact->plan.kept.frames = ok;
  return ok;
}

static void
begin_run (const GstGlesFrameCompact *compact, Run *run)
{
  const GstGlesArray *array = &compact->array;

  describe_native (compact, run->image, run->call, &run->native_call);
  run->n = run->native_call.width * run->native_call.height;
  run->entries = MIN (run->n, run->call->max_points);
  run->look_back = array->look_back.invocations != 0 && run->entries <= out_size_of (array);
}

guint
gst_gles_frame_compact_get_n_reads (
    GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call)
{
  const GstGlesArray *array = &compact->array;

  if (compact->config.predicate != GST_GLES_POINTS_THRESHOLD)
    return 2;
  return array->look_back.invocations != 0 ? 1 : 2;
}

/* Brings the mask of a call to the device, if it is another one than that of the call before. */
static gboolean
take_mask (GstGlesFrameCompact *compact, GstGlesMaskBits *mask, GError **error)
{
  GstGlesArray *array = &compact->array;
  gsize bytes;

  if (mask == NULL || mask == compact->mask)
    return TRUE;
  g_clear_pointer (&compact->mask, gst_gles_mask_bits_unref);
  g_clear_pointer (&compact->mask_buffer, gst_gles_buffer_unref);
  bytes = (gsize) mask->row_words * mask->height * sizeof (guint64);
  compact->mask_buffer = gst_gles_buffer_new (array->device, bytes, error);
  if (compact->mask_buffer == NULL ||
      !gst_gles_buffer_upload (compact->mask_buffer, array->queue, 0, mask->bits, bytes, error))
    return FALSE;
  compact->mask = gst_gles_mask_bits_ref (mask);
  return TRUE;
}

/* Must be called inside a submission. */
static gboolean
queue_run (GstGlesFrameCompact *compact, const Run *run, GError **error)
{
  GstGlesBuffer *counts = run->points->counts;
  GstGlesArray *array = &compact->array;

  compact->last_look_back = run->look_back;
  return (run->look_back ? run_look_back (compact, run, error)
                         : run_two_pass (compact, run, error)) &&
      gst_gles_queue_copy (array->queue,
          &(GstGlesCopy){
              .source = array->state, .target = counts, .size_bytes = sizeof (GstGlesResult) },
          error);
}

/* Checks a call and brings to the device what it needs. */
static gboolean
prepare_run (GstGlesFrameCompact *compact, Run *run, GstGlesFramePoints *points, GError **error)
{
  begin_run (compact, run);
  return gst_gles_frame_plan_check_image (&compact->plan, run->image, error) &&
      acquire_points (compact, run->entries, points, error) &&
      check_points (points, run->entries, error) && take_mask (compact, run->call->mask, error);
}

gboolean
gst_gles_frame_compact_run (GstGlesFrameCompact *compact, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesFramePoints *points, GError **error)
{
  GstGlesQueue *queue = compact->plan.queue;
  Run run = { .image = image, .call = call, .points = points };
  gboolean ok;

  if (gst_gles_frame_plan_is_cpu (&compact->plan))
    return run_cpu (compact, image, call, points, error);
  if (!prepare_run (compact, &run, points, error))
    return FALSE;
  /* A first frame has no motion. */
  if (compact->config.predicate == GST_GLES_POINTS_MOTION && compact->plan.kept.frames == 0)
    run.n = run.entries = 0;
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = queue_run (compact, &run, error) && keep_previous (compact, image, call->adaptation, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

typedef struct {
  GstGlesFrameCompact *compact;
  Run *run; /* which is made empty */
} WarmUp;

static gboolean
warm_up (gpointer user_data, GstGlesBuffer *nothing, GError **error)
{
  const WarmUp *warm_up = user_data;
  GstGlesImage image = *warm_up->run->image;

  image.buffer = nothing;
  warm_up->run->image = &image;
  warm_up->run->n = warm_up->run->entries = 0;
  return queue_run (warm_up->compact, warm_up->run, error);
}

gboolean
gst_gles_frame_compact_prepare (GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call,
    GstGlesFramePoints *points, GError **error)
{
  Run run = { .image = &compact->plan.format, .call = call, .points = points };
  WarmUp work = { compact, &run };

  return prepare_run (compact, &run, points, error) && ensure_previous (compact, error) &&
      gst_gles_frame_warm_up (compact->plan.queue, warm_up, &work, error);
}
