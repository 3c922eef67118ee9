/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two dispatches: the first one compares all pixels, the second one replaces samples, which depends
 * on the values of neighbours and on how many there are. The planes of a state, a Head in
 * front of those of native code, and counts behind those on a device are one
 * allocation. */
#include "config.h"

#include <string.h>

#include <glsl/frame/frame-samples-layout.h>

#include <gst/gles/algo/frame/frame-samples-private.h>
#include <gst/gles/algo/frame/pixels.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame/frame-samples.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 64

/* Words or blocks per invocation. llvmpipe runs the loop of an invocation at most 65535 times, and
 * the first frame takes 128 rounds for a block. */
#define EACH_SOFTWARE 64
#define EACH 2

/* Bytes in front of a native state, and of counts behind one on a device. */
#define HEAD 96

G_STATIC_ASSERT (HEAD >= 2 * 4 * GST_GLES_FRAME_SAMPLES_WORDS);

/* In front of a native state, which begins with zeros. */
typedef struct {
  guint32 frame, n_learnt; /* of GstGlesCpuFrameSamplesCall */
} Head;

struct _GstGlesFrameSamples {
  GstGlesFramePlan plan; /* buffers: the state, alone */
  GstGlesFramePixels pixels;
  gsize stride, plane;  /* bytes */
  GstGlesImage picture; /* of values, in a buffer */
  GstGlesProgram *compare, *update;
};

/* ---- plans ---- */

static void
describe_picture (GstGlesFrameSamples *samples)
{
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (&samples->pixels);

  samples->stride = gst_gles_cpu_frame_samples_stride (c->width);
  samples->plane = samples->stride * c->height;
  samples->plan.host_bytes = HEAD + GST_GLES_FRAME_SAMPLES_PLANES * samples->plane;
  samples->picture = (GstGlesImage){ .width = samples->plan.format.width,
    .height = samples->plan.format.height,
    .n_components = 1,
    .components = { { .offset = (guint32) (GST_GLES_FRAME_SAMPLES_VALUES * samples->plane),
        .stride = (guint32) samples->stride,
        .step = 1,
        .word_bytes = 1,
        .depth = 8,
        .sub_x = c->sub_x,
        .sub_y = c->sub_y,
        .width = c->width,
        .height = c->height } },
    .names = { "Y" },
    .luma = GST_GLES_LUMA_STORED,
    .luma_depth = 8 };
}

static void
make_compare_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "frame-samples_compare",
    .local_size = { INVOCATIONS, 1, 1 },
    .shared_bytes = 4 * GST_GLES_FRAME_SAMPLES_COUNTS,
    .n_storage = 2 };
}

static void
make_update_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "frame-samples_update", .local_size = { INVOCATIONS, 1, 1 }, .n_storage = 1
  };
}

void
gst_gles_frame_samples_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  make_compare_spec (&spec);
  gst_gles_frame_pixels_specialisations (&spec, func, user_data);
  make_update_spec (&spec);
  func (&spec, user_data);
}

/* A pixel that stays another one needs two samples, each of which a frame replaces in one pixel of
 * a block. Returns the chance of that in 65536. */
static guint
chance_of (guint adaptation)
{
  return MIN (2 * GST_GLES_FRAME_SAMPLES_BLOCK * 65536u / MAX (adaptation, 1), 65536);
}

/* Queues both kernels over @image, or without work. */
static gboolean
dispatch (GstGlesFrameSamples *samples, GstGlesBuffer *image, gboolean works,
    const GstGlesFrameSamplesCall *call, GError **error)
{
  GstGlesDevice *device = samples->plan.device;
  const gsize image_bytes = gst_gles_frame_used_end (&samples->pixels.used, image);
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (&samples->pixels);
  const guint row_blocks = (guint) gst_gles_div_ceil (c->width, GST_GLES_FRAME_SAMPLES_BLOCK);
  const guint n[] = { (guint) (samples->plane / 4), row_blocks * c->height };
  GstGlesProgram *const programs[] = { samples->compare, samples->update };
  const GstGlesBinding state = { samples->plan.kept.buffers[0], 0, 0, GST_GLES_READ_WRITE };
  const GstGlesBinding bindings[2][2] = { { { image, 0, image_bytes, GST_GLES_READ }, state },
    { state } };
  GstGlesFramePixelsParams params;

  gst_gles_frame_pixels_describe (&samples->pixels, image_bytes, &params);
  params.pass.row_words = (guint32) (samples->stride / 4);
  params.pass.plane_words = (guint32) (samples->plane / 4);
  params.pass.frame = samples->plan.kept.frames;
  params.pass.radius = call->radius;
  params.pass.chance = chance_of (call->adaptation);
  for (guint i = 0; i < 2; i++) {
    const guint groups[3] = {
      gst_gles_frame_n_groups (device, n[i], INVOCATIONS, EACH, EACH_SOFTWARE), 1, 1
    };

    params.pass.n = works ? n[i] : 0;
    if (!gst_gles_queue_dispatch (samples->plan.queue,
            &(GstGlesDispatch){ programs[i], bindings[i], 2 - i, &params,
                i == 0 ? sizeof (params) : sizeof (params.pass), GST_GLES_DISPATCH_NONE },
            groups, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
warm_up (gpointer samples, GstGlesBuffer *nothing, GError **error)
{
  const GstGlesFrameSamplesCall call = { 0, 1 };

  return dispatch (samples, nothing, FALSE, &call, error);
}

static gboolean
init_gl (GstGlesFrameSamples *samples, GError **error)
{
  const gsize bytes = samples->plan.host_bytes;
  const guint64 limit = gst_gles_device_get_limits (samples->plan.device)->storage_block_bytes;
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  if (bytes > limit) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "the samples of %u x %u pixels take %" G_GSIZE_FORMAT
        " bytes, more than a storage block of %" G_GUINT64_FORMAT
        "; use reference=background or the cpu device",
        samples->picture.components[0].width, samples->picture.components[0].height, bytes, limit);
    return FALSE;
  }
  make_compare_spec (&spec);
  gst_gles_frame_pixels_specialise (&samples->pixels, &spec);
  gst_gles_program_list_add (&list, &spec, &samples->compare);
  make_update_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &samples->update);
  if (!gst_gles_program_list_get (&list, samples->plan.queue, error))
    return FALSE;
  samples->plan.kept.buffers[0] = gst_gles_buffer_new (samples->plan.device, bytes, error);
  return samples->plan.kept.buffers[0] != NULL &&
      gst_gles_frame_warm_up (samples->plan.queue, warm_up, samples, error);
}

GstGlesFrameSamples *
gst_gles_frame_samples_new (
    GstGlesQueue *queue, const GstGlesImage *format, gint channel, GError **error)
{
  g_autoptr (GstGlesFrameSamples) samples = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL, NULL);
  g_return_val_if_fail (channel < (gint) format->n_components, NULL);
  samples = g_new0 (GstGlesFrameSamples, 1);
  gst_gles_frame_plan_init (&samples->plan, queue, format);
  gst_gles_frame_pixels_init (&samples->pixels, &samples->plan, channel);
  describe_picture (samples);
  return gst_gles_frame_plan_is_cpu (&samples->plan) || init_gl (samples, error)
      ? g_steal_pointer (&samples)
      : NULL;
}

void
gst_gles_frame_samples_unref (GstGlesFrameSamples *samples)
{
  if (samples == NULL)
    return;
  gst_gles_program_unref (samples->compare);
  gst_gles_program_unref (samples->update);
  gst_gles_frame_plan_clear (&samples->plan);
  g_free (samples);
}

void
gst_gles_frame_samples_get_picture (
    const GstGlesFrameSamples *samples, const GstGlesImage *image, GstGlesImage *picture)
{
  *picture = gst_gles_frame_with_crop (&samples->picture, image);
}

/* ---- runs ---- */

gboolean
gst_gles_frame_samples_run_native (GstGlesFrameSamples *samples, const GstGlesFrameNative *native,
    const GstGlesFrameSamplesCall *call, GstGlesImage *picture, GError **error)
{
  guint8 **kept = native->kept;
  GstGlesCpuFrameSamplesCall native_call = { .channel = gst_gles_frame_channel_samples (
                                                 &samples->pixels.channel, native->image),
    .radius = call->radius,
    .chance = chance_of (call->adaptation) };
  Head *head;

  if (!gst_gles_frame_make_kept (kept, samples->plan.host_bytes, error))
    return FALSE;
  head = (gpointer) *kept;
  native_call.frame = head->frame++;
  native_call.n_learnt = &head->n_learnt;
  if (!gst_gles_cpu_frame_samples_run (&native_call, *kept + HEAD)) {
    g_clear_pointer (kept, g_free);
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate memory to compare a frame with the samples of its background");
    return FALSE;
  }
  gst_gles_frame_samples_get_picture (samples, native->image, picture);
  picture->planes[0] = *kept + HEAD;
  return TRUE;
}

gboolean
gst_gles_frame_samples_run (GstGlesFrameSamples *samples, const GstGlesImage *image,
    const GstGlesFrameSamplesCall *call, GstGlesImage *picture, GError **error)
{
  GstGlesFrameKept *memory = &samples->plan.kept;
  const GstGlesFrameNative native = { image, &memory->host, NULL };
  gboolean ok;

  /* reads each image as it is laid out */
  if (gst_gles_frame_plan_is_cpu (&samples->plan))
    return gst_gles_frame_samples_run_native (samples, &native, call, picture, error);
  if (!gst_gles_frame_plan_check_image (&samples->plan, image, error) ||
      !gst_gles_queue_begin (samples->plan.queue, error))
    return FALSE;
  ok = dispatch (samples, image->buffer, TRUE, call, error);
  memory->frames = ok ? memory->frames + 1 : 0;
  gst_gles_frame_samples_get_picture (samples, image, picture);
  picture->buffer = memory->buffers[0];
  return gst_gles_queue_end (samples->plan.queue, ok ? error : NULL) && ok;
}
