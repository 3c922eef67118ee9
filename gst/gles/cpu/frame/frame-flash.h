/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the comparison of luminance and red between pictures. */
#ifndef GST_GLES_CPU_FRAME_FLASH_H
#define GST_GLES_CPU_FRAME_FLASH_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

/* What is kept of @n samples: the value of each, and behind them those in the new picture. */
#define GST_GLES_CPU_FRAME_FLASH_BYTES(n) (2 * sizeof (guint32) * (gsize) (n))

/* Writes the row of words of the new values: luminance in the upper and red in the lower half.
 * They replace those of the previous picture, with which they are compared if @compared. */
void gst_gles_cpu_frame_flash (guint32 *kept, guint n, gboolean compared, guint32 *row);

G_END_DECLS

#endif
