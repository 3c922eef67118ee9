/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two dispatches: the first one compares all pixels, the second one replaces samples, which depends
 * on the values of neighbours and on how many there are. The planes of a state, the number of
 * frames in front of those of native code, and counts behind those on a device are one
 * allocation. */
#include "config.h"

#include <string.h>

#include <glsl/frame/frame-samples-layout.h>

#include <gst/gles/algo/frame/frame-pixels.h>
#include <gst/gles/algo/frame/frame-samples-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame-samples.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 64

/* Words or blocks per invocation. llvmpipe runs the loop of an invocation at most 65535 times, and
 * the first frame takes 128 rounds for a block. */
#define EACH_SOFTWARE 64
#define EACH 2

/* Bytes in front of a native state, and of counts behind one on a device. */
#define HEAD 96

G_STATIC_ASSERT (HEAD >= 2 * 4 * GST_GLES_FRAME_SAMPLES_COUNTS);

struct _GstGlesFrameSamples {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  GstGlesFramePixels pixels;
  gsize stride, plane;  /* bytes */
  GstGlesImage picture; /* of values, in a buffer */

  guint8 *kept, *saved_kept; /* cpu devices; nullable */

  GstGlesProgram *compare, *update;
  GstGlesBuffer *state, *saved_state;
  guint frames, saved_frames;
};

/* ---- plans ---- */

static gboolean
is_cpu (const GstGlesFrameSamples *samples)
{
  return gst_gles_device_get_kind (samples->device) == GST_GLES_DEVICE_CPU;
}

static gsize
state_bytes (const GstGlesFrameSamples *samples)
{
  return HEAD + GST_GLES_FRAME_SAMPLES_PLANES * samples->plane;
}

static void
describe_picture (GstGlesFrameSamples *samples)
{
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (&samples->pixels);

  samples->stride = gst_gles_cpu_frame_samples_stride (c->width);
  samples->plane = samples->stride * c->height;
  samples->picture = (GstGlesImage){ .width = samples->pixels.format.width,
    .height = samples->pixels.format.height,
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
make_spec (gboolean bytes, gboolean luma, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "frame-samples_compare",
    .local_size = { INVOCATIONS, 1, 1 },
    .shared_bytes = 4 * GST_GLES_FRAME_SAMPLES_COUNTS,
    .n_storage = 2,
    .defines = { { "BYTES", bytes }, { "LUMA", luma } } };
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

  for (guint i = 0; i < 3; i++) {
    make_spec (i == 1, i == 2, &spec);
    func (&spec, user_data);
  }
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
  const gboolean software = gst_gles_device_get_kind (samples->device) == GST_GLES_DEVICE_SOFTWARE;
  const guint limit = gst_gles_device_get_limits (samples->device)->groups[0];
  const gsize each = INVOCATIONS * (software ? EACH_SOFTWARE : EACH);
  const gsize image_bytes = gst_gles_frame_pixels_bound_bytes (&samples->pixels, image);
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (&samples->pixels);
  const guint row_blocks = (guint) gst_gles_div_ceil (c->width, GST_GLES_FRAME_SAMPLES_BLOCK);
  const guint n[] = { (guint) (samples->plane / 4), row_blocks * c->height };
  GstGlesProgram *const programs[] = { samples->compare, samples->update };
  const GstGlesBinding state = { samples->state, 0, 0, GST_GLES_READ_WRITE };
  const GstGlesBinding bindings[2][2] = { { { image, 0, image_bytes, GST_GLES_READ }, state },
    { state } };
  GstGlesFramePixelsParams params;

  gst_gles_frame_pixels_describe (&samples->pixels, image_bytes, &params);
  params.pass.row_words = (guint32) (samples->stride / 4);
  params.pass.plane_words = (guint32) (samples->plane / 4);
  params.pass.frame = samples->frames;
  params.pass.radius = call->radius;
  params.pass.chance = chance_of (call->adaptation);
  for (guint i = 0; i < 2; i++) {
    const guint groups[3] = { (guint) CLAMP (gst_gles_div_ceil (n[i], each), 1, limit), 1, 1 };

    params.pass.n = works ? n[i] : 0;
    if (!gst_gles_queue_dispatch (samples->queue, programs[i], bindings[i], 2 - i, &params,
            i == 0 ? sizeof (params) : sizeof (params.pass), groups, GST_GLES_DISPATCH_NONE, error))
      return FALSE;
  }
  return TRUE;
}

/* Dispatches the kernels without work, because llvmpipe generates machine code at the first
 * dispatch and no frame should wait for that. */
static gboolean
warm_up (GstGlesFrameSamples *samples, GError **error)
{
  const GstGlesFrameSamplesCall call = { 0, 1 };
  g_autoptr (GstGlesBuffer) nothing =
      gst_gles_buffer_new (samples->device, GST_GLES_WARM_UP_BYTES, error);
  gboolean ok;

  if (nothing == NULL || !gst_gles_queue_begin (samples->queue, error))
    return FALSE;
  ok = dispatch (samples, nothing, FALSE, &call, error);
  return gst_gles_queue_end (samples->queue, ok ? error : NULL) && ok;
}

static gboolean
init_gl (GstGlesFrameSamples *samples, GError **error)
{
  const gsize bytes = state_bytes (samples);
  const guint64 limit = gst_gles_device_get_limits (samples->device)->storage_block_bytes;
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;
  gboolean is_bytes, luma;

  if (bytes > limit) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "the samples of %u x %u pixels take %" G_GSIZE_FORMAT
        " bytes, more than a storage block of %" G_GUINT64_FORMAT
        "; use reference=background or the cpu device",
        samples->picture.components[0].width, samples->picture.components[0].height, bytes, limit);
    return FALSE;
  }
  gst_gles_frame_pixels_define (&samples->pixels, &is_bytes, &luma);
  make_spec (is_bytes, luma, &spec);
  gst_gles_program_list_add (&list, &spec, &samples->compare);
  make_update_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &samples->update);
  if (!gst_gles_program_list_get (&list, samples->queue, error))
    return FALSE;
  samples->state = gst_gles_buffer_new (samples->device, bytes, error);
  return samples->state != NULL && warm_up (samples, error);
}

GstGlesFrameSamples *
gst_gles_frame_samples_new (
    GstGlesQueue *queue, const GstGlesImage *format, gint channel, GError **error)
{
  g_autoptr (GstGlesFrameSamples) samples = g_new0 (GstGlesFrameSamples, 1);

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL, NULL);
  g_return_val_if_fail (channel < (gint) format->n_components, NULL);
  samples->queue = gst_object_ref (queue);
  samples->device = gst_gles_queue_get_device (queue);
  gst_gles_frame_pixels_init (&samples->pixels, format, channel);
  describe_picture (samples);
  return is_cpu (samples) || init_gl (samples, error) ? g_steal_pointer (&samples) : NULL;
}

void
gst_gles_frame_samples_unref (GstGlesFrameSamples *samples)
{
  if (samples == NULL)
    return;
  g_free (samples->kept);
  g_free (samples->saved_kept);
  gst_gles_program_unref (samples->compare);
  gst_gles_program_unref (samples->update);
  gst_gles_buffer_unref (samples->state);
  gst_gles_buffer_unref (samples->saved_state);
  gst_object_unref (samples->device);
  gst_object_unref (samples->queue);
  g_free (samples);
}

void
gst_gles_frame_samples_get_picture (
    const GstGlesFrameSamples *samples, const GstGlesImage *image, GstGlesImage *picture)
{
  *picture = samples->picture;
  picture->crop_x = image->crop_x;
  picture->crop_y = image->crop_y;
  picture->crop_width = image->crop_width;
  picture->crop_height = image->crop_height;
}

/* ---- runs ---- */

gboolean
gst_gles_frame_samples_run_native (GstGlesFrameSamples *samples, const GstGlesImage *image,
    const GstGlesFrameSamplesCall *call, guint8 **kept, GstGlesImage *picture, GError **error)
{
  const GstGlesCpuFrameSamplesCall native = { .channel = gst_gles_frame_pixels_channel (
                                                  &samples->pixels, image),
    .radius = call->radius,
    .chance = chance_of (call->adaptation),
    .frame = *kept != NULL ? *(guint32 *) (gpointer) *kept : 0 };
  const gsize bytes = state_bytes (samples);

  if (*kept == NULL)
    *kept = g_try_malloc0 (bytes);
  if (*kept == NULL || !gst_gles_cpu_frame_samples_run (&native, *kept + HEAD)) {
    g_clear_pointer (kept, g_free);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes for the samples of a background", bytes);
    return FALSE;
  }
  *(guint32 *) (gpointer) *kept = native.frame + 1;
  gst_gles_frame_samples_get_picture (samples, image, picture);
  picture->planes[0] = *kept + HEAD;
  return TRUE;
}

gboolean
gst_gles_frame_samples_run (GstGlesFrameSamples *samples, const GstGlesImage *image,
    const GstGlesFrameSamplesCall *call, GstGlesImage *picture, GError **error)
{
  gboolean ok;

  /* reads each image as it is laid out */
  if (is_cpu (samples))
    return gst_gles_frame_samples_run_native (samples, image, call, &samples->kept, picture, error);
  if (!gst_gles_frame_pixels_check (&samples->pixels, image, error))
    return FALSE;
  if (!gst_gles_queue_begin (samples->queue, error))
    return FALSE;
  ok = dispatch (samples, image->buffer, TRUE, call, error);
  samples->frames = ok ? samples->frames + 1 : 0;
  gst_gles_frame_samples_get_picture (samples, image, picture);
  picture->buffer = samples->state;
  return gst_gles_queue_end (samples->queue, ok ? error : NULL) && ok;
}

/* ---- repetition ---- */

gboolean
gst_gles_frame_samples_has_reference (const GstGlesFrameSamples *samples)
{
  return samples->frames > 0 || samples->kept != NULL;
}

void
gst_gles_frame_samples_reset (GstGlesFrameSamples *samples)
{
  samples->frames = 0;
  g_clear_pointer (&samples->kept, g_free);
}

gboolean
gst_gles_frame_samples_save (GstGlesFrameSamples *samples, GError **error)
{
  const gsize bytes = state_bytes (samples);

  g_clear_pointer (&samples->saved_kept, g_free);
  samples->saved_frames = samples->frames;
  if (samples->kept != NULL) {
    samples->saved_kept = g_try_malloc (bytes);
    if (samples->saved_kept == NULL) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
          "cannot allocate %" G_GSIZE_FORMAT " bytes to keep samples", bytes);
      return FALSE;
    }
    memcpy (samples->saved_kept, samples->kept, bytes);
  }
  if (samples->frames == 0)
    return TRUE;
  if (samples->saved_state == NULL)
    samples->saved_state = gst_gles_buffer_new (samples->device, bytes, error);
  return samples->saved_state != NULL &&
      gst_gles_queue_copy (
          samples->queue, samples->state, 0, samples->saved_state, 0, bytes, error);
}

void
gst_gles_frame_samples_restore (GstGlesFrameSamples *samples)
{
  g_free (samples->kept);
  samples->kept = g_steal_pointer (&samples->saved_kept);
  samples->frames = samples->saved_frames;
  if (samples->frames > 0) {
    GstGlesBuffer *state = samples->state;

    samples->state = samples->saved_state;
    samples->saved_state = state;
  }
}
