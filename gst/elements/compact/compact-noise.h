/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bound of motion that the noise of earlier pictures suggests. */
#ifndef GST_GLES_COMPACT_NOISE_H
#define GST_GLES_COMPACT_NOISE_H

#include <gst/gles/algo/frame/frame-noise.h>

G_BEGIN_DECLS

/* All zero: nothing is known. */
typedef struct {
  GstGlesFrameNoise *plan; /* (nullable) */
  GQueue counts;           /* of GstGlesReadback, which @level lacks, oldest first */
  guint64 taken;           /* the number of the picture that @level is for */
  guint level;             /* the bound in 1/256 of code values of 8 bits; 0: not yet known */
  gboolean measured;       /* the last picture: its counts are the newest ones */
} CompactNoise;

/* Makes the plan for pictures like @image, unless there is one. Errors: those of the plan. */
gboolean compact_noise_ensure (CompactNoise *noise, GstGlesQueue *queue, const GstGlesImage *image,
    gint channel, GError **error);

/* Takes the counts that the bound of picture @frame depends on, once for each picture. Which those
 * are depends on the number of pictures alone, so that all devices have the same bound; on a device
 * with GL it waits for counts of four pictures ago. Errors: those of readbacks. */
gboolean compact_noise_take (CompactNoise *noise, guint64 frame, GError **error);
/* Returns the bound in code values of 8 bits: 128 before the noise is known. */
guint compact_noise_get_lower (const CompactNoise *noise);

/* Measures a picture if there is a plan: on a device with GL, in the open submission. */
gboolean compact_noise_measure (CompactNoise *noise, const GstGlesImage *image, GError **error);

/* The same as of comparisons. */
gboolean compact_noise_save (CompactNoise *noise, GError **error);
void compact_noise_restore (CompactNoise *noise);
void compact_noise_forget (CompactNoise *noise);
void compact_noise_drop (CompactNoise *noise);

G_END_DECLS

#endif
