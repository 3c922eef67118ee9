/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of files begin with the time of day, so that their order is that of time. */
#include "pictures.h"

#include "../common/jpeg.h"
#include "folder.h"

#include <errno.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#define SUFFIX ".jpg"

struct _WatchPictures {
  const WatchThumbnailsConfig *config;
  GHashTable *encoders; /* of the name of a camera: Jpeg, as cameras have different formats */
  guint n_files;
  guint64 n_bytes;
};

WatchPictures *
watch_pictures_new (const WatchThumbnailsConfig *config, GError **error)
{
  WatchPictures *self;

  if (config->directory != NULL && g_mkdir_with_parents (config->directory, 0750) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
        "thumbnails: cannot make the folder %s: %s", config->directory, g_strerror (errno));
    return NULL;
  }
  self = g_new0 (WatchPictures, 1);
  self->config = config;
  self->encoders =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) jpeg_free);
  if (config->directory != NULL)
    self->n_files = watch_folder_prune (
        config->directory, SUFFIX, config->max_files, config->max_bytes, &self->n_bytes);
  return self;
}

void
watch_pictures_free (WatchPictures *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->encoders);
  g_free (self);
}

guint64
watch_pictures_get_bytes (WatchPictures *self)
{
  return __atomic_load_n (&self->n_bytes, __ATOMIC_RELAXED);
}

static Jpeg *
get_encoder (WatchPictures *self, const gchar *camera)
{
  Jpeg *jpeg = g_hash_table_lookup (self->encoders, camera);

  if (jpeg == NULL) {
    jpeg = jpeg_new ((guint) self->config->width, (guint) self->config->quality);
    g_hash_table_insert (self->encoders, g_strdup (camera), jpeg);
  }
  return jpeg;
}

/* Returns the path of the file: (transfer full). NULL with @error. */
static gchar *
store (WatchPictures *self, GBytes *jpeg, const gchar *name, GError **error)
{
  g_autofree gchar *path = g_build_filename (self->config->directory, name, NULL);
  gsize size;
  const gchar *data = g_bytes_get_data (jpeg, &size);
  guint64 bytes;

  if (self->n_files >= self->config->max_files || self->n_bytes + size > self->config->max_bytes) {
    /* room for some more, as the folder is read each time */
    self->n_files = watch_folder_prune (self->config->directory, SUFFIX,
        MAX (self->config->max_files - self->config->max_files / 16 - 1, 1),
        self->config->max_bytes - self->config->max_bytes / 16, &bytes);
    __atomic_store_n (&self->n_bytes, bytes, __ATOMIC_RELAXED);
  }
  if (!g_file_set_contents_full (
          path, data, (gssize) size, G_FILE_SET_CONTENTS_CONSISTENT, 0640, error))
    return NULL;
  self->n_files++;
  __atomic_add_fetch (&self->n_bytes, size, __ATOMIC_RELAXED);
  return g_steal_pointer (&path);
}

GBytes *
watch_pictures_write (WatchPictures *self, GstSample *frame, const gchar *camera,
    const gchar *event, const gchar *id, gchar **path, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree gchar *time = g_date_time_format (now, "%Y-%m-%dT%H-%M-%S.%fZ");
  g_autofree gchar *name = g_strdup_printf ("%s %s %s %s" SUFFIX, time, camera, event, id);
  g_autofree gchar *escaped = watch_folder_escape (name);
  g_autoptr (GBytes) jpeg = jpeg_encode (get_encoder (self, camera), gst_sample_get_buffer (frame),
      gst_sample_get_caps (frame), GST_VIDEO_ORIENTATION_IDENTITY);

  *path = NULL;
  if (jpeg == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "no picture: are videoscale, videoconvert and jpegenc installed? In memory of a device, "
        "other than that of CUDA and GL, frames cannot be encoded");
    return NULL;
  }
  if (self->config->directory != NULL) {
    *path = store (self, jpeg, escaped, error);
    if (*path == NULL)
      return NULL;
  }
  return g_steal_pointer (&jpeg);
}
