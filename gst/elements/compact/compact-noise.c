/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "compact-noise.h"

#include <gst/gles/algo/frame/plan.h>

/* The counts of a picture are taken so many pictures later: by then a device has them. */
#define DELAY 4
G_STATIC_ASSERT (DELAY < GST_GLES_FRAME_NOISE_SLOTS);

/* The bound as a multiple of the quartile of changes. Of a normal distribution that is four
 * standard deviations, beyond which one pixel of 16000 lies. */
#define QUARTILES 6
/* No noise asks for more, and before it is known, only what changes more passes. */
#define MAX_BOUND (128 * 256)
/* A picture without noise lowers the bound by this share. Coded noise comes with key frames, up to
 * 250 pictures apart. */
#define DECAY 256

/* Returns the upper quartile of the changes in 1/256 of code values, at least 0: the place in its
 * bin at which three quarters of @sum have been counted. @sign: -1: of the changes to darker. */
static guint
find_quartile (const guint32 *counts, guint64 sum, gint sign)
{
  guint64 below = 0;

  for (gint i = -GST_GLES_FRAME_NOISE_ZERO; i <= GST_GLES_FRAME_NOISE_ZERO; i++) {
    const gint bin = GST_GLES_FRAME_NOISE_ZERO + sign * i;
    const guint32 count = bin >= 0 && bin < GST_GLES_FRAME_NOISE_BINS ? counts[bin] : 0;

    if (4 * (below + count) >= 3 * sum && count > 0) {
      const gint64 place = 256 * (gint64) i - 128 + (gint64) (64 * (3 * sum - 4 * below) / count);

      return (guint) MAX (place, 0);
    }
    below += count;
  }
  return 0;
}

/* Returns the bound that counts suggest, in 1/256 of code values. */
static guint
get_bound (const guint32 *counts)
{
  guint64 sum = 0;
  guint brighter, darker;

  for (guint i = 0; i < GST_GLES_FRAME_NOISE_BINS; i++)
    sum += counts[i];
  brighter = find_quartile (counts, sum, 1);
  darker = find_quartile (counts, sum, -1);
  /* light changes to one side, noise to both */
  return MIN (QUARTILES * MIN (brighter, darker), MAX_BOUND);
}

gboolean
compact_noise_ensure (CompactNoise *noise, GstGlesQueue *queue, const GstGlesImage *image,
    gint channel, GError **error)
{
  if (noise->plan == NULL)
    noise->plan = gst_gles_frame_noise_new (queue, image, channel, error);
  return noise->plan != NULL;
}

gboolean
compact_noise_take (CompactNoise *noise, guint64 frame, GError **error)
{
  g_autoptr (GstGlesReadback) oldest = NULL;
  const guint32 *counts;
  gsize size_bytes;

  if (frame == noise->taken || noise->counts.length < DELAY)
    return TRUE;
  oldest = g_queue_pop_head (&noise->counts);
  counts = gst_gles_readback_get (oldest, GST_GLES_WAIT_FOREVER, &size_bytes, error);
  if (counts == NULL)
    return FALSE;
  noise->taken = frame;
  noise->level = MAX (noise->level - noise->level / DECAY, get_bound (counts));
  noise->level = MAX (noise->level, 1);
  return TRUE;
}

guint
compact_noise_get_lower (const CompactNoise *noise)
{
  return ((noise->level > 0 ? noise->level : MAX_BOUND) + 128) / 256;
}

gboolean
compact_noise_measure (CompactNoise *noise, const GstGlesImage *image, GError **error)
{
  GstGlesReadback *counts;

  if (noise->plan == NULL)
    return TRUE;
  if (!gst_gles_frame_noise_run (noise->plan, image, &counts, error))
    return FALSE;
  noise->measured = counts != NULL;
  if (noise->measured)
    g_queue_push_tail (&noise->counts, counts);
  return TRUE;
}

gboolean
compact_noise_save (CompactNoise *noise, GError **error)
{
  noise->measured = FALSE;
  return noise->plan == NULL || gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (noise->plan), error);
}

void
compact_noise_restore (CompactNoise *noise)
{
  if (noise->plan == NULL)
    return;
  gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (noise->plan));
  if (noise->measured)
    gst_gles_readback_unref (g_queue_pop_tail (&noise->counts));
}

void
compact_noise_forget (CompactNoise *noise)
{
  if (noise->plan != NULL)
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (noise->plan));
  g_queue_clear_full (&noise->counts, (GDestroyNotify) gst_gles_readback_unref);
  noise->level = 0;
  noise->taken = G_MAXUINT64;
}

void
compact_noise_drop (CompactNoise *noise)
{
  g_clear_pointer (&noise->plan, gst_gles_frame_noise_unref);
  compact_noise_forget (noise);
}
