/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/frame-info.h>

G_DEFINE_BOXED_TYPE (GstGlesOrigin, gst_gles_origin, gst_gles_origin_ref, gst_gles_origin_unref)
G_DEFINE_BOXED_TYPE (
    GstGlesFrameInfo, gst_gles_frame_info, gst_gles_frame_info_copy, gst_gles_frame_info_free)

GType
gst_gles_field_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { GST_GLES_FIELD_NONE, "A whole frame, or a field of unknown parity", "none" },
    { GST_GLES_FIELD_TOP, "Top field", "top" },
    { GST_GLES_FIELD_BOTTOM, "Bottom field", "bottom" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGlesField", values));
  return type;
}

static void
clear (gpointer data)
{
  GstGlesOrigin *origin = data;

  g_free ((gchar *) origin->element);
  g_free ((gchar *) origin->stream_id);
}

GstGlesOrigin *
gst_gles_origin_new (const gchar *element, const gchar *stream_id)
{
  GstGlesOrigin *origin;

  g_return_val_if_fail (element != NULL, NULL);

  origin = g_atomic_rc_box_new (GstGlesOrigin);
  *origin = (GstGlesOrigin){ .element = g_utf8_make_valid (element, -1),
    .stream_id = stream_id != NULL ? g_utf8_make_valid (stream_id, -1) : NULL };
  return origin;
}

GstGlesOrigin *
gst_gles_origin_ref (GstGlesOrigin *origin)
{
  g_return_val_if_fail (origin != NULL, NULL);

  return g_atomic_rc_box_acquire (origin);
}

void
gst_gles_origin_unref (GstGlesOrigin *origin)
{
  if (origin != NULL)
    g_atomic_rc_box_release_full (origin, clear);
}

GstGlesFrameInfo *
gst_gles_frame_info_new (guint width, guint height, GstVideoFormat format, GstGlesOrigin *origin)
{
  return gst_gles_frame_info_copy (&(GstGlesFrameInfo){ .pts = GST_CLOCK_TIME_NONE,
      .duration = GST_CLOCK_TIME_NONE,
      .running_time = GST_CLOCK_TIME_NONE,
      .stream_time = GST_CLOCK_TIME_NONE,
      .utc = GST_CLOCK_TIME_NONE,
      .width = width,
      .height = height,
      .format = format,
      .origin = origin });
}

GstGlesFrameInfo *
gst_gles_frame_info_copy (const GstGlesFrameInfo *info)
{
  GstGlesFrameInfo *copy;

  g_return_val_if_fail (info != NULL, NULL);

  copy = g_memdup2 (info, sizeof *info);
  if (copy->origin != NULL)
    gst_gles_origin_ref (copy->origin);
  return copy;
}

void
gst_gles_frame_info_free (GstGlesFrameInfo *info)
{
  if (info == NULL)
    return;
  gst_gles_origin_unref (info->origin);
  g_free (info);
}
