/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One dispatch, which counts into the bins of its frame and clears those of the next one. The rows
 * and the bins are one allocation. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-noise-private.h>
#include <gst/gles/algo/frame/frame-pixels.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame-noise.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 64

/* Words per invocation. llvmpipe runs the loop of an invocation at most 65535 times. */
#define EACH_SOFTWARE 64
#define EACH 2

#define BINS_BYTES (4 * GST_GLES_FRAME_NOISE_BINS)

struct _GstGlesFrameNoise {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  GstGlesFramePixels pixels;
  gsize stride, rows_bytes;

  guint8 *kept, *saved_kept; /* cpu devices; nullable */

  GstGlesProgram *count;
  GstGlesBuffer *state, *saved_state; /* the latter nullable */
  GstGlesReadbackRing *ring;
  guint frames, saved_frames;
};

/* ---- plans ---- */

static gboolean
is_cpu (const GstGlesFrameNoise *noise)
{
  return gst_gles_device_get_kind (noise->device) == GST_GLES_DEVICE_CPU;
}

static gsize
state_bytes (const GstGlesFrameNoise *noise)
{
  return noise->rows_bytes + 2 * BINS_BYTES;
}

static void
make_spec (gboolean bytes, gboolean luma, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "frame-noise_count",
    .local_size = { INVOCATIONS, 1, 1 },
    .shared_bytes = BINS_BYTES,
    .n_storage = 2,
    .defines = { { "BYTES", bytes }, { "LUMA", luma } } };
}

void
gst_gles_frame_noise_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint i = 0; i < 3; i++) {
    make_spec (i == 1, i == 2, &spec);
    func (&spec, user_data);
  }
}

/* Queues the kernel over @n words of the rows. */
static gboolean
dispatch (GstGlesFrameNoise *noise, GstGlesBuffer *image, gsize n, GError **error)
{
  const gboolean software = gst_gles_device_get_kind (noise->device) == GST_GLES_DEVICE_SOFTWARE;
  const guint limit = gst_gles_device_get_limits (noise->device)->groups[0];
  const gsize each = INVOCATIONS * (software ? EACH_SOFTWARE : EACH);
  const guint groups[3] = { (guint) CLAMP (gst_gles_div_ceil (n, each), 1, limit), 1, 1 };
  const gsize image_bytes = gst_gles_frame_pixels_bound_bytes (&noise->pixels, image);
  const GstGlesBinding bindings[] = { { image, 0, image_bytes, GST_GLES_READ },
    { noise->state, 0, 0, GST_GLES_READ_WRITE } };
  GstGlesFramePixelsParams params;

  gst_gles_frame_pixels_describe (&noise->pixels, image_bytes, &params);
  params.pass.n = (guint32) n;
  params.pass.row_words = (guint32) (noise->stride / 4);
  params.pass.plane_words = (guint32) (noise->rows_bytes / 4);
  params.pass.frame = noise->frames;
  return gst_gles_queue_dispatch (noise->queue, noise->count, bindings, G_N_ELEMENTS (bindings),
      &params, sizeof (params), groups, GST_GLES_DISPATCH_NONE, error);
}

/* Dispatches the kernel without work, because llvmpipe generates machine code at the first dispatch
 * and no frame should wait for that. */
static gboolean
warm_up (GstGlesFrameNoise *noise, GError **error)
{
  g_autoptr (GstGlesBuffer) nothing =
      gst_gles_buffer_new (noise->device, GST_GLES_WARM_UP_BYTES, error);
  gboolean ok;

  if (nothing == NULL || !gst_gles_queue_begin (noise->queue, error))
    return FALSE;
  ok = dispatch (noise, nothing, 0, error);
  return gst_gles_queue_end (noise->queue, ok ? error : NULL) && ok;
}

static gboolean
init_gl (GstGlesFrameNoise *noise, GError **error)
{
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;
  gboolean bytes, luma;

  gst_gles_frame_pixels_define (&noise->pixels, &bytes, &luma);
  make_spec (bytes, luma, &spec);
  gst_gles_program_list_add (&list, &spec, &noise->count);
  if (!gst_gles_program_list_get (&list, noise->queue, error))
    return FALSE;
  noise->state = gst_gles_buffer_new (noise->device, state_bytes (noise), error);
  if (noise->state == NULL)
    return FALSE;
  noise->ring =
      gst_gles_readback_ring_new (noise->queue, GST_GLES_FRAME_NOISE_SLOTS, BINS_BYTES, error);
  return noise->ring != NULL && warm_up (noise, error);
}

GstGlesFrameNoise *
gst_gles_frame_noise_new (
    GstGlesQueue *queue, const GstGlesImage *format, gint channel, GError **error)
{
  g_autoptr (GstGlesFrameNoise) noise = g_new0 (GstGlesFrameNoise, 1);
  const GstGlesComponent *c;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL, NULL);
  g_return_val_if_fail (channel < (gint) format->n_components, NULL);
  noise->queue = gst_object_ref (queue);
  noise->device = gst_gles_queue_get_device (queue);
  gst_gles_frame_pixels_init (&noise->pixels, format, channel);
  c = gst_gles_frame_pixels_get_component (&noise->pixels);
  noise->stride = gst_gles_align_up (c->width, 16);
  noise->rows_bytes = noise->stride * gst_gles_div_ceil (c->height, GST_GLES_FRAME_NOISE_ROWS);
  return is_cpu (noise) || init_gl (noise, error) ? g_steal_pointer (&noise) : NULL;
}

void
gst_gles_frame_noise_unref (GstGlesFrameNoise *noise)
{
  if (noise == NULL)
    return;
  g_free (noise->kept);
  g_free (noise->saved_kept);
  gst_gles_program_unref (noise->count);
  gst_gles_buffer_unref (noise->state);
  gst_gles_buffer_unref (noise->saved_state);
  gst_gles_readback_ring_free (noise->ring);
  gst_object_unref (noise->device);
  gst_object_unref (noise->queue);
  g_free (noise);
}

/* ---- runs ---- */

gboolean
gst_gles_frame_noise_run_native (GstGlesFrameNoise *noise, const GstGlesImage *image, guint8 **kept,
    guint32 counts[GST_GLES_FRAME_NOISE_BINS])
{
  const GstGlesCpuChannel channel = gst_gles_frame_pixels_channel (&noise->pixels, image);
  const gboolean has_before = *kept != NULL;

  /* a row more for what is read */
  if (!has_before)
    *kept = g_malloc (noise->rows_bytes + noise->stride);
  memset (counts, 0, BINS_BYTES);
  gst_gles_cpu_frame_noise_run (
      &channel, *kept, noise->stride, *kept + noise->rows_bytes, has_before ? counts : NULL);
  return has_before;
}

static void
run_cpu (GstGlesFrameNoise *noise, const GstGlesImage *image, GstGlesReadback **counts)
{
  guint32 bins[GST_GLES_FRAME_NOISE_BINS];

  if (gst_gles_frame_noise_run_native (noise, image, &noise->kept, bins))
    *counts = gst_gles_readback_new_complete (g_bytes_new (bins, sizeof bins));
}

/* Queues the copy of the bins of the frame that has been dispatched. */
static GstGlesReadback *
copy_bins (GstGlesFrameNoise *noise, GError **error)
{
  return gst_gles_readback_ring_copy (noise->ring, noise->state,
      noise->rows_bytes + noise->frames % 2 * BINS_BYTES, BINS_BYTES, NULL, error);
}

gboolean
gst_gles_frame_noise_run (
    GstGlesFrameNoise *noise, const GstGlesImage *image, GstGlesReadback **counts, GError **error)
{
  gboolean ok;

  *counts = NULL;
  if (is_cpu (noise)) {
    run_cpu (noise, image, counts);
    return TRUE;
  }
  if (!gst_gles_frame_pixels_check (&noise->pixels, image, error) ||
      !gst_gles_queue_begin (noise->queue, error))
    return FALSE;
  ok = dispatch (noise, image->buffer, noise->rows_bytes / 4, error);
  if (ok && noise->frames > 0) {
    *counts = copy_bins (noise, error);
    ok = *counts != NULL;
  }
  noise->frames = ok ? noise->frames + 1 : 0;
  ok = gst_gles_queue_end (noise->queue, ok ? error : NULL) && ok;
  if (!ok)
    g_clear_pointer (counts, gst_gles_readback_unref);
  return ok;
}

/* ---- repetition ---- */

void
gst_gles_frame_noise_reset (GstGlesFrameNoise *noise)
{
  noise->frames = 0;
  g_clear_pointer (&noise->kept, g_free);
}

gboolean
gst_gles_frame_noise_save (GstGlesFrameNoise *noise, GError **error)
{
  g_clear_pointer (&noise->saved_kept, g_free);
  noise->saved_frames = noise->frames;
  if (noise->kept != NULL)
    noise->saved_kept = g_memdup2 (noise->kept, noise->rows_bytes + noise->stride);
  if (noise->frames == 0)
    return TRUE;
  if (noise->saved_state == NULL)
    noise->saved_state = gst_gles_buffer_new (noise->device, state_bytes (noise), error);
  return noise->saved_state != NULL &&
      gst_gles_queue_copy (
          noise->queue, noise->state, 0, noise->saved_state, 0, state_bytes (noise), error);
}

void
gst_gles_frame_noise_restore (GstGlesFrameNoise *noise)
{
  g_free (noise->kept);
  noise->kept = g_steal_pointer (&noise->saved_kept);
  noise->frames = noise->saved_frames;
  if (noise->frames > 0) {
    GstGlesBuffer *state = noise->state;

    noise->state = noise->saved_state;
    noise->saved_state = state;
  }
}
