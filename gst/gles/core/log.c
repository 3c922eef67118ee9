/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/core/log.h>

GstDebugCategory *
gst_gles_log_category (void)
{
  static gsize category = 0;

  if (g_once_init_enter (&category))
    g_once_init_leave (
        &category, (gsize) _gst_debug_category_new ("gles", 0, "OpenGL ES compute library"));
  return (GstDebugCategory *) category;
}

GstDebugCategory *
gst_gles_log_driver_category (void)
{
  static gsize category = 0;

  if (g_once_init_enter (&category))
    g_once_init_leave (&category,
        (gsize) _gst_debug_category_new ("gles-driver", 0, "Messages of the OpenGL ES driver"));
  return (GstDebugCategory *) category;
}
