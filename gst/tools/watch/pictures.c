/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of files begin with the time of day, so that their order is that of time. */
#include "pictures.h"

#include "../common/jpeg.h"
#include "folder.h"

#include <errno.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#define SUFFIX ".jpg"

/* Each is a pipeline, which has six descriptors or so: a bus and pools of buffers. So cameras of
 * one format share one. */
#define MAX_ENCODERS 8

typedef struct {
  GstCaps *caps;
  Jpeg *jpeg;
} Encoder;

struct _WatchPictures {
  const WatchThumbnailsConfig *config;
  GQueue encoders; /* of Encoder, the one that was used last first */
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
  g_queue_init (&self->encoders);
  if (config->directory != NULL) {
    const WatchFolderBounds bounds = {
      .suffix = SUFFIX, .max_files = config->max_files, .max_bytes = config->max_bytes
    };

    self->n_files = watch_folder_prune (config->directory, &bounds, &self->n_bytes);
  }
  return self;
}

static void
free_encoder (gpointer data)
{
  Encoder *encoder = data;

  jpeg_free (encoder->jpeg);
  gst_caps_unref (encoder->caps);
  g_free (encoder);
}

void
watch_pictures_free (WatchPictures *self)
{
  if (self == NULL)
    return;
  g_queue_clear_full (&self->encoders, free_encoder);
  g_free (self);
}

guint64
watch_pictures_get_bytes (WatchPictures *self)
{
  return __atomic_load_n (&self->n_bytes, __ATOMIC_RELAXED);
}

/* Returns the encoder for frames of @caps. */
static Encoder *
get_encoder (WatchPictures *self, GstCaps *caps)
{
  g_autoptr (GstCaps) still = gst_caps_copy (caps);
  Encoder *encoder;
  GList *item;

  /* a picture has no rate, and cameras have many */
  gst_structure_remove_field (gst_caps_get_structure (still, 0), "framerate");
  for (item = self->encoders.head; item != NULL; item = item->next) {
    if (gst_caps_is_equal (((Encoder *) item->data)->caps, still))
      break;
  }
  if (item != NULL) {
    g_queue_unlink (&self->encoders, item);
    g_queue_push_head_link (&self->encoders, item);
    return item->data;
  }
  if (g_queue_get_length (&self->encoders) >= MAX_ENCODERS)
    free_encoder (g_queue_pop_tail (&self->encoders));
  encoder = g_new0 (Encoder, 1);
  encoder->caps = g_steal_pointer (&still);
  encoder->jpeg = jpeg_new ((guint) self->config->width, (guint) self->config->quality);
  g_queue_push_head (&self->encoders, encoder);
  return encoder;
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
    const WatchFolderBounds bounds = { .suffix = SUFFIX,
      .max_files = MAX (self->config->max_files - self->config->max_files / 16 - 1, 1),
      .max_bytes = self->config->max_bytes - self->config->max_bytes / 16 };

    self->n_files = watch_folder_prune (self->config->directory, &bounds, &bytes);
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
  const Encoder *encoder = get_encoder (self, gst_sample_get_caps (frame));
  g_autoptr (GBytes) jpeg = jpeg_encode (
      encoder->jpeg, gst_sample_get_buffer (frame), encoder->caps, GST_VIDEO_ORIENTATION_IDENTITY);

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
