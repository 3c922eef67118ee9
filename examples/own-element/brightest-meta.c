/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "brightest-meta.h"

static gboolean
meta_init (GstMeta *base, gpointer params, GstBuffer *buffer)
{
  BrightestMeta *meta = (BrightestMeta *) base;

  meta->readback = NULL;
  meta->area = (BrightestArea){ 0 };
  return TRUE;
}

static void
meta_free (GstMeta *base, GstBuffer *buffer)
{
  gst_gles_readback_unref (((BrightestMeta *) base)->readback);
}

/* A place in a picture is not that in another one, so only copies of the buffer keep it. */
static gboolean
meta_transform (GstBuffer *copy, GstMeta *base, GstBuffer *buffer, GQuark type, gpointer transform)
{
  BrightestMeta *meta = (BrightestMeta *) base;

  return GST_META_TRANSFORM_IS_COPY (type) &&
      brightest_meta_add (copy, meta->readback, &meta->area) != NULL;
}

GType
brightest_meta_api_get_type (void)
{
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR, NULL };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("BrightestMetaAPI", tags));
  return type;
}

const GstMetaInfo *
brightest_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter (&info))
    g_once_init_leave ((GstMetaInfo **) &info,
        (GstMetaInfo *) gst_meta_register (brightest_meta_api_get_type (), "BrightestMeta",
            sizeof (BrightestMeta), meta_init, meta_free, meta_transform));
  return info;
}

BrightestMeta *
brightest_meta_add (GstBuffer *buffer, GstGlesReadback *readback, const BrightestArea *area)
{
  BrightestMeta *meta =
      (BrightestMeta *) gst_buffer_add_meta (buffer, brightest_meta_get_info (), NULL);

  if (meta == NULL)
    return NULL;
  meta->readback = gst_gles_readback_ref (readback);
  meta->area = *area;
  return meta;
}

BrightestMeta *
brightest_meta_get (GstBuffer *buffer)
{
  return (BrightestMeta *) gst_buffer_get_meta (buffer, brightest_meta_api_get_type ());
}

gboolean
brightest_meta_read (const BrightestMeta *meta, BrightestPixel *pixel, GError **error)
{
  const BrightestArea *area = &meta->area;
  const BrightestFound *found =
      gst_gles_readback_get (meta->readback, GST_GLES_WAIT_FOREVER, NULL, error);

  if (found == NULL)
    return FALSE;
  if (found->place == G_MAXUINT32) {
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_OUTSIDE,
        "the visible picture has no sample of this component");
    return FALSE;
  }
  pixel->x = found->place % area->columns << area->sub_x;
  pixel->y = found->place / area->columns << area->sub_y;
  pixel->value = found->value;
  return TRUE;
}
