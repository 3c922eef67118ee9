/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/frame/frame-flash.h>

#include <string.h>

#include <glsl/frame/frame-flash-layout.h>

guint32 *
gst_gles_cpu_frame_flash_points (guint32 *kept, guint n)
{
  return kept + n;
}

void
gst_gles_cpu_frame_flash_place (guint32 *points, guint width, guint height)
{
  for (guint y = 0; y < height; y++) {
    for (guint x = 0; x < width; x++, points += 2)
      points[0] = x | y << 16;
  }
}

void
gst_gles_cpu_frame_flash (guint32 *kept, guint n, gboolean compared, guint32 *row)
{
  const guint32 *points = gst_gles_cpu_frame_flash_points (kept, n);
  guint32 luminance = 0, red = 0, luminance_changed = 0, red_changed = 0;

  for (guint i = 0; i < n; i++) {
    const guint32 value = points[2 * i + 1], changed = value ^ kept[i];

    luminance += value >> 16;
    red += value & 0xffff;
    luminance_changed += changed >> 16 != 0;
    red_changed += (changed & 0xffff) != 0;
    kept[i] = value;
  }
  memset (row, 0, GST_GLES_FRAME_FLASH_WORDS * sizeof (guint32));
  row[GST_GLES_FRAME_FLASH_LUMINANCE] = luminance;
  row[GST_GLES_FRAME_FLASH_RED] = red;
  row[GST_GLES_FRAME_FLASH_LUMINANCE_CHANGED] = compared ? luminance_changed : 0;
  row[GST_GLES_FRAME_FLASH_RED_CHANGED] = compared ? red_changed : 0;
  row[GST_GLES_FRAME_FLASH_SAMPLES] = n;
  row[GST_GLES_FRAME_FLASH_COMPARED] = compared;
}
