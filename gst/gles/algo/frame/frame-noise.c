/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One dispatch, which counts into the bins of its frame and clears those of the next one. The rows
 * and the bins are one allocation. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-noise-private.h>
#include <gst/gles/algo/frame/pixels.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame/frame-noise.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 64

/* Words per invocation. llvmpipe runs the loop of an invocation at most 65535 times. */
#define EACH_SOFTWARE 64
#define EACH 2

#define BINS_BYTES (4 * GST_GLES_FRAME_NOISE_BINS)

struct _GstGlesFrameNoise {
  GstGlesFramePlan plan; /* buffers: the rows and the bins, alone */
  GstGlesFramePixels pixels;
  gsize stride, rows_bytes;
  GstGlesProgram *count;
  GstGlesReadbackRing *ring;
};

/* ---- plans ---- */

static void
make_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "frame-noise_count",
    .local_size = { INVOCATIONS, 1, 1 },
    .shared_bytes = BINS_BYTES,
    .n_storage = 2 };
}

void
gst_gles_frame_noise_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  make_spec (&spec);
  gst_gles_frame_pixels_specialisations (&spec, func, user_data);
}

/* Queues the kernel over @n words of the rows. */
static gboolean
dispatch (GstGlesFrameNoise *noise, GstGlesBuffer *image, gsize n, GError **error)
{
  GstGlesDevice *device = noise->plan.device;
  const guint groups[3] = { gst_gles_frame_n_groups (device, n, INVOCATIONS, EACH, EACH_SOFTWARE),
    1, 1 };
  const gsize image_bytes = gst_gles_frame_used_end (&noise->pixels.used, image);
  const GstGlesBinding bindings[] = { { image, 0, image_bytes, GST_GLES_READ },
    { noise->plan.kept.buffers[0], 0, 0, GST_GLES_READ_WRITE } };
  GstGlesFramePixelsParams params;

  gst_gles_frame_pixels_describe (&noise->pixels, image_bytes, &params);
  params.pass.n = (guint32) n;
  params.pass.row_words = (guint32) (noise->stride / 4);
  params.pass.plane_words = (guint32) (noise->rows_bytes / 4);
  params.pass.frame = noise->plan.kept.frames;
  return gst_gles_queue_dispatch (noise->plan.queue,
      GST_GLES_DISPATCH (noise->count, bindings, G_N_ELEMENTS (bindings), &params), groups, error);
}

static gboolean
warm_up (gpointer noise, GstGlesBuffer *nothing, GError **error)
{
  return dispatch (noise, nothing, 0, error);
}

static gboolean
init_gl (GstGlesFrameNoise *noise, GError **error)
{
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  make_spec (&spec);
  gst_gles_frame_pixels_specialise (&noise->pixels, &spec);
  gst_gles_program_list_add (&list, &spec, &noise->count);
  if (!gst_gles_program_list_get (&list, noise->plan.queue, error))
    return FALSE;
  noise->plan.kept.buffers[0] =
      gst_gles_buffer_new (noise->plan.device, noise->rows_bytes + 2 * BINS_BYTES, error);
  if (noise->plan.kept.buffers[0] == NULL)
    return FALSE;
  noise->ring =
      gst_gles_readback_ring_new (noise->plan.queue, GST_GLES_FRAME_NOISE_SLOTS, BINS_BYTES, error);
  return noise->ring != NULL && gst_gles_frame_warm_up (noise->plan.queue, warm_up, noise, error);
}

GstGlesFrameNoise *
gst_gles_frame_noise_new (
    GstGlesQueue *queue, const GstGlesImage *format, gint channel, GError **error)
{
  g_autoptr (GstGlesFrameNoise) noise = NULL;
  const GstGlesComponent *c;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL, NULL);
  g_return_val_if_fail (channel < (gint) format->n_components, NULL);
  noise = g_new0 (GstGlesFrameNoise, 1);
  gst_gles_frame_plan_init (&noise->plan, queue, format);
  gst_gles_frame_pixels_init (&noise->pixels, &noise->plan, channel);
  c = gst_gles_frame_pixels_get_component (&noise->pixels);
  noise->stride = gst_gles_align_up (c->width, 16);
  noise->rows_bytes = noise->stride * gst_gles_div_ceil (c->height, GST_GLES_FRAME_NOISE_ROWS);
  noise->plan.host_bytes = noise->rows_bytes + noise->stride; /* a row more for what is read */
  return gst_gles_frame_plan_is_cpu (&noise->plan) || init_gl (noise, error)
      ? g_steal_pointer (&noise)
      : NULL;
}

void
gst_gles_frame_noise_unref (GstGlesFrameNoise *noise)
{
  if (noise == NULL)
    return;
  gst_gles_program_unref (noise->count);
  gst_gles_readback_ring_free (noise->ring);
  gst_gles_frame_plan_clear (&noise->plan);
  g_free (noise);
}

/* ---- runs ---- */

gboolean
gst_gles_frame_noise_run_native (GstGlesFrameNoise *noise, const GstGlesImage *image, guint8 **kept,
    guint32 counts[GST_GLES_FRAME_NOISE_BINS], GError **error)
{
  const GstGlesCpuChannel channel = gst_gles_frame_channel_samples (&noise->pixels.channel, image);
  const gboolean has_before = *kept != NULL;

  if (!gst_gles_frame_make_kept (kept, noise->plan.host_bytes, error))
    return FALSE;
  memset (counts, 0, BINS_BYTES);
  gst_gles_cpu_frame_noise_run (
      &channel, *kept, noise->stride, *kept + noise->rows_bytes, has_before ? counts : NULL);
  return TRUE;
}

static gboolean
run_cpu (
    GstGlesFrameNoise *noise, const GstGlesImage *image, GstGlesReadback **counts, GError **error)
{
  const gboolean has_before = gst_gles_frame_plan_has_reference (&noise->plan);
  guint32 bins[GST_GLES_FRAME_NOISE_BINS];

  if (!gst_gles_frame_noise_run_native (noise, image, &noise->plan.kept.host, bins, error))
    return FALSE;
  if (has_before)
    *counts = gst_gles_readback_new_complete (g_bytes_new (bins, sizeof bins));
  return TRUE;
}

/* Queues the copy of the bins of the frame that has been dispatched. */
static GstGlesReadback *
copy_bins (GstGlesFrameNoise *noise, GError **error)
{
  const GstGlesFrameKept *kept = &noise->plan.kept;

  return gst_gles_readback_ring_copy (noise->ring,
      &(GstGlesReadbackCopy){ .source = kept->buffers[0],
          .offset_bytes = noise->rows_bytes + kept->frames % 2 * BINS_BYTES,
          .size_bytes = BINS_BYTES },
      NULL, error);
}

gboolean
gst_gles_frame_noise_run (
    GstGlesFrameNoise *noise, const GstGlesImage *image, GstGlesReadback **counts, GError **error)
{
  GstGlesFrameKept *kept = &noise->plan.kept;
  gboolean ok;

  *counts = NULL;
  /* reads each image as it is laid out */
  if (gst_gles_frame_plan_is_cpu (&noise->plan))
    return run_cpu (noise, image, counts, error);
  if (!gst_gles_frame_plan_check_image (&noise->plan, image, error) ||
      !gst_gles_queue_begin (noise->plan.queue, error))
    return FALSE;
  ok = dispatch (noise, image->buffer, noise->rows_bytes / 4, error);
  if (ok && kept->frames > 0) {
    *counts = copy_bins (noise, error);
    ok = *counts != NULL;
  }
  kept->frames = ok ? kept->frames + 1 : 0;
  ok = gst_gles_queue_end (noise->plan.queue, ok ? error : NULL) && ok;
  if (!ok)
    g_clear_pointer (counts, gst_gles_readback_unref);
  return ok;
}
