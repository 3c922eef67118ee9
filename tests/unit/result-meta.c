/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The metas of results on buffers and through transforms. The test of docs/metadata.md runs the
 * elements that people put behind an analyser. */
#include "result-samples.h"

/* ---- kinds of metas, which all begin alike ---- */

typedef struct {
  GstMeta meta;
  GstMiniObject *result;
} ResultMeta;

typedef struct {
  const gchar *name; /* of the meta */
  gboolean has_coordinates;
  GType (*get_api) (void);
  const GstMetaInfo *(*get_info) (void);
  ResultMeta *(*add) (GstBuffer *buffer, gpointer result);
  ResultMeta *(*get) (GstBuffer *buffer);
  GstMiniObject *(*from_buffer) (GstBuffer *buffer);
  GstMiniObject *(*result_new) (void);
} Kind;

#define KIND(name, kind, has_coordinates)                                                          \
  {                                                                                                \
    name, has_coordinates, gst_gles_##kind##_meta_api_get_type, gst_gles_##kind##_meta_get_info,   \
        (ResultMeta * (*) (GstBuffer *, gpointer)) gst_buffer_add_gles_##kind##_meta,              \
        (ResultMeta * (*) (GstBuffer *) ) gst_buffer_get_gles_##kind##_meta,                       \
        (GstMiniObject * (*) (GstBuffer *) ) gst_gles_##kind##_result_from_buffer, new_##kind      \
  }

static GstMiniObject *
new_histogram (void)
{
  return (GstMiniObject *) sample_histogram (1);
}

static GstMiniObject *
new_points (void)
{
  return (GstMiniObject *) sample_points (&sample_points_info, 3);
}

static GstMiniObject *
new_tiles (void)
{
  return (GstMiniObject *) sample_tiles (7, 5, 5);
}

static GstMiniObject *
new_regions (void)
{
  return (GstMiniObject *) sample_regions ("möwe");
}

static GstMiniObject *
new_tracks (void)
{
  return (GstMiniObject *) sample_tracks ("möwe", 0);
}

static GstMiniObject *
new_zones (void)
{
  return (GstMiniObject *) sample_zones ("möwe");
}

static const Kind kinds[] = {
  KIND ("GstGlesHistogramMeta", histogram, FALSE),
  KIND ("GstGlesPointsMeta", points, TRUE),
  KIND ("GstGlesTilesMeta", tiles, TRUE),
  KIND ("GstGlesRegionsMeta", regions, TRUE),
  KIND ("GstGlesTracksMeta", tracks, TRUE),
  KIND ("GstGlesZonesMeta", zones, TRUE),
};

static guint
count_metas (const Kind *kind, GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer, kind->get_api ());
}

static void
check_result_of (const Kind *kind, GstBuffer *buffer, GstMiniObject *result)
{
  GstMiniObject *found = kind->from_buffer (buffer);

  g_assert_true (found == result);
  gst_clear_mini_object (&found);
  g_assert_true (
      result == NULL ? kind->get (buffer) == NULL : kind->get (buffer)->result == result);
}

/* ---- buffers ---- */

static void
check_registration (const Kind *kind)
{
  const GstMetaInfo *info = kind->get_info ();
  const gchar *const *tags = gst_meta_api_type_get_tags (info->api);

  g_assert_cmpuint (g_strv_length ((gchar **) tags), ==, kind->has_coordinates ? 3 : 1);
  g_assert_cmpstr (tags[0], ==, GST_META_TAG_VIDEO_STR);
  g_assert_true (g_strv_contains (tags, GST_META_TAG_VIDEO_SIZE_STR) == kind->has_coordinates);
  g_assert_true (
      g_strv_contains (tags, GST_META_TAG_VIDEO_ORIENTATION_STR) == kind->has_coordinates);
  g_assert_true (info->api == kind->get_api () && gst_meta_get_info (kind->name) == info);
}

/* Two analysers in a row: both metas stay, the later one is found. */
static void
check_buffers (const Kind *kind)
{
  GstMiniObject *older = kind->result_new (), *newer = kind->result_new ();
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 64, NULL), *copy, *part;

  check_result_of (kind, buffer, NULL);
  g_assert_true (kind->add (buffer, older)->result == older);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (older), ==, 2);
  kind->add (buffer, newer);
  check_result_of (kind, buffer, newer);

  copy = gst_buffer_copy (buffer);
  /* copied again, as a base class and its subclass may do */
  g_assert_true (gst_buffer_copy_into (copy, buffer, GST_BUFFER_COPY_META, 0, -1));
  g_assert_cmpuint (count_metas (kind, copy), ==, 2);
  check_result_of (kind, copy, newer);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 0, 32);
  g_assert_cmpuint (count_metas (kind, part), ==, kind->has_coordinates ? 0 : 2);

  g_assert_true (gst_buffer_remove_meta (buffer, &kind->get (buffer)->meta));
  check_result_of (kind, buffer, older);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  gst_buffer_unref (part);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (older), ==, 1);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (newer), ==, 1);
  gst_mini_object_unref (older);
  gst_mini_object_unref (newer);
}

/* Scaled pictures share the result; other transforms drop coordinates. */
static void
check_transforms (const Kind *kind)
{
  GstMiniObject *result = kind->result_new ();
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  ResultMeta *meta = kind->add (buffer, result);
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = { &in, &out };
  const GQuark types[] = { gst_video_meta_transform_scale_get_quark (),
    g_quark_from_static_string ("rotate") };

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_I420, 64, 48);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_I420, 32, 24);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    gboolean stays = i == 0 || !kind->has_coordinates;
    g_autoptr (GstBuffer) target = gst_buffer_new ();

    g_assert_true (meta->meta.info->transform_func (
                       target, &meta->meta, buffer, types[i], i == 0 ? &scale : NULL) == stays);
    check_result_of (kind, target, stays ? result : NULL);
  }
  gst_mini_object_unref (result);
}

#if GST_CHECK_VERSION(1, 24, 0)
/* As GStreamer does it for another process; result-serial.c compares the contents. */
static void
check_serialised (const Kind *kind)
{
  GstMiniObject *result = kind->result_new ();
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) target = gst_buffer_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 consumed = 0;

  g_assert_true (gst_meta_serialize_simple (&kind->add (buffer, result)->meta, bytes));
  g_assert_nonnull (gst_meta_deserialize (target, bytes->data, bytes->len, &consumed));
  g_assert_cmpuint (consumed, ==, bytes->len);
  g_assert_cmpuint (count_metas (kind, target), ==, 1);
  gst_mini_object_unref (result);
}
#endif

static void
test_kind (gconstpointer kind)
{
  check_registration (kind);
  check_buffers (kind);
  check_transforms (kind);
#if GST_CHECK_VERSION(1, 24, 0)
  check_serialised (kind);
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree gchar *path = g_strconcat ("/meta/", kinds[i].name, NULL);

    g_test_add_data_func (path, &kinds[i], test_kind);
  }
  return g_test_run ();
}
