/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/frame/frame-flash.h>

#include <string.h>

#include <glsl/frame/frame-flash-layout.h>
#include <gst/gles/cpu/lib/newer.h>

/* Loops over so many have a known length, for which compilers use vectors. */
#define BLOCK 256

typedef struct {
  guint32 luminance, red, luminance_changed, red_changed;
} Sums;

G_ALWAYS_INLINE static inline void
add (guint n, const guint32 *restrict values, guint32 *restrict kept, Sums *sums)
{
  guint32 luminance = 0, red = 0, luminance_changed = 0, red_changed = 0;

  for (guint i = 0; i < n; i++) {
    const guint32 value = values[i], changed = value ^ kept[i];

    luminance += value >> 16;
    red += value & 0xffff;
    luminance_changed += changed >> 16 != 0;
    red_changed += (changed & 0xffff) != 0;
    kept[i] = value;
  }
  sums->luminance += luminance;
  sums->red += red;
  sums->luminance_changed += luminance_changed;
  sums->red_changed += red_changed;
}

GST_GLES_CPU_NEWER static void
add_newer (const guint32 *values, guint32 *kept, Sums *sums)
{
  add (BLOCK, values, kept, sums);
}

void
gst_gles_cpu_frame_flash (guint32 *kept, guint n, gboolean compared, guint32 *row)
{
  const guint32 *values = kept + n;
  Sums sums = { 0 };
  guint i = 0;

  for (; i + BLOCK <= n; i += BLOCK) {
    if (gst_gles_cpu_is_newer ())
      add_newer (values + i, kept + i, &sums);
    else
      add (BLOCK, values + i, kept + i, &sums);
  }
  add (n - i, values + i, kept + i, &sums);
  memset (row, 0, GST_GLES_FRAME_FLASH_WORDS * sizeof (guint32));
  row[GST_GLES_FRAME_FLASH_LUMINANCE] = sums.luminance;
  row[GST_GLES_FRAME_FLASH_RED] = sums.red;
  row[GST_GLES_FRAME_FLASH_LUMINANCE_CHANGED] = compared ? sums.luminance_changed : 0;
  row[GST_GLES_FRAME_FLASH_RED_CHANGED] = compared ? sums.red_changed : 0;
  row[GST_GLES_FRAME_FLASH_SAMPLES] = n;
  row[GST_GLES_FRAME_FLASH_COMPARED] = compared;
}
